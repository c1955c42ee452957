// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { Api, BatchOperation, Json, ListOperation, Operation } from "../runtime/index.js";
import type {
  AccountSettings,
  ActionResult,
  ApiKey,
  FundingRecord,
  Order,
  OrderPlaced,
  RevokedApiKey,
  SharesMinted,
  SpotBalanceEvent,
  SpotWithdrawal,
  Subaccount,
  Trade,
  WithdrawalReceipt,
} from "./models.js";
import { SCHEMA } from "./schema.js";

/** `orders.create` */
export const ORDERS_CREATE: Operation<OrderPlaced> = {
  name: "orders.create",
  method: "POST",
  path: "/api/v1/orders/create",
  params: "CreateOrder",
  hasBody: true,
  result: { type: { kind: "model", name: "OrderPlaced" } },
  signing: { type: "create_order", source: "documented" },
  retry: "by-key",
  key: "client_order_id",
  trace: {
    lists: ["orders.history"],
    madeAt: "created_at",
    id: "client_order_id",
    agrees: { symbol: "symbol", side: "side", initial_price: "price", amount: "amount" },
  },
};

/** `orders.create_stop` */
export const ORDERS_CREATE_STOP: Operation<OrderPlaced> = {
  name: "orders.create_stop",
  method: "POST",
  path: "/api/v1/orders/stop/create",
  params: "CreateStopOrder",
  hasBody: true,
  result: { type: { kind: "model", name: "OrderPlaced" } },
  signing: { type: "create_stop_order", source: "documented" },
  retry: "by-key",
  key: "stop_order.client_order_id",
  trace: {
    lists: ["orders.history"],
    madeAt: "created_at",
    id: "client_order_id",
    agrees: { symbol: "symbol", side: "side" },
  },
};

/** `orders.edit` */
export const ORDERS_EDIT: Operation<OrderPlaced> = {
  name: "orders.edit",
  method: "POST",
  path: "/api/v1/orders/edit",
  params: "EditOrder",
  hasBody: true,
  result: { type: { kind: "model", name: "OrderPlaced" } },
  signing: { type: "edit_order", source: "documented" },
  retry: "never",
  trace: {
    lists: ["orders.history"],
    madeAt: "created_at",
    agrees: { symbol: "symbol", initial_price: "price", amount: "amount" },
    target: {
      names: { order_id: "order_id", client_order_id: "client_order_id" },
      becomes: { order_status: "cancelled" },
      changedAt: "updated_at",
      inherits: ["symbol", "side", "client_order_id"],
    },
  },
};

/** `orders.cancel_stop` */
export const ORDERS_CANCEL_STOP: Operation<void> = {
  name: "orders.cancel_stop",
  method: "POST",
  path: "/api/v1/orders/stop/cancel",
  params: "CancelStopOrder",
  hasBody: true,
  signing: { type: "cancel_stop_order", source: "documented" },
  retry: "idempotent",
  trace: {
    lists: ["orders.history"],
    madeAt: "created_at",
    agrees: { symbol: "symbol" },
    target: {
      names: { order_id: "order_id", client_order_id: "client_order_id" },
      becomes: { order_status: "cancelled" },
      changedAt: "updated_at",
      parent: { stop_parent_order_id: "order_id" },
    },
  },
};

/** `orders.batch` */
export const ORDERS_BATCH: BatchOperation<ActionResult> = {
  name: "orders.batch",
  method: "POST",
  path: "/api/v1/orders/batch",
  hasBody: true,
  result: {
    type: { kind: "list", items: { kind: "model", name: "ActionResult" } },
    key: "results",
  },
  retry: "never",
  batch: {
    field: "actions",
    maxItems: 10,
    actions: {
      Create: {
        name: "orders.create",
        type: "Create",
        params: "CreateOrder",
        signing: { type: "create_order", source: "documented" },
        retry: "by-key",
        key: "client_order_id",
        trace: {
          lists: ["orders.history"],
          madeAt: "created_at",
          id: "client_order_id",
          agrees: { symbol: "symbol", side: "side", initial_price: "price", amount: "amount" },
        },
      },
      Edit: {
        name: "orders.edit",
        type: "Edit",
        params: "EditOrder",
        signing: { type: "edit_order", source: "documented" },
        retry: "never",
        trace: {
          lists: ["orders.history"],
          madeAt: "created_at",
          agrees: { symbol: "symbol", initial_price: "price", amount: "amount" },
          target: {
            names: { order_id: "order_id", client_order_id: "client_order_id" },
            becomes: { order_status: "cancelled" },
            changedAt: "updated_at",
            inherits: ["symbol", "side", "client_order_id"],
          },
        },
      },
      CancelStopOrder: {
        name: "orders.cancel_stop",
        type: "CancelStopOrder",
        params: "CancelStopOrder",
        signing: { type: "cancel_stop_order", source: "documented" },
        retry: "idempotent",
        trace: {
          lists: ["orders.history"],
          madeAt: "created_at",
          agrees: { symbol: "symbol" },
          target: {
            names: { order_id: "order_id", client_order_id: "client_order_id" },
            becomes: { order_status: "cancelled" },
            changedAt: "updated_at",
            parent: { stop_parent_order_id: "order_id" },
          },
        },
      },
      CreateMarket: {
        name: "orders.create_market",
        type: "CreateMarket",
        params: "CreateMarketOrder",
        signing: { type: "create_market_order", source: "observed" },
        retry: "by-key",
        key: "client_order_id",
        trace: {
          lists: ["orders.history"],
          madeAt: "created_at",
          id: "client_order_id",
          agrees: { symbol: "symbol", side: "side", amount: "amount" },
        },
      },
      Cancel: {
        name: "orders.cancel",
        type: "Cancel",
        params: "CancelOrder",
        signing: { type: "cancel_order", source: "observed" },
        retry: "idempotent",
        trace: {
          lists: ["orders.history"],
          madeAt: "created_at",
          agrees: { symbol: "symbol" },
          target: {
            names: { order_id: "order_id", client_order_id: "client_order_id" },
            becomes: { order_status: "cancelled" },
            changedAt: "updated_at",
            parent: { stop_parent_order_id: "order_id" },
          },
        },
      },
      SetPositionTpsl: {
        name: "orders.set_position_tpsl",
        type: "SetPositionTpsl",
        params: "SetPositionTpsl",
        signing: { type: "set_position_tpsl", source: "observed" },
        retry: "never",
      },
    },
  },
};

