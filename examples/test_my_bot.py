"""The tests of a bot, against a sandbox. Run them with: pytest examples/test_my_bot.py

The fixtures come with the package, once `trading-service-sdk[sandbox]` is installed. Nothing is mocked: the bot
speaks to a local exchange, whose prices, outcomes and faults the tests decide.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from trading_sandbox import Sandbox
from trading_sdk import Client, Order, OutcomeUnknownError


def buy(client: Client, price: str) -> None:
    """The bot: it buys 0.01 BTC at a price, once, whatever happens on the way."""
    try:
        client.orders.create(
            symbol="BTC", side="bid", price=price, amount="0.01", tif="GTC", reduce_only=False
        )
    except OutcomeUnknownError as error:
        [settlement] = client.reconcile(error)
        if settlement.state == "not executed":
            buy(client, price)
        elif settlement.state == "unsettled":
            raise


def the_order(client: Client) -> Order:
    [order] = client.orders.history()
    return order


def test_it_rests_below_the_market(trading_client: Client) -> None:
    buy(trading_client, "60000")

    assert the_order(trading_client).order_status == "open"


def test_it_is_filled_when_the_market_falls(
    trading_sandbox: Sandbox, trading_client: Client
) -> None:
    buy(trading_client, "60000")
    trading_sandbox.set_mark_price("BTC", "59000")

    assert the_order(trading_client).order_status == "filled"
    assert [trade.price for trade in trading_client.trades.history()] == [Decimal(60000)]


@pytest.mark.parametrize("fault", ["reset", "html", "short_body"])
def test_it_buys_once_although_the_answer_is_lost(
    fault: str, trading_sandbox: Sandbox, trading_client: Client
) -> None:
    trading_sandbox.faults.inject("orders.create", fault, executed=True)

    buy(trading_client, "60000")

    assert the_order(trading_client).amount == Decimal("0.01")


def test_two_bots_trade_with_each_other(
    trading_sandbox: Sandbox, trading_account: Callable[..., Client]
) -> None:
    trading_sandbox.set_maker(False)
    seller, buyer = trading_account(usdc="5000"), trading_account(usdc="5000")
    seller.orders.create(
        symbol="BTC", side="ask", price="99000", amount="0.01", tif="GTC", reduce_only=False
    )

    buy(buyer, "99000")

    assert the_order(buyer).order_status == the_order(seller).order_status == "filled"
