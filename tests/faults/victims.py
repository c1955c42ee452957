"""Processes that are killed in the middle of a call, and what their successors make of it."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from tests.faults import checks
from tests.faults.cell import Bench, Watched, check_next, watched
from tests.faults.rows import Row
from tests.faults.settling import expected_states
from tests.faults.subjects import Subject
from trading_sdk import Client

_LONG = 30.0
"""Seconds; nobody waits for them."""


@contextmanager
def _victim(
    cell: Watched, journal: Path, act: Callable[[Client, int], object]
) -> Iterator[BinaryIO]:
    """A process that acts with a client of its own, until it is killed; what it writes can be read."""
    here, there = os.pipe()
    with warnings.catch_warnings():
        # From 3.12 on: "use of fork() may lead to deadlocks" in a process with threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        process = os.fork()
    if process == 0:
        try:
            options: dict[str, Any] = {
                "journal": journal,
                "api_key": cell.api_key,
                "timeout": 2 * _LONG,
            }
            with cell.bench.client(cell.scene.trader, **options) as client:
                act(client, there)
        finally:
            os._exit(0)
    os.close(there)
    try:
        with open(here, "rb") as written:
            yield written
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def killed_after_sending(bench: Bench, row: Row, subject: Subject) -> None:
    """The service carries the call out, and nobody is there to hear of it."""
    with watched(bench, row, subject) as cell, TemporaryDirectory() as folder:
        journal, after = Path(folder) / "journal", len(bench.sandbox.requests)
        bench.sandbox.faults.inject(subject.sent_as, "delay_answer", seconds=_LONG)
        with _victim(cell, journal, lambda client, _: cell.call(client)):
            assert checks.in_time(
                lambda: bool(checks.executed(bench.sandbox, subject, after)), _LONG
            )
        bench.secrets.note(bench.sandbox.requests[after:])
        bench.secrets.check([journal.read_text()])
        with bench.client(cell.scene.trader, journal=journal) as successor:
            [unknown] = successor.unsettled()
            cell.errors.append(unknown)
            states = expected_states(subject, executed=True, waited=False)
            checks.check_states(successor.reconcile(unknown, timeout=0), states)
            assert bool(successor.unsettled()) == ("unsettled" in states)
        checks.check_executed(cell.scene, subject, after, 1)


def killed_while_paging(bench: Bench, row: Row, subject: Subject) -> None:
    """The walk goes on from the last cursor that was saved: nothing is missing, nothing double."""
    pages = subject.pages
    assert pages is not None

    def walk(client: Client, there: int) -> None:
        for page in pages(client).pages():
            os.write(there, f"{page.next_cursor}\n".encode())

    with watched(bench, row, subject) as cell, TemporaryDirectory() as folder:
        whole = list(islice(pages(cell.scene.hand), 3))
        faults = bench.sandbox.faults
        for seconds in (0.0, _LONG):
            faults.inject(subject.name, "delay_answer", seconds=seconds)
        with _victim(cell, Path(folder) / "journal", walk) as written:
            saved = written.readline().strip().decode()
            assert checks.in_time(lambda: faults.pending() == [], _LONG)
        assert list(islice(pages(cell.client, cursor=saved), 2)) == whole[1:]
        check_next(cell.client)
