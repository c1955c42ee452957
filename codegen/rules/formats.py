"""Warnings: formats that the generator does not know, so that it reads the type without them."""

from __future__ import annotations

from codegen.read.field_types import known_type
from codegen.read.load import Node, Problem, walk
from codegen.rules.words import record


def warnings(root: Node) -> list[Problem]:
    """What to tell whoever generates from a spec that breaks no rule, at the place of each format."""
    read = record(root)
    found: list[Problem] = []
    for node in walk(root):
        # What only notes, and compares, is asked for its type, too; the format is asked of values alone.
        type_ = known_type(node) if "format" in read.get(node.pointer, ()) else None
        if type_ and type_.format:
            told = f"the value is read as {node.get('type')!r}"
            said = f"the format {type_.format!r} is not known; {told}"
            found.append(Problem(f"{node.pointer}/format", said))
    return sorted(found, key=lambda problem: problem.pointer)
