"""Rules on error bodies: their text and their code stand where the SDK is told to look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from codegen.read.errors import PROBLEM, PROBLEM_MEMBERS, WORD, paths
from codegen.read.load import Node, Problem
from codegen.read.operations import operations
from codegen.read.schemas import parts, properties
from codegen.rules.forms import has_form
from codegen.rules.wire import ENVELOPE, NULLABLE_TEXT, Member, compared, is_object

TEXT = Member(("string", NULLABLE_TEXT))
ERROR: Mapping[str, Member] = {
    **ENVELOPE,
    "success": Member(("boolean",), {"const": False}),
    "data": Member(("null",)),
}
"""What the answer to a refused request may hold beside what `x-error` names."""

JSON = "application/json"
_PROBLEM: Mapping[str, Member] = {
    **dict.fromkeys(PROBLEM_MEMBERS, TEXT),
    "code": ENVELOPE["code"],
    "status": Member(("integer",), {"format": "int32"}),
}
OTHER = (
    "the SDK does not read it in an error body; leave it out, or let x-error name it as the text or the"
    " code"
)


def _errors(root: Any) -> Iterator[Problem]:
    """The SDK knows where an error body has its text and its code. `ApiError.body` has the rest."""
    for _, _, operation in operations(root):
        yield from _misplaced(operation.below("requestBody"))
        for status, response in operation.named("responses").items():
            if status.startswith("2"):
                yield from _misplaced(response)
                continue
            content = response.named("content")
            if len(content) > 1:
                yield Problem(
                    response.at("content"), "choose one type of content; leave out the others"
                )
            for type_, media in content.items():
                schema = media.below("schema") if type_ in (JSON, PROBLEM) else None
                if schema:
                    yield from _body(schema, is_problem=type_ == PROBLEM)


def _misplaced(holder: Node | None) -> Iterator[Problem]:
    """Only a refusal is a problem."""
    if holder and (problem := holder.named("content").get(PROBLEM)):
        yield Problem(problem.place, "is for refusals; write application/json")


def _body(schema: Node, *, is_problem: bool) -> Iterator[Problem]:
    if not isinstance(schema.value, dict):
        yield Problem(schema.place, "must be a mapping")
        return
    given = schema.get(WORD, {})
    if given and not has_form(schema, WORD):
        return
    for key, path in given.items():
        if _at(schema, path) is None:
            told = f"{path!r} leads to no property; write names, joined by dots"
            yield Problem(f"{schema.at(WORD)}/{key}", told)
    found = paths(schema, is_problem=is_problem)
    known = {**(_PROBLEM if is_problem else ERROR)}
    known |= {path: TEXT for path in found["text"] if WORD in schema}
    known |= {path: ENVELOPE["code"] for path in found["code"] if path not in known}
    yield from _level(schema, known)


def _at(schema: Node, path: str) -> Node | None:
    """The node that a path leads to."""
    node: Node | None = schema
    for name in path.split("."):
        node = properties(node).get(name) if node and isinstance(node.value, dict) else None
    return node


def _level(schema: Node, known: Mapping[str, Member]) -> Iterator[Problem]:
    """The members of an object. One that holds what is known by a path is an object, too."""
    for name, node in properties(schema).items():
        inside = {
            path.partition(".")[2]: member
            for path, member in known.items()
            if path.startswith(f"{name}.")
        }
        if inside and isinstance(node.value, dict):
            yield from _nested(node)
            yield from _level(node, inside)
        elif name in known and node.get("type") == "object":
            yield Problem(node.place, _named(name, node))
            for member in properties(node).values():
                member.get("type")  # nothing more is to be said of it
        elif name in known:
            yield from compared(node, known[name])
        else:
            yield Problem(node.place, OTHER)
    yield from is_object(schema)
    for part in parts(schema):
        for name in part.get("required", ()):
            if name not in properties(schema):
                yield Problem(
                    part.at("required"), f"there is no property {name!r}; leave it out, or write it"
                )


def _named(name: str, node: Node) -> str:
    """What to write where an error is an object."""
    usual = ("message", "text", "detail")
    text = next((each for each in usual if each in properties(node)), "MEMBER")
    words = {"text": f"{name}.{text}"}
    words |= {"code": f"{name}.code"} if "code" in properties(node) else {}
    told = ", ".join(f"{word}: {path}" for word, path in words.items())
    return f"is an object; name the members that hold the text and the code: {WORD}: {{ {told} }}"


def _nested(node: Node) -> Iterator[Problem]:
    """An object in an error body has no words but those of an object."""
    if node.get("type") != "object":
        yield Problem(node.at("type"), "must be object")
    for word in node.value.keys() - {"type", "description", "required", "properties"}:
        yield Problem(node.at(word), "has no effect here, the SDK does not read it; leave it out")


RULES = (_errors,)
