"""Rules on what is signed: a signing type stands for one message, and two keys sign as a scheme says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.read.load import Node, Problem
from codegen.read.operations import (
    batch_actions,
    operations,
    own_fields,
    standalone_actions,
)


def _types(root: Node) -> Iterator[Problem]:
    """Each signing type stands for one message. A signature covers the type, but not the path."""
    seen: dict[object, str] = {}
    for pointer, type_, message in _messages(root):
        first = seen.setdefault(type_, message)
        if _unversioned(first) != _unversioned(message):
            told = "a signature does not cover the path, so each would take what was signed for the other"
            advice = f"{told}; write another one"
            yield Problem(pointer, f"{type_!r} is the type of {first}, too; {advice}")


def _unversioned(message: str) -> str:
    """A path without its version: two versions of an operation have the same type."""
    return re.sub("/v[0-9]+(?=/)", "", message)


def _messages(root: Node) -> Iterator[tuple[str, object, str]]:
    """Where each signing type stands, and its message: a path, or an action that only batches offer."""
    paths: dict[str, str] = {}
    for path, _, operation in operations(root):
        fields = own_fields(operation)
        if fields is not None:
            paths[fields.pointer] = path
        if "x-signing-type" in operation:
            yield f"{operation.pointer}/x-signing-type", operation.get("x-signing-type"), path
    alone = standalone_actions(root)
    for action in batch_actions(root):
        given = action.get("x-batch-action")
        if isinstance(given, dict) and "signing-type" in given:
            message = paths[action.pointer] if action.pointer in alone else str(action.schema_name)
            yield f"{action.pointer}/x-batch-action/signing-type", given["signing-type"], message


RULES = (_types,)
