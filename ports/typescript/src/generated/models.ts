// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { Decimal, DecimalInput, IntegerInput, Open, TimeInput } from "../runtime/index.js";

/** Side of an order. */
export const Side = ["bid", "ask"] as const;
export type Side = (typeof Side)[number];

/**
 * How long an order stays: `GTC` until it is cancelled (assumed); `IOC` fills at once and cancels
 * the rest (observed); `ALO` is rejected if it would cross (observed); `TOB` is re-priced to one
 * tick inside the touch if it would cross (observed).
 */
export const TimeInForce = ["GTC", "IOC", "ALO", "TOB"] as const;
export type TimeInForce = (typeof TimeInForce)[number];

/** Which price triggers a stop order. */
export const TriggerPriceType = ["mark_price", "last_trade_price", "mid_price"] as const;
export type TriggerPriceType = (typeof TriggerPriceType)[number];

/** State of an order. */
export const OrderStatus = ["open", "partially_filled", "filled", "cancelled", "rejected"] as const;
export type OrderStatus = (typeof OrderStatus)[number];

/** Kind of an order. */
export const OrderType = [
  "limit",
  "market",
  "stop_limit",
  "stop_market",
  "take_profit_limit",
  "stop_loss_limit",
  "take_profit_market",
  "stop_loss_market",
] as const;
export type OrderType = (typeof OrderType)[number];

/** Why an order was cancelled or rejected. */
export const OrderReason = [
  "cancel",
  "force_cancel",
  "expired",
  "post_only_rejected",
  "self_trade_prevented",
] as const;
export type OrderReason = (typeof OrderReason)[number];

/**
 * Why the service refused a request, as far as its answer tells (assumed). A program branches on
 * this where it would else match texts, which are for people and may change.
 *
 * - `insufficient_balance`: The balance or margin of the account does not cover it.
 *
 * - `order_not_found`: There is no such order to act on: it was never placed, or is filled or
 * cancelled.
 *
 * - `position_not_found`: There is no position that it could act on.
 *
 * - `account_not_found`: The service does not know the account.
 *
 * - `vault_not_found`: The service does not know the vault.
 *
 * - `api_key_not_found`: It is no API key of the account.
 *
 * - `unknown_symbol`: There is no such market or spot asset. Symbols are case-sensitive.
 *
 * - `invalid_symbols`: A list of symbols is empty, or has one more than once.
 *
 * - `invalid_price`: The price is out of range, or no multiple of the tick size.
 *
 * - `invalid_amount`: The amount is out of range, or no multiple of the lot size.
 *
 * - `invalid_stop`: A stop price would trigger at once, is on the wrong side or no multiple of the
 * tick size, or a leg has what it cannot have.
 *
 * - `invalid_slippage`: The slippage is out of range.
 *
 * - `invalid_leverage`: The leverage is out of range.
 *
 * - `invalid_recipient`: A transfer may not go to this account.
 *
 * - `order_too_small`: The order is below the minimum size.
 *
 * - `reduce_only`: A reduce-only order would not reduce a position, or has legs.
 *
 * - `duplicate_client_order_id`: An open order has this client order id.
 *
 * - `duplicate_idempotency_key`: The idempotency key was used before.
 *
 * - `not_the_creator`: Only the creator of the vault may do this.
 *
 * - `vault_has_a_manager`: The vault has a manager already.
 *
 * - `too_many_api_keys`: The account has as many API keys as it may have.
 *
 * - `invalid_signature`: The signature is not one, or not the signer's over this message.
 *
 * - `invalid_public_key`: An address is no public key.
 *
 * - `invalid_message`: The signed message is malformed, expired, or from the future.
 *
 * - `expired_message`: The signed message has expired, and the service says so.
 *
 * - `agent_not_bound`: The agent wallet is not bound to the account.
 *
 * - `agent_not_allowed`: An agent wallet cannot do this.
 *
 * - `access_required`: The service is not open to this account.
 *
 * - `unknown_api_key`: The service does not know the API key of the header.
 *
 * - `rate_limited`: There were too many requests.
 *
 * - `not_implemented`: The service does not offer this.
 */
