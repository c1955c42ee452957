"""Rules on schemas: enums, and the fields of every model."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.dialect import LEARN
from codegen.ir.names import attribute_name
from codegen.read.classes import enums, models
from codegen.read.load import Node, Problem
from codegen.read.operations import is_batch_list, signed_base
from codegen.read.schemas import field_type, own_properties, parts, properties
from codegen.rules import names
from codegen.rules.forms import NO_DESCRIPTION, section
from codegen.rules.wire import has_type, required_exist

MOMENT = re.compile(r"(^|_)(at|time|timestamp)\Z|(At|Time|Timestamp)\Z")
"""The names of fields that are moments."""

SECONDS = {*("s", "sec", "secs", "second", "seconds"), *("us", "\u00b5s", "ns")}
"""Units of times that the SDK does not know. A field of any other name may be a time span."""


RENAMED = (
    "the SDK reads {!r} under its own name alone, which must be an identifier in every language, without an x-name; leave"
    f" the field out if nobody needs it, else leave out type and properties of its object to get parsed JSON, {LEARN}"
)


def _schemas(root: Node) -> Iterator[Problem]:
    taken = names.taken_by_fields(root)
    found = models(root)
    seen: dict[str, str] = {}
    for name, schema in root["components"]["schemas"].items():
        if not re.fullmatch("[A-Z][A-Za-z0-9]*", name) or name in names.keywords():
            yield Problem(schema.pointer, f"{name!r} is not a name in PascalCase, like CreateOrder")
        if seen.setdefault(name.lower(), name) != name:
            other = seen[name.lower()]
            yield Problem(
                schema.pointer,
                f"{name!r} differs from {other!r} by case only; give one another name",
            )
        if not schema.get("description"):
            yield Problem(schema.pointer, NO_DESCRIPTION)
        if not isinstance(schema.get("properties", {}), dict):
            yield Problem(f"{schema.pointer}/properties", "is not a mapping")
            continue
        yield from required_exist(schema)
        if "externalDocs" in schema:
            yield from section(schema)
        yield from _properties(schema, taken, is_model=name in found)
    for model in found.values():
        yield from _parts(model.node)
        for name, field in properties(model.node).items() if model.role == "response" else ():
            if (field.get("x-name") or attribute_name(name)) != name:
                yield Problem(field.place, RENAMED.format(name))
    for schema in enums(root).values():
        if not schema.get("enum"):
            yield Problem(f"{schema.pointer}/enum", "has no members; list its values")
        yield from names.members(schema)


def _properties(schema: Node, taken: set[str], *, is_model: bool) -> Iterator[Problem]:
    """The properties that stand in a schema itself."""
    own = own_properties(schema)
    yield from names.fields(own)
    for name, field in own.items():
        yield from names.field(field.place, name, field.get("x-name"), taken)
        if is_model or not (is_batch_list(field) or signed_base(field)):
            yield from problems_of_field(name, field, field.place)


def _parts(model: Node) -> Iterator[Problem]:
    """No property stands in two parts of an allOf: which of them holds would be a guess."""
    seen: dict[str, str] = {}
    for part in parts(model):
        for name in own_properties(part):
            if seen.setdefault(name, part.pointer) != part.pointer:
                yield Problem(model.pointer, f"two parts of its allOf have {name!r}; leave one out")
    yield from names.fields(properties(model)) if "allOf" in model else ()


def problems_of_field(name: str, field: Node, pointer: str) -> Iterator[Problem]:
    """What is wrong with a field of a model, or a parameter."""
    unit = field.get("x-unit")
    is_misspelt = unit != "ms" and str(unit).lower() == "ms"
    if is_misspelt or (unit in SECONDS and MOMENT.search(name)):
        told = "times are in ms; write x-unit: ms if this is; of a time span write `duration in s`"
        advice = "else leave it out, and say it in the description"
        yield Problem(field.at("x-unit"), f"{told}; {advice}")
    if not field.get("description") and field.schema_name is None:
        yield Problem(pointer, NO_DESCRIPTION)
    try:
        kind = field_type(field)
    except ValueError as error:
        yield Problem(pointer, str(error))
        return
    # The unit of a field is that of its items, too.
    has_it = (kind, kind.items) if "x-unit" in field else ()
    if any(each.kind == "decimal" and not each.unit for each in kind.parts() if each not in has_it):
        yield Problem(
            pointer,
            "a decimal needs its x-unit; write x-unit: USDC, token, percent, or what it counts",
        )


def _types(root: Node) -> Iterator[Problem]:
    """An enum has the type of its values, and the object of a class is one. A part may leave it out."""
    for schema in enums(root).values():
        if schema.get("type") == "integer":
            told = "an enum of integers is not supported; leave out enum, and say the values in the description"
            yield Problem(schema.at("type"), f"{told}; {LEARN}")
        elif schema.get("type") != "string":
            yield Problem(schema.at("type"), "must be string, as the values of an enum are")
    for model in models(root).values():
        for part in parts(model.node):
            is_part = part is not model.node or "allOf" in part
            if "type" in part or not is_part:
                yield from has_type(part, "object")


TYPES = (_types,)
RULES = (_types, _schemas)
