"""Scenarios that reconcile: an answer is lost at the sandbox, and the histories tell what became of the message."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tests.spec.vector_cases_base import Case
from tests.spec.vector_cases_scenarios import (
    ANY,
    MARKET,
    ORDER,
    PLACED,
    Step,
    account,
    call,
    control,
    fails,
    left,
    opened,
    ref,
    scenario,
)
from tests.spec.vector_cases_settle import own_id

DONE, NOT, OPEN = "executed", "not executed", "unsettled"
QUICK: dict[str, Any] = {
    "expiry_window": 1_000,
    "history_lag": {"$float": "0.2"},
    "timeout": {"$float": "5"},
}
"""Options with which absence is told within seconds."""
RECORD = {"symbol": "BTC", "initial_price": "90000", "amount": "0.01"}
WITHDRAW: dict[str, Any] = {"symbol": "SOL", "amount": "1.5"}


def lost(operation: str, keep: str = "lost", **arguments: Any) -> dict[str, Any]:
    """A call whose outcome is unknown afterwards."""
    return {
        "call": operation,
        "client": "a",
        "arguments": arguments,
        "as": keep,
        "keep": keep,
        "expect": {"error": {"class": "outcome_unknown"}},
    }


def reset(operation: str, **more: Any) -> dict[str, Any]:
    """The connection is reset when the request was read, and executed unless told."""
    return control("faults.inject", operation=operation, kind="reset", **more)


_LATE = {"success": False, "error": "gateway timeout", "code": 504}


def late(*results: Any, executed: bool) -> dict[str, Any]:
    """A batch whose answer has these results, the last of which a gateway made."""
    body = json.dumps({"success": True, "data": {"results": [*results, _LATE]}})
    told = {"kind": "status", "status": 200, "body": body, "executed": executed}
    return control("faults.inject", operation="orders.batch", **told)


def settled(
    *states: tuple[str, Sequence[Any]], client: str = "a", error: Any = "lost"
) -> dict[str, Any]:
    """What `reconcile` says of each message."""
    told = [{"state": state, "records": list(records)} for state, records in states]
    return {"reconcile": error, "client": client, "timeout": 20, "expect": {"result": told}}


def _story(
    name: str, rule: str, words: str, *steps: Step, features: Sequence[str] = (), **options: Any
) -> Case:
    first = [account(), opened(**{**QUICK, **options})]
    return scenario("reconciles", name, rule, words, [*first, *steps], *features)


_PROMISED: dict[str, Any] = {"unique_ids": True, "features": ["unique-ids"]}
_PLACED = {**call("orders.create", PLACED, **ORDER), "as": "placed"}
_NUMBER = ref("placed.order_id")
_FREED = {**ORDER, "client_order_id": own_id("an order that is sent again with its id")}
_SAME_ID: dict[str, Any] = {"type": "Create", "arguments": _FREED}
ORDERS = (
    _story("lost-order-executed", "reconcile-orders", "An order was executed, and its answer lost.", reset("orders.create"), lost("orders.create", **ORDER), settled((DONE, [RECORD])), call("orders.history", [RECORD])),
    _story("lost-order-not-executed", "reconcile-orders", "An order never arrived: it is not executed once it can be accepted no longer.", reset("orders.create", executed=False), lost("orders.create", **ORDER), settled((NOT, [])), call("orders.history", [])),
    _story("lost-order-refused", "reconcile-orders", "An order was refused, and the refusal lost.", reset("orders.create"), lost("orders.create", **{**ORDER, "price": "90000.5"}), settled((NOT, [])), call("orders.history", [])),
    _story("lost-order-given-id", "reconcile-orders", "An id that the caller gave settles nothing.", reset("orders.create"), lost("orders.create", **ORDER, client_order_id=own_id("a lost order with an id")), settled((OPEN, [RECORD]))),
    _story("lost-order-unique-id", "reconcile-orders", "Unless the caller promises to use none twice.", reset("orders.create"), lost("orders.create", **ORDER, client_order_id=own_id("a lost order with a promised id")), settled((DONE, [RECORD])), **_PROMISED),
    _story("lost-order-unique-id-not-executed", "reconcile-orders", "What was not executed frees its id. The order that is placed with it then keeps it, and is not taken for the first one.", reset("orders.create", executed=False), lost("orders.create", **_FREED), settled((NOT, [])), call("orders.create", PLACED, **_FREED), fails("orders.create", {"class": "request"}, **_FREED), settled((OPEN, [RECORD])), **_PROMISED),
    _story("lost-order-without-id", "reconcile-orders", "An order without an id cannot be told from others.", reset("orders.create"), lost("orders.create", **ORDER, client_order_id=None), settled((OPEN, []))),
    _story("lost-stop-order", "reconcile-orders", "A stop order.", reset("orders.create_stop"), lost("orders.create_stop", symbol="BTC", side="bid", reduce_only=False, stop_order={"stop_price": "110000", "amount": "0.01"}), settled((DONE, [{"order_type": "stop_market"}]))),
    _story("lost-market-order", "reconcile-orders", "A market order, which only a batch has.", reset("orders.batch"), lost("orders.create_market", **MARKET), settled((DONE, [{"order_type": "market"}]))),
    _story("lost-cancel", "reconcile-orders", "A cancel.", _PLACED, reset("orders.batch"), lost("orders.cancel", symbol="BTC", order_id=_NUMBER), settled((DONE, [{"order_status": "cancelled"}]))),
    _story("lost-cancel-not-executed", "reconcile-orders", "A cancel that never arrived.", _PLACED, reset("orders.batch", executed=False), lost("orders.cancel", symbol="BTC", order_id=_NUMBER), settled((NOT, [{"order_status": "open"}]))),
    _story("lost-edit", "reconcile-orders", "An edit.", _PLACED, reset("orders.edit"), lost("orders.edit", symbol="BTC", order_id=_NUMBER, price="90001", amount="0.02"), settled((DONE, [{"initial_price": "90001"}]))),
    _story("lost-batch", "reconcile-orders", "A batch, action by action.", _PLACED, reset("orders.batch"), lost("orders.batch", actions=[{"type": "Create", "arguments": ORDER}, {"type": "Cancel", "arguments": {"symbol": "BTC", "order_id": _NUMBER}}]), settled((DONE, [RECORD]), (DONE, [{"order_status": "cancelled"}]))),
    _story("lost-batch-shared-id", "reconcile-orders", "Two orders have one id, and a cancel of it stands between them: nothing tells which one was executed.", reset("orders.batch"), lost("orders.batch", actions=[_SAME_ID, {"type": "Cancel", "arguments": {"symbol": "BTC", "client_order_id": _FREED["client_order_id"]}}, _SAME_ID, {"type": "Create", "arguments": ORDER}]), settled((OPEN, []), (OPEN, []), (OPEN, []), (DONE, [RECORD])), call("orders.history", [RECORD, ANY, ANY])),
    _story("shared-id-promised", "reconcile-orders", "With the promise of unique ids it is refused.", fails("orders.batch", {"class": "request"}, actions=[_SAME_ID, {"type": "Cancel", "arguments": {"symbol": "BTC", "client_order_id": _FREED["client_order_id"]}}, _SAME_ID]), call("orders.history", []), **_PROMISED),
    _story("late-market-order", "reconcile-orders", "A market order was executed, and a gateway refused it.", late(executed=True), lost("orders.create_market", **MARKET), settled((DONE, [{"order_type": "market"}]))),
    _story("late-market-order-not-executed", "reconcile-orders", "It was not executed, and a gateway refused it.", late(executed=False), lost("orders.create_market", **MARKET), settled((NOT, []))),
    _story("late-action-of-a-batch", "reconcile-orders", "A gateway refused one action of a batch, all of which was executed.", _PLACED, late({"success": True, "order_id": 4711}, executed=True), lost("orders.batch", actions=[{"type": "Create", "arguments": ORDER}, {"type": "Cancel", "arguments": {"symbol": "BTC", "order_id": _NUMBER}}]), settled((DONE, [RECORD]), (DONE, [{"order_status": "cancelled"}]))),
    _story("lost-answer-read-by-another", "reconcile-written", "Another client settles it from what was written down.", reset("orders.create"), lost("orders.create", **ORDER), opened("b", **QUICK), settled((DONE, [RECORD]), client="b", error={"json": ref("lost.json")})),
    _story("lost-answer-of-another-account", "reconcile-written", "A client of another account does not.", reset("orders.create"), lost("orders.create", **ORDER), account("other"), opened("b", "other"), {"reconcile": {"json": ref("lost.json")}, "client": "b", "timeout": 1, "expect": {"error": {"class": "request"}}}),
    _story("refusal-settled", "reconcile-refused", "What was refused was not executed.", {**lost("orders.create", **{**ORDER, "price": "90000.5"}), "expect": {"error": {"class": "api", "status": 400}}}, settled((NOT, []))),
    _story("refusal-of-a-read", "reconcile-refused", "A read changed nothing: there is nothing to settle.", control("faults.inject", operation="account.settings", kind="status", status=400), {**lost("account.settings"), "expect": {"error": {"class": "api", "status": 400}}}, {"reconcile": "lost", "client": "a", "timeout": 1, "expect": {"error": {"class": "request"}}}),
)  # fmt: skip


def resent(
    state: str, records: Sequence[Any] = (), client: str = "a", error: Any = "lost"
) -> dict[str, Any]:
    """The message is sent again under its key."""
    told = {"operation": "spot.withdraw", "state": state, "records": list(records)}
    return {"resend": error, "client": client, "expect": {"result": told}}


_RECEIPT = {"symbol": "SOL", "requested_amount": "1.5"}
MONEY = (
    _story("lost-withdrawal", "reconcile-withdrawals", "No list shows the key of a withdrawal.", reset("spot.withdraw"), lost("spot.withdraw", **WITHDRAW), settled((OPEN, [{"symbol": "SOL", "amount": "1.5"}, {"symbol": "SOL", "amount": "-1.5"}])), left(spot={"SOL": "3.5"})),
    _story("resent-executed", "reconcile-resend", "It was executed: sent again it is not executed twice, and is known to be executed.", reset("spot.withdraw"), lost("spot.withdraw", **WITHDRAW), resent(DONE), left(spot={"SOL": "3.5"}), features=["resend"]),
    _story("resent-not-executed", "reconcile-resend", "It was not: now it is, once.", reset("spot.withdraw", executed=False), lost("spot.withdraw", **WITHDRAW), resent(DONE, [_RECEIPT]), resent(DONE), left(spot={"SOL": "3.5"}), features=["resend"]),
    _story("resent-given-key", "reconcile-resend", "A key that the caller gave may be another message's.", reset("spot.withdraw"), lost("spot.withdraw", **WITHDRAW, idempotency_key=own_id("a lost withdrawal with a key")), resent(OPEN), left(spot={"SOL": "3.5"}), features=["resend"]),
    _story("resent-refused", "reconcile-resend", "What was refused is not sent again.", {**lost("spot.withdraw", symbol="SOL", amount="1000"), "expect": {"error": {"class": "api", "status": 400}}}, {"resend": "lost", "client": "a", "expect": {"error": {"class": "request"}}}, features=["resend"]),
    _story("resent-order", "reconcile-resend", "An order has no idempotency key.", reset("orders.create"), lost("orders.create", **ORDER), {"resend": "lost", "client": "a", "expect": {"error": {"class": "request"}}}, call("orders.history", [RECORD]), features=["resend"]),
    _story("lost-transfer", "reconcile-unlisted", "No list shows a transfer.", control("create_subaccount", "sub", main=ref("trader.address")), reset("subaccounts.transfer"), lost("subaccounts.transfer", to_account=ref("sub.address"), amount="100"), settled((OPEN, [])), left("sub", balance="100")),
)  # fmt: skip

_JOURNAL: dict[str, Any] = {"journal": ref("journal"), "features": ["journal"]}


def entries(*operations: str, client: str = "a") -> dict[str, Any]:
    """The open entries of a journal."""
    told = [{"operation": each, "json": ANY} for each in operations]
    return {"unsettled": client, "as": "entries", "expect": {"result": told}}


_AGAIN = [{"close": "a"}, opened("b", **QUICK, journal=ref("journal"))]
JOURNALS = (
    _story("journal-empty", "reconcile-journal", "What was answered leaves no entry.", call("orders.create", PLACED, **ORDER), entries(), **_JOURNAL),
    _story("journal-refused", "reconcile-journal", "Nor does what was refused.", {**lost("orders.create", **{**ORDER, "price": "90000.5"}), "expect": {"error": {"class": "api"}}}, entries(), **_JOURNAL),
    _story("journal-lost", "reconcile-journal", "What is unknown stays until it is settled.", reset("orders.create"), lost("orders.create", **ORDER), entries("orders.create"), settled((DONE, [RECORD])), entries(), **_JOURNAL),
    _story("journal-late", "reconcile-journal", "So does what a gateway refused.", late(executed=True), lost("orders.create_market", **MARKET), entries("orders.create_market"), settled((DONE, [{"order_type": "market"}])), entries(), **_JOURNAL),
    _story("journal-next-process", "reconcile-journal", "The next client of the journal settles it.", reset("orders.create"), lost("orders.create", **ORDER), *_AGAIN, entries("orders.create", client="b"), settled((DONE, [RECORD]), client="b", error={"json": ref("entries.0.json")}), entries(client="b"), **_JOURNAL),
    _story("journal-acknowledged", "reconcile-journal", "The caller may settle it by other means.", reset("orders.create"), lost("orders.create", **ORDER), {"acknowledge": "lost", "client": "a"}, entries(), **_JOURNAL),
    _story("journal-unsettled", "reconcile-journal", "What stays unsettled stays in it.", reset("spot.withdraw"), lost("spot.withdraw", **WITHDRAW), settled((OPEN, [ANY, ANY])), entries("spot.withdraw"), resent(DONE), entries(), journal=ref("journal"), features=["journal", "resend"]),
    _story("journal-reads", "reconcile-journal", "Reads are not written down.", control("faults.inject", operation="account.settings", kind="reset", times=3), {**call("account.settings"), "expect": {"error": {"class": "no_response"}}}, entries(), **_JOURNAL),
    _story("journal-locked", "reconcile-journal", "One client at a time may use a journal.", call("orders.create", PLACED, **ORDER), opened("b", **QUICK, journal=ref("journal")), {**call("orders.create", client="b", **ORDER), "expect": {"error": {"class": "journal"}}}, call("orders.history", [RECORD]), **_JOURNAL),
)  # fmt: skip

CASES: tuple[Case, ...] = (*ORDERS, *MONEY, *JOURNALS)