export const RefusalReason = [
  "insufficient_balance",
  "order_not_found",
  "position_not_found",
  "account_not_found",
  "vault_not_found",
  "api_key_not_found",
  "unknown_symbol",
  "invalid_symbols",
  "invalid_price",
  "invalid_amount",
  "invalid_stop",
  "invalid_slippage",
  "invalid_leverage",
  "invalid_recipient",
  "order_too_small",
  "reduce_only",
  "duplicate_client_order_id",
  "duplicate_idempotency_key",
  "not_the_creator",
  "vault_has_a_manager",
  "too_many_api_keys",
  "invalid_signature",
  "invalid_public_key",
  "invalid_message",
  "expired_message",
  "agent_not_bound",
  "agent_not_allowed",
  "access_required",
  "unknown_api_key",
  "rate_limited",
  "not_implemented",
] as const;
export type RefusalReason = (typeof RefusalReason)[number];

/**
 * Whether the order took or made liquidity: `fulfill_taker` is a taker's (assumed). The interface
 * document contradicts itself: one table says so, another one the reverse. The value is passed on
 * as received.
 */
export const TradeEventType = ["fulfill_taker", "fulfill_maker"] as const;
export type TradeEventType = (typeof TradeEventType)[number];

/** What a trade did to the position. */
export const TradeSide = ["open_long", "open_short", "close_long", "close_short"] as const;
export type TradeSide = (typeof TradeSide)[number];

/**
 * What led to a trade: the user (`normal`), too little margin (`market_liquidation`), the backstop
 * (`backstop_liquidation`), or auto-deleveraging and other settlement (`settlement`).
 */
export const TradeCause = [
  "normal",
  "market_liquidation",
  "backstop_liquidation",
  "settlement",
] as const;
export type TradeCause = (typeof TradeCause)[number];

/** A take-profit or stop-loss that comes with a limit order. */
export interface TpslConfig {
  /** Trigger price. Unit: quote per token (observed). */
  readonly stop_price: DecimalInput;
  /**
   * Limit price of the triggered order; a market order when omitted (assumed). Unit: quote per
   * token (observed).
   */
  readonly limit_price?: DecimalInput | null | undefined;
  /** Client order id of the stop order. */
  readonly client_order_id?: string | null | undefined;
  /** Which price triggers. Default: mark_price. */
  readonly trigger_price_type?: TriggerPriceType | null | undefined;
}

/** Trigger, limit and size of a stop order. */
export interface StopOrderConfig {
  /** Trigger price. Unit: quote per token (observed). */
  readonly stop_price: DecimalInput;
  /**
   * Limit price of the triggered order; a market order when omitted (assumed). Unit: quote per
   * token (observed).
   */
  readonly limit_price?: DecimalInput | null | undefined;
  /** Client order id of the stop order. A new random one unless given; null sends none. */
  readonly client_order_id?: string | null | undefined;
  /** Which price triggers. Default: mark_price. */
  readonly trigger_price_type?: TriggerPriceType | null | undefined;
  /**
   * Order amount; the full position size when omitted, so without a position it is refused
   * (assumed). Unit: token.
   */
  readonly amount?: DecimalInput | null | undefined;
}

/** A take-profit or stop-loss of a whole position. */
export interface PositionTpslConfig {
  /** Trigger price. Unit: quote per token. */
  readonly stop_price: DecimalInput;
  /** Limit price of the triggered order; a market order when omitted. Unit: quote per token. */
  readonly limit_price?: DecimalInput | null | undefined;
  /** Amount to close; the whole position when omitted. Unit: token. */
  readonly amount?: DecimalInput | null | undefined;
  /** Client order id of the stop order. */
  readonly client_order_id?: string | null | undefined;
  /** Which price triggers. Default: mark_price. */
  readonly trigger_price_type?: TriggerPriceType | null | undefined;
}

