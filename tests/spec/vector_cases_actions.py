"""Outcome cases: which refusals of an action of a batch are believed, and in which envelope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.spec.vector_cases_base import Case
from tests.spec.vector_cases_encode import LIMIT
from tests.spec.vector_cases_play import (
    ACTION,
    BATCH,
    ID,
    MARKET,
    answered,
    error,
    play_case,
    unknown,
)

_LATE = {"class": "decode"}
_TWO = {
    "operation": "orders.batch",
    "arguments": {"actions": [{"type": "Create", "arguments": LIMIT}, ACTION]},
}
_LATE_504: dict[str, Any] = {"success": False, "error": "gateway timeout", "code": 504}
_AS_REFUSED = {"class": "api", "status": 200, "code": 504, "message": "gateway timeout"}


def _of_results(*results: Any, status: int = 200, **envelope: Any) -> dict[str, Any]:
    """The answer to a batch."""
    return answered(status, {"success": True, **envelope, "data": {"results": results}})


def _action_unknown(
    name: str, words: str, result: Any, cause: Mapping[str, Any] = _LATE, status: int = 200
) -> Iterator[Case]:
    """An action that is refused in a way which is not believed: alone, and in a batch beside another one."""
    alone, first = _of_results(result, status=status), {"success": True, "order_id": 5}
    yield play_case(
        f"action-{name}",
        "outcome-action-refused",
        words,
        [alone],
        [MARKET],
        [unknown(cause, status, [ID])],
        requests=1,
    )
    yield play_case(
        f"batch-{name}",
        "outcome-action-refused",
        f"{words} In a batch.",
        [_of_results(first, result, status=status)],
        [_TWO],
        [
            unknown(
                {key: each for key, each in cause.items() if key != "message"}, status, [ID, None]
            )
        ],
        requests=1,
    )


_NO_CODE = {"success": False, "error": "gateway timeout"}


def _around(
    name: str,
    words: str,
    envelope: Mapping[str, Any],
    inside: Mapping[str, Any] | None = None,
    believed: bool = False,
) -> Iterator[Case]:
    """A plain refusal of an action in this envelope, with this beside the results: alone, and in a batch."""
    done = {"success": True, "order_id": 5}
    for kind, call, results, ids, told in (
        (
            "action",
            MARKET,
            [_NO_CODE],
            [ID],
            error("api", status=200, code=None, message="gateway timeout"),
        ),
        ("batch", _TWO, [done, _NO_CODE], [ID, None], {"result": [done, _NO_CODE]}),
    ):
        body = {"success": True, **envelope, "data": {"results": results, **(inside or {})}}
        yield play_case(
            f"{kind}-around-{name}",
            "outcome-action-refused",
            words if kind == "action" else f"{words} In a batch.",
            [answered(200, body)],
            [call],
            [told if believed else unknown(_LATE, 200, ids)],
            requests=1,
        )  # fmt: skip


CASES: tuple[Case, ...] = (
    *_action_unknown("gateway-code", "The code of a gateway that gave up.", _LATE_504, _AS_REFUSED),
    *_action_unknown("gateway-code-text", "Such a code as a text.", {**_LATE_504, "code": "503"}, {**_AS_REFUSED, "code": "503"}),
    *_action_unknown("gateway-code-inside", "Such a code inside of data.", {"success": False, "data": {"error": "late", "code": 408}}, {"class": "api", "status": 200, "code": 408}),
    *_action_unknown("code-negative", "A code below zero.", {**_LATE_504, "code": -1}, {**_AS_REFUSED, "code": -1}),
    *_action_unknown("code-list", "A code that is a list.", {**_LATE_504, "code": [503]}),
    *_action_unknown("code-in-error", "A code inside of error.", {"success": False, "error": None, "data": {"error": {"code": 504}}}),
    *_action_unknown("state", "A refusal with a state.", {"success": False, "error": "no", "state": "sent"}),
    *_action_unknown("under-202", "A refusal under a 202.", {"success": False, "error": "no"}, status=202),
    play_case(
        "action-with-code",
        "outcome-action-refused",
        "The code of an action that is refused is told.",
        [_of_results({"success": False, "error": "no", "code": 5})],
        [MARKET],
        [error("api", status=200, code=5, message="no")],
        requests=1,
    ),
    play_case(
        "action-with-unknown-members",
        "outcome-action-refused",
        "Members that nobody knows change nothing.",
        [_of_results({"success": False, "error": "no", "request_id": "r-1", "cancelled": 1})],
        [MARKET],
        [error("api", status=200, code=None, message="no")],
        requests=1,
    ),
    play_case(
        "batch-with-codes",
        "outcome-action-refused",
        "Actions that are refused with codes of the service.",
        [_of_results({"success": False, "error": "no", "code": 5}, {"success": False, "error": "none", "code": "404"})],
        [_TWO],
        [{"result": [{"success": False, "error": "no"}, {"success": False, "error": "none"}]}],
        requests=1,
    ),
    *_around("code", "The code of a gateway that gave up, around the results.", {"code": 504}),
    *_around("code-letters", "A text that is no number.", {"code": "E_LATE"}),
    *_around("code-list", "A code that is a list.", {"code": [1]}),
    *_around("state", "A state around the results.", {"status": "queued"}),
    *_around("code-inside", "Such a code beside the results.", {}, {"code": 504}),
    *_around("state-inside", "A state beside the results.", {}, {"state": "queued"}),
    *_around("id-inside", "An order beside the results.", {}, {"order_id": 7}),
    *_around("plain", "An envelope of success that says nothing else.", {"error": None, "code": None, "message": "done"}, believed=True),
    *_around("unknown-members", "Members that nobody knows, on both levels.", {"request_id": "r-1"}, {"timestamp": 1}, believed=True),
    *_around("code-of-service", "A code of the service.", {"code": 5}, believed=True),
    *_around("success-twice", "Success on both levels.", {}, {"success": True}, believed=True),
    play_case(
        "batch-succeeded-with-words",
        "outcome-action-refused",
        "The words around results do not matter where all of them succeeded.",
        [_of_results({"success": True, "order_id": 5}, code=504, state="done")],
        [BATCH],
        [{"result": [{"success": True, "order_id": 5}]}],
        requests=1,
    ),
    play_case(
        "batch-failed-with-gateway-code",
        "outcome-action-refused",
        "A gateway calls the whole a failure, around a result that is one.",
        [_of_results({"success": False, "error": "no"}, **_LATE_504)],
        [BATCH],
        [unknown(_LATE, 200)],
        requests=1,
    ),
    play_case(
        "batch-failed-with-state",
        "outcome-action-refused",
        "The whole is called a failure, with a state.",
        [_of_results({"success": False, "error": "no"}, success=False, state="sent")],
        [BATCH],
        [unknown(_LATE, 200)],
        requests=1,
    ),
    play_case(
        "batch-failed-with-code",
        "outcome-action-refused",
        "The whole is refused with a code of the service: each result counts.",
        [_of_results({"success": False, "error": "no"}, success=False, error="no", code=400)],
        [BATCH],
        [{"result": [{"success": False, "error": "no"}]}],
        requests=1,
    ),
)  # fmt: skip
