"""Which types the types, fields and results of the IR become, and which names they may use.

Fields keep the names that they have on the wire. Groups and methods are in camelCase.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ports.typescript.generator.syntax import property_name, words

Json = dict[str, Any]
"""An object of the IR."""

_TYPES = json.loads(Path(__file__).with_name("names.json").read_text("utf-8"))["types"]
EXPORTED: list[str] = _TYPES["exported values"]
"""The values of the runtime that users import from the package."""
EXPORTED_TYPES: list[str] = _TYPES["exported types"]
"""The types of the runtime that users import from the package."""
TIME = "ms"
"""The unit of an integer that is a moment. A duration has another one: `duration in ms`."""

RECEIVED = {
    "string": "string",
    "integer": "bigint",
    "boolean": "boolean",
    "decimal": "Decimal",
    "uuid": "string",
    "json": "Json",
}
GIVEN = {
    **RECEIVED,
    "integer": "IntegerInput",
    "decimal": "DecimalInput",
    "json": "JsonInput",
}


def type_text(type_: Json, role: str) -> str:
    """The type of what a caller gives, or of what a model holds that was received."""
    if type_["kind"] == "enum" and role == "response":
        return f"Open<{type_['name']}>"
    if role == "request" and is_time(type_):
        return "TimeInput"
    scalars = GIVEN if role == "request" else RECEIVED
    held = _holder(type_, lambda part: type_text(part, role))
    return held or type_["name"] or scalars[type_["kind"]]


def is_time(type_: Json) -> bool:
    """Whether an integer is a moment, by its unit."""
    return bool(type_["kind"] == "integer" and type_["unit"] == TIME)


def type_of(field: Json) -> Json:
    """The type of a field, with the unit that makes it a time. A list says that of its items."""
    type_: Json = field["type"]
    if field["unit"] != TIME:
        return type_
    if type_["kind"] == "list":
        return {**type_, "items": {**type_["items"], "unit": TIME}}
    return {**type_, "unit": TIME}


def _holder(type_: Json, text: Callable[[Json], str]) -> str:
    """A list or a tuple. Empty for another type."""
    held = [type_["items"]] if type_["items"] else type_["members"]
    parts = [f"{text(part)} | null" if part["nullable"] else text(part) for part in held]
    if type_["kind"] == "list":
        return f"readonly {parts[0]}[]" if parts[0].isidentifier() else f"ReadonlyArray<{parts[0]}>"
    return f"readonly [{', '.join(parts)}]" if parts else ""


def field_text(field: Json, role: str) -> str:
    """A field of an interface: its name and its type."""
    type_ = type_text(type_of(field), role)
    name = property_name(field["name"])
    if role == "response":
        is_empty_list = field["type"]["kind"] == "list" and not field["required"]
        is_there = (field["required"] or is_empty_list) and not field["nullable"]
        return f"readonly {name}: {type_}{'' if is_there else ' | null'};"
    if field["required"] and field["auto"] is None:
        return f"readonly {name}: {type_}{' | null' if field['nullable'] else ''};"
    or_null = "" if field["cursor"] else " | null"
    return f"readonly {name}?: {type_}{or_null} | undefined;"


def result_type(operation: Json) -> str:
    """What a call returns; of a list, one record; of a batch, one result."""
    result = operation["result"]
    if operation["outcome"]:
        return str(operation["outcome"])
    if result is None:
        return "void"
    type_ = result["type"]
    if operation["batch"] and type_["items"] and type_["items"]["name"]:
        return str(type_["items"]["name"])
    text = type_text(type_, "response")
    return f"{text} | null" if result["nullable"] or type_["nullable"] else text


def used(text: str) -> set[str]:
    """The types of the runtime that a text names."""
    return words(text) & {*EXPORTED_TYPES}
