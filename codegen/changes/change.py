"""One difference between two specs, and whom it concerns."""

from __future__ import annotations

from enum import Enum
from typing import Literal, get_args

from attrs import frozen

from codegen.changes.table import EFFECTS

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
