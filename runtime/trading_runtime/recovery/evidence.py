"""Decides what the service's histories show of a message: executed, absent, or unclear. No I/O.

The message's `Trace` (`x-reconcile` in the spec) says which fields to compare. There is one search
for each kind of message: it creates a record with an id or without, changes one, or replaces one.

Nothing is guessed, because a wrong answer costs money: an executed order that is taken for absent
is sent twice, and an absent one that is taken for executed is never sent. A record that another
message may have caused is `unclear`, and so is one that belongs to the message only if the
clocks of the two sides are far apart.

Values are compared as numbers where they are numbers, whatever the decimal context of the caller is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from decimal import Context, Decimal, InvalidOperation
from operator import eq
from typing import Any, Literal, TypeAlias
from uuid import UUID

from attrs import define, field, frozen

from trading_runtime.checks import letters
from trading_runtime.codec.models import is_unknown
from trading_runtime.errors import one_line
from trading_runtime.intent import ANOTHERS, Message, plain_id
from trading_runtime.operation import Target, Trace
from trading_runtime.shown import Shown

Record: TypeAlias = Any
MAX_UNSEEN_SKEW_MS = 3_600_000
"""An hour: how far the times of a history may be behind those of messages without being noticed."""
_IN_PLACE = (
    "the record that it should replace has the new values itself, or was touched since it was signed: it "
    "may have been changed in place"
)
_ENDED = "the record that it should replace was ended, but no list shows a replacement"
_UNKNOWN_STATE = "the record has a state that this version does not know, which proves nothing"
_PLAIN = (str, int, bool, type(None))
_STRICT = Context(traps=[InvalidOperation])
"""Raises for a text that is no number, whatever the decimal context of the caller is."""


@frozen(repr=False)
class Unreadable(Shown):
    """A record that is not as the spec says. It matters only where it may belong to the message."""

    fields: Mapping[str, Any]
    """Its fields of the plain types of JSON."""
    why: str
    """What is wrong with it."""


def unreadable(value: Any, why: str) -> Unreadable:
    """What stands for a record that cannot be read, so that it does not hide the others of its page."""
    fields = value if isinstance(value, dict) else {}
    return Unreadable({k: v for k, v in fields.items() if type(v) in _PLAIN}, one_line(why))


@frozen
class Evidence:
    """What the histories show of a message, why, and the records that show it."""

    shows: Literal["executed", "absent", "unclear"]
    """`absent`: no record shows that it was executed; `unclear`: it may be either."""
    reason: str
    records: tuple[Record, ...] = ()
    settled: bool = field(default=False, eq=False)
    """Whether no later look at the lists can change it, because it rests on no record's absence."""
    happened: int | None = field(default=None, eq=False)
    """The time of the change that the records show, in ms; None if it is not known."""


@define
class Search(ABC):
    """Collects the records that may belong to one message, and judges them."""

    _message: Message
    trace: Trace
    _since: int
    _records: list[Record] = field(init=False, factory=list)
    _unreadable: list[Unreadable] = field(init=False, factory=list)
    is_over: bool = field(init=False, default=False)
    """Whether a record has proved that the message was executed, so that no further one is needed."""

    def look_at(self, record: Record | Unreadable) -> None:
        """Keep a record if it may have to do with the message."""
        if isinstance(record, Unreadable):
            if self._may_concern(record.fields):
                self._unreadable.append(record)
        elif self._concerns(record):
            self._records.append(record)
            self.is_over = self.is_over or self._is_proof(record)

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
        """The search with the records of this one and of another one, for the same message."""
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
        """Whether a record may have been made since the message was signed, if the clocks are far apart."""
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


