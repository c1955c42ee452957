"""Sending a message again under its idempotency key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve, field, frozen

from tests.doubles.orders import HERE, OTHER_ID, message, unknown
from tests.doubles.signer import KEY
from tests.doubles.transport import LOST, ScriptedTransport, ok, refusal, response
from trading_runtime.intent import Message
from trading_runtime.operation import Operation, Trace
from trading_runtime.recovery.resend import resend
from trading_sdk import BadRequestError, Client, OutcomeUnknownError, RequestError
from trading_sdk_observed import Client as Observed

ADDRESS = "1" * 32
DUPLICATE = "Duplicate idempotency_key"
NO_KEY = "only a message with an idempotency key"
RECEIPT = {"symbol": "SOL", "batch_nonce": 1, "requested_amount": "1", "fee_amount": "0"}
ACCEPTED = ok({"success": True, "data": RECEIPT})


@pytest.fixture
def client() -> Client:
    return losing()


def losing(**options: Any) -> Client:
    """A client whose messages are all lost."""
    return Client(HERE, signer=KEY, transport=ScriptedTransport(then=LOST), **options)


def conflicting(words: str, **options: Any) -> Client:
    """A client whose messages are all answered with a 409."""
    conflict = ScriptedTransport(then=response(409, {"error": words}))
    return Client(HERE, signer=KEY, transport=conflict, **options)


def lost(call: Callable[..., Any], *args: Any, **kwargs: Any) -> OutcomeUnknownError:
    """The error of a call that was lost."""
    with pytest.raises(OutcomeUnknownError) as caught:
        call(*args, **kwargs)
    return caught.value


def withdrawal(client: Client, **more: Any) -> OutcomeUnknownError:
    """The error of a withdrawal that was lost."""
    return lost(client.spot.withdraw, **{"symbol": "SOL", "amount": "1", **more})


# What it says


def test_a_withdrawal_that_was_refused_as_used_was_accepted(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    with losing(journal=journal) as first:
        withdrawal(first)
    with conflicting(DUPLICATE, journal=journal) as client:
        (error,) = client.unsettled()
        found = client.resend(error)
        assert client.unsettled() == []

    assert (found.state, found.records, found.client_id) == ("executed", (), error.client_ids[0])
    assert found.reason == (
        f'the service answered "409: {DUPLICATE}": it accepted a message with this idempotency key before'
    )
    assert "no other message has this key" in found.rests_on


def test_the_error_of_a_used_key_leads_to_reconcile_and_not_to_another_sending() -> None:
    with conflicting(DUPLICATE) as client:
        error = withdrawal(client)
        found = client.reconcile(error)

    used = f" The service says that its key, {error.client_ids[0]}, was used: client.reconcile(error) says"
    assert used in str(error)
    assert used in str(OutcomeUnknownError.from_json(error.to_json()))
    assert "resend" not in str(error)
    assert [each.state for each in found] == ["executed"]


def test_a_key_that_was_sent_again_is_still_of_one_message(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    with losing(journal=journal) as first:
        other, error = withdrawal(first), withdrawal(first)
        again = lost(first.resend, error)
        assert lost(first.resend, again).client_ids == error.client_ids
        assert len(first.unsettled()) == 4

    with conflicting(DUPLICATE, journal=journal) as client:
        assert client.resend(error).state == "executed"
        assert [each.client_ids for each in client.unsettled()] == [other.client_ids]


def test_another_message_with_the_same_key_stays_open(tmp_path: Path) -> None:
    key = UUID(int=7)
    with losing(journal=tmp_path / "journal") as client:
        error = withdrawal(client, idempotency_key=key)
        withdrawal(client, idempotency_key=key, amount="2")
        client._caller = evolve(client._caller, transport=ScriptedTransport(ACCEPTED))
        assert client.resend(error).state == "executed"
        (left,) = client.unsettled()
    assert left.intent.messages[0].fields["amount"] == "2"


# What is not sent again


def test_what_was_refused_may_be_sent_again_for_a_copy_of_it_may_have_been_accepted() -> None:
    with conflicting(DUPLICATE) as client:
        client._caller = evolve(
            client._caller, transport=ScriptedTransport(refusal(400), refusal(409, DUPLICATE))
        )
        with pytest.raises(BadRequestError) as caught:
            client.spot.withdraw(symbol="SOL", amount="1")
        assert client.resend(caught.value).state == "executed"


@pytest.mark.parametrize(
    "messages",
    [
        [message("orders.create")],
        [message("subaccounts.transfer")],
        [message("spot.withdraw"), message("spot.withdraw", OTHER_ID)],
        [message("spot.withdraw", None)],
    ],
)
def test_only_what_has_a_key_is_sent_again(client: Client, messages: list[Message]) -> None:
    with pytest.raises(RequestError, match=NO_KEY):
        client.resend(unknown(*messages))


def test_what_is_not_sent_again_does_not_promise_it() -> None:
    advice = "nothing can ever settle it. Unless repeating it changes nothing more, look at "
    with Observed(HERE, signer=KEY, transport=ScriptedTransport(then=LOST)) as client:
        error = lost(client.vaults.deposit, lake=ADDRESS, amount="1")
        for each in (error, OutcomeUnknownError.from_json(error.to_json())):
            assert "resend" not in str(each) and advice in str(each)
            assert f" Its client id: {error.client_ids[0]}." in str(each)
            with pytest.raises(RequestError, match=NO_KEY):
                client.resend(each)


def test_what_has_secret_fields_is_not_sent_again(client: Client) -> None:
    @frozen(kw_only=True)
    class Login:
        id: str
        password: str = field(repr=False)

    login = Operation[None](
        name="session.open",
        method="POST",
        path="/",
        params=Login,
        retry="by-key",
        key="id",
        trace=Trace(lists=(), made_at="time"),
    )
    api = evolve(client.api, operations=[login])

    with pytest.raises(RequestError, match=r"session\.open: it has secret fields"):
        resend(client._caller, api, unknown(message("session.open", OTHER_ID)))
