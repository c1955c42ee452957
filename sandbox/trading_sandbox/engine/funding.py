"""Hourly funding: settlement of positions, and the generated history (field note 20).

From the opening of the exchange on, positions pay each other at every full hour. The records from
before the opening are computed from the seed and their hour alone. A page of that history, which
spans years, thus costs no more than its own records.
"""

from __future__ import annotations

from decimal import Decimal

from trading_sandbox.engine.commands import Side
from trading_sandbox.engine.markets import MARKETS, Market
from trading_sandbox.engine.money import (
    ZERO,
    ceil_to,
    divide,
    exact_arithmetic,
    floor_to,
)
from trading_sandbox.engine.records import Funding, FundingPayment
from trading_sandbox.engine.seeded import wander
from trading_sandbox.engine.venue import Venue

HOUR_MS = 3_600_000
FIRST_RECORD = 1_735_689_600_000
"""2025-01-01 00:00 UTC, in ms."""

INTEREST = Decimal("0.0001")
CLAMP = Decimal("0.0005")
CAP = Decimal("0.04")
IMPACT_NOTIONAL = Decimal(10_000)
"""Value of the trade whose average price is the impact price. USD."""

_GRIDS = ((1000, Decimal("0.2")), (100, Decimal("0.05")), (12, Decimal("0.01")))
_PREMIUM_GRID = 6
_LARGEST_PREMIUM = Decimal("0.002")
_HALF_SPREAD = Decimal("0.0001")


def rate_of(oracle: Decimal, bid_impact: Decimal, ask_impact: Decimal) -> Decimal:
    """Return the hourly funding rate as a fraction; positive: longs pay shorts."""
    premium = divide(max(ZERO, bid_impact - oracle) - max(ZERO, oracle - ask_impact), oracle)
    rate = (premium + min(max(INTEREST - premium, -CLAMP), CLAMP)) / 8
    return min(max(divide(rate, Decimal(1)), -CAP), CAP)


# -- since the exchange was opened ---------------------------------------------------------------


def settle(venue: Venue) -> None:
    """Settle funding in every market and record the rates.

    The predicted rate of the next settlement equals the rate just settled, because only the
    current prices are known.
    """
    for symbol in MARKETS:
        oracle = venue.market(symbol).mark_price
        bid, ask = impact_price(venue, symbol, "bid"), impact_price(venue, symbol, "ask")
        rate = rate_of(oracle, bid, ask)
        _pay(venue, symbol, oracle, rate)
        venue.changes.fundings.append(
            Funding(
                symbol=symbol,
                oracle_price=oracle,
                bid_impact_price=bid,
                ask_impact_price=ask,
                funding_rate=rate,
                next_funding_rate=rate,
                created_at=venue.now,
            )
        )
    venue.state.settled_at = venue.now


def impact_price(venue: Venue, symbol: str, side: Side) -> Decimal:
    """Return the average price of trading `IMPACT_NOTIONAL` with one side of a book.

    If that side holds less than `IMPACT_NOTIONAL`, it is the mark price.
    """
    left, amount = IMPACT_NOTIONAL, ZERO
    for order in venue.books[symbol].orders(side):
        notional = min(left, order.remaining * order.price)
        amount += notional / order.price
        left -= notional
        if not left:
            return divide(IMPACT_NOTIONAL, amount)
    return venue.market(symbol).mark_price


def _pay(venue: Venue, symbol: str, oracle: Decimal, rate: Decimal) -> None:
    for account in venue.state.accounts.values():
        position = account.position(symbol)
        if not position.size:
            continue
        # Not rounded, so that longs and shorts pay and receive exactly the same total.
        payment = position.size * oracle * rate
        venue.change_balance(account, -payment, "funding")
        position.funding += payment
        if payment > 0:
            venue.accounts_at_risk[account.address] = None
        if not account.is_house_account:
            venue.changes.payments.append(
                FundingPayment(
                    history_id=venue.state.next_history_id,
                    account=account.address,
                    symbol=symbol,
                    size=position.size,
                    payout=-payment,
                    rate=rate,
                    created_at=venue.now,
                )
            )
            venue.state.next_history_id += 1


# -- before the exchange was opened --------------------------------------------------------------


def earlier_rates(
    seed: int, symbol: str, opened: int, before: int | None, limit: int
) -> tuple[list[Funding], bool]:
    """Return up to `limit` generated records from before `before`, newest first, and whether older ones follow.

    They end at `opened`, the opening of the exchange. If that is a full hour, its record is included.
    `opened` and `before` are in ms.
    """
    latest = opened if before is None else min(before - 1, opened)
    last = (latest - FIRST_RECORD) // HOUR_MS
    hours = range(last, max(last - limit, -1), -1)
    with exact_arithmetic():
        records = [_earlier_rate(seed, MARKETS[symbol], hour) for hour in hours]
    return records, last - limit >= 0


def _earlier_rate(seed: int, market: Market, hour: int) -> Funding:
    oracle, bid, ask = _earlier_prices(seed, market, hour)
    return Funding(
        symbol=market.symbol,
        oracle_price=oracle,
        bid_impact_price=bid,
        ask_impact_price=ask,
        funding_rate=rate_of(oracle, bid, ask),
        next_funding_rate=rate_of(*_earlier_prices(seed, market, hour + 1)),
        created_at=FIRST_RECORD + hour * HOUR_MS,
    )


def _earlier_prices(seed: int, market: Market, hour: int) -> tuple[Decimal, Decimal, Decimal]:
    def moved(what: str, grid: int) -> Decimal:
        return wander(seed, market.symbol, what, hour, grid)

    drift = sum((size * moved(f"price{grid}", grid) for grid, size in _GRIDS), ZERO)
    oracle = floor_to(market.first_mark_price * (1 + drift), market.tick)
    premium = _LARGEST_PREMIUM * moved("premium", _PREMIUM_GRID)
    bid = floor_to(oracle * (1 + premium - _HALF_SPREAD), market.tick)
    ask = ceil_to(oracle * (1 + premium + _HALF_SPREAD), market.tick)
    return oracle, bid, ask
