"""What a spec says of its operations: their parameters, bodies, batches and answers.

The rules and the build both ask these questions of the tree. The rules also ask them of a spec that
is wrong, so an answer may be None where the part is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from codegen import ir
from codegen.ir import Source, Type
from codegen.read.load import Node, kept, walk
from codegen.read.schemas import (
    field_type,
    is_secret,
    own_properties,
    properties,
    without_null,
)

SIGNED = "SignedRequest"
OUTCOME = {"success", "error", "code"}
"""The fields of an answer that holds no result."""

HTTP_METHODS = {"get", "post", "put", "patch", "delete"}


def operations(root: Node) -> Iterator[tuple[str, str, Node]]:
    """Every operation of a spec: its path, its HTTP method, its node."""
    for path, item in root["paths"].items():
        for method, operation in item.items():
            if method in HTTP_METHODS:
                yield path, method, _with_parameters_of(item, operation)


def _with_parameters_of(item: Node, operation: Node) -> Node:
    """An operation with the parameters of its path behind its own, as references to them."""
    if "parameters" not in item:
        return operation
    shared = [
        {"$ref": f"{item.pointer}/parameters/{index}"}
        for index in range(len(item["parameters"].value))
    ]
    value = {**operation.value, "parameters": [*operation.value.get("parameters", []), *shared]}
    return evolve(operation, value=value)


def json_schema(node: Node | None) -> Node | None:
    """The JSON schema of a request body or a response."""
    return node.below("content", "application/json", "schema") if node else None


def source_of(node: Node, word: str) -> Source:
    """The source of one word of a node: `x-source` names it for the whole node, or word by word."""
    given = node.get("x-source")
    found: Source = (given.get(word) if isinstance(given, dict) else given) or "documented"
    return found


def source_of_endpoint(node: Node) -> Source:
    """Where an endpoint comes from. Beside a section its x-source speaks of other words."""
    found: Source = "documented" if "externalDocs" in node else node.get("x-source")
    return found


def source_of_fields(schema: Node) -> Source:
    """The source of the fields of an object that name none of their own."""
    given = schema.get("x-source")
    # Beside an action it speaks of the signing type; a mapping speaks of single words.
    if "x-batch-action" in schema or isinstance(given, dict):
        return "documented"
    found: Source = given or "documented"
    return found


def section(node: Node) -> str | None:
    """The section of the interface document, or None if it has none."""
    return str(node["externalDocs"].get("description")) if "externalDocs" in node else None


def text(node: Node) -> str:
    """The description of anything, or no text."""
    return str(node.get("description") or "").strip()


# -- signed bodies ----------------------------------------------------------------------------


def signed_base(schema: Node) -> Node | None:
    """The schema that a signed body signs, or None if the body is not signed.

    It is the schema beside SignedRequest, or SignedRequest itself if that stands alone.
    """
    if schema.schema_name == SIGNED:
        return schema
    parts = list(schema["allOf"].elements()) if "allOf" in schema else []
    if len(parts) == 2 and parts[0].schema_name == SIGNED and parts[1].schema_name:
        return parts[1]
    return None


def own_fields(operation: Node) -> Node | None:
    """The schema of the own fields in an operation's body, or None if it has none."""
    schema = json_schema(operation.child("requestBody"))
    if schema is None or wrappers(operation):
        return None
    base = signed_base(schema)
    if base is None and "x-signing-type" not in operation and schema.schema_name:
        return schema
    return None if base is None or base.schema_name == SIGNED else base


# -- batches ----------------------------------------------------------------------------------


def is_batch_list(field: Node) -> bool:
    """Whether a field is the list of actions of a batch: one of several objects that hold data."""
    items = field.child("items")
    return items is not None and any("data" in own_properties(each) for each in items.each("oneOf"))


def wrappers(operation: Node) -> list[Node]:
    """The schemas that wrap an action each, if the operation is a batch."""
    body = json_schema(operation.child("requestBody"))
    found = batch_list(body) if body else None
    return list(found[1]["items"]["oneOf"].elements()) if found else []


def action_of(wrapper: Node) -> Node | None:
    """The schema of the own fields of the action that a wrapper wraps, or None if it wraps no signed body."""
    data = properties(wrapper).get("data")
    return signed_base(data) if data else None


