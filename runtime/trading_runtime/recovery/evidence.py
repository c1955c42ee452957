"""Decides what the service's lists show of a message: executed, not executed, or neither. No I/O.

The message's `Trace` (`x-reconcile` in the spec) says which fields to compare. A message makes a record with its id, or
it changes or replaces one: then the state of that record counts, and of what took its place.

Nothing is guessed, because a wrong answer costs money: an executed order that is taken for absent is sent twice, and
an absent one that is taken for executed is never sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from decimal import Context, Decimal, InvalidOperation
from typing import Any, TypeAlias
from uuid import UUID

from attrs import define, field, frozen

from trading_runtime.clock import BOUND_MS
from trading_runtime.codec.models import is_unknown
from trading_runtime.errors import one_line
from trading_runtime.intent import Message, is_uuid, plain_id
from trading_runtime.operation import Target, Trace
from trading_runtime.recovery.settlement import State

Record: TypeAlias = Any
HOUR_MS = 3_600_000
"""How far times are doubted where nothing told the clocks' difference when a message was signed."""
_PLAIN = (str, int, bool, type(None))
_STRICT = Context(traps=[InvalidOperation])
"""Raises for a text that is no number, whatever the decimal context of the caller is."""

BY_ID = "No other message has this id, so a record that has it belongs to this one."
BY_TIME = (
    "No other message was sent with this id since, or in the five seconds before it was signed."
)
BY_STATE = "The lists show this state; who brought it about, they do not show."
_ANOTHERS = "a list shows its id, but perhaps of another message that used it"
_UNKNOWN_STATE = "its record has a state that this version does not know, which proves nothing"


@frozen
class Signing:
    """When a message was signed, by the service's clock."""

    since: int
    """At the earliest, in ms."""
    is_certain: bool | None
    """Whether the clocks' difference was known then, and each page tells the same: one wrong `Date` proves nothing.
    None while the pages are read."""

    @property
    def late(self) -> int:
        """At the latest if it is certain, in ms."""
        return self.since + 2 * BOUND_MS

    @property
    def early(self) -> int:
        """At the earliest even if it is not certain, in ms."""
        return self.since if self.is_certain else self.since - HOUR_MS


@frozen
class Evidence:
    """What the records show of a message, why, and the records that show it."""

    state: State
    reason: str
    records: tuple[Record, ...] = ()
    rests_on: str = ""
    """What has to be true for it; empty where it rests on absence."""
    is_final: bool = False
    """Whether no later reading can change it."""


@frozen
class Values:
    """Values of a field in some records, ids in their plain spelling, and the types of these."""

    values: Set[Any]
    kinds: Set[type]

    @classmethod
    def of(cls, values: Iterable[Any]) -> Values:
        """The values, as JSON has them."""
        plain = {_plain(each) for each in values}
        return cls(plain, {type(each) for each in plain})


@frozen
class Unreadable:
    """A record that is not as the spec says: its fields of the plain types of JSON, and what is wrong."""

    fields: Mapping[str, Any]
    why: str

    def may_have_id(self, name: str, id_: str) -> bool:
        """Whether the record may have this id in a field. One that is no id, like an empty text, is none."""
        stated = self.fields.get(name, id_)
        return stated is not None and (not isinstance(stated, str) or same(stated, id_))

    def may_have(self, name: str, known: Values) -> bool:
        """Whether the record may have one of these values in a field."""
        if name not in self.fields:
            return True
        stated, values, kinds = self.fields[name], known.values, known.kinds
        if isinstance(stated, str) and str in kinds:
            return plain_id(stated) in values or not is_uuid(stated)
        # A value of another kind than its field has stands for any.
        return stated in values or (stated is not None and type(stated) not in kinds)


def unreadable(value: Any, why: str) -> Unreadable:
    """What stands for a record that cannot be read, so that it does not hide the others of its page."""
    fields = value if isinstance(value, dict) else {}
    return Unreadable({k: v for k, v in fields.items() if type(v) in _PLAIN}, one_line(why))


