"""Refusals: what they say, the error that they become, and whether they are believed.

A documented refusal shows that nothing was executed. Members that nobody knows change nothing. A member or
a code that speaks of execution leaves the outcome unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import cache
from types import NoneType
from typing import Any, NamedTuple, get_args

import attrs

from trading_runtime.codec.fields import json_name
from trading_runtime.errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    Code,
    ConflictError,
    InternalServerError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    UnprocessableEntityError,
)
from trading_runtime.operation import Operation

WORDS = frozenset({"success", "data", "error", "code", "message"})
"""The members that refusals and envelopes consist of: a value in one of them says nothing of execution,
whatever the result. `conventions.refusals` of the IR has the same two sets, for every language."""
STATES = frozenset({"state", "status"})
"""Members that may say that a message was taken, like `"state": "sent"`."""
_CONTRADICTION = "it reports a failure, but also success, a result or a state"
_STRANGE_CODE = (
    "it reports a failure, but its code is neither an integer nor a text, or not its only one"
)


# -- whether a refusal is believed ------------------------------------------------------------


def doubt(
    operation: Operation[Any],
    status: int,
    refusal: Any,
    content: Any,
    may_have: Set[str] = frozenset(),
) -> str | None:
    """Why a refusal cannot be trusted, or None.

    A status of failure refuses, unless `success` or a field of the result has a value. Under a 2xx only the
    words refuse, so a state, a strange code and another status than 200 count, too.

    Args:
        operation: What was called. A read changes nothing, so its refusals are trusted.
        status: The status of the answer.
        refusal: The answer, or the part of it that refuses.
        content: The same without its envelope.
        may_have: Fields of the result that this refusal may have: a failed action may name an order.
    """
    if operation.method == "GET":
        return None
    telling = set(json_names(operation.result))
    if operation.result_key is not None:
        telling.add(operation.result_key)
    if not 200 <= status < 300:
        repeated = operation.trace.agrees if operation.trace else ()
        telling -= {*repeated}
        return _CONTRADICTION if _has_value(refusal, telling - WORDS - may_have) else None
    if operation.result is Any and content is not refusal and isinstance(content, dict):
        telling |= content.keys()  # any of them may be of the result
    # An envelope of success may stand around a refusal, because the request was read.
    inside = {**refusal, "success": None}
    if _has_value(inside, (telling | STATES) - WORDS - may_have):
        return _CONTRADICTION
    values = [(name, value) for name, value in _members(inside) if says_something(value)]
    if any(name == "data" and not isinstance(value, dict) for name, value in values):
        return _CONTRADICTION  # `data` is the place of a result
    code = read_refusal(refusal, content).code
    if not all(_is_code(value) and value == code for name, value in values if name == "code"):
        return _STRANGE_CODE
    return None if status == 200 else f"it reports a failure under a status of {status}"


def _has_value(value: Any, names: Set[str]) -> bool:
    """Whether JSON holds, at any depth, a value in `success` or in a member of these names.

    Several values may stand in a member with the name in the plural, like `order_ids`.
    """
    telling = {"success", *names, *(f"{name}s" for name in names)}
    return any(name in telling and says_something(found) for name, found in _members(value))


@cache
def json_names(type_: Any) -> frozenset[str]:
    """The fields of a model, or of a model or null, as JSON names them. Another type has none."""
    if NoneType in get_args(type_):
        return frozenset(name for part in get_args(type_) for name in json_names(part))
    return frozenset(map(json_name, attrs.fields(type_))) if attrs.has(type_) else frozenset()


def says_something(value: Any) -> bool:
    """Whether the value of a member is anything but null, false or empty."""
    return value is not None and value is not False and value not in ("", [], {})


def _members(payload: Any) -> Iterator[tuple[str, Any]]:
    """Each member of each object in parsed JSON. A loop, because JSON may nest deeper than calls can."""
    waiting = [payload]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield from value.items()
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


# -- what a refusal says ----------------------------------------------------------------------


class Refusal(NamedTuple):
    """What a refusal says. A text or a code that it lacks is None."""

    text: str | None
    code: Code


def read_refusal(payload: Any, content: Any) -> Refusal:
    """The text and the code of an answer, each from its outer level, or else from its content."""
    levels = [each for each in (payload, content) if isinstance(each, dict)]
    texts = (each for level in levels if isinstance(each := level.get("error"), str))
    codes = (each for level in levels if _is_code(each := level.get("code")))
    return Refusal(next(texts, None), next(codes, None))


def _is_code(value: Any) -> bool:
    return type(value) is int or (isinstance(value, str) and value != "")


# -- the error --------------------------------------------------------------------------------

_BY_STATUS: dict[int | None, type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableEntityError,
    429: RateLimitError,
}
_BY_HUNDRED = {2: BadRequestError, 5: InternalServerError}
_ACTION = re.compile(r"\w+\[\d+\]: ")
"""How a text names the action of a batch that it is about, like `actions[1]: `."""


def refusal_reason(
    operation: Operation[Any], error: str, code: Code = None, status: int | None = None
) -> str | None:
    """Why the service refused, as a value of the enum of reasons; None if nothing shows it."""
    told = operation.reasons.items()
    text = _ACTION.sub("", error, count=1).casefold() if _ACTION.match(error) else error.casefold()
    begins = [
        (len(begin), value)
        for value, each in told
        for begin in each.texts
        if text.startswith(begin.casefold())
    ]
    if begins:
        return max(begins)[1]
    by_code = (
        value for value, each in told if code is not None and each.codes.get(operation.name) == code
    )
    by_status = (
        value
        for value, each in told
        if status in each.statuses and operation.name in (each.operations or (operation.name,))
    )
    return next(by_code, None) or next(by_status, None)


def api_error(operation: Operation[Any], status: int, said: Refusal, body: bytes) -> ApiError:
    """The error for an answer of this status. The reason may name a more telling class than the status."""
    text = body.decode("utf-8", "replace") if said.text is None else said.text
    reason = refusal_reason(operation, text, said.code, status)
    kind = _BY_STATUS.get(status) or _BY_HUNDRED.get(status // 100, ApiError)
    if reason is not None and kind is BadRequestError:
        kind = _BY_STATUS.get(operation.reasons[reason].as_status, kind)
    refusal = kind(operation.name, status, said.code, text, body)
    refusal.reason = reason
    return refusal
