"""What a call is about to do, as it is written down and read again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import evolve, field, frozen

from trading_runtime.call.message import recorded
from trading_runtime.codec.requests import unstructure
from trading_runtime.intent import Intent, Message, as_fields, from_fields
from trading_runtime.operation import Operation

INTENT = Intent(
    id="4f",
    operation="orders.batch",
    base_url="https://api.example",
    account="9xQe",
    timestamp=1_000,
    expiry_window=500,
    messages=(
        Message(name="orders.create", client_id="5f0c", fields={"symbol": "BTC", "price": "1.50"}),
        Message(
            name="orders.cancel",
            client_id=None,
            fields={"order_id": 2**60, "legs": [{"on": True}, None]},
        ),
    ),
)


def changed(**fields: Any) -> dict[str, Any]:
    return {**as_fields(INTENT), **fields}


def without(name: str) -> dict[str, Any]:
    return {each: value for each, value in changed().items() if each != name}


@pytest.mark.parametrize("intent", [INTENT, evolve(INTENT, skew=-7)])
def test_an_intent_survives_the_trip_through_json(intent: Intent) -> None:
    assert from_fields(json.loads(json.dumps(as_fields(intent)))) == intent


@pytest.mark.parametrize(
    "fields",
    [
        None,
        [],
        changed(id=4),
        changed(timestamp=True),
        changed(messages=[{}]),
        changed(messages=[{"name": "a", "client_id": 5, "fields": {}}]),
        changed(messages=[]),
        without("account"),
    ],
)
def test_what_is_no_intent_is_refused(fields: object) -> None:
    with pytest.raises(ValueError, match="intent"):
        from_fields(fields)


def test_what_is_written_down_of_a_message_is_what_the_repr_of_its_model_shows() -> None:
    @frozen(kw_only=True)
    class Login:
        name: str
        password: str = field(repr=False)
        otp: str | None = field(default=None, repr=False)
        device: str | None = None

    login = Operation[None](name="session.open", method="POST", path="/", params=Login)
    data = unstructure(Login(name="a", password="b", otp="c", device="d"))
    assert data == {"name": "a", "password": "b", "otp": "c", "device": "d"}
    assert recorded(login, data, None).fields == {"name": "a", "device": "d"}
