"""`orders`, `positions`, `close`, `flatten` and `unsettled`: what an account has open, and what nobody knows the outcome of."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

import click

from trading_runtime import (
    ApiError,
    DecodeError,
    NoResponseError,
    NotSentError,
    Settlement,
    to_datetime,
)
from trading_toolkit import account, closing, orders as toolkit
from trading_toolkit.command.options import SYMBOL, YES, Command, Group, options, show_log
from trading_toolkit.command.settings import connected
from trading_toolkit.command.show import Ended, confirm, ending, record, records, say

_NOTHING = toolkit.Cancelled(cancelled=())
_NO_LIST = (ApiError, DecodeError, NoResponseError, NotSentError)
"""What a reading of the lists ends with. It changes nothing about the orders that may live."""
_TIMEOUT = click.option(
    "--timeout",
    type=click.FloatRange(0),
    default=toolkit.TIMEOUT,
    metavar="SECONDS",
    help="How long it may take in all; 60 unless given.",
)
HISTORY_LAG = click.option(
    "--history-lag",
    type=click.FloatRange(0),
    default=15.0,
    metavar="SECONDS",
    help="How late the lists may be; 15 unless given.",
)
_SLIPPAGE = click.option(
    "--slippage",
    default="1",
    metavar="PERCENT",
    help="From the market price, at most; 1 unless given.",
)
_COLUMNS = (
    *("order_id", "symbol", "side", "order_type", "price", "stop_price", "amount"),
    *("filled_amount", "order_status", "created_at"),
)


def _order_id(text: str) -> int | UUID:
    """An order id, or a client order id."""
    if re.fullmatch(r"\d{1,19}", text):
        return int(text)
    with suppress(ValueError):
        return UUID(text)
    raise click.UsageError(f"{text!r} is no order id (a number) and no client order id (a UUID)")


@click.group(cls=Group)
def orders() -> None:
    """Find open orders, and cancel them."""


@orders.command("list")
@SYMBOL
def list_(symbol: str | None) -> None:
    """List the open orders.

    The interface has no list of them, so the whole order history is read; with --observed it is one request.
    """
    with connected() as client:
        found = toolkit.open_orders(client, symbol)
        if not found:
            _check_symbol(client, symbol)
        records(found, *_COLUMNS, limit=0)


@orders.command()
@click.argument("order", metavar="ORDER", type=_order_id)
@click.option("--wait", default=0.0, metavar="SECONDS", help="How long to look for it.")
@click.option("--until", multiple=True, metavar="STATE", help="Wait for this state, like filled.")
def show(order: int | UUID, wait: float, until: Sequence[str]) -> None:
    """Show ORDER, an order id or a client order id."""
    with connected() as client:
        record(toolkit.wait_for(client, order, wait, until=until))


@orders.command()
@click.argument("order", metavar="ORDER...", type=_order_id, nargs=-1, required=True)
@_TIMEOUT
@HISTORY_LAG
@YES
def cancel(order: tuple[int | UUID, ...], timeout: float, history_lag: float, *, yes: bool) -> None:
    """Cancel open orders by their ids, stop orders, too."""
    _show_waits()
    with connected(journal=True, history_lag=history_lag) as client:
        found = toolkit.find_open(client, order)
        _ask(found, yes=yes)
        end_with(toolkit.cancel(client, found, timeout=timeout))


@orders.command("cancel-all")
@SYMBOL
@_TIMEOUT
@HISTORY_LAG
@YES
def cancel_all(symbol: str | None, timeout: float, history_lag: float, *, yes: bool) -> None:
    """Cancel all open orders, stop orders, too.

    Stop what places orders before. It is safe to repeat.
    """
    _show_waits()
    with connected(journal=True, history_lag=history_lag) as client:
        try:
            found = () if yes else toolkit.scan(client, symbol)[0]
            if found:
                _ask(found, yes=yes)
            # Where nothing is listed, nobody was asked: it only looks whether that stays so.
            rounds = toolkit.ROUNDS if found or yes else 0
            done = toolkit.cancel_all(client, symbol, rounds=rounds, timeout=timeout)
        except _NO_LIST as problem:
            raise Ended(3, f"orders may live, nobody could look: {problem}") from problem
        if done == _NOTHING:
            _check_symbol(client, symbol)
            say(f"none{options().whose}")
        end_with(done)


def _show_waits() -> None:
    if not options().verbose:
        show_log(logging.INFO)


def _check_symbol(client: Any, symbol: str | None) -> None:
    """Where nothing is open: a mistyped market must not look like one without orders."""
    known = sorted({each.symbol for each in client.orders.history()} if symbol else ())
    if known and symbol not in known:
        raise click.UsageError(f"no order is of {symbol!r}; there are some of {', '.join(known)}")


def _ask(found: Sequence[Any], *, yes: bool) -> None:
    for each in found:
        _say_order(each)
    confirm(f"Cancel {len(found)} orders{options().whose}?", yes=yes)


def _say_order(order: Any) -> None:
    say(f"{order.order_id} {order.symbol} {order.side} at {order.stop_price or order.price}")


def end_with(done: toolkit.Cancelled) -> None:
    """Show what became of orders, and end with the status that it has."""

    with ending(partial(_check_cancelled, done)):
        record(done)


def _check_cancelled(done: toolkit.Cancelled) -> None:
    """Raise what cancelling ends with, if the orders have not certainly ended."""
    if done.unknown or done.problems:
        hint = "cancel again, which is safe; `trading-sdk unsettled --reconcile` looks, too"
        raise Ended(3, f"some orders may live: {hint}")
    if done.still_open:
        raise Ended(4, "some are still open: refused says why")


@click.command(cls=Command)
@click.option("--all", "closed", is_flag=True, help="Closed positions, too.")
@click.option("--pnl-includes-fees", is_flag=True, help="Trades state their profit after the fee.")
def positions(closed: bool, pnl_includes_fees: bool) -> None:
    """List the positions of the account.

    The interface has no list of them, so its trades are added up; with --observed the service lists the open ones.
    """
    with connected() as client:
        rows = account.positions(client, closed=closed, pnl_includes_fees=pnl_includes_fees)
        if any(each.sure_since is None for each in rows):
            say("without sure_since, the trades do not go back to where the position was opened")
    records(rows, limit=0)


@click.command(cls=Command)
@click.argument("symbol")
@_SLIPPAGE
@_TIMEOUT
@HISTORY_LAG
@YES
def close(symbol: str, slippage: str, timeout: float, history_lag: float, *, yes: bool) -> None:
    """Close the position in the market SYMBOL, by reduce-only market orders.

    Orders that rest may open it again: flatten cancels them first. It is safe to repeat.
    """
    with connected(journal=True, history_lag=history_lag) as client:
        if not yes:
            _ask_to_close(client, symbol)
        done = closing.market_close(client, symbol, slippage_percent=slippage, timeout=timeout)
        if done == closing.Closed(closed=()):
            _check_traded(client, symbol)
            say(f"none{options().whose}")
        with ending(partial(_check_closed, done)):
            record(done)


@click.command(cls=Command)
@_SLIPPAGE
@_TIMEOUT
@HISTORY_LAG
@YES
def flatten(slippage: str, timeout: float, history_lag: float, *, yes: bool) -> None:
    """Cancel all open orders, then close all positions, by reduce-only market orders.

    Stop what places orders before. It is safe to repeat.
    """
    _show_waits()
    with connected(journal=True, history_lag=history_lag) as client:
        try:
            if not yes:
                for each in toolkit.scan(client)[0]:
                    _say_order(each)
                _ask_to_close(client, None)
            done = closing.flatten(client, slippage_percent=slippage, timeout=timeout)
        except _NO_LIST as problem:
            text = f"orders and positions may be open, nobody could look: {problem}"
            raise Ended(3, text) from problem

        def outcome() -> None:
            _check_cancelled(done.orders)
            _check_closed(done.positions)

        with ending(outcome):
            record({"orders": done.orders, "positions": done.positions})


def _check_traded(client: Any, symbol: str) -> None:
    """Where nothing is open: a mistyped market must not look like one that is flat."""
    known = sorted({each.symbol for each in client.trades.history()})
    if known and symbol not in known:
        raise click.UsageError(f"no trade is of {symbol!r}; there are some of {', '.join(known)}")


def _ask_to_close(client: Any, symbol: str | None) -> None:
    for each in account.positions(client):
        if symbol in (None, each.symbol):
            say(f"{each.symbol} {each.size:f} at {each.entry_price:f}")
    what = "Close these positions" if symbol else "Cancel these orders, and close these positions"
    confirm(f"{what}{options().whose}?", yes=False)


def _check_closed(done: closing.Closed) -> None:
    """Raise what closing positions ends with, if they are not certainly closed."""
    if done.unknown or done.problems:
        raise Ended(3, "some positions may be open: do it again, which is safe")
    if done.still_open:
        raise Ended(4, "some positions are still open: refused says why")


@click.command(cls=Command)
@click.option("--reconcile", is_flag=True, help="Look for them in the histories.")
@click.option(
    "--timeout", type=click.FloatRange(0), help="Seconds that --reconcile may wait in all."
)
def unsettled(timeout: float | None, *, reconcile: bool) -> None:
    """List the calls of the journal whose outcome is unknown.

    --reconcile sends nothing again. The status is 3 while one is left.
    """
    ends = None if timeout is None else time.monotonic() + timeout
    rows: list[dict[str, Any]] = []
    if reconcile:
        _show_waits()
    with connected(journal=True) as client:
        for error in client.unsettled():
            head = {"call": error.intent.id, "signed_at": error.timestamp}
            if reconcile:
                at = f"{to_datetime(error.timestamp):%Y-%m-%d %H:%M:%S}"
                say(f"looking for {error.operation} of {at}")
                left = None if ends is None else max(0.0, ends - time.monotonic())
                try:
                    found = client.reconcile(error, timeout=left)
                except _NO_LIST as problem:
                    say(f"no list could be read: {problem}")
                else:
                    rows += [{**head, **_settled(each)} for each in found]
                    continue
            for each in error.intent.messages:
                known = {"client_id": each.client_id, "state": "unsettled", "fields": each.fields}
                rows.append({**head, "operation": each.name, **known})

    def outcome() -> None:
        if any(each["state"] == "unsettled" for each in rows):
            hint = "--reconcile looks for them"
            if reconcile:
                hint = "the reason says what to do; client.reconcile is this command once more"
            raise Ended(3, f"some may have been executed: {hint}")

    with ending(outcome):
        records(rows, limit=0)


def _settled(found: Settlement) -> dict[str, Any]:
    return {
        "operation": found.operation,
        "client_id": found.client_id,
        "state": found.state,
        "reason": found.reason,
    }
