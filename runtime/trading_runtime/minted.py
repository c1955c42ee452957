"""Client order ids and idempotency keys that the SDK makes inside of a call.

Nobody else knows such an id before its call ends, so a record that has it was made by that message:
unless an error told the program the id, and the program gave it to another message.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, TypeAlias
from uuid import UUID

UUID_TEXT = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
Use: TypeAlias = tuple[str, str]
"""An account, and an id of one of its messages in lower case."""
MAX_TOLD = 10_000
"""Ids that a process remembers to have told."""


class MintedUUID(UUID):
    """A random UUID that was made here for one model. A copy of it is a plain UUID, as if the caller gave it."""

    is_new: bool
    """Whether its model is still to take it over. Whoever makes it sets it past the lock of a UUID."""

    def __reduce__(self) -> tuple[Any, ...]:
        return UUID, (str(self),)

    def __repr__(self) -> str:
        return f"UUID({str(self)!r})"


# Of the process, because a program may give an id that one client told to another client.
told: OrderedDict[Use, bool] = OrderedDict()
"""The latest ids that errors told the program, and whether a message of this process carried one since."""


def tell(uses: Iterable[Use]) -> None:
    """Note ids that the program knows from now on."""
    for each in uses:
        told.setdefault(each, False)
    while len(told) > MAX_TOLD:
        told.popitem(last=False)


def give(uses: Iterable[Use]) -> None:
    """Note ids that a message carries which were not made in its call."""
    for each in uses:
        if each in told:
            told[each] = True


def was_given(use: Use) -> bool:
    """Whether another message of this process carried an id after its error told it."""
    return told.get(use, False)
