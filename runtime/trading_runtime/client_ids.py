"""Client order ids and idempotency keys: which the SDK made, and which are promised to be unique.

Nobody else knows an id that the SDK makes inside of a call before the call ends, so a record that has it was
made by that message: unless an error told the program the id, and the program gave it to another message.
"""

from __future__ import annotations

import os
from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias
from uuid import UUID

Use: TypeAlias = tuple[str, str]
"""An account, and an id of one of its messages, as `plain_id` has it."""
MAX_REFUSED = 10_000
"""Ids of refused messages that a process remembers to have told."""


class MintedUUID(UUID):
    """A random UUID that was made here for one model. A copy of it is a plain UUID, as if the caller gave it."""

    is_new: bool
    """Whether its model is still to take it over. Whoever makes it sets it past the lock of a UUID."""

    def __reduce__(self) -> tuple[Any, ...]:
        return UUID, (str(self),)

    def __repr__(self) -> str:
        return f"UUID({str(self)!r})"


def plain_id(text: str) -> str:
    """An id as all its spellings mean it: with and without hyphens, capitals or `urn:uuid:`."""
    try:
        return str(UUID(text.strip()))
    except ValueError:
        return text.lower()


# Of the process, because a program may give an id that one client told to another client.
shown_ids: dict[Use, bool] = {}
"""The ids that errors told the program, and whether a message of this process carried one since."""
_refused: deque[Use] = deque()
"""Those of refused messages, of which there may be many. The others are few."""


def tell(uses: Iterable[Use]) -> None:
    """Note ids of unknown outcomes, which the program knows from now on."""
    for each in uses:
        shown_ids.setdefault(each, False)


def tell_refused(uses: Iterable[Use]) -> None:
    """Note ids of a refused message, for some time."""
    new = [each for each in uses if each not in shown_ids]
    tell(new)
    _refused.extend(new)
    while len(_refused) > MAX_REFUSED:
        if not was_given(oldest := _refused.popleft()):
            shown_ids.pop(oldest, None)


def give(uses: Iterable[Use]) -> None:
    """Note ids that a message carries which were not made in its call."""
    for each in uses:
        if each in shown_ids:
            shown_ids[each] = True


def was_given(use: Use) -> bool:
    """Whether another message of this process carried an id after its error told it."""
    return shown_ids.get(use, False)


def _give_all() -> None:
    """After a fork, the other process may give any of them."""
    shown_ids.update(dict.fromkeys(shown_ids, True))


# Windows, where it is missing, has no forks.
getattr(os, "register_at_fork", lambda **_: None)(
    after_in_parent=_give_all, after_in_child=_give_all
)


# -- the promise of unique ids ----------------------------------------------------------------

MAX_GIVEN = 10_000
"""Ids that a client remembers."""


class GivenIds:
    """The ids of a client whose user promises that none is given to two messages (`unique_ids`).

    `reconcile` then takes a record with such an id for the message's own. A second message with it would be
    taken for the first one, so it is not sent. Kept are the latest ids of messages that were executed, or may
    be, with their calls. Each step is atomic: it needs no lock.
    """

    def __init__(self) -> None:
        """Begin with no id."""
        self._calls: OrderedDict[str, str] = OrderedDict()

    def take(self, call: str, ids: Sequence[str | None]) -> str | None:
        """Take the ids of the messages of a call. If one is another message's, return it and take none."""
        given = [plain_id(each) for each in ids if each is not None]
        for index, id_ in enumerate(given):
            if id_ in given[:index] or self._calls.setdefault(id_, call) != call:
                self.free(call, ids)
                return id_
        while len(self._calls) > MAX_GIVEN:
            self._calls.popitem(last=False)
        return None

    def free(self, call: str, ids: Sequence[str | None]) -> None:
        """Forget the ids of messages of a call that were not executed; not those of another call."""
        for each in ids:
            if each is not None and self._calls.get(id_ := plain_id(each)) == call:
                self._calls.pop(id_, None)
