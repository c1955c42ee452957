"""Where the objects of a spec stand, and of which kind each of them is.

The *kind* of a place decides which words have an effect there (`words`). What no place leads to is
no part of the service.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen import objects, signing_schemes
from codegen.field_types import without_null
from codegen.load import Node
from codegen.rules.field_places import field_places, model_places
from codegen.rules.place import Place, Spot, is_map, members, parts, schema_of
from codegen.rules.tables import STRUCTURE, Child
from codegen.spec import (
    HTTP_METHODS,
    SIGNED,
    content,
    signed_base,
    wrappers,
)
from codegen.spec_classes import models, unions


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
            yield from field_places(schema, "request", "parameter")


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
    if is_map(pages := operation.node.get("x-pagination")):
        assert found is not None and found.key is not None, "pages have records"
        for path in {
            str(pages[word]) for word in ("items", "next_cursor", "has_more") if word in pages
        }:
            yield from _page(schema, path, is_records=path == found.key)
        return
    data = members(schema).get("data")
    if data is not None:
        yield from _wrapping("envelope", schema, "data")
    result = data or schema
    if "x-result" in operation.node:
        found_models, _ = models(Node(schema.node.root, "#", schema.node.root))
        if data is not None and data.node.schema_name not in found_models:
            yield "data that is not handed over", data
    elif found is None:
        yield from (("acknowledgement", part) for part in parts(result))
    elif found.key is not None:
        yield from (("holder of a list", part) for part in parts(result))
        yield from field_places(members(result)[found.key], "response", "result")
    else:
        yield from field_places(result, "response", "result")


def _page(schema: Place, path: str, *, is_records: bool) -> Iterator[Spot]:
    """The objects on the way to a member of a page, and the records if it is theirs."""
    *steps, last = path.split(".")
    for step in steps:
        yield from _wrapping("page", schema, step)
        schema = members(schema)[step]
    yield from _wrapping("page", schema, last)
    if is_records:
        yield from field_places(members(schema)[last], "response", "result")


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


# -- schemas of their own ---------------------------------------------------------------------


def _components(document: Place) -> Iterator[Spot]:
    schemas = {
        name: Place(node, f"#/components/schemas/{name}")
        for name, node in document.node["components"]["schemas"].items()
    }
    for place in schemas.values():
        if "enum" in place.node:
            yield "enum", place
    for name in unions(document.node)[0].keys() & schemas.keys():
        yield "union", schemas[name]
    found, _ = models(document.node)
    for name, model in found.items():
        for part in objects.parts(model.node):
            if (base := part.schema_name) in schemas and base not in found:
                yield f"part of a model of a {model.role}", schemas[str(base)]
        if name not in schemas:
            continue  # it is reached from the component or the operation that holds it
        is_action = "x-batch-action" in schemas[name].node
        yield "action" if is_action else f"model of a {model.role}", schemas[name]
        if docs := schemas[name].below("externalDocs"):
            yield "externalDocs", docs
        yield from model_places(schemas[name], model.role)
