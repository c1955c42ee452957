"""What a row of the matrix is: a fault, how it is made, and what a call of each kind then does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from attrs import evolve, field, frozen

from tests.faults.subjects import KINDS, SUBJECTS, Kind, Subject
from tests.pulse import SLACK
from tests.recovery_page import DECISIONS
from trading_runtime import Fault
from trading_sdk import (
    ApiError,
    ConflictError,
    DecodeError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    RateLimitError,
)

Letter = Literal["N", "U", "R", "D", "ok"]
LETTERS: Mapping[Fault | None, Letter] = {
    Fault.NOT_SENT: "N",
    Fault.NOT_TRUSTED: "N",
    Fault.MAYBE_SENT: "U",
    Fault.RATE_LIMITED: "R",
    Fault.DUPLICATE: "R",
    Fault.REFUSED: "R",
    Fault.UNREADABLE: "D",
    Fault.UNUSABLE: "D",
    None: "ok",
}
"""The classes of the fault matrix: not sent, unknown, refused, a defect answer; and no fault at all."""
_RAISED: Mapping[Fault | None, type[Exception]] = {
    Fault.NOT_SENT: NotSentError,
    Fault.NOT_TRUSTED: NotSentError,
    Fault.MAYBE_SENT: NoResponseError,
    Fault.RATE_LIMITED: RateLimitError,
    Fault.REFUSED: ApiError,
    Fault.UNREADABLE: DecodeError,
    Fault.UNUSABLE: DecodeError,
}
"""What a row expects if it does not say so itself."""
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
    """On this side: what the look-up of the host leads to, as `dialling.dialled` has it."""

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
Times = Literal["once", "always", "at the end"]
"""Which attempts meet a fault: the first; each one; the only one there is time for."""


@frozen
class Row:
    """One fault. What a call then does follows from the table of docs/recovery.md."""

    name: str
    way: Way
    fault: Fault | None = None
    """None: the call succeeds all the same."""
    times: Times = field(default="once", kw_only=True)
    raises: type[Exception] | tuple[type[Exception], ...] | None = field(default=None, kw_only=True)
    """The error where the outcome is known; None for the usual one of the fault."""
    instead: Expectations = field(factory=dict, kw_only=True)
    """By kind, where a call does not end as the table says."""
    carried_out: bool = field(default=False, kw_only=True)
    """Whether the service executes a request that meets the fault."""
    timeout: float = field(default=PATIENT, kw_only=True)
    client: Mapping[str, Any] = field(factory=dict, kw_only=True)
    """Options of the client."""
    slack: float = field(default=SLACK, kw_only=True)
    """Seconds more that are allowed for."""
    settles: int | None = field(default=None, kw_only=True)
    """The expiry window, in ms, where the outcome is waited for until the message has expired."""
    lacks: Mapping[str, str] = field(factory=dict, kw_only=True)
    """Why it does not apply, by operation; `*` for all that `only` leaves out."""
    only: frozenset[str] | None = field(default=None, kw_only=True)

    @property
    def letter(self) -> Letter:
        """Its class in the fault matrix."""
        return LETTERS[self.fault]

    def expected(self, subject: Subject) -> Expected:
        """How a call of an operation ends."""
        if self.fault is None or subject.kind in self.instead:
            return self.instead.get(subject.kind, SUCCESS)
        if self.raises is ConflictError and subject.operation.key:
            return Expected(OutcomeUnknownError)  # perhaps a duplicate of its own id, sent by a hop
        decision = DECISIONS[self.fault, subject.operation.retry]
        error = OutcomeUnknownError if decision.is_unknown else self.raises or _RAISED[self.fault]
        if not decision.again or self.times == "at the end":
            return Expected(error)
        return SUCCESS if self.times == "once" else Expected(error, ATTEMPTS)

    def slower(self, by: int) -> Row:
        """The same with so many times the time, where it is short, for a machine that is busy."""
        settles = None if self.settles is None else self.settles * by
        row = evolve(self, slack=self.slack * by, settles=settles)
        if self.timeout >= 1:
            return row
        way = self.way
        if isinstance(way, Injected) and "seconds" in way.options:
            seconds = way.options["seconds"] * by
            way = evolve(way, options={**way.options, "seconds": seconds})
        return evolve(row, way=way, timeout=self.timeout * by)

    def not_applicable(self, subject: Subject) -> str | None:
        """Why there is no such cell; None if there is one."""
        if self.only is not None and subject.name not in self.only:
            return self.lacks["*"]
        return self.lacks.get(subject.name)


def once_and_always(row: Row) -> Iterator[Row]:
    """A fault that only the first request meets, and the same on every attempt."""
    always = evolve(row, name=f"{row.name}, always", times="always")
    yield evolve(row, name=f"{row.name}, once")
    yield evolve(
        always,
        only=frozenset(
            name for name, each in SUBJECTS.items() if row.expected(each) != always.expected(each)
        ),
        lacks={"*": "it is not attempted again, so once is always"},
    )
