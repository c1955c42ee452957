# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""Every operation and batch action of the service, as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trading_runtime import (
    Action,
    Api,
    Batch,
    BatchOperation,
    HiddenJson,
    ListOperation,
    Operation,
    Pagination,
    Target,
    Trace,
)
from trading_sdk.models import (
    AccountSettings,
    AccountSettingsQuery,
    ActionResult,
    AddLakeMaxLeverage,
    ApiKey,
    CancelOrder,
    CancelStopOrder,
    ClaimLakeManager,
    CreateMarketOrder,
    CreateOrder,
    CreateStopOrder,
    EditOrder,
    FundingHistoryQuery,
    FundingRecord,
    Order,
    OrderHistoryQuery,
    OrderPlaced,
    RemoveLakeBlacklist,
    RemoveLakeMaxLeverage,
    RevokeApiKey,
    SetAutoLendDisabled,
    SetPositionTpsl,
    SharesMinted,
    SpotBalanceEvent,
    SpotBalanceHistoryQuery,
    SpotWithdrawal,
    SpotWithdrawalHistoryQuery,
    Subaccount,
    Trade,
    TradeHistoryQuery,
    TransferFunds,
    UpdateSpotSettings,
    WithdrawalReceipt,
    WithdrawSpotAsset,
)

PAGES = Pagination(
    items="data", cursor="cursor", next_cursor="next_cursor", has_more="has_more", limit="limit"
)
PAGES_2 = Pagination(
    items="data",
    cursor="cursor",
    next_cursor="next_cursor",
    has_more="has_more",
    limit="limit",
    max_limit=4000,
)
_ORDERS_CREATE_TRACE = Trace(
    lists=("orders.history",),
    made_at="created_at",
    id="client_order_id",
    agrees={"symbol": "symbol", "side": "side", "initial_price": "price", "amount": "amount"},
)
_ORDERS_CREATE_STOP_TRACE = Trace(
    lists=("orders.history",),
    made_at="created_at",
    id="client_order_id",
    agrees={"symbol": "symbol", "side": "side"},
)
_ORDERS_EDIT_TRACE = Trace(
    lists=("orders.history",),
    made_at="created_at",
    agrees={"symbol": "symbol", "initial_price": "price", "amount": "amount"},
    target=Target(
        names={"order_id": "order_id", "client_order_id": "client_order_id"},
        becomes={"order_status": "cancelled"},
        changed_at="updated_at",
        inherits=("symbol", "side", "client_order_id"),
    ),
)
_ORDERS_CANCEL_STOP_TRACE = Trace(
    lists=("orders.history",),
    made_at="created_at",
    agrees={"symbol": "symbol"},
    target=Target(
        names={"order_id": "order_id", "client_order_id": "client_order_id"},
        becomes={"order_status": "cancelled"},
        changed_at="updated_at",
    ),
)
_SPOT_WITHDRAW_TRACE = Trace(
    lists=("spot.withdrawal_history", "spot.balance_history"),
    made_at="created_at",
    agrees={"symbol": "symbol"},
    at_most={"amount": "amount"},
)
_ORDERS_CREATE_MARKET_TRACE = Trace(
    lists=("orders.history",),
    made_at="created_at",
    id="client_order_id",
    agrees={"symbol": "symbol", "side": "side", "amount": "amount"},
)
_ORDERS_CANCEL_TRACE = Trace(
    lists=("orders.history",),
    made_at="created_at",
    agrees={"symbol": "symbol"},
    target=Target(
        names={"order_id": "order_id", "client_order_id": "client_order_id"},
        becomes={"order_status": "cancelled"},
        changed_at="updated_at",
    ),
)

