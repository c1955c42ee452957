"""The places of a field, a parameter or a result: its own, and those of what stands in it."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.class_names import class_name
from codegen.field_types import known_type, without_null
from codegen.ir import Role
from codegen.objects import properties
from codegen.rules.place import Place, Spot, members, parts
from codegen.rules.tables import field_kind, written_out
from codegen.unions import is_union


def field_places(place: Place, role: Role, use: str = "field", inside: str = "") -> Iterator[Spot]:
    """A field, or a result. A type that the generator does not know is reported elsewhere."""
    type_ = known_type(place.node)
    if type_ is None:
        return
    kind = f"{inside}{field_kind(type_, role, use)}"
    if type_.kind == "union":
        yield kind if refers_to_class(place) else written_out(kind), place
        return
    choices = [each for word in ("oneOf", "anyOf") for each in place.each(word)]
    inner = without_null(place.node)[0]
    if inner.value is not place.node.value and choices:
        yield f"{kind}, or null", place
        for choice in choices:
            if choice.node.get("type") == "null":
                yield "null", choice
            else:
                yield from field_places(choice, role, use, inside)
        return
    if type_.name and not refers_to_class(place):
        yield written_out(kind), place
        yield from model_places(place, role)
        return
    yield kind, place
    for part in _held(place):
        yield from field_places(part, role, use, "item: ")


def model_places(place: Place, role: Role) -> Iterator[Spot]:
    """The places in an object: the parts of its allOf that are no components, and its fields."""
    for part in list(parts(place))[1:]:
        if part.beside is None:
            yield f"part of a model of a {role}", part
    for field in members(place).values():
        yield from field_places(field, role)


def _held(place: Place) -> list[Place]:
    """What a list, a map or a tuple holds."""
    type_ = known_type(place.node)
    word = {"list": "items", "map": "additionalProperties"}.get(type_.kind if type_ else "")
    if type_ and type_.kind == "tuple":
        return place.each("prefixItems")
    return [place.child(word)] if word and word in place.node else []


def refers_to_class(place: Place) -> bool:
    """Whether a place refers to an enum or a model, whose own words are looked at elsewhere."""
    named = place.beside is not None and class_name(place.node) is not None
    return named and ("enum" in place.node or is_union(place.node) or bool(properties(place.node)))
