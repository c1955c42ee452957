// Do not edit: written by `python -m codegen generate` from spec/streams.yaml.

import type { Open } from "../runtime/index.js";
import type {
  OrderStatus,
  OrderType,
  Side,
  TradeCause,
  TradeEventType,
  TradeSide,
} from "./models.js";

/*
 * The websocket of the live service, as was seen: nobody promises it. A frame is what `JSON.parse` returns, with
 * the names of the wire. Money is text; times are ms.
 */

/** What happened to an order. */
export const OrderEventType = [
  "make",
  "stop_created",
  "fulfill_market",
  "fulfill_limit",
  "adjust",
  "stop_parent_order_filled",
  "stop_triggered",
  "stop_upgrade",
  "cancel",
  "force_cancel",
  "expired",
  "post_only_rejected",
  "self_trade_prevented",
] as const;
export type OrderEventType = (typeof OrderEventType)[number];

/** The prices of a market. */
export interface Price {
  /** Trading pair symbol. */
  readonly symbol: string;
  /** Mark price. Unit: quote per token. */
  readonly mark: string;
  /** Middle between the best bid and the best ask. Unit: quote per token. */
  readonly mid: string;
  /** Oracle price. Unit: quote per token. */
  readonly oracle: string;
  /**
   * Last settled funding rate; null for a market without funding (assumed). Unit: fraction per
   * hour.
   */
  readonly funding: string | null;
  /**
   * Rate predicted for the next settlement; null for a market without funding (assumed). Unit:
   * fraction per hour.
   */
  readonly next_funding: string | null;
  /** Size of all open positions. Unit: token. */
  readonly open_interest: string;
  /** Traded volume of the last 24 hours. Unit: USD. */
  readonly volume_24h: string;
  /** Price 24 hours ago. Unit: quote per token. */
  readonly yesterday_price: string;
  /** When the prices were taken. Unit: ms. */
  readonly timestamp: number;
}

/** The orders of one price. */
export interface StreamLevel {
  /** Price of the level. Unit: quote per token. */
  readonly p: string;
  /** Amount of all its orders. Unit: token. */
  readonly a: string;
  /** How many orders it has. */
  readonly n: number;
}

/** A trade of a market, as its taker made it. */
export interface StreamTrade {
  /** Id of the trade. */
  readonly h: number;
  /** Trading pair symbol. */
  readonly s: string;
  /** Amount of the trade. Unit: token. */
  readonly a: string;
  /** Price of the trade. Unit: quote per token. */
  readonly p: string;
  /** What the taker did to its position. */
  readonly d: Open<TradeSide>;
  /** Why it was made. */
  readonly tc?: Open<TradeCause>;
  /** Account of the taker. */
  readonly u?: string | null;
  /** When it was made. Unit: ms. */
  readonly t: number;
  /** Number of the event. */
  readonly li?: number | null;
}

/** Balance of a spot asset. */
export interface StreamSpotBalance {
  /** Spot asset symbol. */
  readonly s: string;
  /** Amount of the asset. Unit: token. */
  readonly a: string;
  /** What can be withdrawn. Unit: token. */
  readonly aw?: string | null;
}

/** An open position. */
export interface StreamPosition {
  /** Trading pair symbol. */
  readonly s: string;
  /** `bid` is long. */
  readonly d: Open<Side>;
  /** Size of the position. Unit: token. */
  readonly a: string;
  /** Average entry price. Unit: quote per token. */
  readonly p: string;
  /** Margin of an isolated position. Unit: USDC. */
  readonly m?: string | null;
  /** Funding paid since it was opened. Unit: USDC. */
  readonly f: string;
  /** Whether it is margined on its own. */
  readonly i: boolean;
  /** Price at which it is liquidated. Unit: quote per token. */
  readonly l?: string | null;
  /** When it was changed. Unit: ms. */
  readonly t: number;
}

/** An open order. */
export interface StreamOrder {
  /** Id of the order. */
  readonly i: number;
  /** Its client order id, if it has one. */
  readonly I?: string | null;
  /** Trading pair symbol. */
  readonly s: string;
  /** Side of the order. */
  readonly d: Open<Side>;
  /** Limit price. Unit: quote per token. */
  readonly p: string;
  /** Amount of the order. Unit: token. */
  readonly a: string;
  /** What of it is filled. Unit: token. */
  readonly f: string;
  /** What of it is cancelled. Unit: token. */
  readonly c: string;
  /** When it was made. Unit: ms. */
  readonly t: number;
  /** Kind of a stop order. */
  readonly st?: string | null;
  /** Kind of the order. */
  readonly ot: Open<OrderType>;
  /** Trigger price of a stop order. Unit: quote per token. */
  readonly sp?: string | null;
  /** Whether it may only reduce a position. */
  readonly ro: boolean;
}

