"""What a settlement says: of which message, in which words, by which records (see test_reconcile)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve, frozen

from tests.generated.records import page
from tests.runtime.recovery.test_reconcile import (
    HERE,
    KEY,
    MINE,
    OTHER,
    WINDOW,
    Lists,
    message,
    order,
    refused,
    since,
    unknown,
)
from trading_runtime.clock import now_ms
from trading_runtime.errors import ApiError, OutcomeUnknownError
from trading_runtime.intent import Message
from trading_runtime.operation import ListOperation
from trading_runtime.recovery import reconcile as reconciling
from trading_sdk import Client, Settlement

SENT = 60_000
"""How long ago, in ms, messages were signed that have expired."""


@pytest.fixture
def lists() -> Lists:
    return Lists()


@pytest.fixture
def client(lists: Lists) -> Iterator[Client]:
    with Client(HERE, signer=KEY, transport=lists) as client:
        yield client


def settled(
    client: Client, error: OutcomeUnknownError | ApiError, timeout: float | None = None
) -> Settlement:
    (settlement,) = client.reconcile(error, timeout=timeout)
    return settlement


def numbers(settlement: Settlement) -> list[int]:
    return [record.order_id for record in settlement.records]


def told(settlement: Settlement) -> tuple[str, str]:
    return settlement.state, settlement.reason


def test_each_settlement_names_the_message_that_it_is_about(client: Client) -> None:
    sent = [message(), message("orders.create_market", OTHER), message("orders.cancel", None)]

    settlements = client.reconcile(unknown(*sent))

    assert [(each.operation, each.client_id) for each in settlements] == [
        ("orders.create", MINE),
        ("orders.create_market", OTHER),
        ("orders.cancel", None),
    ]


# What was executed, what was not, and what may still be


def test_what_was_executed_is_shown(client: Client, lists: Lists) -> None:
    lists.show("orders.history", page(order(at=since(), order_id=7)))

    settlement = settled(client, unknown(message()))

    assert told(settlement) == ("executed", "a list shows its id")
    assert numbers(settlement) == [7]


def test_what_was_executed_stays_so_though_a_later_look_does_not_show_it(
    client: Client, lists: Lists
) -> None:
    list(client.orders.history())  # from here on the service's clock is known
    shown = order(at=since(), order_id=7)
    lists.show("orders.history", page(shown), page(order(at=1, order_id=8, client_order_id=OTHER)))

    mine, other = client.reconcile(unknown(message(), message(client_id=OTHER)))

    assert told(mine) == ("executed", "a list shows its id")
    assert numbers(mine) == [7]
    assert told(other) == ("unsettled", "its id was used before")


def test_what_stands_where_a_cancelled_order_would_is_shown(client: Client, lists: Lists) -> None:
    lists.show("orders.history", page(order(at=1, order_id=7)))

    settlement = settled(client, unknown(message("orders.cancel", None, order_id=7)))

    reason = "what it would change is as it was"
    assert told(settlement) == ("not executed", reason)
    assert numbers(settlement) == [7]


def test_what_is_not_settled_yet_shows_what_there_is_and_until_when(
    client: Client, lists: Lists
) -> None:
    lists.show("orders.history", page(order(at=1, order_id=7)))
    error = unknown(message("orders.cancel", None, order_id=7), ago=0)

    settlement = settled(client, error, timeout=0)

    until = f"the service can accept it until {error.intent.accepted_until} ms"
    reason = f"what it would change is as it was; {until}"
    assert told(settlement) == ("unsettled", reason)
    assert numbers(settlement) == [7]


def test_after_its_expiry_a_message_may_still_be_on_its_way(
    client: Client, lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciling, "MARGIN_MS", 60_000)

    settlement = settled(client, unknown(message(), ago=WINDOW + 30_000), timeout=0)

    assert settlement.state == "unsettled"


@pytest.mark.parametrize(
    "another", [{"side": "ask"}, {"symbol": "ETH"}, {"initial_price": "1.5"}, {"amount": "2"}]
)
def test_an_id_that_stands_on_something_else_is_shown_without_advice(
    client: Client, lists: Lists, another: dict[str, str]
) -> None:
    lists.show("orders.history", page(order(at=since(), order_id=7, **another)))

    settlement = settled(client, unknown(message()))

    assert told(settlement) == ("unsettled", "its id stands on something else")
    assert numbers(settlement) == [7]


@pytest.mark.parametrize(
    ("price", "amount"), [("1", "1"), ("1.0", "1.00"), ("01", "1e0")], ids=["same", "0", "form"]
)
def test_a_price_and_an_amount_are_the_same_in_whatever_form(
    client: Client, lists: Lists, price: str, amount: str
) -> None:
    # The price of an order that was filled is another one than the price it was sent with.
    shown = order(at=since(), price="9", initial_price=price, amount=amount)
    lists.show("orders.history", page(shown))

    assert settled(client, unknown(message())).state == "executed"


def test_a_market_order_is_known_by_its_amount_at_whatever_price(
    client: Client, lists: Lists
) -> None:
    error = unknown(message("orders.create_market"))
    lists.show("orders.history", page(order(at=since(), initial_price="9")))
    assert settled(client, error).state == "executed"

    lists.show("orders.history", page(order(at=since(), amount="2")))
    assert told(settled(client, error)) == ("unsettled", "its id stands on something else")


@pytest.mark.parametrize("field", ["price", "amount"])
def test_a_message_that_does_not_say_its_price_or_amount_is_not_guessed_at(
    client: Client, lists: Lists, field: str
) -> None:
    lists.show("orders.history", page(order(at=since())))
    sent = message()
    vague = evolve(sent, fields={name: v for name, v in sent.fields.items() if name != field})

    settlement = settled(client, unknown(vague))

    reason = "it does not say all that would have to be compared"
    assert told(settlement) == ("unsettled", reason)


def withdrawal(at: int) -> dict[str, Any]:
    return {
        "symbol": "BTC",
        "amount": "1",
        "batch_nonce": 3,
        "transaction_id": "t",
        "created_at": at,
    }


@pytest.mark.parametrize(
    ("key", "advice"),
    [
        (
            MINE,
            "; send it again with the same id, and only so: a 409 then says that it was accepted",
        ),
        (None, ""),
    ],
)
def test_a_withdrawal_that_may_be_this_one_is_shown_with_advice_if_it_has_a_key(
    client: Client, lists: Lists, key: str | None, advice: str
) -> None:
    lists.show("spot.withdrawal_history", page(withdrawal(now_ms() - SENT)))

    settlement = settled(client, unknown(message("spot.withdraw", key)))

    reason = "a list shows something like it, without the id that would tell"
    assert told(settlement) == ("unsettled", reason + advice)
    assert [record.batch_nonce for record in settlement.records] == [3]


def test_a_list_that_is_of_no_account_is_asked_for_without_one(lists: Lists) -> None:
    @frozen(kw_only=True)
    class Everything:
        cursor: str | None = None

    history = Client.api.operations["orders.history"]
    assert isinstance(history, ListOperation)
    everybodys = evolve(history, account=None, params=Everything)

    class Another(Client):
        api = evolve(Client.api, operations=[*Client.api.operations.values(), everybodys])

    lists.show("orders.history", page(order(at=since())))
    with Another(HERE, signer=KEY, transport=lists) as client:
        assert settled(client, unknown(message())).state == "executed"
    assert not any("account" in each.url for each in lists.read)


# What was refused

REFUSED = ("not executed", "the service refused it")


@pytest.mark.parametrize(
    "sent",
    [message(), message("orders.cancel", None), message("subaccounts.transfer", None)],
    ids=lambda sent: sent.name,
)
def test_a_refusal_says_so_of_whatever_was_refused(client: Client, sent: Message) -> None:
    settlement = settled(client, refused(400, sent))

    assert told(settlement) == REFUSED
    assert settlement.records == ()


def test_a_cancel_that_was_refused_did_not_cancel_what_is_cancelled(
    client: Client, lists: Lists
) -> None:
    now = now_ms()
    cancelled = order(at=now - 10 * SENT, updated_at=now, order_id=7, order_status="cancelled")
    lists.show("orders.history", page(cancelled))

    settlement = settled(client, refused(404, message("orders.cancel", None, order_id=7)))

    assert told(settlement) == REFUSED


@pytest.mark.parametrize("another", [{"initial_price": "2"}, {"amount": "2"}])
def test_a_refusal_because_its_id_stands_on_another_order_did_not_execute_it(
    client: Client, lists: Lists, another: dict[str, str]
) -> None:
    lists.show("orders.history", page(order(at=1, **another)))

    assert told(settled(client, refused(400, message()))) == REFUSED


@pytest.mark.parametrize("at", [0, 1])
def test_the_order_of_a_refused_id_is_shown_however_old_it_is(
    client: Client, lists: Lists, at: int
) -> None:
    lists.show("orders.history", page(order(at=at, order_id=7)))

    settlement = settled(client, refused(409, message()))

    assert told(settlement) == ("executed", "a list shows its id")
    assert numbers(settlement) == [7]


def test_a_conflict_about_an_id_that_no_list_shows_was_accepted_before(client: Client) -> None:
    settlement = settled(client, unknown(message("spot.withdraw"), status=409))

    reason = "its id was used before: the service accepted an earlier message"
    assert told(settlement) == ("executed", reason)
