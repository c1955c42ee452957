"""What a call is about to do, written down: enough to find out afterwards whether it was done."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any

from attrs import asdict, frozen

_VERSION = 1


@frozen(kw_only=True)
class Message:
    """One signed message: a call's own, or one action of a batch. Holds no signature."""

    name: str
    """Operation or action, like `orders.create`."""

    client_id: str | None
    """The id that was minted or given for it; None where it has none."""

    fields: dict[str, Any]
    """Its own fields as sent, without those that are secret."""


@frozen(kw_only=True)
class Intent:
    """A call that changes something: what was signed, for whom, and until when it is accepted."""

    id: str
    """One for each call, whatever the number of attempts."""

    operation: str
    """Where it stands on the client, like `orders.create`."""

    base_url: str
    account: str

    timestamp: int
    """When it was signed, in ms; of several attempts, the latest."""

    expiry_window: int
    """How long its signature is accepted, in ms."""

    messages: tuple[Message, ...]

    @property
    def client_ids(self) -> tuple[str | None, ...]:
        """The id of each message, None where one has none."""
        return tuple(message.client_id for message in self.messages)

    @property
    def accepted_until(self) -> int:
        """Until when the service can accept it, in ms."""
        return self.timestamp + self.expiry_window


def new_id() -> str:
    """The id of a new call."""
    return os.urandom(16).hex()


def client_id(key: str | None, fields: Mapping[str, Any]) -> str | None:
    """The id of one logical call, found by its path among the fields sent; None if not there."""
    value: Any = fields
    for name in key.split(".") if key else ():
        value = value.get(name, {})
    return value if isinstance(value, str) else None


def as_fields(intent: Intent) -> dict[str, Any]:
    """An intent as it is written down: JSON has a form for all of it."""
    return {"version": _VERSION, **asdict(intent)}


def from_fields(fields: object) -> Intent:
    """Read what `as_fields` wrote.

    Raises:
        ValueError: it is no intent.
    """
    if isinstance(fields, dict) and fields.get("version") != _VERSION:
        raise ValueError(f"it is of version {fields.get('version')!r}, not {_VERSION}")
    import cattrs  # only where it is needed: it takes its time

    try:
        intent: Intent = _converter().structure(fields, Intent)
    except Exception as error:
        problem = "; ".join(cattrs.transform_error(error, "intent"))
    else:
        if intent.messages:
            return intent
        problem = "intent.messages is empty"
    raise ValueError(problem)


def _exactly(value: Any, kind: type[Any]) -> Any:
    if type(value) is not kind:
        raise ValueError(f"expected {kind.__name__}, not {type(value).__name__}")
    return value


@cache
def _converter() -> Any:
    import cattrs

    made = cattrs.Converter()
    for kind in (str, int):
        made.register_structure_hook(kind, _exactly)
    return made