/** What happened to an order, and the order as it is then. */
export interface OrderUpdate {
  /** Id of the order. */
  readonly i: number;
  /** Its client order id, if it has one. */
  readonly I?: string | null;
  /** Address of the account. */
  readonly u?: string | null;
  /** Trading pair symbol. */
  readonly s: string;
  /** Side of the order. */
  readonly d: Open<Side>;
  /** Average price of what is filled. Unit: quote per token. */
  readonly p?: string | null;
  /** Price that was given. Unit: quote per token. */
  readonly ip?: string | null;
  /** Price of the latest fill. Unit: quote per token. */
  readonly lp?: string | null;
  /** Amount of the order. Unit: token. */
  readonly a: string;
  /** What of it is filled. Unit: token. */
  readonly f: string;
  /** What happened. */
  readonly oe: Open<OrderEventType>;
  /** State of the order. */
  readonly os: Open<OrderStatus>;
  /** Kind of the order. */
  readonly ot: Open<OrderType>;
  /** Trigger price of a stop order. Unit: quote per token. */
  readonly sp?: string | null;
  /** Id of the stop order attached to the original order. */
  readonly si?: number | null;
  /** Whether it may only reduce a position. */
  readonly r: boolean;
  /** When the order was made. Unit: ms. */
  readonly ct: number;
  /** When this happened. Unit: ms. */
  readonly ut: number;
  /** Number of the event. */
  readonly li?: number | null;
}

/** A trade of the account. */
export interface OwnTrade {
  /** Id of the trade. */
  readonly h: number;
  /** Id of the order. */
  readonly i: number;
  /** Client id of the order. */
  readonly I?: string | null;
  /** Address of the account. */
  readonly u?: string | null;
  /** Trading pair symbol. */
  readonly s: string;
  /** Price of the trade. Unit: quote per token. */
  readonly p: string;
  /** Entry price of the position before it. Unit: quote per token. */
  readonly o?: string | null;
  /** Amount of the trade. Unit: token. */
  readonly a: string;
  /** Whether the account was maker or taker. */
  readonly te: Open<TradeEventType>;
  /** What it did to the position. */
  readonly ts: Open<TradeSide>;
  /** Why it was made. */
  readonly tc?: Open<TradeCause>;
  /** Fee of the trade. Unit: USDC. */
  readonly f: string;
  /** Realised profit or loss. Unit: USDC. */
  readonly n?: string | null;
  /** When it was made. Unit: ms. */
  readonly t: number;
  /** Number of the event. */
  readonly li?: number | null;
}

/** Prices of all markets. */
export interface PricesFrame {
  readonly channel: "prices";
  readonly data: ReadonlyArray<Price>;
  /** Number of the exchange's latest event in it. */
  readonly li?: number;
}

/** Prices, funding and volume of all markets. */
export interface PricesSubscription {
  readonly source: "prices";
}

/** An order book. */
export interface BookFrame {
  readonly channel: "book";
  readonly data: {
    /** Trading pair symbol. */
    readonly s: string;
    /** The levels of both sides, the best first: bids, then asks. Holds: list, list. */
    readonly l: readonly [ReadonlyArray<StreamLevel>, ReadonlyArray<StreamLevel>];
    /** When it was so. Unit: ms. */
    readonly t: number;
    /** Number of the latest event in it. */
    readonly li?: number | null;
  };
}

/** The order book of a market, whole. */
export interface BookSubscription {
  readonly source: "book";
  /** Trading pair symbol. */
  readonly symbol: string;
  /** Width of a level in ticks. */
  readonly agg_level?: 1 | 10 | 100 | 1000 | 10000;
}

/** The best prices of a market have changed. */
export interface BboFrame {
  readonly channel: "bbo";
  readonly data: {
    /** Trading pair symbol. */
    readonly s: string;
    /** Best price of buyers. Unit: quote per token. */
    readonly b: string;
    /** Amount of that price. Unit: token. */
    readonly B: string;
    /** Best price of sellers. Unit: quote per token. */
    readonly a: string;
    /** Amount of that price. Unit: token. */
    readonly A: string;
    /** The order that changed them. */
    readonly i?: number | null;
    /** When they changed. Unit: ms. */
    readonly t?: number | null;
    /** Number of the event. */
    readonly li?: number | null;
  };
}

