"""Which evidence no later look at the lists can change, so that nobody waits for one."""

from __future__ import annotations

import pytest

from tests.runtime.recovery.parcels import FETCH, MADE, MAKE, Parcel, evidence, message, new
from trading_runtime.intent import Message
from trading_runtime.operation import Trace


@pytest.mark.parametrize(
    ("trace", "sent", "records"),
    [
        (MAKE, MADE, [new()]),
        (MAKE, MADE, [new(weight="6")]),
        (MAKE, message(tag="t", depot="Oslo"), [new()]),
        (MAKE, message(depot="Oslo", weight="5"), []),
        (MAKE, message(minted=False, tag="t", depot="Oslo", weight="5"), [new()]),
    ],
    ids=[
        "its own id",
        "its id with other numbers",
        "a field is missing",
        "no id",
        "an id that the user gave",
    ],
)
def test_what_a_later_look_cannot_change_is_settled(
    trace: Trace, sent: Message, records: list[Parcel]
) -> None:
    assert evidence(trace, sent, *records).settled is True


@pytest.mark.parametrize(
    ("trace", "sent", "records"),
    [(MAKE, MADE, []), (MAKE, MADE, [new(depot="Rome")]), (FETCH, message(depot="Oslo"), [])],
    ids=["absent", "its id with other values", "nothing alike"],
)
def test_what_a_later_look_may_change_is_open(
    trace: Trace, sent: Message, records: list[Parcel]
) -> None:
    assert evidence(trace, sent, *records).settled is False
