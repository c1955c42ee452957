"""What a call is about to do, as it is written down and read again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from trading_runtime.intents import Intent, Message, as_fields, from_fields, new_id

INTENT = Intent(
    id="4f",
    operation="orders.batch",
    base_url="https://api.example",
    account="9xQe",
    timestamp=1_000,
    expiry_window=500,
    messages=(
        Message(name="orders.create", client_id="5f0c", fields={"symbol": "BTC", "price": "1.50"}),
        Message(name="orders.cancel", fields={"order_id": 2**60, "legs": [{"on": True}, None]}),
    ),
)


def changed(**fields: Any) -> dict[str, Any]:
    return {**as_fields(INTENT), **fields}


def test_an_intent_survives_the_trip_through_json() -> None:
    assert from_fields(json.loads(json.dumps(as_fields(INTENT)))) == INTENT


def test_it_says_until_when_it_is_accepted_and_which_ids_it_has() -> None:
    assert INTENT.accepted_until == 1_500
    assert INTENT.client_ids == ("5f0c", None)


def test_each_call_has_an_id_of_its_own() -> None:
    assert len({new_id() for _ in range(100)}) == 100


@pytest.mark.parametrize(
    "fields",
    [
        None,
        [],
        "intent",
        {},
        changed(id=4),
        changed(timestamp="1000"),
        changed(timestamp=1.5),
        changed(timestamp=True),
        changed(messages=None),
        changed(messages=[{}]),
        changed(messages=[{"name": "a", "client_id": 5}]),
        changed(messages=[{"name": "a", "fields": 7}]),
        {name: value for name, value in changed().items() if name != "account"},
    ],
)
def test_what_is_no_intent_is_refused(fields: object) -> None:
    with pytest.raises(ValueError, match="intent"):
        from_fields(fields)
