"""Which words have an effect, by the kind of object that they stand in.

This is all that a spec may say. A word has an effect if it changes what is generated, or if it is
compared with what the runtime does by itself (`wire`). `description`, `externalDocs.url`, the
summary of the document and an x-source of anything but fields, parameters, signing types, enums and
endpoints are notes for people, who read the spec, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import frozen

from codegen.field_types import label
from codegen.ir import Role, Type


@frozen
class Child:
    """What stands under a word: one object of a kind, several by their names, or a list of them."""

    kind: str
    shape: Literal["one", "named", "each"] = "one"


STRUCTURE: Mapping[str, Mapping[str, Child | None]] = {
    "document": {
        **dict.fromkeys(("openapi", "security", "x-rate-scale", "x-source")),
        "info": Child("info"),
        "servers": Child("server", "each"),
        "tags": Child("tag", "each"),
        "paths": Child("path item", "named"),
        "components": Child("components"),
    },
    "info": dict.fromkeys(("title", "version", "summary", "description", "x-source")),
    "server": dict.fromkeys(("url", "description", "x-name")),
    "tag": dict.fromkeys(("name", "description")),
    "path item": {
        **dict.fromkeys(("get", "post", "put", "patch", "delete"), Child("operation")),
        "parameters": Child("parameter", "each"),
    },
    "operation": {
        **dict.fromkeys(("operationId", "summary", "description", "tags", "x-group", "x-method")),
        **dict.fromkeys(("x-signing-type", "x-signing-scheme", "x-source", "x-pagination")),
        **dict.fromkeys(("x-retry", "x-reconcile", "x-echo", "x-new-id", "x-result", "deprecated")),
        "x-returns": None,
        "externalDocs": Child("externalDocs"),
        "parameters": Child("parameter", "each"),
        "requestBody": Child("request body"),
        "responses": Child("response", "named"),
    },
    "externalDocs": dict.fromkeys(("description", "url")),
    "parameter": dict.fromkeys(
        (
            *("name", "in", "required", "description", "schema", "x-source", "x-auto"),
            *("x-name", "x-not-before", "style", "explode", "deprecated"),
        )
    ),
    "request body": {**dict.fromkeys(("required", "description")), "content": Child("content")},
    "response": {**dict.fromkeys(("description", "x-source")), "content": Child("content")},
    "content": dict.fromkeys(("application/json", "application/problem+json"), Child("media type")),
    "media type": {"schema": None},
    "components": {
        **dict.fromkeys(("schemas", "parameters", "responses", "requestBodies")),
        "securitySchemes": Child("security scheme", "named"),
    },
    "security scheme": dict.fromkeys(("type", "in", "name", "description")),
}
"""The words of every object that is no schema, and what stands under them."""

OBJECT = {"type", "description", "required", "properties"}
PARTED = {*OBJECT, "allOf"}
MODEL = {*OBJECT, "externalDocs", "x-source"}
CONDITIONS = {"oneOf", "anyOf", "if", "then", "dependentRequired"}
ACTION = {
    *("x-batch-action", "x-group", "x-method", "x-retry", "x-reconcile", "x-echo", "x-new-id"),
    "deprecated",
}
SCHEMAS: Mapping[str, set[str]] = {
    "enum": {
        "type",
        "description",
        "enum",
        "x-source",
        "x-enum-names",
        "x-enum-deprecated",
        "x-reasons",
    },
    "model of a request": {*MODEL, *CONDITIONS, "allOf"},
    "action": {*MODEL, *ACTION, *CONDITIONS, "allOf"},
    "model of a response": {*MODEL, "allOf"},
    "part of a model of a request": {*OBJECT, "x-source", "oneOf", "anyOf", "allOf"},
    "part of a model of a response": {*OBJECT, "x-source", "allOf"},
    "signed body": {"description", "allOf"},
    "countersigned body": MODEL,
    "batch": PARTED,
    "list of actions": {"type", "description", "minItems", "maxItems", "items", "x-source"},
    "choice of actions": {"oneOf", "discriminator", "description"},
    "wrapper of an action": OBJECT,
    "type of an action": {"type", "const", "description"},
    "page": PARTED,
    "data to be replaced": {"type", "description", "items"},
    "data that is not handed over": {"description"},
    "any item": set(),
    "envelope": PARTED,
    "acknowledgement": PARTED,
    "holder of a list": {*PARTED, "x-source"},
    "error body": {*PARTED, "x-error"},
    "part of an error body": PARTED,
    "union": {"description", "oneOf", "discriminator"},
    "null": {"type"},
}
"""The words of every schema that is no field."""

FIELD = {"description", "x-source", "x-name", "deprecated"}
OF_TYPE: Mapping[str, set[str]] = {
    "string": {"type", "format"},
    "integer": {"type", "format", "x-unit"},
    "integer as text": {"type", "format", "x-unit"},
    "boolean": {"type", "format"},
    "decimal": {"type", "format", "x-unit"},
    "uuid": {"type", "format"},
    "date_time": {"type", "format"},
    "json": set(),
    "enum": set(),
    "integer_enum": set(),
    "model": set(),
    "union": set(),
    "list": {"type", "items"},
    "map": {"type", "additionalProperties"},
    "tuple": {"type", "prefixItems"},
}
"""The words of a field, beside those of every field, by its type."""

SENT: Mapping[str, set[str]] = {
    "string": {"pattern", "minLength", "maxLength", "default", "x-auto"},
    "integer": {
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "default"),
    },
    "integer as text": {"default"},
    "boolean": {"default"},
    "decimal": {"default"},
    "date_time": {"default"},
    "uuid": {"x-auto"},
    "enum": {"default"},
    "integer_enum": {"default"},
}
"""The words of a field that only a request has: the SDK checks them, or fills them in."""

BESIDE = {"description", "x-source", "x-name", "x-unit", "x-auto", "default", "deprecated"}
"""The words that may stand beside a `$ref` to a schema, or beside a choice of null."""


INSIDE = {"type", "format", "items", "additionalProperties", "prefixItems", "x-unit"}
"""The words of what a list, a map or a tuple holds."""


def field_kind(type_: Type, role: Role, use: str) -> str:
    """The kind of a field, a parameter or a result, by its type."""
    is_list = type_.items is not None and type_.kind == "list"
    name = f"list of {label(type_.items)}" if type_.items and is_list else label(type_)
    return _kind(name, role, use)


def _kind(type_: str, role: Role, use: str) -> str:
    return f"{type_} {use} of a {role}"


def written_out(kind: str) -> str:
    """The kind of a field or a result whose enum or object stands in it, and is no component."""
    return f"{kind}, written out"


def _written_out(kind: str, type_: str, role: Role, words: set[str]) -> dict[str, set[str]]:
    classes = {
        "enum": SCHEMAS["enum"],
        "integer_enum": SCHEMAS["enum"],
        "model": SCHEMAS[f"model of a {role}"] - {"externalDocs"},
        "union": SCHEMAS["union"],
    }
    if type_ not in classes:
        return {}
    own = classes[type_]
    return {written_out(kind): words | own}


def _fields() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    roles: tuple[Role, ...] = ("request", "response")
    lists = {
        f"list of {type_}": OF_TYPE["list"] | (words & {"x-unit"})
        for type_, words in OF_TYPE.items()
    }
    for type_, words in {**OF_TYPE, **lists}.items():
        parameter = _kind(type_, "request", "parameter")
        limits = {"minItems", "maxItems"} if type_ in lists else SENT.get(type_, set())
        found[parameter] = (FIELD | words | limits) - {"x-auto", "deprecated"}
        found |= _written_out(parameter, type_, "request", found[parameter])
        found |= _inside(parameter, type_, "request", words)
        for role in roles:
            one = _kind(type_, role, "field")
            found[one] = FIELD | words | (limits if role == "request" else set())
            found[f"{one}, or null"] = {"oneOf", "anyOf", *(found[one] & BESIDE)}
            found |= _written_out(one, type_, role, found[one])
            found |= _inside(one, type_, role, words)
        result = _kind(type_, "response", "result")
        secret = {"format"} if type_ == "json" else set()
        found[result] = {"description", *(words & (INSIDE - {"x-unit"})), *secret}
        found[f"{result}, or null"] = {"description", "oneOf", "anyOf"}
        found |= _written_out(result, type_, "response", found[result])
        found |= _inside(result, type_, "response", words)
    return found


def _inside(kind: str, type_: str, role: Role, words: set[str]) -> dict[str, set[str]]:
    """The words of what stands in a list, a map or a tuple."""
    own = {"description", *(words & INSIDE)}
    return {
        f"item: {kind}": own,
        f"item: {kind}, or null": {*(own & BESIDE), "oneOf", "anyOf"},
        **_written_out(f"item: {kind}", type_, role, own),
    }


FIELDS: Mapping[str, set[str]] = _fields()
"""The words of fields, parameters and results."""

WORDS: Mapping[str, set[str]] = {
    **{kind: set(words) for kind, words in STRUCTURE.items()},
    **SCHEMAS,
    **FIELDS,
}
"""The words that have an effect, by the kind of object."""

TYPES: Mapping[str, str] = {
    **{kind: "object" for kind, words in WORDS.items() if "properties" in words},
    "list of actions": "array",
    "type of an action": "string",
}
"""The type that a schema must have. A part of an allOf may leave it out."""

WHOLE = {kind for kind in WORDS if kind.startswith(("model of", "action"))} | {
    kind for kind in FIELDS if "properties" in FIELDS[kind]
}
"""The objects that must have a type unless they have an allOf: they are never a part of one alone."""
