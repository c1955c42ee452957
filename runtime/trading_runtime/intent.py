"""The intent of a call: what it is about to change, in enough detail to find out later whether it did."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any
from uuid import UUID

from attrs import asdict, frozen

_VERSION = 1
_UUID, _DIGITS = 36, 32
"""Letters of a UUID, with its hyphens and without them."""
NEVER = "no list shows whether it was executed, so nothing can ever settle it"
LOOK = (
    "look at what it should have changed, like balances or settings, before you send it again: if it was "
    "executed, it is then executed twice"
)


@frozen(kw_only=True)
class Message:
    """One signed message: a call's own, or one action of a batch. Holds no signature."""

    name: str
    """Operation or action, like `orders.create`."""

    client_id: str | None
    """Its client order id or idempotency key, minted or given; None where it has none."""

    fields: dict[str, Any]
    """Its own fields as sent, without the secret ones."""

    minted: bool = False
    """Whether the SDK made its id, in the call or in a model that is sent for the first time, so that no
    other message has it. Older versions did not write it down."""

    listed: bool = True
    """Whether a list can show that it was executed. Older versions did not write it down."""

    traced: bool = True
    """Whether lists show what its operation does, if not which message did it. Only False is written down."""

    shares_id: bool = False
    """Whether it names an id that two messages of its call have, so that no record is certainly its own.
    Only True is written down."""


@frozen(kw_only=True)
class Intent:
    """A call that changes something: what was signed, for whom, and until when it is accepted."""

    id: str
    """One for each call, whatever the number of attempts."""

    operation: str
    """Its name, like `orders.create`."""

    base_url: str
    account: str

    timestamp: int
    """When its latest attempt was signed, in ms."""

    expiry_window: int
    """How long its signature is accepted, in ms."""

    messages: tuple[Message, ...]

    signed: bool = True
    """Whether it was signed. What is not signed never expires. Older versions did not write it down."""

    skew: int | None = None
    """How far the service's clock was ahead of the timestamp when it was signed, in ms; None if nothing told it,
    as in older versions. Only a number is written down."""

    @property
    def client_ids(self) -> tuple[str | None, ...]:
        """The client order id or idempotency key of each message; None where it has none."""
        return tuple(message.client_id for message in self.messages)

    def sends_the_same(self, other: Intent) -> bool:
        """Whether it has the ids of another call, and is the same in all else that the service is told."""
        mine, others = (
            (each.base_url, each.account, [(m.name, m.client_id, m.fields) for m in each.messages])
            for each in (self, other)
        )
        return mine == others and None not in self.client_ids

    @property
    def is_by_key(self) -> bool:
        """Whether `resend` may send it again: it is one message with a key, which no list shows, unlike what
        it did. Where no list shows even that, nothing says that the service refuses a used key."""
        first, *others = self.messages
        is_alone = not others and first.name == self.operation  # else it is an action of a batch
        return is_alone and first.client_id is not None and first.traced and not first.listed

    @property
    def accepted_until(self) -> int:
        """The time until which the service can accept it, in ms, if it is signed."""
        return self.timestamp + self.expiry_window


def advice(intent: Intent, *, key_is_used: bool = False) -> str:
    """What to do about a call whose outcome is not known, in the words of its error."""
    ids = ", ".join(dict.fromkeys(found for found in intent.client_ids if found is not None))
    hidden = dict.fromkeys(each.name for each in intent.messages if not each.listed)
    if intent.is_by_key and key_is_used:
        text = f"The service says that its key, {ids}, was used: client.reconcile(error) says what that proves."
    elif intent.is_by_key:
        text = "No list can settle it, so client.reconcile(error) cannot find out. client.resend(error)"
        text += f" sends it again with the same id, {ids}, which is safe."
    elif all(not each.listed for each in intent.messages):
        text = f"{NEVER.capitalize()}. Unless repeating it changes nothing more, {LOOK}."
        text += f" Its client id: {ids}." if ids else ""
    else:
        text = "Call client.reconcile(error) before you send it again."
        text += f" Its client id: {ids}." if ids else " It carries no client id."
        text += f" No list can settle {', '.join(hidden)}." if hidden else ""
    if not intent.signed:
        return f"{text} It is not signed, so the service can accept it at any later time."
    return f"{text} The service can accept it until {intent.accepted_until} ms."


def as_fields(intent: Intent) -> dict[str, Any]:
    """An intent as JSON-ready fields."""
    fields = {"version": _VERSION, **asdict(intent)}
    if intent.skew is None:
        del fields["skew"]
    for message in fields["messages"]:
        if message["traced"]:
            del message["traced"]
        if not message["shares_id"]:
            del message["shares_id"]
    return fields


def from_fields(fields: object) -> Intent:
    """Read what `as_fields` wrote.

    Raises:
        ValueError: the fields are not an intent.
    """
    if isinstance(fields, dict) and fields.get("version") != _VERSION:
        raise ValueError(f"it is of version {fields.get('version')!r}, not {_VERSION}")
    intent = _reader()(fields)
    if not intent.messages:
        raise ValueError("intent.messages is empty")
    return intent


def _exactly(value: Any, kind: type[Any]) -> Any:
    if type(value) is not kind:
        raise ValueError(f"expected {kind.__name__}, not {type(value).__name__}")
    return value


@cache
def _reader() -> Callable[[object], Intent]:
    """What makes an intent of fields, or raises a ValueError."""
    import cattrs  # late: it takes 14 ms to import

    converter = cattrs.Converter()
    for kind in (str, int, bool):
        converter.register_structure_hook(kind, _exactly)

    def read(fields: object) -> Intent:
        try:
            return converter.structure(fields, Intent)
        except Exception as error:
            problem = "; ".join(cattrs.transform_error(error, "intent"))
        raise ValueError(problem)

    return read


def plain_id(text: str) -> str:
    """An id as all its spellings mean it: with and without hyphens, capitals or `urn:uuid:`."""
    # What is shorter than its digits is none; most texts that records are compared by are.
    if len(text) >= _DIGITS:
        with suppress(ValueError):
            return str(UUID(text.strip()))
    return text.lower()


def is_uuid(text: object) -> bool:
    """Whether a text is a UUID, in whatever spelling."""
    return isinstance(text, str) and len(plain_id(text)) == _UUID
