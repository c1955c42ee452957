"""The house rules of a spec. Every problem is collected, with its JSON pointer; any stops the output.

What OpenAPI itself demands is left to openapi-spec-validator; these are the rules beyond it that
the generator and the runtime rely on. Here are those on the document as a whole; those on its
operations and on its schemas have modules of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from openapi_spec_validator import OpenAPIV31SpecValidator

from codegen import operation_rules, reconcile_rules, schema_rules
from codegen.load import Node, Problem, SpecError
from codegen.rule_parts import holds_properties
from codegen.schemas import SIGNED, walk

SOURCES = {"documented", "observed", "assumed"}
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
    "x-reconcile",
    "x-rate-scale",
}
TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+"
"""What RFC 9110 calls a token."""

Rule = Callable[[Node], Iterator[Problem]]


def check(root: Node, rules: Sequence[Rule] | None = None) -> None:
    """Check a whole spec, by all rules unless some are given.

    Raises:
        SpecError: it breaks a rule; the error holds every problem.
    """
    problems = [*_references(root), *_frame(root)] or [*_circles(root)]
    if not problems:
        problems += _broken(root, rules or (_openapi, *RULES))
    if problems:
        raise SpecError(sorted(set(problems), key=lambda problem: problem.pointer))


def _broken(root: Node, rules: Sequence[Rule]) -> list[Problem]:
    """What the rules find. In a document that one rule refuses, another may not get to its end."""
    problems: list[Problem] = []
    failures: list[Exception] = []
    for rule in rules:
        try:
            problems.extend(rule(root))
        except Exception as failure:
            failures.append(failure)
    if failures and not problems:
        raise failures[0]
    return problems


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


def _frame(root: Node) -> Iterator[Problem]:
    """The parts that every other rule looks into."""
    if not str(root.get("openapi", "")).startswith("3.1."):
        yield Problem("#/openapi", "this is not an OpenAPI 3.1 document")
    for steps in (("paths",), ("components", "schemas"), ("components", "schemas", SIGNED)):
        value: Any = root.value
        for step in steps:
            value = value.get(step) if isinstance(value, dict) else None
        if not isinstance(value, dict):
            yield Problem("/".join(["#", *steps]), "is missing, or not a mapping")


def _circles(root: Node) -> Iterator[Problem]:
    """No schema is made of itself, though it may hold itself in a property."""
    for node in walk(root):
        if isinstance(node.value, dict) and "$ref" in node.value:
            target = Node({"node": node.value}, node.pointer, root.value)["node"]
            yield from _circle(target, ())


def _circle(node: Node, trail: tuple[str, ...]) -> Iterator[Problem]:
    if node.pointer in trail:
        yield Problem(node.pointer, "is made of itself")
        return
    parts = [node["items"]] if "items" in node else []
    for word in ("allOf", "anyOf", "oneOf"):
        parts += node[word].elements() if isinstance(node.get(word), list) else ()
    for part in parts:
        yield from _circle(part, (*trail, node.pointer))


def _openapi(root: Node) -> Iterator[Problem]:
    """OpenAPI 3.1 itself."""
    nodes = list(walk(root))
    try:
        for error in OpenAPIV31SpecValidator(root.value).iter_errors():
            steps = [str(step).replace("~", "~0").replace("/", "~1") for step in error.path]
            end = "".join(f"/{step}" for step in steps)
            at = [node.pointer for node in nodes if node.value == error.instance]
            # The path of an error in a schema begins at that schema, so it is only an end.
            whole = [pointer for pointer in at if pointer.endswith(end)] or [f"#{end}"]
            for pointer in [f"#{end}"] if f"#{end}" in whole else whole:
                yield Problem(pointer, error.message.partition("\n")[0][:300])
    except Exception as error:
        yield Problem("#", f"openapi-spec-validator cannot read it: {error!r}")


def _words(root: Node) -> Iterator[Problem]:
    """No x- word but those of spec/README.md; x-source and x-auto say what they may say."""
    allowed = {"x-source": SOURCES, "x-auto": {"uuid", "account"}}
    for node in walk(root):
        if not isinstance(node.value, dict) or holds_properties(node.pointer):
            continue
        for word, value in node.value.items():
            if word.startswith("x-") and word not in X_WORDS:
                yield Problem(f"{node.pointer}/{word}", "unknown x- word")
            if word in allowed and str(value) not in allowed[word]:
                choice = ", ".join(sorted(allowed[word]))
                yield Problem(f"{node.pointer}/{word}", f"{value!r} is not one of {choice}")


def _security(root: Node) -> Iterator[Problem]:
    """The client has one API key, and sends it in a header."""
    schemes = root["components"].child("securitySchemes")
    for number, (_, scheme) in enumerate(schemes.items() if schemes else ()):
        if number > 0:
            yield Problem(scheme.pointer, "there is another security scheme; one is supported")
        if scheme.get("type") != "apiKey" or scheme.get("in") != "header":
            yield Problem(scheme.pointer, "only an apiKey in a header is supported")
        if not re.fullmatch(TOKEN, name := str(scheme.get("name"))):
            yield Problem(f"{scheme.pointer}/name", f"{name!r} cannot be the name of a header")


def _rate_scale(root: Node) -> Iterator[Problem]:
    """x-rate-scale, which the document as a whole has."""
    for node in walk(root):
        if "x-rate-scale" not in node or holds_properties(node.pointer):
            continue
        scale, pointer = node.get("x-rate-scale"), f"{node.pointer}/x-rate-scale"
        if node.pointer != "#":
            yield Problem(pointer, "stands at the root of the document")
        elif type(scale) is not int or scale < 1:
            yield Problem(pointer, f"{scale!r} is not an integer from 1 on")
        elif "x-source" not in node:
            yield Problem("#/x-source", "a rate scale needs its source")


RULES: tuple[Rule, ...] = (
    _words,
    _security,
    _rate_scale,
    *operation_rules.RULES,
    *reconcile_rules.RULES,
    *schema_rules.RULES,
)
