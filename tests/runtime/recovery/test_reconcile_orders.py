"""What `reconcile` says of orders that were created, changed or cancelled, alone and in a batch."""

from __future__ import annotations

import pytest
from attrs import evolve, frozen

from tests.interface import page
from tests.runtime.recovery.histories import (
    HERE,
    KEY,
    MINE,
    OTHER,
    Histories,
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
from trading_runtime.clock import now_ms
from trading_runtime.operation import ListOperation
from trading_sdk import Client

MISMATCH = ("unsettled", "a list shows its id, but with other values")


def test_an_executed_order_is_shown(client: Client, histories: Histories) -> None:
    histories.show("orders.history", page(order(at=soon_after_signing(), order_id=7)))

    settlement = settled(client, unknown(message()))

    assert (settlement.state, settlement.reason) == ("executed", "a list shows its id")
    assert order_ids(settlement) == [7]


def test_the_order_that_was_not_cancelled_is_shown(client: Client, histories: Histories) -> None:
    histories.show("orders.history", page(order(at=1, order_id=7)))

    settlement = settled(client, unknown(cancel(order_id=7)))

    unchanged = "the record that it should change shows no change"
    assert (settlement.state, settlement.reason) == ("not executed", unchanged)
    assert order_ids(settlement) == [7]


@pytest.mark.parametrize("another", [{"side": "ask"}, {"symbol": "ETH", "amount": "2"}])
def test_another_order_of_its_id_is_shown_without_advice(
    client: Client, histories: Histories, another: dict[str, str]
) -> None:
    histories.show("orders.history", page(order(at=soon_after_signing(), order_id=7, **another)))

    settlement = settled(client, unknown(message()))

    assert (settlement.state, settlement.reason) == MISMATCH
    assert order_ids(settlement) == [7]


@pytest.mark.parametrize(
    ("another", "differing"),
    [
        ({"initial_price": "1.5"}, "initial_price is 1.5 (sent: 1)"),
        (
            {"initial_price": "1.5", "amount": "0.5"},
            "initial_price is 1.5 (sent: 1), amount is 0.5 (sent: 1)",
        ),
    ],
)
def test_an_order_whose_price_or_amount_the_service_changed_was_executed(
    client: Client, histories: Histories, another: dict[str, str], differing: str
) -> None:
    histories.show("orders.history", page(order(at=soon_after_signing(), order_id=7, **another)))

    reason = f"a list shows its id, with other values: {differing}"
    assert state(client, unknown(message())) == ("executed", reason)
    settlement = settled(client, refused(400, message()))
    assert (settlement.state, settlement.reason) == (
        "executed",
        f"the service refused it, but {reason}",
    )
    assert order_ids(settlement) == [7]


@pytest.mark.parametrize(
    ("price", "amount"), [("1", "1"), ("1.0", "1.00"), ("01", "1e0")], ids=["same", "0", "form"]
)
def test_a_price_and_an_amount_are_the_same_in_whatever_form(
    client: Client, histories: Histories, price: str, amount: str
) -> None:
    # The price of a filled order differs from the price that it was sent with.
    shown = order(at=soon_after_signing(), price="9", initial_price=price, amount=amount)
    histories.show("orders.history", page(shown))

    assert settled(client, unknown(message())).state == "executed"


def test_a_market_order_is_known_by_its_amount_at_whatever_price(
    client: Client, histories: Histories
) -> None:
    error = unknown(message("orders.create_market"))
    histories.show("orders.history", page(order(at=soon_after_signing(), initial_price="9")))
    assert settled(client, error).state == "executed"

    histories.show("orders.history", page(order(at=soon_after_signing(), amount="2")))
    found = state(client, error)
    assert found == ("executed", "a list shows its id, with other values: amount is 2 (sent: 1)")


@pytest.mark.parametrize("field", ["price", "amount"])
def test_a_message_without_price_or_amount_is_not_guessed_at(
    client: Client, histories: Histories, field: str
) -> None:
    histories.show("orders.history", page(order(at=soon_after_signing())))
    sent = message()
    vague = evolve(sent, fields={name: v for name, v in sent.fields.items() if name != field})

    reason = "it lacks a field to compare with the lists"
    assert state(client, unknown(vague)) == ("unsettled", reason)


def test_each_settlement_names_the_message_that_it_is_about(client: Client) -> None:
    sent = [message(), message("orders.create_market", OTHER), message("orders.cancel", None)]

    settlements = client.reconcile(unknown(*sent))

    assert [(each.operation, each.client_id) for each in settlements] == [
        ("orders.create", MINE),
        ("orders.create_market", OTHER),
        ("orders.cancel", None),
    ]


def test_each_action_of_a_batch_is_looked_for(client: Client, histories: Histories) -> None:
    orders = [
        order(at=soon_after_signing()),
        order(at=now_ms(), order_id=2, client_order_id=OTHER),
    ]
    histories.show("orders.history", page(*orders))
    sent = [
        message(),
        message(client_id=OTHER, side="ask"),
        message("orders.set_position_tpsl", None),
        cancel(order_id=1),
    ]

    states = [each.state for each in client.reconcile(unknown(*sent))]

    assert states == ["executed", "unsettled", "unsettled", "not executed"]


def test_each_message_is_looked_for_in_its_own_lists_alone(
    client: Client, histories: Histories
) -> None:
    histories.show("orders.history", page(order(at=soon_after_signing())))

    created, withdrawn = client.reconcile(unknown(message(), message("spot.withdraw", OTHER)))

    assert (created.state, withdrawn.state) == ("executed", "unsettled")
    assert withdrawn.records == ()


def test_an_operation_with_a_key_that_no_list_shows_gets_no_advice_to_repeat_it(
    histories: Histories,
) -> None:
    unlisted = evolve(Client.api.operations["orders.create"], trace=None)

    class Another(Client):
        api = evolve(Client.api, operations=[unlisted])

    with Another(HERE, signer=KEY, transport=histories) as client:
        found, reason = state(client, unknown(message()))
    assert found == "unsettled" and reason.startswith("no list shows whether it was executed,")


def test_a_list_of_no_account_is_asked_for_without_one(histories: Histories) -> None:
    @frozen(kw_only=True)
    class Everything:
        cursor: str | None = None

    history = Client.api.operations["orders.history"]
    assert isinstance(history, ListOperation)
    pages = evolve(history.pagination, limit=None)
    everybodys = evolve(history, account=None, params=Everything, pagination=pages)

    class Another(Client):
        api = evolve(Client.api, operations=[*Client.api.operations.values(), everybodys])

    histories.show("orders.history", page(order(at=soon_after_signing())))
    with Another(HERE, signer=KEY, transport=histories) as client:
        assert settled(client, unknown(message())).state == "executed"
    assert not any("?" in each.url for each in histories.read)
