"""Ticks and lots: rounded for the program, and refused before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Context, Decimal, Inexact, localcontext
from typing import Any

import pytest
from hypothesis import given, strategies as st

import trading_sdk
from tests.toolkit.market import PACKAGES, exchange
from trading_sandbox import Sandbox
from trading_sdk_observed import (
    AddIsolatedMargin,
    Client,
    CreateMarketOrder,
    CreateOrder,
    EditOrder,
    Market,
    RequestError,
)
from trading_toolkit import ToolkitError, markets

pytestmark = pytest.mark.toolkit
ORDER: dict[str, Any] = {
    "symbol": "BTC",
    "side": "bid",
    "price": "500",
    "amount": "0.1",
    "tif": "GTC",
    "reduce_only": False,
}
MARKET: dict[str, Any] = {
    "symbol": "ETH",
    "min_tick": Decimal("0.1"),
    "max_tick": Decimal(10000),
    "max_leverage": 50,
    "isolated_only": False,
    "min_order_size": Decimal(10),
    "max_order_size": Decimal(1000000),
}


def rules_of(tick: str = "0.1", lot: str = "0.0001", **more: Any) -> markets.Markets:
    steps = {"tick_size": Decimal(tick), "lot_size": Decimal(lot)}
    return markets.Markets({"ETH": Market(**{**MARKET, **steps, **more})})


@pytest.fixture
def checked() -> Iterator[tuple[Sandbox, Client]]:
    """A live exchange, and a client that checks the rules of its markets."""
    with exchange("live") as sandbox, Client(sandbox.url) as reader:
        key = sandbox.create_account(usdc="100000")
        with Client(sandbox.url, signer=key, history_lag=0, check=markets.of(reader)) as client:
            yield sandbox, client


def test_what_breaks_a_rule_is_refused_before_sending(checked: tuple[Sandbox, Client]) -> None:
    sandbox, client = checked
    placed = client.orders.create(**ORDER)
    sent = len(sandbox.requests)
    good = CreateOrder(**ORDER)
    refused: list[tuple[Callable[[], object], str]] = [
        (
            lambda: client.orders.create(**{**ORDER, "price": "500.5"}),
            "price 500.5 is no multiple of the tick size 1 of BTC: give 500 or 501",
        ),
        (
            lambda: client.orders.create(
                **ORDER, take_profit={"stop_price": "600", "limit_price": "599.9"}
            ),
            "take_profit.limit_price 599.9 is no multiple of the tick size 1 of BTC: give 599 or 600",
        ),
        (
            lambda: client.orders.create_stop(
                symbol="BTC",
                side="ask",
                reduce_only=False,
                stop_order={"stop_price": "400", "amount": "0.000001"},
            ),
            "stop_order.amount 0.000001 is no multiple of the lot size 0.00001 of BTC: give 0.00001",
        ),
        (
            lambda: client.orders.create_market(
                symbol="BTC",
                side="bid",
                amount="0.000015",
                slippage_percent="1",
                reduce_only=False,
            ),
            "amount 0.000015 is no multiple of the lot size 0.00001 of BTC: give 0.00001 or 0.00002",
        ),
        (
            lambda: client.orders.batch(
                [
                    good,
                    EditOrder(symbol="BTC", order_id=placed.order_id, price="500.25", amount="0.1"),
                ]
            ),
            "orders.batch: action 1: price 500.25 is no multiple of the tick size 1 of BTC",
        ),
        (
            lambda: client.orders.create(**{**ORDER, "symbol": "btc"}),
            "no market is 'btc'; did you mean 'BTC'",
        ),
        (
            lambda: client.orders.create(**{**ORDER, "symbol": "Q"}),
            "no market is 'Q'; there are BTC, ETH, SOL",
        ),
        (
            lambda: client.orders.create(**{**ORDER, "amount": "0.01"}),
            "an order of 5.00 USD is smaller than BTC allows, 10 USD: at 500 give an amount of 0.02",
        ),
    ]
    for call, text in refused:
        with pytest.raises(RequestError) as caught:
            call()
        assert text in str(caught.value)
    assert len(sandbox.requests) == sent
    # Off, the exchange is asked; and what the rules allow goes through.
    other = client.with_options(check=None)
    with pytest.raises(trading_sdk.OutcomeUnknownError):
        other.orders.create(**{**ORDER, "price": "500.5"})
    assert client.orders.batch([good]).failure is None


def test_every_suggestion_is_accepted_by_the_exchange(checked: tuple[Sandbox, Client]) -> None:
    _, client = checked
    rules = markets.of(client)
    for symbol in rules.rules:
        for side in ("bid", "ask"):
            price = rules.round_price(symbol, "123.456789", side)
            amount = rules.round_amount(symbol, "1.123456789")
            client.orders.create(
                symbol=symbol, side=side, price=price, amount=amount, tif="GTC", reduce_only=False
            )


def test_the_rules_are_read_once_and_again_if_asked() -> None:
    with exchange("live") as sandbox, Client(sandbox.url) as client:
        first = markets.of(client)
        assert markets.of(client) is first
        assert len(sandbox.requests) == 1
        assert markets.of(client, refresh=True) is not first
        assert set(first.rules) == {"BTC", "ETH", "SOL"}
    with (
        exchange() as sandbox,
        PACKAGES["documented"].Client(sandbox.url) as client,
        pytest.raises(ToolkitError, match="trading_sdk_observed"),
    ):
        markets.of(client)


STEPS = st.builds(
    lambda count, places: Decimal(count).scaleb(-places), st.integers(1, 500), st.integers(0, 10)
)


@given(value=st.decimals("0.000001", "1e12", allow_nan=False, places=12), tick=STEPS, lot=STEPS)
def test_rounding_is_exact_whatever_the_context(
    value: Decimal, tick: Decimal, lot: Decimal
) -> None:
    rules = rules_of(str(tick), str(lot))
    with localcontext(Context(prec=6, traps=[Inexact])):
        bid, ask = (rules.round_price("ETH", value, side) for side in ("bid", "ask"))
        amount = rules.round_amount("ETH", value)
    with localcontext(Context(prec=100, traps=[Inexact])):
        assert bid <= value <= ask
        assert value - bid < tick
        assert ask - value < tick
        assert bid % tick == ask % tick == amount % lot == 0
        assert 0 <= value - amount < lot


def test_bounds_and_what_is_no_order() -> None:
    rules = rules_of()
    order = {**ORDER, "symbol": "ETH"}
    rules.check(CreateOrder(**{**order, "amount": "0.01", "reduce_only": True}))
    rules.check(EditOrder(symbol="ETH", order_id=1, price="500", amount="0.0001"))
    rules.check(AddIsolatedMargin(symbol="anything", amount="0.123456"))
    rules.check(
        CreateMarketOrder(
            symbol="ETH", side="bid", amount="0.0001", slippage_percent="1", reduce_only=False
        )
    )
    for change, text in (
        ({"price": "10000.1"}, "price 10000.1 is beyond the bounds of ETH: give 10000"),
        ({"price": "0"}, "price must be above 0, not 0: the tick size of ETH is 0.1"),
        ({"amount": "2000.001"}, "at 500 give an amount of 2000.0000"),
        ({"amount": "2001"}, "an order of 1000500 USD is larger than ETH allows, 1000000 USD"),
    ):
        with pytest.raises(RequestError) as caught:
            rules.check(CreateOrder(**{**order, **change}))
        assert text in str(caught.value)
    with pytest.raises(RequestError, match=r"give 0\.5"):
        rules_of(min_tick=Decimal("0.5")).check(CreateOrder(**{**order, "price": "0.2"}))
    # A service that names no step has no rule.
    rules_of("0", "0").check(CreateOrder(**{**order, "price": "500.123456"}))
    with pytest.raises(RequestError, match="side must be 'bid' or 'ask', not 'buy'"):
        rules.round_price("ETH", 1, "buy")
    with pytest.raises(TypeError, match="float"):
        rules.round_amount("ETH", 0.1)  # type: ignore[arg-type]