/** The best prices of a market, at each change. */
export interface BboSubscription {
  readonly source: "bbo";
  /** Trading pair symbol. */
  readonly symbol: string;
}

/** Trades of a market. */
export interface TradesFrame {
  readonly channel: "trades";
  readonly data: ReadonlyArray<StreamTrade>;
  /** Number of the exchange's latest event in it. */
  readonly li?: number;
}

/** The trades of a market, as they happen. */
export interface TradesSubscription {
  readonly source: "trades";
  /** Trading pair symbol. */
  readonly symbol: string;
}

/** A candle. */
export interface CandleFrame {
  readonly channel: "candle";
  readonly data: {
    /** When it begins. Unit: ms. */
    readonly t: number;
    /** When it ends. Unit: ms. */
    readonly T: number;
    /** Trading pair symbol. */
    readonly s: string;
    /** Its length. */
    readonly i: string;
    /** First price. Unit: quote per token. */
    readonly o: string;
    /** Latest price. Unit: quote per token. */
    readonly c: string;
    /** Highest price. Unit: quote per token. */
    readonly h: string;
    /** Lowest price. Unit: quote per token. */
    readonly l: string;
    /** What was traded. Unit: token. */
    readonly v: string;
    /** How many trades it has. */
    readonly n: number;
  };
}

/** The candle of now, and the one before until it is complete. */
export interface CandleSubscription {
  readonly source: "candle";
  /** Trading pair symbol. */
  readonly symbol: string;
  /** Length of a candle, like `1m`. */
  readonly interval: string;
}

/** A candle of the mark price. */
export interface MarkPriceCandleFrame {
  readonly channel: "mark_price_candle";
  readonly data: {
    /** When it begins. Unit: ms. */
    readonly t: number;
    /** When it ends. Unit: ms. */
    readonly T: number;
    /** Trading pair symbol. */
    readonly s: string;
    /** Its length. */
    readonly i: string;
    /** First price. Unit: quote per token. */
    readonly o: string;
    /** Latest price. Unit: quote per token. */
    readonly c: string;
    /** Highest price. Unit: quote per token. */
    readonly h: string;
    /** Lowest price. Unit: quote per token. */
    readonly l: string;
    /** What was traded. Unit: token. */
    readonly v: string;
    /** How many trades it has. */
    readonly n: number;
  };
}

/** The candle of the mark price. */
export interface MarkPriceCandleSubscription {
  readonly source: "mark_price_candle";
  /** Trading pair symbol. */
  readonly symbol: string;
  /** Length of a candle, like `1m`. */
  readonly interval: string;
}

/** Balance, equity and margin of an account. */
export interface AccountInfoFrame {
  readonly channel: "account_info";
  readonly data: {
    /** Equity of the account. Unit: USDC. */
    readonly ae: string;
    /** What orders may use. Unit: USDC. */
    readonly as: string;
    /** What can be withdrawn. Unit: USDC. */
    readonly aw: string;
    /** Balance without open profit or loss. Unit: USDC. */
    readonly b: string;
    /** Fee level. */
    readonly f: number;
    /** Margin that is used. Unit: USDC. */
    readonly mu: string;
    /** Maintenance margin of cross positions. Unit: USDC. */
    readonly cm?: string | null;
    /** How many orders are open. */
    readonly oc: number;
    /** Deposits that await confirmation. Unit: USDC. */
    readonly pb?: string | null;
    /** How many positions are open. */
    readonly pc: number;
    /** How many stop orders wait. */
    readonly sc: number;
    /** When it was so. Unit: ms. */
    readonly t: number;
    /** Balances of spot assets. */
    readonly sb?: ReadonlyArray<StreamSpotBalance> | null;
  };
}

/** Balance, equity and margin of an account. */
export interface AccountInfoSubscription {
  readonly source: "account_info";
  /** Address of the account; the client's own unless given. */
  readonly account: string;
}

/** All open positions; empty if there is none. */
export interface AccountPositionsFrame {
  readonly channel: "account_positions";
  readonly data: ReadonlyArray<StreamPosition>;
  /** Number of the exchange's latest event in it. */
  readonly li?: number;
}

/** The open positions of an account, all of them. */
export interface AccountPositionsSubscription {
  readonly source: "account_positions";
  /** Address of the account; the client's own unless given. */
  readonly account: string;
}