@define
class Search:
    """The records that have to do with one message, of all readings, in their latest versions."""

    message: Message
    trace: Trace
    signing: Signing
    is_duplicate: bool
    """Whether the service refused the message because its id was used before."""
    changed_at: str | None = None
    """The field of its records with the time of their last change; None if they have none."""
    records: dict[Any, Record] = field(factory=dict)
    unreadable: list[Unreadable] = field(factory=list)
    was_read: bool = False
    """Whether its lists were read to their end, once at least."""
    is_settled: bool = False
    """Whether no further reading is needed."""
    shown: tuple[Record, ...] = ()
    """The records of the change that the latest reading showed, if what took their place may be listed later."""
    shown_at: float = 0.0
    """When a reading began that first showed this change, by the monotonic clock."""

    def take(self, record: Record | Unreadable) -> None:
        """Keep a record that may have to do with the message."""
        if isinstance(record, Unreadable):
            self.unreadable.append(record)
        elif self._is_named(record) or self._may_be_new(record):
            key = self._key(record)
            known = self.records.get(key)
            if known is None or self._is_later(record, known):
                self.records[key] = record

    def evidence(self) -> Evidence:
        """What the records show."""
        compared = (*self.trace.agrees.values(), *self.trace.at_most.values())
        if any(name not in self.message.fields for name in compared):
            return Evidence(
                "unsettled", "it lacks a field to compare with the lists", is_final=True
            )
        if self.trace.id:
            return self._of_id(self.trace.id)
        return self._of_target(self.trace.target) if self.trace.target else self._of_likeness()

    # -- a message that makes a record -------------------------------------------------------------

    def _of_id(self, name: str) -> Evidence:
        message, since = self.message, self.signing.since
        own = tuple(sorted(self.records.values(), key=self._made))
        if message.client_id is None:
            return Evidence("unsettled", "it was sent without an id", is_final=True)
        if not own:
            doubtful = [
                each for each in self.unreadable if each.may_have_id(name, message.client_id)
            ]
            return _perhaps(Evidence("not executed", "no list shows its id"), doubtful)
        if not message.minted:
            if self.is_duplicate and all(self._made(each) < self.signing.early for each in own):
                reason = "an older order has its id, perhaps an earlier sending of the same one"
                return Evidence("not executed", reason, own)
            if any(self._made(each) < since for each in own) or not self.signing.is_certain:
                return Evidence(
                    "unsettled", _ANOTHERS, own, is_final=self.signing.is_certain is not None
                )
            if any(self._may_have_ended_before(each) for each in own):
                return Evidence("unsettled", _ANOTHERS, own, is_final=True)
        agreeing = [each for each in own if self._agrees(each)]
        differing = "" if agreeing else self._other_numbers(own[0])
        if not agreeing and not (message.minted and differing):
            return Evidence(
                "unsettled", "a list shows its id, but with other values", own, is_final=True
            )
        reason = (
            f"a list shows its id, with other values: {differing}"
            if differing
            else "a list shows its id"
        )
        # A replacement keeps the id, and is no second execution.
        freed = {self._touched(each) for each in own if self._touched(each) != self._made(each)}
        doubled = [each for each in agreeing if self._made(each) not in freed]
        if len(doubled) > 1:
            reason = f"the order doubled: a list shows its id on {len(doubled)} orders"
        rests_on = BY_ID if message.minted else BY_TIME
        return Evidence("executed", reason, own, rests_on, is_final=True)

    def _may_have_ended_before(self, record: Record) -> bool:
        """Whether the id of a record may have been free again when the message was signed."""
        made, touched, late = self._made(record), self._touched(record), self.signing.late
        return made < late and made != touched < late

    def _of_likeness(self) -> Evidence:
        """The records that it may have made, where no list shows its id."""
        sent, trace = self.message.fields, self.trace
        alike = tuple(
            each
            for each in self.records.values()
            if self._may_be_new(each)
            and self._agrees(each)
            and all(_at_most(getattr(each, f), sent[name]) for f, name in trace.at_most.items())
        )
        reason = "no list shows a matching record"
        if alike:
            reason = "a list shows a matching record, but another message may have made it"
        return Evidence("unsettled", reason, alike, is_final=True)

    def _other_numbers(self, record: Record) -> str:
        """The prices and amounts that a service changed, as it may round them; empty if more than these differ."""
        sent = self.message.fields
        values = [(f, getattr(record, f), sent[name]) for f, name in self.trace.agrees.items()]
        differing = [(f, value, given) for f, value, given in values if not same(value, given)]
        if not all(isinstance(value, Decimal) for _, value, _ in differing):
            return ""
        return ", ".join(f"{f} is {value} (sent: {given})" for f, value, given in differing)

    # -- a message that changes or replaces a record -----------------------------------------------

    def _of_target(self, target: Target) -> Evidence:
        named = [each for each in self.records.values() if self._is_named(each)]
        chain = self._chain(named)
        names = [(f, Values.of([name])) for f, name in self._names()]
        places = {
            f: Values.of(getattr(each, own) for each in chain)
            for f, own in {**{name: name for name in target.names}, **target.parent}.items()
        }
        ends = Values.of(map(self._touched, chain))
        doubtful = [each for each in self.unreadable if self._may_be_of(each, names, places, ends)]
        if not named:
            missing = Evidence("unsettled", "no list shows the record that it should change")
            return _perhaps(missing, doubtful)
        if not all(self._is_known(each) for each in chain):
            return Evidence("unsettled", _UNKNOWN_STATE, chain)
        found = self._edited(chain, target) if target.inherits else self._ended(chain)
        return _perhaps(found, doubtful)

    def _ended(self, chain: tuple[Record, ...]) -> Evidence:
        """Of a cancel. A replacement ends a record, too, so that all that took its place must have ended."""
        changed = max(map(self._touched, chain))
        if not all(map(self._is_ended, chain)):
            if len(chain) > 1:
                return Evidence("unsettled", "another record took its place since", chain)
            return Evidence("not executed", "the record shows no change", chain)
        if changed >= self.signing.since:
            return Evidence("executed", "a list shows the change", chain, BY_STATE)
        if changed >= self.signing.early - HOUR_MS:
            return Evidence("unsettled", "the change may be older than the message", chain)
        return Evidence("not executed", "the record was changed long before", chain)

    def _edited(self, chain: tuple[Record, ...], target: Target) -> Evidence:
        """Of an edit, which replaces a record, or changes it in place. The latest of its name counts."""
        first, last, early = chain[0], chain[-1], self.signing.early
        is_new = self._made(last) >= self.signing.since
        inherits = all(getattr(last, f) == getattr(first, f) for f in target.inherits)
        if inherits and self._has_new_values(last) and (is_new or not self._is_ended(last)):
            return Evidence("executed", "a list shows the new values", (last,), BY_STATE)
        if len(chain) > 1:
            return Evidence("unsettled", "another record took its place since", chain)
        if self._is_ended(last):
            if self._touched(last) < early:
                return Evidence("not executed", "the record had ended before", chain)
            return Evidence("unsettled", "it ended, and no list shows a replacement", chain)
        if self._touched(last) >= early and self._touched(last) != self._made(last):
            return Evidence(
                "unsettled", "it was touched since: perhaps changed, and changed back", chain
            )
        return Evidence("not executed", "it has the old values", chain)

    def _chain(self, named: Sequence[Record]) -> tuple[Record, ...]:
        """The record that had the name when the message was signed, and what took its place since, oldest first.

        A record takes the place of another if it has an id of that one; or if that one has none, or is named as what
        it came of, and it was made in the ms in which that one ended. An edit keeps what a replacement inherits.
        Indexed, so that a long list takes no more than linear time.
        """
        heirs: dict[tuple[Any, ...], list[Record]] = {}
        for each in self.records.values():
            if self._made(each) >= self.signing.early and not self._is_named(each):
                for key in self._taken(each):
                    heirs.setdefault(key, []).append(each)
        waiting, chain = [*named], dict[int, Record]()
        while waiting:
            old = waiting.pop()
            chain[id(old)] = old
            for key in self._freed(old):
                waiting += [each for each in heirs.pop(key, ()) if id(each) not in chain]
        found = sorted(
            chain.values(),
            key=lambda each: (self._made(each), not self._is_ended(each), self._touched(each)),
        )
        older = [each for each in found if self._made(each) < self.signing.early]
        return (*older[-1:], *found[len(older) :])

    def _taken(self, record: Record) -> Iterator[tuple[Any, ...]]:
        """The places that a record takes."""
        made = self._made(record)
        yield from self._places(record, made)
        for name in self._target.parent:
            yield name, made, getattr(record, name)

    def _freed(self, record: Record) -> Iterator[tuple[Any, ...]]:
        """The places that another record may take: that of this one, and of what comes of it."""
        touched = self._touched(record)
        yield from self._places(record, touched)
        for name, own in self._target.parent.items():
            yield name, touched, getattr(record, own)

    def _places(self, record: Record, time: int) -> Iterator[tuple[Any, ...]]:
        """What identifies the place of a record: its ids, and for one that it lacks a time."""
        kept = tuple(getattr(record, each) for each in self._target.inherits)
        for name in self._target.names:
            value = getattr(record, name)
            yield (name, time, kept) if value is None else (name, None, value, kept)

    def _may_be_of(
        self,
        record: Unreadable,
        names: Sequence[tuple[str, Values]],
        places: Mapping[str, Values],
        ends: Values,
    ) -> bool:
        """Whether a record that cannot be read may be the one with these names, or have taken one of these places."""
        if all(record.may_have(f, name) for f, name in names):
            return True
        made_at, changed_at = self.trace.made_at, self._target.changed_at
        times = [record.fields.get(each) for each in (made_at, changed_at)]
        if any(isinstance(each, int) and each < self.signing.since - HOUR_MS for each in times):
            return False
        return any(
            record.may_have(name, known)
            and (not self._needs_time(name, known) or record.may_have(made_at, ends))
            for name, known in places.items()
        )

    def _needs_time(self, name: str, known: Values) -> bool:
        """Whether a place is taken only in the ms in which it became free."""
        return known.values == {None} or name in self._target.parent

    def _has_new_values(self, record: Record) -> bool:
        """Whether a record has the values of the message; one that was changed in place keeps its first price."""
        pairs = [(getattr(record, name, None), f, name) for f, name in self.trace.agrees.items()]
        return all(
            same(getattr(record, f) if value is None else value, self.message.fields[name])
            for value, f, name in pairs
        )

    # -- one record --------------------------------------------------------------------------------

    @property
    def _target(self) -> Target:
        assert self.trace.target is not None
        return self.trace.target

    def _names(self) -> Iterator[tuple[str, Any]]:
        """The names that the message gives its record, each with the field of the record that holds it."""
        sent = self.message.fields
        if self.trace.id:
            yield self.trace.id, self.message.client_id
        elif self.trace.target:
            names = self.trace.target.names.items()
            yield from ((f, sent[name]) for f, name in names if sent.get(name) is not None)

    def _is_named(self, record: Record) -> bool:
        names = [same(getattr(record, f), value) for f, value in self._names()]
        return bool(names) and all(names)

    def _may_be_new(self, record: Record) -> bool:
        """Whether a record may be one that took the place of another, or that a message without an id made."""
        return self.trace.id is None and self._made(record) >= self.signing.since - HOUR_MS

    def _key(self, record: Record) -> Any:
        """What the versions of a record have in common."""
        if self.trace.id:
            return self._made(record)
        if self.trace.target:
            return tuple(getattr(record, f) for f in self.trace.target.names)
        return repr(record)

    def _is_later(self, record: Record, known: Record) -> bool:
        """Whether a version of a record is later than another: the one that ended, whatever their times say."""
        if self.trace.target is None:
            return True
        ended = (self._is_ended(record), self._is_ended(known))
        return ended[0] if ended[0] != ended[1] else self._touched(record) >= self._touched(known)

    def _made(self, record: Record) -> int:
        made: int = getattr(record, self.trace.made_at)
        return made

    def _touched(self, record: Record) -> int:
        """When a record was last changed, in ms; when it was made, where no field tells."""
        touched: int = getattr(record, self.changed_at or self.trace.made_at)
        return touched

    def _is_ended(self, record: Record) -> bool:
        """Whether a record is in the state that the message leads to."""
        return all(same(getattr(record, f), value) for f, value in self._target.becomes.items())

    def _is_known(self, record: Record) -> bool:
        """Whether this version knows the state of a record."""
        return not any(is_unknown(getattr(record, f)) for f in self._target.becomes)

    def _agrees(self, record: Record) -> bool:
        sent = self.message.fields
        return all(same(getattr(record, f), sent[name]) for f, name in self.trace.agrees.items())


def _perhaps(found: Evidence, doubtful: Sequence[Unreadable]) -> Evidence:
    """What was found, unless a record that cannot be read may say otherwise."""
    if not doubtful or found.is_final:
        return found
    why = f"a list has a record that cannot be read ({doubtful[0].why}), perhaps its own"
    return Evidence("unsettled", why, found.records)


def _plain(value: Any) -> Any:
    """A value as JSON has it, ids in their plain spelling."""
    return plain_id(str(value)) if isinstance(value, (str, UUID)) else value


def same(value: Any, sent: Any) -> bool:
    """Whether a value of a record is the one that was sent as JSON."""
    if value is None or sent is None:
        return value is sent
    if isinstance(value, Decimal):
        try:
            return value == Decimal(sent, _STRICT)
        except (InvalidOperation, TypeError, ValueError):
            return False
    return plain_id(str(value)) == plain_id(str(sent))


def _at_most(value: Decimal, sent: Any) -> bool:
    """Whether an amount, gained or spent, is not above the one that was sent."""
    try:
        # Not abs(), which rounds as the caller's context says.
        return value.copy_abs() <= Decimal(sent, _STRICT)
    except (InvalidOperation, TypeError, ValueError):
        return True  # a record that cannot be compared may belong to the message
