"""`python -m tests.soak.intents`: kills clients at random moments; no intent is lost or doubled.

Many threads of a client process trade on a sandbox in another process, under faults of all kinds.
The client process is killed again and again; the next one asks the journals what was open, settles
it, and goes on. In the end every order, edit, cancel, withdrawal and transfer must have been carried
out once where the client said so, and not at all where it said that.

The seed decides every call, every fault and after which call of a process it is killed. How threads
interleave, and so which call meets a fault or a kill, is not the same in two runs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from tests.soak.audit import Findings, Journals, audit
from tests.soak.ledger import Past, read_past
from tests.soak.plan import Call, accounts_of, calls_of
from tests.soak.trader import live
from tests.soak.trouble import Kill, kills_of
from tests.soak.world import Control, World, as_text, opened_world, serving

THREADS = 72
CALLS_PER_KILL = 100
_LATE = 2
"""Seconds after which the sandbox has carried out every delayed request."""


class Soak:
    """One run."""

    def __init__(self, world: World, control: Control, mean: int) -> None:
        self._world, self._control = world, control
        self._kills = kills_of(world.seed, mean)
        self._processes = multiprocessing.get_context("forkserver")
        self._processes.set_forkserver_preload([live.__module__])
        self.journals = Journals(world)
        self.kills = 0
        self.seconds = 0.0
        self.past = Past()

    def run(self) -> Findings:
        """Start client processes and kill them until all calls are made; return what is found."""
        began = monotonic()
        calls = list(all_calls(self._world))
        while self._live(next(self._kills)):
            self.kills += 1
            read_past(self._world.folder, self.past)
            self.journals.after_kill(self.past, calls)
        read_past(self._world.folder, self.past)
        self.journals.check_listings(self.past)
        pending = self._control("faults.pending")
        for fault in pending:
            self.past.faults[fault["kind"]] -= fault["times"]
        self._control("faults.clear")
        sleep(_LATE)
        found = audit(self._world, self._control, calls, self.past, self.journals.never_sent)
        self.seconds = monotonic() - began
        return found

    def _live(self, kill: Kill) -> bool:
        """Run one process; return whether it was killed before it came to its end."""
        events, told = self._processes.Pipe(duplex=False)
        life = len(self.past.listed)
        process = self._processes.Process(
            target=_live, args=(as_text(self._world), life, told), name=f"client {life}"
        )
        process.start()
        told.close()
        try:
            killed = _kill_after(process, events, kill)
            process.join()
        finally:
            process.kill()
            events.close()
        if killed and process.exitcode == -9:
            return True
        assert process.exitcode == 0, f"a client process ended with status {process.exitcode}"
        return False


def all_calls(world: World) -> Iterator[Call]:
    """Return the calls of all threads."""
    for thread in range(world.threads):
        yield from calls_of(world.seed, thread, world.threads, world.calls)


def _live(text: str, life: int, told: Connection) -> None:
    live(text, life, told.fileno())


def _kill_after(process: BaseProcess, events: Connection, kill: Kill) -> bool:
    """Kill a process after some of its events; return False if it ended before."""
    left = kill.count
    while left > 0:
        if events not in wait([events, process.sentinel]):
            return False
        read = os.read(events.fileno(), 1)
        if not read:
            return False
        left -= read == kill.event.encode()
    sleep(kill.delay)
    process.kill()
    return True


def soak(
    operations: int, seed: int, folder: Path, threads: int = THREADS, mean: int = CALLS_PER_KILL
) -> str:
    """Run once; return a report, or raise AssertionError with all that is wrong."""
    calls = -(-operations // threads)
    with serving(seed) as (url, _):
        control = Control(url)
        accounts = accounts_of(threads, calls)
        world = opened_world(
            control, url, folder, seed=seed, threads=threads, calls=calls, accounts=accounts
        )
        run = Soak(world, control, mean)
        try:
            found = run.run()
        finally:
            control.close()
    report = _report(run, found)
    assert found.faultless, "\n".join([report, *found.doubled, *found.unreported, *found.money])
    return report


def _report(run: Soak, found: Findings) -> str:
    past = run.past
    believed = sorted(found.believed.items(), key=lambda each: (each[0][0], -each[1]))
    endings = [f"  {state}, {how}: {count}" for (state, how), count in believed]
    faults = ", ".join(f"{kind} {count}" for kind, count in sorted(past.faults.items()) if count)
    return "\n".join(
        (
            f"{len(past.sent)} calls with {sum(found.believed.values())} operations, "
            f"{found.executed} executed, {found.volume['trades']} trades, "
            f"{found.volume['withdrawals']} withdrawals, {run.seconds:.0f} s",
            f"what the client said of them, and how it knew:\n{chr(10).join(endings)}",
            f"{len(past.unknown)} outcomes unknown, {run.kills} kills with "
            f"{run.journals.open_at_kill} calls open in the journals, "
            f"{len(run.journals.never_sent)} not yet in them",
            f"{sum(past.faults.values())} faults met: {faults}",
            f"doubled {len(found.doubled)}, unreported {len(found.unreported)}, "
            f"money {'does not add up' if found.money else 'adds up'}",
        )
    )


def main() -> int:
    """Run as the command line says; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.intents", description=__doc__)
    parser.add_argument("--operations", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=THREADS)
    parser.add_argument("--calls-per-kill", type=int, default=CALLS_PER_KILL)
    options = parser.parse_args()
    again = (
        f"python -m tests.soak.intents --operations {options.operations} --seed {options.seed} "
        f"--threads {options.threads} --calls-per-kill {options.calls_per_kill}"
    )
    print(f"seed {options.seed}", flush=True)
    with TemporaryDirectory() as folder:
        try:
            print(
                soak(
                    options.operations,
                    options.seed,
                    Path(folder),
                    options.threads,
                    options.calls_per_kill,
                )
            )
        except BaseException:
            print(f"failed; the same plan again: {again}", file=sys.stderr)
            raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
