"""Rules on operations: their responses, pages, queries, bodies and retry classes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import evolve

from codegen.dialect import LEARN
from codegen.ir import Type
from codegen.read.load import Node, Problem
from codegen.read.methods import SCHEME
from codegen.read.operations import (
    SIGNED,
    content,
    is_batch_list,
    json_schema,
    operations,
    own_fields,
    parameter_name,
    parameters,
    parameters_of_message,
    signed_base,
    success,
    wrappers,
)
from codegen.read.schemas import known_type, properties
from codegen.rules import names
from codegen.rules.forms import (
    SOURCE,
    has_form,
    has_source,
    needed,
    one_line,
    place_in_document,
    source,
)
from codegen.rules.wire import ENVELOPE, compared, is_list

ONE_PAGE = f"only a GET has pages; leave the operation out, {LEARN}"
BY_CALLERS = (
    "; if pages have numbers, or begin behind their last record, leave out x-pagination, keep the parameters, and callers ask"
    " for page after page"
)
PAGES_ASKED = {"cursor", "offset"}
PAGES_ANSWERED = {"next_cursor", "has_more"}
OWN_KEY_ONLY = {"agent_wallet"}
"""Fields of SignedRequest that an operation may have as its own. The account's own key must sign it."""


def _path_parameters(path: str, node: Node) -> Iterator[Problem]:
    """The parameters in the path are those that the path names."""
    named = re.findall(r"\{([^}]*)\}", path)
    found = [each for each in parameters(node) if each.get("in") == "path"]
    for parameter in found:
        if parameter.get("name") not in named:
            yield Problem(
                parameter.pointer,
                f"the path has no {{{parameter.get('name')}}}; write it there, or in: query",
            )
    for name in named:
        if name not in [each.get("name") for each in found] or named.count(name) > 1:
            line = f"{{ name: {name}, in: path, required: true, schema: {{ type: string }} }}"
            advice = f"{name!r} must be one parameter in the path; write {line} and its description"
            yield Problem(node.pointer, advice)


def _operations(root: Node) -> Iterator[Problem]:
    for path, method, operation in operations(root):
        yield from names.place(operation)
        yield from names.identifier(
            f"{operation.pointer}/operationId", operation.get("operationId")
        )
        yield from one_line(operation, "summary")
        yield from place_in_document(operation)
        yield from _responses(operation)
        yield from _unpaged(method, operation)
        if "externalDocs" in operation:
            yield from source(operation, "x-signing-type")
        yield from _path_parameters(path, operation)
        if method == "get":
            yield from _pages(operation)
        else:
            yield from _changing(operation)
        yield from retry(operation)


# -- responses --------------------------------------------------------------------------------


def _responses(node: Node) -> Iterator[Problem]:
    pointer = f"{node.pointer}/responses/200"
    try:
        found = content(node)
    except ValueError as error:
        yield Problem(pointer, str(error))
        return
    if found and found.is_secret and found.type != Type(kind="json"):
        yield Problem(pointer, "a bare secret is supported as JSON without a type only")
    if found is None and "x-pagination" in node:
        yield Problem(pointer, "a list has a result, its records; describe them")
    if found and found.type.kind == "enum":
        yield Problem(pointer, "a response cannot be a bare enum; put it into an object")
    if wrappers(node):
        items = found.type.items if found and found.key is not None else None
        is_list = items is not None and items.kind == "model" and not items.nullable
        result = properties(found.schema["items"]) if found and is_list else {}
        if not {"success", "error"} <= result.keys():
            needed = "a batch responds with a list of results, each with success and error"
            yield Problem(pointer, needed)
        for name in ("success", "error"):
            if name in result:
                yield from compared(result[name], ENVELOPE[name])


def _pages(node: Node) -> Iterator[Problem]:
    """x-pagination names fields of the response and a parameter of the query."""
    if not has_form(node, "x-pagination"):
        return
    pages, pointer = node.get("x-pagination"), f"{node.pointer}/x-pagination"
    schema = json_schema(success(node))
    if schema and is_list(schema):
        yield Problem(pointer, f"the answer is a list, which tells of no next page{BY_CALLERS}")
        return
    for word in pages.keys() & {"items", "next_cursor", "has_more"}:
        if schema is None or str(pages[word]) not in properties(schema):
            told = f"the response has no {pages[word]!r}; name a field that stands at its top"
            told += BY_CALLERS * (word == "next_cursor")
            if "." in str(pages[word]):
                told = f"pages inside of another object are not supported; leave the operation out, {LEARN}"
            yield Problem(f"{pointer}/{word}", told)
    query = {parameter.get("name"): parameter for parameter in parameters(node)}
    for word in sorted(pages.keys() & {"cursor", "offset", "limit"}):
        if (asked := query.get(str(pages[word]))) is None:
            yield Problem(
                f"{pointer}/{word}",
                f"the query has no {pages[word]!r}; name a parameter that it has",
            )
            continue
        kind = asked["schema"].get("type")
        if word == "offset" and kind != "integer":
            yield Problem(
                f"{pointer}/{word}", f"{pages[word]!r} is not an integer; name one that is"
            )
        elif word == "offset" and "page" in str(pages[word]).lower():
            yield Problem(f"{pointer}/{word}", f"a page is no number of records{BY_CALLERS}")
        elif word == "cursor":
            yield from _cursor(asked)
        if word != "limit" and "x-auto" in asked:
            yield Problem(
                f"{asked.pointer}/x-auto", "the list fills it in, page by page; leave it out"
            )


