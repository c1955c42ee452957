"""The kinds of rules: how two values of a member of the IR are compared.

Their texts are effects: `callers! wire` breaks callers and concerns what is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from attrs import field, frozen


@frozen
class Ignored:
    """Not compared: another member says it."""


@frozen
class Text:
    """Words for people, and where a fact comes from. They concern nobody's code."""


@frozen
class Value:
    """Any other value means the same."""

    changed: str


@frozen
class Maybe:
    """A value, or none."""

    added: str
    removed: str
    changed: str


@frozen
class Switch:
    """True or false."""

    on: str
    off: str


@frozen
class Bound:
    """A limit, which may be set, removed, or moved. A `lower` one is tighter if it is greater."""

    tightened: str
    loosened: str
    lower: bool = False


@frozen
class TypeRule:
    """A type. A request may take more than before without breaking anybody."""

    widened: str
    changed: str


@frozen
class Words:
    """A set of words: names, numbers, values of an enum."""

    what: str
    """What one of them is called."""
    added: str
    removed: str
    special: Mapping[str | int, str] = field(factory=dict)
    """Effects of words that mean more than the others. A 204 is an answer without a body."""


@frozen
class Each:
    """Objects with names. Those on both sides are compared member by member."""

    added: str
    removed: str
    added_required: str | None = None
    """Of a required field; `added` if this is None."""


@frozen
class Nested:
    """An object, or none."""

    added: str
    removed: str


Rule: TypeAlias = Ignored | Text | Value | Maybe | Switch | Bound | TypeRule | Words | Each | Nested
