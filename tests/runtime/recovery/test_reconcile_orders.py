"""What `reconcile` says of orders and withdrawals, alone and in a batch, by what one list shows."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve, frozen

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import (
    HERE,
    ID,
    OTHER_ID,
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
    NOT_EXECUTED,
    cancel,
    order_ids,
    settled,
    soon_after_signing,
    state,
)
from trading_runtime.clock import now_ms
from trading_runtime.intent import Message
from trading_runtime.operation import ListOperation
from trading_sdk import Client

pytestmark = pytest.mark.usefixtures("clock")

MARKET = message("orders.create_market")
MISMATCH = ("unsettled", "a list shows its id, but with other values")
LACKS = ("unsettled", "it lacks a field to compare with the lists")
UNCHANGED = ("not executed", "the record that it should change shows no change")


def rounded(differing: str) -> tuple[str, str]:
    return "executed", f"a list shows its id, with other values: {differing}"


def without(name: str) -> Message:
    sent = message()
    return evolve(sent, fields={each: v for each, v in sent.fields.items() if each != name})


@pytest.mark.parametrize(
    ("sent", "listed", "expected"),
    [
        (message(), {}, EXECUTED),
        (cancel(order_id=7), {}, UNCHANGED),
        (message(), {"side": "ask"}, MISMATCH),
        (message(), {"symbol": "ETH", "amount": "2"}, MISMATCH),
        (message(), {"initial_price": "1.5"}, rounded("initial_price is 1.5 (sent: 1)")),
        (
            message(),
            {"initial_price": "1.5", "amount": "0.5"},
            rounded("initial_price is 1.5 (sent: 1), amount is 0.5 (sent: 1)"),
        ),
        # The price of a filled order differs from the price that it was sent with.
        (message(), {"price": "9", "initial_price": "1.0", "amount": "1.00"}, EXECUTED),
        (message(), {"price": "9", "initial_price": "01", "amount": "1e0"}, EXECUTED),
        # A market order is known by its amount, at whatever price.
        (MARKET, {"initial_price": "9"}, EXECUTED),
        (MARKET, {"amount": "2"}, rounded("amount is 2 (sent: 1)")),
        # A message without price or amount is not guessed at.
        (without("price"), {}, LACKS),
        (without("amount"), {}, LACKS),
    ],
)
def test_an_order_is_held_against_its_message_and_shown(
    client: Client,
    histories: ListsTransport,
    sent: Message,
    listed: dict[str, str],
    expected: tuple[str, str],
) -> None:
    histories.show("orders.history", page(order_record(soon_after_signing(), order_id=7, **listed)))

    found = settled(client, unknown(sent))

    assert (found.state, found.reason) == expected
    assert order_ids(found) == ([] if expected == LACKS else [7])
    if sent.client_id and found.state == "executed":
        reason = f"the service refused it, but {found.reason}"
        assert state(client, refused(400, sent)) == ("executed", reason)


def test_each_action_of_a_batch_is_settled_by_its_own_order_and_names_it(
    client: Client, histories: ListsTransport
) -> None:
    other = order_record(now_ms(), order_id=2, client_order_id=OTHER_ID)
    histories.show("orders.history", page(order_record(soon_after_signing()), other))
    sent = [
        message(),
        message(client_id=OTHER_ID, side="ask"),
        message("orders.set_position_tpsl", None),
        cancel(order_id=1),
    ]

    found = client.reconcile(unknown(*sent))

    assert [(each.operation, each.client_id, each.state) for each in found] == [
        ("orders.create", ID, "executed"),
        ("orders.create", OTHER_ID, "unsettled"),
        ("orders.set_position_tpsl", None, "unsettled"),
        ("orders.cancel", None, "not executed"),
    ]


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
