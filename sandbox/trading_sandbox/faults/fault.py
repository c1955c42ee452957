"""An injected fault, the kinds of faults, and the options of each."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import attrs
from attrs import Factory, frozen

from trading_runtime import Operation
from trading_sandbox.faults.answers import Answer
from trading_sandbox.faults.playback import Script

REQUIRED: Final = inspect.Parameter.empty
"""Marks an option or argument that has no default and must be given."""

Outcome = Literal["N", "U", "D", "R", "success"]
"""The outcome for a client: N not sent, U unknown, D answer unusable, R refused, or success."""

Executed = Literal["never", "always", "no, unless told", "yes, unless told"]


@frozen(kw_only=True)
class Fault:
    """An injected fault. Options that its kind does not take have a neutral value."""

    operation: str
    """Operation that it waits for, `*` for any. Once taken: the operation of the request."""

    kind: str
    times: int = 1
    """How many more requests it applies to."""

    executed: bool = True
    """Whether the exchange executes the request."""

    status: int = 200
    body: bytes | None = None
    headers: Mapping[str, str] = Factory(dict)
    seconds: float = 0.0
    offset_ms: int = 0
    """How far ahead the clock is that checks the request's timestamp, in ms."""

    field: str | None = None
    value: Any = None
    location: str = ""
    keep: int | None = None
    """How many bytes of a cut part are sent; None: the default of the kind."""

    size: int = 0

    taken_by: Operation[Any] | None = attrs.field(default=None, eq=False, repr=False)
    """The operation of the request that took it; None while it waits."""


Spoil = Callable[[Answer, Fault], Script]
"""Makes the script of the spoiled answer from the true one."""


@frozen(kw_only=True)
class Kind:
    """One kind of fault."""

    name: str
    meaning: str
    outcome: Outcome
    outcome_of_post: Outcome | None = None
    """The outcome of a POST, where it differs."""
    spoil: Spoil | None
    """None if the fault affects the whole server."""

    options: Mapping[str, Any] = Factory(dict)
    """The default of each option that it takes."""

    executed: Executed
    meets: Literal["any", "list", "next page"] = "any"
    """Which requests of its operation it applies to: all, lists, or lists with a cursor."""

    on_head: bool = False
    """Whether it happens as soon as the head of a request is read."""

    waits_first: bool = False
    """Whether it waits before the exchange gets the request."""

    about_next: bool = False
    """Whether it affects the next request on the connection, to which `executed` then refers.

    The request that takes the fault is always executed.
    """

    needs: Literal["reused connection", "listener"] | None = None
    """What a test harness must do or have: send two requests on one connection, or reconnect."""

    choices: Mapping[str, Sequence[Any]] = Factory(dict)
    """By option: the only values that it may have."""

    largest_size: int = 2**30

    @property
    def executed_by_default(self) -> bool:
        """Whether the exchange executes the request if `executed` is not given."""
        return self.executed in ("always", "yes, unless told")

    @property
    def executed_may_be_told(self) -> bool:
        """Whether `executed` can be chosen for this kind."""
        return self.executed.endswith("told")


def kind(outcome: Outcome, executed: Executed, **more: Any) -> Callable[[Spoil], Kind]:
    """Make a function that spoils an answer a kind of fault.

    The kind has the name of the function, and its docstring as its meaning; `more` are its other
    fields.
    """

    def decorate(spoil: Spoil) -> Kind:
        meaning = " ".join((spoil.__doc__ or "").split())
        return Kind(
            name=spoil.__name__,
            meaning=meaning,
            outcome=outcome,
            executed=executed,
            spoil=spoil,
            **more,
        )

    return decorate
