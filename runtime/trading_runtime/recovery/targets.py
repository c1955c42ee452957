"""Looks for the records that a message changes or replaces. No I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import eq
from typing import Any

from attrs import define

from trading_runtime.call.lookup import Record
from trading_runtime.intent import Message
from trading_runtime.operation import Target, Trace
from trading_runtime.recovery.evidence import (
    MAX_UNSEEN_SKEW_MS,
    Evidence,
    IdSearch,
    LikenessSearch,
    Search,
)
from trading_runtime.recovery.values import first_two, same, values

_IN_PLACE = (
    "the record that it should replace has the new values itself, or was touched since it was signed: it "
    "may have been changed in place"
)
_ENDED = "the record that it should replace was ended, but no list shows a replacement"
_UNKNOWN_STATE = "the record has a state that this version does not know, which proves nothing"


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
        """Whether a record is in the state that the message leads to, since whatever time."""
        target = self._target
        return all(same(getattr(record, name), value) for name, value in target.becomes.items())

    def _is_known(self, record: Record) -> bool:
        """Whether the state of a record is one that this version knows: an unknown one is a plain text."""
        states = values(record, self._target.becomes)
        return self._is_changed(record) or not any(type(state) is str for state in states)

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
