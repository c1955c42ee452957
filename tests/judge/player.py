"""`python player.py PART VECTORS WORDS`: play a part with the packages of the folder where this runs.

It writes a line for each word: where it was said, and the word. It is run in two trees, so it imports what both have.
"""

from __future__ import annotations

import json
import logging
import random
import re
import sys
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

SEED = 12


def vectors(folder: Path) -> Iterator[tuple[str, str]]:
    """Whether the SDK, asked over pipes, still does what a case of 0.2.0 says; else the first difference."""
    from conformance.cases import all_cases
    from conformance.runner import run

    program = (sys.executable, "-m", "tests.conformance.python_program")
    results, _ = run(all_cases(folder), program, timeout=60.0)
    for each in results:
        yield each.case.name, each.why or each.outcome


def faults(_: Path) -> Iterator[tuple[str, str]]:
    """How a call ends that meets a fault, how often it was executed, and what `reconcile` says."""
    from tests.faults import checks
    from tests.faults.cell import Bench
    from tests.faults.dialling import Authorities, BlackHole
    from tests.faults.matrix import cells
    from tests.faults.test_matrix import test_cell
    from tests.pulse import Pulse
    from trading_sandbox import Sandbox

    notes: list[str] = []

    def noted(name: str, note: Callable[..., str]) -> None:
        check = getattr(checks, name)

        @wraps(check)
        def checking(*arguments: Any) -> Any:
            notes.append(note(*arguments))
            return check(*arguments)

        setattr(checks, name, checking)

    def began() -> str:
        notes.clear()  # A cell that was slowed down by the machine is tried again.
        return ""

    noted("heard", began)
    noted("check_outcome", lambda subject, expected, end: type(end.error).__name__)
    noted("check_states", lambda settled, expected: ", ".join(each.state for each in settled))
    noted("check_count", lambda what, found, times: f"{what} {found}")
    pulse = Pulse()
    with TemporaryDirectory() as folder, Sandbox(maker=False, taker_delay=0.01) as exchange:
        bench = Bench(
            sandbox=exchange,
            authorities=Authorities(Path(folder)),
            black_hole=BlackHole(),
            printed=str,
        )
        for cell in cells("all"):
            if cell.row.not_applicable(cell.subject) is None:
                try:
                    test_cell(bench, pulse, cell)
                except Exception as problem:
                    notes.append(f"{type(problem).__name__}: {problem}")
                yield cell.id, "; ".join(filter(None, notes))


def worlds(_: Path) -> Iterator[tuple[str, str]]:
    """What `reconcile` says in each world, and whether that is false."""
    from tests.worlds.play import play
    from tests.worlds.tally import Tally
    from tests.worlds.traits import WORLDS
    from tests.worlds.walk import walked

    words: list[tuple[str, str]] = []
    random.seed(SEED)

    def add(self: Tally, said: str, false: bool, example: str) -> None:
        where = re.split(f"(?: is|:) {said}: ", example)[0]
        words.append((where, f"{said}, which is false" if false else said))
        random.seed(SEED)  # The delays of the next message do not depend on this one.

    Tally.add = add  # type: ignore[method-assign]
    for world in WORLDS:
        play(world, messages=60, seed=SEED)
    walked(4)
    yield from words


PARTS = {"vectors": vectors, "faults": faults, "worlds": worlds}


if __name__ == "__main__":
    import trading_runtime

    logging.getLogger().addHandler(logging.NullHandler())
    _, part, given, words = sys.argv
    assert Path.cwd() in Path(str(trading_runtime.__file__)).parents, "another tree is played"
    with open(words, "w", encoding="utf-8") as file:
        for where, word in PARTS[part](Path(given)):
            print(json.dumps([f"{part}: {where}", word]), file=file, flush=True)
