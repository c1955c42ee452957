"""Report a day of an account, exact to the last digit: volume, fees, profit, and the position at its end.

Usage: python examples/end_of_day.py [2026-11-22] [--pnl-includes-fees]     (the environment: see examples/README.md)

A day is one in UTC. Whether the service takes fees off a trade's `pnl` is not documented. If your trades show `pnl`
after fees (an opening fill has `pnl == -fee`), give --pnl-includes-fees.
"""

from __future__ import annotations

import argparse
from datetime import date, datetime, time, timedelta, timezone

from trading_sdk import Client
from trading_toolkit import portfolio


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
    includes = given.pnl_includes_fees
    with Client.from_env() as client:
        trades = client.trades.history(end_time=end_of(given.day)).to_list()
    positions = portfolio.positions(trades, pnl_includes_fees=includes)
    print(
        f"{given.day}   trades   volume USDC   fees USDC   profit after fees USDC   position at the end"
    )
    for each in portfolio.pnl(trades, pnl_includes_fees=includes):
        if each.day == given.day:
            size = positions[each.symbol].size
            print(each.symbol, each.trades, each.volume, each.fees, each.net, size, sep="   ")


if __name__ == "__main__":
    main()
