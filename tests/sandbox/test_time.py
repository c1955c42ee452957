"""Time that passes: prices follow their paths, step by step, and the same comes of it every time."""

from __future__ import annotations

from copy import deepcopy
from decimal import Decimal

import pytest

from trading_sandbox.engine import schedule
from trading_sandbox.engine.commands import Advance, SetMaker
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.seeded import path_price
from trading_sandbox.engine.state import Account, State

SECOND = 1000
HOUR = 3600 * SECOND
DAY = 24 * HOUR
STARTED = 1_800_000_000_000 + 25 * 60 * SECOND + 317
"""In the middle of an hour, and of a second."""
FULL_HOUR = (STARTED // HOUR + 1) * HOUR


def opened(seed: int = 7, *, maker_on: bool = True) -> Exchange:
    return Exchange.opened(seed, STARTED, maker_on=maker_on)


def marks(state: State) -> dict[str, Decimal]:
    return {symbol: market.mark_price for symbol, market in state.markets.items()}


def paths(after: int, seed: int = 7) -> dict[str, Decimal]:
    return {symbol: path_price(seed, market, after) for symbol, market in MARKETS.items()}


# -- paths ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "symbol", "elapsed_ms", "price"),
    [
        *((7, "BTC", 0, "100000"), (7, "BTC", 1, "100000"), (7, "BTC", 86_399_999, "99086")),
        (-3, "ETH", 12_345_678_901, "3625.1"),
        (10**30, "SOL", 5_000, "149.99"),
        (8, "SOL", 69_120_000_000, "152.76"),
    ],
)
def test_a_seed_has_its_prices_for_good(
    seed: int, symbol: str, elapsed_ms: int, price: str
) -> None:
    # Worked out with fractions from the definition: a sum of grids, rounded down to the tick.
    assert path_price(seed, MARKETS[symbol], elapsed_ms) == Decimal(price)


# -- steps ---------------------------------------------------------------------------------------


def test_prices_move_along_their_paths_every_second_and_not_between() -> None:
    exchange = opened()
    for second in range(1, 20):
        exchange.execute(Advance(), STARTED + second * SECOND)
        assert marks(exchange.state) == paths(second * SECOND)
        assert exchange.due_at() == STARTED + (second + 1) * SECOND
    before = exchange.state.next_order_id
    exchange.execute(Advance(), STARTED + 19 * SECOND + 999)
    assert (marks(exchange.state), exchange.state.next_order_id) == (paths(19 * SECOND), before)
    assert exchange.state.now == STARTED + 19 * SECOND + 999
    assert exchange.due_at() == STARTED + 20 * SECOND
    # After a long time the prices are those of the last step.
    exchange.execute(Advance(), STARTED + 3 * DAY + 5 * SECOND + 3)
    assert marks(exchange.state) == paths(3 * DAY + 5 * SECOND)


def test_prices_stand_still_without_the_maker_and_go_on_with_it_from_now() -> None:
    exchange = opened(maker_on=False)
    assert exchange.due_at() == FULL_HOUR
    exchange.execute(Advance(), STARTED + 3 * HOUR)
    assert marks(exchange.state) == paths(0)
    assert exchange.due_at() == FULL_HOUR + 3 * HOUR
    exchange.execute(SetMaker(on=True), STARTED + 3 * HOUR + 40 * SECOND + 500)
    assert marks(exchange.state) == paths(3 * HOUR + 40 * SECOND + 500)
    assert exchange.due_at() == STARTED + 3 * HOUR + 41 * SECOND


# -- determinism ---------------------------------------------------------------------------------


def test_an_interval_in_one_go_or_second_by_second_gives_the_same_state() -> None:
    # So short that it is not walked through in wider steps.
    start, end = FULL_HOUR - 20 * SECOND, FULL_HOUR + 20 * SECOND

    def run(moments: list[int], seed: int = 7) -> State:
        exchange = Exchange.opened(seed, start - 317, maker_on=True)
        for now in (*moments, end):
            exchange.execute(Advance(), now)
        return exchange.state

    assert run([]) == run(list(range(start, end, SECOND))) == run([FULL_HOUR - 300])
    assert run([], seed=8) != run([])


@pytest.mark.parametrize(
    ("after", "accounts", "maker_on"),
    [
        *((0, 0, True), (1, 60, True), (2 * 60 * SECOND, 1000, True)),
        *((DAY + 5, 60, True), (30 * DAY + 3 * HOUR, 1000, False)),
    ],
)
def test_a_long_interval_at_its_stops_gives_the_same_state(
    after: int, accounts: int, maker_on: bool
) -> None:
    end = STARTED + 90 * SECOND + after

    def begun() -> Exchange:
        exchange = opened(maker_on=maker_on)
        exchange.execute(Advance(), STARTED + 90 * SECOND)
        return exchange

    at_once, in_slices = begun(), begun()
    at_once.execute(Advance(), end)
    walked = deepcopy(in_slices.state)
    walked.accounts |= {
        str(number): Account(address=str(number), created_at=0) for number in range(accounts)
    }
    pace, stops = schedule.stops(walked, end)
    settled = []
    for stop in stops:
        in_slices.execute(Advance(pace=pace), stop)
        settled += in_slices.venue.changes.fundings
    assert stops[-1] == end
    assert in_slices.state == at_once.state
    assert settled == at_once.venue.changes.fundings
