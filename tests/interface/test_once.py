"""The facts of the interface stand here, and in no other file of the tests."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import pytest

from tests.interface import METHODS, OPERATIONS

TESTS = Path(__file__).parents[1]
# tests/codegen changes a spec.
LEFT_OUT = ("interface/", "codegen/")
# What is known of an operation beside the interface: what must be there before it is called.
OF_MANY_OPERATIONS = {"faults/calls.py"}
FILES = {
    name: path
    for path in sorted(TESTS.rglob("*.py"))
    if not (name := path.relative_to(TESTS).as_posix()).startswith(LEFT_OUT)
}
PATHS = {each.path for each in OPERATIONS.values()}
PATHS |= {each.endpoint.split()[1] for each in OPERATIONS.values()}
TYPES = {each.signing_type for each in METHODS.values()} - {None}


def texts(node: ast.AST) -> set[str]:
    """Every text that is written in a piece of a module."""
    constants = (each for each in ast.walk(node) if isinstance(each, ast.Constant))
    return {each.value for each in constants if isinstance(each.value, str)}


def lists(module: ast.Module) -> Iterator[set[str]]:
    """The texts of each literal of a module, and those of each long text in it, word by word."""
    for node in ast.walk(module):
        if isinstance(node, (ast.Dict, ast.Set, ast.List, ast.Tuple)):
            yield texts(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield {*node.value.split()}


def most(found: Sequence[set[str]], facts: Collection[object]) -> int:
    """How many of these facts one list has."""
    return max((len(each & {*facts}) for each in found), default=0)


def repeats(name: str, source: str) -> Iterator[str]:
    found = list(lists(ast.parse(source)))
    # Two or three of a kind are what a test is about; more are a table.
    for kind, facts, allowed in (
        ("paths", PATHS, 2),
        ("signing types", TYPES, 3),
        ("names", METHODS, len(METHODS) // 2),
    ):
        number = most(found, facts)
        if number > allowed and not (kind == "names" and name in OF_MANY_OPERATIONS):
            yield f"{name} lists {number} {kind}: take them from tests/interface"


def test_no_other_file_repeats_the_table() -> None:
    sources = {name: path.read_text("utf-8") for name, path in FILES.items()}

    assert [line for name, source in sources.items() for line in repeats(name, source)] == []


@pytest.mark.parametrize(
    ("source", "size"),
    [
        ("x = {'orders.create': 1, 'orders.edit': 2}", 2),
        ("x = [('orders.create', 1)], {'orders.edit'}", 2),
        ("x = 'orders.create orders.edit'", 2),
        ("f('orders.create'); f('orders.edit')", 1),
    ],
)
def test_a_table_is_told_from_single_names(source: str, size: int) -> None:
    assert most(list(lists(ast.parse(source))), METHODS) == size
