"""Funding by the formula of field note 20: from the seed before the opening, then of positions."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest

from tests.sandbox.desk import Desk
from trading_sandbox.engine.control_commands import Advance, SetMaker
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.funding import FIRST_RECORD, HOUR_MS, FundingHistory, rate_of
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.records import Funding
from trading_sandbox.engine.state import State

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


def test_there_is_a_record_for_every_hour_since_the_start_newest_first() -> None:
    records, more = FundingHistory(7).newest_first("ETH", OPENED, None, 10_000)
    assert not more
    times = [record.created_at for record in records]
    assert times == [FIRST_RECORD + hour * HOUR_MS for hour in range(5000, -1, -1)]


def test_every_record_agrees_with_its_prices_and_predicts_the_next() -> None:
    records, _ = FundingHistory(7).newest_first("BTC", OPENED, None, 300)
    for record in records:
        assert record.bid_impact_price < record.ask_impact_price
        assert record.funding_rate == rate_of(
            record.oracle_price, record.bid_impact_price, record.ask_impact_price
        )
    for newer, older in pairwise(records):
        assert older.next_funding_rate == newer.funding_rate


def test_longs_pay_at_times_and_shorts_at_others() -> None:
    records, _ = FundingHistory(7).newest_first("SOL", OPENED, None, 2000)
    assert min(r.funding_rate for r in records) < 0 < max(r.funding_rate for r in records)


def test_the_seed_decides() -> None:
    def page(seed: int) -> object:
        return FundingHistory(seed).newest_first("BTC", OPENED, None, 50)

    assert page(7) == page(7)
    assert page(7) != page(8)


def test_pages_join_without_gap_or_overlap() -> None:
    history = FundingHistory(7)
    whole, _ = history.newest_first("BTC", OPENED, None, 100)
    joined, before, more = [], None, True
    for _ in range(4):
        records, more = history.newest_first("BTC", OPENED, before, 25)
        joined += records
        before = records[-1].created_at
    assert joined == whole
    assert more


def test_what_is_settled_after_the_opening_is_not_taken_from_the_seed() -> None:
    history = FundingHistory(7)
    for before in (None, OPENED + HOUR_MS):
        records, _ = history.newest_first("BTC", OPENED, before, 1)
        assert records[0].created_at == FIRST_RECORD + 5000 * HOUR_MS


@pytest.mark.parametrize("opened", [0, FIRST_RECORD - 1])
def test_before_the_start_there_are_no_records(opened: int) -> None:
    assert FundingHistory(7).newest_first("BTC", opened, None, 100) == ([], False)


# -- since the exchange was opened ---------------------------------------------------------------


def pass_time(desk: Desk, after: int) -> list[Funding]:
    """Let time pass; return what was settled."""
    desk.now += after
    return desk.exchange.execute(Advance(), desk.now).changes.fundings


def balances(desk: Desk) -> dict[str, Decimal]:
    return {name: desk.account(name).balance for name in desk.exchange.state.accounts}


def open_positions(desk: Desk) -> None:
    """Let alice be long and bob short, by the same amount."""
    desk.limit("alice", "bid", "100000", "0.31234")
    desk.market("bob", "ask", "0.31234")


def test_longs_pay_shorts_to_the_last_digit() -> None:
    desk = Desk()
    open_positions(desk)
    before = balances(desk)
    pass_time(desk, HOUR_MS)
    after = balances(desk)
    paid = Decimal("0.31234") * 100_000 * Decimal("0.0000125")
    assert after == {**before, "alice": before["alice"] - paid, "bob": before["bob"] + paid}


def test_shorts_pay_longs_where_the_book_is_below_the_mark_price() -> None:
    desk = Desk("100000")
    open_positions(desk)
    desk.limit("carol", "bid", "99600", "0.2")
    desk.limit("carol", "ask", "99700", "0.2")
    before = balances(desk)
    record = next(f for f in pass_time(desk, HOUR_MS) if f.symbol == "BTC")
    assert record.bid_impact_price == Decimal(99600)
    assert record.ask_impact_price == Decimal(99700)
    assert record.funding_rate == Decimal("-0.0003125")  # (-0.3 % + 0.05 %) / 8
    assert desk.account("alice").balance > before["alice"]
    assert sum(balances(desk).values()) == sum(before.values())


def test_impact_prices_are_averages_over_the_book() -> None:
    desk = Desk("100000")
    desk.limit("carol", "bid", "99000", "0.05")
    desk.limit("carol", "bid", "98000", "0.05")
    desk.limit("carol", "bid", "97000", "5")
    record = next(f for f in pass_time(desk, HOUR_MS) if f.symbol == "BTC")
    # 0.05 for 4950, 0.05 for 4900, and 150 of the last: 10000 / (0.1 + 150 / 97000).
    assert record.bid_impact_price == Decimal("98477.15736041")
    assert record.ask_impact_price == Decimal(100000)


def test_a_book_too_thin_for_an_impact_price_counts_as_the_mark_price() -> None:
    desk = Desk()
    desk.limit("carol", "bid", "99000", "0.1")
    for record in pass_time(desk, HOUR_MS):
        mark = desk.exchange.state.markets[record.symbol].mark_price
        assert record.bid_impact_price == record.ask_impact_price == record.oracle_price == mark


def test_all_accounts_together_neither_win_nor_lose_by_it() -> None:
    desk = Desk("50000", maker_on=True)
    for name, side, symbol in (("alice", "bid", "BTC"), ("bob", "ask", "ETH")):
        desk.market(name, side, "0.5", symbol=symbol)
        desk.market("carol", side, "0.12", symbol=symbol)
    desk.run(SetMaker(on=False))
    before = balances(desk)
    assert len(pass_time(desk, 100 * HOUR_MS)) == 300
    after = balances(desk)
    assert sum(after.values()) == sum(before.values())
    assert all(after[name] != before[name] for name in ("alice", "bob", "carol", "maker"))


@pytest.mark.parametrize("maker_on", [True, False])
def test_every_market_is_settled_at_every_full_hour_once(maker_on: bool) -> None:
    opened = FIRST_RECORD + 7 * HOUR_MS - 5
    exchange = Exchange.opened(7, opened, maker_on=maker_on)
    settled: list[Funding] = []
    for after in (1, 4, 5, 6, 1_000_000, HOUR_MS, HOUR_MS, 30 * HOUR_MS + 5, 200 * HOUR_MS):
        settled += exchange.execute(Advance(), opened + after).changes.fundings
    for symbol in MARKETS:
        times = [record.created_at for record in settled if record.symbol == symbol]
        assert times == [FIRST_RECORD + hour * HOUR_MS for hour in range(7, 7 + 200)]
    records, _ = FundingHistory(7).newest_first("BTC", opened, None, 1)
    assert records[0].created_at == FIRST_RECORD + 6 * HOUR_MS


def test_no_hour_is_missing_when_a_market_opens_at_a_full_hour() -> None:
    opened = FIRST_RECORD + 7 * HOUR_MS
    exchange = Exchange.opened(7, opened, maker_on=True)
    outcome = exchange.execute(Advance(), opened + HOUR_MS)
    assert {record.created_at for record in outcome.changes.fundings} == {opened + HOUR_MS}
    records, _ = FundingHistory(7).newest_first("BTC", opened, None, 1)
    assert records[0].created_at == opened


def test_a_restart_in_the_middle_of_an_hour_loses_no_settlement() -> None:
    def run(restart: bool) -> tuple[list[Funding], State]:
        desk = Desk(maker_on=True)
        desk.market("alice", "bid", "0.01")
        desk.limit("bob", "bid", "99000", "0.01")
        settled = pass_time(desk, 5 * HOUR_MS // 2)
        if restart:
            desk.exchange = Exchange(desk.exchange.state)
        settled += pass_time(desk, 2 * HOUR_MS)
        return settled, desk.exchange.state

    settled, state = run(restart=True)
    assert (settled, state) == run(restart=False)
    assert len(settled) == 4 * len(MARKETS)


def test_a_maker_that_is_switched_loses_no_settlement() -> None:
    desk = Desk(maker_on=True)
    settled = []
    for on in (False, True, False, True):
        desk.run(SetMaker(on=on))
        settled += pass_time(desk, HOUR_MS * 3 // 4)
    assert len(settled) == 3 * len(MARKETS)


def test_the_rate_just_settled_is_the_one_predicted() -> None:
    desk = Desk(maker_on=True)
    for record in pass_time(desk, 3 * HOUR_MS):
        assert record.next_funding_rate == record.funding_rate == Decimal("0.0000125")
        assert record.funding_rate == rate_of(
            record.oracle_price, record.bid_impact_price, record.ask_impact_price
        )
