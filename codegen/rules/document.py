"""Rules on the document as a whole: references, ids, sources, the rate scale, servers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from codegen import ir
from codegen.read.load import Node, Problem, SpecError, walk
from codegen.read.operations import SIGNED, operations
from codegen.rules.forms import has_source, holds_properties, source

RATE_WORDS = ("x-rate-scale", "x-rate-headers")
NOT_BESIDE = {"required", "null"}
"""What an x-source may speak of although it stands elsewhere: whether a field may be absent or null."""


# -- checked first, because the other rules rely on them --------------------------------------


def references(root: Node) -> Iterator[Problem]:
    """Every reference points to a part of the file. Every key is a string."""
    for node in walk(root):
        if isinstance(node.value, dict):
            for key in node.value:
                if not isinstance(key, str):
                    yield Problem(
                        node.pointer, f"the key {key!r} is not a string; put it in quotes"
                    )
            if "$ref" in node.value:
                try:
                    _target(node, root)
                except SpecError as error:
                    yield Problem(node.pointer, error.problems[0].message)


def frame(root: Node) -> Iterator[Problem]:
    """The parts that every other rule looks into are there."""
    if not str(root.get("openapi", "")).startswith("3.1."):
        yield Problem("#/openapi", "this is not an OpenAPI 3.1 document; write openapi: 3.1.0")
    needed = [("paths",), ("components", "schemas")]
    if any("x-signing-type" in node or "x-batch-action" in node for node in walk(root)):
        needed.append(("components", "schemas", SIGNED))
    for steps in needed:
        value: Any = root.value
        for step in steps:
            value = value.get(step) if isinstance(value, dict) else None
        if not isinstance(value, dict):
            yield Problem("/".join(["#", *steps]), "is missing, or not a mapping")


def circles(root: Node) -> Iterator[Problem]:
    """No schema consists of itself. It may hold itself in a property."""
    for node in walk(root):
        if isinstance(node.value, dict) and "$ref" in node.value:
            yield from _circle(_target(node, root), ())


def _circle(node: Node, trail: tuple[str, ...]) -> Iterator[Problem]:
    if node.pointer in trail:
        yield Problem(node.pointer, "consists of itself; leave this part out")
        return
    parts = [node["items"]] if "items" in node else []
    for word in ("allOf", "anyOf", "oneOf"):
        parts += node[word].elements() if isinstance(node.get(word), list) else ()
    for part in parts:
        yield from _circle(part, (*trail, node.pointer))


def _target(node: Node, root: Node) -> Node:
    """The node that a reference points to."""
    return Node({"node": node.value}, node.pointer, root.value)["node"]


# -- the rules --------------------------------------------------------------------------------


def _ids(root: Node) -> Iterator[Problem]:
    """Each operation has an id of its own."""
    seen: dict[object, str] = {}
    for _, _, operation in operations(root):
        given = operation.get("operationId")
        if seen.setdefault(given, operation.pointer) != operation.pointer:
            yield Problem(operation.at("operationId"), f"{given!r} is that of {seen[given]}, too")


def _sources(root: Node) -> Iterator[Problem]:
    """x-source speaks of words that stand beside it."""
    for node in walk(root):
        if "x-source" not in node or holds_properties(node.pointer):
            continue
        given = node.value.get("x-source")
        # The words of a parameter may stand in its schema.
        schema = node.value.get("schema")
        words = {*NOT_BESIDE, *node.value, *(schema if isinstance(schema, dict) else ())}
        for word in given if isinstance(given, dict) else ():
            if word not in words:
                yield Problem(
                    f"{node.pointer}/x-source/{word}",
                    f"there is no {word!r} beside it; leave it out, or write the word",
                )


def _rate_limits(root: Node) -> Iterator[Problem]:
    """What the document says of rate limits has its source."""
    given = [word for word in RATE_WORDS if word in root]
    if not given:
        yield from source(root, RATE_WORDS[0])
    for word in given:
        if not has_source(root, word):
            advice = f"{word} needs its source; write x-source: {{ {word}: observed }}"
            yield Problem("#/x-source", advice)


def _rate_headers(root: Node) -> Iterator[Problem]:
    """The budget and the policy stand in two headers, whose names differ by more than case."""
    given = root.get("x-rate-headers")
    names = {**attrs.asdict(ir.RateHeaders()), **(given if isinstance(given, dict) else {})}
    if str(names["budget"]).lower() == str(names["policy"]).lower():
        advice = f"budget and policy need a header each, and {names['budget']!r} is both"
        yield Problem("#/x-rate-headers", advice)


def _servers(root: Node) -> Iterator[Problem]:
    """Several servers have names. One alone may have none: then users write its URL themselves."""
    servers = root.each("servers")
    seen: set[object] = set()
    for server in servers:
        name = server.get("x-name")
        if name is None:
            if len(servers) > 1:
                advice = "give each of several servers an x-name, by which users choose it"
                yield Problem(server.place, advice)
        elif name in seen:
            yield Problem(server.at("x-name"), f"another server is {name!r}, too")
        seen.add(name)


RULES = (_ids, _sources, _rate_limits, _rate_headers, _servers)
