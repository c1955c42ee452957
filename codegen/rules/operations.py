"""House rules on operations, their parameters and the actions of batches."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from codegen import python
from codegen.load import Node, Problem
from codegen.rule_parts import identifier, one_line, section
from codegen.schemas import (
    SIGNED,
    answer,
    batch_actions,
    is_batch_list,
    json_schema,
    merged,
    operations,
    own_fields,
    parameters,
    query_name,
    signed_base,
    wrappers,
)

METHODS = {"get", "post"}
RETRIES = {"safe", "idempotent", "never"}
PAGE_NAMES = {"items", "cursor", "next_cursor", "has_more"}
TAKEN_GROUPS = {
    *("account_address", "acknowledge", "api", "cached_property", "clock_skew", "close"),
    *("explain", "from_env", "rate_budget", "reconcile", "unsettled"),
}
"""The public names of the runtime's BaseClient, and what the class of the client uses."""


def _operations(root: Node) -> Iterator[Problem]:
    for path, item in root["paths"].items():
        if "parameters" in item:
            yield Problem(f"{item.pointer}/parameters", "parameters stand in the operations")
        if not re.fullmatch(r"(/[A-Za-z0-9_.-]+)+", path) or ".." in path:
            yield Problem(item.pointer, "the path may hold plain segments only")
    for _, method, operation in operations(root):
        if method not in METHODS:
            yield Problem(operation.pointer, f"only {' and '.join(sorted(METHODS))} are supported")
            continue
        yield from _placed(operation)
        yield from identifier(f"{operation.pointer}/operationId", operation.get("operationId"))
        yield from one_line(operation, "summary")
        yield from section(operation)
        yield from _answers(operation)
        if method == "get":
            yield from _unsigned(operation)
            yield from _pages(operation)
        else:
            yield from _body(operation)
            yield from _retry(operation)


def _names(root: Node) -> Iterator[Problem]:
    """Places on the client, and the names of classes and constants that follow from them."""
    tags = {tag["name"] for tag in root.get("tags", [])}
    seen: dict[str, str] = {}
    tag_of: dict[str, str] = {}
    placed = [operation for _, _, operation in operations(root)]
    actions = [action for action in batch_actions(root) if "x-group" in action]
    groups = {str(node.get("x-group")) for node in placed}
    for node in [*placed, *actions]:
        group, method = str(node.get("x-group")), str(node.get("x-method"))
        if seen.setdefault(python.constant(group, method), node.pointer) != node.pointer:
            yield Problem(node.pointer, f"client.{group}.{method} stands here twice")
        if seen.setdefault(python.pascal(group), group) != group:
            yield Problem(f"{node.pointer}/x-group", f"{group!r} is too like another x-group")
        if python.pascal(group) in python.taken_names():
            yield Problem(f"{node.pointer}/x-group", f"{group!r} is a name that is taken")
        if group not in groups:
            yield Problem(f"{node.pointer}/x-group", "no operation has this x-group")
    for node in placed:
        group, used = str(node.get("x-group")), node.get("tags") or [""]
        if len(used) != 1 or used[0] not in tags:
            yield Problem(f"{node.pointer}/tags", "needs exactly one tag, declared in #/tags")
        elif tag_of.setdefault(group, used[0]) != used[0]:
            yield Problem(f"{node.pointer}/tags", f"x-group {group} has another tag elsewhere")
        query = query_name(node)
        if query and seen.setdefault(query, node.pointer) != node.pointer:
            yield Problem(f"{node.pointer}/operationId", f"there is a {query} elsewhere")


def _placed(node: Node) -> Iterator[Problem]:
    """x-group and x-method, which become names that users type."""
    taken = {"x-group": TAKEN_GROUPS, "x-method": set(python.BUILTINS)}
    for word, names in taken.items():
        value = node.get(word)
        if not isinstance(value, str) or not re.fullmatch("[a-z][a-z0-9_]*", value):
            yield Problem(f"{node.pointer}/{word}", f"{value!r} is not a name in snake_case")
        elif keyword.iskeyword(value) or value in names:
            yield Problem(f"{node.pointer}/{word}", f"{value!r} is a name that is taken")


