"""Ids that the SDK makes, in a call or in a model: known as made for the first message that carries them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from attrs import evolve

from tests.doubles.orders import HERE, order, order_record, stop_order
from tests.doubles.signer import KEY
from tests.doubles.transport import ListsTransport
from tests.interface import page
from trading_runtime.clock import now_ms
from trading_runtime.recovery.reconcile import SHARED_ID
from trading_sdk import (
    CancelOrder,
    Client,
    CreateOrder,
    OutcomeUnknownError,
    Settlement,
    StopOrderConfig,
)


def page_of(id_: str | None) -> dict[str, Any]:
    return page(order_record(now_ms(), client_order_id=id_))


def show(lists: ListsTransport, id_: str | None) -> None:
    """Show an order with an id, which was made now."""
    lists.show("orders.history", page_of(id_))


def settled(client: Client, error: Any, timeout: float | None = None) -> Settlement:
    (settlement,) = client.reconcile(error, timeout=timeout)
    return settlement


@pytest.fixture
def lossy() -> ListsTransport:
    return ListsTransport()


@pytest.fixture
def client(lossy: ListsTransport) -> Client:
    return Client(HERE, signer=KEY, transport=lossy)


def lost(call: Any, *arguments: Any, **fields: Any) -> OutcomeUnknownError:
    with pytest.raises(OutcomeUnknownError) as caught:
        call(*arguments, **fields)
    return caught.value


def minted(error: OutcomeUnknownError) -> list[bool]:
    return [each.minted for each in error.intent.messages]


def test_an_id_that_nobody_gave_is_made_here(client: Client) -> None:
    errors = [
        lost(client.orders.create, **order()),
        lost(client.orders.batch, [CreateOrder(**order())]),
        lost(client.orders.batch, [{"type": "Create", "data": CreateOrder(**order())}]),
        lost(client.orders.create_stop, **stop_order(stop_order=StopOrderConfig(stop_price="2"))),
        lost(client.spot.withdraw, symbol="SOL", amount="1"),
    ]
    for error in errors:
        assert minted(error) == [True]
        assert UUID(str(error.client_ids[0])).version == 4
        again = OutcomeUnknownError.from_json(error.to_json())
        assert again.intent == error.intent and minted(again) == [True]


@pytest.mark.parametrize("given", [UUID(int=1), str(UUID(int=2)), None])
def test_an_id_that_was_given_is_not_made_here(client: Client, given: UUID | str | None) -> None:
    assert minted(lost(client.orders.create, **order(client_order_id=given))) == [False]


def test_the_id_of_a_model_is_made_here_for_its_first_sending_alone(client: Client) -> None:
    model, stop = CreateOrder(**order()), StopOrderConfig(stop_price="2")
    for again in (
        lambda: client.orders.batch([model]),
        lambda: client.orders.create_stop(**stop_order(stop_order=stop)),
    ):
        assert minted(lost(again)) == [True]
        assert minted(lost(again)) == [False]
    for given in (
        lambda: client.orders.batch([evolve(model, tif="GTC")]),
        lambda: client.orders.create(**order(client_order_id=model.client_order_id)),
        lambda: client.orders.batch([copy.deepcopy(CreateOrder(**order()))]),
    ):
        assert minted(lost(given)) == [False]


@pytest.mark.parametrize(
    "copied",
    [
        copy.deepcopy,
        lambda model: evolve(model, price="2"),
        lambda model: pickle.loads(pickle.dumps(model)),
        lambda model: CreateOrder(**order(client_order_id=model.client_order_id)),
    ],
)
def test_an_id_that_another_model_took_over_counts_as_given_for_both(
    client: Client, lossy: ListsTransport, copied: Callable[[CreateOrder], CreateOrder]
) -> None:
    model = CreateOrder(**order())
    lost(client.orders.batch, [copied(model)])

    error = lost(client.orders.batch, [model])

    assert minted(error) == [False]
    earlier = order_record(now_ms() - 60_000, client_order_id=str(model.client_order_id))
    lossy.show("orders.history", {**page_of(str(model.client_order_id)), "data": [earlier]})
    assert client.reconcile(error, timeout=0)[0].state == "unsettled"


def test_of_threads_that_send_the_same_model_one_is_the_first(client: Client) -> None:
    model = CreateOrder(**order())
    with ThreadPoolExecutor(8) as threads:
        errors = threads.map(lambda _: lost(client.orders.batch, [model]), range(16))
    assert sum(minted(each) == [True] for each in errors) == 1


# What the error says of operations that no list can settle


def test_an_operation_that_no_list_shows_says_so_at_once(client: Client) -> None:
    withdrawal = lost(client.spot.withdraw, symbol="SOL", amount="1")
    assert (
        " No list can settle it, so client.reconcile(error) cannot find out. client.resend(error) sends "
        f"it again with the same id, {withdrawal.client_ids[0]}, which is safe. The service can"
    ) in str(withdrawal)

    transfer = lost(client.subaccounts.transfer, to_account="1" * 32, amount="1")
    assert (
        " No list shows whether it was executed, so nothing can ever settle it. Unless repeating it changes "
        "nothing more, look at what it should have changed, like balances or settings, before you send it "
        "again: if it was executed, it is then executed twice. The service can" in str(transfer)
    )


def test_a_batch_whose_actions_share_an_id_leaves_each_of_them_unsettled(
    client: Client, lossy: ListsTransport
) -> None:
    mine = uuid4()
    create: Any = CreateOrder(**order(client_order_id=mine))
    cancel = CancelOrder(symbol="BTC", client_order_id=mine)
    other: Any = {"type": "Create", "data": order()}
    error = lost(client.orders.batch, [create, cancel, create, other])
    show(lossy, str(mine))

    *shared, alone = client.reconcile(error, timeout=0)

    assert OutcomeUnknownError.from_json(error.to_json()).intent == error.intent
    assert {(each.state, each.reason) for each in shared} == {("unsettled", SHARED_ID)}
    assert alone.reason.startswith("no list shows its id")