ORDERS_CREATE: Operation[OrderPlaced] = Operation(
    name="orders.create",
    method="POST",
    path="/api/v1/orders/create",
    statuses=(200, 400, 500),
    params=CreateOrder,
    result=OrderPlaced,
    signing_type="create_order",
    retry="by-key",
    key="client_order_id",
    trace=_ORDERS_CREATE_TRACE,
    new_id="order_id",
)
ORDERS_CREATE_STOP: Operation[OrderPlaced] = Operation(
    name="orders.create_stop",
    method="POST",
    path="/api/v1/orders/stop/create",
    statuses=(200, 400, 500),
    params=CreateStopOrder,
    result=OrderPlaced,
    signing_type="create_stop_order",
    retry="by-key",
    key="stop_order.client_order_id",
    trace=_ORDERS_CREATE_STOP_TRACE,
    new_id="order_id",
)
ORDERS_EDIT: Operation[OrderPlaced] = Operation(
    name="orders.edit",
    method="POST",
    path="/api/v1/orders/edit",
    statuses=(200, 400, 500),
    params=EditOrder,
    result=OrderPlaced,
    signing_type="edit_order",
    retry="never",
    trace=_ORDERS_EDIT_TRACE,
    new_id="order_id",
)
ORDERS_CANCEL_STOP: Operation[None] = Operation(
    name="orders.cancel_stop",
    method="POST",
    path="/api/v1/orders/stop/cancel",
    statuses=(200, 400, 500),
    params=CancelStopOrder,
    signing_type="cancel_stop_order",
    retry="idempotent",
    trace=_ORDERS_CANCEL_STOP_TRACE,
)
ORDERS_BATCH: BatchOperation[ActionResult] = BatchOperation(
    name="orders.batch",
    method="POST",
    path="/api/v1/orders/batch",
    statuses=(200, 400, 500),
    result=ActionResult,
    result_key="results",
    retry="never",
    batch=Batch(
        field="actions",
        max_items=10,
        actions={
            CreateOrder: Action(
                name="orders.create",
                type="Create",
                signing_type="create_order",
                signing_source="documented",
                params=CreateOrder,
                retry="by-key",
                key="client_order_id",
                trace=_ORDERS_CREATE_TRACE,
                new_id="order_id",
            ),
            EditOrder: Action(
                name="orders.edit",
                type="Edit",
                signing_type="edit_order",
                signing_source="documented",
                params=EditOrder,
                retry="never",
                trace=_ORDERS_EDIT_TRACE,
                new_id="order_id",
            ),
            CancelStopOrder: Action(
                name="orders.cancel_stop",
                type="CancelStopOrder",
                signing_type="cancel_stop_order",
                signing_source="documented",
                params=CancelStopOrder,
                retry="idempotent",
                trace=_ORDERS_CANCEL_STOP_TRACE,
            ),
            CreateMarketOrder: Action(
                name="orders.create_market",
                type="CreateMarket",
                signing_type="create_market_order",
                signing_source="observed",
                params=CreateMarketOrder,
                retry="by-key",
                key="client_order_id",
                trace=_ORDERS_CREATE_MARKET_TRACE,
                new_id="order_id",
            ),
            CancelOrder: Action(
                name="orders.cancel",
                type="Cancel",
                signing_type="cancel_order",
                signing_source="observed",
                params=CancelOrder,
                retry="idempotent",
                trace=_ORDERS_CANCEL_TRACE,
            ),
            SetPositionTpsl: Action(
                name="orders.set_position_tpsl",
                type="SetPositionTpsl",
                signing_type="set_position_tpsl",
                signing_source="observed",
                params=SetPositionTpsl,
                retry="never",
            ),
        },
    ),
)
ORDERS_HISTORY: ListOperation[Order] = ListOperation(
    name="orders.history",
    method="GET",
    path="/api/v1/orders/history",
    statuses=(200, 400, 401, 500),
    params=OrderHistoryQuery,
    result=Order,
    retry="safe",
    pagination=PAGES,
    account="account",
)
TRADES_HISTORY: ListOperation[Trade] = ListOperation(
    name="trades.history",
    method="GET",
    path="/api/v1/trades/history",
    statuses=(200, 400, 401, 500),
    params=TradeHistoryQuery,
    result=Trade,
    retry="safe",
    echoes={"symbol": "symbol"},
    pagination=PAGES,
    account="account",
)
SPOT_WITHDRAW: Operation[WithdrawalReceipt] = Operation(
    name="spot.withdraw",
    method="POST",
    path="/api/v1/account/spot_asset/withdraw",
    statuses=(200, 400, 401, 409, 500),
    params=WithdrawSpotAsset,
    result=WithdrawalReceipt,
    signing_type="withdraw_spot_asset",
    retry="by-key",
    key="idempotency_key",
    trace=_SPOT_WITHDRAW_TRACE,
    echoes={"symbol": "symbol", "requested_amount": "amount"},
)
SPOT_BALANCE_HISTORY: ListOperation[SpotBalanceEvent] = ListOperation(
    name="spot.balance_history",
    method="GET",
    path="/api/v1/account/spot_balance/history",
    statuses=(200, 400, 500),
    params=SpotBalanceHistoryQuery,
    result=SpotBalanceEvent,
    retry="safe",
    echoes={"symbol": "symbol"},
    pagination=PAGES,
    account="account",
)
SPOT_WITHDRAWAL_HISTORY: ListOperation[SpotWithdrawal] = ListOperation(
    name="spot.withdrawal_history",
    method="GET",
    path="/api/v1/account/spot_asset/withdraw/history",
    statuses=(200, 400, 401, 500),
    params=SpotWithdrawalHistoryQuery,
    result=SpotWithdrawal,
    retry="safe",
    pagination=PAGES,
    account="account",
)
ACCOUNT_SETTINGS: Operation[AccountSettings] = Operation(
    name="account.settings",
    method="GET",
    path="/api/v1/account/settings",
    statuses=(200, 400, 401, 500),
    params=AccountSettingsQuery,
    result=AccountSettings,
    retry="safe",
    account="account",
)
ACCOUNT_UPDATE_SPOT_SETTINGS: Operation[None] = Operation(
    name="account.update_spot_settings",
    method="POST",
    path="/api/v1/account/settings/spot",
    statuses=(200, 400, 401, 500),
    params=UpdateSpotSettings,
    signing_type="update_account_spot_settings",
    retry="idempotent",
)
ACCOUNT_SET_AUTO_LEND_DISABLED: Operation[None] = Operation(
    name="account.set_auto_lend_disabled",
    method="POST",
    path="/api/v1/account/settings/auto_lend_disabled",
    statuses=(200, 400, 401, 500),
    params=SetAutoLendDisabled,
    signing_type="set_auto_lend_disabled",
    retry="idempotent",
)
SUBACCOUNTS_LIST: Operation[Sequence[Subaccount]] = Operation(
    name="subaccounts.list",
    method="POST",
    path="/api/v1/account/subaccount/list",
    statuses=(200, 400, 401),
    result=Sequence[Subaccount],
    result_key="subaccounts",
    signing_type="list_subaccounts",
    signing_source="observed",
    retry="safe",
)
SUBACCOUNTS_TRANSFER: Operation[None] = Operation(
    name="subaccounts.transfer",
    method="POST",
    path="/api/v1/account/subaccount/transfer",
    statuses=(200, 400, 500),
    params=TransferFunds,
    signing_type="transfer_funds",
    signing_source="assumed",
    retry="never",
)
VAULTS_ADD_MAX_LEVERAGE: Operation[None] = Operation(
    name="vaults.add_max_leverage",
    method="POST",
    path="/api/v1/lake/add_max_leverage",
    statuses=(200, 400, 401, 403, 500),
    params=AddLakeMaxLeverage,
    signing_type="add_lake_max_leverage",
    retry="idempotent",
)
VAULTS_REMOVE_MAX_LEVERAGE: Operation[None] = Operation(
    name="vaults.remove_max_leverage",
    method="POST",
    path="/api/v1/lake/remove_max_leverage",
    statuses=(200, 400, 401, 403, 500),
    params=RemoveLakeMaxLeverage,
    signing_type="remove_lake_max_leverage",
    retry="idempotent",
)
VAULTS_REMOVE_BLACKLIST: Operation[None] = Operation(
    name="vaults.remove_blacklist",
    method="POST",
    path="/api/v1/lake/remove_blacklist",
    statuses=(200, 400, 401, 403, 500),
    params=RemoveLakeBlacklist,
    signing_type="remove_lake_blacklist",
    retry="idempotent",
)
VAULTS_CLAIM_MANAGER: Operation[SharesMinted] = Operation(
    name="vaults.claim_manager",
    method="POST",
    path="/api/v1/lake/claim_manager",
    statuses=(200, 400, 401, 500),
    params=ClaimLakeManager,
    result=SharesMinted,
    signing_type="claim_lake_manager",
    retry="never",
)
FUNDING_HISTORY: ListOperation[FundingRecord] = ListOperation(
    name="funding.history",
    method="GET",
    path="/api/v1/funding_rate/history",
    statuses=(200, 400, 401, 500),
    params=FundingHistoryQuery,
    result=FundingRecord,
    retry="safe",
    pagination=PAGES_2,
)
API_KEYS_CREATE: Operation[ApiKey] = Operation(
    name="api_keys.create",
    method="POST",
    path="/api/v1/account/api_keys/create",
    statuses=(200, 400, 401),
    result=ApiKey,
    signing_type="create_api_key",
    signing_source="observed",
    retry="never",
)
API_KEYS_REVOKE: Operation[None] = Operation(
    name="api_keys.revoke",
    method="POST",
    path="/api/v1/account/api_keys/revoke",
    statuses=(200, 400, 401),
    params=RevokeApiKey,
    ignores_data=True,
    signing_type="revoke_api_key",
    signing_source="observed",
    retry="idempotent",
)
API_KEYS_LIST: Operation[Any] = Operation(
    name="api_keys.list",
    method="POST",
    path="/api/v1/account/api_keys",
    statuses=(200, 400, 401),
    result=HiddenJson,
    signing_type="list_api_keys",
    signing_source="observed",
    retry="safe",
)

API = Api(
    title="Trading service",
    version="v1",
    operations=(
        ORDERS_CREATE,
        ORDERS_CREATE_STOP,
        ORDERS_EDIT,
        ORDERS_CANCEL_STOP,
        ORDERS_BATCH,
        ORDERS_HISTORY,
        TRADES_HISTORY,
        SPOT_WITHDRAW,
        SPOT_BALANCE_HISTORY,
        SPOT_WITHDRAWAL_HISTORY,
        ACCOUNT_SETTINGS,
        ACCOUNT_UPDATE_SPOT_SETTINGS,
        ACCOUNT_SET_AUTO_LEND_DISABLED,
        SUBACCOUNTS_LIST,
        SUBACCOUNTS_TRANSFER,
        VAULTS_ADD_MAX_LEVERAGE,
        VAULTS_REMOVE_MAX_LEVERAGE,
        VAULTS_REMOVE_BLACKLIST,
        VAULTS_CLAIM_MANAGER,
        FUNDING_HISTORY,
        API_KEYS_CREATE,
        API_KEYS_REVOKE,
        API_KEYS_LIST,
    ),
    api_key_header="PF-API-KEY",
    rate_scale=10,
)
