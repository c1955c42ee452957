"""Schemas: the properties of objects, unions of several objects, the names of their classes, the types of fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import attrs

from codegen.ir import Type
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


# -- the types of fields --------------------------------------------------------------------------


SCALARS: dict[tuple[str, str | None], Type] = {
    ("string", None): Type(kind="string"),
    ("string", "decimal"): Type(kind="decimal"),
    ("string", "uuid"): Type(kind="uuid"),
    ("string", "password"): Type(kind="string"),
    ("string", "date-time"): Type(kind="date_time"),
    ("string", "int64"): Type(kind="integer", as_text=True),
    ("string", "int32"): Type(kind="integer", as_text=True, bits=32),
    ("integer", None): Type(kind="integer"),
    ("integer", "int64"): Type(kind="integer"),
    ("integer", "int32"): Type(kind="integer", bits=32),
    ("boolean", None): Type(kind="boolean"),
}
"""Each scalar, by its JSON type and format. Another format is read as if it were not there."""


def field_type(schema: Node) -> Type:
    """The type of a field.

    Raises:
        ValueError: The generator does not support the type.
    """
    schema, _ = without_null(schema)
    if not isinstance(schema.value, dict):
        raise ValueError("a schema must be a mapping")
    kind = schema.quiet.get("type")
    if kind != "null" and not is_union(schema):
        kind = schema.get("type")
    if kind == "array" and "prefixItems" in schema:
        return _tuple(schema)
    if kind == "array":
        return Type(kind="list", items=_part(schema, "items"))
    if kind == "object" and "additionalProperties" in schema and "properties" not in schema:
        return Type(kind="map", items=_part(schema, "additionalProperties"))
    if is_union(schema) or "enum" in schema or "properties" in schema or properties(schema):
        name = class_name(schema)
        if name is None:
            raise ValueError(
                "such an enum or object must be a component schema; write a $ref to it"
            )
        if is_union(schema):
            return Type(kind="union", name=name)
        enum: Literal["enum", "integer_enum"] = "integer_enum" if kind == "integer" else "enum"
        return Type(kind=enum if "enum" in schema else "model", name=name)
    return _scalar(schema, kind)


def _part(schema: Node, word: str) -> Type:
    """The type of what a list or a map holds."""
    return _inside(schema[word]) if word in schema else Type(kind="json")


def _tuple(schema: Node) -> Type:
    """The type of a list whose members each have a type of their own."""
    given = schema.value["prefixItems"]
    if not isinstance(given, list) or not given:
        raise ValueError("prefixItems must be a list of schemas")
    members = [
        attrs.evolve(_inside(each), description=str(each.get("description") or "").strip())
        for each in schema["prefixItems"].elements()
    ]
    return Type(kind="tuple", members=tuple(members))


def _inside(schema: Node) -> Type:
    """A type that stands in another one."""
    type_ = field_type(schema)
    plain, is_nullable = without_null(schema)
    unit = (schema.get("x-unit") or plain.get("x-unit")) if has_unit(type_) else None
    return attrs.evolve(type_, nullable=is_nullable, unit=unit)


def has_unit(type_: Type) -> bool:
    """Whether a value is a number, or a list of numbers."""
    one = type_.items if type_.kind == "list" and type_.items else type_
    return one.kind in ("integer", "decimal")


def _scalar(schema: Node, kind: object) -> Type:
    is_known = any(kind == type_ for type_, _ in SCALARS)
    format_ = schema.get("format") if is_known else schema.value.get("format")
    for (type_, known), found in SCALARS.items():
        if (kind, format_) == (type_, known):
            if found.bits and schema.value.get("x-unit") == "ms":
                raise ValueError("a time in ms needs 64 bits; if it is none, say `duration in ms`")
            return found
    if isinstance(format_, str) and is_known:
        return _unformatted(schema, str(kind), format_)
    if kind == "number":
        raise ValueError(
            "a number is not exact; write { type: string, format: decimal, x-unit: ... }, or type: integer"
        )
    if kind == "null":
        return Type(kind="json")
    if kind == "object":
        instead = "write its additionalProperties, or leave out the type to get it as parsed JSON"
        raise ValueError(f"an object without properties is not supported; {instead}")
    if "oneOf" in schema or "anyOf" in schema:
        advice = "name what tells them apart in a discriminator, or leave out the choice to get parsed JSON"
        raise ValueError(f"a choice of shapes is not supported by itself; {advice}")
    if kind is None and not {"oneOf", "anyOf", "allOf"} & schema.value.keys():
        return Type(kind="json")
    if "allOf" in schema:
        raise ValueError(
            "only objects consist of parts; beside a $ref a description may stand alone"
        )
    with_format = f" and format {format_!r}" if format_ else ""
    told = f"a field of type {kind!r}{with_format} is not supported"
    raise ValueError(f"{told}; write one type, perhaps beside 'null', or none to get parsed JSON")


def _unformatted(schema: Node, kind: str, format_: str) -> Type:
    """A scalar of a format that the generator does not know, which is read as if it had none."""
    if not re.fullmatch("[A-Za-z0-9][A-Za-z0-9._-]*", format_):
        raise ValueError(f"{format_!r} is not the name of a format")
    if kind == "string" and "x-unit" in schema:
        advice = (
            "a text with an x-unit is a decimal: write format: decimal, or leave out the x-unit"
        )
        raise ValueError(f"the format {format_!r} is not known; {advice}")
    return attrs.evolve(SCALARS[kind, None], format=format_)


def label(type_: Type) -> str:
    """What people and tables call a type: its kind, or how an integer stands in JSON."""
    return "integer as text" if type_.as_text else type_.kind


def is_secret(schema: Node) -> bool:
    """Whether a value is a secret, or holds one in a list, a map or a tuple."""
    plain, _ = without_null(schema)
    is_text = "password" in (schema.quiet.get("format"), plain.quiet.get("format"))
    return is_text or any(map(is_secret, held(plain)))


def classes_in(schema: Node) -> Iterator[Node]:
    """The schemas of the enums, objects and unions that a value is, or holds in a list, a map or a tuple."""
    plain, _ = without_null(schema)
    type_ = known_type(plain)
    if type_ and type_.name:
        yield plain
    for part in held(plain) if type_ else ():
        yield from classes_in(part)


def held(schema: Node) -> list[Node]:
    """The schemas of what a list, a map or a tuple holds."""
    type_ = known_type(schema)
    if type_ and type_.kind == "tuple":
        return list(schema["prefixItems"].elements())
    word = {"list": "items", "map": "additionalProperties"}.get(type_.kind if type_ else "", "")
    return [schema[word]] if word in schema else []


def known_type(schema: Node) -> Type | None:
    """The type of a field, or None if the generator does not support it.

    For callers that need not report the type, because another rule does.
    """
    try:
        return field_type(schema)
    except ValueError:
        return None


def without_null(schema: Node) -> tuple[Node, bool]:
    """A schema without its null, and whether it had one: in a type list, or as one of two choices."""
    kinds = schema.quiet.get("type")
    if isinstance(kinds, list) and "null" in kinds:
        rest = [kind for kind in kinds if kind != "null"]
        value = {**schema.value, "type": rest[0] if len(rest) == 1 else rest}
        return attrs.evolve(schema, value=value), True
    if is_union(schema):
        return schema, len(choices(schema)) < len(schema["oneOf"].value)
    for word in ("oneOf", "anyOf"):
        given = list(schema.quiet[word].elements()) if word in schema else []
        rest = [index for index, each in enumerate(given) if each.get("type") != "null"]
        if len(given) == 2 and len(rest) == 1:
            schema[word][1 - rest[0]].get("type")
            return schema[word][rest[0]], True
    return schema, False
