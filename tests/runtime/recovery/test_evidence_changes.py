"""Evidence of messages that change a record, which they call by its number or its tag."""

from __future__ import annotations

import pytest

from tests.runtime.recovery.parcels import (
    BEFORE,
    BY_NUMBER,
    BY_TAG,
    CANCEL,
    LONG_AGO,
    SIGNED,
    Parcel,
    cancelled,
    evidence,
    message,
    new,
)
from trading_runtime.intent import Message
from trading_runtime.recovery.evidence import Evidence, Shown

NOT_LISTED, UNCHANGED = (
    "no list shows the record that it should change",
    "the record that it should change shows no change",
)
OLDER, CHANGED = "the change may be older than the message", "a list shows the change"
REPLACED = "another message may have replaced the record instead"

SENT = Parcel(state="sent", touched_at=SIGNED)
UNKNOWN = Parcel(state="canceled", touched_at=SIGNED)
UNKNOWN_STATE = "the record has a state that this version does not know, which proves nothing"
REUSED = "a later record has its name, and the change may be that one's"


@pytest.mark.parametrize("sent", [BY_NUMBER, BY_TAG], ids=["by number", "by tag"])
@pytest.mark.parametrize(
    ("records", "shows", "reason", "shown"),
    [
        ([], "unclear", NOT_LISTED, []),
        ([new(number=7, tag="another", state="cancelled")], "unclear", NOT_LISTED, []),
        ([Parcel()], "absent", UNCHANGED, [Parcel()]),
        ([SENT], "absent", UNCHANGED, [SENT]),
        ([UNKNOWN], "unclear", UNKNOWN_STATE, [UNKNOWN]),
        # Before the message was signed, if the clocks agree.
        ([cancelled(at=BEFORE)], "unclear", OLDER, [cancelled(at=BEFORE)]),
        ([cancelled()], "executed", CHANGED, [cancelled()]),
        ([cancelled(made_at=LONG_AGO)], "executed", CHANGED, [cancelled(made_at=LONG_AGO)]),
        ([cancelled(), new(tag="another")], "executed", CHANGED, [cancelled()]),
        (
            [cancelled(), Parcel(number=0, state="cancelled", made_at=1)],
            "executed",
            CHANGED,
            [cancelled()],
        ),
    ],
)
def test_a_change_shows_on_the_record_that_the_message_names(
    sent: Message, records: list[Parcel], shows: Shown, reason: str, shown: list[Parcel]
) -> None:
    assert evidence(CANCEL, sent, *records) == Evidence(shows, reason, tuple(shown))


@pytest.mark.parametrize(
    ("records", "shows", "reason", "shown"),
    [
        ([cancelled(at=BEFORE), new()], "unclear", OLDER, [0, 1]),
        ([cancelled(), new()], "unclear", OLDER, [0, 1]),  # cancelled, or repacked by another
        ([cancelled(), new(state="cancelled")], "executed", CHANGED, [1]),
        ([cancelled(), Parcel(number=2)], "unclear", OLDER, [0, 1]),  # both made in the same ms
        ([cancelled(), cancelled(number=2)], "executed", CHANGED, [0, 1]),
        # The tag was given again: the earlier record is open, or was cancelled in another ms.
        ([Parcel(), new(state="cancelled")], "unclear", REUSED, [0, 1]),
        ([Parcel(made_at=1), cancelled(number=2)], "unclear", REUSED, [0, 1]),
        ([cancelled(), new(at=SIGNED + 5, state="cancelled")], "unclear", REUSED, [0, 1]),
    ],
)
def test_of_several_records_of_one_tag_the_latest_counts(
    records: list[Parcel], shows: Shown, reason: str, shown: list[int]
) -> None:
    found = evidence(CANCEL, BY_TAG, *records)

    assert found == Evidence(shows, reason, tuple(records[index] for index in shown))


@pytest.mark.parametrize(
    ("target", "other", "replaced"),
    [
        (cancelled(), new(), True),
        (cancelled(), new(state="cancelled"), True),
        (cancelled(made_at=SIGNED), new(), True),  # both made in the same ms
        (cancelled(tag=None), new(tag=None), True),
        (cancelled(tag=None), new(tag="another"), True),
        (cancelled(tag=None), new(tag=None, depot="Rome"), False),
        (cancelled(tag=None), Parcel(number=2, tag=None), False),
    ],
)
def test_a_record_that_may_have_been_replaced_is_not_said_to_be_cancelled(
    target: Parcel, other: Parcel, replaced: bool
) -> None:
    found = evidence(CANCEL, BY_NUMBER, target, other)

    if replaced:
        assert found == Evidence("unclear", REPLACED, (other,))
    else:
        assert found == Evidence("executed", CHANGED, (target,))


def test_the_tag_of_a_record_does_not_matter_to_a_message_that_names_its_number() -> None:
    assert evidence(CANCEL, BY_NUMBER, new(tag="t")) == Evidence("unclear", NOT_LISTED)


def test_a_record_that_has_one_of_two_names_is_not_meant() -> None:
    both = message(number=1, tag="t", depot="Oslo")
    earlier = cancelled(number=3, made_at=LONG_AGO)

    assert evidence(CANCEL, both, cancelled(), earlier) == Evidence(
        "executed", CHANGED, (cancelled(),)
    )
    assert evidence(CANCEL, both, cancelled(tag="u"), earlier) == Evidence("unclear", NOT_LISTED)


def test_a_message_without_a_name_means_no_record() -> None:
    assert evidence(CANCEL, message(depot="Oslo"), cancelled()) == Evidence("unclear", NOT_LISTED)


def test_a_message_whose_tag_is_null_does_not_name_the_records_without_a_tag() -> None:
    sent = message(number=1, tag=None, depot="Oslo")

    found = evidence(CANCEL, sent, Parcel(), cancelled(number=2, tag=None))

    assert found == Evidence("absent", UNCHANGED, (Parcel(),))
