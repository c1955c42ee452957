"""The intent of a call: what it is about to change, in enough detail to find out later whether it did."""

from __future__ import annotations

from functools import cache
from typing import Any

from attrs import asdict, frozen

from trading_runtime.minted import Use

_VERSION = 1


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
    """Whether the SDK made its id, for this message alone. Older versions did not write it down."""

    listed: bool = True
    """Whether a list can show that it was executed. Older versions did not write it down."""


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

    @property
    def client_ids(self) -> tuple[str | None, ...]:
        """The client order id or idempotency key of each message; None where it has none."""
        return tuple(message.client_id for message in self.messages)

    @property
    def uses(self) -> tuple[Use, ...]:
        """Its ids, each with the service and the account where it was used."""
        ids = (found for found in self.client_ids if found is not None)
        return tuple((self.base_url, self.account, found) for found in ids)

    @property
    def accepted_until(self) -> int:
        """The time until which the service can accept it, in ms."""
        return self.timestamp + self.expiry_window


def advice(intent: Intent) -> str:
    """What to do about a call whose outcome is not known, in the words of its error."""
    ids = ", ".join(found for found in intent.client_ids if found is not None)
    hidden = dict.fromkeys(each.name for each in intent.messages if not each.listed)
    if all(not each.listed for each in intent.messages):
        then = f"send it again only with the same id, {ids}" if ids else "it says what to do"
        text = f"No list can settle it, so client.reconcile(error) cannot find out: {then}."
    else:
        text = "Call client.reconcile(error) before you send it again."
        text += f" Its client id: {ids}." if ids else " It carries no client id."
        text += f" No list can settle {', '.join(hidden)}." if hidden else ""
    return f"{text} The service can accept it until {intent.accepted_until} ms."


def as_fields(intent: Intent) -> dict[str, Any]:
    """An intent as JSON-ready fields."""
    return {"version": _VERSION, **asdict(intent)}


def from_fields(fields: object) -> Intent:
    """Read what `as_fields` wrote.

    Raises:
        ValueError: the fields are not an intent.
    """
    if isinstance(fields, dict) and fields.get("version") != _VERSION:
        raise ValueError(f"it is of version {fields.get('version')!r}, not {_VERSION}")
    import cattrs  # late, because it takes long to import

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
    for kind in (str, int, bool):
        made.register_structure_hook(kind, _exactly)
    return made
