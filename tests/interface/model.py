"""The shape of the table: what is written down of a field, and of a trace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from attrs import field, frozen

Json: TypeAlias = Mapping[str, Any]


class Limit(NamedTuple):
    """Bounds of a number, or of the length of a text or list."""

    minimum: int | None = None
    maximum: int | None = None
    alphabet: str = "any"


class Field(NamedTuple):
    """One row of a field table; `fields` are the rows of a nested object or of a list's items.

    `type` is string, decimal, integer, boolean, uuid, object, array, string[], any, null, false or
    the name of an enum. `unit` is empty where the document states none.
    """

    name: str
    type: str
    required: bool = True
    nullable: bool = False
    default: str = ""
    limit: Limit | None = None
    unit: str = ""
    source: str = "documented"
    """Of the whole row, or of single words about it, like `null:assumed`."""
    fields: tuple[Field, ...] = ()


Fields: TypeAlias = tuple[Field, ...]


def rows(text: str) -> Fields:
    """Read rows of `name? type|null=default unit source`, of which name and type are needed.

    `required:assumed` is the source of one word about a row: it may be absent as others show it.
    """
    return tuple(_row(*row.split()) for row in text.split(","))


def _row(name: str, type_: str, *marks: str) -> Field:
    type_, _, default = type_.partition("=")
    sources = [mark for mark in marks if mark.endswith(("observed", "assumed"))]
    return Field(
        name.rstrip("?"),
        type_.removesuffix("|null"),
        required=not name.endswith("?"),
        nullable=type_.endswith("|null"),
        default=default,
        unit="".join(mark for mark in marks if mark not in sources),
        source=" ".join(sources) or "documented",
    )


def observed(*fields: Field) -> Fields:
    """Mark rows that only the field notes give."""
    return tuple(row._replace(source="observed", fields=observed(*row.fields)) for row in fields)


@frozen(kw_only=True)
class Change:
    """What a message changes in a record that was there before."""

    names: Mapping[str, str]
    """Field of a record -> field of the message that names it."""
    becomes: Mapping[str, str]
    changed_at: str
    inherits: tuple[str, ...] = ()
    """Fields that a record in its place takes over."""
    parent: Mapping[str, str] = field(factory=dict)
    """Field of a record that came of it -> field of it that this names."""


@frozen(kw_only=True)
class Trace:
    """Where it shows that a message was carried out."""

    lists: tuple[str, ...]
    made_at: str = "created_at"
    id: str | None = None
    """Field of a record that holds the id of the message."""
    agrees: Mapping[str, str] = field(factory=dict)
    """Field of a record -> field of the message that says the same."""
    at_most: Mapping[str, str] = field(factory=dict)
    """Field of a record -> field of the message, an amount that it does not exceed."""
    change: Change | None = None
