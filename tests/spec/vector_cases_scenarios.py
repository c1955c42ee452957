"""Scenarios that trade: every operation and action at the sandbox, and what is left afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.interface import samples
from tests.spec.vector_cases_base import Case

ID, OTHER_ID = samples.ID_A, samples.ID_B
ANY = {"$any": True}
ORDER: dict[str, Any] = {"symbol": "BTC", "side": "bid", "price": "90000", "amount": "0.01", "tif": "ALO", "reduce_only": False}  # fmt: skip
MARKET: dict[str, Any] = {"symbol": "BTC", "side": "bid", "amount": "0.01", "slippage_percent": "1", "reduce_only": False}  # fmt: skip
Step = Mapping[str, Any]


def ref(path: str) -> dict[str, str]:
    """What an earlier step has named."""
    return {"$ref": path}


def control(name: str, as_: str = "", /, result: Any = None, **arguments: Any) -> dict[str, Any]:
    """A control of the sandbox."""
    named = {"as": as_} if as_ else {}
    expected = {} if result is None else {"result": result}
    return {"control": name, "arguments": arguments, **named, **expected}


def account(name: str = "trader", **more: Any) -> dict[str, Any]:
    """A new account, with 10,000 USDC and 5 SOL unless told."""
    return control("create_account", name, **{"usdc": "10000", "spot": {"SOL": "5"}, **more})


def opened(name: str = "a", key: str = "trader", **options: Any) -> dict[str, Any]:
    """A client of an account."""
    return {"open": name, "client": {"private_key": ref(f"{key}.private_key"), **options}}


def call(
    operation: str, result: Any = ANY, /, client: str = "a", **arguments: Any
) -> dict[str, Any]:
    """A call that succeeds."""
    return {
        "call": operation,
        "client": client,
        "arguments": arguments,
        "expect": {"result": result},
    }


def fails(
    operation: str, error: Mapping[str, Any], /, client: str = "a", **arguments: Any
) -> dict[str, Any]:
    """A call that fails."""
    return {**call(operation, client=client, **arguments), "expect": {"error": dict(error)}}


def left(name: str = "trader", **result: Any) -> dict[str, Any]:
    """What an account has in the end."""
    return control("account", account=ref(f"{name}.address"), result=result)


def scenario(
    level: str,
    name: str,
    rule: str,
    description: str,
    steps: Sequence[Step],
    *features: str,
    **requests: int,
) -> Case:
    """A story, and how many requests it makes of each operation."""
    needed: dict[str, Any] = {"features": list(features)} if features else {}
    counted = {each.replace("__", "."): count for each, count in requests.items()}
    return {
        "name": name,
        "kind": "scenario",
        "description": description,
        "rule": rule,
        "level": level,
        **needed,
        "given": {"steps": list(steps)},
        "expect": {"requests": counted},
    }


def _trades(name: str, description: str, *steps: Step, **requests: int) -> Case:
    """A story with one funded account."""
    first = [account(), opened()]
    return scenario("trades", name, "trade-operations", description, [*first, *steps], **requests)


PLACED = {"order_id": ANY}
DONE = {"success": True}
_OPEN = {"symbol": "BTC", "side": "bid", "initial_price": "90000", "amount": "0.01", "order_status": "open", "client_order_id": ANY}  # fmt: skip
_STOP: dict[str, Any] = {"symbol": "BTC", "side": "bid", "reduce_only": False, "stop_order": {"stop_price": "110000", "amount": "0.01"}}  # fmt: skip
_FILLED = {"size": "0.01", "entry_price": "100000"}


def _named(step: dict[str, Any], name: str) -> dict[str, Any]:
    return {**step, "as": name}


ORDERS = (
    _trades(
        "order-placed-and-cancelled",
        "A limit order rests until it is cancelled.",
        _named(call("orders.create", PLACED, **ORDER), "placed"),
        call("orders.history", [_OPEN]),
        call("orders.cancel", DONE, symbol="BTC", order_id=ref("placed.order_id")),
        call("orders.history", [{**_OPEN, "order_status": "cancelled", "reason": "cancel", "order_id": ref("placed.order_id")}]),
        fails("orders.cancel", {"class": "api", "status": 200}, symbol="BTC", order_id=ref("placed.order_id")),
        left(balance="10000", positions={}),
        orders__create=1,
        orders__batch=2,
    ),
    _trades(
        "order-edited",
        "An edit replaces an order: the new one keeps its client id.",
        _named(call("orders.create", PLACED, **ORDER, client_order_id=ID), "placed"),
        call("orders.edit", PLACED, symbol="BTC", price="90001", amount="0.02", order_id=ref("placed.order_id")),
        call("orders.edit", PLACED, symbol="BTC", price="90002", amount="0.03", client_order_id=ID),
        call("orders.history", [
            {"initial_price": "90002", "amount": "0.03", "order_status": "open", "client_order_id": ID},
            {"initial_price": "90001", "order_status": "cancelled"},
            {"initial_price": "90000", "order_status": "cancelled"},
        ]),
        orders__edit=2,
    ),
    _trades(
        "order-filled-at-market",
        "A market order is filled, and shows in the trades and in the position.",
        control("force_outcome", client_order_id=ID, status="filled"),
        call("orders.create_market", DONE, **MARKET, client_order_id=ID),
        call("trades.history", [{"symbol": "BTC", "amount": "0.01", "price": "100000", "fee": "0.4", "event_type": "fulfill_taker", "side": "open_long", "cause": "normal", "client_order_id": ID}]),
        call("trades.history", [], symbol="ETH"),
        call("orders.set_position_tpsl", DONE, symbol="BTC", side="ask", stop_loss={"stop_price": "95000"}, take_profit={"stop_price": "120000", "limit_price": "119000"}),
        call("orders.history", [ANY, ANY, ANY]),
        left(balance="9999.6", positions={"BTC": _FILLED}),
        orders__batch=2,
    ),
    _trades(
        "stop-order",
        "A stop order waits until it is cancelled.",
        _named(call("orders.create_stop", PLACED, **_STOP), "placed"),
        call("orders.history", [{"order_type": "stop_market", "stop_price": "110000", "order_status": "open"}]),
        call("orders.cancel_stop", None, symbol="BTC", order_id=ref("placed.order_id")),
        call("orders.history", [{"order_status": "cancelled"}]),
        fails("orders.cancel_stop", {"class": "api", "status": 400}, symbol="BTC", order_id=ref("placed.order_id")),
    ),
    _trades(
        "order-with-legs",
        "A limit order brings its take-profit and stop-loss.",
        call("orders.create", PLACED, **ORDER, builder_code="Builder001", take_profit={"stop_price": "120000"}, stop_loss={"stop_price": "80000", "trigger_price_type": "last_trade_price"}),
        call("orders.history", [ANY, ANY, ANY]),
    ),
    _trades(
        "batch",
        "Each action of a batch has its own result, and one that fails stops no other.",
        _named(call("orders.create", PLACED, **ORDER), "placed"),
        control("force_outcome", client_order_id=OTHER_ID, status="filled"),
        call("orders.batch", [
            {"success": True, "order_id": ANY},
            {"success": True, "order_id": ANY},
            {"success": False, "error": ANY},
            {"success": True, "order_id": ANY},
            {"success": True},
            {"success": True},
        ], actions=[
            {"type": "Create", "arguments": {**ORDER, "client_order_id": ID}},
            {"type": "CreateMarket", "arguments": {**MARKET, "client_order_id": OTHER_ID}},
            {"type": "Cancel", "arguments": {"symbol": "BTC", "order_id": 1}},
            {"type": "Edit", "arguments": {"symbol": "BTC", "client_order_id": ID, "price": "90001", "amount": "0.02"}},
            {"type": "SetPositionTpsl", "arguments": {"symbol": "BTC", "side": "ask", "stop_loss": {"stop_price": "90000", "client_order_id": samples.ID_C}}},
            {"type": "CancelStopOrder", "arguments": {"symbol": "BTC", "client_order_id": samples.ID_C}},
        ]),
        left(positions={"BTC": _FILLED}),
        orders__batch=1,
    ),
    _trades(
        "list-in-pages",
        "A list of five orders in pages of two.",
        *[call("orders.create", PLACED, **{**ORDER, "price": str(90_000 + number)}) for number in range(5)],
        call("orders.history", [{"initial_price": str(90_004 - number)} for number in range(5)], limit=2),
        orders__history=3,
    ),
    _trades(
        "order-refused",
        "A price beside the tick is refused, and so is an amount that is too small.",
        fails("orders.create", {"class": "api", "status": 400, "code": 400}, **{**ORDER, "price": "90000.5"}),
        fails("orders.create", {"class": "api", "status": 400, "code": 400}, **{**ORDER, "amount": "0.00001"}),
        fails("orders.create", {"class": "api", "status": 400, "code": 400}, **{**ORDER, "symbol": "DOGE"}),
        call("orders.history", []),
        orders__create=3,
    ),
)  # fmt: skip

_DENIED = {"class": "api", "status": 403}
MONEY = (
    _trades(
        "withdrawal",
        "A withdrawal shows in both histories, and its key is used once.",
        call("spot.withdraw", {"symbol": "SOL", "requested_amount": "1.5", "fee_amount": "0.005", "batch_nonce": ANY}, symbol="SOL", amount="1.50", idempotency_key=ID),
        fails("spot.withdraw", {"class": "api", "status": 409}, symbol="SOL", amount="1.50", idempotency_key=ID),
        call("spot.withdrawal_history", [{"symbol": "SOL", "amount": "1.5", "batch_nonce": ANY, "transaction_id": ANY}]),
        call("spot.balance_history", [{"amount": "-1.5", "balance": "3.5", "event_type": "withdrawal"}, {"amount": "5", "balance": "5", "event_type": "deposit"}]),
        call("spot.balance_history", [], symbol="BTC"),
        left(spot={"SOL": "3.5"}),
        spot__withdraw=2,
    ),
    _trades(
        "settings",
        "Settings are changed, and read again.",
        call("account.settings", {"auto_lend_disabled": None}),
        call("account.set_auto_lend_disabled", None, disabled=True),
        call("account.update_spot_settings", None, symbol="SOL", unified_margin_excluded=True),
        call("account.settings", {"auto_lend_disabled": True, "spot_settings": [{"symbol": "SOL", "unified_margin_excluded": True}]}),
        call("account.set_auto_lend_disabled", None, disabled=None),
        call("account.settings", {"auto_lend_disabled": None}),
        call("account.set_auto_lend_disabled", None, disabled=False),
        call("account.set_auto_lend_disabled", None),
        call("account.settings", {"auto_lend_disabled": False}),
    ),
    _trades(
        "subaccounts",
        "Money goes to a subaccount and back.",
        call("subaccounts.list", []),
        control("create_subaccount", "sub", main=ref("trader.address")),
        call("subaccounts.transfer", None, to_account=ref("sub.address"), amount="250.50"),
        call("subaccounts.list", [{"address": ref("sub.address"), "balance": "250.5"}]),
        opened("b", "sub"),
        call("subaccounts.transfer", None, client="b", to_account=ref("trader.address"), amount="50.25"),
        fails("subaccounts.transfer", {"class": "api", "status": 400, "code": 5}, to_account=ref("sub.address"), amount="1000000"),
        left(balance="9799.75"),
        left("sub", balance="200.25"),
    ),
    _trades(
        "vault",
        "The creator of a vault sets its limits, and nobody else does.",
        control("create_vault", "vault", creator=ref("trader.address"), managed=True, blacklist=["ETH"]),
        call("vaults.add_max_leverage", None, lake=ref("vault"), symbols=["BTC", "ETH"], max_leverage="5"),
        call("vaults.remove_max_leverage", None, lake=ref("vault"), symbols=["BTC"]),
        call("vaults.remove_blacklist", None, lake=ref("vault"), symbols=["ETH"]),
        fails("vaults.remove_blacklist", {"class": "api", "status": 400}, lake=ref("vault"), symbols=["ETH"]),
        account("other"),
        opened("b", "other"),
        fails("vaults.add_max_leverage", _DENIED, client="b", lake=ref("vault"), symbols=["BTC"], max_leverage="5"),
        fails("vaults.remove_max_leverage", _DENIED, client="b", lake=ref("vault"), symbols=["ETH"]),
        fails("vaults.remove_blacklist", _DENIED, client="b", lake=ref("vault"), symbols=["BTC"]),
    ),
    _trades(
        "vault-claimed",
        "A manager claims a fresh vault.",
        control("create_vault", "vault", creator=ref("trader.address"), managed=False),
        call("vaults.claim_manager", {"shares_minted": "1000"}, lake=ref("vault"), deposit_amount="1000"),
        fails("vaults.claim_manager", {"class": "api", "status": 400}, lake=ref("vault"), deposit_amount="1000"),
        left(balance="9000"),
    ),
    _trades(
        "funding",
        "Funding rates of a market, the newest first.",
        call("funding.history", ANY, symbol="BTC", limit=4000),
        fails("funding.history", {"class": "api", "status": 400}, symbol="DOGE"),
    ),
    _trades(
        "api-keys",
        "API keys are created, listed and revoked.",
        _named(call("api_keys.create", {"api_key": ANY}), "made"),
        call("api_keys.list", {"api_keys": [ref("made.api_key")]}),
        {"open": "b", "client": {"private_key": ref("trader.private_key"), "api_key": ref("made.api_key")}},
        call("account.settings", {"auto_lend_disabled": None}, client="b"),
        call("api_keys.revoke", {"api_key": ref("made.api_key")}, api_key=ref("made.api_key")),
        call("api_keys.list", {"api_keys": []}),
    ),
    _trades(
        "agent-trades",
        "An agent wallet trades for an account, once it is bound.",
        account("agent"),
        opened("b", "agent", account=ref("trader.address")),
        fails("orders.create", {"class": "api"}, client="b", **ORDER),
        control("bind_agent", account=ref("trader.address"), agent=ref("agent.address")),
        call("orders.create", PLACED, client="b", **ORDER),
        call("orders.history", [_OPEN], client="b"),
        call("orders.history", [_OPEN]),
    ),
)  # fmt: skip

CASES: tuple[Case, ...] = (*ORDERS, *MONEY)