/** A limit order to place. */
export interface CreateOrder {
  /** Trading pair symbol. */
  readonly symbol: string;
  /**
   * Order price, a multiple of the market's tick size (observed). Unit: quote per token (observed).
   */
  readonly price: DecimalInput;
  /** Order amount, a multiple of the market's lot size (observed). Unit: token. */
  readonly amount: DecimalInput;
  /** Whether to buy (`bid`) or to sell (`ask`). */
  readonly side: Side;
  /** Time in force. */
  readonly tif: TimeInForce;
  /** Whether the order may only reduce a position. */
  readonly reduce_only: boolean;
  /** Client order id. A new random one unless given; null sends none. */
  readonly client_order_id?: string | null | undefined;
  /** Take-profit to attach. */
  readonly take_profit?: TpslConfig | null | undefined;
  /** Stop-loss to attach. */
  readonly stop_loss?: TpslConfig | null | undefined;
  /** Builder program code. Pattern: `^[A-Za-z0-9]{3,16}$`. */
  readonly builder_code?: string | null | undefined;
}

/** A stop order to place. */
export interface CreateStopOrder {
  /** Trading pair symbol. */
  readonly symbol: string;
  /** Whether to buy (`bid`) or to sell (`ask`). */
  readonly side: Side;
  /** Whether the order may only reduce a position. */
  readonly reduce_only: boolean;
  /** Trigger, limit and size of the order. */
  readonly stop_order: StopOrderConfig;
  /** Builder program code. Pattern: `^[A-Za-z0-9]{3,16}$`. */
  readonly builder_code?: string | null | undefined;
}

/**
 * A new price and amount for an order, named by exactly one of its two ids.
 *
 * Give exactly one of order_id and client_order_id.
 */
export interface EditOrder {
  /** Trading pair symbol. */
  readonly symbol: string;
  /**
   * New price, a multiple of the market's tick size (observed). Unit: quote per token (observed).
   */
  readonly price: DecimalInput;
  /** New amount, a multiple of the market's lot size (observed). Unit: token. */
  readonly amount: DecimalInput;
  /** System id of the order; required if there is no client_order_id. At least 1. */
  readonly order_id?: IntegerInput | null | undefined;
  /** Client order id; required if there is no order_id. */
  readonly client_order_id?: string | null | undefined;
}

/**
 * A stop order to cancel, named by one of its two ids or by both.
 *
 * Give order_id or client_order_id, or all.
 */
export interface CancelStopOrder {
  /** Trading pair symbol. */
  readonly symbol: string;
  /** System id of the order; required if there is no client_order_id. At least 1. */
  readonly order_id?: IntegerInput | null | undefined;
  /** Client order id; required if there is no order_id. */
  readonly client_order_id?: string | null | undefined;
}

/**
 * A market order to place. The interface document shows it only as a batch action, with the fields
 * up to `reduce_only`.
 *
 * Interface: section 4.5.
 */
export interface CreateMarketOrder {
  /** Trading pair symbol. Required (observed). */
  readonly symbol: string;
  /** Order amount, a multiple of the market's lot size (observed). Unit: token. */
  readonly amount: DecimalInput;
  /** Whether to buy (`bid`) or to sell (`ask`). Required (observed). */
  readonly side: Side;
  /**
   * How far from the current price the order may fill (assumed); "0.5" is 0.5 % (observed). Unit:
   * percent.
   */
  readonly slippage_percent: DecimalInput;
  /** Whether the order may only reduce a position. Required (observed). */
  readonly reduce_only: boolean;
  /**
   * Client order id. A new random one unless given; null sends none. Not in the interface document;
   * seen on the live service.
   */
  readonly client_order_id?: string | null | undefined;
  /** Take-profit to attach. Not in the interface document; seen on the live service. */
  readonly take_profit?: TpslConfig | null | undefined;
  /** Stop-loss to attach. Not in the interface document; seen on the live service. */
  readonly stop_loss?: TpslConfig | null | undefined;
  /**
   * Builder program code. Pattern: `^[A-Za-z0-9]{3,16}$`. Not in the interface document; seen on
   * the live service.
   */
  readonly builder_code?: string | null | undefined;
}

