"""Funding rates and who pays them (sections 2.5 and 4.15; field note 20)."""

from __future__ import annotations

from decimal import Decimal
from itertools import islice, pairwise

import pytest

from tests.end_to_end.trading import Connect, place, trade
from trading_sandbox import Sandbox
from trading_sdk import BadRequestError, Client, FundingRecord, Side

HOUR = 3_600_000


def newest(client: Client, symbol: str = "BTC") -> FundingRecord:
    return next(iter(client.funding.history(symbol=symbol, limit=1)))


@pytest.mark.parametrize("symbol", ["BTC", "ETH", "SOL"])
def test_every_market_has_had_a_rate_every_hour_for_months(connect: Connect, symbol: str) -> None:
    records = list(islice(connect().funding.history(symbol=symbol, limit=4000), 4000))

    assert len(records) == 4000
    assert {new.created_at - old.created_at for new, old in pairwise(records)} == {HOUR}
    assert all(abs(each.funding_rate) <= Decimal("0.04") for each in records)
    assert {each.funding_rate > 0 for each in records} == {True, False}


def rate_of(record: FundingRecord) -> Decimal:
    """The rate that the prices of a record lead to."""
    oracle = record.oracle_price
    above = max(Decimal(0), record.bid_impact_price - oracle)
    below = max(Decimal(0), oracle - record.ask_impact_price)
    premium = (above - below) / oracle
    clamped = min(max(Decimal("0.0001") - premium, Decimal("-0.0005")), Decimal("0.0005"))
    return (premium + clamped) / 8


def test_a_rate_follows_from_the_prices_of_its_record(connect: Connect) -> None:
    for record in islice(connect().funding.history(symbol="BTC"), 50):
        assert abs(record.funding_rate - rate_of(record)) < Decimal("1e-8")
        assert record.bid_impact_price <= record.ask_impact_price


def test_a_rate_is_settled_every_hour_from_the_prices_of_then(
    sandbox: Sandbox, client: Client
) -> None:
    before = newest(client)
    sandbox.set_mark_price("BTC", 110_000)
    place(client, "bid", 110_110, "1")

    sandbox.advance(HOUR)

    settled = newest(client)
    assert settled.created_at == before.created_at + HOUR
    assert (settled.oracle_price, settled.bid_impact_price) == (Decimal(110_000), Decimal(110_110))
    assert abs(settled.funding_rate - rate_of(settled)) < Decimal("1e-8")
    assert settled.next_funding_rate == settled.funding_rate


@pytest.mark.parametrize(("side", "price", "rate"), [("bid", 150_000, 4), ("ask", 50_000, -4)])
def test_a_rate_is_four_percent_an_hour_at_most(
    sandbox: Sandbox, client: Client, side: Side, price: int, rate: int
) -> None:
    place(client, side, price, "1")

    sandbox.advance(HOUR)

    assert newest(client).funding_rate == Decimal(rate) / 100


@pytest.mark.parametrize(("premium", "payer"), [(1_000, "long"), (-1_000, "short")])
def test_longs_pay_shorts_while_the_rate_is_positive(
    sandbox: Sandbox, connect: Connect, maker: Client, premium: int, payer: str
) -> None:
    main = sandbox.create_account()
    keys = {name: sandbox.create_subaccount(main, usdc="50000") for name in ("long", "short")}
    trade(connect(keys["long"]), connect(keys["short"]), 100_000, "1")
    place(maker, "bid" if premium > 0 else "ask", 100_000 + premium, "1")
    owner = connect(main)
    before = {each.address: each.balance for each in owner.subaccounts.list()}

    sandbox.advance(HOUR)

    after = {each.address: each.balance for each in owner.subaccounts.list()}
    change = {name: after[key.address] - before[key.address] for name, key in keys.items()}
    assert change["long"] == -change["short"] == -100_000 * newest(owner).funding_rate
    assert change[payer] < 0


def test_a_market_that_does_not_exist_has_no_rates(client: Client) -> None:
    with pytest.raises(BadRequestError, match="DOGE"):
        newest(client, "DOGE")


def test_rates_can_be_read_without_a_key(connect: Connect) -> None:
    assert newest(connect()).oracle_price > 0
