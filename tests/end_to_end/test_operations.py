"""How each operation is called: path, method, signing type, body (sections 4, 5.1, 5.2 and 9)."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

from tests.end_to_end.operations import WRONG
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

API = "/api/v1"
# None: each action is signed on its own. The last five are observed, not documented.
POSTS: dict[str, tuple[str, str | None]] = {
    "orders.create": ("/orders/create", "create_order"),
    "orders.create_stop": ("/orders/stop/create", "create_stop_order"),
    "orders.edit": ("/orders/edit", "edit_order"),
    "orders.cancel_stop": ("/orders/stop/cancel", "cancel_stop_order"),
    "orders.batch": ("/orders/batch", None),
    "spot.withdraw": ("/account/spot_asset/withdraw", "withdraw_spot_asset"),
    "account.update_spot_settings": ("/account/settings/spot", "update_account_spot_settings"),
    "account.set_auto_lend_disabled": (
        "/account/settings/auto_lend_disabled",
        "set_auto_lend_disabled",
    ),
    "vaults.add_max_leverage": ("/lake/add_max_leverage", "add_lake_max_leverage"),
    "vaults.remove_max_leverage": ("/lake/remove_max_leverage", "remove_lake_max_leverage"),
    "vaults.remove_blacklist": ("/lake/remove_blacklist", "remove_lake_blacklist"),
    "vaults.claim_manager": ("/lake/claim_manager", "claim_lake_manager"),
    "subaccounts.list": ("/account/subaccount/list", "list_subaccounts"),
    "subaccounts.transfer": ("/account/subaccount/transfer", "transfer_funds"),
    "api_keys.create": ("/account/api_keys/create", "create_api_key"),
    "api_keys.revoke": ("/account/api_keys/revoke", "revoke_api_key"),
    "api_keys.list": ("/account/api_keys", "list_api_keys"),
}
GETS = {
    "orders.history": "/orders/history",
    "trades.history": "/trades/history",
    "spot.balance_history": "/account/spot_balance/history",
    "spot.withdrawal_history": "/account/spot_asset/withdraw/history",
    "account.settings": "/account/settings",
    "funding.history": "/funding_rate/history",
}


@pytest.mark.parametrize("name", sorted(POSTS))
def test_a_post_carries_json_that_was_signed_for_it(
    sandbox: Sandbox, client: Client, name: str
) -> None:
    path, signing_type = POSTS[name]
    with suppress(ApiError):
        WRONG[name](client)

    [sent] = sandbox.requests

    assert (sent.method, sent.path) == ("POST", API + path)
    assert sent.headers["content-type"].startswith("application/json")
    [text] = sent.canonical
    if signing_type is None:
        assert set(sent.body) == {"actions"}
    else:
        assert json.loads(text)["type"] == signing_type
        # Neither the type nor a wrapper is sent.
        assert not {"type", "data"} & set(sent.body)


@pytest.mark.parametrize("name", sorted(GETS))
def test_a_get_carries_a_query_and_no_signature(
    sandbox: Sandbox, client: Client, name: str
) -> None:
    with suppress(ApiError):
        WRONG[name](client)

    [sent] = sandbox.requests

    assert (sent.method, sent.path) == ("GET", API + GETS[name])
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
        "Create": "create_order",
        "CreateMarket": "create_market_order",
        "Cancel": "cancel_order",
        "Edit": "edit_order",
        "SetPositionTpsl": "set_position_tpsl",
        "CancelStopOrder": "cancel_stop_order",
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


def test_the_tables_of_this_file_name_every_operation() -> None:
    assert POSTS.keys() | GETS.keys() == set(Client.api.operations)
