"""What the histories show of a message: carried out, not there, or not to be told; pure, no I/O.

A `Trace` (the spec's `x-reconcile`) says what to compare; each kind of trace has its own search.
Nothing is guessed: who takes an executed message for a lost one sends it twice, and who takes a
lost one for executed never does. What another message may also have caused is `unclear`, and so is
what may belong to the message only if the clocks are far apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from operator import eq
from typing import Any, Literal, TypeAlias

from attrs import define, field, frozen

from trading_runtime.intent import Message
from trading_runtime.operation import Target, Trace

Record: TypeAlias = Any

MAX_UNSEEN_SKEW_MS = 3_600_000
"""An hour: how far the times of a history may be behind those of messages without being noticed."""


Shown: TypeAlias = Literal["executed", "absent", "unclear"]
"""`executed`; `absent`: nothing that it would have caused is there; `unclear`: it may be either."""


@frozen
class Evidence:
    """What the histories show of a message, the records that show it, and why."""

    shows: Shown
    reason: str
    records: tuple[Record, ...] = ()


def search_for(message: Message, trace: Trace, since: int) -> Search:
    """The search for what a message did that was signed at `since`, in ms, or later."""
    if trace.id is not None:
        return _IdSearch(message, trace, since, trace.id)
    if trace.target is None:
        return _LikenessSearch(message, trace, since)
    kind = _ReplacementSearch if trace.target.inherits else _ChangeSearch
    return kind(message, trace, since, trace.target)


@define
class Search(ABC):
    """Looks at the records of the lists, and says what they show of one message."""

    _message: Message
    trace: Trace
    _since: int
    _records: list[Record] = field(init=False, factory=list)

    def look_at(self, record: Record) -> None:
        """Keep a record that may have to do with the message."""
        if self._concerns(record):
            self._records.append(record)

    @property
    def is_over(self) -> bool:
        """Whether it has seen the id of the message, so that it needs no further record."""
        return self.trace.id is not None and bool(self._records)

    def evidence(self) -> Evidence:
        """What all that it has looked at shows."""
        compared = (*self.trace.agrees.values(), *self.trace.at_most.values())
        if any(name not in self._message.fields for name in compared):
            return Evidence("unclear", "it does not say all that would have to be compared")
        return self._find()

    @abstractmethod
    def _find(self) -> Evidence:
        """What they show of a message that says enough."""

    def _concerns(self, record: Record) -> bool:
        return self._may_be_new(record)

    def _is_new(self, record: Record) -> bool:
        """Whether it was made since the message was signed."""
        return self._made(record) >= self._since

    def _may_be_new(self, record: Record) -> bool:
        """Whether it was made since then, by whatever clock."""
        return self._made(record) >= self._since - MAX_UNSEEN_SKEW_MS

    def _made(self, record: Record) -> int:
        made: int = getattr(record, self.trace.made_at)
        return made

    def _agrees(self, record: Record) -> bool:
        """Whether a record says what the message says, as far as the trace compares them."""
        sent, trace = self._message.fields, self.trace
        return all(
            _same(getattr(record, field), sent.get(name)) for field, name in trace.agrees.items()
        ) and all(
            _at_most(getattr(record, field), sent.get(name))
            for field, name in trace.at_most.items()
        )


@define
class _IdSearch(Search):
    """Looks for the id of a message that makes a record."""

    _id: str

    def _find(self) -> Evidence:
        found = tuple(self._records)
        if self._message.client_id is None:
            return Evidence("unclear", "it was sent without an id")
        if not found:
            return Evidence("absent", "no list shows its id")
        if not all(self._agrees(record) for record in found):
            return Evidence("unclear", "its id stands on something else", found)
        # What replaced an older record bears its id as well.
        if not all(self._is_new(record) for record in found):
            return Evidence("unclear", "its id was used before", found)
        return Evidence("executed", "a list shows its id", found)

    def _concerns(self, record: Record) -> bool:
        return _same(getattr(record, self._id), self._message.client_id)


class _LikenessSearch(Search):
    """Looks for a record like the one that a message makes whose id no list shows."""

    def _find(self) -> Evidence:
        if alike := tuple(record for record in self._records if self._agrees(record)):
            why = "a list shows something like it, without the id that would tell"
            return Evidence("unclear", why, alike)
        return Evidence("absent", "no list shows anything like it")


@define
class _TargetSearch(Search):
    """Looks for the targets of a message: records that bear the name by which it calls one."""

    _target: Target

    def _concerns(self, record: Record) -> bool:
        return self._is_target(record) or self._may_be_new(record)

    def _targets(self) -> tuple[Record, ...]:
        return tuple(record for record in self._records if self._is_target(record))

    def _is_target(self, record: Record) -> bool:
        names = self._names_given().items()
        return any(_same(getattr(record, field), name) for field, name in names)

    def _names_given(self) -> dict[str, Any]:
        """What the message calls its target, by the field of a record that holds such a name."""
        names, sent = self._target.names.items(), self._message.fields
        return {field: sent[name] for field, name in names if sent.get(name) is not None}

    def _has_become(self, record: Record) -> bool:
        """Whether a record is what the message makes of it, since whenever."""
        target = self._target
        return all(_same(getattr(record, name), value) for name, value in target.becomes.items())

    def _became(self, record: Record) -> bool:
        """Whether a record has become what the message makes of it, since it was signed."""
        return self._has_become(record) and getattr(record, self._target.changed_at) >= self._since


class _ChangeSearch(_TargetSearch):
    """Looks whether the target, the latest that bears its name, became what it should."""

    def _find(self) -> Evidence:
        targets = self._targets()
        if not targets:
            return Evidence("unclear", "no list shows what it would change")
        if not any(self._has_become(record) for record in targets):
            return Evidence("absent", "what it would change is as it was", targets)
        latest = max(self._made(record) for record in targets)
        now = [record for record in targets if self._made(record) == latest]
        if not all(self._became(record) for record in now):
            return Evidence("unclear", "it may have been changed before", targets)
        # Another message may have put something into its place, which changes it just the same.
        if instead := self._in_its_place(now[0]):
            return Evidence("unclear", "it may have been replaced instead", instead)
        return Evidence("executed", "a list shows the change", tuple(now))

    def _in_its_place(self, target: Record) -> tuple[Record, ...]:
        """The records that may have replaced a target."""
        new = (each for each in self._records if self._is_new(each))
        later = (each for each in new if self._made(each) >= self._made(target))
        others = (each for each in later if not self._is_target(each))
        return tuple(each for each in others if self._may_replace(target, each))

    def _may_replace(self, target: Record, record: Record) -> bool:
        names = _values(target, self._target.names)
        if None in names:
            # What took its place may share no name with it.
            return self._agrees(record)
        return any(map(eq, names, _values(record, self._target.names)))


class _ReplacementSearch(_TargetSearch):
    """Looks whether the target gave way to a record with the new values, its heir."""

    def _find(self) -> Evidence:
        targets = self._targets()
        if not targets:
            return Evidence("unclear", "no list shows what it would replace")
        heirs = self._heirs(targets)
        if not any(map(self._has_become, targets)) and not any(map(self._agrees, heirs)):
            return Evidence("absent", "what it would replace is as it was", targets)
        heir = self._next_heir(heirs, targets)
        if heir is not None and self._keeps_a_name(heir) and self._agrees(heir):
            return Evidence("executed", "a list shows what replaced it", (heir,))
        if instead := heirs or self._strangers(targets):
            return Evidence("unclear", "it may have been replaced, by it or another", instead)
        return Evidence("absent", "what it would replace is gone, and nothing replaced it")

    def _heirs(self, targets: Sequence[Record]) -> tuple[Record, ...]:
        """The records that may have replaced a target since, or replaced what did."""
        new = (each for each in self._records if self._may_be_new(each))
        return tuple(each for each in new if any(self._inherits(each, old) for old in targets))

    def _strangers(self, targets: Sequence[Record]) -> tuple[Record, ...]:
        """Records with the new values that took over less than an heir should."""
        others = (each for each in self._records if each not in targets)
        return tuple(each for each in others if self._may_be_new(each) and self._agrees(each))

    def _inherits(self, record: Record, old: Record) -> bool:
        """Whether a record was made after another one, or in the same ms, and took over from it."""
        later = record != old and self._made(old) <= self._made(record)
        names = self._target.inherits
        return later and _values(record, names) == _values(old, names)

    def _next_heir(self, heirs: Sequence[Record], targets: Sequence[Record]) -> Record | None:
        """The heir of the very record that the message meant; None if nobody can tell it."""
        new = [each for each in heirs if self._is_new(each)]
        # A name that goes over to the heir meant the last record before the latest that bears it.
        by_kept_name = any(field in self._target.inherits for field in self._names_given())
        candidates, decisive = (targets, max) if by_kept_name else (new, min)
        time = decisive((self._made(each) for each in candidates), default=self._since)
        found = [each for each in candidates if self._made(each) == time]
        gone = (each for each in targets if self._became(each) and self._made(each) < time)
        # Of two of the same ms nobody knows which came first.
        return found[0] if len(found) == 1 and found[0] in new and any(gone) else None

    def _keeps_a_name(self, heir: Record) -> bool:
        """Whether an heir bears a name that went over to it, and that nothing else has."""
        kept = [field for field in self._target.names if field in self._target.inherits]
        return any(name is not None for name in _values(heir, kept))


def _values(record: Record, fields: Iterable[str]) -> list[Any]:
    return [getattr(record, field) for field in fields]


def _at_most(value: Decimal, sent: Any) -> bool:
    """Whether an amount, gained or spent, is not above the one that was sent."""
    try:
        return abs(value) <= Decimal(sent)
    except (InvalidOperation, TypeError, ValueError):
        return True  # what cannot be compared may be it


def _same(value: Any, sent: Any) -> bool:
    """Whether a record says what was sent, which stands there as JSON has it."""
    if value is None or sent is None:
        return value is sent
    if isinstance(value, Decimal):
        try:
            return value == Decimal(sent)
        except InvalidOperation:
            return False
    return str(value).lower() == str(sent).lower()
