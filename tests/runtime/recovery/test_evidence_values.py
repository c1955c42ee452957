"""How evidence compares the values of a record with those of a message."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.runtime.recovery.parcels import (
    CANCEL,
    FETCH,
    MAKE,
    REPACK,
    SPEND,
    cancelled,
    evidence,
    message,
    new,
)
from trading_runtime.intent import Message
from trading_runtime.operation import Trace
from trading_runtime.recovery.evidence import Evidence, Shown


@pytest.mark.parametrize(
    "trace",
    [MAKE, FETCH, SPEND, CANCEL, REPACK],
    ids=["make", "fetch", "spend", "cancel", "repack"],
)
def test_a_message_that_lacks_a_compared_field_stays_unclear(trace: Trace) -> None:
    vague = Message(name="a.message", client_id="t", fields={"tag": "t", "number": 1})

    reason = "it lacks a field to compare with the lists"
    assert evidence(trace, vague, cancelled(), new()) == Evidence("unclear", reason)


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

    assert evidence(MAKE, evolve(sent, minted=False), new()).reason.endswith("with other values")
    assert evidence(MAKE, sent, new()).reason.endswith(f"weight is 5 (sent: {weight})")


@pytest.mark.parametrize(
    ("weight", "shows"),
    [
        ("-7.5", "unclear"),
        ("7.4", "unclear"),  # less a fee
        ("7.51", "absent"),
        ("-99", "absent"),
    ],
)
def test_an_amount_above_the_one_sent_belongs_to_another_message(weight: str, shows: Shown) -> None:
    assert evidence(SPEND, message(weight="7.50"), new(weight=weight)).shows == shows


@pytest.mark.parametrize("sent", ["much", None, [7]])
def test_an_amount_that_cannot_be_compared_may_belong_to_the_message(sent: object) -> None:
    assert evidence(SPEND, message(weight=sent), new()).shows == "unclear"
