"""Outcome cases: what the caller is told when things break, by retry class, and what is attempted again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.interface import samples
from tests.spec.vector_cases_base import TIMESTAMP, WINDOW, Case
from tests.spec.vector_cases_encode import LIMIT, client

ID, SECOND_ID = samples.ID_A, samples.ID_B
HTML = "<html><body><h1>502 Bad Gateway</h1></body></html>"
HTML_TYPE = {"Content-Type": "text/html"}
CLASSES: Mapping[str, dict[str, Any]] = {
    "read": {"operation": "account.settings", "arguments": {}},
    "safe-post": {"operation": "subaccounts.list", "arguments": {}},
    "idempotent": {
        "operation": "account.set_auto_lend_disabled",
        "arguments": {"disabled": True},
    },
    "by-key": {"operation": "orders.create", "arguments": LIMIT},
    "never": {
        "operation": "subaccounts.transfer",
        "arguments": {"to_account": samples.OTHER, "amount": "1"},
    },
}
"""A call of each retry class; two that are safe, because one of them is a POST."""
SAFE = ("read", "safe-post")
DONE = {"status": 200, "json": {"success": True}}
WITHDRAW = {"operation": "spot.withdraw", "arguments": {"symbol": "SOL", "amount": "1.5"}}
CREATE = CLASSES["by-key"]
READ = CLASSES["read"]
MARKET = {"operation": "orders.create_market", "arguments": dict(samples.MARKET)}
SETTINGS = {"status": 200, "json": {"success": True, "data": {"auto_lend_disabled": None}}}
SETTINGS_READ = {"result": {"auto_lend_disabled": None}}


def placed(number: int) -> dict[str, Any]:
    """The answer to a new order."""
    return {"status": 200, "json": {"order_id": number}}


def receipt(symbol: str = "SOL", amount: str = "1.5") -> dict[str, Any]:
    """The answer to a withdrawal."""
    told = {"symbol": symbol, "batch_nonce": 7, "requested_amount": amount, "fee_amount": "0.01"}
    return {"status": 200, "json": {"success": True, "data": told}}


def play_case(
    name: str,
    rule: str,
    description: str,
    answers: Sequence[Mapping[str, Any]],
    calls: Sequence[Mapping[str, Any]],
    outcomes: Sequence[Mapping[str, Any]],
    *features: str,
    given: Mapping[str, Any] | None = None,
    **expect: Any,
) -> Case:
    """Calls of one client under a script, and how they end."""
    needed: dict[str, Any] = {"features": list(features)} if features else {}
    script = {"now": TIMESTAMP, "ids": [ID, SECOND_ID], "jitter": {"$float": "0.5"}}
    return {
        "name": name,
        "kind": "play",
        "description": description,
        "rule": rule,
        **needed,
        "given": {
            "client": client(),
            **script,
            **(given or {}),
            "answers": list(answers),
            "calls": list(calls),
        },
        "expect": {"outcomes": list(outcomes), **expect},
    }


def unknown(
    cause: Mapping[str, Any] | None, status: int | None, ids: Sequence[str | None] = (None,)
) -> dict[str, Any]:
    """The error of a message that may have been executed."""
    told = {"cause": cause, "status": status, "client_ids": list(ids)}
    times = {"timestamp": TIMESTAMP, "expiry_window": WINDOW}
    return {"error": {"class": "outcome_unknown", **told, **times}}


def _ids(class_: str) -> list[str | None]:
    return [ID if class_ == "by-key" else None]


def error(name: str, **more: Any) -> dict[str, Any]:
    """An error of this class."""
    return {"error": {"class": name, **more}}


# -- the status of an answer, and the faults of a transport ----------------------------------------

_GAVE_UP = (408, 460, 499, 500, 502, 503, 504, 599)
_REFUSED = (400, 401, 403, 404, 418, 421, 422, 501)
_REDIRECTS = (301, 302, 303, 307, 308)
_BODY = {"error": "no", "code": 7}


def _by_status() -> Iterator[Case]:
    for status in (*_GAVE_UP, *_REFUSED, *_REDIRECTS, 409, 429):
        for class_, call in CLASSES.items():
            attempts, end = _of_status(status, class_)
            yield play_case(
                f"status-{status}-{class_}",
                "outcome-status",
                f"A {status} to an operation that is {class_}.",
                [{"status": status, "json": _BODY}] * 3,
                [call],
                [end],
                requests=attempts,
            )


def _of_status(status: int, class_: str) -> tuple[int, dict[str, Any]]:
    """How many attempts are made, and how the call ends: the table of docs/recovery.md."""
    refusal = {"class": "api", "status": status, "code": 7, "message": "no"}
    typed = {"error": refusal}
    if status in _GAVE_UP:
        return (3, typed) if class_ in SAFE else (1, unknown(refusal, status, _ids(class_)))
    if status in _REDIRECTS:
        return (1, typed) if class_ in SAFE else (1, unknown(refusal, status, _ids(class_)))
    if status == 429:
        return (3 if class_ in (*SAFE, "idempotent") else 1), typed
    return 1, typed


_FAULTS = {
    "not_sent": (5, "not_sent", "not_sent"),
    "not_trusted": (0, "not_sent", "not_sent"),
    "maybe_sent": (2, "no_response", "outcome_unknown"),
    "unreadable": (2, "decode", "outcome_unknown"),
    "unusable": (0, "decode", "outcome_unknown"),
}
"""For how many of the retry classes it is attempted again, the error of a read, and that of a change."""


def _by_fault() -> Iterator[Case]:
    for fault, (repeated, of_reads, of_changes) in _FAULTS.items():
        for index, (class_, call) in enumerate(CLASSES.items()):
            name = of_reads if class_ in SAFE else of_changes
            end = unknown(None, None, _ids(class_)) if name == "outcome_unknown" else error(name)
            words = fault.replace("_", "-")
            needed = ["not-sent"] if fault.startswith("not") else []
            yield play_case(
                f"fault-{words}-{class_}",
                "outcome-fault",
                f"The transport says {words} to an operation that is {class_}.",
                [{"fault": fault}] * 3,
                [call],
                [end],
                *needed,
                requests=3 if index < repeated else 1,
            )


# -- what stands in the body -----------------------------------------------------------------------


def answered(status: int, body: Any) -> dict[str, Any]:
    if isinstance(body, str):
        return {"status": status, "headers": HTML_TYPE, "body": body}
    return {"status": status, "json": body}


def _by_body() -> Iterator[Case]:
    decode, refused = {"class": "decode"}, {"class": "api", "status": 200}
    for name, status, body, repeated, cause, words in (
        ("html", 200, HTML, True, decode, "A page of HTML under a 200."),
        ("html-201", 201, HTML, True, decode, "A page of HTML under a 201."),
        ("part", 206, {"success": True, "data": {"order_id": 1}}, True, decode, "A 206, which is a part of an answer alone."),
        ("cut", 200, '{"success":true,"da', True, decode, "JSON that ends early."),
        ("nothing", 200, "", True, decode, "No body at all."),
        ("shape", 200, [], False, decode, "A list for an object."),
        ("gateway-code", 200, {"success": False, "error": "late", "code": 504}, True, refused, "The code of a gateway that gave up, in a refusal under a 200."),
        ("gateway-code-text", 200, {"success": False, "error": "late", "code": "503"}, True, refused, "Such a code as a text."),
        ("gateway-code-408", 200, {"success": False, "error": "late", "code": 408}, True, refused, "A code of 408."),
        ("html-503", 503, HTML, True, {"class": "api", "status": 503}, "HTML under a 503."),
    ):  # fmt: skip
        for class_, call in CLASSES.items():
            safe = class_ in SAFE
            end = {"error": cause} if safe else unknown(cause, status, _ids(class_))
            yield play_case(
                f"body-{name}-{class_}",
                "outcome-body",
                f"{words} The operation is {class_}.",
                [answered(status, body)] * 3,
                [call],
                [end],
                requests=3 if safe and repeated else 1,
            )


def _refused_by_body() -> Iterator[Case]:
    for name, body in (
        ("code-text", {"success": False, "error": "no", "code": "5"}),
        ("code", {"success": False, "error": "no", "code": 5}),
        ("code-501", {"success": False, "error": "no", "code": 501}),
        ("code-long", {"success": False, "error": "no", "code": 5030}),
        ("no-code", {"success": False, "error": "no"}),
        ("unknown-members", {"success": False, "error": "no", "request_id": "r-1", "timestamp": 1, "message_id": 7}),
        ("document", {"error": "no", "code": 400}),
    ):  # fmt: skip
        for class_, call in CLASSES.items():
            refusal = {"class": "api", "status": 200, "code": body.get("code"), "message": "no"}
            yield play_case(
                f"refused-in-2xx-{name}-{class_}",
                "outcome-body",
                f"A refusal inside a 200, to an operation that is {class_}.",
                [answered(200, body)],
                [call],
                [{"error": refusal}],
                requests=1,
            )


_CONTRADICTIONS: tuple[tuple[str, str, str, int, Any], ...] = (
    ("order-id-under-400", "by-key", "A refusal with an order id.", 400, {"error": "no", "order_id": 1}),
    ("order-ids-under-400", "by-key", "A refusal with order ids, in the plural.", 400, {"error": "no", "order_ids": [1]}),
    ("nested-success-under-400", "never", "A refusal that says success inside.", 400, {"error": "no", "data": {"success": True}}),
    ("success-under-400", "idempotent", "A success under a 400.", 400, {"success": True}),
    ("deep-order-id-under-422", "by-key", "An order id deep inside a refusal.", 422, {"error": "no", "details": [{"order_id": 5}]}),
    ("failure-with-more-words", "never", "A refusal under a 200 with another word.", 200, {"success": False, "error": "no", "state": "sent"}),
    ("error-beside-success", "by-key", "A success beside an error.", 200, {"success": True, "order_id": 1, "error": "no"}),
)  # fmt: skip


def _contradicting() -> Iterator[Case]:
    for name, class_, words, status, body in _CONTRADICTIONS:
        yield play_case(
            f"contradiction-{name}",
            "outcome-contradiction",
            words,
            [answered(status, body)],
            [CLASSES[class_]],
            [unknown({"class": "decode"}, status, _ids(class_))],
            requests=1,
        )


# -- one call after another: whose answer it is ----------------------------------------------------

_LATE = {"class": "decode"}
OWN = (
    play_case(
        "new-id-twice",
        "outcome-new-id",
        "Two orders with one id: the second answer is not its own.",
        [placed(7), placed(7)],
        [CREATE, CREATE],
        [{"result": {"order_id": 7}}, unknown(_LATE, 200, [SECOND_ID])],
        requests=2,
    ),
    *(
        play_case(
            f"new-id-{name}",
            "outcome-new-id",
            "A number below 1 is the id of no order.",
            [{"status": 200, "json": answer}],
            [call],
            [unknown(_LATE, 200, [ID])],
            requests=1,
        )
        for name, call, answer in (
            ("zero", CREATE, {"order_id": 0}),
            ("negative", CREATE, {"success": True, "data": {"order_id": -1}}),
            ("zero-of-an-action", MARKET, {"success": True, "data": {"results": [{"success": True, "order_id": 0}]}}),
        )
    ),
    play_case(
        "new-ids",
        "outcome-new-id",
        "Two orders with ids of their own.",
        [placed(7), placed(8)],
        [CREATE, CREATE],
        [{"result": {"order_id": 7}}, {"result": {"order_id": 8}}],
        requests=2,
    ),
    play_case(
        "echo-other-symbol",
        "outcome-echo",
        "The receipt of a withdrawal of another asset.",
        [receipt("BTC")],
        [WITHDRAW],
        [unknown(_LATE, 200, [ID])],
        requests=1,
    ),
    play_case(
        "echo-other-amount",
        "outcome-echo",
        "The receipt of a withdrawal of another amount.",
        [receipt(amount="1.51")],
        [WITHDRAW],
        [unknown(_LATE, 200, [ID])],
        requests=1,
    ),
    play_case(
        "echo-equal-number",
        "outcome-echo",
        "Amounts are compared as numbers.",
        [receipt(amount="1.500")],
        [WITHDRAW],
        [{"result": {"symbol": "SOL", "batch_nonce": 7, "requested_amount": "1.5", "fee_amount": "0.01"}}],
        requests=1,
    ),
    play_case(
        "duplicate-first",
        "outcome-duplicate",
        "A 409 to the first attempt is the service's refusal.",
        [{"status": 409, "json": {"error": "idempotency_key was used", "code": 409}}],
        [WITHDRAW],
        [error("api", status=409)],
        requests=1,
    ),
    play_case(
        "duplicate-later",
        "outcome-duplicate",
        "A 409 to a later attempt: an earlier one was accepted, which seemed not to have been sent.",
        [{"fault": "not_sent"}, {"status": 409, "json": {"error": "used", "code": 409}}],
        [WITHDRAW],
        [{"error": {"class": "outcome_unknown", "cause": {"class": "api", "status": 409}, "client_ids": [ID]}}],
        "not-sent",
        requests=2,
    ),
)  # fmt: skip

_RESULTS = {"success": True, "data": {"results": [{"success": False, "error": "Order not found"}]}}
_CANCEL = {"operation": "orders.cancel", "arguments": {"symbol": "BTC", "order_id": 7}}
ACTION = {"type": "Cancel", "arguments": {"symbol": "BTC", "order_id": 7}}
BATCH = {"operation": "orders.batch", "arguments": {"actions": [ACTION]}}
_LIMITED = {"status": 429, "json": {"error": "slow down", "code": 429}}
BATCHES = (
    play_case(
        "action-failed",
        "outcome-action",
        "An action that is sent alone and fails is the service's refusal.",
        [{"status": 200, "json": _RESULTS}],
        [_CANCEL],
        [error("api", status=200, message="Order not found")],
        requests=1,
    ),
    play_case(
        "action-of-a-batch-failed",
        "outcome-action",
        "In a batch its result says so.",
        [{"status": 200, "json": _RESULTS}],
        [BATCH],
        [{"result": [{"success": False, "error": "Order not found"}]}],
        requests=1,
    ),
    play_case(
        "action-idempotent",
        "outcome-action",
        "A cancel that is sent alone is idempotent: a 429 is attempted again.",
        [_LIMITED, {"status": 200, "json": {"success": True, "data": {"results": [{"success": True}]}}}],
        [_CANCEL],
        [{"result": {"success": True}}],
        requests=2,
    ),
    play_case(
        "action-by-key",
        "outcome-action",
        "A market order that is sent alone is by-key: a 429 is not attempted again.",
        [_LIMITED],
        [MARKET],
        [error("api", status=429)],
        requests=1,
    ),
    play_case(
        "batch-never",
        "outcome-action",
        "A batch is never attempted again, whatever its actions are.",
        [_LIMITED],
        [BATCH],
        [error("api", status=429)],
        requests=1,
    ),
    play_case(
        "batch-unknown",
        "outcome-action",
        "Of a batch without an answer each action may have been executed.",
        [{"fault": "maybe_sent"}],
        [{"operation": "orders.batch", "arguments": {"actions": [{"type": "Create", "arguments": LIMIT}, ACTION]}}],
        [unknown(None, None, [ID, None])],
        requests=1,
    ),
    play_case(
        "batch-too-few-results",
        "outcome-action",
        "Fewer results than actions: nobody can say whose they are.",
        [{"status": 200, "json": {"success": True, "data": {"results": []}}}],
        [BATCH],
        [unknown(_LATE, 200)],
        requests=1,
    ),
    play_case(
        "batch-failed-action-with-new-id",
        "outcome-action",
        "An action that failed and brings a new order contradicts itself.",
        [{"status": 200, "json": {"success": True, "data": {"results": [{"success": False, "order_id": 5, "error": "no"}]}}}],
        [MARKET],
        [unknown(_LATE, 200, [ID])],
        requests=1,
    ),
    play_case(
        "batch-failed-cancel-with-id",
        "outcome-action",
        "A cancel that failed may name the order, whose id is not new.",
        [{"status": 200, "json": {"success": True, "data": {"results": [{"success": False, "order_id": 7, "error": "no"}]}}}],
        [_CANCEL],
        [error("api", status=200, message="no")],
        requests=1,
    ),
)  # fmt: skip

CASES: tuple[Case, ...] = (
    *_by_status(),
    *_by_fault(),
    *_by_body(),
    *_refused_by_body(),
    *_contradicting(),
    *OWN,
    *BATCHES,
)