/** `orders.history` */
export const ORDERS_HISTORY: ListOperation<Order> = {
  name: "orders.history",
  method: "GET",
  path: "/api/v1/orders/history",
  params: "OrderHistoryQuery",
  result: { type: { kind: "model", name: "Order" }, key: "data" },
  account: "account",
  pagination: {
    items: "data",
    cursor: "cursor",
    nextCursor: "next_cursor",
    hasMore: "has_more",
    saysSuccess: true,
    limit: "limit",
  },
  retry: "safe",
};

/** `trades.history` */
export const TRADES_HISTORY: ListOperation<Trade> = {
  name: "trades.history",
  method: "GET",
  path: "/api/v1/trades/history",
  params: "TradeHistoryQuery",
  result: { type: { kind: "model", name: "Trade" }, key: "data" },
  account: "account",
  pagination: {
    items: "data",
    cursor: "cursor",
    nextCursor: "next_cursor",
    hasMore: "has_more",
    saysSuccess: true,
    limit: "limit",
  },
  retry: "safe",
};

/** `spot.withdraw` */
export const SPOT_WITHDRAW: Operation<WithdrawalReceipt> = {
  name: "spot.withdraw",
  method: "POST",
  path: "/api/v1/account/spot_asset/withdraw",
  params: "WithdrawSpotAsset",
  hasBody: true,
  result: { type: { kind: "model", name: "WithdrawalReceipt" } },
  signing: { type: "withdraw_spot_asset", source: "documented" },
  retry: "by-key",
  key: "idempotency_key",
  trace: {
    lists: ["spot.withdrawal_history", "spot.balance_history"],
    madeAt: "created_at",
    agrees: { symbol: "symbol" },
    atMost: { amount: "amount" },
  },
};

/** `spot.balance_history` */
export const SPOT_BALANCE_HISTORY: ListOperation<SpotBalanceEvent> = {
  name: "spot.balance_history",
  method: "GET",
  path: "/api/v1/account/spot_balance/history",
  params: "SpotBalanceHistoryQuery",
  result: { type: { kind: "model", name: "SpotBalanceEvent" }, key: "data" },
  account: "account",
  pagination: {
    items: "data",
    cursor: "cursor",
    nextCursor: "next_cursor",
    hasMore: "has_more",
    saysSuccess: true,
    limit: "limit",
  },
  retry: "safe",
};

/** `spot.withdrawal_history` */
export const SPOT_WITHDRAWAL_HISTORY: ListOperation<SpotWithdrawal> = {
  name: "spot.withdrawal_history",
  method: "GET",
  path: "/api/v1/account/spot_asset/withdraw/history",
  params: "SpotWithdrawalHistoryQuery",
  result: { type: { kind: "model", name: "SpotWithdrawal" }, key: "data" },
  account: "account",
  pagination: {
    items: "data",
    cursor: "cursor",
    nextCursor: "next_cursor",
    hasMore: "has_more",
    saysSuccess: true,
    limit: "limit",
  },
  retry: "safe",
};

/** `account.settings` */
export const ACCOUNT_SETTINGS: Operation<AccountSettings> = {
  name: "account.settings",
  method: "GET",
  path: "/api/v1/account/settings",
  params: "AccountSettingsQuery",
  result: { type: { kind: "model", name: "AccountSettings" } },
  account: "account",
  retry: "safe",
};

/** `account.update_spot_settings` */
export const ACCOUNT_UPDATE_SPOT_SETTINGS: Operation<void> = {
  name: "account.update_spot_settings",
  method: "POST",
  path: "/api/v1/account/settings/spot",
  params: "UpdateSpotSettings",
  hasBody: true,
  signing: { type: "update_account_spot_settings", source: "documented" },
  retry: "idempotent",
};

