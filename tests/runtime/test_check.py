"""`Client(check=...)`: a program looks at each change before it is signed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.doubles.orders import order
from tests.doubles.signer import KEY
from tests.doubles.transport import ScriptedTransport, ok
from trading_sdk import CancelOrder, Client, CreateOrder, DecodeError, RequestError


class NotThisOneError(RequestError):
    """The program refuses it."""


def test_what_the_check_raises_ends_the_call_and_nothing_is_sent() -> None:
    transport, seen = ScriptedTransport(), list[Any]()

    def check(model: object) -> None:
        seen.append(type(model))
        if isinstance(model, CancelOrder):
            raise NotThisOneError("no cancels today")

    with Client("http://127.0.0.1:9", signer=KEY, transport=transport, check=check) as client:
        placing, cancel = CreateOrder(**order()), CancelOrder(symbol="BTC", order_id=1)
        calls: list[Callable[[], object]] = [
            lambda: client.orders.batch([placing, cancel]),
            lambda: client.orders.batch(
                [{"type": "Cancel", "data": {"symbol": "BTC", "order_id": 1}}]
            ),
            lambda: client.orders.cancel(symbol="BTC", order_id=1),
        ]
        for call in calls:
            with pytest.raises(NotThisOneError, match="no cancels today"):
                call()
    assert seen == [CreateOrder, CancelOrder, CancelOrder, CancelOrder]
    assert transport.sent == []


def test_no_read_is_looked_at() -> None:
    transport, seen = ScriptedTransport(ok({"data": []})), list[object]()
    with (
        Client("http://127.0.0.1:9", signer=KEY, transport=transport, check=seen.append) as client,
        pytest.raises(DecodeError),
    ):
        client.account.settings()
    assert (seen, len(transport.sent)) == ([], 1)


def test_it_must_be_callable() -> None:
    given: Any = "no"
    with pytest.raises(TypeError, match="check must be callable with a model, not a str"):
        Client("http://127.0.0.1:9", check=given)
