"""Reconcile against a service that is a few lists: when it waits, what it reads, what it concludes.

The service's clock is this machine's; a message that was signed a minute ago has expired.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from email.utils import formatdate
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.generated.records import page
from trading_runtime import reconcile as reconciling
from trading_runtime.clock import now_ms
from trading_runtime.errors import ApiError, OutcomeUnknownError, RequestError, api_error
from trading_runtime.intents import Intent, Message
from trading_runtime.keys import Keypair
from trading_runtime.transport import Request, Response
from trading_sdk import Client

KEY = Keypair(b"\x01" * 32)
HERE = "http://127.0.0.1:9"
MINE, OTHER = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11", "6a0b1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
WINDOW = 30_000


class Lists:
    """A service that answers with pages, each of which is shown to one request."""

    def __init__(self) -> None:
        self.pages: dict[str, list[Any]] = {}
        self.read: list[Request] = []
        self.ahead = 0
        """How far the service's clock is ahead, in seconds."""

    def send(self, request: Request, *, timeout: float) -> Response:
        self.read.append(request)
        pages = self.pages.get(urlsplit(request.url).path, [])
        # The last one is shown again and again.
        content = page() if not pages else pages.pop(0) if len(pages) > 1 else pages[0]
        date = formatdate(now_ms() / 1_000 + self.ahead, usegmt=True)
        return Response(200, {"Date": date}, json.dumps(content).encode())

    def close(self) -> None:
        pass

    def show(self, operation: str, *pages: Any) -> None:
        self.pages[Client.api.operations[operation].path] = list(pages)


@pytest.fixture
def lists() -> Lists:
    return Lists()


