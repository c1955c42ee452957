"""`trading-sdk`: its commands, and what an error becomes: a text on stderr, and an exit status.

| status | what happened |
|---|---|
| 0 | done |
| 1 | it failed: a file, an answer that cannot be used, something that `doctor` or `verify` found |
| 2 | wrong use or settings: nothing was sent |
| 3 | the outcome is unknown: it may have been executed |
| 4 | the service refused; stderr says where that may answer the second copy of a request |
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

from trading_runtime import (
    ApiError,
    AuthenticationError,
    BatchError,
    InternalServerError,
    JournalError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    PermissionDeniedError,
    RequestError,
    SigningError,
    TradingError,
    __version__,
)
from trading_sdk import RefusalReason
from trading_toolkit.command.doctor import doctor
from trading_toolkit.command.guarding import guard
from trading_toolkit.command.keys import keys
from trading_toolkit.command.looking import balance, book, funding, markets
from trading_toolkit.command.operations import CALL, EXPLAIN, order
from trading_toolkit.command.options import Group, Options
from trading_toolkit.command.orders import close, flatten, orders, positions, unsettled
from trading_toolkit.command.records import history, report, sandbox, trades
from trading_toolkit.command.show import Ended, say
from trading_toolkit.command.watching import watch
from trading_toolkit.errors import ToolkitError

STATUSES: tuple[tuple[int, tuple[type[BaseException], ...]], ...] = (
    (2, (click.UsageError, RequestError, SigningError)),
    (3, (OutcomeUnknownError,)),
    (5, (NotSentError, NoResponseError, JournalError, InternalServerError)),
    (4, (ApiError, BatchError)),
    (1, (ToolkitError, TradingError, click.ClickException, OSError, TimeoutError)),
    (130, (KeyboardInterrupt, click.Abort)),
)
_OF_ANY_COPY = frozenset(
    {
        *(RefusalReason.UNKNOWN_SYMBOL, RefusalReason.INVALID_SYMBOLS),
        *(RefusalReason.INVALID_AMOUNT, RefusalReason.INVALID_SLIPPAGE),
        *(RefusalReason.INVALID_LEVERAGE, RefusalReason.INVALID_RECIPIENT),
        *(RefusalReason.INVALID_SIGNATURE, RefusalReason.INVALID_PUBLIC_KEY),
        *(RefusalReason.ACCOUNT_NOT_FOUND, RefusalReason.VAULT_NOT_FOUND),
        *(RefusalReason.NOT_THE_CREATOR, RefusalReason.AGENT_NOT_BOUND),
        *(RefusalReason.AGENT_NOT_ALLOWED, RefusalReason.ACCESS_REQUIRED),
        *(RefusalReason.UNKNOWN_API_KEY, RefusalReason.NOT_IMPLEMENTED),
    }
)
"""The reasons that refuse every copy of a message. Any other one may refuse the second copy alone: the first was
executed, and used up the balance, or ended the order."""
NAME, VARIABLE = "trading-sdk", "_TRADING_SDK_COMPLETE"
_KEY = re.compile(r"[1-9A-HJ-NP-Za-km-z]{80,}|[0-9a-fA-F]{64,}|\[[0-9\s,]{64,}")
"""Base58 of 64 bytes, a seed in hexadecimal digits, the numbers of a wallet file."""


@click.group(
    cls=Group,
    epilog="Exit status: 0 done, 1 failed, 2 wrong use, 3 outcome unknown, 4 refused, 5 not sent, 130 interrupted.",
)
@click.version_option(__version__, prog_name=NAME)
def cli() -> None:
    """Trade, look and keep records from a shell.

    The service, the key and the account are those of TRADING_BASE_URL, TRADING_KEY_FILE and their like, or of a profile.
    """


for _each in (
    *(doctor, keys, EXPLAIN, CALL, order, orders, positions, balance, unsettled),
    *(close, flatten),
    *(markets, book, funding, watch),
    *(guard, history, trades, report, sandbox),
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
    if isinstance(error, BatchError) and error.unclear:
        status = 3  # an action may have been executed: a copy of it, which a proxy made
    if isinstance(error, ImportError) and "pip install" in str(error):
        say(f"{NAME}: {error}")
        return 2
    if status is None:
        say(f"{NAME}: this is a mistake of {NAME}: {_safe(f'{type(error).__name__}: {error}')}")
        if "--verbose" in sys.argv:
            say(_safe("".join(traceback.format_tb(error.__traceback__))))
        return 1
    text = error.format_message() if isinstance(error, click.ClickException) else str(error)
    if isinstance(error, OutcomeUnknownError):
        text = _unknown(error)
    say(f"{NAME}: {_safe(text or 'interrupted')}")
    if _may_be_of_a_copy(error):
        say(_safe(_looked_for(error)))
    if isinstance(error, JournalError):
        say("name another --journal, or wait until no other program uses this one")
    if isinstance(error, click.UsageError) and error.ctx is not None:
        say(f"{error.ctx.command_path} --help shows how to use it")
    return status


def _unknown(error: OutcomeUnknownError) -> str:
    """What to do in a shell about a call whose outcome is unknown."""
    ids = ", ".join(each for each in error.client_ids if each)
    text = f"{error.operation}: it may have been executed ({error.reason}). Do not send it again:"
    text += f" `{NAME} unsettled --reconcile` looks for it, or says why no list can show it"
    return f"{text}. Its client id: {ids}" if ids else text


def _may_be_of_a_copy(error: BaseException) -> bool:
    """Whether a refusal may be the answer to a repeated request, whose first copy was executed."""
    reasons: list[str | None] = []
    if isinstance(error, BatchError):
        reasons = [*error.reasons.values()]
    elif isinstance(error, ApiError) and error.intent is not None:
        is_final = isinstance(error, (AuthenticationError, PermissionDeniedError))
        reasons = [] if is_final else [error.reason]
    return any(each not in _OF_ANY_COPY for each in reasons)


def _looked_for(error: BaseException) -> str:
    """What to do about a refusal that may be the answer to a repeated request."""
    intent = getattr(error, "intent", None)
    ids = [each for each in intent.client_ids if each] if intent else []
    text = "a hop on the way may repeat a request: if this answers a second copy, the first was executed"
    look = "look whether it was before you send it again"
    return f"{text}; {look}" + (f". Its client id: {', '.join(ids)}" if ids else "")


def _safe(text: str) -> str:
    """A text without what looks like a private key: somebody may give one where something else belongs."""
    return _KEY.sub("(looks like a key, not shown)", text)
