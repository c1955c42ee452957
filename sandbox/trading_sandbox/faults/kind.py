"""The description of a kind of fault: its options, its default behaviour, its outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from attrs import Factory, frozen

from trading_sandbox.faults.answer import Answer, Script
from trading_sandbox.faults.fault import Fault

REQUIRED: Final = object()
"""Marks an option that has no default and must be given."""

Class = Literal["N", "U", "D", "R", "success"]
"""The outcome for a client: N not sent, U unknown, D answer unusable, R refused, or success."""

Executed = Literal["never", "always", "no, unless told", "yes, unless told"]


@frozen(kw_only=True)
class Kind:
    """One kind of fault."""

    name: str
    meaning: str
    outcome: Class
    spoil: Callable[[Answer, Fault], Script] | None
    """Makes the script of the spoiled answer; None if the fault affects the whole server."""

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
