"""Evidence of messages that replace a record: another one takes over its tag and way."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from attrs import evolve

from tests.runtime.recovery.parcels import (
    BEFORE,
    HEAVIER,
    LONG_AGO,
    REPACK,
    REPACK_NUMBER,
    REPACK_TAG,
    SIGNED,
    Parcel,
    cancelled,
    evidence,
    new,
)
from trading_runtime.intent import Message
from trading_runtime.recovery.evidence import Evidence, Shown

NOT_LISTED = "no list shows the record that it should replace"
IN_PLACE = "the record that it should replace was not replaced"
ENDED = "the record that it should replace was ended, but no list shows a replacement"
HAS_VALUES = (
    "the record that it should replace has the new values itself, or was touched since it was signed: it "
    "may have been changed in place"
)
UNKNOWN_STATE = "the record has a state that this version does not know, which proves nothing"
REPLACED = "a list shows the replacement"
MAYBE = "another message may have made the replacement"

either_name = pytest.mark.parametrize(
    "sent", [REPACK_NUMBER, REPACK_TAG], ids=["by number", "by tag"]
)


@either_name
@pytest.mark.parametrize(
    ("old", "shows", "reason"),
    [
        (Parcel(), "absent", IN_PLACE),
        (Parcel(state="sent"), "absent", IN_PLACE),
        (Parcel(made_at=SIGNED, touched_at=SIGNED), "absent", IN_PLACE),
        (Parcel(state="sent", touched_at=SIGNED), "unclear", HAS_VALUES),
        (Parcel(state="repacked"), "unclear", UNKNOWN_STATE),
        (Parcel(weight=HEAVIER), "unclear", HAS_VALUES),
        (cancelled(weight=HEAVIER), "unclear", ENDED),
        (cancelled(at=BEFORE), "unclear", ENDED),
        (cancelled(), "unclear", ENDED),
    ],
)
def test_without_another_record_nothing_was_replaced(
    sent: Message, old: Parcel, shows: Shown, reason: str
) -> None:
    assert evidence(REPACK, sent, old) == Evidence(shows, reason, (old,))


@either_name
@pytest.mark.parametrize(
    ("old", "others", "shows"),
    [
        (cancelled(), [new(weight=HEAVIER)], "executed"),
        (cancelled(), [new(weight=HEAVIER, state="sent")], "executed"),
        # The new values, but another tag: perhaps the tag does not go over after all.
        (cancelled(), [new(tag="another", weight=HEAVIER)], "unclear"),
        (cancelled(), [new(tag=None, weight=HEAVIER)], "unclear"),
        # The tag, but other values.
        (cancelled(), [new(weight=HEAVIER, depot="Rome")], "unclear"),
        (cancelled(), [new(weight=6)], "unclear"),
        (cancelled(), [new(weight=4)], "unclear"),
        # It stands beside the record that it should have replaced.
        (Parcel(), [new(weight=HEAVIER)], "unclear"),
        # Twice the same.
        (cancelled(), [new(weight=HEAVIER), new(number=3, weight=HEAVIER)], "unclear"),
    ],
)
def test_a_replacement_is_known_by_what_it_takes_over(
    sent: Message, old: Parcel, others: list[Parcel], shows: Shown
) -> None:
    reason = REPLACED if shows == "executed" else MAYBE

    assert evidence(REPACK, sent, old, *others) == Evidence(shows, reason, tuple(others))


@either_name
def test_a_record_that_no_list_shows_may_have_been_replaced(sent: Message) -> None:
    assert evidence(REPACK, sent) == Evidence("unclear", NOT_LISTED)


def test_a_record_without_a_tag_is_replaced_by_one_that_nobody_can_tell() -> None:
    old, other = cancelled(tag=None), new(tag=None, weight=HEAVIER)

    assert evidence(REPACK, REPACK_NUMBER, old, other) == Evidence("unclear", MAYBE, (other,))
    assert evidence(REPACK, REPACK_TAG, old, other) == Evidence("unclear", NOT_LISTED)


def test_a_record_that_took_over_the_tag_alone_is_no_replacement() -> None:
    old, heavier, lighter = cancelled(), new(way="out", weight=HEAVIER), new(way="out", weight=4)

    assert evidence(REPACK, REPACK_TAG, old, heavier) == Evidence("unclear", ENDED, (old, heavier))
    assert evidence(REPACK, REPACK_NUMBER, old, heavier) == Evidence("unclear", MAYBE, (heavier,))
    assert evidence(REPACK, REPACK_NUMBER, old, lighter) == Evidence("unclear", ENDED, (old,))


def test_the_evidence_holds_the_replacement_alone() -> None:
    old, replacement = cancelled(), new(weight=HEAVIER)

    assert evidence(REPACK, REPACK_TAG, replacement, old).records == (replacement,)


# Several replacements, and records of the same ms


@pytest.mark.parametrize(
    ("sent", "first", "second", "shows"),
    [
        # A number means that one record, a tag the last record that bore it.
        (REPACK_NUMBER, HEAVIER, 6, "executed"),
        (REPACK_NUMBER, 6, HEAVIER, "unclear"),
        (REPACK_TAG, HEAVIER, 6, "unclear"),
        (REPACK_TAG, 6, HEAVIER, "executed"),
        (REPACK_NUMBER, 6, 6, "unclear"),
        (REPACK_TAG, 6, 6, "unclear"),
    ],
)
def test_of_two_replacements_the_name_in_the_message_decides_which_one_counts(
    sent: Message, first: Decimal | int, second: Decimal | int, shows: Shown
) -> None:
    chain = [
        cancelled(),
        new(weight=first, state="cancelled"),
        new(at=SIGNED + 1, number=3, weight=second),
    ]

    assert evidence(REPACK, sent, *chain).shows == shows


@either_name
def test_a_record_made_just_before_is_not_taken_for_its_own_replacement(sent: Message) -> None:
    just_made: dict[str, Any] = {"made_at": SIGNED, "weight": HEAVIER}

    assert evidence(REPACK, sent, Parcel(**just_made)).shows == "unclear"
    assert evidence(REPACK, sent, cancelled(**just_made)).shows == "unclear"
    other = new(at=SIGNED + 1, weight=6)
    assert evidence(REPACK, sent, cancelled(**just_made), other).shows == "unclear"


@either_name
def test_of_two_records_of_the_same_ms_nobody_knows_which_replaced_the_other(
    sent: Message,
) -> None:
    replacement = new(weight=HEAVIER)

    found = evidence(REPACK, sent, cancelled(made_at=SIGNED), replacement)

    assert (found.shows, found.reason) == ("unclear", MAYBE)
    assert replacement in found.records


@either_name
def test_a_record_made_before_the_message_was_signed_is_not_its_replacement(sent: Message) -> None:
    older = new(at=BEFORE, weight=HEAVIER)

    assert evidence(REPACK, sent, cancelled(), older) == Evidence("unclear", MAYBE, (older,))


@either_name
def test_a_replacement_of_long_ago_is_that_of_the_message_if_the_times_are_far_behind(
    sent: Message,
) -> None:
    old = cancelled(at=LONG_AGO, made_at=LONG_AGO)
    replacement = new(at=LONG_AGO + 1, weight=HEAVIER)
    another = new(at=LONG_AGO + 1, weight=6)

    found = evidence(REPACK, sent, old, replacement)
    assert found == Evidence("unclear", MAYBE, (replacement,))
    ended = evidence(REPACK, sent, old, another)
    assert (ended.shows, ended.reason) == ("unclear", ENDED)


def test_a_later_record_of_the_tag_that_replaced_nothing_leaves_it_unclear() -> None:
    replacement = new(weight=HEAVIER, state="cancelled")
    later = new(at=SIGNED + 1, number=3, way="out", weight=4)

    found = evidence(REPACK, REPACK_TAG, cancelled(), replacement, later)

    assert found == Evidence("unclear", MAYBE, (replacement,))


@either_name
def test_times_that_are_behind_leave_a_replacement_unclear(sent: Message) -> None:
    behind = SIGNED - 20_000

    found = evidence(REPACK, sent, cancelled(at=behind), new(at=behind, weight=HEAVIER))

    assert found.shows == "unclear"


@either_name
@pytest.mark.parametrize(
    ("made_at", "promised", "shows"),
    [
        (SIGNED + 2, False, "executed"),
        (SIGNED + 3, False, "unclear"),
        (SIGNED + 3, True, "executed"),
    ],
    ids=["at once", "later", "later, with ids that are used once"],
)
def test_a_record_made_later_may_have_been_given_the_tag_again(
    sent: Message, made_at: int, promised: bool, shows: Shown
) -> None:
    sent = evolve(sent, minted=promised)
    own = new(made_at, weight=HEAVIER)

    found = evidence(REPACK, sent, cancelled(at=SIGNED + 2), own)

    assert (found.shows, found.records) == (shows, (own,))
    assert found.reason == (REPLACED if shows == "executed" else MAYBE)
