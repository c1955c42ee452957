"""An answer that belongs to another message is never taken for the answer to this one.

spec/vectors/outcome has what a result repeats, ids that come twice or are none, and answers that contradict themselves.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Context, Inexact, localcontext
from typing import Any
from uuid import UUID

import pytest

from tests.doubles.calls import CHANGES, Call, create
from tests.doubles.orders import HERE, market_order, order, stop_order
from tests.doubles.server import Server, answer, answers
from tests.doubles.signer import KEY
from tests.doubles.transport import NOT_SENT, ScriptedTransport, ok, response
from trading_runtime.call import caller
from trading_runtime.call.caller import difference
from trading_runtime.errors import DecodeError, OutcomeUnknownError
from trading_runtime.http.transport import Request, Response
from trading_sdk import Client, CreateMarketOrder, CreateOrder, EditOrder

RECEIPT = {"symbol": "SOL", "batch_nonce": 7, "requested_amount": "1", "fee_amount": "0"}
EDIT: dict[str, Any] = {"symbol": "BTC", "price": "2", "amount": "1", "order_id": 1}
MAKERS: dict[str, Callable[[Client], Any]] = {
    "create": lambda client: client.orders.create(**order()),
    "create_stop": lambda client: client.orders.create_stop(**stop_order()),
    "edit": lambda client: client.orders.edit(**EDIT),
    "create_market": lambda client: client.orders.create_market(**market_order()),
    "batch": lambda client: client.orders.batch([CreateOrder(**order())]),
    "market batch": lambda client: client.orders.batch([CreateMarketOrder(**market_order())]),
    "batch of an edit": lambda client: client.orders.batch([EditOrder(**EDIT)]),
}


def made(*script: Any, then: Any = None, **options: Any) -> Client:
    transport = ScriptedTransport(*script, then=then)
    return Client(HERE, signer=KEY, transport=transport, **options)


def receipt(**other: str) -> dict[str, Any]:
    return {"success": True, "data": {**RECEIPT, **other}}


def results(*ids: int | None) -> dict[str, Any]:
    found = [{"success": True, "order_id": each, "error": None} for each in ids]
    return {"success": True, "data": {"results": found}}


def gives(given: int) -> Callable[[Request], Response]:
    """The same id to everybody."""
    return lambda asked: ok(results(given) if "batch" in asked.url else {"order_id": given})


# -- what a result repeats -------------------------------------------------------------------------


@pytest.mark.parametrize("told", ["1234.5678", "1234.567800"])
def test_an_amount_is_compared_in_full_whatever_the_decimal_context_is(told: str) -> None:
    with (
        made(then=ok(receipt(requested_amount=told))) as client,
        localcontext(Context(prec=3, traps=[Inexact])),
    ):
        client.spot.withdraw(symbol="SOL", amount="1234.5678")
        with pytest.raises(OutcomeUnknownError, match="requested_amount") as caught:
            client.spot.withdraw(symbol="SOL", amount="1234.5679")
    reason = f"requested_amount is '{told}', but '1234.5679' was sent"
    assert isinstance(caught.value.__cause__, DecodeError)
    assert caught.value.__cause__.reason.startswith(reason)
    assert json.loads(caught.value.body or b"") == receipt(requested_amount=told)


class Told:
    """A record with an id, and without some field."""

    id, on, nothing = UUID(int=7), True, None


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"id": str(UUID(int=7)), "on": True, "nothing": "x", "gone": "x"}, None),
        ({}, None),
        ({"id": str(UUID(int=8))}, f"id is '{UUID(int=7)}', but '{UUID(int=8)}' was sent"),
        ({"on": False}, "on is 'True', but 'False' was sent"),
    ],
)
def test_what_is_not_told_or_was_not_sent_is_no_difference(
    sent: dict[str, Any], reason: str | None
) -> None:
    echoes = {name: name for name in ("id", "on", "nothing", "gone")}

    assert difference(echoes, sent, Told()) == reason


# -- ids that were given before --------------------------------------------------------------------


@pytest.mark.parametrize("second", MAKERS)
def test_an_order_id_of_another_message_is_no_new_order(second: str) -> None:
    with made(then=gives(5)) as client:
        create(client)
        with pytest.raises(OutcomeUnknownError, match="order_id 5 was given to another mess") as e:
            MAKERS[second](client)
    assert isinstance(e.value.__cause__, DecodeError)
    assert "a mock server that" in str(e.value)


def test_an_order_id_below_1_is_no_new_order() -> None:
    says = "order_id 0 is no id: ids begin at 1"
    with made(then=gives(0)) as client, pytest.raises(OutcomeUnknownError, match=says):
        create(client)


def test_two_actions_of_a_batch_have_two_order_ids() -> None:
    with made(ok(results(5, 5))) as client, pytest.raises(OutcomeUnknownError, match="order_id 5"):
        client.orders.batch([CreateOrder(**order()), CreateOrder(**order())])


def test_another_client_may_be_told_the_same_id() -> None:
    for _ in range(2):
        with made(gives(5)) as client:
            create(client)


def test_a_client_that_signs_the_time_of_the_service_remembers_ids_too() -> None:
    date = "Sun, 22 Nov 2026 08:00:00 GMT"
    read, told = response(200, {"data": {}}, Date=date), response(200, {"order_id": 5}, Date=date)
    with made(read, told, told, clock="server") as client:
        create(client)
        with pytest.raises(OutcomeUnknownError, match="order_id 5"):
            create(client)


def test_an_attempt_that_follows_one_that_was_not_sent_is_the_same_message() -> None:
    with made(NOT_SENT, then=gives(5)) as client:
        create(client)
        with pytest.raises(OutcomeUnknownError, match="order_id 5"):
            create(client)


def test_the_latest_ids_are_remembered_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert caller.MAX_ISSUED == 10_000
    monkeypatch.setattr(caller, "MAX_ISSUED", most := 9)
    ids = iter([*range(1, most + 2), 1, 3])
    with made(then=lambda _: ok({"order_id": next(ids)})) as client:
        for _ in range(most + 1):
            MAKERS["edit"](client)
        # The oldest is forgotten, and given again; then so is the next, but not the third.
        MAKERS["edit"](client)
        with pytest.raises(OutcomeUnknownError, match="order_id 3 "):
            MAKERS["edit"](client)
        assert len(client._caller.issued) == most


def test_of_threads_that_are_told_the_same_id_one_believes_it() -> None:
    def told(_: int) -> bool:
        try:
            create(client)
        except OutcomeUnknownError:
            return False
        return True

    with made(then=gives(5)) as client, ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(told, range(40))) == 1


# -- afterwards ------------------------------------------------------------------------------------


def test_the_answer_that_still_comes_answers_nobody() -> None:
    """The surplus answer put the connection one answer behind, so it is not used again."""
    mine = answers(*(answer(json.dumps(receipt(symbol=each)).encode()) for each in ("BTC", "SOL")))
    good = answers(answer(json.dumps(receipt()).encode()))
    with Server(mine, good) as server, Client(server.url, signer=KEY) as client:
        with pytest.raises(OutcomeUnknownError):
            client.spot.withdraw(symbol="SOL", amount="1.0")
        client.spot.withdraw(symbol="SOL", amount="1.0")
    assert server.connections == 2


@pytest.mark.parametrize("change", CHANGES)
def test_an_answer_that_cannot_be_read_may_be_that_of_another(change: Call) -> None:
    wrong = answers(answer(b'{"next":1}'), answer(b'{"next":1}'))
    with Server(wrong, wrong) as server, Client(server.url, signer=KEY) as client:
        for _ in range(2):
            with pytest.raises(OutcomeUnknownError):
                change(client)
    assert server.connections == 2
