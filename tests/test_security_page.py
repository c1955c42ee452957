"""Whatever SECURITY.md promises is shown by tests that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.readme import ROOT

PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
PROMISES = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("|") and "`tests/" in line
]


@cache
def functions_of(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize(("path", "name"), sorted(set(NAMED.findall(PAGE))))
def test_every_test_that_the_page_names_exists(path: str, name: str) -> None:
    assert name.startswith("test_")
    assert name in functions_of(ROOT / path)


def test_every_promise_says_how_it_is_kept_and_names_a_test() -> None:
    assert len(PROMISES) > 15
    for promise in PROMISES:
        says, how, shown = promise
        assert says.endswith(".") and how.endswith(".")
        assert NAMED.sub("", shown).strip() == ""
        assert NAMED.search(shown)


def test_every_table_row_is_a_promise() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("|")]
    assert len(rows) - 2 == len(PROMISES)