def _cursor(asked: Node) -> Iterator[Problem]:
    """A cursor is passed on as it was received."""
    schema = asked["schema"]
    # Beside a format that is not known it is what it is without one; `generate` warns of it.
    found = known_type(schema)
    plain = evolve(found, format=None) if found else None
    if plain == Type(kind="integer"):
        yield Problem(
            asked.pointer,
            f"a cursor that is an integer is not supported; leave the operation out, {LEARN}",
        )
    elif plain != Type(kind="string") or asked.get("required") or asked.get("in") != "query":
        advice = "a cursor is an optional string of the query, passed on as received"
        yield Problem(asked.pointer, advice)


def _unpaged(method: str, node: Node) -> Iterator[Problem]:
    """A list that comes in pages says how to get the next one. Otherwise the first would be all."""
    schema = json_schema(success(node))
    members = properties(schema) if schema else {}
    words = {*members, *(properties(members["data"]) if "data" in members else ())}
    names = {str(parameter.get("name")) for parameter in parameters(node)}
    found = sorted((words & PAGES_ANSWERED) | (names & PAGES_ASKED))
    if "x-pagination" not in node and found:
        say = "name its fields in x-pagination (by cursor or by offset), or leave it out"
        say = say if method == "get" else ONE_PAGE
        yield Problem(node.pointer, f"{found[0]!r} tells of pages; {say}")


# -- requests ---------------------------------------------------------------------------------


def _changing(node: Node) -> Iterator[Problem]:
    """What is no GET has a body that is signed, or plain, or a batch of signed actions; or none."""
    schema = json_schema(node.child("requestBody"))
    if schema is None:
        if "requestBody" in node:
            told = f"needs an application/json schema; if something else is sent, leave the operation out, {LEARN}"
            yield Problem(f"{node.pointer}/requestBody", told)
        elif "x-signing-type" in node:
            yield Problem(f"{node.pointer}/x-signing-type", "without a body nothing is signed")
        return
    batch = {name: field for name, field in properties(schema).items() if is_batch_list(field)}
    yield from _signed(node, schema, is_batch=len(batch) == 1)
    for name, field in batch.items():
        yield from names.identifier(field.pointer, name)
        if not isinstance(field.get("maxItems"), int):
            yield Problem(
                field.pointer,
                "a batch needs its maxItems; write maxItems: 10, or what the service takes",
            )
    if "x-signing-type" in node and (fields := own_fields(node)) is not None:
        header = Node(node.root, "#", node.root)["components"]["schemas"][SIGNED]
        for name in properties(fields).keys() & properties(header).keys() - OWN_KEY_ONLY:
            yield Problem(
                f"{fields.pointer}/properties/{name}",
                "is also a field of SignedRequest; leave it out",
            )


def _signed(node: Node, schema: Node, *, is_batch: bool) -> Iterator[Problem]:
    signing = node.get("x-signing-type")
    is_signed = signed_base(schema) is not None
    if signing is None:
        if is_signed:
            name = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", str(node.get("operationId"))).lower()
            advice = (
                f"has a signed body but no x-signing-type; write it, like x-signing-type: {name}"
            )
            yield Problem(node.pointer, advice)
        elif not is_batch and (schema.schema_name is None or "properties" not in schema):
            advice = "a body that is not signed must be an object; write a $ref to a component schema without allOf"
            yield Problem(schema.pointer, advice)
        return
    if not has_source(node, "x-signing-type"):
        yield Problem(f"{node.pointer}/x-source", f"a signing type needs its source; {SOURCE}")
    if SCHEME not in node and not is_signed:
        yield Problem(schema.pointer, "a signed body is SignedRequest, alone or in an allOf of two")


def retry(node: Node) -> Iterator[Problem]:
    """The retry class of an operation, or of a schema that is a batch action."""
    value, pointer = node.get("x-retry"), f"{node.pointer}/x-retry"
    yield from needed(node, "x-retry")
    if isinstance(value, dict) and has_form(node, "x-retry"):
        fields = node if "properties" in node else own_fields(node)
        given = parameters_of_message(node)
        outside = {parameter_name(each): each.child("schema") for each in given}
        for name in str(value["by-key"]).split("."):
            fields = outside.pop(name, None) or (properties(fields).get(name) if fields else None)
            if fields is not None:
                yield from names.kept(pointer, name, fields)
        if fields is None or fields.get("format") != "uuid":
            yield Problem(
                pointer,
                f"by-key names no uuid field: {value['by-key']!r}; name one that is sent, with format: uuid",
            )


RULES = (_operations,)