/** `account.set_auto_lend_disabled` */
export const ACCOUNT_SET_AUTO_LEND_DISABLED: Operation<void> = {
  name: "account.set_auto_lend_disabled",
  method: "POST",
  path: "/api/v1/account/settings/auto_lend_disabled",
  params: "SetAutoLendDisabled",
  hasBody: true,
  signing: { type: "set_auto_lend_disabled", source: "documented" },
  retry: "idempotent",
};

/** `subaccounts.list` */
export const SUBACCOUNTS_LIST: Operation<readonly Subaccount[]> = {
  name: "subaccounts.list",
  method: "POST",
  path: "/api/v1/account/subaccount/list",
  hasBody: true,
  result: {
    type: { kind: "list", items: { kind: "model", name: "Subaccount" } },
    key: "subaccounts",
  },
  signing: { type: "list_subaccounts", source: "observed" },
  retry: "safe",
};

/** `subaccounts.transfer` */
export const SUBACCOUNTS_TRANSFER: Operation<void> = {
  name: "subaccounts.transfer",
  method: "POST",
  path: "/api/v1/account/subaccount/transfer",
  params: "TransferFunds",
  hasBody: true,
  signing: { type: "transfer_funds", source: "assumed" },
  retry: "never",
};

/** `vaults.add_max_leverage` */
export const VAULTS_ADD_MAX_LEVERAGE: Operation<void> = {
  name: "vaults.add_max_leverage",
  method: "POST",
  path: "/api/v1/lake/add_max_leverage",
  params: "AddLakeMaxLeverage",
  hasBody: true,
  signing: { type: "add_lake_max_leverage", source: "documented" },
  retry: "idempotent",
};

/** `vaults.remove_max_leverage` */
export const VAULTS_REMOVE_MAX_LEVERAGE: Operation<void> = {
  name: "vaults.remove_max_leverage",
  method: "POST",
  path: "/api/v1/lake/remove_max_leverage",
  params: "RemoveLakeMaxLeverage",
  hasBody: true,
  signing: { type: "remove_lake_max_leverage", source: "documented" },
  retry: "idempotent",
};

/** `vaults.remove_blacklist` */
export const VAULTS_REMOVE_BLACKLIST: Operation<void> = {
  name: "vaults.remove_blacklist",
  method: "POST",
  path: "/api/v1/lake/remove_blacklist",
  params: "RemoveLakeBlacklist",
  hasBody: true,
  signing: { type: "remove_lake_blacklist", source: "documented" },
  retry: "idempotent",
};

/** `vaults.claim_manager` */
export const VAULTS_CLAIM_MANAGER: Operation<SharesMinted> = {
  name: "vaults.claim_manager",
  method: "POST",
  path: "/api/v1/lake/claim_manager",
  params: "ClaimLakeManager",
  hasBody: true,
  result: { type: { kind: "model", name: "SharesMinted" } },
  signing: { type: "claim_lake_manager", source: "documented" },
  retry: "never",
};

/** `funding.history` */
export const FUNDING_HISTORY: ListOperation<FundingRecord> = {
  name: "funding.history",
  method: "GET",
  path: "/api/v1/funding_rate/history",
  params: "FundingHistoryQuery",
  result: { type: { kind: "model", name: "FundingRecord" }, key: "data" },
  pagination: {
    items: "data",
    cursor: "cursor",
    nextCursor: "next_cursor",
    hasMore: "has_more",
    saysSuccess: true,
    limit: "limit",
    maxLimit: 4000,
  },
  retry: "safe",
};

/** `api_keys.create` */
export const API_KEYS_CREATE: Operation<ApiKey> = {
  name: "api_keys.create",
  method: "POST",
  path: "/api/v1/account/api_keys/create",
  hasBody: true,
  result: { type: { kind: "model", name: "ApiKey" } },
  signing: { type: "create_api_key", source: "observed" },
  retry: "never",
};

/** `api_keys.revoke` */
export const API_KEYS_REVOKE: Operation<RevokedApiKey | null> = {
  name: "api_keys.revoke",
  method: "POST",
  path: "/api/v1/account/api_keys/revoke",
  params: "RevokeApiKey",
  hasBody: true,
  result: { type: { kind: "model", name: "RevokedApiKey" }, nullable: true },
  signing: { type: "revoke_api_key", source: "observed" },
  retry: "idempotent",
};

/** `api_keys.list` */
export const API_KEYS_LIST: Operation<Json> = {
  name: "api_keys.list",
  method: "POST",
  path: "/api/v1/account/api_keys",
  hasBody: true,
  result: { type: { kind: "json" }, secret: true },
  signing: { type: "list_api_keys", source: "observed" },
  retry: "safe",
};

/** The whole service. */
export const API: Api = {
  title: "Trading service",
  version: "v1",
  operations: [
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
  ],
  schema: SCHEMA,
  apiKeyHeader: "PF-API-KEY",
  rateScale: 10,
};
