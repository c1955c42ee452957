"""`python -m tests.mutation.drawn ROOM [--seed N] [--count N]`: which changes drawn by chance the tests notice.

It draws changes of the functions of a room, the same ones for the same seed and code, and makes one after the other.
The tests that reach its function run, then the commands of the room. It prints those that nothing notices: such a
change shows where a test is missing, unless nobody could notice it.

With `--every MODULE ...` it makes every change of some modules of the room instead, and fails if the tests notice fewer
than ENOUGH per cent of the changes of a module.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import evolve, frozen

from tests.mutation.sites import Site, sites
from tests.mutation.trials import Trial, try_all

ROOT = Path(__file__).parents[2]
ENOUGH = 90
"""Per cent of all changes of a module that a test must notice; some cannot be noticed."""


@frozen
class Room:
    """Folders of the product, and the tests that are tried on changes of them."""

    folders: tuple[str, ...]
    tests: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...] = ()
    """Run as processes of their own when no test has noticed a change."""


_KIT = (
    *("-m", "conformance", "--fail-fast"),
    *("--", sys.executable, "-m", "tests.conformance.python_program"),
)
_PYTEST = ("-m", "pytest", "-xq", "-p", "no:cacheprovider")
_SANDBOX = ("tests/sandbox", "tests/end_to_end")
ROOMS: Mapping[str, Room] = {
    "runtime": Room(
        ("runtime/trading_runtime",),
        (
            "tests/runtime",
            "tests/codegen/second",
            "tests/generated",
            "tests/overlays",
            "tests/end_to_end",
        ),
        (_KIT,),
    ),
    "codegen": Room(
        ("codegen", "ports/typescript/generator"),
        ("tests/codegen", "tests/spec", "tests/overlays"),
        # What a process computes once, other processes compute again.
        # The kit asks a client of the second spec.
        (("-m", "codegen", "check"), (*_PYTEST, "tests/codegen", "tests/spec"), _KIT),
    ),
    "engine": Room(("sandbox/trading_sandbox/engine",), _SANDBOX),
    "web": Room(("sandbox/trading_sandbox/web",), _SANDBOX),
    "faults": Room(("sandbox/trading_sandbox/faults",), _SANDBOX),
}


@frozen
class Mutation:
    """A change that was drawn, and what became of it."""

    file: str
    site: Site
    noticed_by: str = ""
    """A test or a command; empty as long as none has noticed it."""

    def __str__(self) -> str:
        site = self.site
        place = f"{self.file}: {site.function}, line {site.line}"
        return f"{place}\n    - {site.before}\n    + {site.after}"


def all_of(name: str, modules: Sequence[str] = ("",)) -> list[Mutation]:
    """Every change of a room, or of its modules whose paths end so."""
    files = [path for folder in ROOMS[name].folders for path in (ROOT / folder).rglob("*.py")]
    return [
        Mutation(path.relative_to(ROOT).as_posix(), site)
        for path in sorted(files)
        if str(path.with_suffix("")).endswith(tuple(modules))
        for site in sites(path.read_text("utf-8"))
    ]


def draw(name: str, seed: int, count: int) -> list[Mutation]:
    """So many changes of a room, each as likely as any other."""
    every = all_of(name)
    chosen = random.Random(seed).sample(range(len(every)), count)
    return [every[index] for index in sorted(chosen)]


def failing_command(room: Room, copy: Path) -> str:
    """The first command of a room that fails in a copy of the repository, if any does."""
    paths = ":".join(str(copy / part) for part in (".", "generated", "runtime", "sandbox"))
    environment = {**os.environ, "PYTHONPATH": paths}
    for command in room.commands:
        run = ["timeout", "900", sys.executable, *command]
        done = subprocess.run(run, cwd=copy, env=environment, capture_output=True, check=False)
        if done.returncode:
            return " ".join(command)
    return ""


def by_command(room: Room, copy: Path, mutation: Mutation) -> str:
    """The command that fails with the change made in a copy of the repository."""
    path = copy / mutation.file
    before = path.read_text("utf-8")
    path.write_text(mutation.site.apply(before), "utf-8")
    try:
        return failing_command(room, copy)
    finally:
        path.write_text(before, "utf-8")


def by_tests(room: Room, mutations: list[Mutation], most: int) -> list[Mutation]:
    """The mutations, each with the test that notices it, if one of those that reach it does."""
    texts = [(ROOT / each.file, each) for each in mutations]
    trials = [Trial(path, each.site.apply(path.read_text("utf-8"))) for path, each in texts]
    found = try_all([str(ROOT / test) for test in room.tests], trials, most)
    return [
        evolve(mutation, noticed_by=test) for mutation, test in zip(mutations, found, strict=True)
    ]


def tried(room: Room, mutations: list[Mutation], most: int) -> list[Mutation]:
    """The mutations with what became of each."""
    mutations = by_tests(room, mutations, most)
    if not room.commands:
        return mutations
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        left_out = (".nox", ".venv", ".*_cache", ".hypothesis", "node_modules", "__pycache__")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*left_out))
        living = [index for index, mutation in enumerate(mutations) if not mutation.noticed_by]
        if living and (failed := failing_command(room, copy)):
            raise RuntimeError(f"{failed} fails without a change")
        for index in living:
            command = by_command(room, copy, mutations[index])
            mutations[index] = evolve(mutations[index], noticed_by=command)
    return mutations


def every(name: str, modules: Sequence[str], most: int) -> int:
    """Make every change of some modules; 1 if too many changes of one of them live."""
    by_module: dict[str, list[Mutation]] = {}
    for mutation in by_tests(ROOMS[name], all_of(name, modules), most):
        by_module.setdefault(mutation.file, []).append(mutation)
        if not mutation.noticed_by:
            print("lives:", mutation)
    shares = {
        module: 100 * sum(bool(each.noticed_by) for each in made) / len(made)
        for module, made in by_module.items()
    }
    for module, share in shares.items():
        print(f"{share:5.1f} % of {len(by_module[module])} changes noticed: {module}")
    return 1 if min(shares.values(), default=0) < ENOUGH else 0


def drawn(name: str, mutations: list[Mutation], most: int) -> None:
    """Try some changes, and print what lives."""
    after = tried(ROOMS[name], mutations, most)
    for mutation in after:
        if not mutation.noticed_by:
            print("lives:", mutation)
    print(f"{sum(bool(each.noticed_by) for each in after)} of {len(after)} noticed: {name}")


def main() -> int:
    """Print the report; 1 if `--every` finds too many changes that live."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("room", choices=sorted(ROOMS))
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--count", type=int, default=60, help="so many changes are drawn")
    parser.add_argument("--every", nargs="+", help="all changes of these modules instead")
    parser.add_argument("--most", type=int, default=10**6, help="tests that one change is given")
    options = parser.parse_args()
    if options.every:
        return every(options.room, options.every, options.most)
    print(f"seed {options.seed}")
    drawn(options.room, draw(options.room, options.seed, options.count), options.most)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
