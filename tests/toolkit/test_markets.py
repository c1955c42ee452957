"""Prices and amounts are held against ticks and lots before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, localcontext
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given, strategies as some

import trading_sdk
from tests.doubles.orders import market_order, resting, stop_order
from tests.toolkit.market import exchange
from trading_sdk import (
    CancelOrder,
    CreateMarketOrder,
    CreateOrder,
    EditOrder,
    RequestError,
    StopOrderConfig,
    TpslConfig,
)
from trading_sdk_observed import Client
from trading_toolkit import ToolkitError
from trading_toolkit.markets import Markets, of


@frozen
class Rule:
    tick_size: Decimal
    lot_size: Decimal


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """Of an exchange whose BTC has the tick 1 and the lot 0.00001."""
    with exchange("live") as sandbox:
        signer = sandbox.create_account(usdc="1000000")
        with Client(sandbox.url, signer=signer) as reading:
            rules = of(reading)
        with Client(sandbox.url, signer=signer, check=rules) as client:
            yield client


def order(**changed: Any) -> CreateOrder:
    given: dict[str, Any] = {"price": "60000", "amount": "0.01", "tif": "ALO", **changed}
    return CreateOrder(symbol=given.pop("symbol", "BTC"), side="bid", reduce_only=False, **given)


@given(
    price=some.decimals("0.0001", "1000000", places=4),
    tick=some.sampled_from(["0.01", "0.5", "1", "25"]),
    side=some.sampled_from(["bid", "ask"]),
)
def test_a_price_is_rounded_to_a_tick_no_worse(price: Decimal, tick: str, side: str) -> None:
    step = Decimal(tick)
    rounded = Markets({"X": Rule(step, step)}).round_price("X", price, side)
    assert rounded % step == 0
    assert abs(rounded - price) < step
    assert rounded <= price if side == "bid" else rounded >= price
    assert Markets({"X": Rule(step, step)}).round_amount("X", price) <= price


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"price": "60000.5"}, "no multiple of the tick of BTC, 1; give 60000 or 60001"),
    ({"amount": "0.000001"}, "no multiple of the lot size of BTC, 0.00001; give 0.00001"),
    ({"stop_loss": TpslConfig(stop_price="5.5")}, "stop_loss.stop_price: 5.5 is no multiple of"),
    ({"symbol": "DOGE9"}, "there is no market 'DOGE9'; there are BTC"),
    ({"symbol": "btc-perp"}, "there is no market 'btc-perp'; did you mean 'BTC'?"),
    ({"amount": "0.00016"}, "0.00016 at 60000 is 9.60000 USD, and the smallest order of BTC is 10"),
    ({"amount": "0.00016"}, "the smallest order of BTC is 10 USD; give 0.00017"),
]


@pytest.mark.parametrize(("wrong", "told"), REFUSED)
def test_what_does_not_fit_is_not_sent(wrong: dict[str, Any], told: str, client: Client) -> None:
    before = client.orders.history().to_list()
    for actions in ([order(**wrong)], [order(), order(**wrong)]):
        with pytest.raises(RequestError, match=re.escape(told)):
            client.orders.batch(actions)
    assert client.orders.history().to_list() == before


def test_an_order_that_is_too_large_is_refused_with_the_largest_amount(client: Client) -> None:
    rule = evolve(of(client).rules["BTC"], max_order_size=Decimal(5_000_000))
    text = "amount: 1000 at 60000 is 60000000 USD, and the largest order of BTC is 5000000 USD; give 83.33333"
    with pytest.raises(RequestError, match=re.escape(text)):
        Markets({"BTC": rule}).check(order(amount="1000"))
    Markets({"BTC": rule}).check(order(amount="83.33333"))


def test_every_way_to_place_an_order_is_looked_at(client: Client) -> None:
    stop = StopOrderConfig(stop_price="50000", limit_price="0.5", amount="0.01")
    with pytest.raises(RequestError, match=r"amount: 0\.000015 is no multiple of the lot size"):
        client.orders.create_market(**market_order(amount="0.000015"))
    with pytest.raises(RequestError, match=r"stop_order\.limit_price: 0\.5 is no multiple of the"):
        client.orders.create_stop(**stop_order(stop_order=stop))
    with pytest.raises(RequestError, match=r"price: 1\.5 is no multiple of the tick"):
        client.orders.edit(symbol="BTC", order_id=1, price="1.5", amount="0.01")


def test_what_fits_and_what_is_no_order_is_sent(client: Client) -> None:
    placed = client.orders.create(**resting(price="60000"))
    client.orders.batch([CancelOrder(symbol="BTC", order_id=placed.order_id)]).raise_on_failure()
    client.account.update_leverage(symbol="BTC", leverage=5)
    markets = of(client)
    markets(evolve(order(amount="0.00001"), reduce_only=True))
    markets(EditOrder(symbol="BTC", order_id=1, price="60000", amount="0.00001"))
    markets(CreateMarketOrder(**market_order(side="ask", reduce_only=True)))
    assert markets.rules["BTC"].tick_size == 1


def test_a_step_of_zero_is_no_rule_and_the_context_of_the_program_counts_for_nothing() -> None:
    free = Markets({"X": Rule(Decimal(0), Decimal("0.00001"))})
    assert free.round_price("X", "1.23", "ask") == Decimal("1.23")
    with localcontext() as context:
        context.prec = 2
        assert free.round_amount("X", "1234.567899") == Decimal("1234.56789")


def test_mistakes_are_told(client: Client) -> None:
    markets = of(client)
    with pytest.raises(ToolkitError, match="side must be 'bid' or 'ask', not 'buy'"):
        markets.round_price("BTC", "1", "buy")
    with pytest.raises(ToolkitError, match="there is no market 'NONE'"):
        markets.round_amount("NONE", "1")
    with (
        trading_sdk.Client("http://127.0.0.1:9") as documented,
        pytest.raises(ToolkitError, match="give a client of trading_sdk_observed"),
    ):
        of(documented)
    with pytest.raises(TypeError, match="check must be callable with a model, not a str"):
        Client("http://127.0.0.1:9", check="no")  # type: ignore[arg-type]
