"""Every error that the client raises.

TradingError
├── RequestError               refused before anything was sent; also a ValueError
├── SigningError               cannot be signed: the key, or text that has no canonical form
├── NotSentError               certainly not sent, nothing was changed
├── NoResponseError            a read got no complete answer; nothing was changed, repeat it at will
├── OutcomeUnknownError        may have been executed; client.reconcile(error) looks for it
├── DecodeError                an answer not of the documented form; carries the raw body
├── JournalError               the intent journal cannot be used; what it names was not sent
├── PaginationError            repeated cursor, has_more without a cursor, a cursor without has_more
├── BatchError                 actions of a batch failed; which ones, with the error text of each
└── ApiError                   the service refused; status, code, error, reason, body, operation
    ├── BadRequestError            400, and every refusal inside a 2xx (`success: false`)
    ├── AuthenticationError        401; and a 400 or 2xx whose reason says that the signature, the API
    │                              key or the agent wallet was refused; `status` is as received
    ├── PermissionDeniedError      403
    ├── NotFoundError              404
    ├── ConflictError              409
    ├── UnprocessableEntityError   422
    ├── RateLimitError             429
    └── InternalServerError        500 and every other 5xx; of a change, only a 501
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from trading_runtime.intent import Intent, advice, as_fields, from_fields
from trading_runtime.rate_limit import RateBudget
from trading_runtime.statuses import FAULTS

_SHOWN = 200
_CONFLICT = "409"
OF_A_COPY = (
    "if a proxy sent it twice, its first copy may have been executed: client.reconcile(error) looks"
)
"""Why what was refused may have been executed nevertheless."""
Code: TypeAlias = int | str | None
_NUMBER = re.compile(r"0*([1-9][0-9]*|0)")
REFUSAL_NAMES = ("refused", "rate_limited", "duplicate")
"""The names of the faults that are refusals."""


def name_of_fault(status: int) -> str | None:
    """The name of the `Fault` that a status stands for; None for a 2xx."""
    hundred = f"{status // 100}XX"
    if hundred == "2XX":
        return None
    return FAULTS.get(str(status)) or FAULTS.get(hundred, "maybe_sent")


def refuses(code: Code) -> bool:
    """Whether a refusal in a 2xx with this code is one: three digits are a status, so most of them are not."""
    if code is None:
        return True
    number = _NUMBER.fullmatch(str(code))
    if number is None or len(number[1]) != 3:
        return number is not None
    return name_of_fault(int(number[1])) in REFUSAL_NAMES


class TradingError(Exception):
    """The base of every error of this client; equal if their types and attributes are equal."""

    stop_reason: str | None = None
    """Why a call made no further attempt after the one that failed, like `max_attempts`; None of errors that
    are no attempt's. docs/recovery.md lists them."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TradingError) or type(self) is not type(other):
            return NotImplemented
        return (self.args, vars(self)) == (other.args, vars(other))

    def __hash__(self) -> int:
        return hash((type(self), self.args))

    def __reduce__(self) -> tuple[Any, ...]:
        # The default would call the class with the message alone, which most of them do not take.
        state = {name: each for name, each in vars(self).items() if name not in _OF_THIS_PROCESS}
        return _restore, (type(self), self.args, state)


_OF_THIS_PROCESS = ("progress", "looks")


def _restore(kind: type[TradingError], args: tuple[Any, ...], state: dict[str, Any]) -> Any:
    error = kind.__new__(kind, *args)
    vars(error).update(state)
    return error


CLOSED = "the client is closed: make another one, as in `with Client(...) as client:`"
"""The text of the error of a call, after the client was closed."""


class RequestError(TradingError, ValueError):
    """The request is wrong and was refused before anything was sent."""


class SigningError(TradingError):
    """Something cannot be signed: the key is unusable or the text has no canonical form."""


class JournalError(TradingError):
    """The intent journal cannot be read or written; the call was not sent."""


class PaginationError(TradingError):
    """The service contradicts itself about the next page; the items yielded before are good."""