@define
class _TargetSearch(Search):
    """Looks for the targets of a message: the records that have every id it names."""

    _target: Target

    def _concerns(self, record: Record) -> bool:
        return self._is_target(record) or self._may_be_new(record) or self._was_touched(record)

    def _was_touched(self, record: Record) -> bool:
        """Whether a record shows any change since the message was signed."""
        changed_at: int = getattr(record, self._target.changed_at)
        return changed_at >= self._since

    def _may_concern(self, fields: Mapping[str, Any]) -> bool:
        target, agrees = self._target, self.trace.agrees
        times = (fields.get(self.trace.made_at), fields.get(target.changed_at))
        if any(type(time) is int and time < self._since - MAX_UNSEEN_SKEW_MS for time in times):
            return self._names_in(fields)  # too old for what replaced the target
        kept = [field for field in agrees if field in target.inherits or not target.inherits]
        pairs = [(fields.get(field), self._message.fields.get(agrees[field])) for field in kept]
        return all(not isinstance(told, str) or same(told, sent) for told, sent in pairs)

    def _names_in(self, fields: Mapping[str, Any]) -> bool:
        """Whether a record that cannot be read may have every name that the message gives its target."""
        names = self._names_given().items()
        told = ((fields.get(field), name) for field, name in names)
        return all(not isinstance(each, (str, int)) or same(each, name) for each, name in told)

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
        """Whether a record is in the state that the message leads to."""
        target = self._target
        return all(same(getattr(record, name), value) for name, value in target.becomes.items())

    def _is_known(self, record: Record) -> bool:
        """Whether the state of a record is one that this version knows: an unknown one is a plain text."""
        states = values(record, self._target.becomes)
        return self._is_changed(record) or not any(map(is_unknown, states))

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
            if not all(map(self._is_known, targets)):
                return Evidence("unclear", _UNKNOWN_STATE, targets)
            return Evidence("absent", "the record that it should change shows no change", targets)
        latest = max(self._made_at(record) for record in targets)
        now = [record for record in targets if self._made_at(record) == latest]
        if not all(self._was_changed_since(record) for record in now):
            return Evidence("unclear", "the change may be older than the message", targets)
        if self._may_be_reused(latest, targets):
            reason = "a later record has its name, and the change may be that one's"
            return Evidence("unclear", reason, targets)
        # A replacement changes the target in the same way.
        if replacements := self._possible_replacements(now[0]):
            reason = "another message may have replaced the record instead"
            return Evidence("unclear", reason, replacements)
        happened = max(getattr(record, self._target.changed_at) for record in now)
        return Evidence("executed", "a list shows the change", tuple(now), happened=happened)

    def _may_be_reused(self, latest: int, targets: Sequence[Record]) -> bool:
        """Whether the latest target may not be the one that the message names, but another one of that name.

        A replacement is made in the ms in which the record before it was changed.
        """
        earlier = [record for record in targets if self._made_at(record) < latest]
        ends = [getattr(record, self._target.changed_at) for record in earlier]
        is_replacement = latest < self._since or latest in ends
        return bool(earlier) and not (is_replacement and all(map(self._is_changed, earlier)))

    def _possible_replacements(self, target: Record) -> tuple[Record, ...]:
        """The records that may have replaced a target."""
        others = [each for each in self._records if not self._is_target(each)]
        new = (each for each in others if self._is_new(each))
        later = (each for each in new if self._made_at(each) >= self._made_at(target))
        found = [each for each in later if self._may_replace(target, each)]
        # Its time may be that of the record before it, or in another unit.
        names = [name for name in values(target, self._target.names) if name is not None]
        odd = (each for each in others if self._was_touched(each) and not self._is_changed(each))
        alike = (each for each in odd if {*names} & {*values(each, self._target.names)})
        return (*found, *(each for each in alike if each not in found))

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
            if not all(map(self._is_known, targets)):
                return Evidence("unclear", _UNKNOWN_STATE, targets)
            if any(map(self._may_be_changed_in_place, targets)):
                return Evidence("unclear", _IN_PLACE, targets)
            return Evidence("absent", "the record that it should replace was not replaced", targets)
        own = self._replacement_of_the_target(replacements, targets)
        if own is not None and self._took_over(own, targets) and self._agrees(own):
            happened = self._made_at(own)
            return Evidence("executed", "a list shows the replacement", (own,), happened=happened)
        if possible := replacements or self._similar():
            return Evidence("unclear", "another message may have made the replacement", possible)
        return Evidence("unclear", _ENDED, targets)

    def _may_be_changed_in_place(self, record: Record) -> bool:
        """Whether a target has the new values, or was touched since the message was signed.

        After an edit in place another one may have changed the values again.
        """
        touched_at: int = getattr(record, self._target.changed_at)
        was_touched = self._was_touched(record) and touched_at != self._made_at(record)
        return was_touched or self._has_new_values(record)

    def _has_new_values(self, record: Record) -> bool:
        """Whether a target has the new values itself, in the fields to compare or in those of the same name.

        An order that was changed in place keeps its initial price.
        """
        sent, fields = self._message.fields, self.trace.agrees.items()
        return all(
            any(same(getattr(record, each, None), sent.get(name)) for each in (field, name))
            for field, name in fields
        )

    def _replacements(self, targets: Sequence[Record]) -> tuple[Record, ...]:
        """The records that may have replaced a target since, or replaced its replacement."""
        names = self._target.inherits
        # The oldest of those that are alike is enough, or the next one where it is the record itself.
        oldest = first_two(sorted(targets, key=self._made_at), names)
        return tuple(
            each
            for each in self._records
            if (self._may_be_new(each) or self._agrees(each))
            and any(
                each != old and self._made_at(old) <= self._made_at(each)
                for old in oldest.get(values(each, names), ())
            )
        )

    def _similar(self) -> tuple[Record, ...]:
        """Records with the new values that did not take over all that a replacement should."""
        others = (each for each in self._records if not self._is_target(each))
        return tuple(each for each in others if self._may_be_new(each) and self._agrees(each))

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


