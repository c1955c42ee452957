"""The house rules of a spec. Every problem is collected, with its JSON pointer; any stops the output.

What OpenAPI itself demands is left to openapi-spec-validator; these are the rules beyond it that
the generator and the runtime rely on.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator
from typing import Any

from openapi_spec_validator import OpenAPIV31SpecValidator

from codegen.load import Node, Problem, SpecError
from codegen.schemas import (
    SIGNED,
    field_type,
    is_batch_list,
    json_schema,
    merged,
    operations,
    own_fields,
    signed_base,
    walk,
)

METHODS = {"get", "post"}
SOURCES = {"documented", "observed", "assumed"}
RETRIES = {"safe", "idempotent", "never"}
X_WORDS = {
    "x-signing-type",
    "x-source",
    "x-pagination",
    "x-retry",
    "x-batch-action",
    "x-unit",
    "x-group",
    "x-method",
    "x-auto",
}
PAGE_NAMES = {"items", "cursor", "next_cursor", "has_more"}
# Names that every class of the generated package already has, or that its annotations use.
TAKEN_FIELDS = {"self", "int", "str", "bool", "Any", "Sequence", "Decimal", "UUID", "Unset"}
TAKEN_GROUPS = {"api", "account_address", "close", "explain", "from_env"} | {
    "call",
    "paginate",
    "batch",
    "act",
    "own_account",
}

Rule = Callable[[Node], Iterator[Problem]]


def check(root: Node) -> None:
    """Check a whole spec.

    Raises:
        SpecError: it breaks a rule; the error holds every problem.
    """
    problems = list(_references(root))
    if not problems:
        problems += _openapi(root)
        try:
            for rule in RULES:
                problems.extend(rule(root))
        except (AttributeError, KeyError, TypeError, ValueError):
            if not problems:
                raise
    if problems:
        raise SpecError(sorted(set(problems), key=lambda p: p.pointer))


def _references(root: Node) -> Iterator[Problem]:
    """References stay within the file and lead somewhere; keys are strings."""
    for node in walk(root):
        if isinstance(node.value, dict):
            for key in node.value:
                if not isinstance(key, str):
                    yield Problem(node.pointer, f"the key {key!r} is not a string")
            if "$ref" in node.value:
                try:
                    Node({"node": node.value}, node.pointer, root.value)["node"]
                except SpecError as error:
                    yield Problem(node.pointer, error.problems[0].message)


def _openapi(root: Node) -> Iterator[Problem]:
    """OpenAPI 3.1 itself."""
    if not str(root.get("openapi", "")).startswith("3.1."):
        yield Problem("#/openapi", "this is not an OpenAPI 3.1 document")
        return
    for error in OpenAPIV31SpecValidator(root.value).iter_errors():
        steps = (str(step).replace("~", "~0").replace("/", "~1") for step in error.absolute_path)
        yield Problem("/".join(["#", *steps]), error.message.partition("\n")[0][:300])


def _words(root: Node) -> Iterator[Problem]:
    """No x- word but those of spec/README.md; x-source and x-auto say what they may say."""
    allowed = {"x-source": SOURCES, "x-auto": {"uuid", "account"}}
    for node in walk(root):
        if not isinstance(node.value, dict) or node.pointer.endswith("/properties"):
            continue
        for word, value in node.value.items():
            if word.startswith("x-") and word not in X_WORDS:
                yield Problem(f"{node.pointer}/{word}", "unknown x- word")
            if word in allowed and value not in allowed[word]:
                choice = ", ".join(sorted(allowed[word]))
                yield Problem(f"{node.pointer}/{word}", f"{value!r} is not one of {choice}")


def _operations(root: Node) -> Iterator[Problem]:
    tags = {tag["name"] for tag in root.get("tags", [])}
    names: set[tuple[str, str]] = set()
    tag_of: dict[str, str] = {}
    for path, method, operation in operations(root):
        if method not in METHODS:
            yield Problem(operation.pointer, f"only {' and '.join(sorted(METHODS))} are supported")
            continue
        if not re.fullmatch(r"(/[A-Za-z0-9_.-]+)+", path) or ".." in path:
            yield Problem(operation.pointer, "the path may hold plain segments only")
        yield from _operation(operation)
        group, name = operation.get("x-group"), operation.get("x-method")
        if (group, name) in names:
            yield Problem(operation.pointer, f"client.{group}.{name} stands here twice")
        names.add((group, name))
        used = operation.get("tags") or [None]
        if len(used) != 1 or used[0] not in tags:
            yield Problem(f"{operation.pointer}/tags", "needs exactly one tag, declared in #/tags")
        elif tag_of.setdefault(group, used[0]) != used[0]:
            yield Problem(f"{operation.pointer}/tags", f"x-group {group} has another tag elsewhere")
    for schema in _batch_actions(root):
        name = (schema.get("x-group"), schema.get("x-method"))
        if name in names:
            yield Problem(schema.pointer, f"client.{name[0]}.{name[1]} stands here twice")


def _operation(node: Node) -> Iterator[Problem]:
    yield from _placed(node)
    yield from _identifier(f"{node.pointer}/operationId", node.get("operationId"))
    yield from _one_line(node, "summary")
    yield from _section(node)
    yield from _result(node)
    if node.pointer.endswith("/get"):
        if "x-signing-type" in node:
            yield Problem(f"{node.pointer}/x-signing-type", "a GET carries no signature")
        yield from _pages(node)
    else:
        yield from _body(node)
    yield from _retry(node)


def _placed(node: Node) -> Iterator[Problem]:
    """x-group and x-method, which become names that users type."""
    for word in ("x-group", "x-method"):
        value = node.get(word)
        if not isinstance(value, str) or not re.fullmatch("[a-z][a-z0-9_]*", value):
            yield Problem(f"{node.pointer}/{word}", f"{value!r} is not a name in snake_case")
        elif keyword.iskeyword(value) or (word == "x-group" and value in TAKEN_GROUPS):
            yield Problem(f"{node.pointer}/{word}", f"{value!r} is a name that is taken")


def _section(node: Node) -> Iterator[Problem]:
    docs = node.get("externalDocs") or {}
    if not str(docs.get("description", "")).startswith("Section"):
        yield Problem(f"{node.pointer}/externalDocs", "must name its section, like 'Section 4.1'")


def _one_line(node: Node, word: str) -> Iterator[Problem]:
    text = node.get(word)
    if not isinstance(text, str) or not text.strip() or "\n" in text.strip():
        yield Problem(f"{node.pointer}/{word}", "must be one line of text")


def _identifier(pointer: str, name: object) -> Iterator[Problem]:
    if not isinstance(name, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
        yield Problem(pointer, f"{name!r} is not an identifier")
    elif keyword.iskeyword(name):
        yield Problem(pointer, f"{name!r} is a keyword")


def _result(node: Node) -> Iterator[Problem]:
    if json_schema(node["responses"].child("200")) is None:
        yield Problem(f"{node.pointer}/responses", "needs a 200 with an application/json schema")


def _pages(node: Node) -> Iterator[Problem]:
    names = node.get("x-pagination")
    if names is None:
        return
    pointer = f"{node.pointer}/x-pagination"
    if not isinstance(names, dict) or set(names) != PAGE_NAMES:
        yield Problem(pointer, f"must name {', '.join(sorted(PAGE_NAMES))}")
        return
    schema = json_schema(node["responses"].child("200"))
    answered = merged(schema) if schema else {}
    for word in ("items", "next_cursor", "has_more"):
        if names[word] not in answered:
            yield Problem(f"{pointer}/{word}", f"the answer has no {names[word]!r}")
    queried = {parameter["name"].value for parameter in node["parameters"].elements()}
    if names["cursor"] not in queried:
        yield Problem(f"{pointer}/cursor", f"the query has no {names['cursor']!r}")


def _body(node: Node) -> Iterator[Problem]:
    """A POST is signed as a whole and says so, or it is a batch of signed actions."""
    schema = json_schema(node.child("requestBody"))
    if schema is None:
        yield Problem(f"{node.pointer}/requestBody", "needs an application/json schema")
        return
    signing = node.get("x-signing-type")
    is_signed = signed_base(schema) is not None
    if signing is not None and not (isinstance(signing, str) and signing.isidentifier()):
        yield Problem(f"{node.pointer}/x-signing-type", f"{signing!r} is not an operation type")
    if signing is not None and "x-source" not in node:
        yield Problem(f"{node.pointer}/x-source", "a signing type needs its source")
    if signing is not None and not is_signed:
        yield Problem(schema.pointer, "a signed body is SignedRequest, alone or in an allOf of two")
    if signing is None and is_signed:
        yield Problem(node.pointer, "has a signed body and no x-signing-type")
    batch = [field for field in merged(schema).values() if is_batch_list(field)]
    if signing is None and not is_signed and len(batch) != 1:
        yield Problem(node.pointer, "is neither signed nor a batch of signed actions")
    for field in batch:
        if not isinstance(field.get("maxItems"), int):
            yield Problem(field.pointer, "a batch needs its maxItems")
    if (fields := own_fields(node)) is not None:
        signed = Node(node.root, "#", node.root)["components"]["schemas"][SIGNED]
        for name in merged(fields).keys() & merged(signed).keys():
            yield Problem(f"{fields.pointer}/properties/{name}", "is a field of SignedRequest, too")


def _retry(node: Node) -> Iterator[Problem]:
    """x-retry, on an operation or on a schema that is a batch action."""
    retry, pointer = node.get("x-retry"), f"{node.pointer}/x-retry"
    if isinstance(retry, dict) and set(retry) == {"by-key"}:
        fields = node if "properties" in node else own_fields(node)
        for name in str(retry["by-key"]).split("."):
            fields = merged(fields).get(name) if fields else None
        if fields is None or fields.get("format") != "uuid":
            yield Problem(pointer, f"by-key names no uuid field: {retry['by-key']!r}")
    elif retry not in RETRIES:
        yield Problem(pointer, f"must be one of {', '.join(sorted(RETRIES))}, or by-key: FIELD")


def _batch_actions(root: Node) -> Iterator[Node]:
    schemas = root["components"]["schemas"]
    return (schema for _, schema in schemas.items() if "x-batch-action" in schema)


def _actions(root: Node) -> Iterator[Problem]:
    """A batch action says its type and signing type, and agrees with its wrapper and operation."""
    wrapped = {}
    types = {}
    for _, _, operation in operations(root):
        body = json_schema(operation.child("requestBody"))
        fields = own_fields(operation)
        if fields is not None and "x-signing-type" in operation:
            types[fields.pointer] = operation.get("x-signing-type")
        for field in merged(body).values() if body else ():
            for wrapper in field["items"]["oneOf"].elements() if is_batch_list(field) else ():
                base = signed_base(wrapper["properties"]["data"])
                if base is None:
                    yield Problem(wrapper.pointer, "the data of an action must be signed")
                else:
                    wrapped[base.pointer] = wrapper["properties"]["type"].get("const")
    for schema in _batch_actions(root):
        word, pointer = schema.get("x-batch-action"), f"{schema.pointer}/x-batch-action"
        if not isinstance(word, dict) or set(word) != {"type", "signing-type"}:
            yield Problem(pointer, "must say type and signing-type")
            continue
        if wrapped.pop(schema.pointer, None) != word["type"]:
            yield Problem(pointer, f"no batch wraps it as {word['type']!r}")
        if types.get(schema.pointer, word["signing-type"]) != word["signing-type"]:
            yield Problem(pointer, "its operation has another signing type")
        if schema.pointer not in types:
            yield from _placed(schema)
            yield from _section(schema)
            yield from _retry(schema)
        if "x-source" not in schema:
            yield Problem(f"{schema.pointer}/x-source", "a signing type needs its source")
    for pointer in wrapped:
        yield Problem(pointer, "is wrapped in a batch and has no x-batch-action")


def _schemas(root: Node) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for name, schema in root["components"]["schemas"].items():
        if not re.fullmatch("[A-Z][A-Za-z0-9]*", name) or keyword.iskeyword(name):
            yield Problem(schema.pointer, f"{name!r} is not a name in PascalCase")
        if seen.setdefault(name.lower(), name) != name:
            yield Problem(
                schema.pointer, f"{name!r} differs from {seen[name.lower()]!r} by case only"
            )
        if not schema.get("description"):
            yield Problem(schema.pointer, "has no description")
        for required in schema.get("required", []):
            if required not in merged(schema):
                yield Problem(f"{schema.pointer}/required", f"there is no property {required!r}")
        if "enum" in schema:
            yield from _enum(schema)
        for field_name, field in schema["properties"].items() if "properties" in schema else ():
            yield from _field(field_name, field, f"{schema.pointer}/properties/{field_name}")


def _enum(schema: Node) -> Iterator[Problem]:
    members: set[str] = set()
    for index, value in enumerate(schema.get("enum")):
        pointer = f"{schema.pointer}/enum/{index}"
        if not isinstance(value, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", value):
            yield Problem(pointer, f"{value!r} cannot be the name of a member")
        elif value.upper() in members:
            yield Problem(pointer, f"{value!r} stands there twice")
        else:
            members.add(value.upper())


def _parameters(root: Node) -> Iterator[Problem]:
    for _, _, operation in operations(root):
        for parameter in operation["parameters"].elements() if "parameters" in operation else ():
            if parameter.get("in") != "query":
                yield Problem(parameter.pointer, "only query parameters are supported")
            field = Node(
                {**parameter["schema"].value, "description": parameter.get("description")},
                parameter.pointer,
                root.value,
            )
            yield from _field(parameter.get("name"), field, parameter.pointer)


def _field(name: Any, field: Node, pointer: str) -> Iterator[Problem]:
    yield from _identifier(pointer, name)
    if name in TAKEN_FIELDS:
        yield Problem(pointer, f"{name!r} is a name that is taken")
    if not field.get("description") and field.schema_name is None:
        yield Problem(pointer, "has no description")
    if is_batch_list(field) or signed_base(field):
        return
    try:
        kind = field_type(field)
    except ValueError as error:
        yield Problem(pointer, str(error))
        return
    if kind.kind == "decimal" and "x-unit" not in field:
        yield Problem(pointer, "a decimal needs its x-unit")


RULES: tuple[Rule, ...] = (_words, _operations, _actions, _schemas, _parameters)
