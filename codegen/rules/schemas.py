"""Rules on schemas: enums, the fields of every model, and unions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.read.classes import enums, models, sent, unions
from codegen.read.load import Node, Problem, escaped
from codegen.read.operations import is_batch_list, signed_base
from codegen.read.schemas import (
    DISCRIMINATOR,
    choices,
    discriminator,
    discriminator_values,
    field_type,
    is_union,
    known_type,
    own_properties,
    parts,
    properties,
    required,
    without_null,
)
from codegen.rules import names
from codegen.rules.forms import NO_DESCRIPTION, section
from codegen.rules.wire import has_type, required_exist

MOMENT = re.compile(r"(^|_)(at|time|timestamp)\Z|(At|Time|Timestamp)\Z")
"""The names of fields that are moments."""

SECONDS = {*("s", "sec", "secs", "second", "seconds"), *("us", "\u00b5s", "ns")}
"""Units of times that the SDK does not know. A field of any other name may be a time span."""


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
        if model.node.schema_name is None:
            yield from _properties(model.node, taken, is_model=True)
            if not model.node.get("description"):
                yield Problem(model.node.pointer, NO_DESCRIPTION)
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
        if schema.get("type") not in ("string", "integer"):
            yield Problem(schema.at("type"), "must be string or integer")
    for model in models(root).values():
        for part in parts(model.node):
            is_part = part is not model.node or "allOf" in part
            if "type" in part or not is_part:
                yield from has_type(part, "object")


# -- unions -------------------------------------------------------------------------------------


def _unions(root: Node) -> Iterator[Problem]:
    for node in sent(root):
        if is_union(node):
            told = "the own fields of a request are those of one object; put the union into a field"
            yield Problem(node.pointer, told)
    for union in unions(root).values():
        if not union.node.get("description"):
            yield Problem(union.node.pointer, NO_DESCRIPTION)
        yield from _discriminator(union.node)


def _discriminator(schema: Node) -> Iterator[Problem]:
    pointer, name = f"{schema.pointer}/{DISCRIMINATOR}", discriminator(schema)
    if name is None or schema.get(DISCRIMINATOR).keys() - {"propertyName", "mapping"}:
        yield Problem(pointer, "must have a propertyName, and perhaps a mapping")
        return
    by_value = discriminator_values(schema)
    found = {each.schema_name: each for each in choices(schema)}
    for value, model in by_value.items():
        at = f"{pointer}/mapping/{escaped(value)}"
        if model not in found:
            yield Problem(at, f"{model!r} is none of the objects of its oneOf; name one of them")
    for component, each in found.items():
        if component is None or not properties(each):
            yield Problem(
                each.pointer, "an object of a union must be a component schema; write a $ref to it"
            )
            continue
        own = [value for value in by_value if by_value[value] == component]
        if not own:
            yield Problem(pointer, f"maps no value to {component}; map one")
        yield from _told(each, name, own)


def _told(model: Node, name: str, own: list[str]) -> Iterator[Problem]:
    """The object always has the property, and it can have its values."""
    field = properties(model).get(name)
    if field is None or name not in required(model) or without_null(field)[1]:
        yield Problem(model.pointer, f"must require {name!r}, which tells it from others; not null")
        return
    type_ = known_type(field)
    if type_ is None or type_.kind not in ("string", "enum"):
        yield Problem(
            field.pointer, "tells objects apart, so it must be a string or an enum of strings"
        )
    for value in own if type_ and type_.kind == "enum" else ():
        if value not in field.get("enum"):
            advice = "map its own values in the discriminator"
            yield Problem(field.pointer, f"its enum has no {value!r}; {advice}")


TYPES = (_types,)
RULES = (_types, _schemas, _unions)
