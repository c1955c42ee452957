"""Whom a change of each member of the IR breaks: the rows that its members declare, and those of whole objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import attrs

from codegen import ir
from codegen.ir.changes import ALLOWS, BREAKS, Row

Rows: TypeAlias = Mapping[str, Row]

ITSELF = "itself"
"""The row of an object with a name as a whole: one is added or removed."""

_IN_PACKAGE: Row = {"added": "callers", "removed": "callers!"}
_WHOLE: Mapping[str, Row] = {
    "method": {
        "added": ALLOWS,
        "removed": "callers!",
        "renamed": "callers!",
        "kind-changed": "callers wire!",
        "returns-changed": "callers! answers!",
        "parameter-moved": "wire!",
    },
    "request-field": {"added": ALLOWS, "removed": BREAKS, "added-required": BREAKS},
    "response-field": {
        "added": "callers answers",
        "removed": "callers! answers",
        "added-required": "callers answers!",
    },
    **dict.fromkeys(("request-model", "response-model", "request-union"), _IN_PACKAGE),
    **dict.fromkeys(("response-union", "server", "group", "enum", "reason"), _IN_PACKAGE),
    "request-variant": {"added": ALLOWS, "removed": BREAKS},
    # What is not known survives, as an unknown value of an enum does.
    "response-variant": {"added": "callers answers", "removed": "callers! answers"},
}
"""Whom it concerns that an object is added or removed."""
_COMPARED: tuple[type[Any], ...] = (
    *(ir.Signing, ir.Result, ir.Pagination, ir.Batch, ir.Api, ir.Server, ir.Group, ir.Enum),
    ir.Reason,
)
_SENT_AND_RECEIVED: tuple[type[Any], ...] = (ir.Union, ir.Variant, ir.Model, ir.Field)


def _rows(label: str, role: str, *classes: type[Any]) -> Rows:
    """The row of an object as a whole, if it has a name, and those of its members."""
    members = {each.name: each.metadata[role] for c in classes for each in attrs.fields(c)}
    return {ITSELF: _WHOLE[label], **members} if label in _WHOLE else members


def _table() -> Iterator[tuple[str, Rows]]:
    yield "method", _rows("method", "change", ir.Operation, ir.Action)
    for class_ in _COMPARED:
        yield (name := class_.__name__.lower()), _rows(name, "change", class_)
    for class_ in _SENT_AND_RECEIVED:
        for role, metadata in (("request", "change"), ("response", "received")):
            yield (name := f"{role}-{class_.__name__.lower()}"), _rows(name, metadata, class_)


TABLE: Mapping[str, Rows] = dict(_table())
"""The rows of each object of the IR. Of some the meaning depends on whether they are sent or received."""

TEXT_CHANGED = "text-changed"
NO_BODY = "answers!"
"""Whom a 204 concerns, which is an answer without a body. Other statuses of success break nobody."""


def _effects() -> Iterator[tuple[str, str]]:
    yield TEXT_CHANGED, ""
    for label, rows in TABLE.items():
        for member, row in rows.items():
            for verb, effect in row.items():
                if verb not in ("each", "named", "text"):
                    yield f"{start(label, member)}-{verb}", effect
    # Exactly one of some fields became at least one of them, or the reverse.
    yield from (("request-model-choice-widened", ALLOWS), ("request-model-choice-narrowed", BREAKS))


def start(label: str, member: str) -> str:
    """How the id of a change of a member begins."""
    if member == ITSELF:
        return label
    return f"{label}-{TABLE[label][member].get('each') or member.replace('_', '-')}"


EFFECTS: Mapping[str, str] = dict(_effects())
"""The id of each kind of change -> whom it concerns, and whom it breaks."""
