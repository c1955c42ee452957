"""Funding by the formula of field note 20: from the seed before the opening, then of positions."""

from __future__ import annotations

import json
from decimal import Decimal
from itertools import pairwise

import pytest

from tests.sandbox.desk import Desk
from trading_sandbox.engine.commands import Advance
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.funding import FIRST_RECORD, HOUR_MS, earlier_rates, rate_of
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.records import Funding
from trading_sandbox.store.records import rows

OPENED = FIRST_RECORD + 5000 * HOUR_MS + 1234


@pytest.mark.parametrize(
    ("bid_impact", "ask_impact", "rate"),
    [
        ("99990", "100010", "0.0000125"),  # no premium: the interest of 0.01 % over 8 hours
        ("100030", "100050", "0.0000125"),  # a premium of 0.03 % is within the clamp
        ("100200", "100220", "0.0001875"),  # (0.2 % - 0.05 %) / 8
        ("99780", "99800", "-0.0001875"),  # (-0.2 % + 0.05 %) / 8
        ("150000", "150010", "0.04"),  # capped at 4 % an hour
        ("40000", "40010", "-0.04"),
    ],
)
def test_the_rate_follows_from_the_premium(bid_impact: str, ask_impact: str, rate: str) -> None:
    found = rate_of(Decimal(100000), Decimal(bid_impact), Decimal(ask_impact))
    assert found == Decimal(rate)


# -- before the exchange was opened --------------------------------------------------------------


def test_there_is_a_record_for_every_hour_since_the_start_newest_first() -> None:
    records, more = earlier_rates(7, "ETH", OPENED, None, 10_000)
    assert not more
    times = [record.created_at for record in records]
    assert times == [FIRST_RECORD + hour * HOUR_MS for hour in range(5000, -1, -1)]
    assert earlier_rates(7, "BTC", FIRST_RECORD - 1, None, 100) == ([], False)
    records, _ = earlier_rates(7, "ETH", OPENED, times[1] + 1, 1)
    assert records[0].created_at == times[1]
    for limit, follow in ((2, True), (3, False)):
        third = FIRST_RECORD + 3 * HOUR_MS
        assert earlier_rates(7, "BTC", OPENED, third, limit)[1] is follow
    # What is settled after the opening is not taken from the seed.
    records, _ = earlier_rates(7, "BTC", OPENED, OPENED + HOUR_MS, 1)
    assert records[0].created_at == times[0]


def test_every_record_agrees_with_its_prices_and_predicts_the_next() -> None:
    records, _ = earlier_rates(7, "SOL", OPENED, None, 2000)
    for record in records:
        assert 0.7 < record.oracle_price / MARKETS["SOL"].first_mark_price < 1.3
        spread = record.ask_impact_price - record.bid_impact_price
        assert Decimal("0.0002") <= spread / record.oracle_price < Decimal("0.0005")
        assert record.funding_rate == rate_of(
            record.oracle_price, record.bid_impact_price, record.ask_impact_price
        )
    for newer, older in pairwise(records):
        assert older.next_funding_rate == newer.funding_rate
    # Longs pay at times and shorts at others.
    assert min(r.funding_rate for r in records) < 0 < max(r.funding_rate for r in records)


# -- since the exchange was opened ---------------------------------------------------------------


def balances(desk: Desk) -> dict[str, Decimal]:
    return {name: desk.balance(name) for name in desk.exchange.state.accounts}


def open_positions(desk: Desk) -> None:
    """Let alice be long and bob short, by the same amount."""
    desk.trade("alice", "bob", "100000", "0.31234")


def settled(desk: Desk) -> Funding:
    """Let an hour pass; return what was settled in BTC."""
    return next(each for each in desk.advance(HOUR_MS).fundings if each.symbol == "BTC")


def test_longs_pay_shorts_to_the_last_digit(desk: Desk) -> None:
    open_positions(desk)
    before, first = balances(desk), desk.exchange.state.next_history_id
    settled(desk)
    paid = Decimal("0.31234") * 100_000 * Decimal("0.0000125")
    after = {**before, "alice": before["alice"] - paid, "bob": before["bob"] + paid}
    assert balances(desk) == after
    # Each of both has a payment of its own, which its position adds up.
    assert {each.created_at for each in desk.latest.payments} == {desk.exchange.state.settled_at}
    told = {each.account: (each.size, each.payout) for each in desk.latest.payments}
    assert told == {"alice": (Decimal("0.31234"), -paid), "bob": (Decimal("-0.31234"), paid)}
    assert desk.account("alice").position("BTC").funding == paid
    records = [(each.history_id, each.symbol) for each in desk.latest.payments]
    assert records == [(first, "BTC"), (first + 1, "BTC")]
    assert desk.exchange.state.next_history_id == first + 2
    kept = [json.loads(row.record) for row in rows(desk.latest) if row.list == "payments"]
    assert [(each["side"], each["amount"]) for each in kept] == [
        *(("bid", "0.31234"), ("ask", "0.31234"))
    ]


def test_who_can_no_longer_pay_is_liquidated_at_the_settlement() -> None:
    desk = Desk(usdc="2040")
    desk.trade("alice", "bob", "100000", "1")
    desk.mark("99000")
    # Her equity is the maintenance margin to the cent, 1000.
    assert desk.size("alice") == 1
    settled(desk)
    assert desk.size("alice") == 0


def test_impact_prices_are_averages_over_the_book_or_the_mark_price_if_it_is_too_thin() -> None:
    desk = Desk("100000")
    desk.limit("carol", "bid", "99000", "0.05")
    desk.limit("carol", "bid", "98000", "0.05")
    record = settled(desk)
    assert record.bid_impact_price == record.ask_impact_price == record.oracle_price == 100000
    desk.limit("carol", "bid", "97000", "5")
    record = settled(desk)
    # 0.05 for 4950, 0.05 for 4900, and 150 of the last: 10000 / (0.1 + 150 / 97000).
    assert record.bid_impact_price == Decimal("98477.15736041")
    assert record.ask_impact_price == Decimal(100000)


@pytest.mark.parametrize(
    ("opened", "maker_on", "hours"),
    [
        (FIRST_RECORD + 7 * HOUR_MS - 5, False, 200),
        (FIRST_RECORD + 6 * HOUR_MS, True, 4),
    ],
)
def test_every_market_is_settled_at_every_full_hour_once(
    opened: int, maker_on: bool, hours: int
) -> None:
    exchange = Exchange.opened(7, opened, maker_on=maker_on)
    found: list[Funding] = []
    halfway = hours // 2 * HOUR_MS + 5
    for after in (1, 4, 5, 6, 1_000_000, HOUR_MS, HOUR_MS, halfway, hours * HOUR_MS):
        exchange.execute(Advance(), opened + after)
        found += exchange.venue.changes.fundings
    first = opened // HOUR_MS + 1
    for symbol in MARKETS:
        times = [record.created_at for record in found if record.symbol == symbol]
        assert times == [hour * HOUR_MS for hour in range(first, first + hours)]
    records, _ = earlier_rates(7, "BTC", opened, None, 1)
    assert records[0].created_at == FIRST_RECORD + 6 * HOUR_MS
    for record in found[-3:]:
        assert record.funding_rate == record.next_funding_rate == Decimal("0.0000125")
