"""What an order must satisfy to be taken (sections 4.1, 4.2 and 8; field notes 17 and 23)."""

from __future__ import annotations

from typing import Any, cast
from uuid import uuid4

import pytest

from tests.end_to_end.trading import place, state
from trading_sandbox import Sandbox
from trading_sdk import BadRequestError, Client, RequestError, Side


@pytest.mark.parametrize(
    ("symbol", "price", "amount"),
    [
        ("BTC", "99999", "0.00011"),
        ("ETH", "3499.9", "0.0029"),
        ("SOL", "149.99", "0.07"),
    ],
)
def test_an_order_on_the_grid_of_its_market_is_taken(
    client: Client, symbol: str, price: str, amount: str
) -> None:
    placed = place(client, symbol=symbol, price=price, amount=amount)

    assert state(client, placed) == ("open", None)


def test_a_client_id_is_free_again_once_its_order_is_done(client: Client) -> None:
    mine = uuid4()
    client.orders.cancel(symbol="BTC", order_id=place(client, client_order_id=mine))

    assert state(client, place(client, client_order_id=mine)) == ("open", None)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"price": "90000.5"}, "tick size"),
        ({"symbol": "ETH", "price": "3000.05"}, "tick size"),
        ({"amount": "0.000015"}, "lot size"),
        ({"symbol": "ETH", "price": "3000", "amount": "0.00005"}, "lot size"),
        ({"amount": "0.0001"}, "minimum order is 10 USD"),
        ({"price": "0"}, "price"),
        ({"amount": "-1"}, "amount"),
        ({"symbol": "DOGE"}, "Unknown symbol"),
        ({"amount": "1000"}, "Insufficient balance"),
    ],
)
def test_an_order_that_no_market_takes_is_refused(
    client: Client, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadRequestError, match=words) as refused:
        place(client, **changes)

    assert refused.value.code == 400
    assert list(client.orders.history()) == []


def test_an_open_order_keeps_its_client_id_to_itself(client: Client) -> None:
    mine = uuid4()
    first = place(client, client_order_id=mine)

    with pytest.raises(BadRequestError, match=f"order {first} is open with it"):
        place(client, client_order_id=mine)


@pytest.mark.parametrize("code", ["abc", "A1b2C3d4E5f6G7h8"])
def test_a_builder_code_of_3_to_16_letters_and_digits_is_taken(client: Client, code: str) -> None:
    place(client, builder_code=code)
    client.orders.create_stop(
        symbol="BTC",
        side="bid",
        reduce_only=False,
        stop_order={"stop_price": "110000", "amount": "0.1"},
        builder_code=code,
    )


@pytest.mark.parametrize("code", ["ab", "a" * 17, "with-dash"])
def test_any_other_builder_code_is_refused_before_it_is_sent(
    sandbox: Sandbox, client: Client, code: str
) -> None:
    with pytest.raises(RequestError, match="builder_code"):
        place(client, builder_code=code)

    assert sandbox.requests == []


def test_a_wrong_side_is_refused_before_anything_is_sent(sandbox: Sandbox, client: Client) -> None:
    with pytest.raises(RequestError, match=r"CreateOrder\.side: 'buy' is not one of"):
        place(client, cast(Side, "buy"))

    assert sandbox.requests == []
