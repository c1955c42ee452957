"""Evidence against random histories whose truth is known: it may be unclear, but never wrong."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Literal

from attrs import define, evolve, field, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.recovery.parcels import (
    CANCEL,
    MAKE,
    REPACK,
    SIGNED,
    Parcel,
    evidence,
    message,
    new,
)
from trading_runtime.intent import Message

Kind = Literal["make", "cancel", "repack", "send"]
TRACES = {"make": MAKE, "cancel": CANCEL, "repack": REPACK}


@frozen
class Plan:
    """What somebody wants to do, before it is known which parcels there are."""

    kind: Kind
    by: Literal["number", "tag"]
    pick: int
    """How many parcels before the latest the one stands that it is about."""
    tag: str | None
    weight: int
    way: str


@define
class Depot:
    """The service itself: it carries messages out, and so knows what was executed."""

    now: int = SIGNED - 20
    parcels: list[Parcel] = field(factory=list)
    cancels: set[int] = field(factory=set)
    """Numbers of the parcels that were cancelled, and not repacked."""

    def message(self, plan: Plan) -> Message:
        """The message that a plan sends, about one of the latest parcels where it changes one."""
        weight = f"{plan.weight}.0"
        if plan.kind == "make":
            return message(tag=plan.tag, depot="Oslo", weight=weight, way=plan.way)
        target = self.parcels[-1 - plan.pick % len(self.parcels)]
        by_tag = plan.by == "tag" and target.tag is not None
        name: dict[str, Any] = {"tag": target.tag} if by_tag else {"number": target.number}
        return message(**name, depot="Oslo", weight=weight)

    def carry_out(self, plan: Plan, sent: Message) -> bool:
        """Do as a message says; False if that cannot be done."""
        if plan.kind == "make":
            return self._make(sent)
        targets = [each for each in self._named(sent) if each.state == "open"]
        for target in targets:
            self._end(target, plan.kind)
            if plan.kind == "repack":
                self._add(target.tag, target.way, sent.fields["weight"])
        return bool(targets)

    def looks_carried_out(self, plan: Plan, sent: Message) -> bool:
        """Whether others did the same to the same parcel, so that no history could differ."""
        named, number = self._named(sent), sent.fields.get("number")
        if plan.kind == "cancel":
            return named[-1].number in self.cancels
        if number is not None:
            old, later = named[0], self.parcels[number:]
            named = [each for each in later if (each.tag, each.way) == (old.tag, old.way)][:1]
        return named[-1].weight == Decimal(sent.fields["weight"])

    def _named(self, sent: Message) -> list[Parcel]:
        name = "number" if "number" in sent.fields else "tag"
        return [each for each in self.parcels if getattr(each, name) == sent.fields[name]]

    def _make(self, sent: Message) -> bool:
        tag = sent.fields["tag"]
        if tag is not None and any(p.tag == tag and p.state == "open" for p in self.parcels):
            return False
        self._add(tag, sent.fields["way"], sent.fields["weight"])
        return True

    def _add(self, tag: str | None, way: str, weight: str) -> None:
        number = len(self.parcels) + 1
        self.parcels.append(new(at=self.now, number=number, tag=tag, way=way, weight=weight))

    def _end(self, parcel: Parcel, kind: Kind) -> None:
        state = "sent" if kind == "send" else "cancelled"
        ended = evolve(parcel, state=state, touched_at=self.now)
        self.parcels[self.parcels.index(parcel)] = ended
        if kind == "cancel":
            self.cancels.add(parcel.number)


def plans(*kinds: Kind) -> st.SearchStrategy[Plan]:
    return st.builds(
        Plan,
        kind=st.sampled_from(kinds),
        by=st.sampled_from(["number", "tag"]),
        pick=st.integers(0, 2),
        tag=st.sampled_from(["a", "b", None]),
        weight=st.sampled_from([5, 6]),
        way=st.sampled_from(["in", "out"]),
    )


def steps() -> st.SearchStrategy[list[tuple[Plan, int]]]:
    """What others do, and how many ms pass after it."""
    others = plans("make", "cancel", "repack", "repack", "send")
    return st.lists(st.tuples(others, st.integers(0, 2)), max_size=5)


@settings(max_examples=300)
@given(
    mine=plans("make", "cancel", "repack"),
    first=plans("make"),
    before=steps(),
    meanwhile=steps(),
    after=steps(),
    arrives=st.booleans(),
    early=st.integers(0, 30),
)
def test_evidence_never_contradicts_what_happened(
    mine: Plan,
    first: Plan,
    before: list[tuple[Plan, int]],
    meanwhile: list[tuple[Plan, int]],
    after: list[tuple[Plan, int]],
    arrives: bool,
    early: int,
) -> None:
    depot = Depot()
    live(depot, [(first, 1), *before])
    # Its own id is one that nobody used before; without an id no new record can be told apart.
    own = evolve(mine, tag="mine") if mine.kind == "make" else mine
    sent, since = depot.message(own), depot.now - early
    live(depot, meanwhile)
    executed = arrives and depot.carry_out(own, sent)
    live(depot, after)

    found = evidence(TRACES[own.kind], sent, *reversed(depot.parcels), since=since)

    if found.shows == "executed":
        assert executed or depot.looks_carried_out(own, sent)
    if found.shows == "absent":
        assert not executed


def live(depot: Depot, steps: Iterable[tuple[Plan, int]]) -> None:
    """Let others do what they do, and the time pass."""
    for plan, pause in steps:
        depot.carry_out(plan, depot.message(plan))
        depot.now += pause
