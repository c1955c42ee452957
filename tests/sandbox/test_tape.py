"""The tape of a market: prints and mark prices that are computed, and merged with the trades that are stored."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tests.sandbox.trading import NOW, Market, opened
from trading_sandbox.engine.candles import INTERVALS, candles, interval_of
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.minutes import Minutes
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.seeded import PRINT_MS
from trading_sandbox.engine.state import Pin
from trading_sandbox.engine.tape import Tape
from trading_sandbox.service import Service
from trading_sandbox.turns import whole
from trading_sandbox.web.dialects import live

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
BTC = MARKETS["BTC"]

pins = st.lists(
    st.builds(
        Pin,
        since=st.integers(NOW - 6 * HOUR, NOW + DAY),
        price=st.none() | st.integers(90_000, 110_000).map(Decimal),
        quoted=st.booleans(),
    ),
    max_size=4,
    unique_by=lambda pin: pin.since,
).map(lambda found: (Pin(0, None, True), *sorted(found, key=lambda pin: pin.since)))
tapes = st.builds(
    Tape,
    seed=st.integers(0, 99),
    market=st.just(BTC),
    opened_at=st.integers(NOW, NOW + HOUR),
    now=st.integers(NOW + HOUR, NOW + DAY),
    mark_price=st.just(Decimal(100_000)),
    pins=pins,
)


@settings(max_examples=20)
@given(tape=tapes, interval=st.sampled_from(("1m", "15m", "4h", "1d")))
def test_candles_are_made_of_the_prints_whatever_their_length(tape: Tape, interval: str) -> None:
    start = tape.now - 100 * MINUTE if interval == "1m" else NOW - DAY
    with exact_arithmetic():
        made = list(candles(tape.bars(interval, start, tape.now + 1), interval, start))
        prints = list(takewhile(lambda each: each.created_at >= start, tape.prints(tape.now + 1)))
    minutes = Minutes()
    for each in reversed(prints):
        minutes.add(each.price, each.amount, each.created_at)
    expected = list(candles(minutes.between(start, tape.now + 1), interval, start))
    assert made == expected
    inside = [each for each in prints if interval_of(interval, each.created_at)[0] >= start]
    assert sum(candle.trades for candle in made) == len(inside)
    assert sum(candle.volume for candle in made) == sum(each.amount for each in inside)


# -- in the live dialect -------------------------------------------------------------------------


@pytest.fixture
def service() -> Iterator[Service]:
    service = opened(maker=True)
    yield service
    service.close()


def read(service: Service, what: str, **asked: Any) -> list[dict[str, Any]]:
    with exact_arithmetic():
        data: list[dict[str, Any]] = whole(
            live.DIALECT.long_answers[f"markets.{what}"](service, {"symbol": "BTC", **asked})
        )["data"]
    return data


@pytest.mark.parametrize("what", ["candles", "mark_candles"])
@pytest.mark.parametrize("interval", ["1m", "5m", "30m"])
def test_a_bot_that_warms_up_on_200_candles_starts(
    service: Service, what: str, interval: str
) -> None:
    width = INTERVALS[interval]
    found = read(service, what, interval=interval, start_time=NOW - 200 * width)
    begins = [candle["t"] for candle in found]
    assert len(found) >= 200
    assert begins == list(range(begins[0], NOW + 1, width))
    assert len({candle["c"] for candle in found}) > 100
    assert all(int(c["l"]) <= int(c["o"]) <= int(c["h"]) for c in found)


def test_the_past_is_the_same_from_every_look_and_is_not_stored(tmp_path: Path) -> None:
    services = [opened(tmp_path / "state", maker=True), opened(maker=True)]
    try:
        first, second = (
            (read(each, "trades", limit=4000), read(each, "candles", interval="1h", start_time=0))
            for each in services
        )
        assert first == second
        assert len(first[0]) == 4000
        assert len(first[1]) in (168, 169)
        assert services[0].page("market_trades", "BTC", limit=1) == ([], False)
    finally:
        for each in services:
            each.close()


def test_prints_go_on_and_an_advance_thins_none_out(service: Service) -> None:
    before = read(service, "candles", interval="1m", start_time=NOW - HOUR)
    service.advance(DAY)
    found = read(service, "candles", interval="1m", start_time=NOW - HOUR)
    assert found[: len(before) - 1] == before[:-1]
    assert [b["t"] - a["t"] for a, b in pairwise(found)] == [MINUTE] * (len(found) - 1)
    assert len(found) == (DAY + HOUR) // MINUTE + 1
    assert {candle["n"] for candle in found[:-1]} == {MINUTE // PRINT_MS}


def test_a_trade_is_merged_into_the_list_the_candles_and_the_volume(service: Service) -> None:
    [before, *_] = live._prices(service, {}, None)["data"]
    candle = read(service, "candles", interval="1h", start_time=NOW - NOW % HOUR)[-1]
    market = Market(service, "alice")
    market.bid("200000", tif="IOC", amount=Decimal("0.1"))

    latest = read(service, "trades", limit=3)
    assert (latest[0]["created_at"], latest[0]["amount"]) == (NOW, "0.1")
    after = read(service, "candles", interval="1h", start_time=NOW - NOW % HOUR)[-1]
    assert Decimal(after["v"]) - Decimal(candle["v"]) == Decimal("0.1")
    assert (after["n"], after["c"]) == (candle["n"] + 1, latest[0]["price"])
    [btc, *_] = live._prices(service, {}, None)["data"]
    traded = Decimal(latest[0]["price"]) * Decimal("0.1")
    assert Decimal(btc["volume_24h"]) - Decimal(before["volume_24h"]) == traded


def test_without_a_maker_there_are_no_prints(service: Service) -> None:
    quiet = opened()
    assert read(quiet, "trades") == read(quiet, "candles", interval="1d", start_time=0) == []
    quiet.close()
