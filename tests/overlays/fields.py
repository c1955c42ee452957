"""The fields of an endpoint, as its row of the table says them, and as the IR of the overlay does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from codegen import ir
from tests.overlays.table import Row

WORDS = {"string": "str", "decimal": "dec", "integer": "int", "boolean": "bool", "json": "any"}
"""The kind of the table for a type of the IR; another one has the name of its type."""


def of_row(row: Row) -> dict[str, Any]:
    """What an endpoint takes, and what a record of its answer holds."""
    form, _, kind = row.answers.partition(" ")
    is_named = form in ("page", "offset") or form.endswith(":")
    return {"takes": _object(row.sends), "answers": _kind(kind if is_named else row.answers)}


def of_overlay(api: ir.Api, name: str) -> dict[str, Any]:
    """The same by the overlay, of the operation with this name on the client."""
    (operation,) = [each for each in api.operations if f"{each.group}.{each.method}" == name]
    result = operation.result
    answers = "done" if result is None else _of_type(api, result.type)
    taken = _of_model(api, operation.params) if operation.params else {}
    return {"takes": taken, "answers": [answers] if operation.pagination else answers}


def _object(text: str) -> dict[str, Any]:
    found = {}
    for part in _parts(text):
        name, kind = re.fullmatch(r"(\w+\??) ?(.+)", part, re.DOTALL).groups()  # type: ignore[union-attr]
        found[name] = _kind(kind)
    return found


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


def _kind(text: str) -> Any:
    if text.startswith("sides"):
        return [_kind(text.removeprefix("sides"))]
    if text == "[]":
        return ["str"]
    if text[0] in "[{":
        inner = _object(text[1:-1])
        return [inner] if text[0] == "[" else inner
    return text


def _of_model(api: ir.Api, name: str) -> dict[str, Any]:
    return {
        field.name + "?" * (not field.required): _of_field(api, field)
        for field in api.fields_of(name)
    }


def _of_field(api: ir.Api, field: ir.Field) -> Any:
    if field.auto:
        return {"uuid": "auto", "account": "own"}[field.auto]
    kind = _of_type(api, field.type)
    return f"{kind}|null" if field.nullable else kind


def _of_type(api: ir.Api, type_: ir.Type) -> Any:
    if type_.held:
        kinds = [_of_type(api, each) for each in type_.held]
        # Two lists, of bids and of asks, are of one kind.
        return kinds[:1] if kinds == kinds[:1] * len(kinds) else kinds
    if type_.kind == "model":
        return _of_model(api, type_.name or "")
    return type_.name or WORDS.get(type_.kind, type_.kind)
