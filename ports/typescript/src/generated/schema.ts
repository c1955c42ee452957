// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { Schema } from "../runtime/index.js";
import * as models from "./models.js";
import { REASONS } from "./reasons.js";

/** What is checked of arguments, and how answers are read, as data. */
export const SCHEMA: Schema = {
  enums: {
    Side: models.Side,
    TimeInForce: models.TimeInForce,
    TriggerPriceType: models.TriggerPriceType,
    OrderStatus: models.OrderStatus,
  },
  models: {
    TpslConfig: {
      fields: [
        { name: "stop_price", type: { kind: "decimal" }, required: true },
        { name: "limit_price", type: { kind: "decimal" } },
        { name: "client_order_id", type: { kind: "uuid" } },
        { name: "trigger_price_type", type: { kind: "enum", name: "TriggerPriceType" } },
      ],
    },
    StopOrderConfig: {
      fields: [
        { name: "stop_price", type: { kind: "decimal" }, required: true },
        { name: "limit_price", type: { kind: "decimal" } },
        { name: "client_order_id", type: { kind: "uuid" }, auto: "uuid" },
        { name: "trigger_price_type", type: { kind: "enum", name: "TriggerPriceType" } },
        { name: "amount", type: { kind: "decimal" } },
      ],
    },
    PositionTpslConfig: {
      fields: [
        { name: "stop_price", type: { kind: "decimal" }, required: true },
        { name: "limit_price", type: { kind: "decimal" } },
        { name: "amount", type: { kind: "decimal" } },
        { name: "client_order_id", type: { kind: "uuid" } },
        { name: "trigger_price_type", type: { kind: "enum", name: "TriggerPriceType" } },
      ],
    },
    CreateOrder: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "price", type: { kind: "decimal" }, required: true },
        { name: "amount", type: { kind: "decimal" }, required: true },
        { name: "side", type: { kind: "enum", name: "Side" }, required: true },
        { name: "tif", type: { kind: "enum", name: "TimeInForce" }, required: true },
        { name: "reduce_only", type: { kind: "boolean" }, required: true },
        { name: "client_order_id", type: { kind: "uuid" }, auto: "uuid" },
        { name: "take_profit", type: { kind: "model", name: "TpslConfig" } },
        { name: "stop_loss", type: { kind: "model", name: "TpslConfig" } },
        { name: "builder_code", type: { kind: "string" }, pattern: "^[A-Za-z0-9]{3,16}$" },
      ],
    },
    CreateStopOrder: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "side", type: { kind: "enum", name: "Side" }, required: true },
        { name: "reduce_only", type: { kind: "boolean" }, required: true },
        { name: "stop_order", type: { kind: "model", name: "StopOrderConfig" }, required: true },
        { name: "builder_code", type: { kind: "string" }, pattern: "^[A-Za-z0-9]{3,16}$" },
      ],
    },
    EditOrder: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "price", type: { kind: "decimal" }, required: true },
        { name: "amount", type: { kind: "decimal" }, required: true },
        { name: "order_id", type: { kind: "integer" }, minimum: 1 },
        { name: "client_order_id", type: { kind: "uuid" } },
      ],
      exactlyOne: ["order_id", "client_order_id"],
    },
    CancelStopOrder: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "order_id", type: { kind: "integer" }, minimum: 1 },
        { name: "client_order_id", type: { kind: "uuid" } },
      ],
      atLeastOne: ["order_id", "client_order_id"],
    },
    CreateMarketOrder: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "amount", type: { kind: "decimal" }, required: true },
        { name: "side", type: { kind: "enum", name: "Side" }, required: true },
        { name: "slippage_percent", type: { kind: "decimal" }, required: true },
        { name: "reduce_only", type: { kind: "boolean" }, required: true },
        { name: "client_order_id", type: { kind: "uuid" }, auto: "uuid" },
        { name: "take_profit", type: { kind: "model", name: "TpslConfig" } },
        { name: "stop_loss", type: { kind: "model", name: "TpslConfig" } },
        { name: "builder_code", type: { kind: "string" }, pattern: "^[A-Za-z0-9]{3,16}$" },
      ],
    },
    CancelOrder: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "order_id", type: { kind: "integer" }, minimum: 1 },
        { name: "client_order_id", type: { kind: "uuid" } },
      ],
      exactlyOne: ["order_id", "client_order_id"],
    },
    SetPositionTpsl: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "side", type: { kind: "enum", name: "Side" }, required: true },
        { name: "take_profit", type: { kind: "model", name: "PositionTpslConfig" } },
        { name: "stop_loss", type: { kind: "model", name: "PositionTpslConfig" } },
      ],
      atLeastOne: ["take_profit", "stop_loss"],
    },
    ActionResult: {
      fields: [
        { name: "success", type: { kind: "boolean" }, required: true },
        { name: "order_id", type: { kind: "integer" } },
        { name: "error", type: { kind: "string" }, nullable: true },
      ],
    },
    OrderPlaced: { fields: [{ name: "order_id", type: { kind: "integer" }, required: true }] },
    Order: {
      fields: [
        { name: "order_id", type: { kind: "integer" }, required: true },
        { name: "client_order_id", type: { kind: "uuid" }, required: true, nullable: true },
        { name: "symbol", type: { kind: "string" }, required: true },
        { name: "side", type: { kind: "enum", name: "Side" }, required: true },
        { name: "price", type: { kind: "decimal" } },
        { name: "initial_price", type: { kind: "decimal" }, required: true },
        { name: "average_filled_price", type: { kind: "decimal" }, required: true },
        { name: "amount", type: { kind: "decimal" }, required: true },
        { name: "filled_amount", type: { kind: "decimal" }, required: true },
        { name: "order_status", type: { kind: "enum", name: "OrderStatus" }, required: true },
        { name: "order_type", type: { kind: "enum", name: "OrderType" }, required: true },
        { name: "stop_price", type: { kind: "decimal" }, required: true, nullable: true },
        { name: "stop_parent_order_id", type: { kind: "integer" }, required: true, nullable: true },
        { name: "reduce_only", type: { kind: "boolean" }, required: true },
        {
          name: "reason",
          type: { kind: "enum", name: "OrderReason" },
          required: true,
          nullable: true,
        },
        { name: "created_at", type: { kind: "integer" }, required: true },
        { name: "updated_at", type: { kind: "integer" }, required: true },
      ],
    },
    Trade: {
      fields: [
        { name: "history_id", type: { kind: "integer" }, required: true },
        { name: "order_id", type: { kind: "integer" }, required: true },
        { name: "client_order_id", type: { kind: "uuid" }, required: true, nullable: true },
        { name: "symbol", type: { kind: "string" }, required: true },
        { name: "amount", type: { kind: "decimal" }, required: true },
        { name: "price", type: { kind: "decimal" }, required: true },
        { name: "entry_price", type: { kind: "decimal" }, required: true },
        { name: "fee", type: { kind: "decimal" }, required: true },
        { name: "pnl", type: { kind: "decimal" }, required: true },
        { name: "event_type", type: { kind: "enum", name: "TradeEventType" }, required: true },
        { name: "side", type: { kind: "enum", name: "TradeSide" }, required: true },
        { name: "created_at", type: { kind: "integer" }, required: true },
        { name: "cause", type: { kind: "enum", name: "TradeCause" }, required: true },
      ],
    },
    WithdrawSpotAsset: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "amount", type: { kind: "decimal" }, required: true },
        { name: "idempotency_key", type: { kind: "uuid" }, auto: "uuid" },
      ],
    },
    WithdrawalReceipt: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true },
        { name: "batch_nonce", type: { kind: "integer" }, required: true },
        { name: "requested_amount", type: { kind: "decimal" }, required: true },
        { name: "fee_amount", type: { kind: "decimal" }, required: true },
      ],
    },
    SpotBalanceEvent: {
      fields: [
        { name: "amount", type: { kind: "decimal" }, required: true },
        { name: "balance", type: { kind: "decimal" }, required: true },
        { name: "symbol", type: { kind: "string" }, required: true },
        { name: "event_type", type: { kind: "string" }, required: true },
        { name: "created_at", type: { kind: "integer" }, required: true },
      ],
    },
    SpotWithdrawal: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true },
        { name: "amount", type: { kind: "decimal" }, required: true },
        { name: "batch_nonce", type: { kind: "integer" }, required: true },
        { name: "transaction_id", type: { kind: "string" }, required: true },
        { name: "created_at", type: { kind: "integer" }, required: true },
      ],
    },
    UpdateSpotSettings: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "unified_margin_excluded", type: { kind: "boolean" }, required: true },
      ],
    },
    SetAutoLendDisabled: {
      fields: [{ name: "disabled", type: { kind: "boolean" }, nullable: true }],
    },
    AccountSettings: {
      fields: [
        { name: "auto_lend_disabled", type: { kind: "boolean" }, required: true, nullable: true },
        {
          name: "margin_settings",
          type: { kind: "list", items: { kind: "model", name: "MarginSetting" } },
        },
        {
          name: "spot_settings",
          type: { kind: "list", items: { kind: "model", name: "SpotSetting" } },
        },
      ],
    },
    MarginSetting: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true },
        { name: "isolated", type: { kind: "boolean" }, required: true },
        { name: "leverage", type: { kind: "integer" }, required: true },
        { name: "created_at", type: { kind: "integer" }, required: true },
        { name: "updated_at", type: { kind: "integer" }, required: true },
      ],
    },
    SpotSetting: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true },
        { name: "unified_margin_excluded", type: { kind: "boolean" }, required: true },
      ],
    },
    TransferFunds: {
      fields: [
        { name: "to_account", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "amount", type: { kind: "decimal" }, required: true },
      ],
    },
    Subaccount: {
      fields: [
        { name: "address", type: { kind: "string" }, required: true },
        { name: "balance", type: { kind: "decimal" }, required: true },
        { name: "pending_balance", type: { kind: "decimal" }, required: true },
        { name: "fee_level", type: { kind: "integer" }, required: true },
        { name: "fee_mode", type: { kind: "string" }, required: true },
        { name: "use_ltp_for_stop_orders", type: { kind: "boolean" }, required: true },
        { name: "created_at", type: { kind: "integer" }, required: true },
      ],
    },
    AddLakeMaxLeverage: {
      fields: [
        { name: "lake", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "symbols", type: { kind: "list", items: { kind: "string" } }, required: true },
        { name: "max_leverage", type: { kind: "decimal" }, required: true },
      ],
    },
    RemoveLakeMaxLeverage: {
      fields: [
        { name: "lake", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "symbols", type: { kind: "list", items: { kind: "string" } }, required: true },
      ],
    },
    RemoveLakeBlacklist: {
      fields: [
        { name: "lake", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "symbols", type: { kind: "list", items: { kind: "string" } }, required: true },
      ],
    },
    ClaimLakeManager: {
      fields: [
        { name: "lake", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "deposit_amount", type: { kind: "decimal" }, required: true },
      ],
    },
    SharesMinted: {
      fields: [{ name: "shares_minted", type: { kind: "decimal" }, required: true }],
    },
    FundingRecord: {
      fields: [
        { name: "oracle_price", type: { kind: "decimal" }, required: true },
        { name: "bid_impact_price", type: { kind: "decimal" }, required: true },
        { name: "ask_impact_price", type: { kind: "decimal" }, required: true },
        { name: "funding_rate", type: { kind: "decimal" }, required: true },
        { name: "next_funding_rate", type: { kind: "decimal" }, required: true },
        { name: "created_at", type: { kind: "integer" }, required: true },
      ],
    },
    ApiKey: {
      fields: [{ name: "api_key", type: { kind: "string" }, required: true, secret: true }],
    },
    RevokedApiKey: { fields: [{ name: "api_key", type: { kind: "string" }, secret: true }] },
    RevokeApiKey: {
      fields: [
        { name: "api_key", type: { kind: "string" }, required: true, secret: true, minLength: 1 },
      ],
    },
    OrderHistoryQuery: {
      fields: [
        {
          name: "account",
          type: { kind: "string" },
          required: true,
          auto: "account",
          minLength: 1,
        },
        { name: "limit", type: { kind: "integer" }, minimum: 1 },
        { name: "cursor", type: { kind: "string" }, cursor: true, minLength: 1 },
      ],
    },
    TradeHistoryQuery: {
      fields: [
        {
          name: "account",
          type: { kind: "string" },
          required: true,
          auto: "account",
          minLength: 1,
        },
        { name: "symbol", type: { kind: "string" }, minLength: 1 },
        { name: "start_time", type: { kind: "integer", time: true }, minimum: 0 },
        {
          name: "end_time",
          type: { kind: "integer", time: true },
          notBefore: "start_time",
          minimum: 0,
        },
        { name: "limit", type: { kind: "integer" }, minimum: 1 },
        { name: "cursor", type: { kind: "string" }, cursor: true, minLength: 1 },
      ],
    },
    SpotBalanceHistoryQuery: {
      fields: [
        {
          name: "account",
          type: { kind: "string" },
          required: true,
          auto: "account",
          minLength: 1,
        },
        { name: "symbol", type: { kind: "string" }, minLength: 1 },
        { name: "limit", type: { kind: "integer" }, minimum: 1 },
        { name: "cursor", type: { kind: "string" }, cursor: true, minLength: 1 },
      ],
    },
    SpotWithdrawalHistoryQuery: {
      fields: [
        {
          name: "account",
          type: { kind: "string" },
          required: true,
          auto: "account",
          minLength: 1,
        },
        { name: "limit", type: { kind: "integer" }, minimum: 1 },
        { name: "cursor", type: { kind: "string" }, cursor: true, minLength: 1 },
      ],
    },
    AccountSettingsQuery: {
      fields: [
        {
          name: "account",
          type: { kind: "string" },
          required: true,
          auto: "account",
          minLength: 1,
        },
      ],
    },
    FundingHistoryQuery: {
      fields: [
        { name: "symbol", type: { kind: "string" }, required: true, minLength: 1 },
        { name: "limit", type: { kind: "integer" }, minimum: 1, maximum: 4000 },
        { name: "cursor", type: { kind: "string" }, cursor: true, minLength: 1 },
      ],
    },
  },
  reasons: REASONS,
  refusals: { words: ["success", "data", "error", "code", "message"], states: ["state", "status"] },
};