/**
 * An order to cancel, named by exactly one of its two ids (observed). The interface document shows
 * it only as a batch action, with symbol and order_id.
 *
 * Interface: section 4.5.
 *
 * Give exactly one of order_id and client_order_id.
 */
export interface CancelOrder {
  /** Trading pair symbol. Required (observed). */
  readonly symbol: string;
  /** System id of the order; required if there is no client_order_id. At least 1. */
  readonly order_id?: IntegerInput | null | undefined;
  /**
   * Client order id; required if there is no order_id. Not in the interface document; seen on the
   * live service.
   */
  readonly client_order_id?: string | null | undefined;
}

/**
 * A take-profit, a stop-loss or both for a position. The interface document names it only as a
 * batch action and shows no field.
 *
 * Interface: section 4.5.
 *
 * Give take_profit or stop_loss, or all.
 */
export interface SetPositionTpsl {
  /** Trading pair symbol. */
  readonly symbol: string;
  /** Side of the closing order. */
  readonly side: Side;
  /** Take-profit of the position; at least one of the two is given. */
  readonly take_profit?: PositionTpslConfig | null | undefined;
  /** Stop-loss of the position; at least one of the two is given. */
  readonly stop_loss?: PositionTpslConfig | null | undefined;
}

/** What became of one action of a batch. */
export interface ActionResult {
  /** Whether the action was executed. */
  readonly success: boolean;
  /** Id of the order, where the action has one. */
  readonly order_id: bigint | null;
  /** Why the action failed. */
  readonly error: string | null;
}

/** The id of a new order. */
export interface OrderPlaced {
  /** Id assigned to the order. */
  readonly order_id: bigint;
}

/**
 * An order of the order history.
 *
 * Interface: section 2.1.
 */
export interface Order {
  /** Id assigned to the order. */
  readonly order_id: bigint;
  /** Client order id, if the user gave one. */
  readonly client_order_id: string | null;
  /** Trading pair symbol. */
  readonly symbol: string;
  /** Whether the order buys or sells. */
  readonly side: Open<Side>;
  /**
   * Price set by the order. May be absent (assumed): the sample record of the interface document
   * lacks it. Unit: quote per token (observed).
   */
  readonly price: Decimal | null;
  /** Price of the order when it was placed. Unit: quote per token (observed). */
  readonly initial_price: Decimal;
  /** Volume-weighted average price of its fills. Unit: quote per token (observed). */
  readonly average_filled_price: Decimal;
  /** Order amount. Unit: token. */
  readonly amount: Decimal;
  /** Filled part of the amount. Unit: token. */
  readonly filled_amount: Decimal;
  /** State of the order. */
  readonly order_status: Open<OrderStatus>;
  /** Kind of the order. */
  readonly order_type: Open<OrderType>;
  /** Trigger price given at creation. Unit: quote per token (observed). */
  readonly stop_price: Decimal | null;
  /** Id of the stop order attached to the original order. */
  readonly stop_parent_order_id: bigint | null;
  /** Whether the order may only reduce a position. */
  readonly reduce_only: boolean;
  /** Why the order was cancelled or rejected. */
  readonly reason: Open<OrderReason> | null;
  /** When the order was created. Unit: ms. */
  readonly created_at: bigint;
  /** When the order last changed. Unit: ms. */
  readonly updated_at: bigint;
}

/**
 * A trade of the trade history.
 *
 * Interface: section 2.2.
 */
