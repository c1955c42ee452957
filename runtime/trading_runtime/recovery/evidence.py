"""Decides what the service's histories show of a message: executed, absent, or unclear. No I/O.

The message's `Trace` (`x-reconcile` in the spec) says which fields to compare. There is one search
for each kind of message: it creates a record with an id or without, changes one, or replaces one.

Nothing is guessed, because a wrong answer costs money: an executed order that is taken for absent
is sent twice, and an absent one that is taken for executed is never sent. A record that another
message may have caused is `unclear`, and so is one that belongs to the message only if the
clocks of the two sides are far apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from typing import Any, Literal, TypeAlias

from attrs import define, field, frozen

from trading_runtime.call.lookup import Record, Unreadable
from trading_runtime.intent import Message
from trading_runtime.operation import Trace
from trading_runtime.recovery.values import at_most, is_number, letters, same

MAX_UNSEEN_SKEW_MS = 3_600_000
"""An hour: how far the times of a history may be behind those of messages without being noticed."""
ANOTHERS = "a list shows its id, but perhaps of another message that used it"
"""Why a record does not prove that a message was executed whose id the caller gave."""

Shown: TypeAlias = Literal["executed", "absent", "unclear"]
"""`executed`; `absent`: no record shows that it was executed; `unclear`: it may be either."""


@frozen
class Evidence:
    """What the histories show of a message, why, and the records that show it."""

    shows: Shown
    reason: str
    records: tuple[Record, ...] = ()
    settled: bool = field(default=False, eq=False)
    """Whether no later look at the lists can make a difference: it rests on no record's absence."""
    happened: int | None = field(default=None, eq=False)
    """When what it shows was done, in ms; None if that is not known."""


@define
class Search(ABC):
    """Collects the records that may belong to one message, and judges them."""

    _message: Message
    trace: Trace
    _since: int
    _records: list[Record] = field(init=False, factory=list)
    _unreadable: list[Unreadable] = field(init=False, factory=list)
    is_over: bool = field(init=False, default=False)
    """Whether it needs no further record, because what it has seen proves enough."""

    def look_at(self, record: Record | Unreadable) -> bool:
        """Keep a record if it may have to do with the message; whether it was kept."""
        if isinstance(record, Unreadable):
            if kept := self._may_concern(record.fields):
                self._unreadable.append(record)
        elif kept := self._concerns(record):
            self._records.append(record)
            self.is_over = self.is_over or self._is_proof(record)
        return kept

    def evidence(self) -> Evidence:
        """What the records show, once all of them were looked at."""
        compared = (*self.trace.agrees.values(), *self.trace.at_most.values())
        if any(name not in self._message.fields for name in compared):
            return Evidence("unclear", "it lacks a field to compare with the lists", settled=True)
        found = self._find()
        if self._unreadable and not found.settled:
            reason = f"a list has a record that cannot be read ({self._unreadable[0].why}), perhaps its own"
            return Evidence("unclear", reason, found.records)
        return found

    def joined(self, other: Search) -> Search:
        """A search that has seen what this one and another one saw, of the same message."""
        both, known = copy(self), set(map(repr, self._records))
        both._records, both._unreadable = [*self._records], [*self._unreadable, *other._unreadable]
        for record in (each for each in other._records if repr(each) not in known):
            both.look_at(record)
        return both

    @abstractmethod
    def _find(self) -> Evidence:
        """What the records show of a message that has all fields to compare."""

    def _concerns(self, record: Record) -> bool:
        """Whether to keep a record."""
        return self._may_be_new(record)

    @abstractmethod
    def _may_concern(self, fields: Mapping[str, Any]) -> bool:
        """Whether a record that cannot be read may have to do with the message, by its fields as JSON."""

    def _is_proof(self, record: Record) -> bool:
        """Whether no other message can have made a record."""
        return False

    def _is_new(self, record: Record) -> bool:
        """Whether a record was made since the message was signed."""
        return self._made_at(record) >= self._since

    def _may_be_new(self, record: Record) -> bool:
        """Whether a record was made since then if the clocks are as far apart as they may be."""
        return self._made_at(record) >= self._since - MAX_UNSEEN_SKEW_MS

    def _made_at(self, record: Record) -> int:
        made_at: int = getattr(record, self.trace.made_at)
        return made_at

    def _agrees(self, record: Record) -> bool:
        """Whether a record has the values of the message, in the fields that the trace compares."""
        sent, trace = self._message.fields, self.trace
        return all(
            same(getattr(record, field), sent.get(name)) for field, name in trace.agrees.items()
        ) and all(
            at_most(getattr(record, field), sent.get(name)) for field, name in trace.at_most.items()
        )


@define
class IdSearch(Search):
    """Looks for the record that a message created, by the id that both of them have."""

    _id: str

    def _find(self) -> Evidence:
        found = tuple(self._records)
        if self._message.client_id is None:
            return Evidence("unclear", "it was sent without an id", settled=True)
        if not found:
            return Evidence("absent", "no list shows its id")
        if self.is_over:
            # An edit makes a record with the same id and other values, which may be listed, too.
            return Evidence("executed", "a list shows its id", found, settled=True)
        if self._message.minted and (differing := self._other_numbers(found[0])):
            reason = f"a list shows its id, with other values: {differing}"
            return Evidence("executed", reason, found, settled=True)
        if not all(self._agrees(record) for record in found):
            return Evidence("unclear", "a list shows its id, but with other values", found)
        # Their times prove nothing: the id may have been used just before as well, or just after.
        return Evidence("unclear", ANOTHERS, found, settled=True)

    def _concerns(self, record: Record) -> bool:
        return same(getattr(record, self._id), self._message.client_id)

    def _may_concern(self, fields: Mapping[str, Any]) -> bool:
        told, own = fields.get(self._id, self._message.client_id), self._message.client_id
        if not isinstance(told, str) or own is None:
            return told is not None
        # In whatever spelling, also with something before it.
        return letters(told).endswith(letters(own))

    def _is_proof(self, record: Record) -> bool:
        return self._message.minted and self._agrees(record)

    def _other_numbers(self, record: Record) -> str:
        """The prices and amounts of a record that are not as sent; empty if more than these differ."""
        sent = self._message.fields
        pairs = [(f, getattr(record, f), sent.get(name)) for f, name in self.trace.agrees.items()]
        differing = [(field, told, said) for field, told, said in pairs if not same(told, said)]
        if not all(is_number(told) for _, told, _ in differing):
            return ""
        return ", ".join(f"{field} is {told} (sent: {said})" for field, told, said in differing)


class LikenessSearch(Search):
    """Looks for a record with the values of the message, where the lists show no ids."""

    def _find(self) -> Evidence:
        if matching := tuple(record for record in self._records if self._agrees(record)):
            reason = "a list shows a matching record, but another message may have made it"
            return Evidence("unclear", reason, matching)
        return Evidence("absent", "no list shows a matching record")

    def _may_concern(self, fields: Mapping[str, Any]) -> bool:
        return False  # such records settle nothing