def batch_list(body: Node) -> tuple[str, Node] | None:
    """The field of a body that is the list of actions of a batch, with its name."""
    for name, field in properties(body.quiet).items():
        if is_batch_list(field):
            return name, properties(body)[name]
    return None


def batch_actions(root: Node) -> Iterator[Node]:
    """The schemas of the actions that a batch may hold."""
    schemas = root["components"]["schemas"]
    return (schema for _, schema in schemas.items() if "x-batch-action" in schema)


def standalone_actions(root: Node) -> dict[str, Node]:
    """The operations that also send a batch action alone, by the pointer of the action's schema."""
    actions = {schema.pointer for schema in batch_actions(root)}
    bodies = [(own_fields(node), node) for _, _, node in operations(root)]
    return {body.pointer: node for body, node in bodies if body and body.pointer in actions}


# -- responses --------------------------------------------------------------------------------


@frozen
class Content:
    """The content of a response: its type, the property that holds it, the schema that describes it."""

    type: Type
    key: str | None
    schema: Node
    nullable: bool = False

    @property
    def is_secret(self) -> bool:
        """Whether it is, or holds, texts or JSON with `format: password`."""
        return is_secret(self.schema)


def success(operation: Node) -> Node | None:
    """The response of success: the one with a status of 2xx, and a body if any of them has one."""
    responses = operation.child("responses")
    found = [each for status, each in responses.items() if status[:1] == "2"] if responses else []
    return next((each for each in found if "content" in each), found[0] if found else None)


def content(operation: Node) -> Content | None:
    """What a response holds beside its envelope, or None if it says no more than success.

    That is the records of a page, a value, or the only list of an object. With `x-result: none`
    nothing of it counts.

    Raises:
        ValueError: The generator does not support such a response.
    """
    response = success(operation)
    schema = json_schema(response)
    if schema is None:
        if response and response.pointer.endswith("/204") and "content" not in response:
            return None
        raise ValueError(
            "needs application/json with a schema under 200, 201 or 202, or a 204 without content, whichever the service"
            " answers; if it answers otherwise, the SDK cannot tell success, so leave the operation out"
        )
    if "x-result" in operation:
        return None
    if isinstance(pages := operation.get("x-pagination"), dict):
        listed = properties(schema).get(str(pages.get("items")))
        one = field_type(listed) if listed else None
        if listed is None or one is None or one.items is None or one.kind != "list":
            raise ValueError("x-pagination names no list of the response")
        if without_null(listed)[1]:
            raise ValueError("the records of a page cannot be null; leave null out")
        return Content(one.items, pages["items"], listed)
    data = properties(schema).get("data", schema)
    fields = properties(data)
    if "success" in fields and fields.keys() <= OUTCOME:
        return None
    if without_null(data)[1]:
        return Content(field_type(data), None, data, nullable=True)
    if len(fields) == 1:
        ((key, only),) = fields.items()
        if field_type(only).kind == "list":
            if without_null(only)[1]:
                raise ValueError("the only list of an answer cannot be null; leave null out")
            return Content(field_type(only), key, only)
    return Content(field_type(data), None, data)


def content_path(operation: Node, found: Content) -> tuple[str, ...]:
    """The members of the documented answer that lead to its content."""
    schema = json_schema(success(operation))
    has_data = schema is not None and "data" in properties(schema)
    envelope = ("data",) if has_data and "x-pagination" not in operation else ()
    return (*envelope, found.key) if found.key else envelope


def known_content(operation: Node) -> Content | None:
    """The content of a response, or None also if the generator does not support it."""
    try:
        return content(operation)
    except ValueError:
        return None


# -- parameters, in the path and the query --------------------------------------------------------


def operation_name(operation: Node) -> str:
    """What the class of a query begins with: `getLoans` -> `Loans`."""
    name = str(operation.get("operationId")).removeprefix("get")
    return f"{name[:1].upper()}{name[1:]}"


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
    """The name of its field: its own, or in the path, where no name is sent, its x-name."""
    in_path = parameter.get("in") == "path"
    return str((in_path and parameter.get("x-name")) or parameter.get("name"))


def path_of(path: str, operation: Node) -> str:
    """The path of an operation, with the names of the fields that stand in it."""
    for each in parameters(operation):
        if each.get("in") == "path":
            path = path.replace(f"{{{each.get('name')}}}", f"{{{parameter_name(each)}}}")
    return path


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
        yield ir.Parameter(name=parameter_name(each), place=each.get("in"))