class _Reconcilable(TradingError):
    """An error of a message that `client.reconcile` looks for."""

    progress: str | None = None
    """How far `client.reconcile` came; None before the first page and after the end. Another `reconcile` of
    the same error goes on from there. A copy, and the error in another process, begins anew."""

    looks: Any = None
    """What `client.reconcile` saw so far; None while it runs."""


class BatchError(_Reconcilable):
    """Some actions of a batch failed. It is no ApiError, because others may have been executed.

    `failures` holds the service's error texts by the index of the action, of `count` actions, and
    `reasons` what they stand for, as `ApiError.reason` does. `client.reconcile(error)` settles these actions.
    """

    intent: Intent | None = None
    """What was sent, of all actions."""

    def __init__(
        self,
        operation: str,
        failures: Mapping[int, str],
        count: int,
        reasons: Mapping[int, str | None] | None = None,
        refusals: Mapping[int, ApiError] | None = None,
    ) -> None:
        words = "; ".join(f"[{index}] {one_line(error)}" for index, error in failures.items())
        told = f"{operation}: {len(failures)} of {count} actions failed: {words} ({OF_A_COPY})"
        super().__init__(told)
        self.operation = operation
        self.failures = dict(failures)
        self.reasons = {index: (reasons or {}).get(index) for index in failures}
        self.count = count
        self.refusals = dict(refusals or {})
        """The refusal of each action that failed."""

    @property
    def unclear(self) -> tuple[int, ...]:
        """The actions that may have been executed: those refused as duplicates of their own id, perhaps of a copy."""
        ids = self.intent.client_ids if self.intent else ()
        return tuple(
            index
            for index, each in self.refusals.items()
            if each.is_duplicate and ids[index] is not None
        )


class _CallError(TradingError):
    """An error of one call that got no answer and changed nothing."""

    _says: str

    def __init__(self, operation: str, reason: str) -> None:
        super().__init__(f"{operation}: {self._says} ({reason})")
        self.operation = operation
        self.reason = reason


class NotSentError(_CallError):
    """The request was certainly not sent: nothing was changed, it can be repeated."""

    _says = "not sent, nothing was changed"


class NoResponseError(_CallError):
    """A read got no complete answer: nothing was changed, it can be repeated."""

    _says = "no complete answer, nothing was changed"


class OutcomeUnknownError(_Reconcilable):
    """The request may have been executed: `client.reconcile(error)` looks for it in the histories.

    `intent` holds what was sent: operation, account, the fields and client order id of each message,
    and until when the service can accept it. `status` and `body` are those of the answer, if any.
    """

    def __init__(
        self,
        intent: Intent,
        reason: str,
        *,
        status: int | None = None,
        body: bytes | None = None,
        key_is_used: bool = False,
    ) -> None:
        self.intent = intent
        self.reason = reason
        self.status = status
        self.body = body
        text = f"{intent.operation}: it may have been executed ({reason}). "
        text += advice(intent, key_is_used=key_is_used)
        super().__init__(text)

    @property
    def operation(self) -> str:
        """Its name, like `orders.create`."""
        return self.intent.operation

    @property
    def client_ids(self) -> tuple[str | None, ...]:
        """The client order id or idempotency key of the message, or of each action of a batch."""
        return self.intent.client_ids

    @property
    def timestamp(self) -> int:
        """When it was signed, in ms."""
        return self.intent.timestamp

    @property
    def expiry_window(self) -> int:
        """How long its signature is accepted, in ms."""
        return self.intent.expiry_window

    def to_json(self) -> str:
        """All that `reconcile` needs, as text for another process. It leaves out the answer's body."""
        return json.dumps(
            {"reason": self.reason, "status": self.status, "intent": as_fields(self.intent)}
        )

    @classmethod
    def from_json(cls, text: str) -> OutcomeUnknownError:
        """Read what `to_json` wrote.

        Raises:
            RequestError: the text is something else.
        """
        try:
            fields = json.loads(text)
            if not isinstance(fields, dict):
                raise TypeError("expected an object with reason, status and intent")
            reason, status = fields["reason"], fields["status"]
            if isinstance(reason, str) and (status is None or type(status) is int):
                intent, is_used = from_fields(fields["intent"]), status == int(_CONFLICT)
                return cls(intent, reason, status=status, key_is_used=is_used)
            problem = "its reason or status is of the wrong type"
        except KeyError as missing:
            problem = f"it has no {missing}"
        except (ValueError, TypeError, RecursionError) as error:
            problem = str(error)
        raise RequestError(f"this is not the JSON of an OutcomeUnknownError: {problem}")


