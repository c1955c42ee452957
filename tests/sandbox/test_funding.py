"""The funding history: from the seed alone, by the formula of field note 20."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest

from trading_sandbox.engine.funding import FIRST_RECORD, HOUR_MS, FundingHistory, rate_of

NOW = FIRST_RECORD + 5000 * HOUR_MS + 1234


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


def test_there_is_a_record_for_every_hour_since_the_start_newest_first() -> None:
    records, more = FundingHistory(7).newest_first("ETH", NOW, None, 10_000)
    assert not more
    times = [record.created_at for record in records]
    assert times == [FIRST_RECORD + hour * HOUR_MS for hour in range(5000, -1, -1)]


def test_every_record_agrees_with_its_prices_and_predicts_the_next() -> None:
    records, _ = FundingHistory(7).newest_first("BTC", NOW, None, 300)
    for record in records:
        assert record.bid_impact_price < record.ask_impact_price
        assert record.funding_rate == rate_of(
            record.oracle_price, record.bid_impact_price, record.ask_impact_price
        )
    for newer, older in pairwise(records):
        assert older.next_funding_rate == newer.funding_rate


def test_longs_pay_at_times_and_shorts_at_others() -> None:
    records, _ = FundingHistory(7).newest_first("SOL", NOW, None, 2000)
    assert min(r.funding_rate for r in records) < 0 < max(r.funding_rate for r in records)


def test_the_seed_decides() -> None:
    def page(seed: int) -> object:
        return FundingHistory(seed).newest_first("BTC", NOW, None, 50)

    assert page(7) == page(7)
    assert page(7) != page(8)


def test_pages_join_without_gap_or_overlap_while_time_goes_on() -> None:
    history = FundingHistory(7)
    whole, _ = history.newest_first("BTC", NOW, None, 100)
    joined, before, more = [], None, True
    for page in range(4):
        records, more = history.newest_first("BTC", NOW + page * HOUR_MS, before, 25)
        joined += records
        before = records[-1].created_at
    assert joined == whole
    assert more


@pytest.mark.parametrize("now", [0, FIRST_RECORD - 1])
def test_before_the_start_there_are_no_records(now: int) -> None:
    assert FundingHistory(7).newest_first("BTC", now, None, 100) == ([], False)
