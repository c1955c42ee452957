"""Samples of what the table describes: what is sent, what is answered, and what it is read as."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

KEY = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
BIG = 2**53 + 1
"""An integer that a float does not hold."""
TIME = 1_759_233_999_188
"""A time in ms: larger ones are refused."""

JSON: dict[str, Any] = {
    "dec": "1.50",
    "int": BIG,
    "bool": True,
    "uuid": KEY,
    "auto": KEY,
    "code": "abc123",
    "any": [[{"p": "1.0", "a": "2", "n": 3}], []],
}
READ: dict[str, Any] = {**JSON, "dec": Decimal("1.50"), "uuid": UUID(KEY), "auto": UUID(KEY)}


class Field(NamedTuple):
    """A field of the table."""

    name: str
    kind: str
    """Its kind, `[]` for texts, or `[...]` or `{...}` for its own fields."""
    required: bool


def fields(text: str) -> Iterator[Field]:
    """The fields in a text of the table."""
    for part in _parts(text):
        name, kind = re.fullmatch(r"(\w+\??) ?(.+)", part, re.DOTALL).groups()  # type: ignore[union-attr]
        yield Field(name.rstrip("?"), kind, not name.endswith("?"))


def _parts(text: str) -> Iterator[str]:
    """The pieces between the commas that are in no brackets."""
    depth, piece = 0, ""
    for char in f"{text},":
        depth += (char in "[{") - (char in "]}")
        if char == "," and depth == 0:
            if piece.strip():
                yield piece.strip()
            piece = ""
        else:
            piece += char


def sample(kind: str, name: str, *, read: bool, full: bool) -> Any:
    """A value of a kind: as JSON, or as it is read; with all that is optional, or without."""
    if kind == "int" and name.endswith("_time"):
        return TIME
    if kind == "[]":
        return [f"{name} 1", f"{name} 2"]
    if kind.startswith("sides"):
        return [sample(kind[5:], name, read=read, full=full), []]
    if kind[0] in "[{":
        inner = whole(kind[1:-1], read=read, full=full)
        return [inner] if kind[0] == "[" else inner
    if kind.endswith("|null") and not full:
        return None
    kind = kind.removesuffix("|null")
    if kind.startswith("enum:"):
        return kind[5:]
    return (READ if read else JSON).get(kind, f"{name} 1")


def whole(text: str, *, read: bool, full: bool) -> dict[str, Any]:
    """An object with the fields of a text. What is left out is read as None, or as an empty list."""
    found: dict[str, Any] = {}
    for field in fields(text):
        if full or field.required:
            found[field.name] = sample(field.kind, field.name, read=read, full=full)
        elif read:
            found[field.name] = [] if field.kind[0] == "[" else None
    return found
