"""A made-up parcel service. The tests of `evidence` judge messages by its histories.

The service gives each parcel a `number`; the sender may give it a `tag`. Repacking a parcel cancels
it and makes another one with the same tag and way.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from attrs import field, frozen

from trading_runtime.codec.models import OpenEnum
from trading_runtime.intent import Message
from trading_runtime.operation import Target, Trace
from trading_runtime.recovery.evidence import MAX_UNSEEN_SKEW_MS, Evidence, search_for

SIGNED = 1_000
"""When the message in question was signed, in ms."""
BEFORE = SIGNED - 1
LONG_AGO = SIGNED - 2 * MAX_UNSEEN_SKEW_MS

_NAMES = {"number": "number", "tag": "tag"}
MAKE = Trace(
    lists=("parcels",),
    made_at="made_at",
    id="tag",
    agrees={"depot": "depot", "weight": "weight"},
)
CANCEL = Trace(
    lists=("parcels",),
    made_at="made_at",
    agrees={"depot": "depot"},
    target=Target(names=_NAMES, becomes={"state": "cancelled"}, changed_at="touched_at"),
)
REPACK = Trace(
    lists=("parcels",),
    made_at="made_at",
    agrees={"depot": "depot", "weight": "weight"},
    target=Target(
        names=_NAMES,
        becomes={"state": "cancelled"},
        changed_at="touched_at",
        inherits=("way", "tag"),
    ),
)
FETCH = Trace(lists=("fetched",), made_at="made_at", agrees={"depot": "depot"})
SPEND = Trace(lists=("spent",), made_at="made_at", at_most={"weight": "weight"})


class State(OpenEnum):
    OPEN = "open"
    SENT = "sent"
    CANCELLED = "cancelled"


@frozen(kw_only=True)
class Parcel:
    """A record of the service. By default it is older than the message."""

    number: int = 1
    tag: str | None = "t"
    depot: str | None = "Oslo"
    way: str = "in"
    weight: Decimal = field(default=Decimal(5), converter=Decimal)
    state: State = field(default=State.OPEN, converter=State)
    made_at: int = BEFORE - 500
    touched_at: int = BEFORE - 500


def cancelled(at: int = SIGNED, **fields: Any) -> Parcel:
    """An older parcel that was cancelled at some time."""
    return Parcel(state="cancelled", touched_at=at, **fields)


def new(at: int = SIGNED, **fields: Any) -> Parcel:
    """Another parcel, made since the message was signed."""
    return Parcel(**{"number": 2, "made_at": at, "touched_at": at, **fields})


def message(*, minted: bool = True, **fields: Any) -> Message:
    return Message(name="a.message", client_id=fields.get("tag"), fields=fields, minted=minted)


MADE = message(tag="t", depot="Oslo", weight="5.0")
BY_NUMBER, BY_TAG = message(number=1, depot="Oslo"), message(tag="t", depot="Oslo")
REPACK_NUMBER = message(number=1, depot="Oslo", weight="7.5")
REPACK_TAG = message(tag="t", depot="Oslo", weight="7.5")
HEAVIER = Decimal("7.50")
"""The weight that both messages ask for."""


def evidence(trace: Trace, sent: Message, *records: Parcel, since: int = SIGNED) -> Evidence:
    """What the records show of a message, whatever order they are listed in."""
    found = []
    for listed in (records, records[::-1]):
        search = search_for(sent, trace, since)
        for each in listed:
            search.look_at(each)
        found.append(search.evidence())
    assert (found[0].shows, found[0].reason) == (found[1].shows, found[1].reason)
    return found[0]