export interface Trade {
  /** Id of the trade. */
  readonly history_id: bigint;
  /** Order that resulted in the trade. */
  readonly order_id: bigint;
  /** Client order id of that order. Null for an order without one (assumed). */
  readonly client_order_id: string | null;
  /** Trading pair symbol. */
  readonly symbol: string;
  /** Traded amount. Unit: token (observed). */
  readonly amount: Decimal;
  /**
   * Price of the fill (observed). The interface document describes it as the current price of the
   * symbol. Unit: quote per token (observed).
   */
  readonly price: Decimal;
  /**
   * Average entry price of the position (observed). The interface document describes it as the
   * price at which the trade was executed. Unit: quote per token (observed).
   */
  readonly entry_price: Decimal;
  /** Fee paid, in samples `price` x `amount` x rate (observed). Unit: USDC (assumed). */
  readonly fee: Decimal;
  /**
   * Profit or loss generated. It may be net of the fee (assumed): one opening trade shows the fee
   * as a loss. Unit: USDC (assumed).
   */
  readonly pnl: Decimal;
  /** Whether the order took or made liquidity, as the service says. */
  readonly event_type: Open<TradeEventType>;
  /** What the trade did to the position. */
  readonly side: Open<TradeSide>;
  /** When the trade happened. Unit: ms. */
  readonly created_at: bigint;
  /** What led to the trade. */
  readonly cause: Open<TradeCause>;
}

/** A spot asset to withdraw. */
export interface WithdrawSpotAsset {
  /** Spot asset symbol. */
  readonly symbol: string;
  /** Amount to withdraw. Unit: token (assumed). */
  readonly amount: DecimalInput;
  /**
   * Prevents a second withdrawal with the same key. A new random one unless given; null sends none.
   */
  readonly idempotency_key?: string | null | undefined;
}

/** An accepted withdrawal. */
export interface WithdrawalReceipt {
  /** Spot asset symbol. */
  readonly symbol: string;
  /** Nonce of the withdrawal batch. */
  readonly batch_nonce: bigint;
  /** Amount asked for. Unit: token (assumed). */
  readonly requested_amount: Decimal;
  /** Fee, deducted from the withdrawal. Unit: token (assumed). */
  readonly fee_amount: Decimal;
}

/**
 * A change of a spot balance.
 *
 * Interface: section 2.3.
 */
export interface SpotBalanceEvent {
  /** Change of the balance. Unit: token (assumed). */
  readonly amount: Decimal;
  /** Balance after the event. Unit: token (assumed). */
  readonly balance: Decimal;
  /** Spot asset symbol. */
  readonly symbol: string;
  /**
   * Kind of the event. Its values are not documented; that of a withdrawal may be `withdraw`
   * (assumed).
   */
  readonly event_type: string;
  /** When the balance changed. Unit: ms. */
  readonly created_at: bigint;
}

/**
 * A spot withdrawal of the withdrawal history.
 *
 * Interface: section 2.4.
 */
export interface SpotWithdrawal {
  /** Spot asset symbol. */
  readonly symbol: string;
  /** Amount withdrawn. Unit: token (assumed). */
  readonly amount: Decimal;
  /** Nonce of the withdrawal batch. */
  readonly batch_nonce: bigint;
  /** On-chain transaction identifier. */
  readonly transaction_id: string;
  /** When the withdrawal was made. Unit: ms. */
  readonly created_at: bigint;
}

/** The unified-margin setting of a spot asset. */
export interface UpdateSpotSettings {
  /** Spot asset symbol. */
  readonly symbol: string;
  /** Whether the asset is excluded from unified-margin collateral. */
  readonly unified_margin_excluded: boolean;
}

/** The auto-lending setting. */
export interface SetAutoLendDisabled {
  /** True disables auto-lending, false enables it, null goes back to the default. */
  readonly disabled?: boolean | null | undefined;
}

/**
 * The settings of an account that differ from the defaults.
 *
 * Interface: section 2.7.
 */
export interface AccountSettings {
  /** Whether auto-lending is disabled; null is the default, enabled. */
  readonly auto_lend_disabled: boolean | null;
  /**
   * Markets whose margin mode or leverage differs from the default, which is cross margin at the
   * maximum leverage. May be absent (observed).
   */
  readonly margin_settings: readonly MarginSetting[];
  /** Settings per spot asset. May be absent (observed). */
  readonly spot_settings: readonly SpotSetting[];
}

