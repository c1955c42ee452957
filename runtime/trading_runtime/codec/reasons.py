"""What a refusal says: where answers hold its text and code, and the reason that they stand for.

Both are data of the generated package. This is the one place that reads a reason, and makes the error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from attrs import field, frozen

from trading_runtime.codec.values import Shown
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
"""The action of a batch that a text is about, like `actions[1]: `."""


@frozen(kw_only=True, eq=False, repr=False)
class ErrorBody(Shown):
    """Where the answer to a refused request holds its text and its code (`x-error`).

    Each is a path: names of members, joined by dots. The first that leads to a value counts.
    """

    text: tuple[str, ...] = ("error",)
    code: tuple[str, ...] = ("code",)
    """To an integer or a text."""

    members: tuple[str, ...] = ()
    """The documented members beside those of the envelope, at any depth: in an answer with a status of
    failure they do not show that the request was executed."""


ERROR_BODY = ErrorBody()


@frozen(kw_only=True, eq=False, repr=False)
class Recognition(Shown):
    """What shows one reason for a refusal (`x-reasons`): its text, else its code, else its status."""

    texts: tuple[str, ...] = ()
    """How the error text begins, in any case. The longest that fits counts."""

    codes: Mapping[str, Code] = field(factory=dict)
    """Name of an operation -> its code."""

    statuses: tuple[int, ...] = ()

    operations: tuple[str, ...] = ()
    """Names of the operations under which the statuses show it; empty: under all."""

    as_status: int | None = None
    """The status whose class of error this is, also under a 400 and under a 2xx."""


class _Refused(Protocol):
    """What must be known of an operation, which an `Operation` is."""

    @property
    def name(self) -> str: ...

    @property
    def reasons(self) -> Mapping[str, Recognition]: ...


def reason_of(
    operation: _Refused, error: str, code: Code = None, status: int | None = None
) -> str | None:
    """The reason that a refusal stands for: a value of the enum of reasons, or None."""
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
    by_code = (value for value, each in told if code is not None and _code(each, operation) == code)
    by_status = (
        value
        for value, each in told
        if status in each.statuses and operation.name in (each.operations or (operation.name,))
    )
    return next(by_code, None) or next(by_status, None)


def _code(recognition: Recognition, operation: _Refused) -> Code:
    return recognition.codes.get(operation.name)


def api_error(operation: _Refused, status: int, code: Code, error: str, body: bytes) -> ApiError:
    """The error for an answer of this status. A reason may tell more than a plain refusal does."""
    reason = reason_of(operation, error, code, status)
    kind = _BY_STATUS.get(status) or _BY_HUNDRED.get(status // 100, ApiError)
    if reason is not None and kind is BadRequestError:
        kind = _BY_STATUS.get(operation.reasons[reason].as_status, kind)
    refusal = kind(operation.name, status, code, error, body)
    refusal.reason = reason
    return refusal
