"""Keep a list of the service in a folder, and read it there.

    from trading_toolkit import history

    print(history.sync(client, "trades", "data/trades"))
    history.read("data/trades").to_table()

A sync goes on where the last one stopped, whatever stopped it. Nothing is lost or written twice.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NoReturn

from attrs import Factory, frozen

from trading_runtime import BaseClient, no_such_name, now_ms
from trading_toolkit import columns
from trading_toolkit.arrow import days_of, pa, pa_dataset, repeated
from trading_toolkit.errors import ToolkitError, check_seconds
from trading_toolkit.folder import (
    FORMATS,
    STATE,
    DayFile,
    Folder,
    State,
    decoded,
    sha256,
    to_day,
)
from trading_toolkit.lists import KEYS, STATUS, RecordList, record_list
from trading_toolkit.merging import merge, rows
from trading_toolkit.passes import Pass, Progress

_REMOVED = {"Report": "write SyncReport"}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> NoReturn:
        raise no_such_name(__name__, name, _REMOVED)


_DAY_MS = 86_400_000
LAG = 600.0
"""Seconds by which a record may appear late in its list."""


@frozen(kw_only=True)
class SyncReport:
    """What a folder holds after a sync."""

    list: str
    folder: str
    read: int
    """Records that the service answered; some of them may have been known before."""

    new: int
    """Records that the folder has now, and had not before."""

    rows: int
    """Records in the folder."""

    days: int
    first: date | None
    last: date | None

    def __str__(self) -> str:
        held = (
            f"{self.rows:,} in {self.days} days, {self.first} to {self.last}"
            if self.rows
            else "none"
        )
        return f"{self.list}: {self.read:,} read, {self.new:,} new; {self.folder} has {held}"


@frozen(kw_only=True)
class Verified:
    """What `verify` found."""

    rows: int
    days: int
    problems: tuple[str, ...] = ()
    """What is wrong, and what to do; empty if all is well."""


def sync(
    client: BaseClient,
    name: str,
    folder: str | os.PathLike[str],
    *,
    format: str | None = None,
    filesystem: Any = None,
    page_size: int | None = None,
    lag: float = LAG,
    progress: bool | Progress = False,
    wait: Callable[[float], object] = time.sleep,
    **arguments: Any,
) -> SyncReport:
    """Bring a folder up to date with a list of the service, a file a day (UTC).

    Where the list can be read from a time on, a sync reads what is newer than the last one, and the last `lag`
    seconds again. So it does with orders, from the day of the oldest open one on, while their list is seen to come
    newest first; the order is not documented, so once a day it reads all of them. Any other list is read whole each
    time. An interrupted sync goes on at its last cursor.

    Args:
        client: Reads the list. It needs no signer, but an account.
        name: A list like `trades`, which stands for `trades.history`, or `spot.balance_history`.
        folder: A path, or a URI of a filesystem that pyarrow knows, like `s3://bucket/trades`. One folder holds
            one list of one account. Two machines must not sync to one folder at once.
        format: `parquet`, `csv` or `jsonl`; that of the folder, or else `parquet`, unless given.
        filesystem: A filesystem of pyarrow or fsspec that the folder is on.
        page_size: Records per page. Unless given, the first page has the size that the service chooses, and the
            others the one that costs the fewest credits a record.
        lag: How late a record may appear in the list. Unit: seconds.
        progress: True shows a bar on a terminal (rich). A function is called after each page.
        wait: Called with the seconds to wait when a third of the rate budget is left, which is for trading. A line
            of INFO in the log says when it goes on.
        arguments: Those of the list, like `symbol="BTC"`. They are a part of what the folder holds.

    Raises:
        ToolkitError: The folder holds something else, or cannot be written; there is no such list.
        TradingError: The service refused, or cannot be reached. What was read is kept.
    """
    if format not in (None, *FORMATS):
        raise ToolkitError(f"format must be one of {', '.join(FORMATS)}, not {format!r}")
    check_seconds("lag", lag)
    kind = record_list(client, name, arguments)
    place = Folder(folder, filesystem)
    with place.locked(), _shown(progress, kind.name) as tell:
        state = _state(place, kind, client.service_url, format)
        since = None if place.missing(state) or _is_whole_due(kind, state) else state.since
        running = Pass(client, kind, place, since, page_size, wait)
        running.read(tell)
        return _stored(running, state, lag)


def read(folder: str | os.PathLike[str], *, filesystem: Any = None) -> pa_dataset.Dataset:
    """The records of a folder as a dataset of pyarrow, which DuckDB, Polars and pandas read, too.

    It has the columns of the list, and `day`; `schema.metadata` says what the folder holds, and as of when. What a
    sync that was interrupted has read is not in it.

    Raises:
        ToolkitError: The folder holds no list.
    """
    place = Folder(folder, filesystem)
    state = _required(place)
    held = {
        "list": state.name,
        "service": state.service,
        "account": state.arguments.get("account", "no account"),
        "synced_at": str(state.synced_at or ""),
    }
    return place.dataset(state, _schema(state).with_metadata(held))


def verify(folder: str | os.PathLike[str], *, filesystem: Any = None) -> Verified:
    """Read every file of a folder, count again, and compare with what the last sync wrote.

    Raises:
        ToolkitError: The folder holds no list.
    """
    place = Folder(folder, filesystem)
    state = _required(place)
    problems, key = [], KEYS.get(state.name)
    keys, number = list[pa.Table](), 0
    for day, expected in sorted(state.days.items()):
        found, wrong = _checked(place, state, day, expected)
        number += found.num_rows
        keys.append(found.select([*(key or ())]))
        problems += wrong
    if key and keys and (twice := repeated(pa.concat_tables(keys), key)):
        named = ", ".join(" of ".join(map(str, each)) for each in sorted(twice)[:3])
        problems.append(f"{len(twice)} records stand there twice, like {key[0]} {named}")
    known = {f"day={day}" for day in state.days}
    extra = [each for each in place.names() if to_day(each) and each not in known]
    problems += [f"{each} is not of the last sync that ended" for each in extra]
    if place.segments():
        problems.append("a sync was interrupted")
    if problems:
        problems.append(
            "sync again; if that does not help, move the folder away, and sync to a new one"
        )
    days = sum(each.rows > 0 for each in state.days.values())
    return Verified(rows=number, days=days, problems=tuple(problems))


@frozen(kw_only=True)
class Job:
    """One folder to bring up to date, described so that it can be sent to another machine."""

    connect: Callable[[], BaseClient]
    """Makes the client, like `partial(Client, url, account=address)`. The job closes it."""

    list: str
    folder: str
    options: Mapping[str, Any] = Factory(dict)
    """Other arguments of `sync`."""


@frozen(kw_only=True)
class Done:
    """A job, and its report or its error."""

    job: Job
    report: SyncReport | None = None
    error: Exception | None = None


def sync_many(jobs: Iterable[Job], *, executor: Executor | None = None) -> Iterator[Done]:
    """Do several jobs at once, each with a client of its own; yield each result when it is there.

    All jobs are begun at once, whether the results are asked for or not. A failed job stops no other one. Those of
    one service and API key share one rate budget, and leave a third of it to trading.

    Args:
        jobs: Each with a folder of its own.
        executor: Any of `concurrent.futures`, like that of Dask for a cluster; eight threads unless given.
            A job that a dying worker left is done again by another one, and goes on where it was.
    """
    if executor is None:
        threads = ThreadPoolExecutor(8)
        done = sync_many(jobs, executor=threads)
        threads.shutdown(wait=False)  # once all are done
        return done
    futures = {executor.submit(_done, job): job for job in jobs}
    return (_outcome(futures[each], each) for each in as_completed(futures))


def _done(job: Job) -> SyncReport:
    with job.connect() as client:
        return sync(client, job.list, job.folder, **job.options)


def _outcome(job: Job, future: Future[SyncReport]) -> Done:
    try:
        return Done(job=job, report=future.result())
    except Exception as error:
        return Done(job=job, error=error)


# -- the folder ---------------------------------------------------------------------------------------


def _state(folder: Folder, kind: RecordList, service: str, format: str | None) -> State:
    """What the folder holds, or will hold.

    Raises:
        ToolkitError: it holds another list, or the same one in another form.
    """
    names = [[each.name, str(each.type)] for each in columns.schema(kind.model)]
    state = folder.state()
    new = State(
        service=service,
        name=kind.name,
        arguments={name: str(each) for name, each in kind.arguments.items()},
        format=format or (state.format if state else FORMATS[0]),
        columns=names,
    )
    if state is None:
        folder.write(STATE, new.to_json())
        return new
    for what in ("service", "name", "arguments", "format", "columns"):
        held, wanted = getattr(state, what), getattr(new, what)
        if held != wanted:
            raise ToolkitError(
                f"{folder} has the {what} {held}, not {wanted}: sync to a folder of its own"
            )
    return state


def _required(folder: Folder) -> State:
    state = folder.state()
    if state is None:
        raise ToolkitError(f"{folder} holds no list; a sync of a list fills it")
    return state


def _schema(state: State) -> pa.Schema:
    return pa.schema([(name, columns.named(type_)) for name, type_ in state.columns])


def _stored(running: Pass, state: State, lag: float) -> SyncReport:
    """Merge what was read into the files of its days, and say what the folder has now."""
    new = merge(running, state)
    if running.since is None:
        state.whole_at = running.started
    state.since = (
        running.next_start(lag) if running.kind.starts else _changes_from(running, state, lag)
    )
    state.synced_at = running.started
    running.folder.write(STATE, state.to_json())
    running.folder.forget_pass()
    days = sorted(date.fromisoformat(day) for day, file in state.days.items() if file.rows)
    return SyncReport(
        list=state.name,
        folder=str(running.folder),
        read=sum(each.rows for each in running.segments),
        new=new,
        rows=rows(state),
        days=len(days),
        first=days[0] if days else None,
        last=days[-1] if days else None,
    )


def _is_whole_due(kind: RecordList, state: State) -> bool:
    """Whether a list whose order is not documented is read whole, as once a day."""
    whole_at = state.whole_at
    return not kind.starts and (whole_at is None or now_ms() > whole_at + _DAY_MS)


def _changes_from(running: Pass, state: State, lag: float) -> int | None:
    """From when on the records of a list may be new, or change; None if its order does not let a sync stop there."""
    if not running.is_newest_first or STATUS not in running.schema.names:
        return None
    changing = [day for day, file in state.days.items() if file.may_change and file.rows]
    opened = (datetime.fromisoformat(f"{day}T00:00:00+00:00") for day in changing)
    times = (round(each.timestamp() * 1000) for each in opened)
    return max(0, min([*times, running.started - round(lag * 1000)]))


def _checked(
    folder: Folder, state: State, day: str, expected: DayFile
) -> tuple[pa.Table, list[str]]:
    """The records in the file of a day, and what is wrong with it."""
    name, schema = folder.day_file(day, state.format), _schema(state)
    content = folder.read(name)
    if content is None:
        return schema.empty_table(), [f"{name} is missing"]
    try:
        table = decoded(content, state.format, schema)
    except (pa.ArrowException, ValueError) as error:
        return schema.empty_table(), [f"{name} cannot be read: {error}"]
    wrong = []
    if table.num_rows != expected.rows:
        wrong.append(f"{name} has {table.num_rows} records, not {expected.rows}")
    elif sha256(content) != expected.sha256:
        wrong.append(f"{name} is not the file that was written")
    if {each.isoformat() for each in days_of(table)} - {day}:
        wrong.append(f"{name} has records of another day")
    return table, wrong


# -- progress -----------------------------------------------------------------------------------------


@contextmanager
def _shown(progress: bool | Progress, title: str) -> Iterator[Progress]:
    """What is called after each page."""
    if callable(progress):
        yield progress
    elif progress and sys.stderr.isatty():
        with _bar(title) as tell:
            yield tell
    else:
        yield lambda rows, last: None


@contextmanager
def _bar(title: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import Progress as Bar, SpinnerColumn, TextColumn, TimeElapsedColumn

    shown = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Bar(*shown, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title)

        def tell(rows: int, last: datetime | None) -> None:
            at = f", at {last:%Y-%m-%d %H:%M}" if last else ""
            bar.update(task, description=f"{title}: {rows:,} records{at}")

        yield tell
