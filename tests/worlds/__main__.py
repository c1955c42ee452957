"""`python -m tests.worlds`: play each world, and print what the client says in it that is false."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator

from tests.worlds import walk
from tests.worlds.play import play, play_random
from tests.worlds.tally import Tally
from tests.worlds.traits import WORLDS


def main() -> int:
    """Play all worlds; 1 if a word was false."""
    parser = argparse.ArgumentParser(prog="python -m tests.worlds", description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000, help="in each world")
    parser.add_argument("--events", type=int, default=6, help="of the exhaustive walk; 0 for none")
    parser.add_argument("--seed", type=int, default=1)
    false, said = 0, Counter[str]()
    for name, tally in played(parser.parse_args()):
        counts = f"{tally.messages} messages, {dict(tally.said)}"
        print(f"{name}: {counts}, {tally.false} false", flush=True)
        for example in tally.examples:
            print(f"    false: {example}")
        false, said = false + tally.false, said + tally.said
    print(f"{false} false words of {said.total()}: {dict(said)}")
    return int(false > 0)


def played(asked: argparse.Namespace) -> Iterator[tuple[str, Tally]]:
    """What was said in each world, in random ones, and in every order of a few events."""
    for world in WORLDS:
        yield world.name, play(world, asked.messages, asked.seed)
    # As many messages as in eight of the worlds.
    worlds = asked.messages * 8 // 20
    yield f"{worlds} random worlds", play_random(worlds, asked.seed)
    if asked.events:
        yield f"every order of up to {asked.events} events", walk.walked(asked.events)


if __name__ == "__main__":
    sys.exit(main())
