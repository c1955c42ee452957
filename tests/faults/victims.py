"""Processes that are killed in the middle of a call, and what their successors make of it."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import define, field

from tests.faults import checks
from tests.faults.cell import Bench, Watched, check_next, watched
from tests.faults.rows import Row
from tests.faults.settling import expected_states
from tests.faults.subjects import Subject
from tests.faults.victim import Errand

_LONG = 30.0
"""Seconds; nobody waits for them."""
_ROOT = Path(__file__).parents[2]


@define
class _Recorder:
    """Stands in for a client to learn which method a call would call, and with what."""

    names: tuple[str, ...] = ()
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(factory=dict)

    def __getattr__(self, name: str) -> Callable[..., Any] | _Recorder:
        if name.startswith("_"):
            raise AttributeError(name)
        self.names = (*self.names, name)
        return self if len(self.names) == 1 else self._called

    def _called(self, *args: Any, **kwargs: Any) -> None:
        self.args, self.kwargs = args, kwargs


@contextmanager
def _victim(cell: Watched, call: Callable[[Any], Any], journal: Path) -> Iterator[Any]:
    """A process that makes the call; killed in the end, if not before."""
    recorder = _Recorder()
    call(recorder)
    group, method = recorder.names
    errand = Errand(
        url=cell.bench.sandbox.url,
        private_key=cell.scene.trader.export_base58(),
        api_key=cell.api_key,
        journal=str(journal),
        group=group,
        method=method,
        args=recorder.args,
        kwargs=recorder.kwargs,
        pages=cell.subject.lists,
    )
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faults.victim"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=_ROOT,
        env={"PYTHONPATH": ":".join(str(_ROOT / room) for room in _ROOMS)},
    ) as process:
        try:
            assert process.stdin is not None
            process.stdin.write(pickle.dumps(errand))
            process.stdin.close()
            yield process
        finally:
            process.kill()


_ROOMS = (".", "generated", "runtime", "sandbox")


def killed_after_sending(bench: Bench, row: Row, subject: Subject) -> None:
    """The service carries the call out, and nobody is there to hear of it."""
    with watched(bench, row, subject) as cell, TemporaryDirectory() as folder:
        journal, after = Path(folder) / "journal", len(bench.sandbox.requests)
        bench.sandbox.faults.inject(subject.sent_as, "delay_answer", seconds=_LONG)
        with _victim(cell, cell.call, journal):
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
    with watched(bench, row, subject) as cell, TemporaryDirectory() as folder:
        whole = list(islice(pages(cell.scene.hand), 3))
        faults = bench.sandbox.faults
        for seconds in (0.0, _LONG):
            faults.inject(subject.name, "delay_answer", seconds=seconds)
        with _victim(cell, pages, Path(folder) / "journal") as process:
            saved = process.stdout.readline().strip().decode()
            assert checks.in_time(lambda: faults.pending() == [], _LONG)
        assert list(islice(pages(cell.client, cursor=saved), 2)) == whole[1:]
        check_next(cell.client)
