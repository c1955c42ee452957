"""Rules on unions: each value of the discriminator names one object, which has that value."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.read.classes import sent, unions
from codegen.read.field_types import known_type, without_null
from codegen.read.load import Node, Problem, escaped
from codegen.read.schemas import (
    DISCRIMINATOR,
    choices,
    discriminator,
    discriminator_values,
    is_union,
    properties,
    required,
)


def _unions(root: Node) -> Iterator[Problem]:
    for node in sent(root):
        if is_union(node):
            told = "the own fields of a request are those of one object; put the union into a field"
            yield Problem(node.pointer, told)
    found, problems = unions(root)
    yield from problems
    for union in found.values():
        if not union.node.get("description"):
            yield Problem(union.node.pointer, "has no description")
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
            yield Problem(at, f"{model!r} is none of the objects of its oneOf")
    for component, each in found.items():
        if component is None or not properties(each):
            yield Problem(each.pointer, "an object of a union must be a component schema")
            continue
        own = [value for value in by_value if by_value[value] == component]
        if not own:
            yield Problem(pointer, f"maps no value to {component}")
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


RULES = (_unions,)
