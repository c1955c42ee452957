"""Outcome cases of a client whose user promises that no id is given to two messages (`unique_ids`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.interface import samples
from tests.spec.vector_cases_base import Case
from tests.spec.vector_cases_encode import LIMIT, client
from tests.spec.vector_cases_play import (
    BATCH,
    CREATE,
    ID,
    MARKET,
    SECOND_ID,
    WITHDRAW,
    error,
    placed,
    play_case,
    unknown,
)

_MINE = samples.ID_C
_MAYBE, _NOT_SENT = {"fault": "maybe_sent"}, {"fault": "not_sent"}
_REFUSED = error("request")
_LOST = unknown(None, None, [_MINE])


def _order(id_: str | None = _MINE, **more: Any) -> dict[str, Any]:
    return {**CREATE, "arguments": {**LIMIT, "client_order_id": id_, **more}}


def _batch(*ids: str) -> dict[str, Any]:
    actions = [{"type": "Create", "arguments": _order(each)["arguments"]} for each in ids]
    return {**BATCH, "arguments": {"actions": actions}}


def _results(*results: Mapping[str, Any]) -> dict[str, Any]:
    return {"status": 200, "json": {"success": True, "data": {"results": list(results)}}}


def _told(number: int) -> dict[str, Any]:
    return {"result": {"order_id": number}}


def _refusal(status: int, message: str = "no") -> dict[str, Any]:
    return {"status": status, "json": {"error": message, "code": status}}


def _promised(
    name: str,
    description: str,
    answers: Sequence[Mapping[str, Any]],
    calls: Sequence[Mapping[str, Any]],
    outcomes: Sequence[Mapping[str, Any]],
    *features: str,
    requests: int,
) -> Case:
    return play_case(
        f"unique-id-{name}",
        "outcome-unique-ids",
        description,
        answers,
        calls,
        outcomes,
        "unique-ids",
        *features,
        given={"client": client(unique_ids=True)},
        requests=requests,
    )


_STOP: dict[str, Any] = {
    "operation": "orders.create_stop",
    "arguments": {
        "symbol": "BTC",
        "side": "bid",
        "reduce_only": False,
        "stop_order": {"stop_price": "110000", "amount": "0.10", "client_order_id": _MINE},
    },
}
_CANCEL = {
    "operation": "orders.cancel",
    "arguments": {"symbol": "BTC", "client_order_id": _MINE},
}
_WITHDRAWAL: dict[str, Any] = {"symbol": "SOL", "amount": "1.5", "idempotency_key": _MINE}
_KEYED = {**WITHDRAW, "arguments": _WITHDRAWAL}
_MARKET = {**MARKET, "arguments": {**samples.MARKET, "client_order_id": _MINE}}
_FAILED = {"success": False, "error": "no"}

CASES: tuple[Case, ...] = (
    _promised("of-an-order", "The id of an order that was executed is refused for another one.", [placed(7)], [_order(), _order()], [_told(7), _REFUSED], requests=1),
    _promised("of-a-lost-order", "So is that of one that may have been executed.", [_MAYBE], [_order(), _order()], [_LOST, _REFUSED], requests=1),
    _promised("of-other-kinds", "Whatever the kinds of the two messages.", [_MAYBE], [_STOP, _order(), _MARKET], [_LOST, _REFUSED, _REFUSED], requests=1),
    _promised("in-capitals", "In capitals it is the same id.", [placed(7)], [_order(), _order(_MINE.upper())], [_told(7), _REFUSED], requests=1),
    _promised("made", "An id that the SDK made, which its error tells, is no new one.", [_MAYBE], [CREATE, _order(ID)], [unknown(None, None, [ID]), _REFUSED], requests=1),
    _promised("of-none", "Orders without ids have none in common.", [placed(7), placed(8)], [_order(None), _order(None)], [_told(7), _told(8)], requests=2),
    _promised("not-sent", "An order that was not sent frees its id.", [_NOT_SENT] * 3 + [placed(7)], [_order(), _order(), _order()], [error("not_sent"), _told(7), _REFUSED], "not-sent", requests=4),
    _promised("not-signed", "So does one that cannot be signed.", [placed(7)], [_order(symbol="B\u00e4r"), _order()], [{"error": {"class": "signing"}}, _told(7)], requests=1),
    _promised("refused", "So does one that the service refused.", [_refusal(400), placed(7)], [_order(), _order()], [error("api", status=400), _told(7)], requests=2),
    _promised("duplicate", "A 409 does not: it may speak of the id.", [_refusal(409)], [_order(), _order()], [error("api", status=409), _REFUSED], requests=1),
    _promised("of-a-failed-action", "An action that failed frees its id, and the others keep theirs.", [_results(_FAILED, {"success": True, "order_id": 7}), placed(8)], [_batch(_MINE, SECOND_ID), _order(), _order(SECOND_ID)], [{"result": [_FAILED, {"success": True, "order_id": 7}]}, _told(8), _REFUSED], requests=2),
    _promised("of-an-action-alone", "An action that is sent alone and fails frees its id, too.", [_results(_FAILED), placed(7)], [_MARKET, _order()], [error("api", status=200), _told(7)], requests=2),
    _promised("in-a-batch", "One id refuses the whole batch, whose other ids stay free.", [placed(7), placed(8)], [_order(), _batch(SECOND_ID, _MINE), _order(SECOND_ID)], [_told(7), _REFUSED, _told(8)], requests=2),
    _promised("of-a-lost-batch", "Of a batch without an answer no id is free.", [_MAYBE], [_batch(SECOND_ID, _MINE), _order(), _order(SECOND_ID)], [unknown(None, None, [SECOND_ID, _MINE]), _REFUSED, _REFUSED], requests=1),
    _promised("named", "A cancel names the order by its id, as often as you like.", [placed(7), _results({"success": True}), _results({"success": True})], [_order(), _CANCEL, _CANCEL], [_told(7), {"result": {"success": True}}, {"result": {"success": True}}], requests=3),
    _promised("of-withdrawals", "The key of a withdrawal is there to be used again.", [_MAYBE, _MAYBE], [_KEYED, _KEYED], [_LOST, _LOST], requests=2),
    play_case("unique-id-not-promised", "outcome-unique-ids", "Without the promise an id may come again.", [placed(7), placed(8)], [_order(), _order()], [_told(7), _told(8)], requests=2),
)  # fmt: skip
