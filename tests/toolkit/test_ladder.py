"""A ladder is reached in the fewest actions, and never rests more than its quotes without saying so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from attrs import define, evolve, field
from hypothesis import given, strategies as some

from tests.doubles.clock import VirtualTime
from tests.doubles.transport import LOST
from tests.toolkit.market import PACKAGES, Dialect, exchange
from trading_runtime import ApiError, BaseClient, RequestError, Settlement
from trading_runtime.http.transport import HTTPTransport, Request, Response
from trading_sandbox import Sandbox
from trading_sdk import Client
from trading_toolkit import ToolkitError, ladder, orders
from trading_toolkit.ladder import Quote, Replaced, Resting
from trading_toolkit.quotes import plan

ZERO = Decimal(0)
LAG = 5.0


def quotes(*texts: str) -> list[Quote]:
    """Quotes from texts like `bid 0.1 BTC @ 60000`."""
    words = [each.split() for each in texts]
    return [Quote(symbol, side, price, amount) for side, amount, symbol, _, price in words]


def both(mid: int, count: int = 1, amount: str = "0.01", step: int = 10) -> list[Quote]:
    """A ladder around a price."""
    return [
        Quote("BTC", side, mid + sign * step * number, amount)
        for side, sign in (("bid", -1), ("ask", 1))
        for number in range(1, count + 1)
    ]


# -- the plan ------------------------------------------------------------------------------------------

AMOUNTS = some.sampled_from([Decimal("0.1"), Decimal("0.2"), Decimal("0.5")])


@some.composite
def books(draw: some.DrawFn) -> list[tuple[str, Decimal, Decimal]]:
    """Bids and asks that do not cross."""
    mid = draw(some.integers(10, 20))
    bids = draw(some.lists(some.tuples(some.integers(mid - 8, mid - 1), AMOUNTS), max_size=4))
    asks = draw(some.lists(some.tuples(some.integers(mid + 1, mid + 8), AMOUNTS), max_size=4))
    return [
        *(("bid", Decimal(price), amount) for price, amount in bids),
        *(("ask", Decimal(price), amount) for price, amount in asks),
    ]


def resting(book: Sequence[tuple[str, Decimal, Decimal]], first: int = 1) -> list[Resting]:
    more: dict[str, Any] = {"symbol": "BTC", "client_order_id": None}
    return [
        Resting(side=side, price=price, amount=amount, order_id=number, **more)
        for number, (side, price, amount) in enumerate(book, first)
    ]


def quoted(book: Sequence[tuple[str, Decimal, Decimal]]) -> list[Quote]:
    return [Quote("BTC", *each) for each in book]


def values(each: Any) -> tuple[str, str, Decimal, Decimal]:
    return each.symbol, each.side, each.price, each.amount


def carried_out(steps: Sequence[Any], before: Sequence[Resting]) -> list[Any]:
    """What rests after some steps; no bid ever meets an ask on the way."""
    rests: dict[Any, Any] = {each.order_id: each for each in before}
    for number, step in enumerate(steps):
        if step.order is not None:
            del rests[step.order.order_id]
        if step.quote is not None:
            rests[f"new {number}"] = step.quote
        bids = [each.price for each in rests.values() if each.side == "bid"]
        asks = [each.price for each in rests.values() if each.side == "ask"]
        assert not (bids and asks) or max(bids) < min(asks), steps
    return [*rests.values()]


@given(books(), books())
def test_a_plan_is_the_shortest_and_never_crosses(now: list[Any], wanted: list[Any]) -> None:
    steps = plan(quoted(wanted), resting(now))
    rests = carried_out(steps, resting(now))
    assert Counter(map(values, rests)) == Counter(map(values, quoted(wanted)))
    fewest = 0
    for side in ("bid", "ask"):
        old = Counter(each for each in now if each[0] == side)
        new = Counter(each for each in wanted if each[0] == side)
        fewest += max((old - new).total(), (new - old).total())
    assert len(steps) == fewest


@given(books(), books(), books())
def test_what_may_rest_is_not_quoted_once_more(
    now: list[Any], wanted: list[Any], unsure: list[Any]
) -> None:
    steps = plan(quoted(wanted), resting(now), resting(unsure, 100))
    rests = carried_out(steps, resting(now))
    for side in ("bid", "ask"):
        kept = (Counter(now) & Counter(wanted)).elements()
        least = sum(each[2] for each in kept if each[0] == side)
        most = sum(each[2] for each in wanted if each[0] == side)
        doubt = sum(each[2] for each in unsure if each[0] == side)
        assert sum(each.amount for each in rests if each.side == side) <= max(least, most - doubt)


# -- at the sandbox ------------------------------------------------------------------------------------


@define
class Hop:
    """A way to the service that repeats and loses batches, and shows lists as they were."""

    time: VirtualTime
    inner: HTTPTransport = field(factory=HTTPTransport)
    batches: list[str] = field(factory=list)
    """What happens to the next batches: `lost`, `unsent`, `twice`, or nothing."""

    is_late: bool = False
    """Whether lists are shown as they were when they were read last, if that is less than `LAG` ago."""

    sent: list[str] = field(factory=list)
    """The kinds of the actions that came this way."""

    sizes: list[int] = field(factory=list)
    """How many actions each batch had."""

    kept: dict[str, tuple[float, Response]] = field(factory=dict)
    """The lists as they were read last, and when."""

    def send(self, request: Request, *, timeout: float) -> Response:
        self.time.advance(1)
        path = urlsplit(request.url).path
        if request.method == "GET":
            page = path + request.url.partition("cursor=")[2]
            read_at, answer = self.kept.get(page, (-LAG, None))
            is_kept = answer is not None and self.time.monotonic() - read_at < LAG
            is_list = path.endswith(("/orders", "/orders/history"))
            if not (self.is_late and is_list and is_kept):
                answer = self.inner.send(request, timeout=timeout)
                self.kept[page] = self.time.monotonic(), answer
            assert answer is not None
            return answer
        if path.endswith("/batch"):
            return self._batch(request, timeout)
        return self.inner.send(request, timeout=timeout)

    def _batch(self, request: Request, timeout: float) -> Response:
        kinds = [each.split('"')[0] for each in (request.body or b"").decode().split('"type":"')]
        kinds = [each for each in kinds if each in ("Create", "Edit", "Cancel")]
        what = self.batches.pop(0) if self.batches else ""
        if what == "unsent":
            raise LOST
        self.sent += kinds
        self.sizes.append(len(kinds))
        answer = self.inner.send(request, timeout=timeout)
        if what == "twice":
            answer = self.inner.send(request, timeout=timeout)
        if what == "lost":
            raise LOST
        return answer

    def close(self) -> None:
        self.inner.close()


@define
class Desk:
    """A maker's account."""

    sandbox: Sandbox
    client: Any
    hop: Hop
    taker: Client
    reader: Any
    """Reads the lists by a way of its own."""

    time: VirtualTime
    found: Replaced | None = None

    def replace(self, quotes: Sequence[Quote], **more: Any) -> Replaced:
        """Call it with the result of the call before."""
        clocks = {"wait": self.time.sleep, "clock": self.time.monotonic}
        given: dict[str, Any] = {"before": self.found, **clocks, **more}
        self.found = ladder.replace(self.client, quotes, **given)
        return self.found

    def open(self) -> list[Any]:
        return [*orders.open_orders(self.reader)]

    def rests(self) -> Counter[Any]:
        """What rests of the ladder: market, side, price, and what is left to fill."""
        return Counter(
            (each.symbol, each.side, each.price, each.amount - each.filled_amount)
            for each in self.open()
            if each.order_type == "limit" and not each.reduce_only
        )

    def take(self, side: Any, price: int, amount: str) -> None:
        """Another account fills what rests."""
        self.taker.orders.create(
            symbol="BTC", side=side, price=price, amount=amount, tif="IOC", reduce_only=False
        )

    def is_right(self, quotes: Sequence[Quote]) -> bool:
        return self.rests() == Counter(map(values, quotes))


