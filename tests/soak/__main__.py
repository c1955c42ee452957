"""`python -m tests.soak [PART ...]`: kills the sandbox and clients again and again, and uses both for long.

Nothing may be lost, doubled or mixed up, and memory must stay flat. A part is `sandbox` (kill.py), `memory`,
`client` (intents.py), `leaks`, `sync` (syncing.py), `stream` or `guard` (guarding.py); without one, all of them run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.servers import serving
from tests.soak import guarding, intents, kill, leaks, memory, syncing
from tests.toolkit import test_live

KILLS, SYNC_KILLS, ORDERS, CALLS, STREAMS = 200, 100, 1_000_000, 100_000, 60
OPERATIONS, GUARDED = 10_000, 100


def used_for_long(folder: Path, options: argparse.Namespace) -> str:
    """Use a client from many threads, and from forks."""
    with serving(*leaks.ECHO) as url:
        told = leaks.leaks(url, folder, CALLS, options.seed)
        return f"{told}\n{leaks.forks(url, 20, 50, options.seed)}"


def streamed(seed: int) -> str:
    """Trade with streams that are cut twice each; the states, the history and the exchange agree to the digit."""
    for number in range(STREAMS):
        cut = ("cut_off", "half_frame", "try_again_later")[number % 3]
        test_live.test_states_are_those_of_the_exchange_after_faults_of_the_stream(
            1_000 * seed + number, cut
        )
    return f"{STREAMS} streams were cut twice: stream, history and exchange agree"


PARTS: Mapping[str, Callable[[Path, argparse.Namespace], str]] = {
    "sandbox": lambda folder, options: kill.soak(KILLS, options.seed, folder),
    "memory": lambda folder, _: memory.soak(folder, ORDERS),
    "client": lambda folder, options: intents.soak(OPERATIONS, options.seed, folder),
    "leaks": used_for_long,
    "sync": lambda folder, options: syncing.soak(SYNC_KILLS, options.seed, folder),
    "guard": lambda folder, options: guarding.soak(GUARDED, options.seed, folder),
    "stream": lambda _, options: streamed(options.seed),
}


def main() -> int:
    """Run as the command line says; an exception tells what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[[], *PARTS])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for part in options.parts or PARTS:
        print(f"{part}, seed {options.seed}", flush=True)
        with TemporaryDirectory() as folder:
            print(PARTS[part](Path(folder), options), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