# -- answers ----------------------------------------------------------------------------------


def _answers(node: Node) -> Iterator[Problem]:
    for status in node.get("responses", ()):
        if not re.fullmatch("[1-5][0-9]{2}", status):
            yield Problem(f"{node.pointer}/responses", f"{status!r} is not one status")
    try:
        found = answer(node)
    except ValueError as error:
        yield Problem(f"{node.pointer}/responses/200", str(error))
        return
    if found and found.type.kind == "enum":
        yield Problem(f"{node.pointer}/responses/200", "an answer cannot be an enum alone")
    if wrappers(node):
        is_list = found is not None and found.key is not None and found.type.kind == "model"
        result = merged(found.content["items"]) if found and is_list else {}
        if not {"success", "error"} <= result.keys():
            said = "a batch answers with a list of results, each with success and error"
            yield Problem(f"{node.pointer}/responses/200", said)


def _pages(node: Node) -> Iterator[Problem]:
    names = node.get("x-pagination")
    if names is None:
        return
    pointer = f"{node.pointer}/x-pagination"
    if not isinstance(names, dict) or set(names) != PAGE_NAMES:
        yield Problem(pointer, f"must name {', '.join(sorted(PAGE_NAMES))}")
        return
    responses = node.child("responses")
    schema = json_schema(responses.child("200")) if responses else None
    answered = merged(schema) if schema else {}
    for word in ("items", "next_cursor", "has_more"):
        if str(names[word]) not in answered:
            yield Problem(f"{pointer}/{word}", f"the answer has no {names[word]!r}")
    if str(names["cursor"]) not in [parameter.get("name") for parameter in parameters(node)]:
        yield Problem(f"{pointer}/cursor", f"the query has no {names['cursor']!r}")


# -- requests ---------------------------------------------------------------------------------


def _unsigned(node: Node) -> Iterator[Problem]:
    if "x-signing-type" in node:
        yield Problem(f"{node.pointer}/x-signing-type", "a GET carries no signature")
    if "requestBody" in node:
        yield Problem(f"{node.pointer}/requestBody", "a GET carries no body")
    if node.get("x-retry") != "safe":
        yield Problem(f"{node.pointer}/x-retry", "must be safe, because a GET can be repeated")
    names: set[str] = set()
    for parameter in parameters(node):
        if parameter.get("in") != "query":
            yield Problem(parameter.pointer, "only query parameters are supported")
        if not isinstance(parameter.get("schema"), dict):
            yield Problem(parameter.pointer, "needs a schema")
        if parameter.get("name") in names:
            yield Problem(parameter.pointer, f"{parameter.get('name')!r} stands in the query twice")
        names.add(parameter.get("name"))


def _body(node: Node) -> Iterator[Problem]:
    """A POST is signed as a whole and says so, or it is a batch of signed actions."""
    if "parameters" in node:
        yield Problem(f"{node.pointer}/parameters", "a POST has no query")
    if "x-pagination" in node:
        yield Problem(f"{node.pointer}/x-pagination", "only a GET is read page by page")
    schema = json_schema(node.child("requestBody"))
    if schema is None:
        yield Problem(f"{node.pointer}/requestBody", "needs an application/json schema")
        return
    batch = {name: field for name, field in merged(schema).items() if is_batch_list(field)}
    yield from _signed(node, schema, is_batch=len(batch) == 1)
    for name, field in batch.items():
        yield from identifier(field.pointer, name)
        if not isinstance(field.get("maxItems"), int):
            yield Problem(field.pointer, "a batch needs its maxItems")
    if (fields := own_fields(node)) is not None:
        signed = Node(node.root, "#", node.root)["components"]["schemas"][SIGNED]
        for name in merged(fields).keys() & merged(signed).keys():
            yield Problem(f"{fields.pointer}/properties/{name}", "is a field of SignedRequest, too")


