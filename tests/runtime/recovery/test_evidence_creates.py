"""Evidence of messages that make a record: found by its id or, without an id, by likeness."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.runtime.recovery.parcels import (
    CANCEL,
    FETCH,
    MADE,
    MAKE,
    SIGNED,
    Parcel,
    cancelled,
    evidence,
    message,
    new,
)
from trading_runtime.operation import Trace
from trading_runtime.recovery.evidence import (
    ANOTHERS,
    MAX_UNSEEN_SKEW_MS,
    Evidence,
    Shown,
)
from trading_runtime.recovery.targets import search_for

# By its id

NOT_LISTED, LISTED = "no list shows its id", "a list shows its id"
MISMATCH = "a list shows its id, but with other values"


@pytest.mark.parametrize("others", [[], [new(tag="another"), new(tag=None)]], ids=["alone", "more"])
@pytest.mark.parametrize(
    ("records", "shows", "reason"),
    [
        ([], "absent", NOT_LISTED),
        ([new()], "executed", LISTED),
        ([new(tag="T")], "executed", LISTED),  # a UUID may come back in another case
        ([new(at=SIGNED + 9), cancelled(number=1, made_at=SIGNED)], "executed", LISTED),
        ([new(depot="Rome")], "unclear", MISMATCH),
        (
            [new(weight=6)],
            "executed",
            "a list shows its id, with other values: weight is 6 (sent: 5.0)",
        ),
        ([new(weight=6, depot="Rome")], "unclear", MISMATCH),
        # One of them is its own; the other one has replaced it.
        ([new(), new(number=3, depot="Rome")], "executed", LISTED),
        ([new(), new(number=3, weight=6)], "executed", LISTED),
        ([cancelled(), new()], "executed", LISTED),
        ([Parcel()], "executed", LISTED),  # older than the message, as if a clock were wrong
    ],
)
def test_a_created_record_is_known_by_its_id(
    records: list[Parcel], others: list[Parcel], shows: Shown, reason: str
) -> None:
    found = evidence(MAKE, MADE, *records, *others)

    assert found == Evidence(shows, reason, tuple(records))


@pytest.mark.parametrize(
    ("records", "shows", "reason"),
    [
        ([], "absent", NOT_LISTED),
        ([new()], "unclear", ANOTHERS),  # perhaps of a message just before or just after
        ([new(at=SIGNED + 10**9)], "unclear", ANOTHERS),
        ([Parcel()], "unclear", ANOTHERS),
        ([Parcel(), new()], "unclear", ANOTHERS),
        ([new(), new(number=3, weight=6)], "unclear", MISMATCH),
    ],
)
def test_an_id_that_its_caller_gave_may_be_of_another_message(
    records: list[Parcel], shows: Shown, reason: str
) -> None:
    sent = evolve(MADE, minted=False)

    found = evidence(MAKE, sent, *records)

    assert found == Evidence(shows, reason, tuple(records))
    search = search_for(sent, MAKE, SIGNED)
    search.look_at(new())
    assert not search.is_over


def test_records_of_another_id_are_left_out_wherever_they_stand() -> None:
    mine, other = new(), new(number=3, tag="another")

    assert evidence(MAKE, MADE, other, mine).records == (mine,)


@pytest.mark.parametrize("records", [[], [new(tag=None)]], ids=["no record", "record without id"])
def test_a_message_without_an_id_stays_unclear(records: list[Parcel]) -> None:
    sent = message(depot="Oslo", weight="5")

    assert evidence(MAKE, sent, *records) == Evidence("unclear", "it was sent without an id")


@pytest.mark.parametrize(("trace", "over"), [(MAKE, True), (FETCH, False), (CANCEL, False)])
def test_only_the_search_for_an_id_ends_before_the_list_does(trace: Trace, over: bool) -> None:
    search = search_for(MADE, trace, SIGNED)

    search.look_at(new(tag="another"))
    assert not search.is_over
    search.look_at(new())
    assert search.is_over == over


# By likeness

UNLIKE = "no list shows a matching record"
ALIKE = "a list shows a matching record, but another message may have made it"
ROME = new(depot="Rome")
JUST_TOO_OLD = Parcel(made_at=SIGNED - MAX_UNSEEN_SKEW_MS - 1)
# Older than the message if the clocks agree.
OLD = Parcel(made_at=SIGNED - MAX_UNSEEN_SKEW_MS)


@pytest.mark.parametrize(
    ("records", "shows", "reason", "shown"),
    [
        ([], "absent", UNLIKE, []),
        ([ROME], "absent", UNLIKE, []),
        ([JUST_TOO_OLD, ROME], "absent", UNLIKE, []),
        ([OLD], "unclear", ALIKE, [OLD]),
        ([new()], "unclear", ALIKE, [new()]),
        ([new(), ROME], "unclear", ALIKE, [new()]),
        ([ROME, new(number=3)], "unclear", ALIKE, [new(number=3)]),
    ],
)
def test_a_similar_record_proves_nothing(
    records: list[Parcel], shows: Shown, reason: str, shown: list[Parcel]
) -> None:
    found = evidence(FETCH, message(depot="Oslo"), *records)

    assert found == Evidence(shows, reason, tuple(shown))
