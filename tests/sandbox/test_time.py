"""Time that passes: prices follow their paths, step by step, and the same comes of it every time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from tests.sandbox.desk import Desk
from trading_sandbox.engine.control_commands import Advance, SetClock, SetMaker
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.money import is_multiple
from trading_sandbox.engine.prices import path_price
from trading_sandbox.engine.state import State

SECOND = 1000
HOUR = 3600 * SECOND
DAY = 24 * HOUR
STARTED = 1_800_000_000_000 + 25 * 60 * SECOND + 317
"""In the middle of an hour, and of a second."""


def opened(seed: int = 7, *, maker_on: bool = True) -> Exchange:
    return Exchange.opened(seed, STARTED, maker_on=maker_on)


def marks(state: State) -> dict[str, Decimal]:
    return {symbol: market.mark_price for symbol, market in state.markets.items()}


# -- paths ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("symbol", MARKETS)
@pytest.mark.parametrize("seed", range(5))
def test_a_path_starts_at_the_first_price_and_keeps_near_it_for_months(
    symbol: str, seed: int
) -> None:
    market = MARKETS[symbol]
    first = market.first_mark_price
    assert path_price(seed, market, 0) == first
    prices = [path_price(seed, market, hours * HOUR + 17) for hours in range(0, 9000, 7)]
    assert all(is_multiple(price, market.tick) for price in prices)
    assert all(abs(price - first) <= first * Decimal("0.3") for price in prices)
    assert max(prices) - min(prices) > first * Decimal("0.05")


def test_a_path_moves_by_dollars_from_second_to_second_and_never_jumps() -> None:
    market = MARKETS["BTC"]
    prices = [path_price(7, market, second * SECOND) for second in range(2000)]
    moves = [abs(after - before) for before, after in pairwise(prices)]
    assert sum(moves) / len(moves) >= 1
    assert max(moves) < 30


def test_another_seed_takes_another_path() -> None:
    moments = range(HOUR, 20 * HOUR, HOUR)
    paths = [[path_price(seed, MARKETS["ETH"], at) for at in moments] for seed in (7, 8)]
    assert paths[0] != paths[1]


# -- steps ---------------------------------------------------------------------------------------


def test_prices_move_along_their_paths_every_second() -> None:
    exchange = opened()
    for second in range(1, 20):
        exchange.execute(Advance(), STARTED + second * SECOND)
        assert marks(exchange.state) == {
            symbol: path_price(7, market, second * SECOND) for symbol, market in MARKETS.items()
        }


def test_between_two_steps_nothing_changes_but_the_time() -> None:
    exchange = opened()
    exchange.execute(Advance(), STARTED + 5 * SECOND)
    before = marks(exchange.state), exchange.state.next_order_id
    exchange.execute(Advance(), STARTED + 5 * SECOND + 999)
    assert (marks(exchange.state), exchange.state.next_order_id) == before
    assert exchange.state.now == STARTED + 5 * SECOND + 999


def test_a_pinned_price_stays_while_the_others_move() -> None:
    desk = Desk(maker_on=True)
    desk.mark("95000")
    before = marks(desk.exchange.state)
    desk.run(Advance(), after=60 * SECOND)
    after = marks(desk.exchange.state)
    assert after["BTC"] == Decimal(95000)
    assert after["ETH"] != before["ETH"]


def test_prices_stand_still_without_the_maker() -> None:
    exchange = opened(maker_on=False)
    exchange.execute(Advance(), STARTED + DAY)
    assert marks(exchange.state) == {s: m.first_mark_price for s, m in MARKETS.items()}


def test_the_maker_that_is_turned_on_again_goes_on_from_now_not_from_the_past() -> None:
    exchange = opened()
    exchange.execute(SetMaker(on=False), STARTED + 2 * SECOND)
    exchange.execute(SetMaker(on=True), STARTED + 40 * SECOND + 500)
    assert marks(exchange.state)["BTC"] == path_price(7, MARKETS["BTC"], 40 * SECOND + 500)
    assert exchange.due_at() == STARTED + 41 * SECOND


def test_after_a_long_time_prices_are_those_of_the_last_step() -> None:
    exchange = opened()
    exchange.execute(Advance(), STARTED + 40 * DAY + 5 * SECOND + 3)
    assert marks(exchange.state)["BTC"] == path_price(7, MARKETS["BTC"], 40 * DAY + 5 * SECOND)


# -- what is due ---------------------------------------------------------------------------------


def test_the_next_second_is_due_while_the_maker_is_on() -> None:
    exchange = opened()
    assert exchange.due_at() == STARTED + SECOND
    exchange.execute(Advance(), STARTED + 5 * SECOND + 400)
    assert exchange.due_at() == STARTED + 6 * SECOND


def test_a_full_hour_is_due_even_between_two_steps() -> None:
    exchange = opened()
    hour = (STARTED // HOUR + 1) * HOUR
    exchange.execute(Advance(), hour - 1)
    assert exchange.due_at() == hour


def test_the_next_full_hour_is_due_while_the_maker_is_off() -> None:
    exchange = opened(maker_on=False)
    assert exchange.due_at() == (STARTED // HOUR + 1) * HOUR
    exchange.execute(Advance(), STARTED + 3 * HOUR)
    assert exchange.due_at() == ((STARTED + 3 * HOUR) // HOUR + 1) * HOUR


def test_nothing_is_due_any_more_once_time_has_passed() -> None:
    exchange = opened()
    for now in (STARTED + 1, STARTED + SECOND, STARTED + 7 * HOUR, STARTED + 2 * DAY + 1):
        exchange.execute(Advance(), now)
        assert exchange.due_at() > now


# -- determinism ---------------------------------------------------------------------------------


def test_an_interval_in_one_go_or_second_by_second_gives_the_same_state() -> None:
    hour = (STARTED // HOUR + 1) * HOUR
    start, end = hour - 200 * SECOND, hour + 200 * SECOND

    def run(moments: list[int]) -> State:
        exchange = opened()
        # From here on no part is long enough to be walked through in wider steps.
        for now in (*range(STARTED + 500 * SECOND, start, 500 * SECOND), start, *moments, end):
            exchange.execute(Advance(), now)
        return exchange.state

    assert run([]) == run(list(range(start, end, SECOND))) == run([hour - 300, hour + 7])


def test_the_same_commands_give_the_same_state() -> None:
    def run(seed: int) -> State:
        exchange = opened(seed)
        for hours in (1, 2, 6):
            exchange.execute(Advance(), STARTED + hours * HOUR)
        return exchange.state

    assert run(7) == run(7)
    assert run(7) != run(8)


_SCRIPT = """
import json
from tests.sandbox.desk import Desk
from trading_sandbox.engine.control_commands import (Advance)
desk = Desk(maker_on=True)
desk.market("alice", "bid", "1.7")
desk.limit("bob", "bid", "99900", "0.1")
for _ in range(3):
    desk.run(Advance(), after=1_800_000)
state = desk.exchange.state
print(json.dumps([repr(state), list(state.orders), [repr(t) for t in desk.trades]]))
"""


def test_the_hash_seed_of_python_decides_nothing() -> None:
    root = Path(__file__).parents[2]
    path = os.pathsep.join(str(root / room) for room in ("", "generated", "runtime", "sandbox"))
    found = [
        subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for hash_seed in ("1", "2")
    ]
    assert found[0] == found[1]
    assert json.loads(found[0])[2], "no trade was made"


def test_the_clock_is_kept() -> None:
    desk = Desk()
    desk.run(SetClock(frozen_at=123, offset=-5))
    assert desk.exchange.state.frozen_at == 123
    assert desk.exchange.state.clock_offset == -5
