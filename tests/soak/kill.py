"""Kills sandboxes at random moments; nothing may be lost or doubled.

Two sandboxes go on from the same state file with the same requests. One is killed again and again,
in the middle of requests and of starts, and is told again only what it has not taken. After every
start, and at the end, its digest must be that of the other one.

It dies at a line of the store or the service that the seed decides, so that a failure repeats.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from tests.soak.stream import Request, Stream
from tests.soak.targets import ACCOUNTS, Killed, Target

_MOST_LINES = 2000


class Soak:
    """A sandbox that is killed, one that is not, and what both are told."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.killed, self.reference = Target(folder / "killed"), Target(folder / "reference")
        self._random = Random(seed)
        self._requests = iter(Stream(seed, ACCOUNTS))
        self._in_flight: Request | None = None
        self.kills = self.answered = self.taken = 0

    def run(self, kills: int) -> str:
        """Kill a sandbox so many times; return the digest that both came to."""
        self.killed.prepare()
        shutil.copy(self.killed.file, self.reference.file)
        self.reference.start()
        for _ in range(kills):
            self._live()
            self.kills += 1
        self.killed.start()
        self._catch_up()
        self._next()
        digest = self.killed.digest()
        assert digest == self.reference.digest()
        self.killed.stop()
        self.reference.stop()
        assert commands_of(self.killed.file) == commands_of(self.reference.file)
        return digest

    def _live(self) -> None:
        """Start the sandbox and talk to it until it is killed."""
        try:
            self.killed.start(self._random.randint(1, _MOST_LINES))
            self._catch_up()
            while True:
                self._next()
        except Killed:
            self.killed.reap()

    def _catch_up(self) -> None:
        """Find out what became of the request that was not answered, and tell it again if need be."""
        found = self.killed.digest()
        request = self._in_flight
        if request is not None and found != self.reference.digest():
            self.reference.send(request)
            self._in_flight = request = None
            self.taken += 1
        assert found == self.reference.digest(), "the state is not that of the sandbox that lives"
        if request is not None:
            self._send(request)

    def _next(self) -> None:
        self._in_flight = next(self._requests)
        self._send(self._in_flight)

    def _send(self, request: Request) -> None:
        answer = self.killed.send(request)
        self._in_flight = None
        self.answered += 1
        expected = self.reference.send(request)
        assert answer == expected, f"{request}: {answer}, not {expected}"


def commands_of(file: Path) -> list[tuple[int, int, str, str]]:
    """Return every command that a state file holds."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT seq, time, kind, data FROM commands").fetchall()


def soak(kills: int, seed: int, folder: Path) -> str:
    """Run once; return a line about it."""
    run = Soak(seed, folder)
    try:
        digest = run.run(kills)
    finally:
        run.killed.kill()
        run.reference.kill()
    return (
        f"{run.kills} kills, {run.answered} requests answered, "
        f"{run.taken} taken without an answer, digest {digest}"
    )
