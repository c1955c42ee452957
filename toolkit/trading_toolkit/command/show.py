"""What a command prints: results on stdout, as tables or JSON, and all else on stderr."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from enum import Enum
from itertools import islice
from typing import Any

import attrs
import click

from trading_runtime import HiddenJson, RequestError, to_datetime
from trading_toolkit.command.options import options

HIDDEN = "<hidden>"
SHOWN = 100
"""Records that a table shows, unless another number was asked for."""


class Ended(Exception):
    """The command ends with a status that no error of the SDK stands for."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def say(text: str) -> None:
    """A line for people, which is no result."""
    click.echo(text, err=True)


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


def records(rows: Iterable[Any], *columns: str, limit: int | None = None) -> None:
    """A list: a table of these columns, or of all that hold a value, or a JSON list."""
    if limit is None and not (options().json or options().csv):
        limit = SHOWN
    every = iter(rows)
    found = [plain(each) for each in islice(every, limit or None)]
    if not found:
        say(f"none{options().whose}")
    every_row = [each if isinstance(each, dict) else {"value": each} for each in found]
    if options().json:
        click.echo(json.dumps(found, indent=2))
    elif options().csv:
        _print_csv(every_row)
    elif found:
        _print_table(every_row, columns)
    if limit == SHOWN and next(every, None) is not None:
        say(f"the first {SHOWN}; --limit N shows more, --limit 0 all, --json all unless limited")


def record(value: Any) -> None:
    """One object: a line for each field, or a JSON document."""
    found = plain(value)
    if options().json:
        click.echo(json.dumps(found, indent=2))
    elif options().csv:
        _print_csv([found if isinstance(found, dict) else {"value": found}])
    elif isinstance(found, dict):
        _print_fields(found)
    else:
        click.echo(_text("", found))


@contextmanager
def ending(outcome: Callable[[], object]) -> Iterator[None]:
    """Show a result in the with block, then raise what its outcome is: also if it cannot be shown.

    A full disk or a closed pipe must not hide that something was refused, or is unknown.
    """
    try:
        yield
    except OSError:
        outcome()
        raise
    outcome()


def line(value: Any, text: str) -> None:
    """One record of a stream, handed over at once: a text, a line of JSON, or one of CSV."""
    if options().csv:
        _print_csv([plain(value)], named=not options().is_named)
        options().is_named = True
        return
    click.echo(json.dumps(plain(value)) if options().json else printable(text))


def plain(value: Any) -> Any:
    """JSON data of a result: money is text, and a secret is hidden unless it is asked for."""
    is_shown = options().show_secret
    if isinstance(value, HiddenJson) and not is_shown:
        return HIDDEN
    if attrs.has(type(value)):
        fields = [(each, getattr(value, each.name)) for each in attrs.fields(type(value))]
        return {
            each.name: plain(held) if each.repr or is_shown or held is None else HIDDEN
            for each, held in fields
        }
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, Decimal):
        text = f"{value:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, (str, int, float, type(None))):
        return value
    return [plain(each) for each in value] if isinstance(value, Iterable) else str(value)


def printable(text: str) -> str:
    """A text of the service, without what a terminal would obey."""
    return "".join(each if each.isprintable() else "?" for each in text)


def moment(ms: int) -> str:
    """A time as people read it; the number if it is none in ms."""
    try:
        return to_datetime(ms).strftime("%Y-%m-%d %H:%M:%S")
    except RequestError:
        return str(ms)


def _text(name: str, value: Any) -> str:
    """A value in a table."""
    if value is None:
        return "-"
    if (name == "at" or name.endswith(("_at", "_since"))) and isinstance(value, int) and value > 0:
        value = moment(value)
    return printable(value if isinstance(value, str) else json.dumps(value))


def table(rows: Sequence[Any], columns: Sequence[str]) -> str:
    """A table of these columns, as wide as the terminal; empty without rows."""
    found = [plain(each) for each in rows]
    return _table(found, columns)[0] if found else ""


def _print_table(found: Sequence[dict[str, Any]], columns: Sequence[str]) -> None:
    """A table if it fits, else the fields of each record."""
    text, fits = _table(found, columns)
    if columns or fits:
        click.echo(text, nl=False)
        return
    for each in found:
        _print_fields({name: each.get(name) for name in _filled(found, columns)})
        click.echo()


def _filled(found: Sequence[dict[str, Any]], columns: Sequence[str]) -> list[str]:
    """Those of the columns that hold a value; without columns those of all."""
    every = columns or dict.fromkeys(name for each in found for name in each)
    return [name for name in every if any(each.get(name) is not None for each in found)]


def _table(found: Sequence[dict[str, Any]], columns: Sequence[str]) -> tuple[str, bool]:
    """A table, and whether it fits without broken lines."""
    # Late, because a completion needs none of it.
    from rich.console import Console
    from rich.table import Table

    names = _filled(found, columns)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in names:
        table.add_column(name.replace("_", " "), overflow="fold")
    for each in found:
        table.add_row(*(_text(name, each.get(name)) for name in names))
    # In a file no line is broken. A closed pipe would end the program in there.
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 100_000
    text = io.StringIO()
    console = Console(file=text, width=width, markup=False, emoji=False, highlight=False)
    console.print(table)
    return text.getvalue(), console.measure(table).maximum <= width


def _print_csv(rows: Sequence[dict[str, Any]], *, named: bool = True) -> None:
    """Lines of CSV, behind one of the names of the fields. What is no text is JSON, and None is empty."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if named and names:
        writer.writerow(names)
    for row in rows:
        cells = (row.get(name, "") for name in names)
        writer.writerow(
            "" if cell is None else cell if isinstance(cell, str) else json.dumps(cell)
            for cell in cells
        )
    click.echo(text.getvalue(), nl=False)


def _print_fields(found: Mapping[str, Any]) -> None:
    width = max(map(len, found), default=0)
    for name, value in found.items():
        click.echo(f"{name:{width}}  {_text(name, value)}")
