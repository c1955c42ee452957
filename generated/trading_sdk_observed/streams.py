# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""Events of the websocket of the live service, and what a stream is asked for: `client.stream()`.

The interface document does not describe it. All of it was seen on the live service, and nobody promises it.
docs/guides/streams.md shows a program.
"""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

from attrs import frozen

from trading_runtime import OpenEnum
from trading_runtime.stream import (
    Disconnected,
    Lagging,
    Reconnected,
    Stream,
    StreamEvent,
    StreamRecord,
    Subscription,
    SubscriptionRefused,
    Unreadable,
)
from trading_sdk_observed.models import (
    OrderStatus,
    OrderType,
    Price,
    Side,
    TradeCause,
    TradeEventType,
    TradeSide,
)


class OrderEventType(OpenEnum):
    """What happened to an order."""

    MAKE = "make"
    STOP_CREATED = "stop_created"
    FULFILL_MARKET = "fulfill_market"
    FULFILL_LIMIT = "fulfill_limit"
    ADJUST = "adjust"
    STOP_PARENT_ORDER_FILLED = "stop_parent_order_filled"
    STOP_TRIGGERED = "stop_triggered"
    STOP_UPGRADE = "stop_upgrade"
    CANCEL = "cancel"
    FORCE_CANCEL = "force_cancel"
    EXPIRED = "expired"
    POST_ONLY_REJECTED = "post_only_rejected"
    SELF_TRADE_PREVENTED = "self_trade_prevented"


class StreamLevel(
    StreamRecord, frozen=True, kw_only=True, rename={"price": "p", "amount": "a", "orders": "n"}
):
    """The orders of one price."""

    price: Decimal
    """Price of the level. In JSON: `p`. Unit: quote per token."""

    amount: Decimal
    """Amount of all its orders. In JSON: `a`. Unit: token."""

    orders: int
    """How many orders it has. In JSON: `n`."""


class StreamTrade(
    StreamRecord,
    frozen=True,
    kw_only=True,
    rename={
        "history_id": "h",
        "symbol": "s",
        "amount": "a",
        "price": "p",
        "side": "d",
        "cause": "tc",
        "account": "u",
        "created_at": "t",
        "number": "li",
    },
):
    """A trade of a market, as its taker made it."""

    history_id: int
    """Id of the trade. In JSON: `h`."""

    symbol: str
    """Trading pair symbol. In JSON: `s`."""

    amount: Decimal
    """Amount of the trade. In JSON: `a`. Unit: token."""

    price: Decimal
    """Price of the trade. In JSON: `p`. Unit: quote per token."""

    side: TradeSide
    """What the taker did to its position. In JSON: `d`."""

    created_at: int
    """When it was made. In JSON: `t`. Unit: ms."""

    cause: TradeCause | None = None
    """Why it was made. In JSON: `tc`."""

    account: str | None = None
    """Account of the taker. In JSON: `u`. (assumed)"""

    number: int | None = None
    """Number of the event. In JSON: `li`."""


class StreamSpotBalance(
    StreamRecord,
    frozen=True,
    kw_only=True,
    rename={"symbol": "s", "amount": "a", "available_to_withdraw": "aw"},
):
    """Balance of a spot asset."""

    symbol: str
    """Spot asset symbol. In JSON: `s`."""

    amount: Decimal
    """Amount of the asset. In JSON: `a`. Unit: token."""

    available_to_withdraw: Decimal | None = None
    """What can be withdrawn. In JSON: `aw`. Unit: token."""


class StreamPosition(
    StreamRecord,
    frozen=True,
    kw_only=True,
    rename={
        "symbol": "s",
        "side": "d",
        "amount": "a",
        "entry_price": "p",
        "margin": "m",
        "funding": "f",
        "isolated": "i",
        "liquidation_price": "l",
        "updated_at": "t",
    },
):
    """An open position."""

    symbol: str
    """Trading pair symbol. In JSON: `s`."""

    side: Side
    """`bid` is long. In JSON: `d`."""

    amount: Decimal
    """Size of the position. In JSON: `a`. Unit: token."""

    entry_price: Decimal
    """Average entry price. In JSON: `p`. Unit: quote per token."""

    funding: Decimal
    """Funding paid since it was opened. In JSON: `f`. Unit: USDC."""

    isolated: bool
    """Whether it is margined on its own. In JSON: `i`."""

    updated_at: int
    """When it was changed. In JSON: `t`. Unit: ms."""

    margin: Decimal | None = None
    """Margin of an isolated position. In JSON: `m`. Unit: USDC."""

    liquidation_price: Decimal | None = None
    """Price at which it is liquidated. In JSON: `l`. Unit: quote per token."""


class StreamOrder(
    StreamRecord,
    frozen=True,
    kw_only=True,
    rename={
        "order_id": "i",
        "client_order_id": "I",
        "symbol": "s",
        "side": "d",
        "price": "p",
        "amount": "a",
        "filled_amount": "f",
        "cancelled_amount": "c",
        "created_at": "t",
        "stop_type": "st",
        "order_type": "ot",
        "stop_price": "sp",
        "reduce_only": "ro",
    },
):
    """An open order."""

    order_id: int
    """Id of the order. In JSON: `i`."""

    symbol: str
    """Trading pair symbol. In JSON: `s`."""

    side: Side
    """Side of the order. In JSON: `d`."""

    price: Decimal
    """Limit price. In JSON: `p`. Unit: quote per token."""

    amount: Decimal
    """Amount of the order. In JSON: `a`. Unit: token."""

    filled_amount: Decimal
    """What of it is filled. In JSON: `f`. Unit: token."""

    cancelled_amount: Decimal
    """What of it is cancelled. In JSON: `c`. Unit: token."""

    created_at: int
    """When it was made. In JSON: `t`. Unit: ms."""

    order_type: OrderType
    """Kind of the order. In JSON: `ot`."""

    reduce_only: bool
    """Whether it may only reduce a position. In JSON: `ro`."""

    client_order_id: UUID | None = None
    """Its client order id, if it has one. In JSON: `I`."""

    stop_type: str | None = None
    """Kind of a stop order. In JSON: `st`."""

    stop_price: Decimal | None = None
    """Trigger price of a stop order. In JSON: `sp`. Unit: quote per token."""


class OrderUpdate(
    StreamRecord,
    frozen=True,
    kw_only=True,
    rename={
        "order_id": "i",
        "client_order_id": "I",
        "account": "u",
        "symbol": "s",
        "side": "d",
        "average_price": "p",
        "initial_price": "ip",
        "last_price": "lp",
        "amount": "a",
        "filled_amount": "f",
        "event_type": "oe",
        "order_status": "os",
        "order_type": "ot",
        "stop_price": "sp",
        "stop_parent_order_id": "si",
        "reduce_only": "r",
        "created_at": "ct",
        "updated_at": "ut",
        "number": "li",
    },
):
    """What happened to an order, and the order as it is then."""

    order_id: int
    """Id of the order. In JSON: `i`."""

    symbol: str
    """Trading pair symbol. In JSON: `s`."""

    side: Side
    """Side of the order. In JSON: `d`."""

    amount: Decimal
    """Amount of the order. In JSON: `a`. Unit: token."""

    filled_amount: Decimal
    """What of it is filled. In JSON: `f`. Unit: token."""

    event_type: OrderEventType
    """What happened. In JSON: `oe`."""

    order_status: OrderStatus
    """State of the order. In JSON: `os`."""

    order_type: OrderType
    """Kind of the order. In JSON: `ot`."""

    reduce_only: bool
    """Whether it may only reduce a position. In JSON: `r`."""

    created_at: int
    """When the order was made. In JSON: `ct`. Unit: ms."""

    updated_at: int
    """When this happened. In JSON: `ut`. Unit: ms."""

    client_order_id: UUID | None = None
    """Its client order id, if it has one. In JSON: `I`."""

    account: str | None = None
    """Address of the account. In JSON: `u`."""

    average_price: Decimal | None = None
    """Average price of what is filled. In JSON: `p`. Unit: quote per token."""

    initial_price: Decimal | None = None
    """Price that was given. In JSON: `ip`. Unit: quote per token."""

    last_price: Decimal | None = None
    """Price of the latest fill. In JSON: `lp`. Unit: quote per token."""

    stop_price: Decimal | None = None
    """Trigger price of a stop order. In JSON: `sp`. Unit: quote per token."""

    stop_parent_order_id: int | None = None
    """Id of the stop order attached to the original order. In JSON: `si`."""

    number: int | None = None
    """Number of the event. In JSON: `li`."""


class OwnTrade(
    StreamRecord,
    frozen=True,
    kw_only=True,
    rename={
        "history_id": "h",
        "order_id": "i",
        "client_order_id": "I",
        "account": "u",
        "symbol": "s",
        "price": "p",
        "entry_price": "o",
        "amount": "a",
        "event_type": "te",
        "side": "ts",
        "cause": "tc",
        "fee": "f",
        "pnl": "n",
        "created_at": "t",
        "number": "li",
    },
):
    """A trade of the account."""

    history_id: int
    """Id of the trade. In JSON: `h`."""

    order_id: int
    """Id of the order. In JSON: `i`."""

    symbol: str
    """Trading pair symbol. In JSON: `s`."""

    price: Decimal
    """Price of the trade. In JSON: `p`. Unit: quote per token."""

    amount: Decimal
    """Amount of the trade. In JSON: `a`. Unit: token."""

    event_type: TradeEventType
    """Whether the account was maker or taker. In JSON: `te`."""

    side: TradeSide
    """What it did to the position. In JSON: `ts`."""

    fee: Decimal
    """Fee of the trade. In JSON: `f`. Unit: USDC."""

    created_at: int
    """When it was made. In JSON: `t`. Unit: ms."""

    client_order_id: UUID | None = None
    """Client id of the order. In JSON: `I`."""

    account: str | None = None
    """Address of the account. In JSON: `u`."""

    entry_price: Decimal | None = None
    """Entry price of the position before it. In JSON: `o`. Unit: quote per token."""

    cause: TradeCause | None = None
    """Why it was made. In JSON: `tc`."""

    pnl: Decimal | None = None
    """Realised profit or loss. In JSON: `n`. Unit: USDC."""

    number: int | None = None
    """Number of the event. In JSON: `li`."""


class PricesSnapshot(StreamEvent, frozen=True, kw_only=True):
    """Prices of all markets.

    Of `Prices`; a picture.
    """

    prices: tuple[Price, ...]
    """What came at once."""

    number: int | None = None
    """Number of the exchange's latest event in it; None if the frame does not tell."""


