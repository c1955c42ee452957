"""What the house rules on operations and those on schemas both demand."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from codegen import ir
from codegen.load import Node, Problem
from codegen.schemas import field_type


def identifier(pointer: str, name: object) -> Iterator[Problem]:
    """A name that becomes one of Python."""
    if not isinstance(name, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
        yield Problem(pointer, f"{name!r} is not an identifier")
    elif keyword.iskeyword(name):
        yield Problem(pointer, f"{name!r} is a keyword")


def section(node: Node) -> Iterator[Problem]:
    """The section of the interface document that a docstring points to."""
    docs = node.get("externalDocs") or {}
    if not str(docs.get("description", "")).startswith("Section"):
        yield Problem(f"{node.pointer}/externalDocs", "must name its section, like 'Section 4.1'")


def one_line(node: Node, word: str) -> Iterator[Problem]:
    """A text that becomes the first line of a docstring."""
    text = node.get(word)
    if not isinstance(text, str) or not text.strip() or "\n" in text.strip():
        yield Problem(f"{node.pointer}/{word}", "must be one line of text")


def type_of(field: Node) -> ir.Type | None:
    """The type of a field; one that has none is reported elsewhere."""
    try:
        return field_type(field)
    except ValueError:
        return None


def holds_properties(pointer: str) -> bool:
    """Whether the keys there are names of properties; a property may itself be `properties`."""
    steps = re.search("(/properties)*$", pointer)
    return steps is not None and steps[0].count("/") % 2 == 1
