"""An answer that belongs to another message is never taken for the answer to this one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Context, Inexact, localcontext
from typing import Any
from uuid import UUID

import pytest

from tests.doubles.calls import CHANGES, create
from tests.doubles.server import Received, Server, answer, answers
from tests.doubles.signer import KEY
from tests.doubles.transport import NOT_SENT, response
from tests.runtime.attempts import ORDER, Scripted
from trading_runtime.call.exchange import MAX_ISSUED
from trading_runtime.codec.echo import difference
from trading_runtime.errors import DecodeError, OutcomeUnknownError
from trading_runtime.http.transport import Response
from trading_sdk import (
    BadRequestError,
    CancelOrder,
    Client,
    CreateMarketOrder,
    CreateOrder,
    EditOrder,
)

RECEIPT = {"symbol": "SOL", "batch_nonce": 7, "requested_amount": "1", "fee_amount": "0"}
EVENT = {"amount": "1", "balance": "2", "symbol": "SOL", "event_type": "x", "created_at": 1}
MARKET: dict[str, Any] = {
    **{name: ORDER[name] for name in ("symbol", "side", "amount", "reduce_only")},
    "slippage_percent": "1",
}
STOP: dict[str, Any] = {
    **{name: ORDER[name] for name in ("symbol", "side", "reduce_only")},
    "stop_order": {"stop_price": "2"},
}
EDIT: dict[str, Any] = {"symbol": "BTC", "price": "2", "amount": "1", "order_id": 1}


@pytest.fixture
def service() -> Iterator[Server]:
    with Server() as recorder:
        yield recorder


@pytest.fixture
def client(service: Server) -> Iterator[Client]:
    with Client(service.url, signer=KEY) as client:
        yield client


def withdraw(client: Client, symbol: str = "SOL", amount: Any = "1.0") -> object:
    return client.spot.withdraw(symbol=symbol, amount=amount)


def receipt(**other: str) -> dict[str, Any]:
    return {"success": True, "data": {**RECEIPT, **other}}


def results(*ids: int | None) -> dict[str, Any]:
    found = [{"success": True, "order_id": each, "error": None} for each in ids]
    return {"success": True, "data": {"results": found}}


# -- what a result repeats ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"symbol": "BTC"}, "symbol is 'BTC', but 'SOL' was sent"),
        ({"symbol": "sol"}, "symbol is 'sol', but 'SOL' was sent"),
        ({"requested_amount": "9"}, "requested_amount is '9', but '1.0' was sent"),
        ({"requested_amount": "1.0000000001"}, "requested_amount is '1.0000000001', but '1.0' was"),
    ],
)
def test_a_receipt_for_another_withdrawal_confirms_none(
    client: Client, service: Server, other: dict[str, str], reason: str
) -> None:
    service.will_answer(receipt(**other))

    with pytest.raises(OutcomeUnknownError, match=reason) as caught:
        withdraw(client)

    assert len(service.taken()) == 1
    assert isinstance(caught.value.__cause__, DecodeError)
    assert caught.value.__cause__.reason.startswith(reason)
    assert json.loads(caught.value.body or b"") == receipt(**other)


@pytest.mark.parametrize("told", ["1", "1.0", "1.000"])
def test_an_amount_is_repeated_as_a_number_whatever_the_decimal_context_is(
    client: Client, service: Server, told: str
) -> None:
    service.will_answer(receipt(requested_amount=told))

    with localcontext(Context(prec=1, traps=[Inexact])):
        withdraw(client)


def test_an_amount_of_more_digits_than_the_decimal_context_has_is_compared_in_full(
    client: Client, service: Server
) -> None:
    service.will_answer(receipt(requested_amount="1234.5678"))

    with localcontext(Context(prec=3, traps=[Inexact])):
        withdraw(client, amount="1234.5678")
        with pytest.raises(OutcomeUnknownError, match="requested_amount"):
            withdraw(client, amount="1234.5679")


def test_a_list_of_another_symbol_is_not_read(client: Client, service: Server) -> None:
    mixed = [EVENT, {**EVENT, "symbol": "BTC"}]
    service.will_answer({"success": True, "data": mixed, "next_cursor": None, "has_more": False})

    assert len(list(client.spot.balance_history())) == 2
    with pytest.raises(DecodeError, match="symbol is 'BTC', but 'SOL' was sent"):
        list(client.spot.balance_history(symbol="SOL"))
    assert len(service.taken()) == 2


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


# -- ids that were given before ----------------------------------------------------------------

MAKERS: dict[str, Callable[[Client], Any]] = {
    "create": lambda client: client.orders.create(**ORDER),
    "create_stop": lambda client: client.orders.create_stop(**STOP),
    "edit": lambda client: client.orders.edit(**EDIT),
    "create_market": lambda client: client.orders.create_market(**MARKET),
    "batch": lambda client: client.orders.batch([CreateOrder(**ORDER)]),
    "batch of a market order": lambda client: client.orders.batch([CreateMarketOrder(**MARKET)]),
    "batch of an edit": lambda client: client.orders.batch([EditOrder(**EDIT)]),
}


def number(request: Received, given: int = 5) -> Response:
    """The same id to everybody."""
    told = results(given) if "batch" in request.path else {"order_id": given}
    return response(200, json.dumps(told).encode())


@pytest.mark.parametrize("second", MAKERS)
@pytest.mark.parametrize("first", ["create", "create_market"])
def test_an_order_id_of_another_message_is_no_new_order(
    client: Client, service: Server, first: str, second: str
) -> None:
    service.respond = number

    MAKERS[first](client)
    with pytest.raises(OutcomeUnknownError, match="order_id 5 was given to another message") as e:
        MAKERS[second](client)

    assert isinstance(e.value.__cause__, DecodeError)
    assert len(service.taken()) == 2


def test_the_error_names_a_mock_server_that_does_not_count(client: Client, service: Server) -> None:
    service.respond = number
    MAKERS["create"](client)

    with pytest.raises(
        OutcomeUnknownError, match=r"a mock server that .* same order_id .*: let it"
    ):
        MAKERS["create"](client)


@pytest.mark.parametrize("given", [0, -1])
@pytest.mark.parametrize("make", MAKERS)
def test_an_order_id_below_1_is_no_new_order(
    client: Client, service: Server, make: str, given: int
) -> None:
    service.respond = lambda request: number(request, given)

    with pytest.raises(OutcomeUnknownError, match=f"order_id {given} is no id: ids begin at 1"):
        MAKERS[make](client)


def test_two_actions_of_a_batch_have_two_order_ids(client: Client, service: Server) -> None:
    service.will_answer(results(5, 5))

    with pytest.raises(OutcomeUnknownError, match="order_id 5"):
        client.orders.batch([CreateOrder(**ORDER), CreateOrder(**ORDER)])


def test_an_order_id_counts_where_it_is_new_only(client: Client, service: Server) -> None:
    service.respond = number
    cancel = CancelOrder(symbol="BTC", order_id=5)
    MAKERS["create"](client)

    client.orders.batch([cancel])
    client.orders.cancel(symbol="BTC", order_id=5)
    service.will_answer(results(None))
    client.orders.batch([CreateOrder(**ORDER)])
    failed = {"success": False, "order_id": 5, "error": "order 5 cannot be cancelled"}
    service.will_answer({"success": True, "data": {"results": [failed]}})
    assert not client.orders.batch([cancel])[0].success


FAILED: dict[str, Any] = {"success": False, "error": "late"}


@pytest.mark.parametrize(
    "failed",
    [
        {**FAILED, "order_id": 77},
        {**FAILED, "order_ids": [77]},
        {**FAILED, "data": {"order_id": 77}},
        {**FAILED, "data": {"success": True}},
    ],
)
def test_a_failed_action_that_brings_a_new_id_leaves_its_batch_unknown(
    client: Client, service: Server, failed: dict[str, Any]
) -> None:
    other = {"success": True, "order_id": 5}
    two = [CreateOrder(**{**ORDER, "client_order_id": UUID(int=n)}) for n in (1, 2)]
    for told, send in (
        ([failed], lambda: client.orders.create_market(**MARKET)),
        ([failed], lambda: client.orders.batch([CreateOrder(**ORDER)])),
        ([other, failed], lambda: client.orders.batch(two)),
    ):
        service.will_answer({"success": True, "data": {"results": told}})
        with pytest.raises(
            OutcomeUnknownError,
            match="but also success, a result or a state",
        ):
            send()


def test_a_failed_action_may_say_that_it_has_no_new_id(client: Client, service: Server) -> None:
    service.will_answer({"success": True, "data": {"results": [{**FAILED, "order_id": None}]}})
    with pytest.raises(BadRequestError, match="late"):
        client.orders.create_market(**MARKET)


def test_another_client_may_be_told_the_same_id(service: Server) -> None:
    service.respond = number
    for _ in range(2):
        with Client(service.url, signer=KEY) as client:
            MAKERS["create"](client)


def test_a_client_that_signs_the_time_of_the_service_remembers_ids_too() -> None:
    date = {"Date": "Sun, 22 Nov 2026 08:00:00 GMT"}
    read, told = Response(200, date, b'{"data":{}}'), Response(200, date, b'{"order_id":5}')

    with Client(
        "http://127.0.0.1:1", signer=KEY, clock="server", transport=Scripted(read, told, told)
    ) as client:
        create(client)
        with pytest.raises(OutcomeUnknownError, match="order_id 5"):
            create(client)


def test_an_attempt_that_follows_one_that_was_not_sent_is_the_same_message() -> None:
    told = Response(200, {}, b'{"order_id":5}')
    transport = Scripted(NOT_SENT, told, told)

    with Client("http://127.0.0.1:1", signer=KEY, transport=transport) as client:
        create(client)
        with pytest.raises(OutcomeUnknownError, match="order_id 5"):
            create(client)

    assert len(transport.sent) == 3


def test_the_latest_ids_are_remembered_and_no_more() -> None:
    class Counting(Scripted):
        def send(self, request: Any, *, timeout: float) -> Response:
            return Response(200, {}, b'{"order_id":%d}' % next(ids))

    ids = iter([*range(1, MAX_ISSUED + 2), 1, 3])
    with Client("http://127.0.0.1:1", signer=KEY, transport=Counting()) as client:
        for _ in range(MAX_ISSUED + 1):
            MAKERS["edit"](client)
        # The oldest is forgotten, and given again; then so is the next, but not the third.
        MAKERS["edit"](client)
        with pytest.raises(OutcomeUnknownError, match="order_id 3 "):
            MAKERS["edit"](client)
        assert len(client._caller.issued) == MAX_ISSUED


def test_of_threads_that_are_told_the_same_id_one_believes_it(
    client: Client, service: Server
) -> None:
    service.respond = number

    def told(_: int) -> bool:
        try:
            create(client)
        except OutcomeUnknownError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(told, range(40))) == 1


# -- afterwards --------------------------------------------------------------------------------


def test_the_answer_that_still_comes_answers_nobody() -> None:
    """The surplus answer put the connection one answer behind, so it is not used again."""
    mine = answers(*(answer(json.dumps(receipt(symbol=each)).encode()) for each in ("BTC", "SOL")))
    good = answers(answer(json.dumps(receipt()).encode()))
    with Server(mine, good) as server, Client(server.url, signer=KEY) as client:
        with pytest.raises(OutcomeUnknownError):
            withdraw(client)
        withdraw(client)
    assert server.connections == 2


@pytest.mark.parametrize("change", CHANGES)
def test_an_answer_that_cannot_be_read_may_be_that_of_another(
    change: Callable[[Client], object],
) -> None:
    wrong = answers(answer(b'{"next":1}'), answer(b'{"next":1}'))
    with Server(wrong, wrong) as server, Client(server.url, signer=KEY) as client:
        for _ in range(2):
            with pytest.raises(OutcomeUnknownError):
                change(client)
    assert server.connections == 2


LATE: dict[str, Any] = {"success": False, "error": "gateway timeout", "code": 504}


def test_an_action_that_a_gateway_refused_leaves_its_batch_unknown(
    client: Client, service: Server
) -> None:
    other = {"success": True, "order_id": 5}
    two = [CreateOrder(**{**ORDER, "client_order_id": UUID(int=n)}) for n in (1, 2)]
    for told, send, says in (
        ([LATE], lambda: client.orders.create_market(**MARKET), "gateway timeout"),
        ([LATE], lambda: client.orders.batch([CreateOrder(**ORDER)]), "gateway timeout"),
        ([other, LATE], lambda: client.orders.batch(two), r"actions\[1\]: gateway timeout"),
    ):
        service.will_answer({"success": True, "data": {"results": told}})
        with pytest.raises(OutcomeUnknownError, match=rf"200 \(code 504\): {says}") as caught:
            send()
        assert isinstance(caught.value.__cause__, BadRequestError)


@pytest.mark.parametrize(
    ("around", "says"),
    [
        ({"error": "late", "code": 504}, "its code is none of a refusal"),
        ({"error": "late", "state": "sent"}, "a result or a state"),
    ],
)
def test_a_batch_that_a_gateway_calls_a_failure_is_unknown(
    client: Client, service: Server, around: dict[str, Any], says: str
) -> None:
    for envelope in ({"data": {"results": [FAILED]}}, {"results": [FAILED]}):
        service.will_answer({"success": False, **around, **envelope})
        with pytest.raises(OutcomeUnknownError, match=says):
            client.orders.batch([CreateOrder(**ORDER)])


@pytest.mark.parametrize(
    ("around", "inside"),
    [
        ({"code": 504}, {}),
        ({"code": "E_LATE"}, {}),
        ({"code": [1]}, {}),
        ({"status": "queued"}, {}),
        ({}, {"code": 504}),
        ({}, {"state": "queued"}),
        ({}, {"order_id": 7}),
    ],
)
def test_words_around_a_failed_action_are_those_of_a_plain_answer(
    client: Client, service: Server, around: dict[str, Any], inside: dict[str, Any]
) -> None:
    service.will_answer({"success": True, **around, "data": {"results": [FAILED], **inside}})
    for send in (
        lambda: client.orders.create_market(**MARKET),
        lambda: client.orders.batch([CreateOrder(**ORDER)]),
    ):
        with pytest.raises(OutcomeUnknownError):
            send()

    service.will_answer({"success": True, **around, "results": [FAILED], **inside})
    with pytest.raises(OutcomeUnknownError):
        client.orders.create_market(**MARKET)


def test_an_envelope_of_success_around_a_failed_action_is_plain_on_both_levels(
    client: Client, service: Server
) -> None:
    plain = {"success": True, "error": "", "code": None, "message": "done", "request_id": "r-1"}
    service.will_answer({**plain, "data": {"success": True, "results": [FAILED]}})
    with pytest.raises(BadRequestError):
        client.orders.create_market(**MARKET)


def test_the_code_of_a_refused_action_is_told(client: Client, service: Server) -> None:
    service.will_answer({"success": True, "data": {"results": [{**FAILED, "code": 5}]}})
    with pytest.raises(BadRequestError) as caught:
        client.orders.create_market(**MARKET)
    assert caught.value.code == 5

    failed = [{**FAILED, "code": 0}, {"success": True, "order_id": 9}]
    service.will_answer({"success": False, "code": 400, "data": {"results": failed}})
    two = [CreateOrder(**{**ORDER, "client_order_id": UUID(int=n)}) for n in (3, 4)]
    assert client.orders.batch(two).codes == (0, None)