def search_for(message: Message, trace: Trace, since: int) -> Search:
    """The search for the records that a message caused.

    Args:
        since: When it was signed, in ms, at the earliest.
    """
    if trace.id is not None:
        return IdSearch(message, trace, since, trace.id)
    if trace.target is None:
        return LikenessSearch(message, trace, since)
    kind = _ReplacementSearch if trace.target.inherits else _ChangeSearch
    return kind(message, trace, since, trace.target)


# -- the values of records -----------------------------------------------------------------------


def values(record: Any, fields: Iterable[str]) -> tuple[Any, ...]:
    """The values of some fields of a record."""
    return tuple([getattr(record, field) for field in fields])


def first_two(records: Iterable[Any], fields: Collection[str]) -> dict[tuple[Any, ...], list[Any]]:
    """The first two different records for each combination of values in some fields."""
    found: dict[tuple[Any, ...], list[Any]] = {}
    for record in records:
        alike = found.setdefault(values(record, fields), [])
        if len(alike) < 2 and record not in alike:
            alike.append(record)
    return found


def at_most(value: Decimal, sent: Any) -> bool:
    """Whether an amount, gained or spent, is not above the one that was sent."""
    try:
        # Not abs(), which rounds as the caller's context says.
        return value.copy_abs() <= Decimal(sent, _STRICT)
    except (InvalidOperation, TypeError, ValueError):
        return True  # a record that cannot be compared may belong to the message


def same(value: Any, sent: Any) -> bool:
    """Whether a value of a record is the value that was sent as JSON."""
    if value is None or sent is None:
        return value is sent
    if isinstance(value, Decimal):
        try:
            return value == Decimal(sent, _STRICT)
        except (InvalidOperation, TypeError, ValueError):
            return False
    if isinstance(value, UUID):
        return str(value) == plain_id(str(sent))
    return str(value).lower() == str(sent).lower()


def is_number(value: Any) -> bool:
    """Whether a value of a record is a price, an amount or another number, which a service may round."""
    return isinstance(value, (Decimal, int)) and not isinstance(value, bool)
