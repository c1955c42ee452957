"""Kept state is that of the exchange, however pictures, events, lists by REST and gaps interleave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from tests.toolkit.market import exchange
from tests.toolkit.records import NOON, PLAIN, record
from trading_runtime.stream import Disconnected, Lagging, Reconnected, Stream
from trading_sandbox import Sandbox
from trading_sdk_observed import Client, Keypair, Order, OrderStatus, Side, TradeSide
from trading_sdk_observed.streams import (
    AccountOrders,
    AccountOrderUpdates,
    AccountPositions,
    AccountTrades,
    BestPrices,
    BestPricesChanged,
    Book,
    BookSnapshot,
    OrderEventType,
    OrdersSnapshot,
    OrdersUpdated,
    OrderUpdate,
    OwnTrade,
    OwnTradesHappened,
    PositionsSnapshot,
    StreamLevel,
    StreamOrder,
    StreamPosition,
    StreamTrade,
    TradesHappened,
)
from trading_toolkit import portfolio
from trading_toolkit.live import LiveBook, LiveOrders, LivePositions

WAIT = 20.0
"""Seconds after which what a test waits for has failed."""
ONE = Decimal(1)


# -- samples -------------------------------------------------------------------------------------


def update(id_: int, number: int | None, filled: int = 0, status: str = "open") -> OrderUpdate:
    state: dict[str, Any] = {"filled_amount": Decimal(filled), "order_status": OrderStatus(status)}
    made = OrderEventType.MAKE
    return record(OrderUpdate, order_id=id_, number=number, event_type=made, **state)


def shown(event: OrderUpdate) -> StreamOrder:
    """An order as a picture shows it."""
    filled = event.filled_amount
    return record(StreamOrder, order_id=event.order_id, filled_amount=filled)


def listed(event: OrderUpdate) -> Order:
    """An order as the history shows it."""
    state: dict[str, Any] = {"filled_amount": event.filled_amount, "price": None}
    return record(Order, order_id=event.order_id, order_status=event.order_status, **state)


def trade(number: int | None, side: str, amount: int = 1, at: int = NOON, id_: int = 0) -> OwnTrade:
    ids = {"history_id": id_ or number or 0, "number": number, "created_at": at}
    return record(OwnTrade, side=TradeSide(side), amount=Decimal(amount), **ids)


def happened(*trades: OwnTrade) -> OwnTradesHappened:
    return OwnTradesHappened(trades=trades)


def position(size: int, at: int = NOON) -> StreamPosition:
    side = Side.BID if size > 0 else Side.ASK
    return record(StreamPosition, side=side, amount=Decimal(abs(size)), updated_at=at)


def positions(size: int, number: int | None, at: int = NOON) -> PositionsSnapshot:
    return PositionsSnapshot(positions=(position(size, at),) if size else (), number=number)


# -- orders --------------------------------------------------------------------------------------

ENDS = ("filled", "cancelled", "rejected")


@st.composite
def lives(draw: st.DrawFn) -> list[OrderUpdate]:
    """What happens to some orders, in the order of the exchange."""
    fills: dict[int, int] = {}
    ended: set[int] = set()
    events = []
    for number in range(1, draw(st.integers(1, 14)) + 1):
        id_ = draw(st.integers(1, 4))
        if id_ in ended:
            continue
        fills[id_] = fills.get(id_, -1) + 1
        status = draw(st.sampled_from(("open", "partially_filled", "partially_filled", *ENDS)))
        ended |= {id_} if status in ENDS else set()
        events.append(update(id_, number, fills[id_], status))
    return events


def truth(events: list[OrderUpdate], number: int) -> dict[int, OrderUpdate]:
    """Each order as it is at a number of the exchange."""
    return {event.order_id: event for event in events if (event.number or 0) <= number}


def picture(events: list[OrderUpdate], number: int) -> OrdersSnapshot:
    orders = [each for each in truth(events, number).values() if each.order_status not in ENDS]
    return OrdersSnapshot(orders=tuple(map(shown, orders)), number=number)


@given(lives(), st.data())
def test_open_orders_are_the_exchanges(events: list[OrderUpdate], data: st.DataObject) -> None:
    last = events[-1].number or 0
    sources: list[Any] = [OrdersUpdated(updates=(event,)) for event in events]
    numbers = st.integers(0, last)
    sources += [picture(events, number) for number in data.draw(st.lists(numbers, max_size=4))]
    sources += [
        [listed(event) for event in truth(events, number).values()]
        for number in data.draw(st.lists(numbers, max_size=4))
    ]
    lost = data.draw(st.sets(st.integers(0, len(events) - 1)))
    sources = [each for place, each in enumerate(sources) if place not in lost]
    live, ended = LiveOrders(), set[int]()
    for source in data.draw(st.permutations(sources)):
        is_list = isinstance(source, list)
        (live.merge if is_list else live.add)(source)
        told = source if is_list else getattr(source, "updates", ())
        ended |= {each.order_id for each in told if each.order_status in ENDS}
        assert not ended & live.open.keys()
        assert live.unclear <= live.open.keys()
    # What is read at last settles all that is open.
    live.add(picture(events, last))
    live.merge([listed(event) for event in truth(events, last).values()])
    assert {id_: order.filled_amount for id_, order in live.open.items()} == {
        id_: event.filled_amount
        for id_, event in truth(events, last).items()
        if event.order_status not in ENDS
    }
    assert (live.unclear, live.is_current, live.number) == (frozenset(), True, last)


def test_an_order_that_a_list_shows_and_the_picture_does_not_is_unclear_until_it_is_settled() -> (
    None
):
    live = LiveOrders()
    live.merge([listed(update(1, None)), listed(update(2, None))])
    assert live.add(OrdersSnapshot(orders=(), number=5))
    assert live.unclear == live.open.keys() == {1, 2}
    live.merge([listed(update(1, None, status="cancelled"))])
    live.add(OrdersSnapshot(orders=(shown(update(2, None)),), number=6))
    assert (live.unclear, [*live.open]) == (frozenset(), [2])
    assert live.open[2].number == 6


def test_an_order_ends_by_what_is_said_of_it_alone() -> None:
    live = LiveOrders()
    live.add(OrdersUpdated(updates=(update(1, None),)))
    live.add(OrdersSnapshot(orders=(), number=None))  # a service without numbers
    assert live.unclear == {1}
    live = LiveOrders()
    live.add(OrdersUpdated(updates=(update(1, 1, status="paused"),)))  # nobody knows this state
    assert [*live.open] == [1]
    live = LiveOrders()
    for orders in ((shown(update(1, None)),), ()):  # the later picture of one number holds
        live.add(OrdersSnapshot(orders=orders, number=5))
    assert not live.open


# -- positions -----------------------------------------------------------------------------------


@given(st.lists(st.sampled_from((1, -1, 2, -3)), min_size=1, max_size=12), st.data())
def test_a_position_is_that_of_the_latest_number(changes: list[int], data: st.DataObject) -> None:
    def size(number: int) -> int:
        return sum(changes[:number])

    live, told, drawn = LivePositions(), 0, -1
    sides = {True: "open_long", False: "open_short"}
    while told < len(changes) or drawn < len(changes):
        # A picture may be late, or, of pictures that wait, the newest may stand where an older one stood.
        if told == len(changes) or data.draw(st.booleans()):
            drawn = data.draw(st.integers(0, len(changes))) if told < len(changes) else len(changes)
            live.add(positions(size(drawn), drawn))
        else:
            change = changes[told]
            told += 1
            for _ in range(data.draw(st.integers(1, 2))):  # the same frame twice
                live.add(happened(trade(told, sides[change > 0], abs(change))))
        if live.is_current:
            now = max(told, live.number or 0)
            assert live.sizes.get("BTC", 0) == size(now)
            assert live.unclear == frozenset()


def test_without_numbers_the_time_tells_and_one_ms_leaves_it_open() -> None:
    live = LivePositions()
    live.add(positions(5, None, NOON))
    live.add(happened(trade(None, "open_long", 1, NOON - 1, 1)))
    live.add(happened(trade(None, "close_long", 2, NOON + 1, 2)))
    assert (live.sizes, live.unclear) == ({"BTC": Decimal(3)}, frozenset())
    live.add(happened(trade(None, "open_long", 7, NOON, 3)))
    assert (live.sizes, live.unclear) == ({"BTC": Decimal(3)}, frozenset({"BTC"}))
    live.add(positions(10, None, NOON + 2))
    assert (live.sizes, live.unclear) == ({"BTC": Decimal(10)}, frozenset())


def test_a_trade_of_a_side_that_nobody_knows_is_unclear_until_a_picture_has_it() -> None:
    live = LivePositions()
    live.add(happened(trade(3, "swap")))
    assert live.unclear == {"BTC"}
    live.add(positions(5, 2))
    assert live.unclear == {"BTC"}
    live.add(positions(6, 3))
    assert (live.sizes, live.unclear) == ({"BTC": Decimal(6)}, frozenset())


def test_trades_of_the_market_and_events_of_others_move_no_position() -> None:
    live = LivePositions()
    live.add(positions(5, 1))
    ids = {"history_id": 9, "number": 9, "created_at": NOON + 9}
    public = record(StreamTrade, side=TradeSide.OPEN_LONG, **ids)
    live.add(TradesHappened(trades=(public,)))
    assert not live.add(OrdersUpdated(updates=()))
    assert live.sizes == {"BTC": Decimal(5)}


@pytest.mark.parametrize("state", [LiveBook("BTC"), LiveOrders(), LivePositions()])
@pytest.mark.parametrize(
    "gap", [Disconnected(reason="cut"), Reconnected(missed_since=NOON), Lagging(dropped=1)]
)
def test_a_gap_makes_every_state_old_until_the_next_picture(state: Any, gap: Any) -> None:
    def show(number: int) -> None:
        for each in (book(number), OrdersSnapshot(orders=(), number=number), positions(1, number)):
            state.add(each)

    show(7)
    assert state.is_current
    assert state.add(gap)
    assert not state.is_current
    show(6)  # older than the picture before the gap
    assert not state.is_current
    show(7)
    assert state.is_current


# -- books ---------------------------------------------------------------------------------------


def level(price: int, amount: int = 1) -> StreamLevel:
    return StreamLevel(price=Decimal(price), amount=Decimal(amount), orders=1)


def book(number: int | None, symbol: str = "BTC") -> BookSnapshot:
    sides = ((level(10), level(9)), (level(12), level(13)))
    return BookSnapshot(symbol=symbol, sides=sides, time=NOON, number=number)


def best(number: int | None, bid: int, ask: int, amount: int = 5) -> BestPricesChanged:
    prices: dict[str, Any] = {
        "bid": Decimal(bid),
        "bid_amount": Decimal(amount),
        "ask": Decimal(ask),
    }
    return BestPricesChanged(symbol="BTC", **prices, ask_amount=ONE, number=number)


def prices(live: LiveBook) -> tuple[list[int], list[int]]:
    return [int(price) for price, _ in live.bids], [int(price) for price, _ in live.asks]


def test_best_prices_move_the_picture_of_a_book_on() -> None:
    live = LiveBook("BTC")
    assert live.mid is None
    assert not live.add(best(1, 8, 20))
    assert live.add(book(4))
    assert live.mid == 11
    assert live.add(best(5, 9, 12))
    assert prices(live) == ([9], [12, 13])
    assert live.bids[0][1] == 5
    assert live.add(best(6, 11, 14))
    assert prices(live) == ([11, 9], [14])
    assert live.add(best(7, 0, 14, amount=0))
    assert (prices(live), live.mid) == (([], [14]), None)


def test_what_the_picture_has_already_and_other_markets_change_no_book() -> None:
    live = LiveBook("BTC")
    live.add(book(4))
    for event in (best(4, 1, 2), best(None, 1, 2), book(9, "ETH"), happened()):
        assert not live.add(event)
        assert prices(live) == ([10, 9], [12, 13])
    live.add(best(6, 11, 12))
    for number in (3, 5):
        assert not live.add(book(number))
    assert prices(live) == ([11, 10, 9], [12, 13])


# -- against the sandbox -------------------------------------------------------------------------


@contextmanager
def trading() -> Iterator[tuple[Sandbox, Client, Client, Stream]]:
    with exchange("live") as sandbox:
        keys: list[Keypair] = [sandbox.create_account(usdc="1000000") for _ in range(2)]
        with (
            Client(sandbox.url, signer=keys[0]) as client,
            Client(sandbox.url, signer=keys[1]) as other,
            client.stream() as stream,
        ):
            yield sandbox, client, other, stream


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "fault", ["frame_lost", "frame_twice", "half_frame", "cut_off", "try_again_later"]
)
def test_states_are_those_of_the_exchange_after_faults_of_the_stream(seed: int, fault: str) -> None:
    random = Random(seed)
    states = LiveOrders(), LivePositions(), LiveBook("BTC")
    with trading() as (sandbox, client, other, stream):
        stream.subscribe(
            *(AccountOrders(), AccountOrderUpdates(), AccountPositions(), AccountTrades()),
            *(Book(symbol="BTC"), BestPrices(symbol="BTC")),
        )
        for turn in range(12):
            if turn in (3, 7):
                channel = random.choice(["trades", "order_updates", "orders"])
                sandbox.faults.inject(f"account_{channel}", fault)
            act(random, client, other)
            for _ in range(random.randrange(3)):  # the program takes some events meanwhile
                take(stream, states, 0)
        # A picture without a fault repairs what the frames before it lost.
        sandbox.faults.clear()
        act(random, client, other)
        rest: dict[str, Any] = {"symbol": "BTC", "price": "40000", "amount": "0.01"}
        client.orders.create(side="bid", tif="ALO", reduce_only=False, **rest)
        until_true(stream, states, client)
        trades = client.trades.history()
        assert states[1].sizes == position_of(trades)


def act(random: Random, client: Client, other: Client) -> None:
    """Quote, and let somebody take a part of it; at times cancel all."""
    side, against = random.choice([(Side.BID, Side.ASK), (Side.ASK, Side.BID)])
    price = str(50_000 + random.randrange(-20, 20))
    order: dict[str, Any] = {"symbol": "BTC", "reduce_only": False, "tif": "GTC", "price": price}
    client.orders.create(side=side, amount=random.choice(["0.01", "0.03"]), **order)
    other.orders.create(side=against, amount=random.choice(["0.01", "0.02"]), **order)
    if random.random() < 0.2:
        client.orders.cancel_all(all_symbols=True, exclude_reduce_only=False)


def take(stream: Stream, states: tuple[Any, ...], timeout: float) -> bool:
    event = stream.next(timeout=timeout)
    for state in states:
        state.add(event)
    return event is not None


def until_true(stream: Stream, states: tuple[Any, ...], client: Client) -> None:
    """Take events until all states are those that REST shows."""
    orders, held, market = states

    def is_true() -> bool:
        if not all(state.is_current for state in states):
            return False
        live = {id_: order.filled_amount for id_, order in orders.open.items()}
        shown = {order.order_id: order.filled_amount for order in client.orders.list()}
        sizes = {each.symbol: signed(each) for each in client.positions.list()}
        return (live, held.sizes, market.bids) == (shown, sizes, bids(client))

    while not is_true():
        assert take(stream, states, WAIT), "the states stayed wrong"
    assert (orders.unclear, held.unclear) == (frozenset(), frozenset())


def signed(each: Any) -> Decimal:
    amount: Decimal = each.amount
    return amount if each.side == Side.BID else -amount


def bids(client: Client) -> tuple[tuple[Decimal, Decimal], ...]:
    sides = client.markets.book(symbol="BTC").l
    return tuple((each.p, each.a) for each in sides[0])


def position_of(trades: Any) -> dict[str, Decimal]:
    found = portfolio.positions(trades)
    return {symbol: each.size for symbol, each in found.items() if each.size}


def test_an_order_is_what_its_latest_records_say_wherever_they_are_from() -> None:
    live = LiveOrders()
    live.merge([evolve(listed(update(1, None, 3)), price=Decimal(7))])
    assert (live.open[1].price, live.open[1].filled_amount) == (Decimal(7), Decimal(3))
    live.add(OrdersSnapshot(orders=(shown(update(1, None, 2)),), number=5))
    assert (live.open[1].price, live.open[1].filled_amount) == (PLAIN["price"], Decimal(3))
    live.merge([evolve(listed(update(1, None)), price=Decimal(7))])
    live.add(OrdersUpdated(updates=(update(1, 4, 4),)))
    assert (live.open[1].number, live.open[1].price) == (5, PLAIN["price"])
    assert live.open[1].filled_amount == 4
