"""Rules on x-returns: the answer of an operation holds what the action of a batch returned."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.read.field_types import known_type
from codegen.read.load import Node, Problem
from codegen.read.methods import RETURNS, outcome
from codegen.read.operations import known_content, operations
from codegen.read.schemas import properties, required


def _returns(root: Node) -> Iterator[Problem]:
    for _, _, operation in operations(root):
        if RETURNS not in operation:
            continue
        pointer = f"{operation.pointer}/{RETURNS}"
        result = outcome(root, operation)
        if operation.get(RETURNS) != "action" or result is None:
            advice = "must be action, on an operation whose body is also an action of a batch"
            yield Problem(pointer, advice)
        else:
            yield from _agrees(pointer, operation, result)


def _agrees(pointer: str, operation: Node, result: Node) -> Iterator[Problem]:
    """The answer tells nothing that the result has not, and all that it must have."""
    found = known_content(operation)
    if found is not None and (found.type.kind != "model" or found.key or found.nullable):
        yield Problem(pointer, "the answer must hold one object, or no result")
        return
    fields = properties(found.schema) if found else {}
    known = {name: each for name, each in properties(result).items() if name != "success"}
    for name, field in fields.items():
        if name not in known or known_type(field) != known_type(known[name]):
            yield Problem(pointer, f"the result of the action has no such {name!r}")
    told = required(found.schema) if found else set()
    for name in sorted(required(result)):
        if name in known and name not in told:
            yield Problem(pointer, f"the action always returns {name!r}, which the answer may lack")


RULES = (_returns,)
