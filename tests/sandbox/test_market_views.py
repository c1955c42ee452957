"""What the state says of a market and its positions, and which trades the whole market sees."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

import pytest

from tests.sandbox.desk import Desk
from trading_sandbox.engine.candles import interval_of
from trading_sandbox.engine.commands import Liquidate, LiquidationCause
from trading_sandbox.engine.margin import liquidation_price
from trading_sandbox.engine.money import exact_arithmetic


@pytest.mark.parametrize(
    ("interval", "moment", "begins", "ends"),
    [
        ("8h", "2027-02-10T15:59:59.999", "2027-02-10T08:00", "2027-02-10T16:00"),
        ("1w", "2027-02-10T15:00", "2027-02-08T00:00", "2027-02-15T00:00"),
        ("1w", "2027-02-14T23:59", "2027-02-08T00:00", "2027-02-15T00:00"),
        ("1M", "2027-02-28T23:59", "2027-02-01T00:00", "2027-03-01T00:00"),
        ("1M", "2027-12-31T00:00", "2027-12-01T00:00", "2028-01-01T00:00"),
    ],
)
def test_a_week_begins_on_monday_and_a_month_on_its_first_day(
    interval: str, moment: str, begins: str, ends: str
) -> None:
    found = interval_of(interval, at(moment))

    assert found == (at(begins), at(ends))


def at(moment: str) -> int:
    return round(datetime.fromisoformat(f"{moment}+00:00").timestamp() * 1000)


# -- which trades are those of the market --------------------------------------------------------


def public(desk: Desk) -> list[tuple[str, str, str]]:
    return [(t.account, t.event_type, t.cause) for t in desk.trades if t.is_public]


@pytest.mark.parametrize("cause", [None, "backstop_liquidation", "settlement"])
def test_a_trade_of_two_customers_is_there_once_and_none_outside_the_book(
    desk: Desk, cause: LiquidationCause | None
) -> None:
    desk.trade("alice", "bob", "100000", "0.1")
    if cause:
        desk.run(Liquidate(account="alice", symbol="BTC", cause=cause))
        assert desk.size("alice") == 0
    assert public(desk) == [("alice", "fulfill_taker", "normal")]
    assert len(desk.trades) > 1


def test_a_trade_that_the_background_maker_took_is_there_as_its_makers() -> None:
    desk = Desk(maker_on=True)
    desk.limit("alice", "bid", "99000", "0.01")
    desk.mark("98000")
    assert public(desk) == [("alice", "fulfill_maker", "normal")]


# -- where a position is liquidated --------------------------------------------------------------


def price_of(desk: Desk, name: str) -> Decimal | None:
    with exact_arithmetic():
        return liquidation_price(desk.exchange.venue, desk.account(name), "BTC")


def test_spot_of_the_same_symbol_moves_with_the_mark_price(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "1")
    # 10,000 - 40 - 1,000 may be lost with 1 BTC; then 9,000 more with 1.09.
    assert price_of(desk, "alice") == Decimal("91040")
    for name in ("alice", "bob"):
        desk.deposit(name, BTC="0.1")
    assert price_of(desk, "alice") == round(100_000 - 17_960 / Decimal("1.09"), 8)
    # Short 1 BTC, long 0.09: 10,000 - 15 - 1,000 + 9,000 may be lost with 0.91.
    assert price_of(desk, "bob") == round(100_000 + 17_985 / Decimal("0.91"), 8)


def test_a_position_that_no_price_liquidates_has_no_such_price(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "0.09")
    assert price_of(desk, "alice") is None  # 10,000 USDC cover all that it can lose
    desk.deposit("bob", BTC="0.1")
    assert price_of(desk, "bob") is None  # short 0.09, and 90 % of 0.1 BTC as collateral
    assert price_of(desk, "carol") is None