/** Margin mode and leverage of one market. */
export interface MarginSetting {
  /** Trading pair symbol. */
  readonly symbol: string;
  /** Whether the market is margined on its own. */
  readonly isolated: boolean;
  /** Current leverage. Unit: times (assumed). */
  readonly leverage: bigint;
  /** When the settings first left the default. Unit: ms. */
  readonly created_at: bigint;
  /** When the settings last changed. Unit: ms. */
  readonly updated_at: bigint;
}

/** Setting of one spot asset. */
export interface SpotSetting {
  /** Spot asset symbol. */
  readonly symbol: string;
  /** Whether the asset is excluded from unified-margin collateral. */
  readonly unified_margin_excluded: boolean;
}

/** USDC to transfer from the account that signs. */
export interface TransferFunds {
  /** Wallet address of the recipient. */
  readonly to_account: string;
  /** Amount to transfer. Unit: USDC. */
  readonly amount: DecimalInput;
}

/**
 * A subaccount.
 *
 * Interface: section 2.6.
 */
export interface Subaccount {
  /** Address of the subaccount. */
  readonly address: string;
  /** Balance. Unit: USD. */
  readonly balance: Decimal;
  /** Part of the balance whose deposit awaits confirmation. Unit: USD. */
  readonly pending_balance: Decimal;
  /** Fee tier, which follows from the traded volume. */
  readonly fee_level: bigint;
  /** How the fee tier is set; `auto` by default. */
  readonly fee_mode: string;
  /** Whether the last traded price triggers stop orders. */
  readonly use_ltp_for_stop_orders: boolean;
  /** When the subaccount was created. Unit: ms. */
  readonly created_at: bigint;
}

/** A leverage cap for some symbols of a vault. */
export interface AddLakeMaxLeverage {
  /** Address of the vault. */
  readonly lake: string;
  /** Symbols that receive the cap. */
  readonly symbols: readonly string[];
  /** Cap applied to every listed symbol. Unit: times (assumed). */
  readonly max_leverage: DecimalInput;
}

/** Symbols of a vault whose leverage cap is removed. */
export interface RemoveLakeMaxLeverage {
  /** Address of the vault. */
  readonly lake: string;
  /** Symbols whose cap is removed. */
  readonly symbols: readonly string[];
}

/** Symbols to remove from the blacklist of a vault. */
export interface RemoveLakeBlacklist {
  /** Address of the vault. */
  readonly lake: string;
  /** Symbols removed from the blacklist. */
  readonly symbols: readonly string[];
}

/** A claim to manage a vault. */
export interface ClaimLakeManager {
  /** Address of the vault. */
  readonly lake: string;
  /** Initial deposit of the manager. Unit: USDC (assumed). */
  readonly deposit_amount: DecimalInput;
}

/** The shares of a new vault manager. */
export interface SharesMinted {
  /** Manager shares minted for the initial deposit. Unit: shares (assumed). */
  readonly shares_minted: Decimal;
}

/**
 * A settled funding rate of a market.
 *
 * Interface: section 2.5.
 */
export interface FundingRecord {
  /** Oracle price that the rate was calculated with. Unit: quote per token (observed). */
  readonly oracle_price: Decimal;
  /** Bid impact price at that time. Unit: quote per token (observed). */
  readonly bid_impact_price: Decimal;
  /** Ask impact price at that time. Unit: quote per token (observed). */
  readonly ask_impact_price: Decimal;
  /** Last settled funding rate. Unit: fraction per hour (observed). */
  readonly funding_rate: Decimal;
  /** Rate predicted for the next settlement. Unit: fraction per hour (observed). */
  readonly next_funding_rate: Decimal;
  /** When the record was made. Unit: ms. */
  readonly created_at: bigint;
}

/**
 * An API config key.
 *
 * Interface: section 2.9.
 */
export interface ApiKey {
  /** The key, an 8-character prefix and a Base58 UUID joined by an underscore. */
  readonly api_key: string;
}

