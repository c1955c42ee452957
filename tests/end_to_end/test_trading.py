"""A trader's day through the SDK, over a real socket, on the sandbox."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import cast
from uuid import uuid4

import pytest

from trading_sandbox import Sandbox
from trading_sdk import (
    ApiError,
    BadRequestError,
    BatchError,
    CancelOrder,
    Client,
    CreateMarketOrder,
    CreateOrder,
    EditOrder,
    Keypair,
    Order,
    OrderStatus,
    RequestError,
    Side,
    TimeInForce,
)


@pytest.fixture(scope="module")
def exchange() -> Iterator[Sandbox]:
    with Sandbox(taker_delay=0.01) as sandbox:
        yield sandbox


@pytest.fixture
def market(exchange: Sandbox) -> Iterator[tuple[Client, Client]]:
    """A maker and a taker on a BTC market that nobody else quotes."""
    with (
        Client(exchange.url, signer=exchange.create_account(usdc="1000000")) as maker,
        Client(exchange.url, signer=exchange.create_account(usdc="1000000")) as taker,
    ):
        yield maker, taker
        for client in (maker, taker):
            for order in client.orders.history():
                if order.order_status in (OrderStatus.OPEN, OrderStatus.PARTIALLY_FILLED):
                    client.orders.cancel(symbol=order.symbol, order_id=order.order_id)


def place(
    client: Client,
    side: Side,
    price: int,
    amount: str = "0.1",
    tif: TimeInForce = TimeInForce.ALO,
    reduce_only: bool = False,
) -> int:
    placed = client.orders.create(
        symbol="BTC", side=side, price=price, amount=amount, tif=tif, reduce_only=reduce_only
    )
    return placed.order_id


def order(client: Client, order_id: int) -> Order:
    return next(each for each in client.orders.history() if each.order_id == order_id)


def test_an_order_rests_until_another_account_crosses_it(market: tuple[Client, Client]) -> None:
    maker, taker = market
    resting = place(maker, Side.ASK, 60_000)

    assert order(maker, resting).order_status == OrderStatus.OPEN
    taken = place(taker, Side.BID, 60_000, "0.04", TimeInForce.IOC)

    assert order(maker, resting).order_status == OrderStatus.PARTIALLY_FILLED
    assert order(maker, resting).filled_amount == Decimal("0.04")
    assert order(taker, taken).order_status == OrderStatus.FILLED
    assert order(taker, taken).average_filled_price == 60_000
    (trade,) = islice(taker.trades.history(symbol="BTC"), 1)
    assert (trade.order_id, trade.side, trade.amount) == (taken, "open_long", Decimal("0.04"))
    assert (trade.event_type, trade.cause) == ("fulfill_taker", "normal")
    assert trade.fee == Decimal("0.04") * 60_000 * Decimal("0.0004")


def test_a_taker_walks_the_book_and_pays_the_average(market: tuple[Client, Client]) -> None:
    maker, taker = market
    place(maker, Side.ASK, 60_000)
    place(maker, Side.ASK, 60_300)

    taken = place(taker, Side.BID, 60_500, "0.2", TimeInForce.GTC)

    assert order(taker, taken).average_filled_price == 60_150
    executed = {trade.entry_price for trade in taker.trades.history() if trade.order_id == taken}
    assert executed == {Decimal(60_000), Decimal(60_300)}


def test_an_alo_order_that_would_cross_is_rejected(market: tuple[Client, Client]) -> None:
    maker, taker = market
    place(maker, Side.ASK, 60_000)
    mine = uuid4()

    with contextlib.suppress(ApiError):
        taker.orders.create(
            symbol="BTC",
            side="bid",
            price=60_000,
            amount="0.1",
            tif="ALO",
            reduce_only=False,
            client_order_id=mine,
        )

    (rejected,) = [each for each in taker.orders.history() if each.client_order_id == mine]
    assert (rejected.order_status, rejected.reason) == ("rejected", "post_only_rejected")


def test_a_tob_order_that_would_cross_is_priced_inside_the_touch(
    market: tuple[Client, Client],
) -> None:
    maker, taker = market
    place(maker, Side.ASK, 60_000)

    placed = place(taker, Side.BID, 60_500, tif=TimeInForce.TOB)

    resting = order(taker, placed)
    assert resting.order_status == OrderStatus.OPEN
    assert resting.price == 59_999


def test_an_ioc_order_cancels_what_does_not_fill_at_once(market: tuple[Client, Client]) -> None:
    maker, taker = market
    place(maker, Side.ASK, 60_000, "0.1")

    placed = place(taker, Side.BID, 60_000, "0.3", TimeInForce.IOC)

    done = order(taker, placed)
    assert (done.order_status, done.filled_amount) == ("cancelled", Decimal("0.1"))


def test_own_orders_never_trade_with_each_other(market: tuple[Client, Client]) -> None:
    maker, _ = market
    resting = place(maker, Side.ASK, 60_000)

    incoming = place(maker, Side.BID, 60_000, tif=TimeInForce.GTC)

    assert order(maker, resting).reason == "self_trade_prevented"
    assert order(maker, incoming).order_status == OrderStatus.OPEN


def test_an_edit_replaces_the_order_and_keeps_its_client_id(market: tuple[Client, Client]) -> None:
    maker, _ = market
    mine = uuid4()
    placed = maker.orders.create(
        symbol="BTC",
        side="bid",
        price=50_000,
        amount="0.1",
        tif="GTC",
        reduce_only=False,
        client_order_id=mine,
    )

    edited = maker.orders.edit(symbol="BTC", client_order_id=mine, price=51_000, amount="0.2")

    assert order(maker, placed.order_id).order_status == OrderStatus.CANCELLED
    new = order(maker, edited.order_id)
    assert (new.client_order_id, new.side, new.price) == (mine, Side.BID, Decimal(51_000))
    assert new.amount == Decimal("0.2")


def test_a_batch_runs_in_order_and_goes_on_after_a_failure(market: tuple[Client, Client]) -> None:
    maker, taker = market
    bid = CreateOrder(
        symbol="BTC", side="bid", price=40_000, amount="0.01", tif="ALO", reduce_only=False
    )
    place(maker, Side.ASK, 60_000)

    results = taker.orders.batch(
        [
            bid,
            EditOrder(
                symbol="BTC",
                client_order_id=bid.client_order_id,
                price=40_100,
                amount="0.02",
            ),
            CancelOrder(symbol="BTC", order_id=987_654_321),
            CreateMarketOrder(
                symbol="BTC", side="bid", amount="0.05", slippage_percent="30", reduce_only=False
            ),
            CancelOrder(symbol="BTC", client_order_id=bid.client_order_id),
        ]
    )

    assert [result.success for result in results] == [True, True, False, True, True]
    with pytest.raises(BatchError, match=r"1 of 5 actions failed: \[2\]"):
        results.raise_on_failure()
    states = {each.order_id: each.order_status for each in taker.orders.history()}
    assert states[results[3].order_id or 0] == OrderStatus.FILLED


def test_a_single_cancel_says_in_the_servers_words_why_it_failed(
    market: tuple[Client, Client],
) -> None:
    maker, _ = market

    with pytest.raises(ApiError, match=r"^orders\.cancel: 200: .*987654321"):
        maker.orders.cancel(symbol="BTC", order_id=987_654_321)


def test_history_is_paged_without_loss_while_new_orders_arrive(
    market: tuple[Client, Client],
) -> None:
    maker, _ = market
    placed = [place(maker, Side.BID, 30_000 + n, "0.01") for n in range(10)]

    seen = []
    for page in maker.orders.history(limit=3).pages():
        assert len(page.items) <= 3
        seen += [each.order_id for each in page.items]
        place(maker, Side.BID, 31_000, "0.01")

    assert sorted(seen) == placed


def test_a_saved_cursor_goes_on_where_it_was(exchange: Sandbox) -> None:
    with Client(exchange.url) as reader:
        first = next(reader.funding.history(symbol="BTC", limit=5).pages())
        rest = reader.funding.history(symbol="BTC", limit=5, cursor=first.next_cursor)
        ten = list(islice(reader.funding.history(symbol="BTC", limit=1000), 10))

        assert [*first.items, *islice(rest, 5)] == ten


def test_a_refusal_is_typed_and_in_the_servers_words(exchange: Sandbox) -> None:
    with (
        Client(exchange.url, signer=Keypair.generate()) as stranger,
        pytest.raises(BadRequestError) as refused,
    ):
        place(stranger, Side.BID, 60_000)

    assert refused.value.operation == "orders.create"
    assert refused.value.status == 400
    assert refused.value.error in str(refused.value)


def test_a_wallet_file_signs_for_its_account(exchange: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "wallet.json"
    exchange.create_account().write_file(path)

    with Client(exchange.url, signer=Keypair.from_file(path)) as client:
        assert order(client, place(client, Side.BID, 20_000, "0.01")).order_status == "open"


def test_what_this_sandbox_does_not_model_is_said_so(market: tuple[Client, Client]) -> None:
    maker, _ = market

    with pytest.raises(ApiError, match="501"):
        maker.account.update_spot_settings(symbol="SOL", unified_margin_excluded=True)
    with pytest.raises(ApiError, match="501"):
        maker.subaccounts.list()


def test_a_mistake_is_refused_before_anything_is_sent(exchange: Sandbox) -> None:
    with Client(exchange.url, signer=exchange.create_account()) as client:
        before = len(exchange.requests)

        with pytest.raises(RequestError, match=r"CreateOrder\.side: 'buy' is not one of"):
            client.orders.create(
                symbol="BTC",
                side=cast(Side, "buy"),
                price=1,
                amount=1,
                tif="GTC",
                reduce_only=False,
            )
        with pytest.raises(RequestError, match="1 to 10 actions, not 11"):
            client.orders.batch([CancelOrder(symbol="BTC", order_id=n) for n in range(11)])

        assert len(exchange.requests) == before