@frozen(kw_only=True)
class Prices(Subscription):
    """Prices, funding and volume of all markets.

    Its events are `PricesSnapshot`.
    """

    channel = "prices"
    event = PricesSnapshot
    items = "prices"
    is_picture = True


class BookSnapshot(
    StreamEvent,
    frozen=True,
    kw_only=True,
    rename={"symbol": "s", "sides": "l", "time": "t", "number": "li"},
):
    """An order book.

    Of `Book`; a picture.
    """

    symbol: str
    """Trading pair symbol. In JSON: `s`."""

    sides: tuple[tuple[StreamLevel, ...], tuple[StreamLevel, ...]]
    """The levels of both sides, the best first: bids, then asks. In JSON: `l`. Holds: list, list.
    """

    time: int
    """When it was so. In JSON: `t`. Unit: ms."""

    number: int | None = None
    """Number of the latest event in it. In JSON: `li`."""


@frozen(kw_only=True)
class Book(Subscription):
    """The order book of a market, whole.

    Its events are `BookSnapshot`.
    """

    channel = "book"
    event = BookSnapshot
    is_picture = True
    keys = ("symbol",)
    choices = (("agg_level", (1, 10, 100, 1000, 10000)),)

    symbol: str
    """Trading pair symbol."""

    agg_level: int = 1
    """Width of a level in ticks."""


