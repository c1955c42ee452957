"""What `reconcile` says of calls: by what one list shows, of those that the service answered, and in the journal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import (
    HERE,
    ID,
    MINUTE,
    OTHER_ID,
    WINDOW,
    api_error,
    message,
    order_record,
    refused,
    unknown,
    withdrawal_record,
)
from tests.doubles.signer import KEY
from tests.doubles.transport import ListsTransport
from tests.interface import page
from tests.runtime.recovery.histories import (
    EXECUTED,
    GIVEN,
    LAG,
    NOT_EXECUTED,
    REFUSED,
    Failed,
    cancel,
    order_ids,
    settled,
    soon_after_signing,
    state,
)
from trading_runtime.clock import now_ms
from trading_runtime.errors import OutcomeUnknownError, RequestError
from trading_runtime.intent import Message
from trading_runtime.operation import ListOperation
from trading_runtime.recovery.settlement import BY_ID, BY_REFUSAL, settle_duplicate
from trading_sdk import Client

pytestmark = pytest.mark.usefixtures("clock")


def test_each_message_is_looked_for_in_its_own_lists_alone(
    client: Client, histories: ListsTransport
) -> None:
    histories.show("orders.history", page(order_record(soon_after_signing())))

    created, withdrawn = client.reconcile(unknown(message(), message("spot.withdraw", OTHER_ID)))

    assert (created.state, withdrawn.state) == ("executed", "unsettled")
    assert withdrawn.records == ()


# Operations that no list shows by an id

RESEND = "; client.resend(error) sends it again with the same idempotency key, which is safe"


@pytest.mark.parametrize(("key", "advice"), [(ID, RESEND), (None, "")])
def test_a_similar_withdrawal_is_shown_with_advice_if_the_message_has_a_key(
    client: Client,
    histories: ListsTransport,
    clock: VirtualTime,
    key: str | None,
    advice: str,
) -> None:
    error = unknown(message("spot.withdraw", key), ago=0)
    assert state(client, error) == ("unsettled", "no list shows a matching record" + advice)
    assert clock.slept == 0, "no list can ever tell, so there is nothing to wait for"

    histories.show("spot.withdrawal_history", page(withdrawal_record(now_ms() + 1)))
    found = settled(client, error)
    alike = "a list shows a matching record, but another message may have made it"
    assert (found.state, found.reason) == ("unsettled", alike + advice)
    assert [record.batch_nonce for record in found.records] == [3]


def test_an_operation_that_no_list_shows_is_unsettled_at_once(
    client: Client, histories: ListsTransport
) -> None:
    transfer = unknown(message("subaccounts.transfer", None), ago=0)
    setting = unknown(message("account.set_auto_lend_disabled", None), ago=0)

    by_hand = (
        "no list shows whether it was executed, so nothing can ever settle it; look at what it should have "
        "changed, like balances or settings, before you send it again: if it was executed, it is then "
        "executed twice"
    )
    assert state(client, transfer) == ("unsettled", by_hand)
    again = f"{by_hand.split(';')[0]}; it can be sent again: repeating it changes nothing more"
    assert state(client, setting) == ("unsettled", again)
    assert histories.read == []


# Other services


def test_an_operation_with_a_key_that_no_list_shows_gets_no_advice_to_repeat_it(
    histories: ListsTransport,
) -> None:
    unlisted = evolve(Client.api.operations["orders.create"], trace=None)

    class Another(Client):
        api = evolve(Client.api, operations=[unlisted])

    with Another(HERE, signer=KEY, transport=histories) as client:
        found, reason = state(client, unknown(message()))
    assert found == "unsettled" and reason.startswith("no list shows whether it was executed,")


def test_a_list_of_no_account_is_asked_for_without_one(histories: ListsTransport) -> None:
    @frozen(kw_only=True)
    class Everything:
        cursor: str | None = None

    history = Client.api.operations["orders.history"]
    assert isinstance(history, ListOperation)
    pages = evolve(history.pagination, limit=None)
    everybodys: Any = evolve(history, account=None, params=Everything, pagination=pages)

    class Another(Client):
        api = evolve(Client.api, operations=[*Client.api.operations.values(), everybodys])

    histories.show("orders.history", page(order_record(soon_after_signing())))
    with Another(HERE, signer=KEY, transport=histories) as client:
        assert state(client, unknown(message())) == EXECUTED
        histories.show("orders.history")
        assert state(client, unknown(message())) == NOT_EXECUTED
    assert not any("?" in each.url for each in histories.read)


# Refusals


@pytest.mark.parametrize(
    ("status", "sent"),
    [
        *((status, message()) for status in (200, 400, 401, 403, 404, 422, 429, 501)),
        (400, message("orders.cancel", None)),
        (400, message("subaccounts.transfer", None)),
    ],
)
def test_a_refused_message_was_not_executed_which_is_final_before_it_expired(
    client: Client, clock: VirtualTime, status: int, sent: Message
) -> None:
    found = settled(client, refused(status, sent, ago=0))

    assert (found.state, found.reason) == REFUSED
    assert (found.records, found.rests_on) == ((), BY_REFUSAL)
    assert clock.slept == 0


def test_a_cancel_that_was_refused_did_not_cancel_the_cancelled_order(
    client: Client, histories: ListsTransport
) -> None:
    now = now_ms()
    gone = order_record(now - 10 * MINUTE, updated_at=now, order_id=7, order_status="cancelled")
    histories.show("orders.history", page(gone))

    assert state(client, refused(404, cancel(order_id=7))) == REFUSED


@pytest.mark.parametrize("status", [302, 408, 500, 502, 503, 504])
def test_an_answer_that_refuses_nothing_is_looked_into_like_its_unknown_outcome(
    client: Client, histories: ListsTransport, clock: VirtualTime, status: int
) -> None:
    # The __cause__ of an OutcomeUnknownError is such an ApiError.
    found, _ = state(client, refused(status, message(), ago=0), timeout=0)
    assert found == "unsettled"
    assert state(client, refused(status, message(), ago=0)) == NOT_EXECUTED
    assert clock.slept >= (WINDOW + LAG) / 1_000

    histories.show("orders.history", page(order_record(soon_after_signing())))
    assert state(client, refused(status, message())) == EXECUTED


@pytest.mark.parametrize("status", [400, 409])
@pytest.mark.parametrize("at", [0, 1])
def test_the_order_of_a_refused_id_was_executed_and_is_shown_however_old_it_is(
    client: Client, histories: ListsTransport, status: int, at: int
) -> None:
    histories.show("orders.history", page(order_record(at, order_id=7)))

    found = settled(client, refused(status, message()))

    reason = f"the service refused it, but {EXECUTED[1]}" if status == 400 else EXECUTED[1]
    assert (found.state, found.reason, found.rests_on) == ("executed", reason, BY_ID)
    assert order_ids(found) == [7]


@pytest.mark.parametrize(
    ("another", "says"),
    [
        ({}, GIVEN[1]),
        ({"initial_price": "2"}, "a list shows its id, but with other values"),
        ({"amount": "2"}, "a list shows its id, but with other values"),
    ],
)
def test_the_order_of_a_refused_id_that_was_given_may_be_that_of_another_message(
    client: Client, histories: ListsTransport, another: dict[str, str], says: str
) -> None:
    histories.show("orders.history", page(order_record(1, order_id=7, **another)))

    found = settled(client, refused(400, message(minted=False)))

    assert (found.state, found.reason) == ("unsettled", f"the service refused it; {says}")
    assert (order_ids(found), found.rests_on) == ([7], "")


# Ids and keys that were used before

KEYED = message("spot.withdraw")
SAYS_USED = "it accepted a message with this idempotency key before"
NOT_SAID = (
    "that does not say that its idempotency key was used before; if it means that, and no other message "
    "had this key, this one was executed; if not, nothing is known of it"
)
PERHAPS = (
    "its idempotency key was used before, but you gave it, and perhaps to another message; if no other "
    "message had this key, this one was executed"
)
ITS_KEY = KEYED.client_id
DUPLICATE = "Duplicate idempotency_key"


def conflict(sent: Message, words: str = DUPLICATE) -> Failed:
    error = api_error("spot.withdraw", 409, None, words, b"")
    error.intent = unknown(sent).intent
    return error


def conflict_later(sent: Message, words: str) -> Failed:
    """A 409 to a later attempt, of which an earlier one seemed not to have been sent."""
    return OutcomeUnknownError(unknown(sent).intent, words, status=409)


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        (f"409: {DUPLICATE}", SAYS_USED),
        ("409: Duplicate Idempotency-Key", SAYS_USED),
        ("409 (code 409): duplicate idempotency key.", SAYS_USED),
        (f"409: {DUPLICATE}: {str(ITS_KEY).upper()} was used for withdrawal 3", SAYS_USED),
        ("409: a request with this idempotency_key is in progress", NOT_SAID),
        ("409: Duplicate idempotency key: the first request is in progress", NOT_SAID),
        (f"409: {DUPLICATE}: {ITS_KEY} (pending)", NOT_SAID),
        ("409: no duplicate idempotency key: the account is locked", NOT_SAID),
        (f"409: {DUPLICATE}: 6f0c1f4e was used", NOT_SAID),
        ("409: idempotency_key is being processed", NOT_SAID),
        (f"409: {ITS_KEY} exists", NOT_SAID),
        ("409: Duplicate client_order_id", NOT_SAID),
        ("409", NOT_SAID),
        ("", NOT_SAID),
    ],
)
def test_a_conflict_says_that_a_key_was_used_in_the_documented_words_alone(
    client: Client, words: str, meaning: str
) -> None:
    found = settled(client, conflict_later(KEYED, words))

    assert found.reason == f'the service answered "{words}": {meaning}'
    assert found.state == ("executed" if meaning == SAYS_USED else "unsettled")
    assert bool(found.rests_on) == (meaning == SAYS_USED)
    assert (found.operation, found.client_id) == ("spot.withdraw", ITS_KEY)


@pytest.mark.parametrize(
    ("error", "state_", "meaning"),
    [
        (conflict(KEYED), "executed", SAYS_USED),
        (conflict(KEYED, "No"), "unsettled", NOT_SAID),
        (conflict(message("spot.withdraw", minted=False)), "unsettled", PERHAPS),
        (conflict(message("spot.withdraw", minted=False), "No"), "unsettled", NOT_SAID),
    ],
    ids=["minted", "other words", "given", "both"],
)
def test_of_what_message_a_conflict_speaks_is_known_of_a_key_that_was_made_for_it(
    client: Client, error: Failed, state_: str, meaning: str
) -> None:
    words = "No" if meaning == NOT_SAID else DUPLICATE
    assert state(client, error) == (state_, f'the service answered "409: {words}": {meaning}')


def test_a_message_without_a_key_was_refused_and_no_words_settle_it(client: Client) -> None:
    without = message("spot.withdraw", None)
    assert state(client, conflict(without)) == REFUSED
    assert settle_duplicate(without, None, conflict(without)).state == "unsettled"


@pytest.mark.parametrize("name", ["orders.create", "spot.withdraw"])
def test_a_conflict_of_a_batch_does_not_say_which_of_its_ids_was_used(
    client: Client, name: str
) -> None:
    error = refused(409, message(name), message(name, OTHER_ID))

    found = [(each.state, each.reason) for each in client.reconcile(error)]

    # A 409 to ids that lists show may speak of a copy of the message, so it is no final word.
    assert found == [NOT_EXECUTED if name == "orders.create" else REFUSED] * 2


def test_after_a_conflict_about_an_id_that_a_list_shows_the_list_decides(
    client: Client, histories: ListsTransport
) -> None:
    error = unknown(message(), status=409)
    assert state(client, error) == NOT_EXECUTED

    histories.show("orders.history", page(order_record(1)))
    assert state(client, error) == EXECUTED
    assert state(client, unknown(message(minted=False), status=409)) == GIVEN


def test_after_a_conflict_it_waits_for_a_copy_that_is_listed_late(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    histories.show("orders.history", page(), page(order_record(now_ms())))

    assert state(client, refused(409, message(), ago=0)) == EXECUTED
    assert clock.slept >= WINDOW / 1_000


# Calls that it refuses to look into


def sent_elsewhere(**changes: Any) -> OutcomeUnknownError:
    return OutcomeUnknownError(evolve(unknown(message()).intent, **changes), "lost")


ELSEWHERE = (
    "orders.create was sent to {} for {}: reconcile it with a client of that service and account"
)
URL, ANOTHER = "https://elsewhere.example", "1" * 32


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (
            api_error("orders.history", 400, None, "No", b""),
            "orders.history: it changed nothing, so there is nothing to reconcile",
        ),
        (unknown(message("orders.make")), "orders.make is no operation of this service"),
        (sent_elsewhere(base_url=URL), ELSEWHERE.format(URL, KEY.address)),
        (sent_elsewhere(account=ANOTHER), ELSEWHERE.format(HERE, ANOTHER)),
    ],
    ids=["a read", "no operation", "another service", "another account"],
)
def test_a_call_that_this_client_cannot_look_for_is_refused_with_the_reason(
    client: Client, histories: ListsTransport, error: Any, says: str
) -> None:
    with pytest.raises(RequestError) as caught:
        client.reconcile(error)
    assert (str(caught.value), histories.sent) == (says, [])


# The journal


@pytest.fixture
def journaled(histories: ListsTransport, tmp_path: Path) -> Iterator[Client]:
    with Client(HERE, signer=KEY, transport=histories, journal=tmp_path / "journal") as client:
        yield client


def begun(client: Client, error: OutcomeUnknownError) -> OutcomeUnknownError:
    """The error of a call that is open in the journal."""
    journal = client._caller.journal
    assert journal is not None
    journal.begin(error.intent)
    journal.end(error.intent, known=False)
    assert [each.intent for each in client.unsettled()] == [error.intent]
    return error


def test_a_settled_call_is_marked_in_the_journal(
    journaled: Client, histories: ListsTransport
) -> None:
    error = begun(journaled, unknown(message()))
    histories.show("orders.history", page(order_record(soon_after_signing())))

    assert [each.state for each in journaled.reconcile(error)] == ["executed"]
    assert journaled.unsettled() == []


def test_an_unsettled_call_stays_open_until_it_is_acknowledged(journaled: Client) -> None:
    error = begun(journaled, unknown(message("subaccounts.transfer", None)))

    assert [each.state for each in journaled.reconcile(error)] == ["unsettled"]
    assert len(journaled.unsettled()) == 1
    journaled.acknowledge(error)
    assert journaled.unsettled() == []


def test_a_call_of_another_account_or_service_is_acknowledged_by_a_client_of_it(
    journaled: Client,
) -> None:
    error = begun(journaled, unknown(message("subaccounts.transfer", None)))
    wrong: list[dict[str, Any]]
    wrong = [{"account": "1" * 32}, {"account": None}, {"base_url": "http://127.0.0.1:10"}]
    for changes in wrong:
        other = Client(HERE)
        other._caller = evolve(journaled._caller, **changes)
        with pytest.raises(RequestError, match=f"sent to {HERE} for {KEY.address}: acknowledge it"):
            other.acknowledge(error)
    assert len(journaled.unsettled()) == 1


def test_a_call_that_is_not_open_cannot_be_acknowledged(journaled: Client, client: Client) -> None:
    with pytest.raises(RequestError, match="has no open entry of this call"):
        journaled.acknowledge(unknown(message()))
    with pytest.raises(RequestError, match="this client has no journal"):
        client.acknowledge(unknown(message()))
