"""Whom a change of each member of the IR breaks: the rows that its members declare, and those of whole objects.

A `Change` is one difference between two specs; the table says whom it concerns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Literal, TypeAlias, get_args

import attrs
from attrs import frozen

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


# -- one difference ---------------------------------------------------------------------------

Audience = Literal["callers", "wire", "answers", "ports"]
AUDIENCES: tuple[Audience, ...] = get_args(Audience)
"""
callers: programs that use the Python package: their arguments, their imports, the types they get.
wire: what is sent, so that the service must be of the new spec.
answers: what comes back, so that an older service may not send it, or programs may not expect it.
ports: other languages that are generated from the IR.
"""


class Level(Enum):
    """The part of a semantic version that a change raises."""

    PATCH = "patch"
    MINOR = "minor"
    MAJOR = "major"


@frozen
class Effect:
    """Whom a change concerns, and for whom it is breaking."""

    concerns: frozenset[Audience] = frozenset()
    breaks: frozenset[Audience] = frozenset()

    @classmethod
    def of(cls, text: str) -> Effect:
        """Read `callers! wire`: it breaks callers, and concerns the wire.

        Ports follow from the rest: whatever is sent or read in another way, they do, too.
        """
        words = text.split()
        breaks = {each[:-1] for each in words if each.endswith("!")}
        concerns = {each.rstrip("!") for each in words}
        if concerns:
            concerns.add("ports")
        if breaks & {"wire", "answers"}:
            breaks.add("ports")
        return cls(
            frozenset(each for each in AUDIENCES if each in concerns),
            frozenset(each for each in AUDIENCES if each in breaks),
        )

    def without(self, audience: Audience) -> Effect:
        """The same for everybody else."""
        return Effect(self.concerns - {audience}, self.breaks - {audience})


@frozen(kw_only=True)
class Change:
    """A difference between two specs."""

    id: str
    """Its kind, like `request-field-required-on`; docs/spec-changes.md lists all."""
    place: str
    """Where a user meets it, like `orders.create` or `CreateOrder.price`."""
    text: str
    effect: Effect

    @classmethod
    def of(cls, id_: str, place: str, text: str) -> Change:
        """A change that concerns whom the table says."""
        return cls(id=id_, place=place, text=text, effect=Effect.of(EFFECTS[id_]))

    @property
    def is_breaking(self) -> bool:
        """Whether anybody must change something."""
        return bool(self.effect.breaks)

    @property
    def level(self) -> Level:
        """What it asks of the version. A changed text concerns nobody's code."""
        if self.is_breaking:
            return Level.MAJOR
        return Level.MINOR if self.effect.concerns else Level.PATCH