class BestPricesChanged(
    StreamEvent,
    frozen=True,
    kw_only=True,
    rename={
        "symbol": "s",
        "bid": "b",
        "bid_amount": "B",
        "ask": "a",
        "ask_amount": "A",
        "order_id": "i",
        "time": "t",
        "number": "li",
    },
):
    """The best prices of a market have changed.

    Of `BestPrices`.
    """

    symbol: str
    """Trading pair symbol. In JSON: `s`."""

    bid: Decimal
    """Best price of buyers. In JSON: `b`. Unit: quote per token."""

    bid_amount: Decimal
    """Amount of that price. In JSON: `B`. Unit: token."""

    ask: Decimal
    """Best price of sellers. In JSON: `a`. Unit: quote per token."""

    ask_amount: Decimal
    """Amount of that price. In JSON: `A`. Unit: token."""

    order_id: int | None = None
    """The order that changed them. In JSON: `i`."""

    time: int | None = None
    """When they changed. In JSON: `t`. Unit: ms."""

    number: int | None = None
    """Number of the event. In JSON: `li`."""


@frozen(kw_only=True)
class BestPrices(Subscription):
    """The best prices of a market, at each change.

    Its events are `BestPricesChanged`.
    """

    channel = "bbo"
    event = BestPricesChanged
    keys = ("symbol",)

    symbol: str
    """Trading pair symbol."""


