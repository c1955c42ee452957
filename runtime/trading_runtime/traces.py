"""What the histories show of a message: carried out, not there, or not to be told; pure, no I/O.

A `Trace` (the spec's `x-reconcile`) says where to look and what to compare. Nothing is guessed: what
another message may have caused as well is `UNCLEAR`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from enum import Enum, auto
from typing import Any, TypeAlias

from attrs import frozen

from trading_runtime.intents import Message
from trading_runtime.operation import Target, Trace

Record: TypeAlias = Any


class Seen(Enum):
    """What the histories show of a message."""

    EXECUTED = auto()
    ABSENT = auto()
    """Nothing that it would have caused is there."""
    UNCLEAR = auto()


@frozen
class Finding:
    """What was seen, the records that show it, and why."""

    seen: Seen
    reason: str
    records: tuple[Record, ...] = ()


def concerns(trace: Trace, message: Message, since: int) -> Callable[[Record], bool]:
    """A test for the records that `find` needs to see; `since` is when it was signed, in ms."""

    def concerned(record: Record) -> bool:
        if trace.id is not None:
            return _same(getattr(record, trace.id), message.client_id)
        named = trace.target is not None and _names(trace.target.names, message, record)
        return named or getattr(record, trace.made_at) >= since

    return concerned


def find(trace: Trace, message: Message, records: Sequence[Record], since: int) -> Finding:
    """What these records, of those that concern a message, show of it."""
    if trace.id is not None:
        return _by_id(trace, message, records, since)
    if trace.target is None:
        return _by_likeness(trace, message, records)
    if not trace.target.inherits:
        return _changed(trace, trace.target, message, records, since)
    return _replaced(trace, trace.target, message, records, since)


def _by_id(trace: Trace, message: Message, records: Sequence[Record], since: int) -> Finding:
    if message.client_id is None:
        return Finding(Seen.UNCLEAR, "it was sent without an id")
    if not records:
        return Finding(Seen.ABSENT, "no list shows its id")
    if not all(_agrees(trace, message, record) for record in records):
        return Finding(Seen.UNCLEAR, "its id stands on something else", tuple(records))
    # What replaced an older record bears its id as well.
    if any(_time(trace.made_at, record) < since for record in records):
        return Finding(Seen.UNCLEAR, "its id was used before", tuple(records))
    return Finding(Seen.EXECUTED, "a list shows its id", tuple(records))


def _by_likeness(trace: Trace, message: Message, records: Sequence[Record]) -> Finding:
    if alike := _alike(trace, message, records):
        reason = "a list shows something like it, without the id that would tell"
        return Finding(Seen.UNCLEAR, reason, alike)
    return Finding(Seen.ABSENT, "no list shows anything like it")


def _changed(
    trace: Trace, target: Target, message: Message, records: Sequence[Record], since: int
) -> Finding:
    """Whether the record that was named, or the latest of that name, became what it should."""
    named = _named(target, message, records)
    if not named:
        return Finding(Seen.UNCLEAR, "no list shows what it would change")
    if not any(_became(target, record, since) for record in named):
        return Finding(Seen.ABSENT, "what it would change was not changed since", tuple(named))
    latest = max(_time(trace.made_at, record) for record in named)
    now = [record for record in named if _time(trace.made_at, record) == latest]
    if not all(_became(target, record, since) for record in now):
        return Finding(Seen.UNCLEAR, "more than one record has its name", tuple(named))
    # Another message may have put something into its place, which changes it just the same.
    later = [
        record
        for record in records
        if record not in named
        and _time(trace.made_at, record) >= latest
        and (
            _agrees(trace, message, record)
            if _nameless(target, now[0])
            else _kin(target, now[0], record)
        )
    ]
    if later:
        return Finding(Seen.UNCLEAR, "it may have been replaced instead", tuple(later))
    return Finding(Seen.EXECUTED, "a list shows the change", tuple(now))


def _replaced(
    trace: Trace, target: Target, message: Message, records: Sequence[Record], since: int
) -> Finding:
    """Whether the record that was named gave way to one with the new values."""
    named = _named(target, message, records)
    if not named:
        return Finding(Seen.UNCLEAR, "no list shows what it would replace")
    gone = [record for record in named if _became(target, record, since)]
    heirs = [
        record
        for record in records
        if _time(trace.made_at, record) >= since
        and _inherited(target, named[0], record)
        and _follows(trace, record, named)
    ]
    if not gone and not _alike(trace, message, heirs):
        return Finding(Seen.ABSENT, "what it would replace is as it was", tuple(named))
    if not heirs:
        return Finding(Seen.ABSENT, "what it would replace is gone, and nothing replaced it")
    # By a name that is handed on it replaced the last record before the latest, else the one named.
    decisive = max if _handed_on(target, message) else min
    time = decisive(_time(trace.made_at, heir) for heir in heirs)
    heir, *others = (each for each in heirs if _time(trace.made_at, each) == time)
    # Of two of the same ms nobody knows which came first.
    certain = not others and any(_time(trace.made_at, each) < time for each in gone)
    if certain and _identified(target, heir) and _agrees(trace, message, heir):
        return Finding(Seen.EXECUTED, "a list shows what replaced it", (heir,))
    return Finding(Seen.UNCLEAR, "it may have been replaced by another message", tuple(heirs))


def _named(target: Target, message: Message, records: Sequence[Record]) -> list[Record]:
    return [record for record in records if _names(target.names, message, record)]


def _names(names: Mapping[str, str], message: Message, record: Record) -> bool:
    return any(
        message.fields.get(name) is not None and _same(getattr(record, field), message.fields[name])
        for field, name in names.items()
    )


def _alike(trace: Trace, message: Message, records: Iterable[Record]) -> tuple[Record, ...]:
    return tuple(record for record in records if _agrees(trace, message, record))


def _agrees(trace: Trace, message: Message, record: Record) -> bool:
    return all(
        _same(getattr(record, field), message.fields.get(name))
        for field, name in trace.agrees.items()
    )


def _became(target: Target, record: Record, since: int) -> bool:
    became = all(_same(getattr(record, field), value) for field, value in target.becomes.items())
    return became and _time(target.changed_at, record) >= since


def _inherited(target: Target, original: Record, record: Record) -> bool:
    return all(getattr(record, field) == getattr(original, field) for field in target.inherits)


def _follows(trace: Trace, record: Record, others: Iterable[Record]) -> bool:
    """Whether a record may have replaced one of the others."""
    made = _time(trace.made_at, record)
    return any(each != record and _time(trace.made_at, each) <= made for each in others)


def _handed_on(target: Target, message: Message) -> bool:
    """Whether a message names its target by what the one in its place is named by, too."""
    return any(
        field in target.inherits and message.fields.get(name) is not None
        for field, name in target.names.items()
    )


def _identified(target: Target, record: Record) -> bool:
    """Whether what replaces a record carries a name of it that nothing else has."""
    return any(
        getattr(record, field) is not None for field in target.names if field in target.inherits
    )


def _nameless(target: Target, record: Record) -> bool:
    """Whether a record lacks a name that what replaces it might have shared."""
    return any(getattr(record, field) is None for field in target.names)


def _kin(target: Target, one: Record, other: Record) -> bool:
    return any(getattr(one, field) == getattr(other, field) for field in target.names)


def _time(field: str, record: Record) -> int:
    time: int = getattr(record, field)
    return time


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
