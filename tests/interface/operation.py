"""What is written down of an operation, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from tests.interface import samples
from tests.interface.model import Fields, Json, Trace

PREFIX = "/api/v1"
"""Of every path (9)."""
BATCH_PATH = "/orders/batch"


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

    batch_answer: Any = None
    """What is answered to a batch, whose results are not alike."""

    @property
    def answer(self) -> Any:
        """What is answered, with status 200: every row of the result, with a value of its type."""
        return self.batch_answer or samples.answered(self.result)

    @property
    def arguments(self) -> Fields:
        """The rows of all that a caller may give."""
        return (*self.request, *self.query)

    def apart(self, sent: Json) -> tuple[Json, Json]:
        """What is sent, by where it stands: in the body, and in the query."""
        query = {row.name: sent[row.name] for row in self.query if row.name in sent}
        return {name: value for name, value in sent.items() if name not in query}, query

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
