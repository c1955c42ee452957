"""What is told about a kind of fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from attrs import Factory, frozen

from trading_sandbox.faults.answer import Answer, Script
from trading_sandbox.faults.fault import Fault

REQUIRED: Final = object()
"""Stands for the default of an option that must be given."""

Class = Literal["N", "U", "D", "R", "success"]
"""What a client should make of it: not sent, unknown, unusable, refused, or nothing at all."""

Executed = Literal["never", "always", "no, unless told", "yes, unless told"]


@frozen(kw_only=True)
class Kind:
    """One kind of fault."""

    name: str
    meaning: str
    outcome: Class
    spoil: Callable[[Answer, Fault], Script] | None
    """Says how the answer is sent; None where the fault meets no request but the whole server."""

    options: Mapping[str, Any] = Factory(dict)
    """The default of each option that it takes."""

    executed: Executed
    meets: Literal["any", "list", "next page"] = "any"
    """Which requests it waits for: all of its operation, lists, or lists with a cursor."""

    on_head: bool = False
    """It strikes as soon as the head of a request is read."""

    waits_first: bool = False
    """It waits before the exchange is told of the request."""

    about_next: bool = False
    """The request is carried out always; `executed` is about the next one on its connection."""

    choices: Mapping[str, Sequence[Any]] = Factory(dict)
    """The only values that an option may have."""

    largest_size: int = 2**30

    @property
    def executed_by_default(self) -> bool:
        """Whether the exchange carries the request out when nothing else is said."""
        return self.executed in ("always", "yes, unless told")

    @property
    def executed_may_be_told(self) -> bool:
        """Whether both are possible."""
        return self.executed.endswith("told")
