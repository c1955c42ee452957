"""Whom a change of a member of the IR breaks, declared on the member: `field(metadata=change(...))`.

A row says what may become of the member (`added`, `on`, `tightened`), and whom that concerns: `callers! wire`
breaks callers and concerns what is sent. The words of a row say how two values are compared. `codegen.changes`
compares by these rows, and docs/spec-changes.md has its table from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Row: TypeAlias = Mapping[str, str]


def change(*, received: Row | None = None, **row: str) -> dict[str, Row]:
    """The metadata of a member. What is received has a row of its own where that means something else."""
    return {"change": row, "received": row if received is None else received}


BREAKS = "callers! wire!"
ALLOWS = "callers wire"
_UNCHECKED: Row = {"changed": "answers"}
"""The client does not check it in what it receives."""

FOR_PEOPLE = change(text="")
"""Words for people, and where a fact comes from. They concern nobody's code."""
UNCOMPARED = change()
"""Another member says it, or it is the same for every spec."""
BY_NAME = change(named="")
"""Objects with names, of which one is added or removed."""
IN_CODE = change(changed="callers!")
"""A name of code alone."""
BEHAVIOUR = change(changed=ALLOWS)
"""The client repeats or reconciles differently; no code stops working."""
PROOF = change(added=ALLOWS, removed="callers!", changed=ALLOWS)
"""It shows what became of a message. A program that counts on it finds every unknown outcome unsettled without it."""
SWITCH = change(on="callers", off="callers")
"""It works as before, and is told."""
LIMIT = change(added=BREAKS, removed=ALLOWS, changed=BREAKS, received=_UNCHECKED)
BOUND = change(tightened=BREAKS, loosened=ALLOWS, received=_UNCHECKED)
FILLED_IN = change(added=ALLOWS, removed=BREAKS, changed=BREAKS, received=_UNCHECKED)
"""The same call does something else then, though nothing else is sent."""
ANSWER = change(added="answers!", removed="answers!", changed="answers!")
PAGE_SIZE = change(added="wire", removed="wire", changed="wire")
MESSAGE = change(changed="wire!")