@contextmanager
def at_desk(dialect: Dialect, lag: float = 0) -> Iterator[Desk]:
    passing, opened = VirtualTime(), exchange(dialect)
    as_before = opened._open

    def open_() -> Any:
        service = as_before()
        service.clock.wall = passing.local_ms
        return service

    opened._open = open_  # type: ignore[assignment]
    with opened as sandbox:
        key, other = (sandbox.create_account(usdc="1000000") for _ in range(2))
        made, hop = PACKAGES[dialect].Client, Hop(passing)
        with (
            made(sandbox.url, signer=key, history_lag=lag, transport=hop) as client,
            made(sandbox.url, signer=key) as reader,
            Client(sandbox.url, signer=other) as taker,
        ):
            for each in (client, reader, taker):
                passing.hold(each)
            yield Desk(sandbox, client, hop, taker, reader, passing)


@pytest.fixture(params=PACKAGES)
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    with at_desk(request.param) as made:
        yield made


@pytest.fixture(params=PACKAGES)
def late(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A desk whose lists may be late."""
    with at_desk(request.param, LAG) as made:
        yield made


def test_a_ladder_of_25_is_placed_kept_moved_and_cancelled(desk: Desk) -> None:
    first = both(60_000, 12) + quotes("bid 0.5 ETH @ 2000")
    found = desk.replace(first)
    assert (found.is_done, len(found.live), len(found.placed)) == (True, 25, 25)
    assert desk.is_right(first)
    assert desk.hop.sizes == [10, 10, 5]
    desk.hop.sent.clear()
    assert desk.replace(first).is_done
    assert desk.hop.sent == []  # all is right
    moved = both(60_010, 12) + quotes("bid 0.5 ETH @ 2000")
    found = desk.replace(moved)
    assert desk.is_right(moved)
    # Ten bids and ten asks stand where they stood; the others are edited.
    assert desk.hop.sent == ["Edit"] * 2
    assert (found.is_done, len(found.edited), len(found.live)) == (True, 2, 25)
    fewer = both(60_500, 1)
    found = desk.replace(fewer)
    assert desk.is_right(fewer)
    assert (found.is_done, len(found.cancelled)) == (True, 23)
    assert desk.replace([]).is_done
    assert desk.is_right([])
    assert desk.found is not None
    assert desk.found.live == ()


def test_orders_that_are_no_quotes_are_left_alone(desk: Desk) -> None:
    order: dict[str, Any] = {"symbol": "BTC", "tif": "GTC", "reduce_only": False, "amount": "0.01"}
    desk.taker.orders.create(**{**order, "side": "ask", "price": "60000"})
    desk.reader.orders.create(**{**order, "side": "bid", "price": "60000"})
    desk.reader.orders.create(**{**order, "side": "ask", "price": "70000", "reduce_only": True})
    desk.reader.orders.create(**{**order, "side": "bid", "price": "1000", "symbol": "ETH"})
    desk.reader.orders.create_stop(
        symbol="BTC", side="ask", reduce_only=False, stop_order={"stop_price": "50000"}
    )
    others = {each.order_id for each in desk.open()}
    assert len(others) == 3
    desk.replace(both(60_000, 2))
    desk.replace(both(60_100, 1))
    assert desk.replace([], symbols=["BTC"]).is_done
    assert {each.order_id for each in desk.open()} == others


def test_what_is_filled_is_quoted_again_also_between_the_list_and_the_edit(desk: Desk) -> None:
    ladder_, moved = both(60_000, 2), both(60_005, 2)
    desk.replace(ladder_)
    desk.take("ask", 59_990, "0.004")  # in part
    desk.take("bid", 60_010, "0.01")  # the whole of it
    found = desk.replace(ladder_)
    assert (found.is_done, len(found.edited), len(found.placed)) == (True, 1, 1)
    assert desk.is_right(ladder_)
    desk.replace(ladder_)  # reads the list, which is shown from now on
    desk.hop.is_late = True
    desk.take("ask", 59_990, "0.004")
    desk.take("bid", 60_010, "0.01")
    found = desk.replace(moved)
    assert (found.is_done, len(found.refused)) == (False, 1)
    desk.hop.is_late = False
    assert desk.replace(moved).is_done
    assert desk.is_right(moved)


@pytest.mark.parametrize("dialect", PACKAGES)
def test_random_ladders_and_fills_agree_with_a_small_model(dialect: Dialect) -> None:
    random = Random(51)
    with at_desk(dialect) as desk:
        for _ in range(20):
            mid = random.randrange(59_900, 60_100)
            wanted = [
                Quote("BTC", side, mid + sign * random.randrange(1, 8), amount)
                for side, sign in (("bid", -1), ("ask", 1))
                for amount in random.choices(["0.01", "0.02"], k=random.randrange(5))
            ]
            assert desk.replace(wanted, symbols=["BTC"]).is_done
            assert desk.is_right(wanted)
            assert desk.found is not None
            assert Counter(map(values, desk.found.live)) == desk.rests()
            rest = desk.open()
            for each in random.sample(rest, min(2, len(rest))):
                against = "ask" if each.side == "bid" else "bid"
                desk.take(against, int(each.price), random.choice(["0.005", "0.01"]))
        assert all(each.reason != "self_trade_prevented" for each in desk.reader.orders.history())


# -- lists that are late -------------------------------------------------------------------------------


def test_the_first_call_waits_until_the_list_shows_older_orders(late: Desk) -> None:
    orders.open_orders(late.client, "BTC")
    # Another program quotes, and ends; the list does not show it yet.
    ladder.replace(late.reader.with_options(), both(60_000, 2), wait=late.time.sleep)
    now = late.time.monotonic()
    late.hop.kept = {page: (now, answer) for page, (_, answer) in late.hop.kept.items()}
    late.hop.is_late = True
    late.time.naps.clear()
    found = late.replace(both(60_000, 2), timeout=1)
    assert found.problems == ("no time is left to wait until the list shows older orders",)
    assert (found.placed, late.time.naps) == ((), [])
    assert late.is_right(both(60_000, 2))
    assert late.replace(both(60_000, 2)).is_done
    assert late.time.naps == [pytest.approx(LAG, abs=0.5)]
    assert late.is_right(both(60_000, 2))


def test_within_the_lag_nothing_is_placed_twice(late: Desk) -> None:
    """The list shows none of the orders, and then those that were edited since."""
    late.replace([], symbols=["BTC"])
    for mid in (60_000, 60_100, 60_050):
        late.hop.is_late = True
        assert late.replace(both(mid, 2)).is_done
        assert late.is_right(both(mid, 2))
        assert late.replace(both(mid, 2)).is_done
        assert late.is_right(both(mid, 2))
        late.hop.is_late = False
        late.reader.orders.history().to_list()
        assert late.replace(both(mid, 1)).is_done
        assert late.is_right(both(mid, 1))
    assert late.time.naps == [pytest.approx(LAG, abs=0.5)]


def test_within_the_lag_a_replica_that_hides_orders_counts_for_nothing_and_later_it_does() -> None:
    with at_desk("live", LAG) as desk:
        desk.replace([], symbols=["BTC"])
        empty = dict(desk.hop.kept)
        desk.replace(both(60_000, 2))
        assert desk.replace(both(60_000, 2)).is_done  # shown
        desk.hop.is_late, desk.hop.kept = True, empty
        assert desk.replace(both(60_000, 2)).is_done
        assert desk.is_right(both(60_000, 2))
        desk.hop.is_late = False
        # Another program cancels what rests.
        orders.cancel_all(desk.reader.with_options(), wait=lambda _: None, timeout=0)
        desk.time.sleep(LAG)
        assert desk.replace(both(60_000, 2)).is_done
        assert desk.is_right(both(60_000, 2))


# -- answers that are lost, or not the first -----------------------------------------------------------


def test_a_lost_answer_is_looked_for_and_nothing_is_placed_twice(desk: Desk) -> None:
    desk.sandbox.faults.inject("orders.batch", "reset")
    found = desk.replace(both(60_000, 3))
    assert (found.is_done, found.unknown) == (True, ())
    assert desk.is_right(both(60_000, 3))
    desk.sandbox.faults.inject("orders.batch", "reset")
    assert desk.replace(both(60_200, 3)).is_done
    assert desk.is_right(both(60_200, 3))


@pytest.mark.parametrize("dialect", PACKAGES)
def test_while_a_batch_is_unknown_nothing_is_placed_and_wrong_quotes_are_cancelled(
    dialect: Dialect,
) -> None:
    with at_desk(dialect) as desk:
        desk.replace(both(60_000, 2))
        desk.hop.batches = ["unsent"]
        found = desk.replace(both(60_100, 3), timeout=0)
        assert len(found.unknown) == 1
        assert not found.is_done
        assert "Create" not in desk.hop.sent[4:]
        assert "Edit" not in desk.hop.sent[4:]
        assert desk.is_right([])
        told = Counter(values(each) for each in found.unsure)
        assert told >= Counter(map(values, both(60_100, 3)[2:3]))
        found = desk.replace(both(60_100, 3), timeout=0)  # still
        assert len(found.unknown) == 1
        assert desk.is_right([])
        # Then it can be accepted no longer.
        desk.time.naps.clear()
        assert desk.replace(both(60_100, 3)).is_done
        assert desk.is_right(both(60_100, 3))
        assert 30 < sum(desk.time.naps) < 60


def test_what_stays_unsettled_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the service can accept a batch no longer, its quotes are placed by what the list shows."""
    desk.replace([], symbols=["BTC"])
    acknowledged: list[object] = []
    monkeypatch.setattr(BaseClient, "acknowledge", lambda _, error: acknowledged.append(error))
    plainly, changed = BaseClient.reconcile, {"state": "unsettled", "reason": "no clock agrees"}

    def unsettled(client: BaseClient, *given: Any, **more: Any) -> list[Settlement]:
        found: Sequence[Any] = plainly(client, *given, **more)
        return [evolve(each, records=(), **changed) for each in found]

    monkeypatch.setattr(BaseClient, "reconcile", unsettled)
    desk.hop.batches = ["unsent"]
    found = desk.replace(both(60_000, 1))
    assert found.problems == ("orders.create is unsettled: no clock agrees",) * 2
    assert (found.is_done, found.unknown, acknowledged) == (False, (), [])
    assert desk.is_right(both(60_000, 1))


def test_a_batch_that_arrives_although_its_answer_is_lost_and_lists_are_late(late: Desk) -> None:
    late.replace([], symbols=["BTC"])
    late.client.orders.history().to_list()
    late.hop.is_late, late.hop.batches = True, ["lost"]
    found = late.replace(both(60_000, 2), timeout=0)
    assert (len(found.unknown), len(found.unsure), found.live) == (1, 4, ())
    assert late.is_right(both(60_000, 2))
    late.hop.is_late = False
    assert late.replace(both(60_000, 2)).is_done
    assert late.is_right(both(60_000, 2))
    if is_live(late):  # the history shows it though the list of open orders is late
        late.hop.is_late, late.hop.batches = True, ["lost"]
        found = late.replace(both(60_100, 2), timeout=60)
        assert (found.unknown, found.unsure, len(found.live)) == ((), (), 4), found
        assert late.is_right(both(60_100, 2))


def test_after_a_batch_that_failed_only_cancels_are_sent(desk: Desk) -> None:
    desk.replace(both(60_000, 12))
    desk.hop.batches = ["unsent"]
    desk.hop.sent.clear()
    found = desk.replace(both(60_500, 10), timeout=0)
    assert len(found.unknown) == 1
    assert found.problems[0].startswith("14 more actions were not sent, because orders.batch:")
    assert "Create" not in desk.hop.sent
    assert "Edit" not in desk.hop.sent
    assert desk.is_right([])
    desk.time.sleep(40)
    desk.sandbox.faults.inject("orders.batch", "status", status=429)
    found = desk.replace(both(60_000, 12))
    assert (found.placed, len(found.refused), len(found.problems)) == ((), 10, 1)
    assert desk.is_right([])


def test_what_a_hop_sent_twice_is_not_placed_once_more(late: Desk) -> None:
    """Edits are refused because the first copy was executed, and the lists do not show it yet."""
    late.replace(both(60_000, 2))
    late.reader.orders.history().to_list()
    late.hop.batches = ["twice"]
    found = late.replace(both(60_100, 2))
    assert len(found.refused) == 4
    assert len(found.unsure) == 4
    assert late.is_right(both(60_100, 2))
    late.hop.is_late = True
    found = late.replace(both(60_200, 2))
    assert found.placed == ()
    assert sum(late.rests().values()) == 4
    late.hop.is_late = False
    assert late.replace(both(60_200, 2)).is_done
    assert late.is_right(both(60_200, 2))


def test_an_order_that_is_refused_may_have_come_twice() -> None:
    with at_desk("live", LAG) as desk:
        desk.replace([], symbols=["BTC"])
        found = desk.replace(both(60_000, 1, "5000"))
        assert len(found.refused) == len(found.unsure) == 2
        assert desk.replace(both(60_000, 1)).placed == ()
        desk.time.sleep(LAG + 40)
        assert desk.replace(both(60_000, 1)).is_done
        assert desk.is_right(both(60_000, 1))


@pytest.mark.parametrize("dialect", PACKAGES)
@pytest.mark.parametrize("lag", [0, LAG])
def test_whatever_happens_no_more_rests_than_is_told(lag: float, dialect: Dialect) -> None:
    random = Random(3)
    with at_desk(dialect, lag) as desk:
        for _ in range(25):
            wanted = both(random.randrange(59_000, 61_000), random.randrange(1, 8))
            desk.hop.batches = random.choices(["", "lost", "unsent", "twice"], [6, 1, 1, 1], k=3)
            desk.hop.is_late = desk.client.history_lag > 0 and random.random() < 0.4
            if random.random() < 0.1:
                desk.sandbox.faults.inject("orders.batch", "status", status=429)
            found = desk.replace(wanted, timeout=random.choice([0, 60]))
            rest = desk.open()
            check(desk, rest, wanted, found)
            for each in random.sample(rest, min(1, len(rest))):
                desk.take("ask" if each.side == "bid" else "bid", int(each.price), "0.005")
            desk.time.sleep(random.choice([0.1, 1.0, LAG]))
        desk.hop.batches, desk.hop.is_late = [], False
        desk.sandbox.faults.clear()
        desk.time.sleep(60)
        desk.replace(both(60_000, 3))
        assert desk.replace(both(60_000, 3)).is_done
        assert desk.is_right(both(60_000, 3))


def check(desk: Desk, rest: list[Any], wanted: Sequence[Quote], found: Replaced) -> None:
    """All that rests is told, and beside what is unsure no more rests than the quotes."""
    if found.is_done:  # a fill may be listed late
        places = Counter((each.side, each.price) for each in rest)
        assert places <= Counter((each.side, each.price) for each in wanted)
        assert desk.is_right(wanted) or desk.client.history_lag
    for side in ("bid", "ask"):
        alive = [each for each in rest if each.side == side]
        sure = [each for each in alive if is_told(each, found.live)]
        assert all(is_told(each, (*found.live, *found.unsure)) for each in alive), (alive, found)
        assert len(alive) - len(found.unsure) <= len([q for q in wanted if q.side == side]), found
        assert len(sure) <= len([q for q in wanted if q.side == side]) or found.problems, found


def is_told(order: Any, told: Sequence[Resting]) -> bool:
    """Whether an order is told, or what it took the place of."""
    names = {each.client_order_id for each in told} - {None}
    ids = {each.order_id for each in told}
    return order.order_id in ids or order.client_order_id in names


# -- mistakes, and what goes wrong otherwise -----------------------------------------------------------


def test_a_list_that_cannot_be_read_is_an_error_and_nothing_is_sent(desk: Desk) -> None:
    name = "orders.list" if is_live(desk) else "orders.history"
    desk.sandbox.faults.inject(name, "status", status=403)
    with pytest.raises(ApiError):
        desk.replace(both(60_000))
    assert desk.hop.sent == []
    assert desk.replace(both(60_000)).is_done


def test_an_order_that_cannot_be_right_is_an_error_before_anything_is_sent() -> None:
    def check(model: Any) -> None:
        if hasattr(model, "price"):
            raise RequestError("no such tick")

    with at_desk("live") as desk:
        desk.client._caller = evolve(desk.client._caller, check=check)
        with pytest.raises(RequestError, match="no such tick"):
            desk.replace(both(60_000))
        assert desk.hop.sent == []


def test_a_call_that_is_interrupted_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    found = desk.replace(both(60_000))
    send = Hop.send

    def interrupted(hop: Hop, request: Request, *, timeout: float) -> Response:
        if request.method == "POST":
            raise KeyboardInterrupt
        return send(hop, request, timeout=timeout)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Hop, "send", interrupted)
        desk.replace(both(60_100))
    with pytest.raises(ToolkitError, match="was interrupted while it sent a batch"):
        desk.replace(both(60_100), before=found)
    assert desk.replace(both(60_100), before=None).is_done
    assert desk.is_right(both(60_100))


