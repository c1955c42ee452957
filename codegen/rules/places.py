"""Where the objects of a spec stand, and of which kind each of them is.

A *place* is an object of the spec at its own JSON pointer, whatever it refers to. Its *kind* decides
which words have an effect there (`words`). What no place leads to is no part of the service.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from codegen import signing_schemes
from codegen.field_types import known_type, without_null
from codegen.ir import Role
from codegen.load import Node, escaped
from codegen.rules.tables import STRUCTURE, Child, field_kind
from codegen.spec import (
    HTTP_METHODS,
    SIGNED,
    content,
    model_roles,
    properties,
    signed_base,
    wrappers,
)


@frozen
class Place:
    """An object or a list of the spec. `$ref` is followed; what stands beside it is laid over it."""

    node: Node
    pointer: str
    beside: frozenset[str] | None = None
    """The words beside its `$ref`. None if it is no reference."""

    def at(self, word: str | int) -> str:
        """The pointer to one of its words."""
        here = self.beside is None or word in self.beside
        return f"{self.pointer if here else self.node.pointer}/{escaped(word)}"

    def child(self, key: str | int) -> Place:
        """The place under one of its words."""
        raw = self.node.value[key]
        refers = isinstance(raw, dict) and "$ref" in raw
        beside = frozenset(map(str, raw)) - {"$ref"} if refers else None
        return Place(self.node[key], self.at(key), beside)

    def below(self, *keys: str) -> Place | None:
        """The place under several words, one after the other, or None if one of them is missing."""
        place = self
        for key in keys:
            if key not in place.node:
                return None
            place = place.child(key)
        return place

    def named(self, word: str) -> dict[str, Place]:
        """The places under a word, by their names."""
        holder = self.below(word)
        if holder is None or not is_map(holder.node.value):
            return {}
        return {key: holder.child(key) for key in holder.node.value}

    def each(self, word: str) -> list[Place]:
        """The places in the list under a word."""
        holder = self.below(word)
        if holder is None or not isinstance(holder.node.value, list):
            return []
        return [holder.child(index) for index in range(len(holder.node.value))]


Spot = tuple[str, Place]
"""A kind of object, and where one stands."""


def is_map(value: Any) -> bool:
    """Whether a value is a mapping."""
    return isinstance(value, dict)


def places(root: Node) -> Iterator[Spot]:
    """Every object that the service consists of, and its kind."""
    document = Place(root, "#")
    yield from _structure("document", document)
    for item in document.named("paths").values():
        yield from _parameters(item)
    for operation in operation_places(document):
        yield from _parameters(operation)
        yield from _body(operation)
        yield from _answers(operation)
    yield from _components(document)


def operation_places(document: Place) -> Iterator[Place]:
    """The place of every operation."""
    for item in document.named("paths").values():
        for method in STRUCTURE["path item"]:
            operation = item.below(method) if method in HTTP_METHODS else None
            if operation and is_map(operation.node.value):
                yield operation


def _structure(kind: str, place: Place) -> Iterator[Spot]:
    """An object that is no schema, and those below it."""
    if not is_map(place.node.value):
        return
    yield kind, place
    for word, child in STRUCTURE[kind].items():
        if child and word in place.node:
            for each in _children(place, word, child):
                yield from _structure(child.kind, each)


def _children(place: Place, word: str, child: Child) -> list[Place]:
    if child.shape == "named":
        return list(place.named(word).values())
    return place.each(word) if child.shape == "each" else [place.child(word)]


# -- what is sent -----------------------------------------------------------------------------


def _parameters(holder: Place) -> Iterator[Spot]:
    """The parameters of an operation, or those of all operations of a path."""
    for parameter in holder.each("parameters"):
        if (schema := parameter.below("schema")) and not without_null(schema.node)[1]:
            yield from _field(schema, "request", "parameter")


def schema_of(place: Place | None) -> Place | None:
    """The schema of a request body or a response."""
    return place.below("content", "application/json", "schema") if place else None


def _body(operation: Place) -> Iterator[Spot]:
    body = schema_of(operation.below("requestBody"))
    if body is None or not is_map(body.node.value):
        return
    if signing_schemes.WORD in operation.node:
        yield "countersigned body", body
        return
    if not wrappers(operation.node):
        yield from _signed(body)
        return
    for part in parts(body):
        yield "batch", part
        for actions in part.named("properties").values():
            yield "list of actions", actions
            for items in [actions.child("items")] if "items" in actions.node else ():
                yield "choice of actions", items
                for wrapper in items.each("oneOf"):
                    yield from _wrapper(wrapper)


def _wrapper(wrapper: Place) -> Iterator[Spot]:
    yield "wrapper of an action", wrapper
    fields = wrapper.named("properties")
    if "type" in fields:
        yield "type of an action", fields["type"]
    if "data" in fields:
        yield from _signed(fields["data"])


def _signed(body: Place) -> Iterator[Spot]:
    """A signed body. The model of its own fields is a component."""
    if signed_base(body.node) and body.node.schema_name != SIGNED:
        yield "signed body", body


def parts(place: Place) -> Iterator[Place]:
    """An object schema and the parts of its allOf."""
    if is_map(place.node.value):
        yield place
        for part in place.each("allOf"):
            yield from parts(part)


# -- what comes back --------------------------------------------------------------------------


def _answers(operation: Place) -> Iterator[Spot]:
    for status, response in operation.named("responses").items():
        if not status.startswith("2"):
            for media in response.named("content").values():
                yield from _error_body(media.below("schema"))
        elif schema := schema_of(response):
            yield from _answer(operation, schema)


def _error_body(schema: Place | None) -> Iterator[Spot]:
    """The body of a refusal. Only the whole of it says where its text and its code stand."""
    for index, part in enumerate(parts(schema) if schema else ()):
        yield "part of an error body" if index else "error body", part


def _answer(operation: Place, schema: Place) -> Iterator[Spot]:
    """What a call returns, from the outside to the inside. What is refused is reported elsewhere."""
    try:
        found = content(operation.node)
    except ValueError:
        return
    if is_map(operation.node.get("x-pagination")):
        assert found is not None and found.key is not None, "pages have records"
        yield from _wrapping("page", schema, found.key)
        yield from _field(members(schema)[found.key], "response", "result")
        return
    data = members(schema).get("data")
    if data is not None:
        yield from _wrapping("envelope", schema, "data")
    result = data or schema
    if "x-result" in operation.node:
        models, _ = model_roles(Node(schema.node.root, "#", schema.node.root))
        if data is not None and data.node.schema_name not in models:
            yield "data that is not handed over", data
    elif found is None:
        yield from (("acknowledgement", part) for part in parts(result))
    elif found.key is not None:
        yield from (("holder of a list", part) for part in parts(result))
        yield from _field(members(result)[found.key], "response", "result")
    else:
        yield from _field(result, "response", "result")


def _wrapping(kind: str, schema: Place, data: str) -> Iterator[Spot]:
    """What is around a result. A part of it may have a placeholder, which another part replaces."""
    used = members(schema).get(data)
    for part in parts(schema):
        yield kind, part
        found = part.named("properties").get(data)
        if found and used and found.pointer != used.pointer:
            yield "data to be replaced", found
            if "items" in found.node:
                yield "any item", found.child("items")


def members(schema: Place) -> dict[str, Place]:
    """The properties of an object schema, including those of its allOf."""
    found: dict[str, Place] = {}
    for part in schema.each("allOf"):
        found |= members(part)
    return found | schema.named("properties")


# -- schemas of their own ---------------------------------------------------------------------


def _components(document: Place) -> Iterator[Spot]:
    schemas = {
        name: Place(node, f"#/components/schemas/{name}")
        for name, node in document.node["components"]["schemas"].items()
    }
    for place in schemas.values():
        if "enum" in place.node:
            yield "enum", place
    for name, role in model_roles(document.node)[0].items():
        is_action = "x-batch-action" in schemas[name].node
        yield "action" if is_action else f"model of a {role}", schemas[name]
        if docs := schemas[name].below("externalDocs"):
            yield "externalDocs", docs
        for field in members(schemas[name]).values():
            yield from _field(field, role)


def _field(place: Place, role: Role, use: str = "field", inside: str = "") -> Iterator[Spot]:
    """A field, or a result. A type that the generator does not know is reported elsewhere."""
    type_ = known_type(place.node)
    if type_ is None:
        return
    kind = f"{inside}{field_kind(type_, role, use)}"
    choices = [each for word in ("oneOf", "anyOf") for each in place.each(word)]
    inner = without_null(place.node)[0]
    if inner.value is not place.node.value and choices:
        yield f"{kind}, or null", place
        for choice in choices:
            if choice.node.get("type") == "null":
                yield "null", choice
            else:
                yield from _field(choice, role, use, inside)
        return
    yield kind, place
    for part in _held(place):
        yield from _field(part, role, use, "item: ")


def _held(place: Place) -> list[Place]:
    """What a list, a map or a tuple holds."""
    type_ = known_type(place.node)
    word = {"list": "items", "map": "additionalProperties"}.get(type_.kind if type_ else "")
    if type_ and type_.kind == "tuple":
        return place.each("prefixItems")
    return [place.child(word)] if word and word in place.node else []


def refers_to_class(place: Place) -> bool:
    """Whether a place refers to an enum or a model, whose own words are looked at elsewhere."""
    named = place.beside is not None and place.node.schema_name is not None
    return named and ("enum" in place.node or bool(properties(place.node)))
