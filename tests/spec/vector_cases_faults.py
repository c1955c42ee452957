"""Scenarios that survive: each fault of the sandbox, and what each class of operation makes of it.

What must come out follows from docs/recovery.md. In the end the exchange shows how often it executed the message: as
often as the fault let it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from tests.spec.vector_cases_base import Case
from tests.spec.vector_cases_scenarios import (
    ANY,
    ORDER,
    PLACED,
    account,
    call,
    control,
    left,
    opened,
    ref,
    scenario,
)
from tests.spec.vector_cases_settle import own_id

READS = ("read", "safe-post")
CLASSES: Mapping[str, tuple[str, dict[str, Any], Any]] = {
    "read": ("orders.history", {}, [{"initial_price": "90001"}]),
    "safe-post": ("subaccounts.list", {}, [{"address": ref("sub.address")}]),
    "idempotent": ("account.set_auto_lend_disabled", {"disabled": True}, None),
    "by-key": ("orders.create", ORDER, PLACED),
    "never": ("subaccounts.transfer", {"to_account": ref("sub.address"), "amount": "100"}, None),
}
"""An operation of each class, with its arguments and its result."""
API, UNKNOWN = {"class": "api"}, {"class": "outcome_unknown"}
GOOD = "good"
"""The call succeeds, at the first attempt or at a later one."""


@frozen
class Row:
    """A fault, and how calls end."""

    kind: str
    rule: str
    of_reads: str
    """`good`, or the class of the error."""
    of_changes: str
    executed: bool = True
    """Whether the exchange executes the message."""
    options: Mapping[str, Any] = field(factory=dict)
    classes: tuple[str, ...] = tuple(CLASSES)
    timeout: str = "5"
    features: tuple[str, ...] = ()
    name: str = ""
    looks: bool = True
    """Whether the exchange shows in the end what was executed."""


_NONE, _LATE, _CUT = "survive-no-answer", "survive-deadline", "survive-cut"
_UNUSABLE, _REFUSED, _HARMLESS = "survive-unusable", "survive-refused", "survive-harmless"
_CHANGED = "outcome_unknown"
_SOON = "0.3"
_FIELDS = ("read", "by-key")
ROWS = (
    Row("connect_refused", "survive-not-sent", "not_sent", "not_sent", False, {"seconds": 0.5}, timeout="0.2", features=("not-sent",)),
    Row("reset_before_read", _NONE, GOOD, _CHANGED, False),
    Row("reset", _NONE, GOOD, _CHANGED),
    Row("reset", _NONE, GOOD, _CHANGED, False, {"executed": False}, name="reset-not-executed"),
    Row("close", _NONE, GOOD, _CHANGED),
    Row("close", _NONE, GOOD, _CHANGED, False, {"executed": False}, name="close-not-executed"),
    Row("delay_answer", _LATE, "no_response", _CHANGED, True, {"seconds": 0.6}, timeout=_SOON),
    Row("delay_request", _LATE, "no_response", _CHANGED, True, {"seconds": 0.6}, timeout=_SOON, looks=False),
    Row("slow_headers", _LATE, "no_response", _CHANGED, True, {"seconds": 2.0}, timeout=_SOON),
    Row("slow_body", _LATE, "no_response", _CHANGED, True, {"seconds": 2.0}, timeout=_SOON),
    Row("delay_answer", _HARMLESS, GOOD, GOOD, True, {"seconds": 0.05}, name="delay-answer-in-time"),
    Row("slow_body", _HARMLESS, GOOD, GOOD, True, {"seconds": 0.05}, name="slow-body-in-time"),
    Row("clock_offset", _REFUSED, GOOD, "api", False, {"offset_ms": 60_000}, classes=("read", "idempotent", "by-key", "never")),
    Row("reset_in_body", _CUT, GOOD, _CHANGED),
    Row("short_body", _CUT, GOOD, _CHANGED),
    Row("cut_chunks", _CUT, GOOD, _CHANGED),
    Row("cut_headers", _CUT, GOOD, _CHANGED),
    Row("cut_gzip", _CUT, GOOD, _CHANGED),
    Row("no_length", _CUT, GOOD, _CHANGED, True, {"keep": 10}),
    Row("two_lengths", _CUT, GOOD, _CHANGED),
    Row("interim_answers", _HARMLESS, GOOD, GOOD, True, {"size": 3}, classes=_FIELDS),
    Row("endless_body", "survive-limits", "decode", _CHANGED, features=("answer-limits",)),
    Row("gzip_bomb", "survive-limits", "decode", _CHANGED, True, {"size": 5 * 2**20}, features=("answer-limits",)),
    Row("large_header", "survive-limits", GOOD, _CHANGED, features=("answer-limits",)),
    Row("many_headers", "survive-limits", GOOD, _CHANGED, features=("answer-limits",)),
    Row("status", _REFUSED, "api", "api", False, {"status": 400}, name="status-400"),
    Row("status", _REFUSED, "api", "api", False, {"status": 403}, name="status-403"),
    Row("status", _REFUSED, "", "api", True, {"status": 421, "executed": True}, name="status-421-executed", classes=("by-key", "never")),
    Row("status", _NONE, GOOD, _CHANGED, True, {"status": 503, "executed": True}, name="status-503-executed"),
    Row("status", _NONE, GOOD, _CHANGED, True, {"status": 408, "executed": True}, name="status-408-executed"),
    Row("redirect", _REFUSED, "api", _CHANGED, False, {"location": "http://localhost:9/"}),
    Row("html", _CUT, GOOD, _CHANGED, False),
    Row("html", _CUT, GOOD, _CHANGED, True, {"status": 502, "executed": True}, name="html-502-executed"),
    Row("bad_json", _CUT, GOOD, _CHANGED),
    Row("deep_nesting", _CUT, GOOD, _CHANGED),
    Row("not_finite", _CUT, GOOD, _CHANGED, classes=_FIELDS),
    Row("wrong_shape", _UNUSABLE, "decode", _CHANGED, True, {"value": None}),
    Row("missing_field", _UNUSABLE, "decode", _CHANGED, classes=_FIELDS),
    Row("null_field", _UNUSABLE, "decode", _CHANGED, classes=_FIELDS),
    Row("huge_integer", _UNUSABLE, "decode", _CHANGED, classes=_FIELDS),
    Row("other_value", _UNUSABLE, "decode", _CHANGED, True, {"field": "order_id", "value": "none"}, classes=_FIELDS),
    Row("malformed_alone", _HARMLESS, GOOD, GOOD, classes=("by-key",)),
    Row("duplicate_keys", _HARMLESS, GOOD, GOOD),
    Row("unknown_enum", _HARMLESS, "unknown_enum", "", classes=("read",)),
    Row("new_field", _HARMLESS, GOOD, GOOD),
)  # fmt: skip


def _setup(row: Row) -> list[dict[str, Any]]:
    """An account with an order and a subaccount, and a client of it, which has read once."""
    quick: dict[str, Any] = {"timeout": {"$float": row.timeout}}
    return [
        account(),
        control("create_subaccount", "sub", main=ref("trader.address")),
        opened("first"),
        call("orders.create", PLACED, client="first", **{**ORDER, "price": "90001"}),
        opened(**quick),
    ]


def _end(row: Row, class_: str, result: Any) -> dict[str, Any]:
    name = row.of_reads if class_ in READS else row.of_changes
    if name == "unknown_enum":
        return {"result": [{"initial_price": "90001"}]}
    return {"result": result} if name == GOOD else {"error": {"class": name}}


def _shown(class_: str, executed: bool) -> list[dict[str, Any]]:
    """How the exchange shows whether it executed a change."""
    if class_ == "by-key":
        orders = [{"initial_price": "90000"}] if executed else []
        return [call("orders.history", [*orders, {"initial_price": "90001"}], client="first")]
    if class_ == "idempotent":
        told = {"auto_lend_disabled": True if executed else None}
        return [call("account.settings", told, client="first")]
    if class_ == "never":
        return [left("sub", balance="100" if executed else "0")]
    return []


def _cells() -> Iterator[Case]:
    for row in ROWS:
        for class_ in row.classes:
            operation, arguments, result = CLASSES[class_]
            at = "*" if row.kind == "connect_refused" else operation
            once = {} if row.kind == "connect_refused" else {"times": 1}
            name = row.name or row.kind.replace("_", "-")
            step = {
                **call(operation, client="a", **arguments),
                "expect": _end(row, class_, result),
            }
            shown = _shown(class_, row.executed) if row.looks else []
            if row.kind == "connect_refused":
                shown = [{"pause": "0.5"}, *shown]
            yield scenario(
                "survives",
                f"fault-{name}-{class_}",
                row.rule,
                f"The fault {row.kind} in the answer to an operation that is {class_}.",
                [
                    *_setup(row),
                    control("faults.inject", operation=at, kind=row.kind, **once, **row.options),
                    step,
                    *shown,
                ],
                *row.features,
            )


def _list(name: str, kind: str, words: str, expect: dict[str, Any], **options: Any) -> Case:
    step = {**call("orders.history", limit=1), "expect": expect}
    return scenario(
        "survives",
        f"fault-{name}",
        "survive-lists",
        words,
        [
            *[account(), opened()],
            *[
                call("orders.create", PLACED, **{**ORDER, "price": price})
                for price in ("90000", "90001")
            ],
            control("faults.inject", operation="orders.history", kind=kind, **options),
            step,
        ],
    )


_BOTH = [{"initial_price": "90001"}, {"initial_price": "90000"}]
_PAGINATION = {"error": {"class": "pagination"}}
LISTS = (
    _list("repeated-cursor", "repeated_cursor", "A page leads to itself.", _PAGINATION),
    _list("empty-page", "empty_page", "An empty page leads on.", {"result": ANY}),
    _list("missing-cursor", "missing_cursor", "There is more, and not where.", _PAGINATION),
    _list("surplus-cursor", "surplus_cursor", "The last page leads on.", _PAGINATION),
    _list("reset-in-a-list", "reset", "The first page is attempted again.", {"result": _BOTH}),
)


def _kept(
    name: str, kind: str, words: str, second: dict[str, Any], *, pause: str = "0", **options: Any
) -> Case:
    """A fault on a connection that is kept: of the first call, which meets the second one."""
    make: dict[str, Any] = {**ORDER, "client_order_id": own_id(name)}
    return scenario(
        "survives",
        f"fault-{name}",
        "survive-kept-connection",
        words,
        [
            *[account(), opened(timeout={"$float": "3"})],
            control("faults.inject", operation="account.settings", kind=kind, **options),
            call("account.settings", {"auto_lend_disabled": None}),
            {"pause": pause},
            {**call("orders.create", **make), "expect": second},
        ],
        "reused-connections",
    )


KEPT = (
    _kept("close-idle-seen", "close_idle", "A connection that was closed while idle is not used again.", {"result": PLACED}, pause="0.1"),
    _kept("reset-next", "reset_next", "A reset of the next request on the connection.", {"error": UNKNOWN}),
    _kept("second-answer", "second_answer", "A surplus answer is not taken for that to the next request.", {"result": PLACED}, pause="0.1"),
    _kept("second-answer-other", "second_answer", "Nor is one of another form.", {"result": PLACED}, pause="0.1", body='{"order_id":666}'),
)  # fmt: skip

CASES: tuple[Case, ...] = (*_cells(), *LISTS, *KEPT)
