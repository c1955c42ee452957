"""Looking things up: reads that go past caches, and records that are written down and read again.

An old record that cannot be read must not hide all the others: it is `Unreadable`, and matters only where
it may belong to the message that is looked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import attrs
from attrs import evolve, frozen

from trading_runtime.call.caller import Caller
from trading_runtime.call.retry import ONE_ATTEMPT
from trading_runtime.clock import age_ms
from trading_runtime.codec.decoder import structure
from trading_runtime.codec.fields import json_name
from trading_runtime.codec.requests import unstructure
from trading_runtime.codec.values import Shown
from trading_runtime.errors import one_line
from trading_runtime.http.transport import Masked, Request, Response, Transport

Record: TypeAlias = Any
_UNREADABLE = "cannot be read"
_PLAIN = (str, int, bool, type(None))
MAX_AGE_MS = 86_400_000
"""A day. An answer that is older, or whose `Age` cannot be read, tells nothing of today."""


class AgeWatch:
    """A transport that notes the greatest age of the answers that come through another one."""

    def __init__(self, transport: Transport) -> None:
        """Send through this transport."""
        self._transport = transport
        self.age = 0
        """How old the oldest answer was since this was last set to 0, in ms."""

    def send(self, request: Request, *, timeout: float) -> Response:
        """See `Transport`."""
        response = self._transport.send(request, timeout=timeout)
        text = response.headers.get("Age")
        if text is not None:
            found = age_ms(text)
            # An age is cut off to whole seconds.
            self.age = max(self.age, 2 * MAX_AGE_MS if found is None else found + 1_000)
        return response

    def close(self) -> None:
        """Leave the other transport open: it is the client's."""


def looking_up(caller: Caller) -> tuple[Caller, AgeWatch]:
    """A caller that asks caches to ask the service, and what notes whether they did.

    It makes one attempt, because whoever looks things up decides what is read again: so it takes nothing
    from the client's retry quota, either.
    """
    watch = AgeWatch(caller.transport)
    headers = Masked({**caller.headers, "Cache-Control": "no-cache"})
    return evolve(caller, transport=watch, headers=headers, retry=ONE_ATTEMPT), watch


@frozen(repr=False)
class Unreadable(Shown):
    """A record that is not as the spec says."""

    fields: Mapping[str, Any]
    """Its fields, as JSON."""
    why: str
    """What is wrong with it."""


def unreadable(value: Any, why: str) -> Unreadable:
    """What stands for a record that cannot be read: its fields of the plain types of JSON, and the problem."""
    fields = value if isinstance(value, dict) else {}
    return Unreadable({k: v for k, v in fields.items() if type(v) in _PLAIN}, one_line(why))


def as_json(record: Record | Unreadable) -> dict[str, Any]:
    """A record as JSON-ready fields, from which `from_json` makes it again."""
    if isinstance(record, Unreadable):
        return {_UNREADABLE: record.why, "fields": record.fields}
    fields = attrs.fields(type(record))
    absent = {json_name(each): None for each in fields if each.default is attrs.NOTHING}
    return {**absent, **unstructure(record)}


def from_json(fields: dict[str, Any], type_: Any) -> Record | Unreadable:
    """The record that `as_json` wrote.

    Raises:
        ValueError: the fields are not of such a record.
    """
    if _UNREADABLE in fields:
        return unreadable(fields.get("fields"), str(fields[_UNREADABLE]))
    return structure(fields, type_)
