"""Rules on responses: what each status means, what a refusal says, and how `x-reasons` tells why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from codegen.dialect import LEARN
from codegen.read.api import REASONS
from codegen.read.classes import enums
from codegen.read.load import Node, Problem, escaped
from codegen.read.operations import json_schema, known_content, operations
from codegen.read.schemas import properties
from codegen.rules.forms import has_form
from codegen.rules.wire import ENVELOPE, Member, compared, is_object

# -- statuses ---------------------------------------------------------------------------------------


DIFFERENT = (
    "differs from another success, and the SDK reads one result; if the service answers both, leave the operation out,"
    f" {LEARN}"
)
LACKING = "lacks the result that another success has; leave it out if the service never answers so, else leave the operation out"


def _statuses(root: Node) -> Iterator[Problem]:
    """The SDK knows what every documented status means, and all statuses of success have the same answer."""
    for _, _, operation in operations(root):
        shapes: list[Any] = []
        lacking: list[str] = []
        for status, response in operation.named("responses").items():
            pointer = f"{operation.at('responses')}/{status}"
            if status == "204" and "content" in response:
                yield Problem(response.at("content"), "a 204 has no content; write 200")
            elif status[:1] == "2" and (schema := json_schema(response)):
                shapes.append(schema.value)
                if schema.value != shapes[0]:
                    yield Problem(pointer, DIFFERENT)
            elif status[:1] == "2" and (status != "204" or known_content(operation)):
                lacking.append(pointer)
        for pointer in lacking if shapes else ():
            yield Problem(pointer, LACKING)


# -- error bodies -----------------------------------------------------------------------------------


ERROR: Mapping[str, Member] = {
    **ENVELOPE,
    "success": Member(("boolean",), {"const": False}),
    "data": Member(("null",)),
}
"""What the answer to a refused request may hold."""

ELSEWHERE = (
    "the SDK reads the text of a refusal in error, and its code in code, at the top; leave this out here, and"
    f" `ApiError.body` has it nevertheless, {LEARN}"
)


def _errors(root: Any) -> Iterator[Problem]:
    """The SDK knows every member of an error body. `ApiError.body` has the rest."""
    for _, _, operation in operations(root):
        for status, response in operation.named("responses").items():
            schema = None if status.startswith("2") else json_schema(response)
            if schema and not isinstance(schema.value, dict):
                yield Problem(schema.place, "must be a mapping")
            elif schema:
                yield from _members(schema)


def _members(schema: Node) -> Iterator[Problem]:
    yield from is_object(schema)
    for name, node in properties(schema).items():
        if name in ERROR and isinstance(node.value, dict) and "properties" not in node:
            yield from compared(node, ERROR[name])
        else:
            for word in node.value if isinstance(node.value, dict) else ():
                node.get(word)  # nothing more is to be said of it
            yield Problem(node.place, ELSEWHERE)


# -- reasons ----------------------------------------------------------------------------------------


def _one(root: Node) -> Iterator[Problem]:
    """One enum of strings has the reasons: each of its values, and no other."""
    found = [schema for schema in enums(root).values() if REASONS in schema]
    for schema in found:
        pointer, given = f"{schema.pointer}/{REASONS}", schema.get(REASONS)
        if schema is not found[0]:
            yield Problem(pointer, "another enum has the reasons; write them all there")
        elif schema.get("type") != "string":
            yield Problem(pointer, "the enum must be of strings")
        elif has_form(schema, REASONS):
            values = schema.get("enum")
            for value in values:
                if value not in given:
                    yield Problem(
                        pointer, f"lacks {value!r}, a value of the enum; say how it is recognised"
                    )
            yield from _recognised(root, pointer, given)


def _recognised(root: Node, pointer: str, given: Mapping[str, Any]) -> Iterator[Problem]:
    seen: dict[object, str] = {}
    ids = {node.get("operationId") for _, _, node in operations(root)}
    for value, reason in given.items():
        at = f"{pointer}/{escaped(value)}"
        problems = list(_operations(at, reason, ids))
        yield from problems
        for sign in () if problems else _signs(reason):
            first = seen.setdefault(sign, value)
            if first != value:
                yield Problem(
                    at, f"{sign[-1]!r} also stands for {first!r}; leave it out of one of them"
                )


def _signs(reason: Mapping[str, Any]) -> Iterator[tuple[object, ...]]:
    """What a reason is recognised by, so that two that are the same are equal."""
    yield from (("text", text.casefold()) for text in reason.get("texts", ()))
    yield from (("code", *code) for code in reason.get("codes", {}).items())
    yield from (("status", status) for status in reason.get("statuses", ()))


def _operations(at: str, reason: Mapping[str, Any], ids: set[object]) -> Iterator[Problem]:
    """The operations that a reason names are there."""
    for key in reason.get("codes", {}).keys() - ids:
        yield Problem(
            f"{at}/codes/{escaped(key)}", "there is no such operation; write an operationId"
        )
    named = {*reason.get("operations", ())}
    if named and "statuses" not in reason:
        yield Problem(f"{at}/operations", "must be a list of operationIds, beside statuses")
    elif missing := named - ids:
        yield Problem(
            f"{at}/operations", f"there is no operation {min(missing)!r}; write an operationId"
        )


BODIES = (_errors,)
RULES = (_statuses, *BODIES, _one)
