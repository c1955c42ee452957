"""What a finding tells a person: why, in words, and by which records (the service of test_traces)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.runtime.recovery.test_evidence import (
    BEFORE,
    BY_NUMBER,
    BY_TAG,
    CANCEL,
    FETCH,
    HEAVIER,
    MADE,
    MAKE,
    REPACK,
    REPACK_NUMBER,
    REPACK_TAG,
    SENT,
    Parcel,
    cancelled,
    looked,
    message,
    new,
)
from trading_runtime.intent import Message
from trading_runtime.operation import Trace
from trading_runtime.recovery.evidence import Evidence, Shown

FETCHED = message(depot="Oslo")
ABSENT: Shown = "absent"
EXECUTED: Shown = "executed"
UNCLEAR: Shown = "unclear"


def assert_found(
    trace: Trace,
    sent: Message,
    records: list[Parcel],
    seen: Shown,
    reason: str,
    shown: list[Parcel],
) -> None:
    assert looked(trace, sent, records) == Evidence(seen, reason, tuple(shown))


@pytest.mark.parametrize(
    ("records", "seen", "reason"),
    [
        ([], ABSENT, "no list shows its id"),
        ([new()], EXECUTED, "a list shows its id"),
        ([new(depot="Rome")], UNCLEAR, "its id stands on something else"),
        ([new(), new(number=3, depot="Rome")], UNCLEAR, "its id stands on something else"),
        ([Parcel()], UNCLEAR, "its id was used before"),
        ([Parcel(), new()], UNCLEAR, "its id was used before"),
    ],
)
def test_all_that_bears_the_id_is_shown(records: list[Parcel], seen: Shown, reason: str) -> None:
    assert_found(MAKE, MADE, [*records, new(tag="another")], seen, reason, records)


def test_nothing_is_shown_where_nobody_can_tell() -> None:
    sent = message(depot="Oslo", weight="5")
    assert_found(MAKE, sent, [new(tag=None)], UNCLEAR, "it was sent without an id", [])


@pytest.mark.parametrize("trace", [MAKE, FETCH, CANCEL, REPACK])
def test_of_a_message_that_does_not_say_what_to_compare_nothing_is_shown(trace: Trace) -> None:
    vague = Message(name="a.message", client_id="t", fields={"tag": "t", "number": 1})
    reason = "it does not say all that would have to be compared"
    assert_found(trace, vague, [cancelled(), new()], UNCLEAR, reason, [])


def test_what_is_alike_is_shown_and_what_is_not_is_left_out() -> None:
    rome, alike = new(depot="Rome"), new(number=3)
    reason = "a list shows something like it, without the id that would tell"
    assert_found(FETCH, FETCHED, [rome, alike], UNCLEAR, reason, [alike])
    assert_found(FETCH, FETCHED, [rome], ABSENT, "no list shows anything like it", [])


OLD = Parcel()
GONE = cancelled()
LATER = new()


@pytest.mark.parametrize(
    ("records", "seen", "reason", "shown"),
    [
        ([LATER], UNCLEAR, "no list shows what it would change", []),
        ([OLD], ABSENT, "what it would change is as it was", [OLD]),
        ([GONE], EXECUTED, "a list shows the change", [GONE]),
        ([GONE, LATER], UNCLEAR, "it may have been replaced instead", [LATER]),
    ],
)
def test_a_change_is_shown_by_what_was_named(
    records: list[Parcel], seen: Shown, reason: str, shown: list[Parcel]
) -> None:
    assert_found(CANCEL, BY_NUMBER, records, seen, reason, shown)


def test_of_one_tag_all_are_shown_unless_the_latest_tells() -> None:
    ended = new(state="cancelled")
    before = "it may have been changed before"
    assert_found(CANCEL, BY_TAG, [GONE, LATER], UNCLEAR, before, [GONE, LATER])
    assert_found(CANCEL, BY_TAG, [GONE, ended], EXECUTED, "a list shows the change", [ended])


def test_what_was_made_in_the_same_ms_may_have_replaced_what_was_to_be_changed() -> None:
    made_just_then = cancelled(made_at=SENT)
    reason = "it may have been replaced instead"
    assert_found(CANCEL, BY_NUMBER, [made_just_then, LATER], UNCLEAR, reason, [LATER])


HEIR = new(weight=HEAVIER)
LIGHTER = new(weight=Decimal(4))
AS_IT_WAS = "what it would replace is as it was"
NOT_REPLACED = "what it would replace is gone, and nothing replaced it"
STRANGER = new(way="out", weight=HEAVIER)
ANOTHER = "it may have been replaced, by it or another"


@pytest.mark.parametrize(
    ("records", "seen", "reason", "shown"),
    [
        ([], UNCLEAR, "no list shows what it would replace", []),
        ([OLD], ABSENT, AS_IT_WAS, [OLD]),
        ([cancelled(at=BEFORE)], ABSENT, NOT_REPLACED, []),
        ([GONE], ABSENT, NOT_REPLACED, []),
        ([GONE, STRANGER], UNCLEAR, ANOTHER, [STRANGER]),
        ([GONE, new(way="out", weight=Decimal(4))], ABSENT, NOT_REPLACED, []),
        ([GONE, HEIR], EXECUTED, "a list shows what replaced it", [HEIR]),
        ([GONE, LIGHTER], UNCLEAR, ANOTHER, [LIGHTER]),
        ([OLD, HEIR], UNCLEAR, ANOTHER, [HEIR]),
    ],
)
def test_a_replacement_is_shown_by_the_heir(
    records: list[Parcel], seen: Shown, reason: str, shown: list[Parcel]
) -> None:
    assert_found(REPACK, REPACK_NUMBER, records, seen, reason, shown)


@pytest.mark.parametrize("sent", [REPACK_NUMBER, REPACK_TAG])
def test_of_two_of_the_same_ms_nobody_knows_which_replaced_the_other(sent: Message) -> None:
    finding = looked(REPACK, sent, [cancelled(made_at=SENT), HEIR])
    assert (finding.shows, finding.reason) == (UNCLEAR, ANOTHER)
    assert HEIR in finding.records
