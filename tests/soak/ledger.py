"""What each process of the soak believes, in an append-only file of its own, a line of JSON each.

A line is written with one system call before the process goes on, so a kill loses none of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from attrs import Factory, define

from tests.soak.plan import Call, Move

State = Literal["executed", "refused", "not sent", "not executed"]
"""What a process believes of a move."""


class Ledger:
    """The ledger of one process."""

    def __init__(self, folder: Path, life: int, events: int) -> None:
        """Write the ledger of the nth process; tell its events, a byte each, to a pipe."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_EXCL
        self._file = os.open(folder / f"ledger-{life:04}", flags, 0o600)
        self._events = events
        self._lock = Lock()

    def listed(self, marks: Sequence[str]) -> None:
        """The journals list these as unsettled."""
        self._write({"listed": list(marks)})

    def sending(self, call: Call) -> None:
        """A call is about to be made."""
        self._write({"sending": call.key})
        os.write(self._events, b"s")

    def settling(self, call: Call) -> None:
        """It is about to be found out what became of a call."""
        self._write({"settling": call.key})
        os.write(self._events, b"r")

    def unknown(self, call: Call) -> None:
        """The client does not know what became of a call."""
        self._write({"unknown": call.key})

    def ended(self, endings: Iterable[tuple[Move, State]]) -> None:
        """What became of every move of a call."""
        self._write({"ended": {move.key: state for move, state in endings}})

    def _write(self, line: dict[str, Any]) -> None:
        with self._lock:
            os.write(self._file, json.dumps(line).encode() + b"\n")


@define
class Past:
    """What all the ledgers say."""

    sent: set[str] = Factory(set)
    """Keys of the calls that were about to be sent."""

    endings: dict[str, list[State]] = Factory(dict)
    """By the keys of moves."""

    unknown: set[str] = Factory(set)
    listed: list[set[str] | None] = Factory(list)
    """Of each process what its journals listed; None where it was killed before."""

    def is_over(self, call: Call) -> bool:
        """Whether it is known what became of a call."""
        return call.moves[0].key in self.endings

    def is_open(self, call: Call) -> bool:
        """Whether a process began a call that none has ended."""
        return call.key in self.sent and not self.is_over(call)


def read_past(folder: Path, past: Past | None = None) -> Past:
    """Read every ledger that was not read before; a killed process may leave half a line."""
    past = past or Past()
    for file in sorted(folder.glob("ledger-*"))[len(past.listed) :]:
        past.listed.append(None)
        for line in file.read_bytes().split(b"\n")[:-1]:
            _add(past, json.loads(line))
    return past


def _add(past: Past, line: dict[str, Any]) -> None:
    if "sending" in line:
        past.sent.add(line["sending"])
    elif "unknown" in line:
        past.unknown.add(line["unknown"])
    elif "listed" in line:
        past.listed[-1] = set(line["listed"])
    elif "ended" in line:
        for key, state in line["ended"].items():
            past.endings.setdefault(key, []).append(state)
