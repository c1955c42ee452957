"""`Client(check=...)`: a program looks at each change before it is signed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.doubles.orders import order
from tests.doubles.signer import KEY
from tests.doubles.transport import ScriptedTransport, ok
from trading_sdk import CancelOrder, Client, CreateOrder, RequestError


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
        as_on_the_wire: Any = {"type": "Cancel", "data": {"symbol": "BTC", "order_id": 1}}
        for action in (cancel, as_on_the_wire):
            with pytest.raises(
                NotThisOneError, match=r"^orders\.batch: action 1: no cancels today$"
            ):
                client.orders.batch([placing, action])
        with pytest.raises(NotThisOneError, match=r"^no cancels today$"):
            client.orders.cancel(symbol="BTC", order_id=1)
    assert seen == [CreateOrder, CancelOrder, CreateOrder, CancelOrder, CancelOrder]
    assert transport.sent == []


def test_no_read_is_looked_at() -> None:
    transport, seen = ScriptedTransport(then=ok({"success": True, "data": {}})), list[object]()
    with Client("http://127.0.0.1:9", signer=KEY, transport=transport, check=seen.append) as client:
        client.account.settings()
        client.api_keys.list()
    assert (seen, len(transport.sent), len(transport.posts)) == ([], 2, 1)
