"""`trading-sdk`: its commands, and what an error becomes: a text on stderr, and an exit status.

| status | what happened |
|---|---|
| 0 | done |
| 1 | it failed: a file, an answer that cannot be used, something that `doctor` or `verify` found |
| 2 | wrong use or settings: nothing was sent |
| 3 | the outcome is unknown: it may have been executed |
| 4 | the service refused |
| 5 | not sent, or no answer to a read but a 5xx at most: nothing was changed |
| 130, 141 | interrupted; nobody reads the output any more |
"""

from __future__ import annotations

import io
import os
import re
import sys
import traceback

import click
from click.shell_completion import get_completion_class

from trading_runtime import (
    ApiError,
    BatchError,
    InternalServerError,
    JournalError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    RequestError,
    SigningError,
    TradingError,
    __version__,
)
from trading_toolkit.command.doctor import doctor
from trading_toolkit.command.keys import keys
from trading_toolkit.command.operations import CALL, EXPLAIN
from trading_toolkit.command.options import Group, Options
from trading_toolkit.command.orders import orders, positions, unsettled
from trading_toolkit.command.records import history, report, sandbox, trades
from trading_toolkit.command.show import Ended, in_a_shell, say
from trading_toolkit.errors import ToolkitError

STATUSES: tuple[tuple[int, tuple[type[BaseException], ...]], ...] = (
    (2, (click.UsageError, RequestError, SigningError)),
    (3, (OutcomeUnknownError,)),
    (5, (NotSentError, NoResponseError, JournalError, InternalServerError)),
    (4, (ApiError, BatchError)),
    (1, (ToolkitError, TradingError, click.ClickException, OSError, TimeoutError)),
    (130, (KeyboardInterrupt, click.Abort)),
)
NAME, VARIABLE = "trading-sdk", "_TRADING_SDK_COMPLETE"
_WITHOUT_SPACE = {
    "COMPREPLY+=($value)": "COMPREPLY+=($value); [[ $value == *= ]] && compopt -o nospace",
    "compadd -U -V": "compadd ${${(M)completions[1]:#*=}:+-S} ${${(M)completions[1]:#*=}:+''} -U -V",
}
"""The line that offers a word, in the script of Bash and of Zsh."""
_KEY = re.compile(r"[1-9A-HJ-NP-Za-km-z]{80,}|[0-9a-fA-F]{64,}|\[[0-9\s,]{64,}")
"""Base58 of 64 bytes, a seed in hexadecimal digits, the numbers of a wallet file."""


def _print_completion(context: click.Context, _: click.Parameter, shell: str | None) -> None:
    """Print what makes a shell complete commands: what click has, without a space behind `KEY=`."""
    if not shell or context.resilient_parsing:
        return
    source = get_completion_class(shell)(context.command, {}, NAME, VARIABLE).source()  # type: ignore[misc]
    for plain, patched in _WITHOUT_SPACE.items():
        source = source.replace(plain, patched)
    click.echo(source)
    context.exit()


@click.group(
    cls=Group,
    epilog="Exit status: 0 done, 1 failed, 2 wrong use, 3 outcome unknown, 4 refused, 5 not sent, 130 interrupted.",
)
@click.version_option(__version__, prog_name=NAME)
@click.option(
    "--completion",
    type=click.Choice(["bash", "zsh", "fish"]),
    expose_value=False,
    is_eager=True,
    callback=_print_completion,
    help="Print the script that completes commands in a shell.",
)
def cli() -> None:
    """Trade, look and keep records from a shell.

    The service, the key and the account are those of TRADING_BASE_URL, TRADING_KEY_FILE and their like, or of a profile.
    """


for _each in (
    *(doctor, keys, EXPLAIN, CALL, orders, positions, unsettled),
    *(history, trades, report, sandbox),
):
    cli.add_command(_each)


def run(arguments: list[str]) -> int:
    """Run the command; return its exit status."""
    if VARIABLE in os.environ:
        cli.main(arguments, NAME, VARIABLE)
    # A shell can close either.
    sys.stdin = sys.stdin or io.StringIO()
    sys.stdout = sys.stdout or io.StringIO()
    raw = getattr(sys.stdout, "buffer", None)
    if isinstance(raw, io.RawIOBase):  # by PYTHONUNBUFFERED: half a write would be lost
        coding = {"encoding": sys.stdout.encoding, "errors": sys.stdout.errors}
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), line_buffering=True, **coding)  # type: ignore[arg-type]
    try:
        with cli.make_context(NAME, arguments, obj=Options()) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        say(error.format_message())
        return 2
    except BrokenPipeError:
        return 141
    except BaseException as error:
        return _told(error)
    finally:
        try:
            sys.stdout.flush()
        except OSError:
            # What is left to write goes nowhere, or Python would complain when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _told(error: BaseException) -> int:
    """Say on stderr what happened, and return the status that it has."""
    if isinstance(error, Ended):
        say(f"{NAME}: {error}")
        return error.status
    is_lost = isinstance(error, FileNotFoundError) and "/day=" in str(error)
    if is_lost or type(error).__module__ == "pyarrow.lib":  # which a command without it never loads
        say(f"{NAME}: {_safe(str(error))}; `{NAME} history verify` says what else is damaged")
        return 1
    status = next((number for number, kinds in STATUSES if isinstance(error, kinds)), None)
    if status is None:
        say(f"{NAME}: this is a mistake of {NAME}: {_safe(f'{type(error).__name__}: {error}')}")
        if "--verbose" in sys.argv:
            say(_safe("".join(traceback.format_tb(error.__traceback__))))
        return 1
    text = error.format_message() if isinstance(error, click.ClickException) else str(error)
    text = in_a_shell(text, getattr(error, "intent", None))
    say(f"{NAME}: {_safe(text or 'interrupted')}")
    if isinstance(error, click.UsageError) and error.ctx is not None:
        say(f"{error.ctx.command_path} --help shows how to use it")
    return status


def _safe(text: str) -> str:
    """A text without what looks like a private key: somebody may give one where something else belongs."""
    return _KEY.sub("(looks like a key, not shown)", text)
