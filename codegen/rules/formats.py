"""Warnings: formats that the generator does not know, so that it reads the type without them."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.field_types import known_type
from codegen.load import Node, Problem
from codegen.rules.places import places
from codegen.rules.tables import FIELDS


def warnings(root: Node) -> list[Problem]:
    """What to tell whoever generates from a spec that breaks no rule, at the place of each format."""
    return sorted(set(_unknown(root)), key=lambda problem: problem.pointer)


def _unknown(root: Node) -> Iterator[Problem]:
    for kind, place in places(root):
        type_ = known_type(place.node) if kind in FIELDS else None
        if type_ and type_.format and "format" in place.node:
            read = f"the value is read as {place.node.get('type')!r}"
            yield Problem(place.at("format"), f"the format {type_.format!r} is not known; {read}")
