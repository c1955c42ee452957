"""`balance`, `markets`, `book` and `funding`: what only the live service tells, so they need `--observed`."""

from __future__ import annotations

from itertools import islice, zip_longest
from typing import Any

import click

from trading_toolkit import account
from trading_toolkit.command.operations import method_of
from trading_toolkit.command.options import SYMBOL, Command
from trading_toolkit.command.settings import connected
from trading_toolkit.command.show import record, records

_RULES = (
    *("symbol", "tick_size", "lot_size", "min_order_size", "max_order_size", "max_leverage"),
    *("isolated_only", "funding_rate", "next_funding_rate"),
)


@click.command(cls=Command)
def balance() -> None:
    """Show the money of the account."""
    with connected() as client:
        method_of(client, "account.info")
        record(account.balance(client))


@click.command(cls=Command)
def markets() -> None:
    """List the markets: ticks, lots, sizes, funding."""
    with connected() as client:
        records(method_of(client, "markets.info")(), *_RULES, limit=0)


@click.command(cls=Command)
@click.argument("symbol")
@click.option("--depth", type=click.IntRange(1), default=10, help="Levels of a side; 10.")
def book(symbol: str, depth: int) -> None:
    """Show the order book of SYMBOL, the best prices first."""
    with connected() as client:
        bids, asks = method_of(client, "markets.book")(symbol=symbol).l
    pairs = islice(zip_longest(bids, asks), depth)
    records([_level(*pair) for pair in pairs], "bid_amount", "bid", "ask", "ask_amount", limit=0)


@click.command(cls=Command)
@SYMBOL
@click.option("--limit", type=click.IntRange(0), help="Records; 0 for all of them.")
def funding(symbol: str | None, limit: int | None) -> None:
    """List the funding payments of the account."""
    with connected() as client:
        records(method_of(client, "funding.payments")(symbol=symbol), limit=limit)


def _level(bid: Any, ask: Any) -> dict[str, Any]:
    """A row of a book, of which a side may have ended."""
    return {
        "bid_amount": bid and bid.a,
        "bid": bid and bid.p,
        "ask": ask and ask.p,
        "ask_amount": ask and ask.a,
    }
