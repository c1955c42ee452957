"""Rules on `x-reasons`: every reason for a refusal is recognised by something, and nothing by two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from codegen.read.api import REASONS
from codegen.read.classes import enums
from codegen.read.load import Node, Problem, escaped
from codegen.read.operations import operations

SIGNS = ("texts", "codes", "statuses")
KEYS = {*SIGNS, "operations", "as-status", "description", "x-source"}
CLASSES = (401, 403, 404, 409, 422, 429)
"""The statuses whose errors have a class of their own."""


def _one(root: Node) -> Iterator[Problem]:
    """One enum of strings has the reasons: each of its values, and no other."""
    found = [schema for schema in enums(root)[0].values() if REASONS in schema]
    for schema in found:
        pointer, given = f"{schema.pointer}/{REASONS}", schema.get(REASONS)
        if schema is not found[0]:
            yield Problem(pointer, "another enum has the reasons; write them all there")
        elif schema.get("type") != "string":
            yield Problem(pointer, "the enum must be of strings")
        elif not isinstance(given, dict):
            yield Problem(pointer, "must be a mapping of values to how each is recognised")
        else:
            values = schema.get("enum")
            for value in values:
                if value not in given:
                    yield Problem(pointer, f"lacks {value!r}, a value of the enum")
            for value in given.keys() - {*values}:
                yield Problem(f"{pointer}/{escaped(value)}", f"the enum has no value {value!r}")
            yield from _recognised(root, pointer, given)


def _recognised(root: Node, pointer: str, given: Mapping[str, Any]) -> Iterator[Problem]:
    seen: dict[object, str] = {}
    ids = {node.get("operationId") for _, _, node in operations(root)}
    for value, reason in given.items():
        at = f"{pointer}/{escaped(value)}"
        problems = list(_shape(at, reason, ids))
        yield from problems
        for sign in () if problems else _signs(reason):
            first = seen.setdefault(sign, value)
            if first != value:
                yield Problem(at, f"{sign[-1]!r} also stands for {first!r}")


def _signs(reason: Mapping[str, Any]) -> Iterator[tuple[object, ...]]:
    """What a reason is recognised by, so that two that are the same are equal."""
    yield from (("text", text.casefold()) for text in reason.get("texts", ()))
    yield from (("code", *code) for code in reason.get("codes", {}).items())
    yield from (("status", status) for status in reason.get("statuses", ()))


def _shape(at: str, reason: Any, ids: set[object]) -> Iterator[Problem]:
    if not isinstance(reason, dict):
        yield Problem(at, "must be a mapping")
        return
    for key in sorted(reason.keys() - KEYS):
        yield Problem(f"{at}/{escaped(key)}", "has no effect on a reason; leave it out")
    if not str(reason.get("description") or "").strip():
        yield Problem(at, "needs a description")
    if not reason.keys() & {*SIGNS}:
        yield Problem(at, f"needs one of {', '.join(SIGNS)}, by which it is recognised")
    texts, codes = reason.get("texts", ["?"]), reason.get("codes", {"": 0})
    if not _is_list(texts, str) or any(each != each.strip() or not each for each in texts):
        yield Problem(f"{at}/texts", "must be a list of how error texts begin")
    if not isinstance(codes, dict) or not _is_list(list(codes.values()), (int, str)):
        yield Problem(f"{at}/codes", "must be a mapping of operationIds to codes")
    else:
        for key in codes.keys() - ids - {""}:
            yield Problem(f"{at}/codes/{escaped(key)}", "there is no such operation")
    statuses = reason.get("statuses", [400])
    if not _is_list(statuses, int) or any(not 400 <= each < 600 for each in statuses):
        yield Problem(f"{at}/statuses", "must be a list of statuses from 400 to 599")
    operations = reason.get("operations", ["?"])
    is_beside = "operations" not in reason or "statuses" in reason
    if not _is_list(operations, str) or not is_beside:
        yield Problem(f"{at}/operations", "must be a list of operationIds, beside statuses")
    elif missing := {*operations} - ids - {"?"}:
        yield Problem(f"{at}/operations", f"there is no operation {min(missing)!r}")
    if reason.get("as-status", 401) not in CLASSES:
        yield Problem(f"{at}/as-status", f"must be one of {', '.join(map(str, CLASSES))}")


def _is_list(value: object, types: type | tuple[type, ...]) -> bool:
    """Whether something is a list of such values that is not empty. A boolean is no integer."""
    return (
        isinstance(value, list)
        and value != []
        and all(isinstance(each, types) and not isinstance(each, bool) for each in value)
    )


RULES = (_one,)
