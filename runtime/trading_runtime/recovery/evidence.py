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
from collections.abc import Sequence
from copy import copy
from operator import eq
from typing import Any, Literal, TypeAlias

from attrs import define, field, frozen

from trading_runtime.intent import Message
from trading_runtime.operation import Target, Trace
from trading_runtime.recovery.values import at_most, same, values

Record: TypeAlias = Any

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


def search_for(message: Message, trace: Trace, since: int) -> Search:
    """The search for the records that a message caused.

    Args:
        since: When it was signed, in ms, at the earliest.
    """
    if trace.id is not None:
        return _IdSearch(message, trace, since, trace.id)
    if trace.target is None:
        return _LikenessSearch(message, trace, since)
    kind = _ReplacementSearch if trace.target.inherits else _ChangeSearch
    return kind(message, trace, since, trace.target)


@define
class Search(ABC):
    """Collects the records that may belong to one message, and judges them."""

    _message: Message
    trace: Trace
    _since: int
    _records: list[Record] = field(init=False, factory=list)

    def look_at(self, record: Record) -> bool:
        """Keep a record if it may have to do with the message; whether it was kept."""
        if kept := self._concerns(record):
            self._records.append(record)
        return kept

    @property
    def is_over(self) -> bool:
        """Whether it needs no further record, because what it has seen proves enough."""
        return False

    def evidence(self) -> Evidence:
        """What the records show, once all of them were looked at."""
        compared = (*self.trace.agrees.values(), *self.trace.at_most.values())
        if any(name not in self._message.fields for name in compared):
            return Evidence("unclear", "it lacks a field to compare with the lists", settled=True)
        return self._find()

    def joined(self, other: Search) -> Search:
        """A search that has seen what this one and another one saw, of the same message."""
        both = copy(self)
        both._records = [*self._records, *(r for r in other._records if r not in self._records)]
        return both

    @abstractmethod
    def _find(self) -> Evidence:
        """What the records show of a message that has all fields to compare."""

    def _concerns(self, record: Record) -> bool:
        """Whether to keep a record."""
        return self._may_be_new(record)

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
class _IdSearch(Search):
    """Looks for the record that a message created, by the id that both of them have."""

    _id: str

    @property
    def is_over(self) -> bool:
        """Whether it has seen a record that no other message can have made."""
        return self._message.minted and any(map(self._agrees, self._records))

    def _find(self) -> Evidence:
        found = tuple(self._records)
        if self._message.client_id is None:
            return Evidence("unclear", "it was sent without an id", settled=True)
        if not found:
            return Evidence("absent", "no list shows its id")
        if self.is_over:
            # Whatever others there are: what replaces a record has its id, and other values.
            return Evidence("executed", "a list shows its id", found, settled=True)
        if not all(self._agrees(record) for record in found):
            return Evidence("unclear", "a list shows its id, but with other values", found)
        # Their times prove nothing: the id may have been used just before as well, or just after.
        return Evidence("unclear", ANOTHERS, found, settled=True)

    def _concerns(self, record: Record) -> bool:
        return same(getattr(record, self._id), self._message.client_id)


class _LikenessSearch(Search):
    """Looks for a record with the values of the message, where the lists show no ids."""

    def _find(self) -> Evidence:
        if matching := tuple(record for record in self._records if self._agrees(record)):
            reason = "a list shows a matching record, but another message may have made it"
            return Evidence("unclear", reason, matching)
        return Evidence("absent", "no list shows a matching record")


@define
class _TargetSearch(Search):
    """Looks for the targets of a message: the records that have every id it names."""

    _target: Target

    def _concerns(self, record: Record) -> bool:
        return self._is_target(record) or self._may_be_new(record)

    def _targets(self) -> tuple[Record, ...]:
        return tuple(record for record in self._records if self._is_target(record))

    def _is_target(self, record: Record) -> bool:
        names = self._names_given()
        same_names = (same(getattr(record, field), name) for field, name in names.items())
        return bool(names) and all(same_names)

    def _names_given(self) -> dict[str, Any]:
        """The names by which the message calls its target, by the record field that holds them."""
        names, sent = self._target.names.items(), self._message.fields
        return {field: sent[name] for field, name in names if sent.get(name) is not None}

    def _is_changed(self, record: Record) -> bool:
        """Whether a record is in the state that the message leads to, since whatever time."""
        target = self._target
        return all(same(getattr(record, name), value) for name, value in target.becomes.items())

    def _was_changed_since(self, record: Record) -> bool:
        """Whether a record got into that state since the message was signed."""
        changed_at = getattr(record, self._target.changed_at)
        return self._is_changed(record) and changed_at >= self._since


