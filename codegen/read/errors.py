"""Where the answer to a refused request holds its text and its code: `x-error`, problem+json, or `error` and `code`."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.ir import ErrorBody, Refusals
from codegen.read.load import Node
from codegen.read.operations import json_schema
from codegen.read.schemas import properties

WORD = "x-error"
PROBLEM = "application/problem+json"
PROBLEM_MEMBERS = ("type", "title", "status", "detail", "instance")
"""The members that RFC 9457 gives a problem."""

_PLAIN = ErrorBody()
_WORDS = Refusals().words


def error_body(operation: Node) -> ErrorBody:
    """Where all the documented refusals of an operation hold them. What envelopes have comes last."""
    text: list[str] = []
    code: list[str] = []
    members: list[str] = []
    for response in _refusals(operation):
        found, is_problem = schema_of_refusal(response)
        given = paths(found, is_problem=is_problem)
        text += given["text"]
        code += given["code"]
        members += [*(PROBLEM_MEMBERS if is_problem else ()), *_names(found)]
    return ErrorBody(
        text=tuple(dict.fromkeys((*text, *_PLAIN.text))),
        code=tuple(dict.fromkeys((*code, *_PLAIN.code))),
        members=tuple(dict.fromkeys(name for name in members if name not in _WORDS)),
    )


def schema_of_refusal(response: Node) -> tuple[Node | None, bool]:
    """The schema of an error body, if it has one, and whether it is that of a problem+json."""
    content = response.child("content")
    problem = content.child(PROBLEM) if content else None
    return (problem.child("schema"), True) if problem else (json_schema(response), False)


def paths(schema: Node | None, *, is_problem: bool) -> dict[str, list[str]]:
    """The paths to the text and to the code of one error body, the best first."""
    usual = {"text": ["error"], "code": ["code"]}
    if is_problem:
        own = schema is not None and "code" in properties(schema)
        usual = {"text": ["detail", "title"], "code": ["code"] if own else ["type"]}
    given = schema.get(WORD) if schema is not None else None
    named = given if isinstance(given, dict) else {}
    return {key: [named[key]] if key in named else usual[key] for key in usual}


def _refusals(operation: Node) -> Iterator[Node]:
    for status, response in operation["responses"].items():
        if not status.startswith("2"):
            yield response


def _names(schema: Node | None) -> Iterator[str]:
    """The properties of an object, and those of the objects in it."""
    for name, each in properties(schema).items() if schema is not None else ():
        yield name
        yield from _names(each)
