"""Sending a message again under its idempotency key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen

from tests.runtime.attempts import KEY
from tests.runtime.recovery.histories import HERE, OTHER, message, unknown
from tests.runtime.test_minted import Lossy, lost
from trading_runtime.call.repeat import repeat
from trading_runtime.http.transport import Request, Response
from trading_runtime.operation import Operation
from trading_sdk import Client, OutcomeUnknownError, RequestError


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
        repeat(client._caller, login, {})


def test_what_is_sent_again_needs_no_fields(client: Client) -> None:
    create = client.api.operations["api_keys.create"]

    assert lost(repeat, client._caller, create, {}).operation == "api_keys.create"


def test_a_withdrawal_that_was_refused_as_used_was_accepted(lossy: Lossy, tmp_path: Path) -> None:
    class Used(Lossy):
        def send(self, request: Request, *, timeout: float) -> Response:
            return Response(409, {}, b'{"error":"used"}')

    journal = tmp_path / "journal"
    with Client(HERE, signer=KEY, transport=lossy, journal=journal) as first:
        lost(first.spot.withdraw, symbol="SOL", amount="1")
    with Client(HERE, signer=KEY, transport=Used(), journal=journal) as client:
        (error,) = client.unsettled()
        found = client.resend(error)
        assert client.unsettled() == []

    assert (found.state, found.records, found.client_id) == ("executed", (), error.client_ids[0])
    assert found.reason == "the service accepted it before: it refused the same key as used"


def test_a_withdrawal_that_is_accepted_at_last_is_told_with_its_receipt(lossy: Lossy) -> None:
    receipt = {"symbol": "SOL", "batch_nonce": 1, "requested_amount": "1", "fee_amount": "0"}
    sent: list[dict[str, Any]] = []

    class Good(Lossy):
        def send(self, request: Request, *, timeout: float) -> Response:
            sent.append(json.loads(request.body or b""))
            return Response(200, {}, json.dumps({"success": True, "data": receipt}).encode())

    with Client(HERE, signer=KEY, transport=lossy) as first:
        error = lost(first.spot.withdraw, symbol="SOL", amount="1")
        with pytest.raises(OutcomeUnknownError, match=str(error.client_ids[0])):
            first.resend(error)
    with Client(HERE, signer=KEY, transport=Good()) as client:
        found = client.resend(error)

    assert (found.state, found.records[0].batch_nonce) == ("executed", 1)
    assert [each["idempotency_key"] for each in sent] == list(error.client_ids)


@pytest.mark.parametrize("name", ["orders.create", "orders.cancel", "subaccounts.transfer"])
def test_only_what_has_an_idempotency_key_is_sent_again(client: Client, name: str) -> None:
    sent = message(name)

    with pytest.raises(RequestError, match="only a message with an idempotency key"):
        client.resend(unknown(sent))
    with pytest.raises(RequestError, match="only a message with an idempotency key"):
        client.resend(unknown(message("spot.withdraw"), message("spot.withdraw", OTHER)))
    with pytest.raises(RequestError, match="only a message with an idempotency key"):
        client.resend(unknown(message("spot.withdraw", None)))
