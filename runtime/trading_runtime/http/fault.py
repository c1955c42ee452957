"""The fault of a failed attempt: what it shows about whether the request was sent and executed.

An *attempt* is one request of a call. A *failure* is what a failed attempt ended with: no usable
answer (`TransportError`), a refusal (`ApiError`), or an answer that cannot be read (`DecodeError`).
Its *fault* decides whether it may be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TypeAlias

from trading_runtime.checks import without_keys
from trading_runtime.errors import (
    REFUSAL_NAMES,
    ApiError,
    DecodeError,
    name_of_fault,
    one_line,
    refuses,
)


class Fault(Enum):
    """What a failed attempt shows about whether the request was sent and executed."""

    NOT_SENT = "not_sent"
    """Certainly not sent: no connection, no DNS answer, or the deadline passed before sending."""

    NOT_TRUSTED = "not_trusted"
    """Certainly not sent: the certificate of the service is not trusted."""

    MAYBE_SENT = "maybe_sent"
    """May have been sent and executed: a reset, a timeout, most 5xx, and some 4xx that gateways give."""

    RATE_LIMITED = "rate_limited"
    """Refused for now, like a 429."""

    DUPLICATE = "duplicate"
    """Refused because its idempotency key was used before: a 409."""

    REFUSED = "refused"
    """Refused by the service: most 4xx, a 501, or success: false with a code that refuses, or none."""

    UNREADABLE = "unreadable"
    """A 2xx that was cut short, is a 206, or is not JSON, like the HTML of a proxy. The next may be whole."""

    UNUSABLE = "unusable"
    """A whole answer that is neither a result nor a refusal: of the wrong shape, too long, or a 3xx."""


class TransportError(Exception):
    """There is no usable answer; `fault` says whether it may have been sent.

    A refusal is an answer: a transport returns it, of any status, as a Response. A fault that only such
    an answer shows, like RATE_LIMITED, counts as MAYBE_SENT here.

    `status` and `body` are what was read of an answer. A body that was cut is kept as received, so it
    may be compressed.
    """

    def __init__(
        self, fault: Fault, reason: str, status: int | None = None, body: bytes = b""
    ) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = reason
        self.status = status
        self.body = body


Failure: TypeAlias = TransportError | ApiError | DecodeError
"""What a failed attempt ended with."""

REFUSALS = frozenset(map(Fault, REFUSAL_NAMES))
"""What only an answer shows: the service does not carry it out."""


def fault_of_status(status: int) -> Fault | None:
    """The fault that a status stands for; None for a 2xx."""
    name = name_of_fault(status)
    return None if name is None else Fault(name)


def fault_of(failure: Failure) -> Fault:
    """The fault of the attempt that ended with this failure."""
    if isinstance(failure, TransportError):
        return Fault.MAYBE_SENT if failure.fault in REFUSALS else failure.fault
    if isinstance(failure, DecodeError):
        return Fault.UNUSABLE if failure.is_json else Fault.UNREADABLE
    # A 2xx is a refusal by its words alone. Codes are opaque, but a gateway may tell its status so.
    in_2xx = Fault.REFUSED if refuses(failure.code) else Fault.MAYBE_SENT
    return fault_of_status(failure.status) or in_2xx


_NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG")
_PLAIN = "; what answers there speaks no TLS: perhaps its URL begins with http, not https"


def cause(error: BaseException) -> str:
    """The operating system's error text; the texts of other exceptions may repeat the request."""
    for link in chain(error):
        if isinstance(link, OSError):
            text = without_keys(str(link.strerror or link))
            plain = _PLAIN if getattr(link, "reason", None) in _NO_TLS else ""
            return f"{type(link).__name__}: {one_line(text)}{plain}"
    return type(error).__name__


def chain(error: BaseException) -> Iterator[BaseException]:
    """An exception and those that it came from, the last one first."""
    link: BaseException | None = error
    seen = set[int]()
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__
