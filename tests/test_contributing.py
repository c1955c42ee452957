"""Who adds an endpoint as CONTRIBUTING.md says needs to touch nothing that it does not name."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent, indent

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (
    (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("\n## Add an endpoint")[1].split("\n## ")[0]
)
ROOTS = (".", "generated", "runtime", "sandbox")
"""The folders that Python imports from, of the copy instead of what is installed."""

OF_THE_SPEC = "not a_snippet_runs and not a_changed_spec and not each_case_of_a_file"
"""Without tests that do not look at the endpoint, and run beside this one."""

PLACES = {"tags": "\ntags:\n", "paths": "\npaths:\n", "components": "\n  schemas:\n"}
"""Where the parts of the example go in the spec: below this line."""


def block(language: str, number: int = 0) -> str:
    """A block of code of the page."""
    found = re.findall(rf"^ *```{language}\n(.*?)^ *```$", PAGE, re.DOTALL | re.MULTILINE)
    return dedent(found[number])


def insert(file: Path, after: str, text: str) -> None:
    """Write a text below a line that stands in a file once."""
    old = file.read_text("utf-8")
    assert old.count(after) == 1, (file, after)
    file.write_text(old.replace(after, after + text), encoding="utf-8")


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python in the copy."""
    roots = os.pathsep.join(str(copy / folder) for folder in ROOTS)
    # How pytest runs here, and measures, is no concern of the copy.
    ours = ("PYTEST", "COV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=copy,
        env={**kept, "PYTHONPATH": roots},
        capture_output=True,
        text=True,
        check=False,
    )


def run_tests(copy: Path, *tests: str) -> subprocess.CompletedProcess[str]:
    return run(copy, "pytest", "-q", "-p", "no:cacheprovider", *tests)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The repository, as far as its own tests read it."""
    target = tmp_path / "copy"
    # What is compiled stays, or each run would compile all that it imports.
    others = shutil.ignore_patterns(".git", ".nox", ".venv", ".*_cache", "node_modules")
    shutil.copytree(ROOT, target, ignore=others)
    return target


def add_to_the_spec(copy: Path) -> None:
    """Step 1: each part of the example under the word that it stands under."""
    parts: Sequence[str] = re.split(r"^(\w+):\n", block("yaml"), flags=re.MULTILINE)[1:]
    for word, text in zip(parts[::2], parts[1::2], strict=True):
        insert(copy / "spec" / "openapi.yaml", PLACES[word], text.removeprefix("  schemas:\n"))


def test_an_endpoint_costs_the_spec_and_one_row(copy: Path) -> None:
    add_to_the_spec(copy)
    generated = run(copy, "codegen", "generate")
    assert generated.returncode == 0, generated.stderr

    missing = run_tests(copy, "tests/generated/test_tables.py")
    assert "add to OPERATIONS in tests/interface, from the interface document: tutorial.quotes" in (
        missing.stdout
    )

    row = indent(f"{block('python').rstrip()},\n", "    ")
    insert(copy / "tests" / "interface" / "accounts.py", "\n_MARKETS = (\n", row)
    told = run_tests(copy, "-k", OF_THE_SPEC, *block("sh", 1).split(" -- ")[1].split())
    assert told.returncode == 0, told.stdout[-5000:] + told.stderr[-5000:]
