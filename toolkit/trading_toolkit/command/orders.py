"""`orders`, `positions` and `unsettled`: what an account has open, and what nobody knows the outcome of."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

import click

from trading_runtime import BaseClient, OutcomeUnknownError, to_datetime
from trading_toolkit import orders as toolkit
from trading_toolkit import portfolio
from trading_toolkit.command.options import SYMBOL, Command, Group
from trading_toolkit.command.settings import connected
from trading_toolkit.command.show import (
    Ended,
    confirm,
    in_a_shell,
    plain,
    record,
    records,
    say,
    sent,
)

_COLUMNS = (
    *("order_id", "symbol", "side", "order_type", "price", "stop_price", "amount"),
    *("initial_amount", "filled_amount", "order_status", "created_at"),
)
_YES = click.option("--yes", is_flag=True, help="Do not ask.")


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
        found = toolkit.open_orders(client, symbol).orders
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
@_YES
def cancel(order: tuple[int | UUID, ...], *, yes: bool) -> None:
    """Cancel open orders by their ids, stop orders, too."""
    with connected(journal=True) as client:
        found = toolkit.find_open(client, order)
        _cancel(client, found, yes, lambda: toolkit.cancel(client, found))


@orders.command("cancel-all")
@SYMBOL
@_YES
def cancel_all(symbol: str | None, *, yes: bool) -> None:
    """Cancel all open orders, stop orders, too.

    Stop what places orders before. It is safe to repeat.
    """
    with connected(journal=True) as client:
        found = () if yes else toolkit.open_orders(client, symbol).orders
        _cancel(client, found, yes, lambda: toolkit.cancel_all(client, symbol), symbol)


def _check_symbol(client: Any, symbol: str | None) -> None:
    """Where nothing is open: a mistyped market must not look like one without orders."""
    known = sorted({each.symbol for each in client.orders.history()} if symbol else ())
    if known and symbol not in known:
        raise click.UsageError(f"no order is of {symbol!r}; there are some of {', '.join(known)}")


def _cancel(
    client: BaseClient,
    found: Sequence[Any],
    yes: bool,
    run: Callable[[], toolkit.Cancelled],
    symbol: str | None = None,
) -> None:
    for each in found:
        say(f"{each.order_id} {each.symbol} {each.side} at {each.price or each.stop_price}")
    confirm(f"Cancel {len(found)} orders of {client.account_address}?", yes=yes)
    done = sent("orders.batch", run)
    if done == toolkit.Cancelled(cancelled=()):
        _check_symbol(client, symbol)
    record(done)
    if done.unknown:
        raise Ended(3, "the outcome of some is unknown: `trading-sdk unsettled --reconcile` looks")
    if done.still_open:
        raise Ended(4, "some are still open: refused says why")


@click.command(cls=Command)
@click.option("--all", "closed", is_flag=True, help="Closed positions, too.")
@click.option("--from", "folder", metavar="FOLDER", help="Trades that `history sync` keeps.")
@click.option("--pnl-includes-fees", is_flag=True, help="Trades state their profit after the fee.")
def positions(closed: bool, folder: str | None, pnl_includes_fees: bool) -> None:
    """Add up the trades of the account to its positions."""
    if folder is not None:
        from trading_toolkit import history

        trades = history.read(folder)
        found = portfolio.positions(trades, pnl_includes_fees=pnl_includes_fees)
    else:
        with connected() as client:
            every = client.trades.history()
            found = portfolio.positions(every, pnl_includes_fees=pnl_includes_fees)
    rows = [
        {"symbol": each.symbol, "size": each.size, "entry_price": each.entry_price, **plain(each)}
        for each in found.values()
        if closed or each.size
    ]
    records(rows, limit=0)
    if any(each["sure_since"] is None for each in rows):
        say("without sure_since, the trades do not go back to where the position was opened")


@click.command(cls=Command)
@click.argument("call", required=False)
@click.option("--reconcile", is_flag=True, help="Look for them in the histories.")
@click.option("--resend", is_flag=True, help="Send again under the idempotency key.")
@click.option("--acknowledge", is_flag=True, help="You settled CALL yourself.")
@click.option("--timeout", type=float, help="Seconds that --reconcile may take.")
@_YES
def unsettled(call: str | None, timeout: float | None, *, yes: bool, **modes: bool) -> None:
    """List the calls of the journal whose outcome is unknown: all, or the one whose id begins with CALL.

    --reconcile sends nothing again. The status is 3 while one is left.
    """
    given = [name for name, wanted in modes.items() if wanted]
    if len(given) > 1:
        raise click.UsageError(f"only one of --{' and --'.join(given)}")
    how = given[0] if given else None
    with connected(journal=True) as client:
        found = [each for each in client.unsettled() if each.intent.id.startswith(call or "")]
        if call and len(found) != 1:
            raise click.UsageError(f"{len(found)} calls of the journal begin with {call!r}")
        if how in ("resend", "acknowledge") and not call:
            raise click.UsageError(f"--{how} is for one call: name it")
        if how in ("resend", "acknowledge"):
            confirm(f"{how.capitalize()} {found[0].operation} of {call}?", yes=yes)
        rows = [row for each in found for row in _settled(client, each, how, timeout)]
    records(rows, limit=0)
    if any(each["state"] == "unsettled" for each in rows):
        hint = "the reason says what to do" if how == "reconcile" else "--reconcile looks for them"
        raise Ended(3, f"some may have been executed: {hint}")


def _settled(
    client: BaseClient, error: OutcomeUnknownError, how: str | None, timeout: float | None
) -> list[dict[str, Any]]:
    """A row for each message of a call: what became of it, or what is known of it."""
    head = {"call": error.intent.id, "signed_at": error.timestamp}
    if how == "acknowledge":
        client.acknowledge(error)
    if how in (None, "acknowledge"):
        state = "acknowledged" if how else "unsettled"
        shown: list[Any] = [
            (each.name, each.client_id, state, each.fields) for each in error.intent.messages
        ]
    else:
        say(f"{error.operation} of {to_datetime(error.timestamp):%Y-%m-%d %H:%M:%S}: {how}")
        again = how == "resend"
        found = [client.resend(error)] if again else client.reconcile(error, timeout=timeout)
        shown = [
            (each.operation, each.client_id, each.state, in_a_shell(each.reason, error.intent))
            for each in found
        ]
    names = (
        "operation",
        "client_id",
        "state",
        "reason" if how in ("reconcile", "resend") else "fields",
    )
    return [{**head, **dict(zip(names, each, strict=True))} for each in shown]
