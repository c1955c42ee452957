"""What lists show of a message: a table of records for each kind of message, in the words that a user reads."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from attrs import evolve

from tests.runtime.recovery.parcels import (
    BEFORE,
    BY_NUMBER,
    BY_TAG,
    CANCEL,
    FETCH,
    HEAVIER,
    LONG_AGO,
    MADE,
    MAKE,
    REPACK,
    REPACK_NUMBER,
    REPACK_TAG,
    SIGNED,
    SPEND,
    Parcel,
    cancelled,
    evidence,
    message,
    new,
)
from trading_runtime.intent import ANOTHERS, Message
from trading_runtime.operation import Trace
from trading_runtime.recovery.evidence import (
    MAX_UNSEEN_SKEW_MS,
    Evidence,
    Unreadable,
    search_for,
)

Shows = Literal["executed", "absent", "unclear"]
Row = tuple[list[Parcel], Shows, str, list[Parcel]]
"""What is listed; what that shows, why, and the records that show it."""


def check(trace: Trace, sent: Message, row: Row) -> None:
    records, shows, reason, shown = row
    assert evidence(trace, sent, *records) == Evidence(shows, reason, tuple(shown))


# -- what makes a record ---------------------------------------------------------------------

NO_ID, ITS_ID = "no list shows its id", "a list shows its id"
OTHER_VALUES = "a list shows its id, but with other values"
ROUNDED = "a list shows its id, with other values: weight is 6 (sent: 5.0)"
LIGHTER, ROME = new(number=3, weight=6), new(number=3, depot="Rome")


@pytest.mark.parametrize(
    "row",
    [
        ([], "absent", NO_ID, []),
        ([new(tag="another"), new(tag=None)], "absent", NO_ID, []),
        ([new(tag="another"), new()], "executed", ITS_ID, [new()]),
        ([new(tag="T")], "executed", ITS_ID, [new(tag="T")]),  # a UUID may come in another case
        ([ROME], "unclear", OTHER_VALUES, [ROME]),
        ([LIGHTER], "executed", ROUNDED, [LIGHTER]),
        # One of them is its own; the other one has replaced it.
        ([new(), ROME], "executed", ITS_ID, [new(), ROME]),
        ([new(), LIGHTER], "executed", ITS_ID, [new(), LIGHTER]),
        # Older than the message, as if a clock were wrong.
        ([Parcel()], "executed", ITS_ID, [Parcel()]),
    ],
)
def test_a_created_record_is_known_by_its_id(row: Row) -> None:
    check(MAKE, MADE, row)


@pytest.mark.parametrize(
    "row",
    [
        ([], "absent", NO_ID, []),
        ([new()], "unclear", ANOTHERS, [new()]),
        ([Parcel()], "unclear", ANOTHERS, [Parcel()]),
        ([new(), LIGHTER], "unclear", OTHER_VALUES, [new(), LIGHTER]),
    ],
)
def test_an_id_that_its_caller_gave_may_be_of_another_message(row: Row) -> None:
    check(MAKE, evolve(MADE, minted=False), row)


@pytest.mark.parametrize("records", [[], [new(tag=None)]], ids=["no record", "record without id"])
def test_a_message_without_an_id_stays_unclear(records: list[Parcel]) -> None:
    row: Row = (records, "unclear", "it was sent without an id", [])
    check(MAKE, message(depot="Oslo", weight="5"), row)


ALIKE = "a list shows a matching record, but another message may have made it"
UNLIKE = "no list shows a matching record"
JUST_TOO_OLD = Parcel(made_at=SIGNED - MAX_UNSEEN_SKEW_MS - 1)
OLD = Parcel(made_at=SIGNED - MAX_UNSEEN_SKEW_MS)


@pytest.mark.parametrize(
    "row",
    [
        ([], "absent", UNLIKE, []),
        ([JUST_TOO_OLD, ROME], "absent", UNLIKE, []),
        ([OLD], "unclear", ALIKE, [OLD]),
        ([ROME, new()], "unclear", ALIKE, [new()]),
    ],
)
def test_without_ids_a_similar_record_proves_nothing(row: Row) -> None:
    check(FETCH, message(depot="Oslo"), row)


# -- what changes a record -------------------------------------------------------------------

NO_TARGET = "no list shows the record that it should change"
UNCHANGED = "the record that it should change shows no change"
OLDER, CHANGED = "the change may be older than the message", "a list shows the change"
REUSED = "a later record has its name, and the change may be that one's"
REPLACED = "another message may have replaced the record instead"
UNKNOWN_STATE = "the record has a state that this version does not know, which proves nothing"
SENT = Parcel(state="sent", touched_at=SIGNED)
UNKNOWN = Parcel(state="canceled", touched_at=SIGNED)
FIRST = Parcel(number=0, made_at=1, state="cancelled")


@pytest.mark.parametrize("sent", [BY_NUMBER, BY_TAG], ids=["by number", "by tag"])
@pytest.mark.parametrize(
    "row",
    [
        ([], "unclear", NO_TARGET, []),
        ([new(number=7, tag="another", state="cancelled")], "unclear", NO_TARGET, []),
        ([Parcel()], "absent", UNCHANGED, [Parcel()]),
        ([SENT], "absent", UNCHANGED, [SENT]),
        ([UNKNOWN], "unclear", UNKNOWN_STATE, [UNKNOWN]),
        # Before the message was signed, if the clocks agree.
        ([cancelled(at=BEFORE)], "unclear", OLDER, [cancelled(at=BEFORE)]),
        ([cancelled()], "executed", CHANGED, [cancelled()]),
        ([cancelled(made_at=LONG_AGO)], "executed", CHANGED, [cancelled(made_at=LONG_AGO)]),
        ([cancelled(), new(tag="another")], "executed", CHANGED, [cancelled()]),
        ([cancelled(), FIRST], "executed", CHANGED, [cancelled()]),
    ],
)
def test_a_change_shows_on_the_record_that_the_message_names(sent: Message, row: Row) -> None:
    check(CANCEL, sent, row)


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
        ([cancelled(at=SIGNED + 5), new(state="cancelled")], "unclear", REUSED, [0, 1]),
        ([Parcel(), new(state="canceled")], "unclear", UNKNOWN_STATE, [0, 1]),
    ],
)
def test_of_several_records_of_one_tag_the_latest_counts(
    records: list[Parcel], shows: Shows, reason: str, shown: list[int]
) -> None:
    check(CANCEL, BY_TAG, (records, shows, reason, [records[index] for index in shown]))


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
        (cancelled(), Parcel(number=2), False),
    ],
)
def test_a_record_that_may_have_been_replaced_is_not_said_to_be_cancelled(
    target: Parcel, other: Parcel, replaced: bool
) -> None:
    row: Row = ([target, other], "executed", CHANGED, [target])
    if replaced:
        row = ([target, other], "unclear", REPLACED, [other])
    check(CANCEL, BY_NUMBER, row)


BOTH = message(number=1, tag="t", depot="Oslo")
EARLIER = cancelled(number=3, made_at=LONG_AGO)


@pytest.mark.parametrize(
    ("sent", "row"),
    [
        (BY_NUMBER, ([new(tag="t")], "unclear", NO_TARGET, [])),
        (BOTH, ([cancelled(), EARLIER], "executed", CHANGED, [cancelled()])),
        (BOTH, ([cancelled(tag="u"), EARLIER], "unclear", NO_TARGET, [])),
        (message(depot="Oslo"), ([cancelled()], "unclear", NO_TARGET, [])),
        # A tag of null does not name the records without a tag.
        (
            evolve(BOTH, fields={**BOTH.fields, "tag": None}),
            ([Parcel(), cancelled(number=2, tag=None)], "absent", UNCHANGED, [Parcel()]),
        ),
    ],
    ids=["another number", "both names", "one of two names", "no name", "a name of null"],
)
def test_a_message_means_the_record_that_has_every_name_it_gives(sent: Message, row: Row) -> None:
    check(CANCEL, sent, row)


# -- what replaces a record ------------------------------------------------------------------

NO_OLD = "no list shows the record that it should replace"
IN_PLACE = "the record that it should replace was not replaced"
ENDED = "the record that it should replace was ended, but no list shows a replacement"
HAS_VALUES = (
    "the record that it should replace has the new values itself, or was touched since it was signed: it "
    "may have been changed in place"
)
ITS_OWN = "a list shows the replacement"
MAYBE = "another message may have made the replacement"
HEAVY = new(weight=HEAVIER)

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
        (Parcel(made_at=SIGNED, weight=HEAVIER), "unclear", HAS_VALUES),
        (cancelled(weight=HEAVIER), "unclear", ENDED),
        (cancelled(made_at=SIGNED, weight=HEAVIER), "unclear", ENDED),
        (cancelled(at=BEFORE), "unclear", ENDED),
        (cancelled(), "unclear", ENDED),
    ],
)
def test_without_another_record_nothing_was_replaced(
    sent: Message, old: Parcel, shows: Shows, reason: str
) -> None:
    check(REPACK, sent, ([old], shows, reason, [old]))


@either_name
@pytest.mark.parametrize(
    ("old", "others", "shows"),
    [
        (cancelled(), [HEAVY], "executed"),
        (cancelled(), [new(weight=HEAVIER, state="sent")], "executed"),
        # The new values, but another tag: perhaps the tag does not go over after all.
        (cancelled(), [new(tag="another", weight=HEAVIER)], "unclear"),
        (cancelled(), [new(tag=None, weight=HEAVIER)], "unclear"),
        # The tag, but other values.
        (cancelled(), [new(weight=HEAVIER, depot="Rome")], "unclear"),
        (cancelled(), [new(weight=6)], "unclear"),
        (cancelled(), [new(weight=4)], "unclear"),
        # It stands beside the record that it should have replaced.
        (Parcel(), [HEAVY], "unclear"),
        # Twice the same.
        (cancelled(), [HEAVY, new(number=3, weight=HEAVIER)], "unclear"),
        # Older than the message.
        (cancelled(), [new(at=BEFORE, weight=HEAVIER)], "unclear"),
        # As old as it may be, if the times of the lists are far behind.
        (
            cancelled(at=LONG_AGO, made_at=LONG_AGO),
            [new(at=LONG_AGO + 1, weight=HEAVIER)],
            "unclear",
        ),
        (cancelled(at=SIGNED - 20), [new(at=SIGNED - 20, weight=HEAVIER)], "unclear"),
    ],
)
def test_a_replacement_is_known_by_what_it_takes_over(
    sent: Message, old: Parcel, others: list[Parcel], shows: Shows
) -> None:
    reason = ITS_OWN if shows == "executed" else MAYBE
    check(REPACK, sent, ([old, *others], shows, reason, others))


OUT, LIGHT_OUT = new(way="out", weight=HEAVIER), new(way="out", weight=4)
STRANGE = Parcel(number=2, state="repacked")
NO_TAG, HEAVY_NO_TAG = cancelled(tag=None), new(tag=None, weight=HEAVIER)
GONE, LATER_OUT = (
    new(weight=HEAVIER, state="cancelled"),
    new(at=SIGNED + 1, number=3, way="out", weight=4),
)


@pytest.mark.parametrize(
    ("sent", "row"),
    [
        (REPACK_NUMBER, ([], "unclear", NO_OLD, [])),
        (REPACK_TAG, ([], "unclear", NO_OLD, [])),
        # Without a tag nobody can tell what replaced it.
        (REPACK_NUMBER, ([NO_TAG, HEAVY_NO_TAG], "unclear", MAYBE, [HEAVY_NO_TAG])),
        (REPACK_TAG, ([NO_TAG, HEAVY_NO_TAG], "unclear", NO_OLD, [])),
        # What took over the tag alone is no replacement.
        (REPACK_TAG, ([cancelled(), OUT], "unclear", ENDED, [cancelled(), OUT])),
        (REPACK_NUMBER, ([cancelled(), OUT], "unclear", MAYBE, [OUT])),
        (REPACK_NUMBER, ([cancelled(), LIGHT_OUT], "unclear", ENDED, [cancelled()])),
        (REPACK_TAG, ([cancelled(), GONE, LATER_OUT], "unclear", MAYBE, [GONE])),
        (REPACK_TAG, ([Parcel(), STRANGE], "unclear", UNKNOWN_STATE, [Parcel(), STRANGE])),
    ],
)
def test_what_has_no_replacement_that_is_its_own_is_unclear(sent: Message, row: Row) -> None:
    check(REPACK, sent, row)


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
    sent: Message, first: Any, second: Any, shows: Shows
) -> None:
    chain = [new(weight=first, state="cancelled"), new(SIGNED + 1, number=3, weight=second)]

    assert evidence(REPACK, sent, cancelled(), *chain).shows == shows


@either_name
def test_of_two_records_of_the_same_ms_nobody_knows_which_replaced_the_other(
    sent: Message,
) -> None:
    found = evidence(REPACK, sent, cancelled(made_at=SIGNED), HEAVY)

    assert (found.shows, found.reason) == ("unclear", MAYBE)
    assert HEAVY in found.records
    assert (
        evidence(
            REPACK, sent, cancelled(made_at=SIGNED, weight=HEAVIER), new(SIGNED + 1, weight=6)
        ).shows
        == "unclear"
    )


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
    sent: Message, made_at: int, promised: bool, shows: Shows
) -> None:
    own = new(made_at, weight=HEAVIER)
    reason = ITS_OWN if shows == "executed" else MAYBE
    row: Row = ([cancelled(at=SIGNED + 2), own], shows, reason, [own])
    check(REPACK, evolve(sent, minted=promised), row)


# -- how values are compared -----------------------------------------------------------------


@pytest.mark.parametrize(
    "trace",
    [MAKE, FETCH, SPEND, CANCEL, REPACK],
    ids=["make", "fetch", "spend", "cancel", "repack"],
)
def test_a_message_that_lacks_a_compared_field_stays_unclear(trace: Trace) -> None:
    vague = Message(name="a.message", client_id="t", fields={"tag": "t", "number": 1})
    reason = "it lacks a field to compare with the lists"
    check(trace, vague, ([cancelled(), new()], "unclear", reason, []))


@pytest.mark.parametrize("sent", ["Oslo", None])
@pytest.mark.parametrize("listed", ["Oslo", None])
def test_a_missing_value_agrees_with_a_missing_value_alone(
    sent: str | None, listed: str | None
) -> None:
    found = evidence(MAKE, message(tag="t", depot=sent, weight="5"), new(depot=listed))

    assert found.shows == ("executed" if sent == listed else "unclear")


@pytest.mark.parametrize("weight", ["much", None, ""])
def test_a_number_differs_from_what_is_no_number(weight: str | None) -> None:
    sent = message(tag="t", depot="Oslo", weight=weight)

    assert evidence(MAKE, evolve(sent, minted=False), new()).reason == OTHER_VALUES
    assert evidence(MAKE, sent, new()).reason.endswith(f"weight is 5 (sent: {weight})")


@pytest.mark.parametrize(
    ("sent", "listed", "shows"),
    [
        ("7.50", "-7.5", "unclear"),
        ("7.50", "7.4", "unclear"),  # less a fee
        ("7.50", "7.51", "absent"),
        ("7.50", "-99", "absent"),
        # What cannot be compared may belong to the message.
        ("much", "5", "unclear"),
        (None, "5", "unclear"),
        ([7], "5", "unclear"),
    ],
)
def test_an_amount_above_the_one_sent_belongs_to_another_message(
    sent: object, listed: str, shows: Shows
) -> None:
    assert evidence(SPEND, message(weight=sent), new(weight=listed)).shows == shows


# -- which record ends the search, and which one nobody need wait for ------------------------


@pytest.mark.parametrize(
    ("trace", "sent", "record", "over"),
    [
        (MAKE, MADE, new(), True),
        (MAKE, MADE, new(tag="another"), False),
        (MAKE, evolve(MADE, minted=False), new(), False),
        (FETCH, MADE, new(), False),
        (CANCEL, MADE, new(), False),
    ],
)
def test_only_the_search_for_an_id_that_was_made_for_the_message_ends_before_the_list_does(
    trace: Trace, sent: Message, record: Parcel, over: bool
) -> None:
    search = search_for(sent, trace, SIGNED)
    search.look_at(record)
    assert search.is_over == over


@pytest.mark.parametrize(
    ("trace", "sent", "records", "settled"),
    [
        (MAKE, MADE, [new()], True),
        (MAKE, MADE, [LIGHTER], True),
        (MAKE, message(tag="t", depot="Oslo"), [new()], True),  # a field is missing
        (MAKE, message(depot="Oslo", weight="5"), [], True),  # no id
        (MAKE, evolve(MADE, minted=False), [new()], True),
        (MAKE, MADE, [], False),
        (MAKE, MADE, [ROME], False),
        (FETCH, message(depot="Oslo"), [], False),
    ],
)
def test_what_a_later_look_cannot_change_is_settled(
    trace: Trace, sent: Message, records: list[Parcel], settled: bool
) -> None:
    assert evidence(trace, sent, *records).settled is settled


# -- records that cannot be read -------------------------------------------------------------

LIMIT = SIGNED - MAX_UNSEEN_SKEW_MS


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        ({}, True),
        ({"depot": "Rome"}, False),
        ({"depot": 5}, True),
        # Old enough that it replaced nothing, it matters if it is the record itself.
        ({"made_at": LIMIT, "number": 2}, True),
        ({"made_at": LIMIT - 1, "number": 2}, False),
        ({"touched_at": LIMIT - 1, "number": "2"}, False),
        ({"made_at": LIMIT - 1, "number": 1}, True),
        ({"made_at": LIMIT - 1, "number": "1"}, True),
        ({"made_at": LIMIT - 1, "number": [2]}, True),
        ({"made_at": LIMIT - 1}, True),
        ({"made_at": f"{LIMIT - 1}", "number": 2}, True),
    ],
)
def test_a_record_that_cannot_be_read_may_be_the_one_to_change_or_its_replacement(
    fields: dict[str, Any], kept: bool
) -> None:
    search = search_for(BY_NUMBER, CANCEL, SIGNED)
    search.look_at(Unreadable(fields, "no parcel"))
    assert ("no parcel" in search.evidence().reason) is kept


def test_where_no_list_shows_ids_a_record_that_cannot_be_read_settles_nothing() -> None:
    search = search_for(message(depot="Oslo"), FETCH, SIGNED)
    search.look_at(Unreadable({"depot": "Oslo"}, "no parcel"))
    assert search.evidence() == Evidence("absent", UNLIKE, ())
