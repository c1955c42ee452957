"""What a row of the matrix is: a fault, how it is made, and what a call of each kind then does."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from attrs import evolve, field, frozen

from tests.faults.subjects import KINDS, SUBJECTS, Kind, Subject
from trading_sdk import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    DecodeError,
    InternalServerError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    RateLimitError,
)

Letter = Literal["N", "U", "R", "D", "ok"]
ATTEMPTS = 3
"""Attempts that the client of a cell makes where it may."""
HASTY = 0.3
"""Seconds that a call takes at most where only the deadline ends it."""
NEVER = 0.15
"""The same where no connection can be made, however long it takes."""
PATIENT = 5.0
"""Seconds that it takes at most where the fault ends it."""


@frozen
class Expected:
    """How a call ends, and how many of its requests meet the fault."""

    error: type[Exception] | tuple[type[Exception], ...] | None = None
    """None: it succeeds."""
    meets: int | None = 1
    """None: as many as there is time for."""


Expectations: TypeAlias = Mapping[Kind, Expected]

SUCCESS = Expected()


def every(expected: Expected) -> Expectations:
    """The same for every kind of call."""
    return dict.fromkeys(KINDS, expected)


def reads(expected: Expected, others: Expected) -> Expectations:
    """What is only read, and what may change something."""
    return {**every(others), "GET": expected, "signed read": expected}


def unknown(read: Expected) -> Expectations:
    """Whatever may change something has an outcome that is not known, and is not sent again."""
    return reads(read, Expected(OutcomeUnknownError))


# -- the classes of the fault matrix ---------------------------------------------------------

CONNECTED_LATER = every(SUCCESS)
NEVER_CONNECTED = every(Expected(NotSentError, ATTEMPTS))
NOT_SENT = every(Expected(NotSentError))
REPEATED = unknown(SUCCESS)
NO_ANSWER = unknown(Expected(NoResponseError, ATTEMPTS))
TOO_LATE = unknown(Expected(NoResponseError))
FAILS = unknown(Expected(InternalServerError, ATTEMPTS))
UNUSABLE = unknown(Expected(DecodeError))
UNREADABLE = unknown(Expected(DecodeError, ATTEMPTS))
MOVED = unknown(Expected(ApiError))
STALE: Expectations = {
    **every(Expected((BadRequestError, AuthenticationError))),
    "GET": SUCCESS,
}
LIMITED_ONCE: Expectations = {
    **reads(SUCCESS, Expected(RateLimitError)),
    "idempotent POST": SUCCESS,
}
LIMITED: Expectations = {
    **reads(Expected(RateLimitError, ATTEMPTS), Expected(RateLimitError)),
    "idempotent POST": Expected(RateLimitError, ATTEMPTS),
}


def refused(error: type[ApiError]) -> Expectations:
    return every(Expected(error))


# -- how faults are made ---------------------------------------------------------------------


@frozen
class Injected:
    """By the sandbox, on a request of the call."""

    kind: str
    options: Mapping[str, Any] = MappingProxyType({})
    fields: Mapping[str, str] = MappingProxyType({})
    """The field that is spoiled, by operation; where none is named it is the first."""


@frozen
class Before:
    """By the sandbox, on the call before on the same connection."""

    kind: str
    options: Mapping[str, Any] = MappingProxyType({})
    pause: float = 0.0
    """Seconds from that call to the one that is looked at."""
    clock: bool = False
    """The call itself meets the same, as if the clock was always off."""


@frozen
class Redirected:
    """By the sandbox: an answer that points to another server, which listens."""

    status: int
    base: str
    """Where that is, with `{port}`."""


@frozen
class Dialled:
    """On this side: what the look-up of the host leads to, by name in `dialling.PLANS`."""

    plan: str


@frozen
class Secured:
    """On this side: a TLS server that is not what it should be, by name in `dialling.PLAYS`."""

    play: str


@frozen
class Story:
    """In more than one call, or process, by name in `stories.PLAYS`."""

    name: str
    plan: str | None = None
    """What the look-up of the host leads to, if that is not the service at once."""


Way: TypeAlias = Injected | Before | Redirected | Dialled | Secured | Story


@frozen(kw_only=True)
class Row:
    """One fault."""

    name: str
    letter: Letter
    way: Way
    expects: Expectations
    carried_out: bool = False
    """Whether the service executes a request that meets the fault."""
    timeout: float = PATIENT
    client: Mapping[str, Any] = field(factory=dict)
    """Options of the client."""
    late: float = 0.0
    """Seconds after the deadline at which a call may end."""
    settles: bool = False
    """Whether the outcome is waited for until the message has expired."""
    lacks: Mapping[str, str] = field(factory=dict)
    """Why it does not apply, by operation; `*` for all that `only` leaves out."""
    only: frozenset[str] | None = None

    def expected(self, subject: Subject) -> Expected:
        return self.expects[subject.kind]

    def not_applicable(self, subject: Subject) -> str | None:
        """Why there is no such cell; None if there is one."""
        if self.only is not None and subject.name not in self.only:
            return self.lacks["*"]
        return self.lacks.get(subject.name)


def once_and_always(row: Row, always: Expectations = NO_ANSWER) -> tuple[Row, Row]:
    """A fault that only the first request meets, and the same on every attempt."""
    attempted_again = {
        name for name, each in SUBJECTS.items() if row.expects[each.kind] != always[each.kind]
    }
    return (
        evolve(row, name=f"{row.name}, once"),
        evolve(
            row,
            name=f"{row.name}, always",
            expects=always,
            only=frozenset(attempted_again),
            lacks={"*": "it is not attempted again, so once is always"},
        ),
    )
