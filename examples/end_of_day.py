"""Report a day of an account, exact to the last digit: volume, fees, profit, and the position at its end.

Usage: python examples/end_of_day.py [2026-11-22] [--pnl-includes-fees]     (the environment: see examples/README.md)

A day is one in UTC. All money is `Decimal`: a sum of floats is wrong in the last digits.

Whether the service takes fees off a trade's `pnl` is not documented. By default it is taken as before fees, which are
then subtracted. If your trades show `pnl` after fees (an opening fill has `pnl == -fee`), give --pnl-includes-fees.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Context, Decimal, localcontext

from attrs import define

from trading_sdk import Client, Trade, to_datetime

SIGNS = {"open_long": 1, "close_short": 1, "open_short": -1, "close_long": -1}
EXACT = Context(prec=100)
"""Enough digits for every sum and product: Python's default of 28 would round some."""


@define
class Line:
    """One market on one day."""

    trades: int = 0
    volume: Decimal = Decimal(0)
    fees: Decimal = Decimal(0)
    profit: Decimal = Decimal(0)
    position: Decimal = Decimal(0)


def report(
    trades: Iterable[Trade], day: date, *, pnl_includes_fees: bool = False
) -> dict[str, Line]:
    """The lines of a day by symbol, of all trades until its end."""
    lines: defaultdict[str, Line] = defaultdict(Line)
    for trade in trades:
        line = lines[trade.symbol]
        line.position += SIGNS[trade.side] * trade.amount
        if to_datetime(trade.created_at).date() == day:
            line.trades += 1
            line.volume += trade.price * trade.amount
            line.fees += trade.fee
            line.profit += trade.pnl if pnl_includes_fees else trade.pnl - trade.fee
    return dict(lines)


def end_of(day: date) -> datetime:
    """The last millisecond of a day."""
    midnight = datetime.combine(day, time(), timezone.utc)
    return midnight + timedelta(days=1) - timedelta(milliseconds=1)


def main() -> None:
    parser = argparse.ArgumentParser(description="Report a day of an account.")
    today = datetime.now(timezone.utc).date()
    parser.add_argument("day", nargs="?", type=date.fromisoformat, default=today)
    parser.add_argument(
        "--pnl-includes-fees", action="store_true", help="pnl of trades is after fees already"
    )
    given = parser.parse_args()
    day, includes = given.day, given.pnl_includes_fees
    with Client.from_env() as client, localcontext(EXACT):
        trades = client.trades.history(end_time=end_of(day))
        lines = report(trades, day, pnl_includes_fees=includes)
    profit = "profit after fees USDC (" + ("pnl" if includes else "pnl less fees") + ")"
    print(f"{day}   trades   volume USDC   fees USDC   {profit}   position at the end")
    for symbol, line in sorted(lines.items()):
        print(symbol, line.trades, line.volume, line.fees, line.profit, line.position, sep="   ")


if __name__ == "__main__":
    main()
