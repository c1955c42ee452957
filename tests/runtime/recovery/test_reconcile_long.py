"""Long histories: how many requests they take, and that nothing that was read is read again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.worlds.long import Long
from tests.worlds.play import AMOUNT, MINE, other_order
from tests.worlds.service import Fate
from tests.worlds.traits import World
from trading_sdk import OutcomeUnknownError

SLOW = World(name="30 requests a minute", limit="obeyed", largest=10, credits=30)
TENS = World(name="10 records on a page", limit="obeyed", largest=10)


# The size of pages


def test_2000_orders_take_6_requests_or_4_once_the_message_has_expired() -> None:
    long = Long(2_000)
    error = long.lost()

    assert long.settled(error).state == "not executed"
    assert long.requests == 6

    error = long.lost()
    long.time.advance(60_000)
    assert long.settled(error).state == "not executed"
    assert long.requests == 4


# The rate limit


# Pages that cannot be read


def lost_batch(long: Long) -> tuple[str, OutcomeUnknownError]:
    """Two orders of one batch whose answer was lost, and the id of the first."""
    data: Any = {"symbol": "BTC", "side": "bid", "tif": "ALO", "reduce_only": False}
    create: Any = {"type": "Create", "data": {**data, "price": MINE, "amount": AMOUNT}}
    long.service.fate = Fate(None)
    with pytest.raises(OutcomeUnknownError) as caught:
        long.client.orders.batch([create, create])
    return str(caught.value.client_ids[0]), caught.value


def test_an_order_that_was_found_once_is_remembered_whatever_is_listed_later() -> None:
    long = Long(50, TENS)
    id_, error = lost_batch(long)
    # The service carries out the first action alone, and forgets it after the first look.
    other_order(long.service, id_, price=MINE)
    first = long.client.reconcile(error, timeout=0)
    assert [each.state for each in first] == ["executed", "unsettled"]
    long.service.engine.orders.pop()
    long.service.world = SLOW

    settlements, calls = first, 0
    while settlements[1].state == "unsettled":
        long.time.advance(5_000)
        settlements, calls = long.service.client().reconcile(error, timeout=0), calls + 1
        assert settlements[0].state == "executed"
        (record,) = settlements[0].records
        assert str(record.client_order_id) == id_
    assert settlements[1].state == "not executed"
    assert calls > 5
