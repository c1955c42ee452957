"""Time that passes: prices follow their paths, step by step, and the same comes of it every time."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from trading_sandbox.engine import schedule
from trading_sandbox.engine.commands import Advance, SetMaker
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.seeded import path_price, seeded_bytes
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


def exact_path(seed: int, symbol: str, elapsed_ms: int) -> Fraction:
    """The price of a path before it is rounded to the tick, from its definition."""

    def number(point: int, width: int) -> Fraction:
        drawn = seeded_bytes(seed, symbol, f"mark{width}", point)[:4]
        return Fraction(int.from_bytes(drawn, "big"), 2**31)

    drift = Fraction(0)
    for seconds, size in ((3_456_000, 8), (259_200, 3)):
        drift += Fraction(size, 100) * moved(number, seconds * SECOND, elapsed_ms)
    for seconds, size in ((14_400, 120), (600, 20), (60, 5), (5, 2)):
        drift += Fraction(size, 10_000) * moved(number, seconds * SECOND, elapsed_ms)
    return Fraction(MARKETS[symbol].first_mark_price) * (1 + drift)


def moved(number: Callable[[int, int], Fraction], width: int, elapsed_ms: int) -> Fraction:
    point, step = divmod(elapsed_ms, width)
    left, right = number(point, width), number(point + 1, width)
    return left + (right - left) * Fraction(step, width) - number(0, width)


@given(
    seed=st.integers(), symbol=st.sampled_from(list(MARKETS)), elapsed_ms=st.integers(0, 800 * DAY)
)
def test_a_path_is_the_sum_of_its_grids_rounded_down_to_the_tick(
    seed: int, symbol: str, elapsed_ms: int
) -> None:
    market = MARKETS[symbol]
    ticks = exact_path(seed, symbol, elapsed_ms) // Fraction(market.tick)
    assert path_price(seed, market, elapsed_ms) == ticks * market.tick


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


def test_a_full_hour_is_due_even_between_two_steps_and_nothing_once_time_has_passed() -> None:
    exchange = opened()
    exchange.execute(Advance(), FULL_HOUR - 1)
    assert exchange.due_at() == FULL_HOUR
    for now in (FULL_HOUR + 1, FULL_HOUR + SECOND, STARTED + 7 * HOUR, STARTED + DAY + 1):
        exchange.execute(Advance(), now)
        assert exchange.due_at() > now


# -- determinism ---------------------------------------------------------------------------------


def test_an_interval_in_one_go_or_second_by_second_gives_the_same_state() -> None:
    start, end = FULL_HOUR - 100 * SECOND, FULL_HOUR + 100 * SECOND

    def run(moments: list[int], seed: int = 7) -> State:
        exchange = opened(seed)
        # From here on no part is long enough to be walked through in wider steps.
        for now in (*range(STARTED + 500 * SECOND, start, 500 * SECOND), start, *moments, end):
            exchange.execute(Advance(), now)
        return exchange.state

    state = run([])
    assert run([]) == run(list(range(start, end, SECOND))) == run([FULL_HOUR - 300]) == state
    assert run([], seed=8) != state


@pytest.mark.parametrize("maker_on", [True, False])
@pytest.mark.parametrize("accounts", [0, 60, 1000])
@pytest.mark.parametrize("after", [0, 1, 40 * 60 * SECOND, 3 * DAY + 5, 30 * DAY + 3 * HOUR])
def test_a_long_interval_at_its_stops_gives_the_same_state_by_little_work_at_once(
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
    for before, stop in pairwise((STARTED + 90 * SECOND, *stops)):
        work = len(schedule._moments(in_slices.state, stop, pace)) * len(walked.accounts)
        assert work <= max(schedule.SLICE, len(walked.accounts))
        assert before <= stop
        in_slices.execute(Advance(pace=pace), stop)
        settled += in_slices.venue.changes.fundings
    assert stops[-1] == end
    assert in_slices.state == at_once.state
    assert settled == at_once.venue.changes.fundings