class _ChangeSearch(_TargetSearch):
    """Looks whether the target was changed. Of several records of its name, the latest counts."""

    def _find(self) -> Evidence:
        targets = self._targets()
        if not targets:
            return Evidence("unclear", "no list shows the record that it should change")
        if not any(self._is_changed(record) for record in targets):
            return Evidence("absent", "the record that it should change shows no change", targets)
        latest = max(self._made_at(record) for record in targets)
        now = [record for record in targets if self._made_at(record) == latest]
        if not all(self._was_changed_since(record) for record in now):
            return Evidence("unclear", "the change may be older than the message", targets)
        # A replacement changes the target in the same way.
        if replacements := self._possible_replacements(now[0]):
            reason = "another message may have replaced the record instead"
            return Evidence("unclear", reason, replacements)
        happened = max(getattr(record, self._target.changed_at) for record in now)
        return Evidence("executed", "a list shows the change", tuple(now), happened=happened)

    def _possible_replacements(self, target: Record) -> tuple[Record, ...]:
        """The records that may have replaced a target."""
        new = (each for each in self._records if self._is_new(each))
        later = (each for each in new if self._made_at(each) >= self._made_at(target))
        others = (each for each in later if not self._is_target(each))
        return tuple(each for each in others if self._may_replace(target, each))

    def _may_replace(self, target: Record, record: Record) -> bool:
        names = values(target, self._target.names)
        if None in names:
            # Its replacement may have no name in common with it.
            return self._agrees(record)
        return any(map(eq, names, values(record, self._target.names)))


class _ReplacementSearch(_TargetSearch):
    """Looks whether the target was replaced by a record with the new values."""

    def _concerns(self, record: Record) -> bool:
        # However old it seems: the times of the lists may be far behind.
        return super()._concerns(record) or self._agrees(record)

    def _find(self) -> Evidence:
        targets = self._targets()
        if not targets:
            return Evidence("unclear", "no list shows the record that it should replace")
        replacements = self._replacements(targets)
        changed = any(map(self._is_changed, targets))
        if not changed and not any(map(self._agrees, replacements)):
            return Evidence("absent", "the record that it should replace was not replaced", targets)
        own = self._replacement_of_the_target(replacements, targets)
        if own is not None and self._took_over(own, targets) and self._agrees(own):
            happened = self._made_at(own)
            return Evidence("executed", "a list shows the replacement", (own,), happened=happened)
        if possible := replacements or self._similar(targets):
            return Evidence("unclear", "another message may have made the replacement", possible)
        return Evidence("absent", "no list shows a replacement")

    def _replacements(self, targets: Sequence[Record]) -> tuple[Record, ...]:
        """The records that may have replaced a target since, or replaced its replacement."""
        return tuple(
            each
            for each in self._records
            if (self._may_be_new(each) or self._agrees(each))
            and any(self._replaces(each, old) for old in targets)
        )

    def _similar(self, targets: Sequence[Record]) -> tuple[Record, ...]:
        """Records with the new values that did not take over all that a replacement should."""
        others = (each for each in self._records if each not in targets)
        return tuple(each for each in others if self._may_be_new(each) and self._agrees(each))

    def _replaces(self, record: Record, old: Record) -> bool:
        """Whether a record took over from another one: made later, or in the same ms."""
        later = record != old and self._made_at(old) <= self._made_at(record)
        names = self._target.inherits
        return later and values(record, names) == values(old, names)

    def _replacement_of_the_target(
        self, replacements: Sequence[Record], targets: Sequence[Record]
    ) -> Record | None:
        """What replaced the very record that the message means; None if that is not certain."""
        new = [each for each in replacements if self._is_new(each)]
        # A name that a replacement takes over means the latest record but one that has it; any
        # other name means one record, and the first replacement is its own.
        by_kept_name = any(field in self._target.inherits for field in self._names_given())
        candidates, decisive = (targets, max) if by_kept_name else (new, min)
        time = decisive((self._made_at(each) for each in candidates), default=self._since)
        found = [each for each in candidates if self._made_at(each) == time]
        before = (each for each in targets if self._made_at(each) < time)
        replaced = any(self._was_changed_since(each) for each in before)
        # Of two records of the same ms nobody knows which came first.
        return found[0] if len(found) == 1 and found[0] in new and replaced else None

    def _took_over(self, record: Record, targets: Sequence[Record]) -> bool:
        """Whether a replacement has a name of its target, which no later message gave it again."""
        kept = [field for field in self._target.names if field in self._target.inherits]
        ends = [getattr(each, self._target.changed_at) for each in targets if each != record]
        at_once = self._message.minted or self._made_at(record) in ends
        return at_once and any(name is not None for name in values(record, kept))
