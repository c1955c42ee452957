"""Rules on `x-reasons`: every reason for a refusal is recognised by something, and nothing by two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from codegen.read.api import REASONS
from codegen.read.classes import enums
from codegen.read.load import Node, Problem, escaped
from codegen.read.operations import operations
from codegen.rules.forms import has_form


def _one(root: Node) -> Iterator[Problem]:
    """One enum of strings has the reasons: each of its values, and no other."""
    found = [schema for schema in enums(root)[0].values() if REASONS in schema]
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
            for value in given.keys() - {*values}:
                yield Problem(
                    f"{pointer}/{escaped(value)}", f"the enum has no value {value!r}; leave it out"
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


RULES = (_one,)