def test_a_wrong_quote_is_an_error() -> None:
    wrong: list[tuple[tuple[Any, ...], type[Exception], str]] = [
        (("BTC", "buy", 1, 1), ToolkitError, "side must be 'bid' or 'ask', not 'buy'"),
        (("BTC", "bid", 1, 0), ToolkitError, "price and amount must be above 0: bid 0 BTC at 1"),
        (("", "bid", 1, 1), ToolkitError, "symbol must be a text"),
        (("BTC", "bid", 1.5, 1), TypeError, "float"),
    ]
    for values_, kind, text in wrong:
        with pytest.raises(kind, match=text):
            Quote(*values_)


def test_wrong_arguments_are_errors_and_nothing_is_sent(desk: Desk) -> None:
    found = desk.replace([], symbols=["BTC"])
    crossing = quotes("bid 1 BTC @ 5", "ask 1 BTC @ 5")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"quotes": []}, "a ladder needs a market"),
        ({"quotes": crossing}, "the quotes would trade with each other"),
        ({"quotes": [{"symbol": "BTC"}]}, "a quote is a ladder.Quote"),
        ({"symbols": "BTC"}, "symbols must be a list"),
        ({"before": 5}, "before must be the result of the call before"),
        ({"timeout": -1}, "timeout"),
    ]
    for arguments, text in wrong:
        with pytest.raises(ToolkitError, match=text):
            desk.replace(**{"quotes": both(60_000), "before": None, **arguments})
    other = type(desk.client)(desk.sandbox.url, signer=desk.sandbox.create_account())
    with other, pytest.raises(ToolkitError, match="before is of"):
        ladder.replace(other, both(60_000), before=found)
    assert desk.hop.sent == []


def is_live(desk: Desk) -> bool:
    return "orders.list" in desk.client.api.operations
