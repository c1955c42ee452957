"""Reading JSON schemas of a spec: what the checks and the build both need to know."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from codegen.ir import Scalar, Type
from codegen.load import Node

SIGNED = "SignedRequest"
ENVELOPE = {"success", "data", "error", "code"}
SCALARS: dict[tuple[str, str | None], Scalar] = {
    ("string", "decimal"): "decimal",
    ("string", "uuid"): "uuid",
    ("string", "password"): "string",
    ("string", None): "string",
    ("integer", "int64"): "integer",
    ("integer", None): "integer",
    ("boolean", None): "boolean",
}
"""Each scalar, by its JSON type and format."""


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it, references not followed."""
    yield node
    children = (
        node.value.items()
        if isinstance(node.value, dict)
        else enumerate(node.value)
        if isinstance(node.value, list)
        else ()
    )
    for key, value in children:
        step = str(key).replace("~", "~0").replace("/", "~1")
        yield from walk(Node(value, f"{node.pointer}/{step}", node.root))


def operations(root: Node) -> Iterator[tuple[str, str, Node]]:
    """Every operation of a spec: its path, its HTTP method, its node."""
    for path, item in root["paths"].items():
        for method, operation in item.items():
            if method in {"get", "post", "put", "patch", "delete", "head", "options", "trace"}:
                yield path, method, operation


def batch_actions(root: Node) -> Iterator[Node]:
    """The schemas of the actions that a batch may hold."""
    schemas = root["components"]["schemas"]
    return (schema for _, schema in schemas.items() if "x-batch-action" in schema)


def json_schema(node: Node | None) -> Node | None:
    """The JSON schema of a request body or a response."""
    for key in ("content", "application/json", "schema"):
        node = node.child(key) if node else None
    return node


def merged(schema: Node) -> dict[str, Node]:
    """The properties of an object schema, those of its allOf included."""
    properties: dict[str, Node] = {}
    if "allOf" in schema:
        for part in schema["allOf"].elements():
            properties |= merged(part)
    if "properties" in schema:
        properties |= dict(schema["properties"].items())
    return properties


def signed_base(schema: Node) -> Node | None:
    """What a signed body signs: the schema beside SignedRequest, or SignedRequest itself if alone."""
    if schema.schema_name == SIGNED:
        return schema
    parts = list(schema["allOf"].elements()) if "allOf" in schema else []
    if len(parts) == 2 and parts[0].schema_name == SIGNED and parts[1].schema_name:
        return parts[1]
    return None


def own_fields(operation: Node) -> Node | None:
    """The schema of an operation's own fields, or None where it has none."""
    schema = json_schema(operation.child("requestBody"))
    base = signed_base(schema) if schema else None
    return None if base is None or base.schema_name == SIGNED else base


def query_name(operation: Node) -> str | None:
    """The name of the model of a query, or None where an operation has none."""
    if "parameters" not in operation:
        return None
    name = str(operation.get("operationId")).removeprefix("get")
    return f"{name[:1].upper()}{name[1:]}Query"


def parameters(operation: Node) -> list[Node]:
    """The parameters of a query."""
    return list(operation["parameters"].elements()) if "parameters" in operation else []


def parameter_field(parameter: Node) -> Node:
    """A query parameter as the schema of a field, with what stands beside that schema laid over it."""
    beside = {key: parameter.get(key) for key in ("description", "x-source", "x-auto")}
    schema = parameter["schema"]
    value = {**schema.value, **{key: text for key, text in beside.items() if text}}
    return Node(value, schema.pointer, schema.root)


def is_batch_list(field: Node) -> bool:
    """Whether a field is the list of actions of a batch."""
    return "items" in field and "oneOf" in field["items"]


def wrappers(operation: Node) -> list[Node]:
    """The kinds of action that a batch operation wraps; none for any other operation."""
    body = json_schema(operation.child("requestBody"))
    fields = merged(body).values() if body else ()
    return [
        wrapper
        for field in fields
        if is_batch_list(field)
        for wrapper in field["items"]["oneOf"].elements()
    ]


@frozen
class Answer:
    """What an answer holds: its type, the property that holds it, the schema that describes it."""

    type: Type
    key: str | None
    content: Node


def answer(operation: Node) -> Answer | None:
    """What the answer of an operation holds beside its envelope, or None for no more than success.

    That is the records of a page, a value, or the one list of an object.

    Raises:
        ValueError: it is of a kind that a client cannot be generated for.
    """
    responses = operation.child("responses")
    schema = json_schema(responses.child("200")) if responses else None
    if schema is None:
        raise ValueError("needs a 200 with an application/json schema")
    if isinstance(pages := operation.get("x-pagination"), dict):
        listed = merged(schema).get(str(pages.get("items")))
        one = field_type(listed) if listed else None
        if listed is None or one is None or not one.many:
            raise ValueError("x-pagination names no list of the answer")
        return Answer(Type(kind=one.kind, name=one.name), pages["items"], listed)
    content = merged(schema).get("data", schema)
    properties = merged(content)
    if content.get("type") == "object" and properties.keys() <= ENVELOPE:
        return None
    if len(properties) == 1:
        ((key, only),) = properties.items()
        if only.get("type") == "array":
            return Answer(field_type(only), key, only)
    return Answer(field_type(content), None, content)


def field_type(schema: Node) -> Type:
    """The type of a field.

    Raises:
        ValueError: it is of a kind that a client cannot be generated for.
    """
    schema, _ = without_null(schema)
    if not isinstance(schema.value, dict):
        raise ValueError("a schema is a mapping")
    kind = schema.get("type")
    if kind == "array":
        items = field_type(schema["items"]) if "items" in schema else Type(kind="json")
        if items.many:
            raise ValueError("lists of lists are not supported")
        return Type(kind=items.kind, name=items.name, many=True)
    if "enum" in schema or "properties" in schema:
        if schema.schema_name is None:
            raise ValueError("enums and objects must be component schemas")
        return Type(kind="enum" if "enum" in schema else "model", name=schema.schema_name)
    return _scalar(schema, kind)


def _scalar(schema: Node, kind: object) -> Type:
    format_ = schema.get("format")
    for known, name in SCALARS.items():
        if known == (kind, format_):
            return Type(kind=name)
    if kind == "number":
        raise ValueError("numbers are not exact; use a string with format decimal")
    if kind == "null":
        return Type(kind="json")
    if kind is None and not {"oneOf", "anyOf", "allOf"} & schema.value.keys():
        return Type(kind="json")
    said = f" and format {format_!r}" if format_ else ""
    raise ValueError(f"a field of type {kind!r}{said} is not supported")


def without_null(schema: Node) -> tuple[Node, bool]:
    """A schema less its null, and whether it had one: as a type list, or as one of two choices."""
    kinds = schema.get("type")
    if isinstance(kinds, list) and "null" in kinds:
        rest = [kind for kind in kinds if kind != "null"]
        value = {**schema.value, "type": rest[0] if len(rest) == 1 else rest}
        return Node(value, schema.pointer, schema.root), True
    for word in ("oneOf", "anyOf"):
        choices = list(schema[word].elements()) if word in schema else []
        rest = [choice for choice in choices if choice.get("type") != "null"]
        if len(choices) == 2 and len(rest) == 1:
            return rest[0], True
    return schema, False
