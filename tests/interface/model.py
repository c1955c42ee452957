"""The shape of the table: what is written down of an operation, of a field, and of a trace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from attrs import field, frozen

PREFIX = "/api/v1"
"""Of every path (9)."""

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


def _words(text: str | tuple[()]) -> tuple[str, ...]:
    return tuple(text.split()) if text else ()


@frozen(kw_only=True)
class Operation:
    """All that is known of an endpoint, or of an action that occurs only in batches."""

    name: str
    """Where it stands on the client: client.GROUP.METHOD."""

    endpoint: str = ""
    """Verb and path without the prefix; empty where it occurs only in batches."""

    action: str | None = None
    """Its `type` in a batch; None where it is no action."""

    signing_type: str | None = None
    """The `type` of its signed header; None: not signed, or not as a whole."""

    source: str = "documented"
    """How sure the signing type is; those of actions are observed (note 7)."""

    retry: str
    """Whether it may be sent again when its outcome is not known. A read and a setting may; a new
    order, a withdrawal and an edit may not, unless an id tells two calls apart."""

    key: str | None = None
    """Path of that id, which the client makes where the caller gives none."""

    statuses: tuple[str, ...] = field(default=(), converter=_words)
    """Those that the endpoint lists, 4.1 to 4.18."""

    assumed_statuses: tuple[str, ...] = field(default=(), converter=_words)
    """Where it lists no refusal at all (4.18); section 7 names these in general."""

    request: Fields = ()
    """Its own fields in the body of a POST, and in the `data` of an action."""

    query: Fields = ()
    """The parameters in its query."""

    headers: Fields = ()
    """The parameters in its headers, by the names of these: `X-Trace-Id` is the argument `x_trace_id`."""

    exactly_one: tuple[str, ...] = field(default=(), converter=_words)
    at_least_one: tuple[str, ...] = field(default=(), converter=_words)

    result: Fields = ()
    """The whole body of status 200."""

    returns: str = ""
    """The model that the caller gets, `Model[]` for a list of them, `hidden` for JSON that may hold
    secrets; empty where success is all that there is to tell."""

    errors: Mapping[str, Fields] = field(factory=dict)
    """The whole body by status; a status that is not here has no described body (7)."""

    prose: str = ""
    """A limit that a schema cannot hold (8), as a pattern for the operation's own words."""

    trace: Trace | None = None
    """None: nothing shows what became of it."""

    samples: Mapping[str, Json]
    """Own fields and parameters as they are sent, by a label: first the fewest, last the most."""

    answer: Any = None
    """What is answered, with status 200."""

    @property
    def parameters(self) -> Mapping[str, Field]:
        """The rows of its query and its headers, by the names of their arguments."""
        headers = {row.name.lower().replace("-", "_"): row for row in self.headers}
        return {**{row.name: row for row in self.query}, **headers}

    @property
    def arguments(self) -> Fields:
        """The rows of all that a caller may give, by the names of their arguments."""
        outside = (row._replace(name=name) for name, row in self.parameters.items())
        return (*self.request, *outside)

    def apart(self, sent: Json) -> tuple[Json, Json, Json]:
        """What is sent, by where it stands: in the body, in the query, and in headers by their names."""
        rows = {name: row for name, row in self.parameters.items() if name in sent}
        query = {name: sent[name] for name, row in rows.items() if row in self.query}
        headers = {row.name: sent[name] for name, row in rows.items() if row in self.headers}
        body = {name: value for name, value in sent.items() if name not in rows}
        return body, query, headers

    @property
    def verb(self) -> str:
        return self.endpoint.split()[0] if self.endpoint else "POST"

    @property
    def sent_as(self) -> str:
        """The operation whose endpoint it is sent to."""
        return self.name if self.endpoint else "orders.batch"

    @property
    def path(self) -> str:
        return PREFIX + (self.endpoint.split()[1] if self.endpoint else BATCH_PATH)

    @property
    def is_paginated(self) -> bool:
        return any(row.name == "next_cursor" for row in self.result)

    @property
    def least(self) -> Json:
        return next(iter(self.samples.values()))

    @property
    def most(self) -> Json:
        return [*self.samples.values()][-1]


BATCH_PATH = "/orders/batch"
