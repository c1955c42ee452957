"""`history`, `trades`, `report` and `sandbox`: records on disk, as they come, and as pages; and an exchange to try."""

from __future__ import annotations

import logging
import operator
import os
from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from tempfile import TemporaryDirectory
from typing import Any

import click

from trading_runtime import now_ms
from trading_toolkit.command.operations import to_moment, to_pair
from trading_toolkit.command.options import SYMBOL, Command, Group, options, show_log
from trading_toolkit.command.settings import connected
from trading_toolkit.command.show import Ended, line, moment, record, records, say
from trading_toolkit.errors import ToolkitError

_FOLDER = click.argument("folder")
_DAY = click.DateTime(["%Y-%m-%d"])


@click.group(cls=Group)
def history() -> None:
    """Keep lists of the service in folders."""


@history.command()
@click.argument("name", metavar="LIST")
@_FOLDER
@click.argument("words", nargs=-1, metavar="[KEY=VALUE]...")
@click.option(
    "--format",
    type=click.Choice(["parquet", "csv", "jsonl"]),
    help="That of the folder, else parquet.",
)
@click.option(
    "--page-size",
    type=click.IntRange(1),
    metavar="N",
    help="Records per request; as many as cost the least unless given.",
)
def sync(
    name: str, folder: str, words: Sequence[str], format: str | None, page_size: int | None
) -> None:
    """Bring FOLDER up to date with LIST, like trades, orders or spot.balance_history.

    It goes on where the last sync stopped, whatever stopped it. A list may need arguments: funding symbol=BTC.
    """
    from trading_toolkit import history as toolkit
    from trading_toolkit.lists import record_list

    given: dict[str, Any] = dict(map(to_pair, words))
    if not options().verbose:
        show_log(logging.INFO)  # it may wait for minutes
    with connected() as client:
        try:
            record_list(client, name, given)
        except ToolkitError as error:
            raise click.UsageError(str(error)) from None
        done = toolkit.sync(
            client, name, folder, format=format, page_size=page_size, progress=True, **given
        )
    record(done) if options().json or options().csv else click.echo(str(done))


@history.command()
@_FOLDER
def verify(folder: str) -> None:
    """Read every file of FOLDER, and compare it with what the last sync wrote."""
    from trading_toolkit import history as toolkit

    found = toolkit.verify(folder)
    record(found)
    if found.problems:
        raise Ended(1, "the folder is not as the last sync left it")


@history.command()
@_FOLDER
@click.option("--since", type=_DAY, metavar="DAY", help="From this day on, like 2026-11-23.")
@click.option("--until", type=_DAY, metavar="DAY", help="Up to this day.")
@click.option("--limit", type=click.IntRange(0), help="Records; 0 for all of them.")
def read(folder: str, since: datetime | None, until: datetime | None, limit: int | None) -> None:
    """Print the records of FOLDER, oldest first; with --json or --csv a line each."""
    from pyarrow import dataset

    from trading_toolkit import history as toolkit

    found = toolkit.read(folder)
    for day, keeps in (since, operator.ge), (until, operator.le):
        if day is not None:
            found = found.filter(keeps(dataset.field("day"), day.date()))
    names = [name for name in found.schema.names if name != "day"]
    batches = found.to_batches(columns=names)  # a file at a time
    rows = (row for batch in batches for row in batch.to_pylist())
    if not (options().json or options().csv):
        records(rows, limit=limit)
        return
    for row in islice(rows, limit or None):
        line(row, "")


@click.group(cls=Group)
def trades() -> None:
    """Follow the trades of an account."""


@trades.command()
@click.option("--since", metavar="TIME", help="Where to begin: ms, or like 2026-11-23T22:00Z; now.")
@click.option("--state", metavar="FILE", help="Go on behind what this file says was printed.")
@SYMBOL
@click.option("--every", default=2.0, metavar="SECONDS", help="Between two looks.")
def follow(since: str | None, state: str | None, symbol: str | None, every: float) -> None:
    """Print every trade of the account as it comes, until Ctrl-C."""
    from trading_toolkit import trades as toolkit

    begin = now_ms() if since is None else to_moment("--since", since)
    with connected() as client, TemporaryDirectory() as folder:
        path = state or os.path.join(folder, "state")
        for each in toolkit.follow(client, begin, state=path, symbol=symbol, every=every):
            at = moment(each.created_at)
            line(
                each,
                f"{at}  {each.symbol}  {each.side}  {each.amount} at {each.price}, fee {each.fee}, pnl {each.pnl}",
            )


@click.command(cls=Command)
@click.argument("file", nargs=-1, required=True, metavar="FILE...")
@click.option("--from", "folder", metavar="FOLDER", help="Trades that `history sync` keeps.")
@click.option("--funding", metavar="FOLDER", help="Funding payments that it keeps.")
@click.option("--pnl-includes-fees", is_flag=True, help="Trades state their profit after the fee.")
@click.option("--title", help="The heading; the address of the account.")
def report(
    file: Sequence[str],
    folder: str | None,
    funding: str | None,
    title: str | None,
    pnl_includes_fees: bool,
) -> None:
    """Write profit and loss of the account to FILE: a page (.html), a picture (.png), a table (.csv).

    The trades are those of the service, or those of a FOLDER. With --observed the funding payments and the prices of open
    positions are the service's, too.
    """
    from trading_toolkit import history as kept, page, report

    if wrong := [each for each in file if not each.endswith(page.SUFFIXES)]:
        raise click.UsageError(f"a report is written as {page.NAMED}, not as {wrong[0]!r}")
    more: dict[str, Any] = {"pnl_includes_fees": pnl_includes_fees}
    payments = kept.read(funding) if funding else None
    if folder is not None:
        made = report.build(kept.read(folder), payments, title=title or "Trading report", **more)
    else:
        with connected() as client:
            if "markets.prices" in client.api.operations:
                more["mark_prices"] = {each.symbol: each.mark for each in client.markets.prices()}
            if payments is None and "funding.payments" in client.api.operations:
                payments = client.funding.payments()
            heading = title or client.account_address
            made = report.build(client.trades.history(), payments, title=heading, **more)
    for each in file:
        page.write(made, each)
    found = {"files": list(file), "title": made.title, "net": made.total.net}
    if options().json:
        figures = ("total", "markets", "rows", "positions", "unrealised", "assumptions")
        found.update({name: getattr(made, name) for name in figures})
    else:
        say("\n".join(made.assumptions))
        if not made.is_funding_known:
            say(
                "--funding FOLDER adds the funding payments, and so does --observed without --from."
            )
        found["fills"] = made.total.trades
    record(found)


@click.command(
    "sandbox",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def sandbox(arguments: Sequence[str]) -> None:
    """Serve a local exchange to try everything on, as `python -m trading_sandbox`; --open shows its page."""
    try:
        from trading_sandbox.__main__ import main
    except ImportError:
        raise click.UsageError(
            "the sandbox needs: pip install 'trading-service-sdk[sandbox]'"
        ) from None
    try:
        status = main(list(arguments))
    except SystemExit as done:  # of its parser
        status = int(done.code or 0)
    click.get_current_context().exit(status)
