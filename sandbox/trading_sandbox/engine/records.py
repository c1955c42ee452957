"""The records of the exchange: orders, trades, balance changes, withdrawals, funding, API keys."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import attrs

from trading_sandbox.engine.commands import Cause, Side, TimeInForce, TriggerPriceType
from trading_sandbox.engine.money import ZERO, divide
from trading_sandbox.engine.seeded import seeded_bytes, to_base58

OrderStatus = Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
OrderReason = Literal[
    "cancel", "force_cancel", "expired", "post_only_rejected", "self_trade_prevented"
]
OrderEventKind = (
    Literal["make", "stop_created", "fulfill_market", "fulfill_limit", "adjust", "stop_triggered"]
    | OrderReason
)
"""What happens to an order (field note 39)."""
OrderType = Literal[
    "limit",
    "market",
    "stop_limit",
    "stop_market",
    "take_profit_limit",
    "stop_loss_limit",
    "take_profit_market",
    "stop_loss_market",
]
StopKind = Literal["stop", "take_profit", "stop_loss"]
TradeSide = Literal["open_long", "open_short", "close_long", "close_short"]
EventType = Literal["fulfill_taker", "fulfill_maker"]
BalanceCause = Literal[
    "deposit",
    "withdrawal",
    "trade",
    "market_liquidation",
    "backstop_liquidation",
    "adl_liquidation",
    "subaccount_transfer",
    "funding",
    "payout",
]
"""Why a balance changes (field note 40)."""
USDC = "USDC"


class Refused(Exception):
    """The exchange refuses a command and has changed nothing; the message says why."""

    def __init__(self, text: str, code: int = 0, observed: str = "") -> None:
        """Give the code and the text that the live service was seen to have, where they are known.

        Args:
            text: Why, for the reader.
            code: Its business code (field note 37); 0: unknown.
            observed: How the live service words it (field note 38); empty: it is not known.
        """
        super().__init__(text)
        self.code = code
        self.observed = observed or text


class InsufficientBalance(Refused):
    """The account's balance or margin does not cover the command."""


class OffStep(Refused):
    """A price is not a multiple of the tick size, or an amount not one of the lot size."""


class NotTheCreator(Refused):
    """Only the creator of a vault may do this."""


class DuplicateKey(Refused):
    """The idempotency key was used before."""


@attrs.define(kw_only=True)
class Stop:
    """The stop price of an order, and what happens when it is reached."""

    price: Decimal
    trigger_price_type: TriggerPriceType
    rising: bool
    """True: triggered at or above the price. False: at or below it."""
    limit_price: Decimal | None
    """None: the triggered order is a market order."""
    kind: StopKind = "stop"
    parent: int | None = None
    """Id of the order that a take-profit or stop-loss belongs to; None if it belongs to none."""
    earlier: Decimal = ZERO
    """Amount that the parent's earlier versions, before edits, had filled."""
    whole_position: bool = False
    """Once triggered, it closes the whole position, whatever its size is then."""
    untriggered: bool = True
    """Not triggered yet."""

    def reached_by(self, price: Decimal) -> bool:
        """Whether a price triggers it."""
        return price >= self.price if self.rising else price <= self.price


def _price_of(order: Order) -> Decimal:
    return order.price


def _creation_of(order: Order) -> int:
    return order.created_at


@attrs.define(kw_only=True)
class Order:
    """An order with its fills and its status (interface section 2.1)."""

    order_id: int
    account: str
    symbol: str
    side: Side
    order_type: OrderType = "limit"
    tif: TimeInForce = "GTC"
    price: Decimal
    initial_price: Decimal = attrs.Factory(_price_of, takes_self=True)
    amount: Decimal
    reduce_only: bool = False
    client_order_id: str | None = None
    created_at: int
    updated_at: int = attrs.Factory(_creation_of, takes_self=True)
    filled: Decimal = ZERO
    quote: Decimal = ZERO
    """Total value of its fills. USDC."""
    status: OrderStatus = "open"
    reason: OrderReason | None = None
    cause: Cause = "normal"
    stop: Stop | None = None
    attached: int | None = None
    """Id of its first take-profit or stop-loss, which its record shows; None without any."""

    @property
    def remaining(self) -> Decimal:
        """The part of the amount that has not filled."""
        return self.amount - self.filled

    @property
    def in_trigger_book(self) -> bool:
        """Whether it waits for its stop price in the trigger book, not in the order book."""
        return self.stop is not None and self.stop.untriggered

    @property
    def stop_price(self) -> Decimal | None:
        """Its stop price, triggered or not; None if it has none."""
        return None if self.stop is None else self.stop.price

    @property
    def average_price(self) -> Decimal:
        """Volume-weighted average price of the fills; 0 without any."""
        return divide(self.quote, self.filled) if self.filled else ZERO

    def fill(self, amount: Decimal, price: Decimal, now: int) -> None:
        """Add a fill."""
        self.filled += amount
        self.quote += amount * price
        self.status = "partially_filled" if self.remaining else "filled"
        self.updated_at = now

    def end(self, status: OrderStatus, reason: OrderReason, now: int) -> None:
        """Cancel or reject the part that has not filled."""
        self.status = status
        self.reason = reason
        self.updated_at = now