class TradesHappened(StreamEvent, frozen=True, kw_only=True):
    """Trades of a market.

    Of `Trades`.
    """

    trades: tuple[StreamTrade, ...]
    """What came at once."""

    number: int | None = None
    """Number of the exchange's latest event in it; None if the frame does not tell."""


@frozen(kw_only=True)
class Trades(Subscription):
    """The trades of a market, as they happen.

    Its events are `TradesHappened`.
    """

    channel = "trades"
    event = TradesHappened
    items = "trades"
    keys = ("symbol",)

    symbol: str
    """Trading pair symbol."""


class CandleSnapshot(
    StreamEvent,
    frozen=True,
    kw_only=True,
    rename={
        "opened_at": "t",
        "closes_at": "T",
        "symbol": "s",
        "interval": "i",
        "open": "o",
        "close": "c",
        "high": "h",
        "low": "l",
        "volume": "v",
        "trades": "n",
    },
):
    """A candle.

    Of `Candles`; a picture.
    """

    opened_at: int
    """When it begins. In JSON: `t`. Unit: ms."""

    closes_at: int
    """When it ends. In JSON: `T`. Unit: ms."""

    symbol: str
    """Trading pair symbol. In JSON: `s`."""

    interval: str
    """Its length. In JSON: `i`."""

    open: Decimal
    """First price. In JSON: `o`. Unit: quote per token."""

    close: Decimal
    """Latest price. In JSON: `c`. Unit: quote per token."""

    high: Decimal
    """Highest price. In JSON: `h`. Unit: quote per token."""

    low: Decimal
    """Lowest price. In JSON: `l`. Unit: quote per token."""

    volume: Decimal
    """What was traded. In JSON: `v`. Unit: token."""

    trades: int
    """How many trades it has. In JSON: `n`."""


@frozen(kw_only=True)
class Candles(Subscription):
    """The candle of now, and the one before until it is complete.

    Its events are `CandleSnapshot`.
    """

    channel = "candle"
    event = CandleSnapshot
    is_picture = True
    keys = ("symbol", "interval")

    symbol: str
    """Trading pair symbol."""

    interval: str
    """Length of a candle, like `1m`."""


class MarkPriceCandleSnapshot(
    StreamEvent,
    frozen=True,
    kw_only=True,
    rename={
        "opened_at": "t",
        "closes_at": "T",
        "symbol": "s",
        "interval": "i",
        "open": "o",
        "close": "c",
        "high": "h",
        "low": "l",
        "volume": "v",
        "trades": "n",
    },
):
    """A candle of the mark price.

    Of `MarkPriceCandles`; a picture.
    """

    opened_at: int
    """When it begins. In JSON: `t`. Unit: ms."""

    closes_at: int
    """When it ends. In JSON: `T`. Unit: ms."""

    symbol: str
    """Trading pair symbol. In JSON: `s`."""

    interval: str
    """Its length. In JSON: `i`."""

    open: Decimal
    """First price. In JSON: `o`. Unit: quote per token."""

    close: Decimal
    """Latest price. In JSON: `c`. Unit: quote per token."""

    high: Decimal
    """Highest price. In JSON: `h`. Unit: quote per token."""

    low: Decimal
    """Lowest price. In JSON: `l`. Unit: quote per token."""

    volume: Decimal
    """What was traded. In JSON: `v`. Unit: token."""

    trades: int
    """How many trades it has. In JSON: `n`."""


@frozen(kw_only=True)
class MarkPriceCandles(Subscription):
    """The candle of the mark price.

    Its events are `MarkPriceCandleSnapshot`.
    """

    channel = "mark_price_candle"
    event = MarkPriceCandleSnapshot
    is_picture = True
    keys = ("symbol", "interval")

    symbol: str
    """Trading pair symbol."""

    interval: str
    """Length of a candle, like `1m`."""


