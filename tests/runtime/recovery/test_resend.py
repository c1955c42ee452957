"""Sending a message again under its idempotency key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve, field, frozen

from tests.runtime.attempts import KEY
from tests.runtime.recovery.histories import HERE, OTHER, message, unknown
from tests.runtime.test_minted import Lossy, lost
from trading_runtime.call.repeat import repeat
from trading_runtime.http.transport import Request, Response
from trading_runtime.intent import Message
from trading_runtime.operation import Operation
from trading_runtime.signing.keys import Keypair
from trading_sdk import Client, ConflictError, OutcomeUnknownError, RequestError, SetPositionTpsl
from trading_sdk_observed import Client as Observed

ADDRESS = "1" * 32


@pytest.fixture
def lossy() -> Lossy:
    return Lossy()


@pytest.fixture
def client(lossy: Lossy) -> Client:
    return Client(HERE, signer=KEY, transport=lossy)


def test_what_has_secret_fields_is_not_sent_again(client: Client) -> None:
    @frozen(kw_only=True)
    class Login:
        password: str = field(repr=False)

    login = Operation[None](name="session.open", method="POST", path="/", params=Login)

    with pytest.raises(RequestError, match=r"session\.open: it has secret fields"):
        repeat(client._caller, login, message("session.open", None))


def test_what_is_sent_again_needs_no_fields(client: Client) -> None:
    create = client.api.operations["api_keys.create"]

    nothing = Message(name="api_keys.create", client_id=None, fields={})
    assert lost(repeat, client._caller, create, nothing).operation == "api_keys.create"


DUPLICATE = "Duplicate idempotency_key"


class Conflict(Lossy):
    """Answers every message with a 409."""

    def __init__(self, words: str = DUPLICATE) -> None:
        super().__init__()
        self.words, self.sent = words, 0

    def send(self, request: Request, *, timeout: float) -> Response:
        self.sent += 1
        return Response(409, {}, json.dumps({"error": self.words}).encode())


def test_a_withdrawal_that_was_refused_as_used_was_accepted(lossy: Lossy, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    with Client(HERE, signer=KEY, transport=lossy, journal=journal) as first:
        lost(first.spot.withdraw, symbol="SOL", amount="1")
    with Client(HERE, signer=KEY, transport=Conflict(), journal=journal) as client:
        (error,) = client.unsettled()
        found = client.resend(error)
        assert client.unsettled() == []

    assert (found.state, found.records, found.client_id) == ("executed", (), error.client_ids[0])
    assert found.reason == (
        f'the service answered "409: {DUPLICATE}": it accepted a message with this idempotency key before'
    )
    assert "no other message has this key" in found.rests_on


@pytest.mark.parametrize(
    ("words", "given", "said"),
    [
        (DUPLICATE, True, "you gave it, and perhaps to another message"),
        ("Account is being liquidated, conflict", False, "that does not say that its idempotency"),
        ("a request with this idempotency_key is in progress", False, "that does not say that its"),
        ("", False, "that does not say that its idempotency"),
    ],
    ids=["a key that was given", "another conflict", "in progress", "no words"],
)
def test_a_conflict_that_may_be_about_something_else_settles_nothing(
    lossy: Lossy, tmp_path: Path, words: str, given: bool, said: str
) -> None:
    journal = tmp_path / "journal"
    with Client(HERE, signer=KEY, transport=lossy, journal=journal) as first:
        more: dict[str, Any] = {"idempotency_key": UUID(int=7)} if given else {}
        error = lost(first.spot.withdraw, symbol="SOL", amount="1", **more)
    with Client(HERE, signer=KEY, transport=Conflict(words), journal=journal) as client:
        found = client.resend(error)
        assert len(client.unsettled()) == 1

    assert (found.state, found.records, found.rests_on) == ("unsettled", (), "")
    assert f'the service answered "409{": " if words else ""}' in found.reason
    assert words in found.reason and said in found.reason


def test_what_was_refused_is_not_sent_again() -> None:
    conflict = Conflict()
    with Client(HERE, signer=KEY, transport=conflict) as client:
        with pytest.raises(ConflictError) as caught:
            client.spot.withdraw(symbol="SOL", amount="1")
        with pytest.raises(RequestError, match=f"refused it, so .*409: {DUPLICATE}"):
            client.resend(caught.value)

    assert conflict.sent == 1


def test_a_key_that_was_sent_again_is_still_of_one_message(lossy: Lossy, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    with Client(HERE, signer=KEY, transport=lossy, journal=journal) as first:
        other = lost(first.spot.withdraw, symbol="SOL", amount="1")
        error = lost(first.spot.withdraw, symbol="SOL", amount="1")
        again = lost(first.resend, error)
        assert lost(first.resend, again).client_ids == error.client_ids
        assert len(first.unsettled()) == 4

    with Client(HERE, signer=KEY, transport=Conflict(), journal=journal) as client:
        assert client.resend(error).state == "executed"
        assert [each.client_ids for each in client.unsettled()] == [other.client_ids]


def test_the_promise_of_unique_ids_is_not_written_down_with_what_is_sent_again(
    lossy: Lossy,
) -> None:
    with Client(HERE, signer=KEY, transport=lossy, unique_ids=True) as client:
        key = UUID(int=7)
        error = lost(client.spot.withdraw, symbol="SOL", amount="1", idempotency_key=key)
        again = lost(client.resend, error)
    assert not again.intent.messages[0].minted


def test_another_message_with_the_same_key_stays_open(lossy: Lossy, tmp_path: Path) -> None:
    journal, key = tmp_path / "journal", UUID(int=7)
    with Client(HERE, signer=KEY, transport=lossy, journal=journal) as client:
        error = lost(client.spot.withdraw, symbol="SOL", amount="1", idempotency_key=key)
        lost(client.spot.withdraw, symbol="SOL", amount="2", idempotency_key=key)
        client._caller = evolve(client._caller, transport=Good())
        assert client.resend(error).state == "executed"
        (left,) = client.unsettled()
    assert left.intent.messages[0].fields["amount"] == "2"


@pytest.mark.parametrize(
    ("group", "name", "fields"),
    [
        ("vaults", "deposit", {"lake": ADDRESS, "amount": "1"}),
        ("vaults", "withdraw", {"lake": ADDRESS, "shares": "1"}),
        ("subaccounts", "transfer_spot", {"to_account": ADDRESS, "symbol": "SOL", "amount": "1"}),
    ],
)
def test_what_is_not_sent_again_does_not_promise_it(
    lossy: Lossy, group: str, name: str, fields: dict[str, str]
) -> None:
    with Observed(HERE, signer=KEY, transport=lossy) as client:
        error = lost(getattr(getattr(client, group), name), **fields)
        again = OutcomeUnknownError.from_json(error.to_json())
        for each in (error, again):
            assert "resend" not in str(each)
            assert (
                "nothing can ever settle it. Unless repeating it changes nothing more, look at "
                in str(each)
            )
            assert f" Its client id: {error.client_ids[0]}." in str(each)
            with pytest.raises(RequestError, match="only a message with an idempotency key"):
                client.resend(each)


def test_a_batch_of_signed_orders_does_not_promise_to_be_sent_again(
    lossy: Lossy, client: Client
) -> None:
    order: dict[str, Any] = {"symbol": "BTC", "side": "bid", "price": "1", "amount": "1"}
    tpsl: dict[str, Any] = {"symbol": "BTC", "side": "ask", "take_profit": {"stop_price": "9"}}
    with Client(HERE, signer=Keypair(b"\x02" * 32), transport=lossy) as other:
        signed = [
            other.explain("orders.create", **order, tif="ALO", reduce_only=False) for _ in range(2)
        ]
    for actions in ([signed[0]], [signed[1], SetPositionTpsl(**tpsl)]):
        error = lost(client.orders.batch, actions)
        assert "resend" not in str(error)
        assert "No list can settle orders.create of " in str(error)
        with pytest.raises(RequestError, match="only a message with an idempotency key"):
            client.resend(error)


def test_what_an_older_version_wrote_down_is_sent_again(lossy: Lossy) -> None:
    with Client(HERE, signer=KEY, transport=lossy) as first:
        fields = json.loads(lost(first.spot.withdraw, symbol="SOL", amount="1").to_json())
    del fields["intent"]["messages"][0]["listed"]
    with Client(HERE, signer=KEY, transport=Good()) as client:
        found = client.resend(OutcomeUnknownError.from_json(json.dumps(fields)))
    assert found.state == "executed"


class Good(Lossy):
    """Accepts a withdrawal of 1 SOL."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[dict[str, Any]] = []

    def send(self, request: Request, *, timeout: float) -> Response:
        receipt = {"symbol": "SOL", "batch_nonce": 1, "requested_amount": "1", "fee_amount": "0"}
        self.sent.append(json.loads(request.body or b""))
        return Response(200, {}, json.dumps({"success": True, "data": receipt}).encode())


def test_a_withdrawal_that_is_accepted_at_last_is_told_with_its_receipt(lossy: Lossy) -> None:
    good = Good()
    with Client(HERE, signer=KEY, transport=lossy) as first:
        error = lost(first.spot.withdraw, symbol="SOL", amount="1")
        with pytest.raises(OutcomeUnknownError, match=str(error.client_ids[0])):
            first.resend(error)
    with Client(HERE, signer=KEY, transport=good) as client:
        found = client.resend(error)

    assert (found.state, found.records[0].batch_nonce) == ("executed", 1)
    assert [each["idempotency_key"] for each in good.sent] == list(error.client_ids)


@pytest.mark.parametrize("name", ["orders.create", "orders.cancel", "subaccounts.transfer"])
def test_only_what_has_an_idempotency_key_is_sent_again(client: Client, name: str) -> None:
    sent = message(name)

    with pytest.raises(RequestError, match="only a message with an idempotency key"):
        client.resend(unknown(sent))
    with pytest.raises(RequestError, match="only a message with an idempotency key"):
        client.resend(unknown(message("spot.withdraw"), message("spot.withdraw", OTHER)))
    with pytest.raises(RequestError, match="only a message with an idempotency key"):
        client.resend(unknown(message("spot.withdraw", None)))
