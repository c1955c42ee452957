"""Pages as the service would send them, by the rows of the interface: made up, the same for a seed, no two records alike."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from uuid import UUID

from tests.interface import ENUMS, Field, Fields

PAGE_OF_FUNDING = 4_000
"""The largest that the interface document allows."""
PAGE_OF_ORDERS = 1_000
PAGE_OF_TRADES = 4_000
"""It names no maximum for trades; this is the only one that it names."""

_START = 1_760_000_000_000


def page(records: list[dict[str, Any]]) -> bytes:
    """A page of a list, from which there is more."""
    cursor = "eyJ0IjoxNzYwMDAwMDAwMDAwLCJpIjo0MDAwfQ"
    envelope = {"success": True, "data": records, "next_cursor": cursor, "has_more": True}
    return json.dumps(envelope, separators=(",", ":")).encode()


def made(rows: Fields, count: int, seed: int) -> list[dict[str, Any]]:
    """Records of these rows, the newest first."""
    random = Random(seed)
    return [{row.name: _value(row, random, number) for row in rows} for number in range(count)]


def _value(row: Field, random: Random, number: int) -> Any:
    if row.nullable and random.random() < 0.6:
        return None
    if row.type in ENUMS:
        return random.choice(ENUMS[row.type])
    if row.type == "integer":
        return _START - 1_000 * number if row.unit == "ms" else 900_000_000 - number
    return {
        "decimal": f"{random.uniform(-500, 52_000):.5f}",
        "boolean": random.random() < 0.1,
        "uuid": str(UUID(int=random.getrandbits(128), version=4)),
        "string": random.choice(("BTC", "ETH")),
    }[row.type]