class AccountSnapshot(
    StreamEvent,
    frozen=True,
    kw_only=True,
    rename={
        "account_equity": "ae",
        "available_to_spend": "as",
        "available_to_withdraw": "aw",
        "balance": "b",
        "fee_level": "f",
        "total_margin_used": "mu",
        "cross_mmr": "cm",
        "orders_count": "oc",
        "pending_balance": "pb",
        "positions_count": "pc",
        "stop_orders_count": "sc",
        "updated_at": "t",
        "spot_balances": "sb",
    },
):
    """Balance, equity and margin of an account.

    Of `AccountInfo`; a picture.
    """

    account_equity: Decimal
    """Equity of the account. In JSON: `ae`. Unit: USDC."""

    available_to_spend: Decimal
    """What orders may use. In JSON: `as`. Unit: USDC."""

    available_to_withdraw: Decimal
    """What can be withdrawn. In JSON: `aw`. Unit: USDC."""

    balance: Decimal
    """Balance without open profit or loss. In JSON: `b`. Unit: USDC."""

    fee_level: int
    """Fee level. In JSON: `f`."""

    total_margin_used: Decimal
    """Margin that is used. In JSON: `mu`. Unit: USDC."""

    orders_count: int
    """How many orders are open. In JSON: `oc`."""

    positions_count: int
    """How many positions are open. In JSON: `pc`."""

    stop_orders_count: int
    """How many stop orders wait. In JSON: `sc`."""

    updated_at: int
    """When it was so. In JSON: `t`. Unit: ms."""

    cross_mmr: Decimal | None = None
    """Maintenance margin of cross positions. In JSON: `cm`. Unit: USDC."""

    pending_balance: Decimal | None = None
    """Deposits that await confirmation. In JSON: `pb`. Unit: USDC."""

    spot_balances: tuple[StreamSpotBalance, ...] | None = None
    """Balances of spot assets. In JSON: `sb`."""


@frozen(kw_only=True)
class AccountInfo(Subscription):
    """Balance, equity and margin of an account.

    Its events are `AccountSnapshot`.
    """

    channel = "account_info"
    event = AccountSnapshot
    is_picture = True

    account: str | None = None
    """Address of the account; the client's own unless given."""


class PositionsSnapshot(StreamEvent, frozen=True, kw_only=True):
    """All open positions; empty if there is none.

    Of `AccountPositions`; a picture.
    """

    positions: tuple[StreamPosition, ...]
    """What came at once."""

    number: int | None = None
    """Number of the exchange's latest event in it; None if the frame does not tell."""


@frozen(kw_only=True)
class AccountPositions(Subscription):
    """The open positions of an account, all of them.

    Its events are `PositionsSnapshot`.
    """

    channel = "account_positions"
    event = PositionsSnapshot
    items = "positions"
    is_picture = True

    account: str | None = None
    """Address of the account; the client's own unless given."""


class OrdersSnapshot(StreamEvent, frozen=True, kw_only=True):
    """All open orders; empty if there is none.

    Of `AccountOrders`; a picture.
    """

    orders: tuple[StreamOrder, ...]
    """What came at once."""

    number: int | None = None
    """Number of the exchange's latest event in it; None if the frame does not tell."""


@frozen(kw_only=True)
class AccountOrders(Subscription):
    """The open orders of an account, all of them.

    Its events are `OrdersSnapshot`.
    """

    channel = "account_orders"
    event = OrdersSnapshot
    items = "orders"
    is_picture = True

    account: str | None = None
    """Address of the account; the client's own unless given."""


class OrdersUpdated(StreamEvent, frozen=True, kw_only=True):
    """What happened to orders.

    Of `AccountOrderUpdates`.
    """

    updates: tuple[OrderUpdate, ...]
    """What came at once."""

    number: int | None = None
    """Number of the exchange's latest event in it; None if the frame does not tell."""


@frozen(kw_only=True)
class AccountOrderUpdates(Subscription):
    """What happens to the orders of an account.

    Its events are `OrdersUpdated`.
    """

    channel = "account_order_updates"
    event = OrdersUpdated
    items = "updates"

    account: str | None = None
    """Address of the account; the client's own unless given."""


class OwnTradesHappened(StreamEvent, frozen=True, kw_only=True):
    """Trades of the account.

    Of `AccountTrades`.
    """

    trades: tuple[OwnTrade, ...]
    """What came at once."""

    number: int | None = None
    """Number of the exchange's latest event in it; None if the frame does not tell."""


