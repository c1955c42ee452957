"""What histories show of a message, at the made-up parcel service of this file.

A parcel has a `number` that the service gives, and a `tag` that its sender may give. To repack a parcel
is to cancel it and to make another with its tag and its way. The property at the end holds a
search against histories whose truth is known: it may say that it cannot tell, and must never say
otherwise than it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Literal

import attrs
import pytest
from attrs import define, field, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from trading_runtime.intent import Message
from trading_runtime.operation import Target, Trace
from trading_runtime.recovery.evidence import MAX_UNSEEN_SKEW_MS, Evidence, Shown, search_for

SENT = 1_000
BEFORE, SINCE = SENT - 1, SENT

NAMES = {"number": "number", "tag": "tag"}
MAKE = Trace(
    lists=("parcels",),
    made_at="made_at",
    id="tag",
    agrees={"depot": "depot", "weight": "weight"},
)
CANCEL = Trace(
    lists=("parcels",),
    made_at="made_at",
    agrees={"depot": "depot"},
    target=Target(names=NAMES, becomes={"state": "cancelled"}, changed_at="touched_at"),
)
REPACK = Trace(
    lists=("parcels",),
    made_at="made_at",
    agrees={"depot": "depot", "weight": "weight"},
    target=Target(
        names=NAMES,
        becomes={"state": "cancelled"},
        changed_at="touched_at",
        inherits=("way", "tag"),
    ),
)
FETCH = Trace(lists=("fetched",), made_at="made_at", agrees={"depot": "depot"})


@frozen(kw_only=True)
class Parcel:
    """A record of the parcel service."""

    number: int = 1
    tag: str | None = "t"
    depot: str = "Oslo"
    way: str = "in"
    weight: Decimal = Decimal(5)
    state: str = "open"
    made_at: int = BEFORE - 500
    touched_at: int = BEFORE - 500


def message(**fields: Any) -> Message:
    return Message(name="a.message", client_id=fields.get("tag"), fields=fields)


def seen(trace: Trace, sent: Message, *records: Parcel) -> Shown:
    return looked(trace, sent, records).shows


def looked(trace: Trace, sent: Message, records: Iterable[Parcel], since: int = SINCE) -> Evidence:
    """What a search says that was shown these records, in whatever order."""
    records = list(records)
    found = []
    for order in (records, records[::-1]):
        search = search_for(sent, trace, since)
        for each in order:
            search.look_at(each)
        found.append(search.evidence())
    assert found[0].shows == found[1].shows
    return found[0]


def cancelled(at: int = SENT, **fields: Any) -> Parcel:
    return Parcel(state="cancelled", touched_at=at, **fields)


def new(at: int = SENT, **fields: Any) -> Parcel:
    return Parcel(**{"number": 2, "made_at": at, "touched_at": at, **fields})


# A message that makes a record with its id

MADE = message(tag="t", depot="Oslo", weight="5.0")


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([], "absent"),
        ([new(tag="another"), new(tag=None)], "absent"),
        ([new()], "executed"),
        ([new(tag="T")], "executed"),  # a UUID may come back in another case
        ([new(at=SENT + 9), cancelled(number=1, made_at=SENT)], "executed"),
        ([new(depot="Rome")], "unclear"),
        ([new(weight=Decimal(6))], "unclear"),
        ([new(), new(number=3, weight=Decimal(6))], "unclear"),
        ([Parcel()], "unclear"),  # older than the message
        ([cancelled(), new()], "unclear"),  # what an edit of the older one made
    ],
)
def test_what_is_made_is_known_by_its_id(records: list[Parcel], expected: Shown) -> None:
    assert seen(MAKE, MADE, *records) == expected


def test_without_an_id_nobody_knows_what_is_ones_own() -> None:
    sent = message(depot="Oslo", weight="5")

    assert seen(MAKE, sent) == "unclear"
    assert seen(MAKE, sent, new(tag=None)) == "unclear"


def test_a_finding_shows_the_records_that_it_rests_on() -> None:
    mine, other = new(), new(number=3, tag="another")

    assert looked(MAKE, MADE, [other, mine]).records == (mine,)


# A message that makes a record without an id


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([], "absent"),
        ([Parcel(made_at=SINCE - MAX_UNSEEN_SKEW_MS - 1), new(depot="Rome")], "absent"),
        # Made before it was signed, if the clocks agree.
        ([Parcel(made_at=SINCE - MAX_UNSEEN_SKEW_MS)], "unclear"),
        ([new()], "unclear"),
        ([new(), new(depot="Rome")], "unclear"),
    ],
)
def test_something_alike_proves_nothing(records: list[Parcel], expected: Shown) -> None:
    assert seen(FETCH, message(depot="Oslo"), *records) == expected


def test_what_is_alike_is_shown() -> None:
    alike = new()

    assert looked(FETCH, message(depot="Oslo"), [alike, new(depot="Rome")]).records == (alike,)


# A message that changes a record

BY_NUMBER, BY_TAG = message(number=1, depot="Oslo"), message(tag="t", depot="Oslo")


@pytest.mark.parametrize("sent", [BY_NUMBER, BY_TAG])
@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([], "unclear"),
        ([new(number=7, tag="another", state="cancelled")], "unclear"),
        ([Parcel()], "absent"),
        ([Parcel(state="sent", touched_at=SENT)], "absent"),
        ([cancelled(at=BEFORE)], "unclear"),  # before it was signed, if the clocks agree
        ([cancelled()], "executed"),
        ([cancelled(), new(tag="another")], "executed"),
        ([cancelled(), Parcel(number=0, state="cancelled", made_at=1)], "executed"),
    ],
)
def test_a_change_is_seen_on_what_was_named(
    sent: Message, records: list[Parcel], expected: Shown
) -> None:
    assert seen(CANCEL, sent, *records) == expected


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([cancelled(at=BEFORE), new()], "unclear"),
        ([cancelled(), new()], "unclear"),  # cancelled, or repacked by somebody else
        ([cancelled(), new(state="cancelled")], "executed"),
        ([cancelled(), Parcel(number=2)], "unclear"),  # both made in the same ms
        ([cancelled(), cancelled(number=2)], "executed"),
    ],
)
def test_of_one_tag_the_latest_counts(records: list[Parcel], expected: Shown) -> None:
    assert seen(CANCEL, BY_TAG, *records) == expected


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([cancelled(), new()], "unclear"),
        ([cancelled(), new(state="cancelled")], "unclear"),
        ([cancelled(tag=None), new(tag=None)], "unclear"),
        ([cancelled(tag=None), new(tag="another")], "unclear"),
        ([cancelled(tag=None), new(tag=None, depot="Rome")], "executed"),
        ([cancelled(tag=None), Parcel(number=2, tag=None)], "executed"),
    ],
)
def test_what_may_have_been_replaced_is_not_told_to_be_gone(
    records: list[Parcel], expected: Shown
) -> None:
    assert seen(CANCEL, BY_NUMBER, *records) == expected


# A message that replaces a record

HEAVIER = Decimal("7.50")
REPACKED = {"depot": "Oslo", "weight": "7.5"}
REPACK_NUMBER, REPACK_TAG = message(number=1, **REPACKED), message(tag="t", **REPACKED)


def test_what_took_over_nothing_from_the_target_is_not_told_to_have_replaced_it() -> None:
    other_way = new(way="out", weight=HEAVIER)

    assert seen(REPACK, REPACK_TAG, cancelled(), other_way) == "absent"
    assert seen(REPACK, REPACK_NUMBER, cancelled(), other_way) == "unclear"


@pytest.mark.parametrize("sent", [REPACK_NUMBER, REPACK_TAG])
def test_by_a_clock_that_is_behind_nothing_is_told_to_be_absent(sent: Message) -> None:
    behind = 20_000
    replaced, heir = cancelled(at=SENT - behind), new(at=SENT - behind, weight=HEAVIER)

    assert seen(REPACK, sent, replaced, heir) == "unclear"


SPEND = Trace(lists=("spent",), made_at="made_at", at_most={"weight": "weight"})


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        ("-7.5", "unclear"),
        ("7.4", "unclear"),  # less a fee
        ("7.51", "absent"),
        ("-99", "absent"),
    ],
)
def test_what_is_more_than_was_sent_is_not_of_the_message(weight: str, expected: Shown) -> None:
    assert seen(SPEND, message(weight="7.50"), new(weight=Decimal(weight))) == expected


@pytest.mark.parametrize("sent", ["much", None, [7]])
def test_what_cannot_be_compared_may_be_of_the_message(sent: object) -> None:
    assert seen(SPEND, message(weight=sent), new()) == "unclear"


@pytest.mark.parametrize("trace", ["REPACK", "MAKE", "CANCEL"])
def test_of_a_message_that_does_not_say_enough_nothing_is_told(trace: str) -> None:
    vague = Message(name="a.message", client_id="t", fields={"tag": "t", "number": 1})

    assert seen(globals()[trace], vague, cancelled(), new()) == "unclear"


@pytest.mark.parametrize("sent", [REPACK_NUMBER, REPACK_TAG])
@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([], "unclear"),
        ([Parcel()], "absent"),
        ([Parcel(state="sent", touched_at=SENT)], "absent"),
        ([cancelled(at=BEFORE)], "absent"),
        ([cancelled()], "absent"),
        # The new values, but another name: perhaps a name does not go over after all.
        ([cancelled(), new(tag="another", weight=HEAVIER)], "unclear"),
        ([cancelled(), new(tag=None, weight=HEAVIER)], "unclear"),
        ([cancelled(), new(weight=HEAVIER)], "executed"),
        ([cancelled(), new(weight=HEAVIER, state="sent")], "executed"),
        ([cancelled(), new(weight=HEAVIER, depot="Rome")], "unclear"),
        ([cancelled(), new(weight=Decimal(6))], "unclear"),
        ([cancelled(tag=None), new(tag=None, weight=HEAVIER)], "unclear"),
        # It stands beside what it should have replaced.
        ([Parcel(), new(weight=HEAVIER)], "unclear"),
        # Twice the same.
        ([cancelled(), new(weight=HEAVIER), new(number=3, weight=HEAVIER)], "unclear"),
    ],
)
def test_a_replacement_is_known_by_what_it_takes_over(
    sent: Message, records: list[Parcel], expected: Shown
) -> None:
    if sent is REPACK_TAG and records and records[0].tag is None:
        expected = "unclear"  # nothing bears its name

    assert seen(REPACK, sent, *records) == expected


@pytest.mark.parametrize(
    ("sent", "first", "second", "expected"),
    [
        # By number it replaced the very record, by tag the last one that bore it.
        (REPACK_NUMBER, HEAVIER, Decimal(6), "executed"),
        (REPACK_NUMBER, Decimal(6), HEAVIER, "unclear"),
        (REPACK_TAG, HEAVIER, Decimal(6), "unclear"),
        (REPACK_TAG, Decimal(6), HEAVIER, "executed"),
        (REPACK_NUMBER, Decimal(6), Decimal(6), "unclear"),
        (REPACK_TAG, Decimal(6), Decimal(6), "unclear"),
    ],
)
def test_of_two_replacements_it_depends_on_the_name_which_one_counts(
    sent: Message, first: Decimal, second: Decimal, expected: Shown
) -> None:
    chain = [
        cancelled(),
        new(weight=first, state="cancelled"),
        new(at=SENT + 1, number=3, weight=second),
    ]

    assert seen(REPACK, sent, *chain) == expected


@pytest.mark.parametrize("sent", [REPACK_NUMBER, REPACK_TAG])
def test_what_was_made_just_before_is_not_taken_for_its_own_replacement(sent: Message) -> None:
    just_made: dict[str, Any] = {"made_at": SENT, "weight": HEAVIER}

    assert seen(REPACK, sent, Parcel(**just_made)) == "absent"
    assert seen(REPACK, sent, cancelled(**just_made)) == "absent"
    other = new(at=SENT + 1, weight=Decimal(6))
    assert seen(REPACK, sent, cancelled(**just_made), other) == "unclear"


def test_the_replacement_is_shown() -> None:
    replaced, heir = cancelled(), new(weight=HEAVIER)

    assert looked(REPACK, REPACK_TAG, [heir, replaced]).records == (heir,)


@pytest.mark.parametrize("weight", ["much", None, ""])
def test_a_number_is_not_the_same_as_what_is_none(weight: str | None) -> None:
    sent = message(tag="t", depot="Oslo", weight=weight)

    assert seen(MAKE, sent, new()) == "unclear"


# Histories whose truth is known

Kind = Literal["make", "cancel", "repack", "send"]


@frozen
class Sent:
    """A message of the model, of anybody."""

    kind: Kind
    by: Literal["number", "tag"]
    pick: int
    tag: str | None
    weight: int
    way: str


@define
class Depot:
    """A true history."""

    now: int = SENT - 20
    parcels: list[Parcel] = field(factory=list)
    cancels: set[int] = field(factory=set)

    def worded(self, sent: Sent) -> Message:
        """The message as it goes out, about one of the latest parcels where it changes one."""
        weight = f"{sent.weight}.0"
        if sent.kind == "make":
            return message(tag=sent.tag, depot="Oslo", weight=weight, way=sent.way)
        target = self.parcels[-1 - sent.pick % len(self.parcels)]
        by_tag = sent.by == "tag" and target.tag is not None
        name = {"tag": target.tag} if by_tag else {"number": target.number}
        return message(**name, depot="Oslo", weight=weight)

    def carry_out(self, sent: Sent, worded: Message) -> bool:
        """Do as the message says, if it can be done."""
        if sent.kind == "make":
            return self._make(worded)
        targets = [each for each in self._named(worded) if each.state == "open"]
        for target in targets:
            self._end(target, sent.kind)
            if sent.kind == "repack":
                self._add(target.tag, target.way, worded.fields["weight"])
        return bool(targets)

    def as_if_carried_out(self, sent: Sent, worded: Message) -> bool:
        """Whether all is as if it was, because others did the same."""
        named, number = self._named(worded), worded.fields.get("number")
        if sent.kind == "cancel":
            return named[-1].number in self.cancels
        if number is not None:
            heirs = self.parcels[number:]
            named = [
                each for each in heirs if (each.tag, each.way) == (named[0].tag, named[0].way)
            ][:1]
        return named[-1].weight == Decimal(worded.fields["weight"])

    def _named(self, worded: Message) -> list[Parcel]:
        name = "number" if "number" in worded.fields else "tag"
        return [each for each in self.parcels if getattr(each, name) == worded.fields[name]]

    def _make(self, worded: Message) -> bool:
        tag = worded.fields["tag"]
        if tag is not None and any(p.tag == tag and p.state == "open" for p in self.parcels):
            return False
        self._add(tag, worded.fields["way"], worded.fields["weight"])
        return True

    def _add(self, tag: str | None, way: str, weight: str) -> Parcel:
        added = Parcel(
            number=len(self.parcels) + 1,
            tag=tag,
            way=way,
            weight=Decimal(weight),
            made_at=self.now,
            touched_at=self.now,
        )
        self.parcels.append(added)
        return added

    def _end(self, parcel: Parcel, kind: Kind) -> None:
        state = "sent" if kind == "send" else "cancelled"
        ended = attrs.evolve(parcel, state=state, touched_at=self.now)
        self.parcels[self.parcels.index(parcel)] = ended
        if kind == "cancel":
            self.cancels.add(parcel.number)


TRACES = {"make": MAKE, "cancel": CANCEL, "repack": REPACK}


def messages(*kinds: Kind) -> st.SearchStrategy[Sent]:
    return st.builds(
        Sent,
        kind=st.sampled_from(kinds),
        by=st.sampled_from(["number", "tag"]),
        pick=st.integers(0, 2),
        tag=st.sampled_from(["a", "b", None]),
        weight=st.sampled_from([5, 6]),
        way=st.sampled_from(["in", "out"]),
    )


def steps() -> st.SearchStrategy[list[tuple[Sent, int]]]:
    """What others do, and how many ms pass after it."""
    others = messages("make", "cancel", "repack", "repack", "send")
    return st.lists(st.tuples(others, st.integers(0, 2)), max_size=5)


@settings(max_examples=300, deadline=None)
@given(
    mine=messages("make", "cancel", "repack"),
    first=messages("make"),
    before=steps(),
    meanwhile=steps(),
    after=steps(),
    arrives=st.booleans(),
    early=st.integers(0, 30),
)
def test_a_search_never_says_what_was_not_so(
    mine: Sent,
    first: Sent,
    before: list[tuple[Sent, int]],
    meanwhile: list[tuple[Sent, int]],
    after: list[tuple[Sent, int]],
    arrives: bool,
    early: int,
) -> None:
    depot = Depot()
    live(depot, [(first, 1), *before])
    # What makes a record has an id that nobody used before; without one there is nothing to tell.
    own = attrs.evolve(mine, tag="mine") if mine.kind == "make" else mine
    worded, since = depot.worded(own), depot.now - early
    live(depot, meanwhile)
    executed = arrives and depot.carry_out(own, worded)
    live(depot, after)

    finding = looked(TRACES[own.kind], worded, reversed(depot.parcels), since)

    if finding.shows == "executed":
        assert executed or depot.as_if_carried_out(own, worded)
    if finding.shows == "absent":
        assert not executed


def live(depot: Depot, steps: Iterable[tuple[Sent, int]]) -> None:
    for sent, pause in steps:
        depot.carry_out(sent, depot.worded(sent))
        depot.now += pause