@pytest.fixture
def client(lists: Lists) -> Iterator[Client]:
    with Client(HERE, signer=KEY, transport=lists) as client:
        yield client


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages expire at once."""
    monkeypatch.setattr(reconciling, "MARGIN_MS", 50)


def order(at: int, **fields: Any) -> dict[str, Any]:
    return {
        "order_id": 1,
        "client_order_id": MINE,
        "symbol": "BTC",
        "side": "bid",
        "price": "1",
        "initial_price": "1",
        "average_filled_price": "0",
        "amount": "1",
        "filled_amount": "0",
        "order_status": "open",
        "order_type": "limit",
        "stop_price": None,
        "stop_parent_order_id": None,
        "reduce_only": False,
        "reason": None,
        "created_at": at,
        "updated_at": at,
        **fields,
    }


def message(name: str = "orders.create", client_id: str | None = MINE, **fields: Any) -> Message:
    bid = {"symbol": "BTC", "side": "bid", "price": "1", "amount": "1"}
    return Message(name=name, client_id=client_id, fields={**bid, **fields})


def unknown(
    *messages: Message, ago: int = 60_000, window: int = WINDOW, **more: Any
) -> OutcomeUnknownError:
    """The error of a call that was signed so many ms ago."""
    intent = Intent(
        id="an id",
        operation=messages[0].name,
        base_url=HERE,
        account=KEY.address,
        timestamp=now_ms() - ago,
        expiry_window=window,
        messages=messages,
    )
    return OutcomeUnknownError(intent, "the connection was reset", **more)


def refused(status: int, *messages: Message) -> ApiError:
    error = api_error(messages[0].name, status, None, "No", b"")
    error.intent = unknown(*messages).intent
    return error


def states(
    client: Client, error: OutcomeUnknownError | ApiError, **options: Any
) -> list[tuple[str, str]]:
    return [(each.state, each.reason) for each in client.reconcile(error, **options)]


# When it looks, and when it waits


def test_what_a_list_shows_needs_no_second_look(client: Client, lists: Lists) -> None:
    list(client.orders.history())  # from here on the service's clock is known
    lists.show("orders.history", page(order(at=now_ms())))
    lists.read.clear()

    assert states(client, unknown(message(), ago=0)) == [("executed", "a list shows its id")]
    assert len(lists.read) == 1
    assert parse_qs(urlsplit(lists.read[0].url).query)["account"] == [KEY.address]


def test_what_no_list_shows_is_looked_for_again_once_it_has_expired(
    client: Client, lists: Lists, patience: None
) -> None:
    list(client.orders.history())
    shown = order(at=now_ms())
    lists.show("orders.history", page(), page(shown))

    assert states(client, unknown(message(), ago=0, window=50)) == [
        ("executed", "a list shows its id")
    ]


def test_what_expired_without_a_trace_was_not_executed(client: Client) -> None:
    assert states(client, unknown(message())) == [("not executed", "no list shows its id")]


def test_before_it_expired_it_is_unsettled(client: Client) -> None:
    error = unknown(message(), ago=0)

    ((state, reason),) = states(client, error, timeout=0)

    assert state == "unsettled"
    assert reason.endswith(f"until {error.intent.accepted_until} ms")


def test_a_service_whose_clock_is_behind_has_more_time(client: Client, lists: Lists) -> None:
    lists.ahead = -60

    ((state, _),) = states(client, unknown(message(), ago=WINDOW + 5_000), timeout=0)

    assert state == "unsettled"


def test_the_times_of_records_are_compared_by_the_clock_of_the_service(
    client: Client, lists: Lists
) -> None:
    # A client that has had no answer yet does not know that this order is its own.
    lists.ahead = -60
    lists.show("orders.history", page(order(at=now_ms() - 60_000)))

    assert states(client, unknown(message(), ago=0), timeout=0) == [
        ("executed", "a list shows its id")
    ]


def test_once_an_id_was_seen_no_further_page_is_read(client: Client, lists: Lists) -> None:
    more = {**page(order(at=now_ms())), "next_cursor": "c", "has_more": True}
    lists.show("orders.history", more)

    assert states(client, unknown(message(), ago=0))[0][0] == "executed"
    assert not any("cursor" in each.url for each in lists.read)


# Several messages, and those that no list shows


def test_each_action_of_a_batch_is_looked_for(client: Client, lists: Lists) -> None:
    lists.show(
        "orders.history",
        page(order(at=now_ms() - 60_000), order(at=now_ms(), order_id=2, client_order_id=OTHER)),
    )
    error = unknown(
        message(),
        message(client_id=OTHER, side="ask"),
        message("orders.set_position_tpsl", None),
        message("orders.cancel", None, order_id=1),
    )

    assert [state for state, _ in states(client, error)] == [
        "executed",
        "unsettled",
        "unsettled",
        "not executed",
    ]


def test_what_no_list_shows_is_unsettled_at_once(client: Client, lists: Lists) -> None:
    transfer = unknown(message("subaccounts.transfer", None), ago=0)
    setting = unknown(message("account.set_auto_lend_disabled", None), ago=0)

    assert states(client, transfer) == [("unsettled", "no list shows it")]
    ((_, reason),) = states(client, setting)
    assert reason == "no list shows it; it can be sent again, twice changes no more than once"
    assert lists.read == []


def test_a_withdrawal_that_something_resembles_can_be_settled_by_its_key(
    client: Client, lists: Lists
) -> None:
    record = {
        "symbol": "BTC",
        "amount": "1",
        "batch_nonce": 1,
        "transaction_id": "t",
        "created_at": now_ms() - 60_000,
    }
    lists.show("spot.withdrawal_history", page(record))

    ((state, reason),) = states(client, unknown(message("spot.withdraw")))

    assert state == "unsettled"
    assert reason.endswith("a 409 then says that it was accepted")
    ((state, reason),) = states(client, unknown(message("spot.withdraw", None)))
    assert (state, "409" in reason) == ("unsettled", False)


def test_without_a_resemblance_it_was_not_executed(client: Client) -> None:
    assert states(client, unknown(message("spot.withdraw")))[0][0] == "not executed"


# What the service refused


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (refused(400, message()), "not executed"),
        (refused(409, message("spot.withdraw")), "executed"),
        (refused(409, message("spot.withdraw", None)), "not executed"),
        (unknown(message("spot.withdraw"), status=409), "executed"),
        # Nobody says which one of them was used.
        (refused(409, message(), message(client_id=OTHER)), "not executed"),
    ],
)
def test_a_refusal_settles_it_without_waiting(
    client: Client, error: OutcomeUnknownError | ApiError, expected: str
) -> None:
    assert {state for state, _ in states(client, error)} == {expected}


@pytest.mark.parametrize("status", [400, 409])
def test_an_older_order_of_its_id_is_what_the_refusal_was_about(
    client: Client, lists: Lists, status: int
) -> None:
    lists.show("orders.history", page(order(at=1)))

    assert states(client, refused(status, message())) == [("executed", "a list shows its id")]


@pytest.mark.parametrize(
    "messages", [[message("subaccounts.transfer", None)], [message(), message(client_id=OTHER)]]
)
def test_a_conflict_that_names_no_id_is_looked_into(
    client: Client, messages: Sequence[Message]
) -> None:
    assert "executed" not in {state for state, _ in states(client, unknown(*messages, status=409))}


# What it cannot look into


def test_a_call_of_another_service_or_account_is_refused(lists: Lists) -> None:
    error = unknown(message())
    for url, account in (("http://127.0.0.1:8", KEY.address), (HERE, "1" * 32)):
        other = Client(url, account=account, transport=lists)
        with other, pytest.raises(RequestError, match=rf"{HERE} for {KEY.address}"):
            other.reconcile(error)
    assert lists.read == []


def test_a_call_that_changed_nothing_is_refused(client: Client) -> None:
    with pytest.raises(RequestError, match=r"orders\.history: it changed nothing"):
        client.reconcile(api_error("orders.history", 400, None, "No", b""))


def test_what_the_service_does_not_offer_is_refused(client: Client) -> None:
    with pytest.raises(RequestError, match=r"orders\.steal is no operation"):
        client.reconcile(unknown(message("orders.steal")))
