"""Which calls `reconcile` takes, and what the journal remembers of those that it settles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from tests.doubles.orders import HERE, api_error, message, order_record, unknown
from tests.doubles.signer import KEY
from tests.doubles.transport import ListsTransport
from tests.interface import page
from tests.runtime.recovery.histories import soon_after_signing
from trading_runtime.errors import OutcomeUnknownError, RequestError
from trading_sdk import Client

# Calls that it refuses to look into


@pytest.mark.parametrize(
    ("url", "account"),
    [("http://127.0.0.1:8", KEY.address), (HERE, "1" * 32)],
    ids=["service", "account"],
)
def test_a_call_of_another_service_or_account_is_refused(
    histories: ListsTransport, url: str, account: str
) -> None:
    other = Client(url, account=account, transport=histories)

    with other, pytest.raises(RequestError, match=rf"{HERE} for {KEY.address}"):
        other.reconcile(unknown(message()))

    assert histories.read == []


def test_a_call_that_changed_nothing_is_refused(client: Client) -> None:
    with pytest.raises(RequestError, match=r"orders\.history: it changed nothing"):
        client.reconcile(api_error("orders.history", 400, None, "No", b""))


def test_an_operation_that_the_service_does_not_have_is_refused(client: Client) -> None:
    with pytest.raises(RequestError, match=r"orders\.steal is no operation"):
        client.reconcile(unknown(message("orders.steal")))


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
