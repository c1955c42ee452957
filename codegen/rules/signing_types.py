"""Rules on signing types: what is signed for one operation is no message of another one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.load import Node, Problem
from codegen.spec import batch_actions, operations, own_fields, standalone_actions


def _types(root: Node) -> Iterator[Problem]:
    """Each signing type stands for one message. A signature covers the type, but not the path."""
    seen: dict[object, str] = {}
    for pointer, type_, message in _messages(root):
        if seen.setdefault(type_, message) != message:
            told = "a signature does not cover the path, so each would take what was signed for the other"
            yield Problem(pointer, f"{type_!r} is the type of {seen[type_]}, too; {told}")


def _messages(root: Node) -> Iterator[tuple[str, object, str]]:
    """Where each signing type stands, and its message: a path without its version, or an action."""
    paths: dict[str, str] = {}
    for path, _, operation in operations(root):
        message = re.sub("/v[0-9]+(?=/)", "", path)
        fields = own_fields(operation)
        if fields is not None:
            paths[fields.pointer] = message
        if "x-signing-type" in operation:
            yield f"{operation.pointer}/x-signing-type", operation.get("x-signing-type"), message
    alone = standalone_actions(root)
    for action in batch_actions(root):
        given = action.get("x-batch-action")
        if isinstance(given, dict) and "signing-type" in given:
            message = paths[action.pointer] if action.pointer in alone else str(action.schema_name)
            yield f"{action.pointer}/x-batch-action/signing-type", given["signing-type"], message


RULES = (_types,)