@attrs.frozen(kw_only=True)
class OrderEvent:
    """What happened to an order, with the order as it was then."""

    li: int
    """Sequence number of the event; all events of the exchange are numbered, in their order."""
    kind: OrderEventKind
    account: str
    order_id: int
    client_order_id: str | None
    symbol: str
    side: Side
    order_type: OrderType
    price: Decimal
    initial_price: Decimal
    average_price: Decimal
    last_price: Decimal | None
    """Price of the fill; None of any other event."""
    amount: Decimal
    filled: Decimal
    cancelled: Decimal
    """The part that will not fill any more."""
    status: OrderStatus
    stop_price: Decimal | None
    attached: int | None
    reduce_only: bool
    placed_at: int
    created_at: int
    """When it happened, in ms."""

    @classmethod
    def of(
        cls, order: Order, kind: OrderEventKind, li: int, last_price: Decimal | None
    ) -> OrderEvent:
        """Return what just happened to an order."""
        return cls(
            li=li,
            kind=kind,
            account=order.account,
            order_id=order.order_id,
            client_order_id=order.client_order_id,
            symbol=order.symbol,
            side=order.side,
            order_type=order.order_type,
            price=order.price,
            initial_price=order.initial_price,
            average_price=order.average_price,
            last_price=last_price,
            amount=order.amount,
            filled=order.filled,
            cancelled=ZERO if order.reason is None else order.remaining,
            status=order.status,
            stop_price=order.stop_price,
            attached=order.attached,
            reduce_only=order.reduce_only,
            placed_at=order.created_at,
            created_at=order.updated_at,
        )


@attrs.frozen(kw_only=True)
class MarginChange:
    """What an account has chosen for a market; None: it is as it was."""

    account: str
    symbol: str
    isolated: bool | None
    leverage: Decimal | None
    created_at: int


@attrs.frozen(kw_only=True)
class Trade:
    """One account's side of a fill (interface section 2.2).

    A fill that turns a long position into a short one, or back, makes two records: one for the
    part that closes and one for the part that opens.
    """

    history_id: int
    account: str
    order_id: int
    client_order_id: str | None
    symbol: str
    amount: Decimal
    price: Decimal
    """Execution price."""
    entry_price: Decimal
    """Average entry price of the position: before a trade that closes, after one that opens."""
    fee: Decimal
    pnl: Decimal
    event_type: EventType
    side: TradeSide
    created_at: int
    cause: Cause
    li: int
    """Sequence number of the event of the order."""
    is_public: bool
    """Whether it is among the trades of the market, each of which is there once: the taker's record,
    or the maker's if the taker is a house account."""


@attrs.frozen(kw_only=True)
class BalanceEvent:
    """A change of a spot balance (interface section 2.3), or of the USDC of an account."""

    event_id: int
    account: str
    symbol: str
    amount: Decimal
    balance: Decimal
    event_type: BalanceCause
    created_at: int

    @property
    def transaction_id(self) -> str:
        """The transaction of a deposit; no two events have the same."""
        return to_base58(seeded_bytes(self.event_id, "deposit", self.account))


@attrs.frozen(kw_only=True)
class Withdrawal:
    """A withdrawal of a spot asset (interface sections 2.4 and 4.6)."""

    batch_nonce: int
    account: str
    symbol: str
    amount: Decimal
    """Requested amount, from which the fee is taken."""
    fee: Decimal
    transaction_id: str
    created_at: int


@attrs.frozen(kw_only=True)
class Funding:
    """A settled funding rate (interface section 2.5)."""

    symbol: str
    oracle_price: Decimal
    bid_impact_price: Decimal
    ask_impact_price: Decimal
    funding_rate: Decimal
    next_funding_rate: Decimal
    created_at: int


@attrs.frozen(kw_only=True)
class FundingPayment:
    """What an account received or paid at a settlement of funding (field note 20)."""

    history_id: int
    account: str
    symbol: str
    size: Decimal
    """Positive when long, negative when short. Tokens."""
    payout: Decimal
    """What the account received; negative if it paid. USDC."""
    rate: Decimal
    created_at: int

    @property
    def side(self) -> Side:
        """The side of the orders that opened the position."""
        return "bid" if self.size > 0 else "ask"

    @property
    def amount(self) -> Decimal:
        """The size without its sign. Tokens."""
        return abs(self.size)


@attrs.frozen(kw_only=True)
class ApiKey:
    """An API config key (interface section 2.9)."""

    api_key: str
    created_at: int


Reply = int | str | Decimal | Withdrawal | ApiKey | None
"""What a command returns: an order id or the number of cancelled orders, minted shares, a withdrawal,
an API key, or nothing."""


@attrs.define
class Changes:
    """The records that a command has created or changed, for the histories and for who listens."""

    orders: dict[int, Order] = attrs.field(factory=dict)
    """As they are after the command."""
    order_events: list[OrderEvent] = attrs.field(factory=list)
    """What happened to the orders of customers, in its order."""
    margins: list[MarginChange] = attrs.field(factory=list)
    trades: list[Trade] = attrs.field(factory=list)
    balance_events: list[BalanceEvent] = attrs.field(factory=list)
    withdrawals: list[Withdrawal] = attrs.field(factory=list)
    fundings: list[Funding] = attrs.field(factory=list)
    payments: list[FundingPayment] = attrs.field(factory=list)
