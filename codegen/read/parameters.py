"""What a spec says of the parameters of its operations, in the path, the query and the headers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from codegen import ir
from codegen.read.load import Node, kept, walk
from codegen.read.operations import own_fields
from codegen.read.schemas import operation_name


def query_name(operation: Node) -> str | None:
    """The name of the model of an operation's parameters, or None if it has none.

    Where the request has a body with fields of its own, the model holds these, too. It has the name of
    the body then, so that a first parameter renames no class, unless something else uses the body.
    """
    if not parameters(operation):
        return None
    body = own_fields(operation)
    if body is None:
        return f"{operation_name(operation)}Query"
    return body.schema_name if is_of_one(body) else f"{operation_name(operation)}Request"


def is_of_one(schema: Node) -> bool:
    """Whether one place alone refers to a component, and so one operation uses it."""
    pointer = schema.pointer
    while not pointer.startswith("#/paths/"):
        places = _references(schema.root).get(pointer, [])
        if len(places) != 1:
            return False
        pointer = (
            "/".join(places[0].split("/")[:4])
            if places[0].startswith("#/components/")
            else places[0]
        )
    return True


@kept
def _references(tree: Any) -> dict[str, list[str]]:
    """The pointers to all references of a document, by what they refer to."""
    found: dict[str, list[str]] = {}
    for each in walk(Node(tree, "#", tree)):
        if isinstance(target := each.get("$ref"), str):
            found.setdefault(target, []).append(each.pointer)
    return found


def parameters(operation: Node) -> list[Node]:
    """The parameters of an operation, those of its path among them."""
    return operation.each("parameters")


def parameters_of_message(operation: Node) -> list[Node]:
    """The parameters of an operation by which its message is known again: none if a batch may hold it, too."""
    own = own_fields(operation)
    return [] if own is not None and "x-batch-action" in own else parameters(operation)


def parameter_name(parameter: Node) -> str:
    """The name of the field for a parameter: `X-Trace-Id` in a header gives `x_trace_id`."""
    name = str(parameter.get("name"))
    return name.lower().replace("-", "_") if parameter.get("in") == "header" else name


def parameter_field(parameter: Node) -> Node:
    """A query parameter as the schema of a field. What stands beside its schema is laid over it."""
    schema, own = parameter["schema"], {"x-auto", "x-not-before", "deprecated"}
    words = {key: parameter.value.get(key) for key in (*own, "description", "x-source", "x-name")}
    beside = {key: value for key, value in words.items() if value}
    sources = schema.get("x-source"), parameter.get("x-source")
    if isinstance(sources[0], dict) and isinstance(sources[1], dict):
        beside["x-source"] = {**sources[0], **sources[1]}
    value = {key: value for key, value in schema.value.items() if key not in own}
    holders = {key: parameter.at(key).rpartition("/")[0] for key in (*own, *beside)}
    return evolve(schema, value=value | beside, beside={**schema.beside, **holders})


def params(node: Node) -> str | None:
    """The name of the model of all that a caller gives, or None if that is nothing."""
    fields = own_fields(node)
    return query_name(node) or (fields.schema_name if fields else None)


def outside_of_body(operation: Node) -> Iterator[ir.Parameter]:
    """Where each parameter of a checked operation stands."""
    for each in parameters(operation):
        yield ir.Parameter(field=parameter_name(each), place=each.get("in"), name=each.get("name"))