class DecodeError(TradingError):
    """The service sent an answer that cannot be used; `body` holds it.

    `status` is a 2xx, or that of a refusal which says, nevertheless, that the request was executed.
    `is_json` is False if the answer was cut short or is not JSON; reads were then repeated in vain.
    """

    def __init__(
        self,
        operation: str,
        reason: str,
        body: bytes,
        status: int | None = None,
        *,
        is_json: bool = True,
    ) -> None:
        # An answer may hold a new API key, so the message shows nothing of the body.
        super().__init__(
            f"{operation}: the answer cannot be used: {reason} ({len(body)} bytes, see .body)"
        )
        self.operation = operation
        self.reason = reason
        self.body = body
        self.status = status
        self.is_json = is_json


class ApiError(_Reconcilable):
    """The service refused the request, or an action; `status` is a 2xx where only the body says so.

    `error` is the service's text, `code` its number or word, as received, and `body` the whole answer.
    """

    intent: Intent | None = None
    """What was refused; None for a read."""

    reason: str | None = None
    """Why, as a value of the enum of reasons, so that no program matches texts; None if not known."""

    rate_budget: RateBudget | None = None
    """The rate-limit budget as of this answer; None if it does not tell it."""

    retry_after: float | None = None
    """Seconds that the service asks to wait; None if it does not ask."""

    clock_hint: str | None = None
    """Why the service may have taken the message for expired, or for one from the future."""

    def __init__(self, operation: str, status: int, code: Code, error: str, body: bytes) -> None:
        head = f"{operation}: {status}" + ("" if code is None else f" (code {one_line(str(code))})")
        # Four bytes is the longest character in UTF-8.
        words = one_line(error) or one_line(body[: 4 * _SHOWN].decode("utf-8", "replace"))
        super().__init__(f"{head}: {words}" if words else head)
        self.operation = operation
        self.status = status
        self.code = code
        self.error = error
        self.body = body
        self.is_duplicate = _CONFLICT in (str(status), str(code))
        """Whether it says, by a 409 as status or code or by its reason, that the id of the message was used
        before: perhaps by a copy of the message itself."""

    def __str__(self) -> str:
        words = super().__str__()
        return f"{words} ({self.clock_hint})" if self.clock_hint else words


class BadRequestError(ApiError):
    """400, or `success: false` in a 2xx: a parameter is wrong, or the service cannot do it."""


class AuthenticationError(ApiError):
    """401, or another status whose reason is one: unauthorized, or the signature is not the signer's."""


class PermissionDeniedError(ApiError):
    """403: the caller may not do this."""


class NotFoundError(ApiError):
    """404: there is no such thing."""


class ConflictError(ApiError):
    """409: it conflicts with what was done before, like a key that was used."""


class UnprocessableEntityError(ApiError):
    """422: a business rule refuses it."""


class RateLimitError(ApiError):
    """429: too many requests (observed; the interface document names no status for them)."""


class InternalServerError(ApiError):
    """500 and every other 5xx of a read: the service failed. Of a change only a 501; see the tree."""


def one_line(text: str) -> str:
    """Text of the service, made safe for a log: one line, printable, cut."""
    line = " ".join(text[: 4 * _SHOWN].split())
    return "".join(letter if letter.isprintable() else "?" for letter in line)[:_SHOWN]
