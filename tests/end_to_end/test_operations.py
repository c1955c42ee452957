"""How each operation is called: path, method, signing type, body (sections 4, 5.1, 5.2 and 9)."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

from tests.end_to_end.operations import WRONG
from tests.interface import ACTIONS, OPERATIONS, READS, SIGNED
from trading_sandbox import Sandbox
from trading_sdk import (
    ApiError,
    CancelOrder,
    CancelStopOrder,
    Client,
    CreateMarketOrder,
    CreateOrder,
    EditOrder,
    SetPositionTpsl,
)


@pytest.mark.parametrize("name", sorted(WRONG.keys() - READS))
def test_a_post_carries_json_that_was_signed_for_it(
    sandbox: Sandbox, client: Client, name: str
) -> None:
    operation = OPERATIONS[name]
    with suppress(ApiError):
        WRONG[name](client)

    [sent] = sandbox.requests

    assert (sent.method, sent.path) == ("POST", operation.path)
    assert sent.headers["content-type"].startswith("application/json")
    [text] = sent.canonical
    if name not in SIGNED:
        assert set(sent.body) == {"actions"}
    else:
        assert json.loads(text)["type"] == operation.signing_type
        # Neither the type nor a wrapper is sent.
        assert not {"type", "data"} & set(sent.body)


@pytest.mark.parametrize("name", sorted(WRONG.keys() & READS))
def test_a_get_carries_a_query_and_no_signature(
    sandbox: Sandbox, client: Client, name: str
) -> None:
    with suppress(ApiError):
        WRONG[name](client)

    [sent] = sandbox.requests

    assert (sent.method, sent.path) == ("GET", OPERATIONS[name].path)
    assert (sent.body, sent.canonical) == (None, ())
    assert sent.query.get("account", client.account_address) == client.account_address


def test_every_action_of_a_batch_is_signed_for_what_it_does(
    sandbox: Sandbox, client: Client
) -> None:
    client.orders.batch(
        [
            CreateOrder(
                symbol="BTC", side="bid", price="1000", amount="0.1", tif="ALO", reduce_only=False
            ),
            CreateMarketOrder(
                symbol="BTC", side="bid", amount="0.1", slippage_percent="0.5", reduce_only=False
            ),
            CancelOrder(symbol="BTC", order_id=1),
            EditOrder(symbol="BTC", order_id=1, price="1000", amount="0.1"),
            SetPositionTpsl(symbol="BTC", side="ask", take_profit={"stop_price": "120000"}),
            CancelStopOrder(symbol="BTC", order_id=1),
        ]
    )

    [sent] = sandbox.requests

    types = [json.loads(text)["type"] for text in sent.canonical]
    assert dict(zip([each["type"] for each in sent.body["actions"]], types, strict=True)) == {
        type_: action.signing_type for type_, action in ACTIONS.items()
    }


def test_keys_are_sorted_at_every_depth_and_lists_keep_their_order(
    sandbox: Sandbox, client: Client
) -> None:
    with suppress(ApiError):
        client.vaults.add_max_leverage(lake="v", symbols=["SOL", "BTC"], max_leverage="2")
    with suppress(ApiError):
        client.orders.create_stop(
            symbol="BTC",
            side="bid",
            reduce_only=False,
            stop_order={"stop_price": "1", "limit_price": "2", "client_order_id": None},
        )

    lists, nested = (each.canonical[0] for each in sandbox.requests)

    assert lists.startswith('{"data":{"lake":"v","max_leverage":"2","symbols":["SOL","BTC"]},')
    assert nested.startswith(
        '{"data":{"reduce_only":false,"side":"bid",'
        '"stop_order":{"limit_price":"2","stop_price":"1"},"symbol":"BTC"},"expiry_window":30000,'
    )
