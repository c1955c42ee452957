"""Checking, building and rendering take as many steps as there are operations, in both languages.

Steps are counted, not timed: calls of functions, items of generators, and reads of members of the IR. So the test
says the same on every machine.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from types import FrameType
from typing import Any

import attrs
import pytest

from codegen import ir
from tests.codegen.specs import ROOT, Tree, built, problems, rendered, tree, typescript

TIMES = 3
"""How many times more copies of operations the larger spec has."""
GROWTH = 3.3
"""How many times more steps it may take: in all, and in each function of the generators."""
GENERATORS = tuple(f"{ROOT / each}/" for each in ("codegen", "ports/typescript/generator"))


def larger(copies: int) -> Tree:
    """The small spec with copies of a list and of a message, each with schemas of its own."""
    spec = tree()
    paths, schemas = spec["paths"], spec["components"]["schemas"]
    names = ("getLoans", "addBook", "add_book", "history", "AddBook", "BookAdded", "Loan", "Genre")
    parts = json.dumps(
        {
            "paths": {path: paths[path] for path in ("/v1/books/add", "/v1/loans")},
            "schemas": {
                name: {
                    word: each for word, each in schemas[name].items() if word != "x-batch-action"
                }
                for name in ("AddBook", "SignedAddBook", "BookAdded", "Loan", "Genre")
            },
        }
    )
    for number in range(copies):
        text = parts.replace('"x-method": "add"', f'"x-method": "add_{number}"')
        for name in names:
            text = text.replace(f'{name}"', f'{name}{number}"')
        copy = json.loads(text)
        paths |= {f"{path}/{number}": item for path, item in copy["paths"].items()}
        schemas |= copy["schemas"]
    return spec


@pytest.fixture
def _reads_are_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a function of this module read the members of the IR, so that they are counted, too."""

    def read(self: object, name: str) -> Any:
        return object.__getattribute__(self, name)

    for each in vars(ir).values():
        if isinstance(each, type) and attrs.has(each):
            monkeypatch.setattr(each, "__getattribute__", read)


def steps(spec: Tree) -> Counter[str]:
    """How many steps each function of the generators takes, and under "" all functions together."""
    found: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            found[""] += 1
            # Of a read it is the function that reads.
            caller = frame.f_back if frame.f_code.co_name == "read" else None
            code = (caller or frame).f_code
            if code.co_filename.startswith(GENERATORS):
                found[f"{code.co_filename}:{code.co_firstlineno} {code.co_name}"] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        assert problems(spec) == []
        built(spec)
        rendered(spec)
        typescript(spec)
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.usefixtures("_reads_are_calls")
def test_three_times_the_operations_take_three_times_the_steps() -> None:
    few, many = larger(2), larger(2 * TIMES)
    # What is made once in a process is made before.
    steps(larger(1))

    before, after = steps(few), steps(many)

    limits = {each: GROWTH * count for each, count in before.items()}
    grown = {
        each: (before[each], count) for each, count in after.items() if count > limits.get(each, 0)
    }
    assert grown == {}
