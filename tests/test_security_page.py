"""Whatever SECURITY.md promises is shown by tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.readme import ROOT

PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
PROMISES = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("|") and "`tests/" in line
]


def functions_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_test_that_the_page_names_exists() -> None:
    named = set(NAMED.findall(PAGE))
    tests = {path: functions_of(ROOT / path) for path, _ in named}

    assert [(path, name) for path, name in named if name not in tests[path]] == []
    assert all(name.startswith("test_") for _, name in named)


def test_every_promise_says_how_it_is_kept_and_names_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("|")]
    assert len(rows) - 2 == len(PROMISES) > 15
    for promise in PROMISES:
        says, how, shown = promise
        assert says.endswith(".") and how.endswith(".")
        assert NAMED.sub("", shown).strip() == ""
        assert NAMED.search(shown)