def _signed(node: Node, schema: Node, *, is_batch: bool) -> Iterator[Problem]:
    signing = node.get("x-signing-type")
    is_signed = signed_base(schema) is not None
    if signing is None:
        if is_signed:
            yield Problem(node.pointer, "has a signed body and no x-signing-type")
        elif not is_batch:
            yield Problem(node.pointer, "is neither signed nor a batch of signed actions")
        return
    if not (isinstance(signing, str) and signing.isidentifier()):
        yield Problem(f"{node.pointer}/x-signing-type", f"{signing!r} is not an operation type")
    if "x-source" not in node:
        yield Problem(f"{node.pointer}/x-source", "a signing type needs its source")
    if not is_signed:
        yield Problem(schema.pointer, "a signed body is SignedRequest, alone or in an allOf of two")


def _retry(node: Node) -> Iterator[Problem]:
    """x-retry, on an operation or on a schema that is a batch action."""
    retry, pointer = node.get("x-retry"), f"{node.pointer}/x-retry"
    if isinstance(retry, dict) and set(retry) == {"by-key"}:
        fields = node if "properties" in node else own_fields(node)
        for name in str(retry["by-key"]).split("."):
            fields = merged(fields).get(name) if fields else None
        if fields is None or fields.get("format") != "uuid":
            yield Problem(pointer, f"by-key names no uuid field: {retry['by-key']!r}")
    elif str(retry) not in RETRIES:
        yield Problem(pointer, f"must be one of {', '.join(sorted(RETRIES))}, or by-key: FIELD")


# -- batches ----------------------------------------------------------------------------------


def _actions(root: Node) -> Iterator[Problem]:
    """A batch action says its type and signing type, and agrees with its wrapper and operation."""
    wrapped: dict[str, object] = {}
    for _, _, operation in operations(root):
        yield from _wrapped(operation, wrapped)
    bodies = [(own_fields(node), node.get("x-signing-type")) for _, _, node in operations(root)]
    types = {fields.pointer: type_ for fields, type_ in bodies if fields is not None}
    for schema in batch_actions(root):
        pointer = schema.pointer
        yield from _action(schema, wrapped.pop(pointer, None), types.get(pointer))
        if pointer not in types:
            yield from _placed(schema)
            yield from section(schema)
            yield from _retry(schema)
    for pointer in wrapped:
        yield Problem(pointer, "is wrapped in a batch and has no x-batch-action")


def _wrapped(operation: Node, wrapped: dict[str, object]) -> Iterator[Problem]:
    """Note the type of each action that an operation wraps, by the pointer of its own fields."""
    for wrapper in wrappers(operation):
        yield from one_line(wrapper, "description")
        fields = merged(wrapper)
        base = signed_base(fields["data"]) if fields.keys() == {"type", "data"} else None
        if base is None:
            yield Problem(wrapper.pointer, "an action is its type and its signed data")
        elif base.pointer in wrapped:
            yield Problem(wrapper.pointer, "the same action is wrapped elsewhere")
        else:
            wrapped[base.pointer] = fields["type"].get("const")


def _action(schema: Node, type_: object, signing_type: object) -> Iterator[Problem]:
    word, pointer = schema.get("x-batch-action"), f"{schema.pointer}/x-batch-action"
    if not isinstance(word, dict) or set(word) != {"type", "signing-type"}:
        yield Problem(pointer, "must say type and signing-type")
        return
    for key, text in word.items():
        if not isinstance(text, str) or (key == "signing-type" and not text.isidentifier()):
            yield Problem(f"{pointer}/{key}", f"{text!r} is not an operation type")
    if type_ != word["type"]:
        yield Problem(pointer, f"no batch wraps it as {word['type']!r}")
    if signing_type not in (None, word["signing-type"]):
        yield Problem(pointer, "its operation has another signing type")
    if "x-source" not in schema:
        yield Problem(f"{schema.pointer}/x-source", "a signing type needs its source")


RULES = (_operations, _names, _actions)
