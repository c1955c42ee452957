"""`python -m tests.worlds`: print what the client says in each world, and how much of it is false."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from time import perf_counter

from tests.worlds import walk
from tests.worlds.long import rows
from tests.worlds.play import play
from tests.worlds.tally import Tally
from tests.worlds.traits import WORLDS

_STATES = ("executed", "not executed", "unsettled", "raised", "escaped", "endless")


def main() -> int:
    """Play all worlds; 1 if a word was false."""
    parser = argparse.ArgumentParser(prog="python -m tests.worlds", description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000, help="in each random world")
    parser.add_argument("--events", type=int, default=6, help="of the exhaustive walk; 0 for none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--world", default="", help="only worlds whose name contains this")
    parser.add_argument("--examples", action="store_true", help="show some false words")
    asked = parser.parse_args()
    print(_row("world", ("messages", "false", *_STATES)))
    total, false, reasons = 0, 0, Counter[str]()
    began = perf_counter()
    for world in WORLDS:
        if asked.world in world.name:
            tally = play(world, asked.messages, asked.seed)
            total, false = total + tally.messages, false + sum(tally.false.values())
            reasons.update(tally.reasons)
            show(world.name, tally, examples=asked.examples)
    if asked.events:
        tally = walk.walked(asked.events)
        total, false = total + tally.messages, false + sum(tally.false.values())
        show(f"every order of up to {asked.events} events", tally, examples=asked.examples)
    if not asked.world:
        print(_row("\na lost order among", ("orders", "a minute", "requests", "seconds", "")))
        for row in rows():
            print(_row("", row), flush=True)
    print("\nWhy messages of random worlds were left unsettled:")
    for reason, count in reasons.most_common():
        print(f"{count:8} {reason}")
    rate = total / (perf_counter() - began)
    print(f"\n{total} messages, {false} false words, {rate:.0f} messages a second")
    return int(false > 0)


def show(name: str, tally: Tally, *, examples: bool) -> None:
    """Print the row of a world, and its false words by kind."""
    counts = (tally.messages, sum(tally.false.values()), *(tally.said[each] for each in _STATES))
    print(_row(name, counts), flush=True)
    for kind, count in tally.false.most_common():
        print(f"    {count} false: {kind}")
    for example in tally.examples if examples else ():
        print(f"    {example}")


def _row(name: str, cells: tuple[object, ...]) -> str:
    return f"{name:40}" + "".join(f"{cell:>13}" for cell in cells)


if __name__ == "__main__":
    sys.exit(main())
