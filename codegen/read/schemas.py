"""Schemas of objects: their properties, unions of several objects, and the names of their classes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.read.load import Node

DISCRIMINATOR = "discriminator"

STEPS = {"items": "Item", "additionalProperties": "Value"}
"""What is added to the name for a step of the pointer."""
PARTS = {"allOf", "oneOf", "anyOf"}
"""Words whose parts have no name of their own."""
RESULT = ("content", "application~1json", "schema")


# -- objects ----------------------------------------------------------------------------------


def properties(schema: Node) -> dict[str, Node]:
    """The properties of an object schema, including those of its allOf."""
    return {name: field for part in parts(schema) for name, field in own_properties(part).items()}


def own_properties(schema: Node) -> dict[str, Node]:
    """The properties of an object schema without those of its allOf."""
    return schema.named("properties")


def required(schema: Node) -> set[str]:
    """The properties that an object always has."""
    return {str(name) for part in parts(schema) for name in part.get("required") or ()}


def parts(schema: Node) -> Iterator[Node]:
    """The schemas that an object consists of: those of its allOf, then itself."""
    for part in schema.each("allOf"):
        yield from parts(part)
    yield schema


# -- unions: a oneOf of objects that a discriminator tells apart -------------------------------


def is_union(schema: Node) -> bool:
    """Whether a schema is a union. The choice of actions of a batch, which may have the word, is none."""
    found = choices(schema.quiet) if DISCRIMINATOR in schema else []
    return bool(found) and not any("data" in own_properties(each) for each in found)


def choices(schema: Node) -> list[Node]:
    """The schemas of the objects, without null."""
    return [each for each in schema.each("oneOf") if each.get("type") != "null"]


def discriminator(schema: Node) -> str | None:
    """The property that tells the objects apart. None if the spec does not say it."""
    given = schema.get(DISCRIMINATOR)
    name = given.get("propertyName") if isinstance(given, dict) else None
    return name if isinstance(name, str) else None


def discriminator_values(schema: Node) -> dict[str, str]:
    """Value of that property -> the name of its schema. OpenAPI takes the names where nothing is mapped."""
    given = schema.get(DISCRIMINATOR)
    mapping = given.get("mapping") if isinstance(given, dict) else None
    if isinstance(mapping, dict):
        return {str(value): str(name).rpartition("/")[2] for value, name in mapping.items()}
    return {name: name for each in choices(schema) if (name := each.schema_name)}


# -- the names of classes ---------------------------------------------------------------------


def class_name(schema: Node) -> str | None:
    """The name of the class of a schema: that of its component, or one made of where it stands.

    `CreatePlan.limits`, written out, is `CreatePlanLimits`; the items of its list `legs` are
    `CreatePlanLegsItem`. The pointer says it all, so that no name has to be kept. None where nothing
    has a name.
    """
    head, *steps = schema.pointer.split("/")
    match head, *steps:
        case "#", "components", "schemas", name, *rest:
            return name + _named(rest)
        case "#", "components", "responses", name, *rest:
            return name + _named(_result(rest))
        case "#", "components", "parameters", name, "schema", *rest:
            return name + _named(rest)
        case "#", "paths", path, method, "responses", _, *rest:
            return f"{_operation(schema, path, method)}Result{_named(_result(rest))}"
        case "#", "paths", path, method, "parameters", index, "schema", *rest:
            operation = _at(schema, path, method)
            name = _words(str(operation["parameters"][int(index)].get("name")))
            return f"{_operation(schema, path, method)}Query{name}{_named(rest)}"
        case "#", "paths", path, "parameters", index, "schema", *rest:
            item = Node(schema.root, "#", schema.root)["paths"][_plain(path)]
            name = _words(str(item["parameters"][int(index)].get("name")))
            return f"{name}Parameter{_named(rest)}"
    return None


def operation_name(operation: Node) -> str:
    """What the classes of an operation begin with: `getLoans` -> `Loans`."""
    name = str(operation.get("operationId")).removeprefix("get")
    return f"{name[:1].upper()}{name[1:]}"


def _operation(schema: Node, path: str, method: str) -> str:
    return operation_name(_at(schema, path, method))


def _at(schema: Node, path: str, method: str) -> Node:
    paths = Node(schema.root, "#", schema.root)["paths"]
    return paths[_plain(path)][method]


def _result(steps: list[str]) -> list[str]:
    """The steps within an answer, without those to its JSON and to the data in its envelope."""
    steps = steps[len(RESULT) :]
    while steps[:1] and steps[0] in PARTS:
        steps = steps[2:]
    return steps[2:] if steps[:2] == ["properties", "data"] else steps


def _named(steps: list[str]) -> str:
    match steps:
        case "properties", name, *rest:
            return _words(_plain(name)) + _named(rest)
        case "prefixItems", index, *rest:
            return f"Part{int(index) + 1}{_named(rest)}"
        case word, _, *rest if word in PARTS:
            return _named(rest)
        case word, *rest:
            return STEPS.get(word, _words(word)) + _named(rest)
    return ""


def _plain(step: str) -> str:
    """A step of a pointer without its escapes."""
    return step.replace("~1", "/").replace("~0", "~")


def _words(name: str) -> str:
    """`is-touched` -> `IsTouched`."""
    return "".join(word[:1].upper() + word[1:] for word in re.split("[^A-Za-z0-9]+", name))
