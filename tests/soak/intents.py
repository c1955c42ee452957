"""Kills clients at random moments; no intent is lost or doubled.

Many threads of a client process trade on a sandbox in another process, under faults of all kinds.
The client process is killed again and again; the next one asks the journals what was open, settles
it, and goes on. In the end every order, edit, cancel, withdrawal and transfer must have been carried
out once where the client said so, and not at all where it said that.

The seed decides every call, every fault and after which call of a process it is killed. How threads
interleave, and so which call meets a fault or a kill, is not the same in two runs.
"""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import sleep

from tests.soak.audit import Findings, Journals, audit
from tests.soak.ledger import Past, read_past
from tests.soak.plan import accounts_of, calls_of
from tests.soak.trader import live
from tests.soak.trouble import Kill, kills_of
from tests.soak.world import Owner, World, persistently, serving
from trading_sandbox import RemoteSandbox

THREADS = 72
CALLS_PER_KILL = 100
_LATE = 2
"""Seconds after which the sandbox has carried out every delayed request."""


class Soak:
    """One run."""

    def __init__(self, world: World, sandbox: RemoteSandbox, mean: int) -> None:
        self._world, self._sandbox = world, sandbox
        self._kills = kills_of(world.seed, mean)
        self._processes = multiprocessing.get_context("forkserver")
        self._processes.set_forkserver_preload([live.__module__])
        self.journals = Journals(world)
        self.kills = 0
        self.past = Past()

    def run(self) -> Findings:
        """Start client processes and kill them until all calls are made; return what is found."""
        world = self._world
        threads = range(world.threads)
        calls = [c for n in threads for c in calls_of(world.seed, n, world.threads, world.calls)]
        while self._live(next(self._kills)):
            self.kills += 1
            read_past(self._world.folder, self.past)
            self.journals.after_kill(self.past, calls)
        read_past(self._world.folder, self.past)
        self.journals.check_listings(self.past)
        # A fault may shut the controls out as well.
        persistently(self._sandbox.faults.clear, RuntimeError)
        sleep(_LATE)
        return audit(self._world, self._sandbox, calls, self.past, self.journals.never_sent)

    def _live(self, kill: Kill) -> bool:
        """Run one process; return whether it was killed before it came to its end."""
        events, told = self._processes.Pipe(duplex=False)
        life = len(self.past.listed)
        process = self._processes.Process(
            target=live, args=(self._world, life, told), name=f"client {life}"
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
    with serving(seed) as url:
        sandbox = RemoteSandbox(url)
        owners = tuple(Owner.opened(sandbox) for _ in range(accounts_of(threads, calls)))
        world = World(
            url=url, folder=folder, seed=seed, threads=threads, calls=calls, owners=owners
        )
        run = Soak(world, sandbox, mean)
        found = run.run()
    report = _report(run, found)
    assert found.faultless, "\n".join([report, *found.doubled, *found.unreported, *found.money])
    return report


def _report(run: Soak, found: Findings) -> str:
    return (
        f"{len(run.past.sent)} calls with {found.operations} operations, {found.executed} executed, "
        f"{len(run.past.unknown)} outcomes unknown, {run.kills} kills, "
        f"doubled {len(found.doubled)}, unreported {len(found.unreported)}, "
        f"money {'does not add up' if found.money else 'adds up'}"
    )
