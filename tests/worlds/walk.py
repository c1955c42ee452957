"""Every order of a few events, of two messages and the clocks: in none of them may a word be false.

The events are: sign and send (`S`), arrive (`A`), execute (`E`), list (`V`) of message 1 or 2, a page
that is cached (`C`), a step of this machine's clock (`K+`, `K-`), and the look at message 1 (`?`). A message without an `A` was lost, and one without a `V` is listed late.
Between two events there is always the same gap; those after the look happen while the client waits.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

from attrs import define, field

from tests.doubles.clock import VirtualTime
from tests.worlds.engine import Entry
from tests.worlds.play import (
    AMOUNT,
    MINE,
    ORDER,
    asked_all,
    other_order,
    set_clock,
)
from tests.worlds.service import Fate, Service
from tests.worlds.tally import Tally
from tests.worlds.traits import World
from trading_sdk import Client, OutcomeUnknownError

GAPS = (100, 1_000, 2_500)
"""Between two events, in ms."""
WINDOW, QUEUE, LAG, CACHE, STEP = 2_000, 3_000, 6_000, 4_000, 2_000
"""How long a message is accepted, may wait, is unlisted, a page is cached, a clock's step. In ms."""
PAIRS = ("ids minted", "edit and cancel", "cancel and edit")
ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
STEPS = ("K+", "K-")
_SPANS = (("A", "E", QUEUE), ("E", "V", LAG))
"""An event, one that follows it, and how long after it at most."""
WALKED = World(name="walked", lag=LAG, cache_tells=False)


def orders(events: int, done: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every possible order of at most so many events that begins so, with one look."""
    if "?" in done:
        yield done
    if len(done) < events:
        for event in _possible(done):
            yield from orders(events, (*done, event))


def _possible(done: tuple[str, ...]) -> Iterator[str]:
    looked = "?" in done
    if not done:
        yield "S1"
        yield "S2"
        return
    for number in "12":
        stage = sum(event in done for event in (f"{each}{number}" for each in "SAEV"))
        if stage < 4 and not (looked and stage == 0):
            yield f"{'SAEV'[stage]}{number}"
    if "C" not in done:
        yield "C"
    if not any(step in done for step in STEPS):
        yield from STEPS
    if "S1" in done and not looked:
        yield "?"


def walked(events: int, *, every: int = 1) -> Tally:
    """Walk every order (or one of so many) of at most so many events; the tally of what was said."""
    tally = Tally()
    number = 0
    for order in orders(events):
        for gap in GAPS:
            for pair in PAIRS:
                number += 1
                if number % every == 0 and _is_within_bounds(order, gap):
                    Walk(pair, gap, number).go(order, tally)
    return tally


def _is_within_bounds(order: tuple[str, ...], gap: int) -> bool:
    spans = ((f"{first}{n}", f"{last}{n}", most) for first, last, most in _SPANS for n in "12")
    return all(
        (order.index(last) - order.index(first)) * gap <= most
        for first, last, most in spans
        if last in order
    )


@define
class Walk:
    """One order of events."""

    pair: str
    gap: int
    number: int
    time: VirtualTime = field(init=False)
    service: Service = field(init=False)
    client: Client = field(init=False)
    target: Entry | None = None
    held: dict[str, tuple[str, str, dict[str, object]]] = field(factory=dict)
    accepted: set[str] = field(factory=set)
    touched: dict[str, list[tuple[Entry, int]]] = field(factory=dict)
    errors: dict[str, OutcomeUnknownError] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Make a service with one old order, and a client."""
        self.service = Service(WALKED, Random(0))
        self.time = self.service.time
        self.service.engine.shuffle = self.number
        self.service.engine.max_lag = 2 * LAG  # so the replacement of an order is listed last
        self.client = self.service.client(expiry_window=WINDOW)
        next(iter(self.client.orders.history()), None)
        if "edit" in self.pair:
            other_order(self.service, None if self.number % 2 else ID, ago=60_000)
            self.target = self.service.engine.orders[-1]

    def go(self, order: tuple[str, ...], tally: Tally) -> None:
        """Let the events happen, and compare what the client says with the truth."""
        before, after = order[: order.index("?")], order[order.index("?") + 1 :]
        for event in before:
            self.happen(event)
            self.time.advance(self.gap)
        for index, event in enumerate(after):
            self.time.at(self.time.now + (index + 1) * self.gap, partial(self.happen, event))
        [(said, reason)] = asked_all(self.client, self.service, self.errors["1"])
        heir = None if self.target is None else self.target.last_heir
        is_open = heir is not None and heir.ended_at is None
        is_new = heir is not None and heir.latest["initial_price"] == MINE
        self.time.advance(120_000)
        done = bool(self.service.engine.executed.get(self.held["1"][0]))
        false = said == "escaped" or (said == "not executed" and done)
        if said == "executed":
            false = is_open if self.pair == "cancel and edit" else not (done or is_new)
        words = " ".join(order)
        example = f"{self.pair}, {self.gap} ms: {words}: {said}: {reason}"
        tally.add(said, false, example)

    def happen(self, event: str) -> None:
        """Let one event happen."""
        kind, number = event[0], event[1:]
        if kind == "S":
            self._sign(number)
        elif kind == "A":
            if self.service.engine.arrive(self.held[number][2]):
                self.accepted.add(number)
        elif kind == "E":
            self._execute(number)
        elif kind == "V":
            self._list(number)
        elif kind == "C":
            # Whoever asked for it, it is the same page that the client would get.
            self.service.caching = CACHE
            self.service.cache_all()
        else:
            set_clock(self.time, STEP if number == "+" else -STEP)

    def _sign(self, number: str) -> None:
        self.service.fate = Fate(None)
        try:
            self._call(number)
        except OutcomeUnknownError as error:
            self.errors[number] = error
        self.held[number] = (self.service.last[0], *self.service.held)

    def _call(self, number: str) -> None:
        orders = self.client.orders
        if self.target is None:
            orders.create(**ORDER)
        elif (self.pair == "edit and cancel") == (number == "1"):
            orders.edit(symbol="BTC", order_id=1, price=MINE, amount=AMOUNT)
        else:
            orders.cancel(symbol="BTC", order_id=1)

    def _execute(self, number: str) -> None:
        if number in self.accepted:
            engine = self.service.engine
            before = len(engine.touched)
            engine.carry_out(*self.held[number][1:], lag=LAG)
            self.touched[number] = engine.touched[before:]

    def _list(self, number: str) -> None:
        """Show what a message did; of an edit the change of the old order alone."""
        for entry, place in self.touched.get(number, [])[:1]:
            _, fields = entry.versions[place]
            entry.versions[place] = (self.time.now, fields)
