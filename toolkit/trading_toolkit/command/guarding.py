"""`guard`: runs a program, and cancels all orders when it ends, hangs or is killed."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import click

from trading_toolkit import guard as toolkit
from trading_toolkit.command.options import SYMBOL, Command, options, show_log
from trading_toolkit.command.orders import HISTORY_LAG, end_with
from trading_toolkit.command.settings import connected
from trading_toolkit.command.show import Ended, say


@click.command(
    cls=Command,
    context_settings={"allow_interspersed_args": False, "help_option_names": ["--help"]},
)
@click.option(
    "--after", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Without heartbeat."
)
@click.option("--heartbeat", metavar="FILE", help="The file that changes, like a journal.")
@SYMBOL
@click.option(
    "--expiry-window",
    type=click.FloatRange(0),
    default=30.0,
    metavar="SECONDS",
    help="How long the service accepts what the program signed; 30 unless given.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0),
    default=300.0,
    metavar="SECONDS",
    help="In which the orders must have ended; 300 unless given.",
)
@HISTORY_LAG
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED, metavar="PROGRAM...")
def guard(
    program: Sequence[str],
    after: float | None,
    heartbeat: str | None,
    symbol: str | None,
    expiry_window: float,
    timeout: float,
    history_lag: float,
) -> None:
    """Run PROGRAM, and cancel all orders when it ends, hangs or is killed.

    With --after it hangs when its heartbeat is missing for so long: it calls trading_toolkit.guard.beat(), or the file of
    --heartbeat changes. The status is that of the program if no order is open, else 3 or 4; 1 if it hung.
    """
    if not options().verbose:
        show_log(logging.INFO)
    with connected(history_lag=history_lag) as client:
        found = toolkit.run(
            client,
            program,
            after=after,
            heartbeat=heartbeat,
            symbol=symbol,
            expiry_window=expiry_window,
            timeout=timeout,
        )
    say(f"{program[0]} {found.why}, with status {found.status}")
    if found.problem:
        raise Ended(
            3, f"orders may live: {found.problem}; `trading-sdk orders cancel-all` tries again"
        )
    end_with(found.orders)
    if found.why == "hung":
        raise Ended(1, "the program hung, and was killed; all its orders have ended")
    click.get_current_context().exit(found.status if found.status >= 0 else 128 - found.status)