/**
 * An API config key that was revoked.
 *
 * Interface: section 4.18.
 */
export interface RevokedApiKey {
  /** The key. May be absent (observed). */
  readonly api_key: string | null;
}

/** An API config key to revoke. */
export interface RevokeApiKey {
  /** The key to revoke. Not in the interface document; seen on the live service. */
  readonly api_key: string;
}

/**
 * The query of `orders.history`.
 *
 * Interface: section 4.7.
 */
export interface OrderHistoryQuery {
  /** Wallet address of the account to read. The client's own unless given. */
  readonly account?: string | null | undefined;
  /** Records per page. Default: 100. At least 1. */
  readonly limit?: IntegerInput | null | undefined;
  /**
   * Cursor of the page to start from, as `next_cursor` returned it. null, the `nextCursor` of a
   * last page, is refused: leave it out to start at the beginning.
   */
  readonly cursor?: string | undefined;
}

/**
 * The query of `trades.history`.
 *
 * Interface: section 4.9.
 */
export interface TradeHistoryQuery {
  /** Wallet address of the account to read. The client's own unless given. */
  readonly account?: string | null | undefined;
  /** Only trades of this trading pair. */
  readonly symbol?: string | null | undefined;
  /** Only trades since this time, which is included (assumed). Unit: ms. */
  readonly start_time?: TimeInput | null | undefined;
  /**
   * Only trades until this time, which is included (assumed). Unit: ms. Not before `start_time`.
   */
  readonly end_time?: TimeInput | null | undefined;
  /** Records per page. Default: 100. At least 1. */
  readonly limit?: IntegerInput | null | undefined;
  /**
   * Cursor of the page to start from, passed back as `next_cursor` returned it. That is a string
   * (assumed), though the interface document declares an integer here. null, the `nextCursor` of a
   * last page, is refused: leave it out to start at the beginning.
   */
  readonly cursor?: string | undefined;
}

/**
 * The query of `spot.balance_history`.
 *
 * Interface: section 4.10.
 */
export interface SpotBalanceHistoryQuery {
  /** Wallet address of the account to read. The client's own unless given. */
  readonly account?: string | null | undefined;
  /** Only events of this spot asset. */
  readonly symbol?: string | null | undefined;
  /** Records per page; the service chooses when it is omitted. At least 1. */
  readonly limit?: IntegerInput | null | undefined;
  /**
   * Cursor of the page to start from, as `next_cursor` returned it. null, the `nextCursor` of a
   * last page, is refused: leave it out to start at the beginning.
   */
  readonly cursor?: string | undefined;
}

/**
 * The query of `spot.withdrawal_history`.
 *
 * Interface: section 4.11.
 */
export interface SpotWithdrawalHistoryQuery {
  /** Wallet address of the account to read. The client's own unless given. */
  readonly account?: string | null | undefined;
  /** Records per page; the service chooses when it is omitted. At least 1. */
  readonly limit?: IntegerInput | null | undefined;
  /**
   * Cursor of the page to start from, as `next_cursor` returned it. null, the `nextCursor` of a
   * last page, is refused: leave it out to start at the beginning.
   */
  readonly cursor?: string | undefined;
}

/**
 * The query of `account.settings`.
 *
 * Interface: section 4.16.
 */
export interface AccountSettingsQuery {
  /** Wallet address of the account to read. The client's own unless given. */
  readonly account?: string | null | undefined;
}

/**
 * The query of `funding.history`.
 *
 * Interface: section 4.15.
 */
export interface FundingHistoryQuery {
  /** Trading pair symbol. */
  readonly symbol: string;
  /** Records per page. Default: 100. At least 1. At most 4000. */
  readonly limit?: IntegerInput | null | undefined;
  /**
   * Cursor of the page to start from, as `next_cursor` returned it. null, the `nextCursor` of a
   * last page, is refused: leave it out to start at the beginning.
   */
  readonly cursor?: string | undefined;
}
