"""What a command prints: results on stdout, as tables or JSON, and all else on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import Enum
from itertools import islice
from typing import Any

import attrs
import click

from trading_runtime import HiddenJson, Intent, UnknownObject, to_datetime
from trading_toolkit.command.options import options

HIDDEN = "<hidden>"
SHOWN = 100
"""Records that a table shows, unless another number was asked for."""


def say(text: str) -> None:
    """A line for people, which is no result."""
    click.echo(text, err=True)


_IN_A_SHELL = {
    "client.reconcile(error)": "`trading-sdk unsettled {call} --reconcile`",
    "client.resend(error)": "`trading-sdk unsettled {call} --resend`",
    "belongs to another client that is still open: close it, or use that one, also in other threads": (
        "is in use by another program: wait for it, or name another --journal"
    ),
}


def in_a_shell(text: str, intent: Intent | None) -> str:
    """A text of the SDK about a call, with commands where it names methods."""
    for python, shell in _IN_A_SHELL.items():
        text = text.replace(python, shell.format(call=intent.id if intent else "CALL"))
    return text


def confirm(question: str, *, yes: bool) -> None:
    """Ask, unless that was answered before.

    Raises:
        UsageError: Nobody can be asked.
        Ended: The answer is no.
    """
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError("this changes something, and nobody can be asked here: add --yes")
    click.echo(f"{question} [y/N] ", err=True, nl=False)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Ended(5, "nothing was sent")


def sent(name: str, send: Callable[[], Any]) -> Any:
    """The result of a call that changes something; Ctrl-C leaves its outcome unknown."""
    try:
        return send()
    except KeyboardInterrupt:
        text = f"interrupted: {name} may have been executed if `trading-sdk unsettled` lists it now"
    text += "; `trading-sdk unsettled --reconcile` looks for it"
    raise Ended(130, text)


class Ended(Exception):
    """The command ends with a status that no error of the SDK stands for."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def records(
    rows: Iterable[Any], *columns: str, limit: int | None = None, secret: bool = False
) -> None:
    """A list: a table of these columns, or of all that hold a value, or a JSON list."""
    if limit is None and not options().json:
        limit = SHOWN
    every = iter(rows)
    found = [plain(each, secret=secret) for each in islice(every, limit or None)]
    if options().json:
        _print_json(found)
    elif not found:
        say("none")
    else:
        _print_table(found, columns)
    if limit == SHOWN and next(every, None) is not None:
        say(f"the first {SHOWN}; --limit N shows more, --limit 0 all, --json all unless limited")


def record(value: Any, *, secret: bool = False) -> None:
    """One object: a line for each field, or a JSON document."""
    found = plain(value, secret=secret)
    if options().json:
        _print_json(found)
    elif isinstance(found, Mapping):
        _print_fields(found)
    else:
        click.echo(_text("", found))


def line(value: Any, text: str) -> None:
    """One record of a stream, handed over at once: a text, or a line of JSON."""
    click.echo(json.dumps(plain(value)) if options().json else printable(text))


def plain(value: Any, *, secret: bool = False) -> Any:
    """JSON data of a result: money is text, and a secret is hidden unless it is asked for."""
    if isinstance(value, (HiddenJson, UnknownObject)) and not secret:
        return HIDDEN
    if attrs.has(type(value)):
        return {
            each.name: plain(getattr(value, each.name), secret=secret)
            if each.repr or secret or getattr(value, each.name) is None
            else HIDDEN
            for each in attrs.fields(type(value))
        }
    if isinstance(value, Mapping):
        return {str(name): plain(each, secret=secret) for name, each in value.items()}
    if isinstance(value, Decimal):
        text = f"{value:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, (str, int, float, bool, type(None))):
        return value
    if not isinstance(value, Iterable):
        return str(value)
    return [plain(each, secret=secret) for each in value]


def printable(text: str) -> str:
    """A text of the service, without what a terminal would obey."""
    return "".join(each if each.isprintable() else "?" for each in text)


def _text(name: str, value: Any) -> str:
    """A value in a table."""
    if value is None:
        return "-"
    if name.endswith(("_at", "_since")) and isinstance(value, int) and value > 0:
        value = to_datetime(value).strftime("%Y-%m-%d %H:%M:%S")
    return printable(value if isinstance(value, str) else json.dumps(value))


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2))


def _print_table(found: Sequence[Any], columns: Sequence[str]) -> None:
    """A table if it fits, else the fields of each record."""
    if not all(isinstance(each, Mapping) for each in found):
        for each in found:
            click.echo(_text("", each))
        return
    names = [
        name
        for name in (columns or dict.fromkeys(name for each in found for name in each))
        if any(each.get(name) is not None for each in found)
    ]
    rows = [[_text(name, each.get(name)) for name in names] for each in found]
    # Late, because a completion needs none of it. In a file no line is broken.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    width = None if sys.stdout.isatty() else 100_000
    console = Console(markup=False, highlight=False, width=width)
    needed = sum(
        max(map(len, (name, *cells))) + 2 for name, *cells in zip(names, *rows, strict=True)
    )
    if needed > console.width and not columns:
        for each in found:
            _print_fields({name: each.get(name) for name in names})
            click.echo()
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in names:
        table.add_column(name.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    with console.capture() as text:  # a closed pipe would end the program in there
        console.print(table)
    click.echo(text.get(), nl=False)


def _print_fields(found: Mapping[str, Any]) -> None:
    width = max(map(len, found), default=0)
    for name, value in found.items():
        click.echo(f"{name:{width}}  {_text(name, value)}")