/** All open orders; empty if there is none. */
export interface AccountOrdersFrame {
  readonly channel: "account_orders";
  readonly data: ReadonlyArray<StreamOrder>;
  /** Number of the exchange's latest event in it. */
  readonly li?: number;
}

/** The open orders of an account, all of them. */
export interface AccountOrdersSubscription {
  readonly source: "account_orders";
  /** Address of the account; the client's own unless given. */
  readonly account: string;
}

/** What happened to orders. */
export interface AccountOrderUpdatesFrame {
  readonly channel: "account_order_updates";
  readonly data: ReadonlyArray<OrderUpdate>;
  /** Number of the exchange's latest event in it. */
  readonly li?: number;
}

/** What happens to the orders of an account. */
export interface AccountOrderUpdatesSubscription {
  readonly source: "account_order_updates";
  /** Address of the account; the client's own unless given. */
  readonly account: string;
}

/** Trades of the account. */
export interface AccountTradesFrame {
  readonly channel: "account_trades";
  readonly data: ReadonlyArray<OwnTrade>;
  /** Number of the exchange's latest event in it. */
  readonly li?: number;
}

/** The trades of an account, as they happen. */
export interface AccountTradesSubscription {
  readonly source: "account_trades";
  /** Address of the account; the client's own unless given. */
  readonly account: string;
}

/** The leverage of a market was changed. */
export interface AccountLeverageFrame {
  readonly channel: "account_leverage";
  readonly data: {
    /** Address of the account. */
    readonly u?: string | null;
    /** Trading pair symbol. */
    readonly s: string;
    /** New leverage. Unit: times. */
    readonly l: string;
    /** When it was changed. Unit: ms. */
    readonly t: number;
  };
}

/** Changes of the leverage of an account. */
export interface AccountLeverageSubscription {
  readonly source: "account_leverage";
  /** Address of the account; the client's own unless given. */
  readonly account: string;
}

/** The margin mode of a market was changed. */
export interface AccountMarginFrame {
  readonly channel: "account_margin";
  readonly data: {
    /** Address of the account. */
    readonly u?: string | null;
    /** Trading pair symbol. */
    readonly s: string;
    /** Whether the market is margined on its own. */
    readonly i: boolean;
    /** When it was changed. Unit: ms. */
    readonly t: number;
  };
}

/** Changes of the margin mode of an account. */
export interface AccountMarginSubscription {
  readonly source: "account_margin";
  /** Address of the account; the client's own unless given. */
  readonly account: string;
}

/** Money came or went. */
export interface AccountTransfersFrame {
  readonly channel: "account_transfers";
  readonly data: {
    /** Address of the account. */
    readonly u?: string | null;
    /** What it was, like `deposit`. */
    readonly e: string;
    /** Asset. */
    readonly a: string;
    /** Amount of the asset. Unit: token. */
    readonly am: string;
    /** When it was made. Unit: ms. */
    readonly t: number;
  };
}

/** Deposits, withdrawals and transfers of an account. */
export interface AccountTransfersSubscription {
  readonly source: "account_transfers";
  /** Address of the account; the client's own unless given. */
  readonly account: string;
}

/** What the websocket sends beside answers. Tell them apart by `channel`. */
export type Frame =
  | PricesFrame
  | BookFrame
  | BboFrame
  | TradesFrame
  | CandleFrame
  | MarkPriceCandleFrame
  | AccountInfoFrame
  | AccountPositionsFrame
  | AccountOrdersFrame
  | AccountOrderUpdatesFrame
  | AccountTradesFrame
  | AccountLeverageFrame
  | AccountMarginFrame
  | AccountTransfersFrame;

/** What can be asked for. */
export type Subscription =
  | PricesSubscription
  | BookSubscription
  | BboSubscription
  | TradesSubscription
  | CandleSubscription
  | MarkPriceCandleSubscription
  | AccountInfoSubscription
  | AccountPositionsSubscription
  | AccountOrdersSubscription
  | AccountOrderUpdatesSubscription
  | AccountTradesSubscription
  | AccountLeverageSubscription
  | AccountMarginSubscription
  | AccountTransfersSubscription;

/** The message that asks for events, to be sent over a `WebSocket`. */
export function subscribe(subscription: Subscription): string {
  return JSON.stringify({ method: "subscribe", params: subscription });
}

/** The message that asks for no more of them. */
export function unsubscribe(subscription: Subscription): string {
  return JSON.stringify({ method: "unsubscribe", params: subscription });
}