@frozen(kw_only=True)
class AccountTrades(Subscription):
    """The trades of an account, as they happen.

    Its events are `OwnTradesHappened`.
    """

    channel = "account_trades"
    event = OwnTradesHappened
    items = "trades"

    account: str | None = None
    """Address of the account; the client's own unless given."""


class LeverageChanged(
    StreamEvent,
    frozen=True,
    kw_only=True,
    rename={"account": "u", "symbol": "s", "leverage": "l", "time": "t"},
):
    """The leverage of a market was changed.

    Of `AccountLeverage`.
    """

    symbol: str
    """Trading pair symbol. In JSON: `s`."""

    leverage: Decimal
    """New leverage. In JSON: `l`. Unit: times."""

    time: int
    """When it was changed. In JSON: `t`. Unit: ms."""

    account: str | None = None
    """Address of the account. In JSON: `u`."""


@frozen(kw_only=True)
class AccountLeverage(Subscription):
    """Changes of the leverage of an account.

    Its events are `LeverageChanged`.
    """

    channel = "account_leverage"
    event = LeverageChanged

    account: str | None = None
    """Address of the account; the client's own unless given."""


class MarginModeChanged(
    StreamEvent,
    frozen=True,
    kw_only=True,
    rename={"account": "u", "symbol": "s", "isolated": "i", "time": "t"},
):
    """The margin mode of a market was changed.

    Of `AccountMargin`.
    """

    symbol: str
    """Trading pair symbol. In JSON: `s`."""

    isolated: bool
    """Whether the market is margined on its own. In JSON: `i`."""

    time: int
    """When it was changed. In JSON: `t`. Unit: ms."""

    account: str | None = None
    """Address of the account. In JSON: `u`."""


@frozen(kw_only=True)
class AccountMargin(Subscription):
    """Changes of the margin mode of an account.

    Its events are `MarginModeChanged`.
    """

    channel = "account_margin"
    event = MarginModeChanged

    account: str | None = None
    """Address of the account; the client's own unless given."""


class Transferred(
    StreamEvent,
    frozen=True,
    kw_only=True,
    rename={"account": "u", "event_type": "e", "symbol": "a", "amount": "am", "time": "t"},
):
    """Money came or went.

    Of `AccountTransfers`.
    """

    event_type: str
    """What it was, like `deposit`. In JSON: `e`."""

    symbol: str
    """Asset. In JSON: `a`."""

    amount: Decimal
    """Amount of the asset. In JSON: `am`. Unit: token."""

    time: int
    """When it was made. In JSON: `t`. Unit: ms."""

    account: str | None = None
    """Address of the account. In JSON: `u`."""


@frozen(kw_only=True)
class AccountTransfers(Subscription):
    """Deposits, withdrawals and transfers of an account.

    Its events are `Transferred`.
    """

    channel = "account_transfers"
    event = Transferred

    account: str | None = None
    """Address of the account; the client's own unless given."""


CHANNELS = (
    Prices,
    Book,
    BestPrices,
    Trades,
    Candles,
    MarkPriceCandles,
    AccountInfo,
    AccountPositions,
    AccountOrders,
    AccountOrderUpdates,
    AccountTrades,
    AccountLeverage,
    AccountMargin,
    AccountTransfers,
)
"""Every channel, by the class that subscribes to it."""

__all__ = [
    "CHANNELS",
    "AccountInfo",
    "AccountLeverage",
    "AccountMargin",
    "AccountOrderUpdates",
    "AccountOrders",
    "AccountPositions",
    "AccountSnapshot",
    "AccountTrades",
    "AccountTransfers",
    "BestPrices",
    "BestPricesChanged",
    "Book",
    "BookSnapshot",
    "CandleSnapshot",
    "Candles",
    "Disconnected",
    "Lagging",
    "LeverageChanged",
    "MarginModeChanged",
    "MarkPriceCandleSnapshot",
    "MarkPriceCandles",
    "OrderEventType",
    "OrderUpdate",
    "OrdersSnapshot",
    "OrdersUpdated",
    "OwnTrade",
    "OwnTradesHappened",
    "PositionsSnapshot",
    "Prices",
    "PricesSnapshot",
    "Reconnected",
    "Stream",
    "StreamEvent",
    "StreamLevel",
    "StreamOrder",
    "StreamPosition",
    "StreamSpotBalance",
    "StreamTrade",
    "SubscriptionRefused",
    "Trades",
    "TradesHappened",
    "Transferred",
    "Unreadable",
]
