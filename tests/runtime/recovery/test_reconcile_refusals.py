"""What `reconcile` says of calls that the service answered: refusals, conflicts, and failures."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.interface import page
from tests.runtime.recovery.histories import (
    GIVEN,
    HERE,
    KEY,
    LAG,
    MINUTE,
    OTHER,
    WINDOW,
    Failed,
    Histories,
    LocalClock,
    cancel,
    message,
    order,
    order_ids,
    refused,
    settled,
    soon_after_signing,
    state,
    unknown,
)
from tests.runtime.refusals import api_error
from trading_runtime.clock import now_ms
from trading_runtime.intent import Message
from trading_sdk import Client, OutcomeUnknownError

EXECUTED = ("executed", "a list shows its id")
NOT_EXECUTED = ("not executed", "no list shows its id")
REFUSED = ("not executed", "the service refused it")
WORDS = "409: Duplicate idempotency_key"
USED = (
    "executed",
    f'the service answered "{WORDS}": it accepted a message with this idempotency key before',
)
USED_GIVEN = (
    "unsettled",
    f'the service answered "{WORDS}": its idempotency key was used before, but you gave it, and perhaps '
    "to another message; if no other message had this key, this one was executed",
)
NO_DUPLICATE = (
    "unsettled",
    'the service answered "409: No": that does not say that its idempotency key was used before; if it '
    "means that, and no other message had this key, this one was executed; if not, nothing is known of it",
)
WITHDRAWAL = message("spot.withdraw")


def conflict(sent: Message, words: str = "Duplicate idempotency_key") -> Failed:
    error = api_error("spot.withdraw", 409, None, words, b"")
    error.intent = unknown(sent).intent
    return error


def conflict_later(sent: Message) -> Failed:
    """A 409 to a later attempt, of which an earlier one seemed not to have been sent."""
    return OutcomeUnknownError(unknown(sent).intent, WORDS, status=409)


@pytest.mark.parametrize(
    "sent",
    [message(), message("orders.cancel", None), message("subaccounts.transfer", None)],
    ids=lambda sent: sent.name,
)
def test_a_refused_message_was_not_executed(client: Client, sent: Message) -> None:
    settlement = settled(client, refused(400, sent))

    assert (settlement.state, settlement.reason) == REFUSED
    assert settlement.records == ()


@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 422, 429, 501])
def test_a_refusal_is_final_before_the_message_expired(
    client: Client, clock: LocalClock, status: int
) -> None:
    error = refused(status, message(), ago=0)

    assert state(client, error) == REFUSED
    assert clock.slept == 0


def test_a_cancel_that_was_refused_did_not_cancel_the_cancelled_order(
    client: Client, histories: Histories
) -> None:
    now = now_ms()
    cancelled = order(at=now - 10 * MINUTE, updated_at=now, order_id=7, order_status="cancelled")
    histories.show("orders.history", page(cancelled))

    assert state(client, refused(404, cancel(order_id=7))) == REFUSED


# Answers that refuse nothing

FAILURES = [302, 408, 500, 502, 503, 504]


@pytest.mark.parametrize("status", FAILURES)
def test_an_answer_that_refuses_nothing_is_looked_into_like_its_unknown_outcome(
    client: Client, histories: Histories, status: int
) -> None:
    # The __cause__ of an OutcomeUnknownError is such an ApiError.
    found, _ = state(client, refused(status, message(), ago=0), timeout=0)
    assert found == "unsettled"
    assert state(client, refused(status, message())) == NOT_EXECUTED

    histories.show("orders.history", page(order(at=soon_after_signing())))
    assert state(client, refused(status, message())) == EXECUTED


@pytest.mark.parametrize("status", FAILURES)
def test_after_an_answer_that_refuses_nothing_it_waits_for_the_expiry(
    client: Client, clock: LocalClock, status: int
) -> None:
    state(client, refused(status, message(), ago=0))

    assert clock.slept >= (WINDOW + LAG) / 1_000


# Ids and keys that were used before


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (conflict(WITHDRAWAL), USED),
        (conflict_later(WITHDRAWAL), USED),
        (conflict(message("spot.withdraw", minted=False)), USED_GIVEN),
        (conflict_later(message("spot.withdraw", minted=False)), USED_GIVEN),
        (conflict(WITHDRAWAL, "No"), NO_DUPLICATE),
        (conflict(message("spot.withdraw", minted=False), "No"), NO_DUPLICATE),
        (conflict(message("spot.withdraw", None)), REFUSED),
    ],
    ids=["minted", "minted, later", "given", "given, later", "other words", "both", "no key"],
)
def test_a_conflict_says_that_a_key_was_used_if_it_names_it_and_of_what_message_if_it_was_minted(
    client: Client, error: Failed, expected: tuple[str, str]
) -> None:
    settlement = settled(client, error)

    assert (settlement.state, settlement.reason) == expected
    assert bool(settlement.rests_on) == (settlement.state != "unsettled")


def test_with_unique_ids_promised_a_conflict_settles_a_key_that_was_given() -> None:
    with Client(HERE, signer=KEY, transport=Histories(), unique_ids=True) as client:
        found = settled(client, conflict(message("spot.withdraw", minted=False)))
    assert found.state == "executed"


@pytest.mark.parametrize("name", ["orders.create", "spot.withdraw"])
def test_a_conflict_of_a_batch_does_not_say_which_of_its_ids_was_used(
    client: Client, name: str
) -> None:
    error = refused(409, message(name), message(name, OTHER))

    found = [(each.state, each.reason) for each in client.reconcile(error)]

    # A 409 to ids that lists show may speak of a copy of the message, so it is no final word.
    assert found == [NOT_EXECUTED if name == "orders.create" else REFUSED] * 2


@pytest.mark.parametrize(
    "messages", [[message("subaccounts.transfer", None)], [message(), message(client_id=OTHER)]]
)
def test_a_conflict_that_names_no_id_is_looked_into(
    client: Client, messages: Sequence[Message]
) -> None:
    settlements = client.reconcile(unknown(*messages, status=409))

    assert "executed" not in {each.state for each in settlements}


def test_after_a_conflict_about_an_id_that_a_list_shows_the_list_decides(
    client: Client, histories: Histories
) -> None:
    error = unknown(message(), status=409)
    assert state(client, error) == NOT_EXECUTED

    histories.show("orders.history", page(order(at=1)))
    assert state(client, error) == EXECUTED

    given = unknown(message(minted=False), status=409)
    assert state(client, given) == GIVEN


@pytest.mark.parametrize("status", [400, 409])
@pytest.mark.parametrize("at", [0, 1])
def test_the_order_of_a_refused_id_was_executed_and_is_shown_however_old_it_is(
    client: Client, histories: Histories, status: int, at: int
) -> None:
    histories.show("orders.history", page(order(at=at, order_id=7)))

    settlement = settled(client, refused(status, message()))

    reason = f"the service refused it, but {EXECUTED[1]}" if status == 400 else EXECUTED[1]
    assert (settlement.state, settlement.reason) == ("executed", reason)
    assert order_ids(settlement) == [7]


def test_after_a_conflict_it_waits_for_a_copy_that_is_listed_late(
    client: Client, histories: Histories, clock: LocalClock
) -> None:
    histories.show("orders.history", page(), page(order(at=now_ms())))

    assert state(client, refused(409, message(), ago=0)) == EXECUTED
    assert clock.slept >= WINDOW / 1_000


def test_the_order_of_a_refused_id_that_was_given_may_be_that_of_another_message(
    client: Client, histories: Histories
) -> None:
    histories.show("orders.history", page(order(at=1, order_id=7)))

    settlement = settled(client, refused(400, message(minted=False)))

    assert (settlement.state, settlement.reason) == (
        "unsettled",
        f"the service refused it; {GIVEN[1]}",
    )
    assert order_ids(settlement) == [7]


@pytest.mark.parametrize("another", [{"initial_price": "2"}, {"amount": "2"}])
def test_of_a_refused_message_whose_given_id_is_listed_nothing_is_said(
    client: Client, histories: Histories, another: dict[str, str]
) -> None:
    histories.show("orders.history", page(order(at=1, **another)))

    assert state(client, refused(400, message(minted=False))) == (
        "unsettled",
        "the service refused it; a list shows its id, but with other values",
    )
