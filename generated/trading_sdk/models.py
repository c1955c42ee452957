# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The enums of the service, and the models of its requests and responses.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from uuid import UUID

from attrs import field, frozen
from attrs.validators import ge, le, matches_re, min_len, optional

from trading_runtime import (
    UNSET,
    BaseModel,
    OpenEnum,
    Unset,
    at_least_one,
    exactly_one,
    if_given,
    located,
    not_before,
    to_boolean,
    to_cursor_text,
    to_decimal,
    to_member,
    to_minted_uuid,
    to_model,
    to_nullable_boolean,
    to_optional_decimal,
    to_optional_integer,
    to_optional_text,
    to_optional_time,
    to_optional_uuid,
    to_text,
    to_texts,
    warn_of_fraction,
)

if TYPE_CHECKING:
    from trading_sdk.mappings import PositionTpslConfigDict, StopOrderConfigDict, TpslConfigDict
else:  # Their classes are made when a user imports them.
    PositionTpslConfigDict = StopOrderConfigDict = TpslConfigDict = Mapping[str, Any]


class Side(OpenEnum):
    """Side of an order."""

    BID = "bid"
    ASK = "ask"

    if TYPE_CHECKING:
        _UNKNOWN = ""
        """Any value that this version does not know."""


SideLike: TypeAlias = Side | Literal["bid", "ask"]


def _to_side(value: SideLike) -> Side:
    return to_member(Side, value)


class TimeInForce(OpenEnum):
    """How long an order stays: `GTC` until it is cancelled (assumed); `IOC` fills at once and
    cancels the rest (observed); `ALO` is rejected if it would cross (observed); `TOB` is
    re-priced to one tick inside the touch if it would cross (observed).
    """

    GTC = "GTC"
    IOC = "IOC"
    ALO = "ALO"
    TOB = "TOB"


TimeInForceLike: TypeAlias = TimeInForce | Literal["GTC", "IOC", "ALO", "TOB"]


def _to_time_in_force(value: TimeInForceLike) -> TimeInForce:
    return to_member(TimeInForce, value)


class TriggerPriceType(OpenEnum):
    """Which price triggers a stop order."""

    MARK_PRICE = "mark_price"
    LAST_TRADE_PRICE = "last_trade_price"
    MID_PRICE = "mid_price"


TriggerPriceTypeLike: TypeAlias = (
    TriggerPriceType | Literal["mark_price", "last_trade_price", "mid_price"]
)


def _to_optional_trigger_price_type(value: TriggerPriceTypeLike | None) -> TriggerPriceType | None:
    return None if value is None else to_member(TriggerPriceType, value)


class OrderStatus(OpenEnum):
    """State of an order."""

    OPEN = "open"
    PARTIALLY_FILLED = "partially_filled"
    FILLED = "filled"
    CANCELLED = "cancelled"
    REJECTED = "rejected"

    if TYPE_CHECKING:
        _UNKNOWN = ""
        """Any value that this version does not know."""


class OrderType(OpenEnum):
    """Kind of an order."""

    LIMIT = "limit"
    MARKET = "market"
    STOP_LIMIT = "stop_limit"
    STOP_MARKET = "stop_market"
    TAKE_PROFIT_LIMIT = "take_profit_limit"
    STOP_LOSS_LIMIT = "stop_loss_limit"
    TAKE_PROFIT_MARKET = "take_profit_market"
    STOP_LOSS_MARKET = "stop_loss_market"

    if TYPE_CHECKING:
        _UNKNOWN = ""
        """Any value that this version does not know."""


class OrderReason(OpenEnum):
    """Why an order was cancelled or rejected."""

    CANCEL = "cancel"
    FORCE_CANCEL = "force_cancel"
    EXPIRED = "expired"
    POST_ONLY_REJECTED = "post_only_rejected"
    SELF_TRADE_PREVENTED = "self_trade_prevented"

    if TYPE_CHECKING:
        _UNKNOWN = ""
        """Any value that this version does not know."""


class RefusalReason(OpenEnum):
    """Why the service refused a request, as far as its answer tells (assumed). A program branches
    on this where it would else match texts, which are for people and may change.
    """

    INSUFFICIENT_BALANCE = "insufficient_balance"
    """The balance or margin of the account does not cover it."""

    ORDER_NOT_FOUND = "order_not_found"
    """There is no such order to act on: it was never placed, or is filled or cancelled."""

    POSITION_NOT_FOUND = "position_not_found"
    """There is no position that it could act on."""

    ACCOUNT_NOT_FOUND = "account_not_found"
    """The service does not know the account."""

    VAULT_NOT_FOUND = "vault_not_found"
    """The service does not know the vault."""

    API_KEY_NOT_FOUND = "api_key_not_found"
    """It is no API key of the account."""

    UNKNOWN_SYMBOL = "unknown_symbol"
    """There is no such market or spot asset. Symbols are case-sensitive."""

    INVALID_SYMBOLS = "invalid_symbols"
    """A list of symbols is empty, or has one more than once."""

    INVALID_PRICE = "invalid_price"
    """The price is out of range, or no multiple of the tick size."""

    INVALID_AMOUNT = "invalid_amount"
    """The amount is out of range, or no multiple of the lot size."""

    INVALID_STOP = "invalid_stop"
    """A stop price would trigger at once, is on the wrong side or no multiple of the tick size, or
    a leg has what it cannot have.
    """

    INVALID_SLIPPAGE = "invalid_slippage"
    """The slippage is out of range."""

    INVALID_LEVERAGE = "invalid_leverage"
    """The leverage is out of range."""

    INVALID_RECIPIENT = "invalid_recipient"
    """A transfer may not go to this account."""

    ORDER_TOO_SMALL = "order_too_small"
    """The order is below the minimum size."""

    REDUCE_ONLY = "reduce_only"
    """A reduce-only order would not reduce a position, or has legs."""

    DUPLICATE_CLIENT_ORDER_ID = "duplicate_client_order_id"
    """An open order has this client order id."""

    DUPLICATE_IDEMPOTENCY_KEY = "duplicate_idempotency_key"
    """The idempotency key was used before."""

    NOT_THE_CREATOR = "not_the_creator"
    """Only the creator of the vault may do this."""

    VAULT_HAS_A_MANAGER = "vault_has_a_manager"
    """The vault has a manager already."""

    TOO_MANY_API_KEYS = "too_many_api_keys"
    """The account has as many API keys as it may have."""

    INVALID_SIGNATURE = "invalid_signature"
    """The signature is not one, or not the signer's over this message."""

    INVALID_PUBLIC_KEY = "invalid_public_key"
    """An address is no public key."""

    INVALID_MESSAGE = "invalid_message"
    """The signed message is malformed, expired, or from the future."""

    EXPIRED_MESSAGE = "expired_message"
    """The signed message has expired, and the service says so."""

    AGENT_NOT_BOUND = "agent_not_bound"
    """The agent wallet is not bound to the account."""

    AGENT_NOT_ALLOWED = "agent_not_allowed"
    """An agent wallet cannot do this."""

    ACCESS_REQUIRED = "access_required"
    """The service is not open to this account."""

    UNKNOWN_API_KEY = "unknown_api_key"
    """The service does not know the API key of the header."""

    RATE_LIMITED = "rate_limited"
    """There were too many requests."""

    NOT_IMPLEMENTED = "not_implemented"
    """The service does not offer this."""


class TradeEventType(OpenEnum):
    """Whether the order took or made liquidity: `fulfill_taker` is a taker's (assumed). The
    interface document contradicts itself: one table says so, another one the reverse. The value
    is passed on as received.
    """

    FULFILL_TAKER = "fulfill_taker"
    FULFILL_MAKER = "fulfill_maker"

    if TYPE_CHECKING:
        _UNKNOWN = ""
        """Any value that this version does not know."""


class TradeSide(OpenEnum):
    """What a trade did to the position."""

    OPEN_LONG = "open_long"
    OPEN_SHORT = "open_short"
    CLOSE_LONG = "close_long"
    CLOSE_SHORT = "close_short"

    if TYPE_CHECKING:
        _UNKNOWN = ""
        """Any value that this version does not know."""


class TradeCause(OpenEnum):
    """What led to a trade: the user (`normal`), too little margin (`market_liquidation`), the
    backstop (`backstop_liquidation`), or auto-deleveraging and other settlement (`settlement`).
    """

    NORMAL = "normal"
    MARKET_LIQUIDATION = "market_liquidation"
    BACKSTOP_LIQUIDATION = "backstop_liquidation"
    SETTLEMENT = "settlement"

    if TYPE_CHECKING:
        _UNKNOWN = ""
        """Any value that this version does not know."""


@frozen(kw_only=True, field_transformer=located)
class TpslConfig(BaseModel):
    """A take-profit or stop-loss that comes with a limit order."""

    stop_price: Decimal = field(converter=to_decimal)
    """Trigger price. Unit: quote per token (observed)."""

    limit_price: Decimal | None = field(default=None, converter=to_optional_decimal)
    """Limit price of the triggered order; a market order when omitted (assumed). Unit: quote per
    token (observed).
    """

    client_order_id: UUID | None = field(default=None, converter=to_optional_uuid)
    """Client order id of the stop order."""

    trigger_price_type: TriggerPriceType | None = field(
        default=None, converter=_to_optional_trigger_price_type
    )
    """Which price triggers. One of `mark_price`, `last_trade_price`, `mid_price`. Default:
    mark_price.
    """


TpslConfigLike: TypeAlias = TpslConfig | TpslConfigDict


def _to_optional_tpsl_config(value: TpslConfigLike | None) -> TpslConfig | None:
    return None if value is None else to_model(TpslConfig, value)


@frozen(kw_only=True, field_transformer=located)
class StopOrderConfig(BaseModel):
    """Trigger, limit and size of a stop order."""

    stop_price: Decimal = field(converter=to_decimal)
    """Trigger price. Unit: quote per token (observed)."""

    limit_price: Decimal | None = field(default=None, converter=to_optional_decimal)
    """Limit price of the triggered order; a market order when omitted (assumed). Unit: quote per
    token (observed).
    """

    client_order_id: UUID | None = field(factory=to_minted_uuid, converter=to_minted_uuid)
    """Client order id of the stop order. A new random one unless given; None sends none."""

    trigger_price_type: TriggerPriceType | None = field(
        default=None, converter=_to_optional_trigger_price_type
    )
    """Which price triggers. One of `mark_price`, `last_trade_price`, `mid_price`. Default:
    mark_price.
    """

    amount: Decimal | None = field(default=None, converter=to_optional_decimal)
    """Order amount; the full position size when omitted, so without a position it is refused
    (assumed). Unit: token.
    """


StopOrderConfigLike: TypeAlias = StopOrderConfig | StopOrderConfigDict


def _to_stop_order_config(value: StopOrderConfigLike) -> StopOrderConfig:
    return to_model(StopOrderConfig, value)


@frozen(kw_only=True, field_transformer=located)
class PositionTpslConfig(BaseModel):
    """A take-profit or stop-loss of a whole position.

    Its fields are (observed).
    """

    stop_price: Decimal = field(converter=to_decimal)
    """Trigger price. Unit: quote per token."""

    limit_price: Decimal | None = field(default=None, converter=to_optional_decimal)
    """Limit price of the triggered order; a market order when omitted. Unit: quote per token."""

    amount: Decimal | None = field(default=None, converter=to_optional_decimal)
    """Amount to close; the whole position when omitted. Unit: token."""

    client_order_id: UUID | None = field(default=None, converter=to_optional_uuid)
    """Client order id of the stop order."""

    trigger_price_type: TriggerPriceType | None = field(
        default=None, converter=_to_optional_trigger_price_type
    )
    """Which price triggers. One of `mark_price`, `last_trade_price`, `mid_price`. Default:
    mark_price.
    """


PositionTpslConfigLike: TypeAlias = PositionTpslConfig | PositionTpslConfigDict


def _to_optional_position_tpsl_config(
    value: PositionTpslConfigLike | None,
) -> PositionTpslConfig | None:
    return None if value is None else to_model(PositionTpslConfig, value)


@frozen(kw_only=True, field_transformer=located)
class CreateOrder(BaseModel):
    """A limit order to place."""

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    price: Decimal = field(converter=to_decimal)
    """Order price, a multiple of the market's tick size (observed). Unit: quote per token
    (observed).
    """

    amount: Decimal = field(converter=to_decimal)
    """Order amount, a multiple of the market's lot size (observed). Unit: token."""

    side: Side = field(converter=_to_side)
    """Whether to buy (`bid`) or to sell (`ask`)."""

    tif: TimeInForce = field(converter=_to_time_in_force)
    """Time in force. One of `GTC`, `IOC`, `ALO`, `TOB`."""

    reduce_only: bool = field(converter=to_boolean)
    """Whether the order may only reduce a position."""

    client_order_id: UUID | None = field(factory=to_minted_uuid, converter=to_minted_uuid)
    """Client order id. A new random one unless given; None sends none."""

    take_profit: TpslConfig | None = field(default=None, converter=_to_optional_tpsl_config)
    """Take-profit to attach. A `TpslConfig`, or a mapping of its fields."""

    stop_loss: TpslConfig | None = field(default=None, converter=_to_optional_tpsl_config)
    """Stop-loss to attach. A `TpslConfig`, or a mapping of its fields."""

    builder_code: str | None = field(
        default=None,
        converter=to_optional_text,
        validator=optional(matches_re("^[A-Za-z0-9]{3,16}$")),
    )
    """Builder program code. Pattern: `^[A-Za-z0-9]{3,16}$`."""


@frozen(kw_only=True, field_transformer=located)
class CreateStopOrder(BaseModel):
    """A stop order to place."""

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    side: Side = field(converter=_to_side)
    """Whether to buy (`bid`) or to sell (`ask`)."""

    reduce_only: bool = field(converter=to_boolean)
    """Whether the order may only reduce a position."""

    stop_order: StopOrderConfig = field(converter=_to_stop_order_config)
    """Trigger, limit and size of the order. A `StopOrderConfig`, or a mapping of its fields."""

    builder_code: str | None = field(
        default=None,
        converter=to_optional_text,
        validator=optional(matches_re("^[A-Za-z0-9]{3,16}$")),
    )
    """Builder program code. Pattern: `^[A-Za-z0-9]{3,16}$`."""


@frozen(kw_only=True, field_transformer=located)
class EditOrder(BaseModel):
    """A new price and amount for an order, named by exactly one of its two ids."""

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    price: Decimal = field(converter=to_decimal)
    """New price, a multiple of the market's tick size (observed). Unit: quote per token (observed).
    """

    amount: Decimal = field(converter=to_decimal)
    """New amount, a multiple of the market's lot size (observed). Unit: token."""

    order_id: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """System id of the order; required if there is no client_order_id. At least 1."""

    client_order_id: UUID | None = field(default=None, converter=to_optional_uuid)
    """Client order id; required if there is no order_id."""

    def __attrs_post_init__(self) -> None:
        exactly_one(self, "order_id", "client_order_id")


@frozen(kw_only=True, field_transformer=located)
class CancelStopOrder(BaseModel):
    """A stop order to cancel, named by one of its two ids or by both."""

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    order_id: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """System id of the order; required if there is no client_order_id. At least 1."""

    client_order_id: UUID | None = field(default=None, converter=to_optional_uuid)
    """Client order id; required if there is no order_id."""

    def __attrs_post_init__(self) -> None:
        at_least_one(self, "order_id", "client_order_id")


@frozen(kw_only=True, field_transformer=located)
class CreateMarketOrder(BaseModel):
    """A market order to place. The interface document shows it only as a batch action, with the
    fields up to `reduce_only`.

    Interface: section 4.5.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol. Required (observed)."""

    amount: Decimal = field(converter=to_decimal)
    """Order amount, a multiple of the market's lot size (observed). Unit: token."""

    side: Side = field(converter=_to_side)
    """Whether to buy (`bid`) or to sell (`ask`). Required (observed)."""

    slippage_percent: Decimal = field(converter=to_decimal, validator=warn_of_fraction)
    """How far from the current price the order may fill (assumed); "0.5" is 0.5 % (observed). Unit:
    percent.
    """

    reduce_only: bool = field(converter=to_boolean)
    """Whether the order may only reduce a position. Required (observed)."""

    client_order_id: UUID | None = field(factory=to_minted_uuid, converter=to_minted_uuid)
    """Client order id. A new random one unless given; None sends none. (observed)"""

    take_profit: TpslConfig | None = field(default=None, converter=_to_optional_tpsl_config)
    """Take-profit to attach. A `TpslConfig`, or a mapping of its fields. (observed)"""

    stop_loss: TpslConfig | None = field(default=None, converter=_to_optional_tpsl_config)
    """Stop-loss to attach. A `TpslConfig`, or a mapping of its fields. (observed)"""

    builder_code: str | None = field(
        default=None,
        converter=to_optional_text,
        validator=optional(matches_re("^[A-Za-z0-9]{3,16}$")),
    )
    """Builder program code. Pattern: `^[A-Za-z0-9]{3,16}$`. (observed)"""


@frozen(kw_only=True, field_transformer=located)
class CancelOrder(BaseModel):
    """An order to cancel, named by exactly one of its two ids (observed). The interface document
    shows it only as a batch action, with symbol and order_id.

    Interface: section 4.5.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol. Required (observed)."""

    order_id: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """System id of the order; required if there is no client_order_id. At least 1."""

    client_order_id: UUID | None = field(default=None, converter=to_optional_uuid)
    """Client order id; required if there is no order_id. (observed)"""

    def __attrs_post_init__(self) -> None:
        exactly_one(self, "order_id", "client_order_id")


@frozen(kw_only=True, field_transformer=located)
class SetPositionTpsl(BaseModel):
    """A take-profit, a stop-loss or both for a position. The interface document names it only as a
    batch action and shows no field.

    Interface: section 4.5.

    Its fields are (observed).
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    side: Side = field(converter=_to_side)
    """Side of the closing order. One of `bid`, `ask`."""

    take_profit: PositionTpslConfig | None = field(
        default=None, converter=_to_optional_position_tpsl_config
    )
    """Take-profit of the position; at least one of the two is given. A `PositionTpslConfig`, or a
    mapping of its fields.
    """

    stop_loss: PositionTpslConfig | None = field(
        default=None, converter=_to_optional_position_tpsl_config
    )
    """Stop-loss of the position; at least one of the two is given. A `PositionTpslConfig`, or a
    mapping of its fields.
    """

    def __attrs_post_init__(self) -> None:
        at_least_one(self, "take_profit", "stop_loss")


@frozen(kw_only=True)
class ActionResult(BaseModel):
    """What became of one action of a batch."""

    success: bool
    """Whether the action was executed."""

    order_id: int | None = None
    """Id of the order, where the action has one."""

    error: str | None = None
    """Why the action failed."""


@frozen(kw_only=True)
class OrderPlaced(BaseModel):
    """The id of a new order."""

    order_id: int
    """Id assigned to the order."""


@frozen(kw_only=True)
class Order(BaseModel):
    """An order of the order history.

    Interface: section 2.1.
    """

    order_id: int
    """Id assigned to the order."""

    client_order_id: UUID | None = None
    """Client order id, if the user gave one."""

    symbol: str
    """Trading pair symbol."""

    side: Side
    """Whether the order buys or sells."""

    initial_price: Decimal
    """Price of the order when it was placed. Unit: quote per token (observed)."""

    average_filled_price: Decimal
    """Volume-weighted average price of its fills. Unit: quote per token (observed)."""

    amount: Decimal
    """Order amount. Unit: token."""

    filled_amount: Decimal
    """Filled part of the amount. Unit: token."""

    order_status: OrderStatus
    """State of the order."""

    order_type: OrderType
    """Kind of the order."""

    stop_price: Decimal | None = None
    """Trigger price given at creation. Unit: quote per token (observed)."""

    stop_parent_order_id: int | None = None
    """Id of the stop order attached to the original order."""

    reduce_only: bool
    """Whether the order may only reduce a position."""

    reason: OrderReason | None = None
    """Why the order was cancelled or rejected."""

    created_at: int
    """When the order was created. Unit: ms."""

    updated_at: int
    """When the order last changed. Unit: ms."""

    price: Decimal | None = None
    """Price set by the order. May be absent (assumed): the sample record of the interface document
    lacks it. Unit: quote per token (observed).
    """


@frozen(kw_only=True)
class Trade(BaseModel):
    """A trade of the trade history.

    Interface: section 2.2.
    """

    history_id: int
    """Id of the trade."""

    order_id: int
    """Order that resulted in the trade."""

    client_order_id: UUID | None = None
    """Client order id of that order. Null for an order without one (assumed)."""

    symbol: str
    """Trading pair symbol."""

    amount: Decimal
    """Traded amount. Unit: token (observed)."""

    price: Decimal
    """Price of the fill (observed). The interface document describes it as the current price of the
    symbol. Unit: quote per token (observed).
    """

    entry_price: Decimal
    """Average entry price of the position (observed). The interface document describes it as the
    price at which the trade was executed. Unit: quote per token (observed).
    """

    fee: Decimal
    """Fee paid, in samples `price` x `amount` x rate (observed). Unit: USDC (assumed)."""

    pnl: Decimal
    """Profit or loss generated. It may be net of the fee (assumed): one opening trade shows the fee
    as a loss. Unit: USDC (assumed).
    """

    event_type: TradeEventType
    """Whether the order took or made liquidity, as the service says."""

    side: TradeSide
    """What the trade did to the position."""

    created_at: int
    """When the trade happened. Unit: ms."""

    cause: TradeCause
    """What led to the trade."""


@frozen(kw_only=True, field_transformer=located)
class WithdrawSpotAsset(BaseModel):
    """A spot asset to withdraw."""

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Spot asset symbol."""

    amount: Decimal = field(converter=to_decimal)
    """Amount to withdraw. Unit: token (assumed)."""

    idempotency_key: UUID | None = field(factory=to_minted_uuid, converter=to_minted_uuid)
    """Prevents a second withdrawal with the same key. A new random one unless given; None sends
    none.
    """


@frozen(kw_only=True)
class WithdrawalReceipt(BaseModel):
    """An accepted withdrawal."""

    symbol: str
    """Spot asset symbol."""

    batch_nonce: int
    """Nonce of the withdrawal batch."""

    requested_amount: Decimal
    """Amount asked for. Unit: token (assumed)."""

    fee_amount: Decimal
    """Fee, deducted from the withdrawal. Unit: token (assumed)."""


@frozen(kw_only=True)
class SpotBalanceEvent(BaseModel):
    """A change of a spot balance.

    Interface: section 2.3.
    """

    amount: Decimal
    """Change of the balance. Unit: token (assumed)."""

    balance: Decimal
    """Balance after the event. Unit: token (assumed)."""

    symbol: str
    """Spot asset symbol."""

    event_type: str
    """Kind of the event. Its values are not documented; that of a withdrawal may be `withdraw`
    (assumed).
    """

    created_at: int
    """When the balance changed. Unit: ms."""


@frozen(kw_only=True)
class SpotWithdrawal(BaseModel):
    """A spot withdrawal of the withdrawal history.

    Interface: section 2.4.
    """

    symbol: str
    """Spot asset symbol."""

    amount: Decimal
    """Amount withdrawn. Unit: token (assumed)."""

    batch_nonce: int
    """Nonce of the withdrawal batch."""

    transaction_id: str
    """On-chain transaction identifier."""

    created_at: int
    """When the withdrawal was made. Unit: ms."""


@frozen(kw_only=True, field_transformer=located)
class UpdateSpotSettings(BaseModel):
    """The unified-margin setting of a spot asset."""

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Spot asset symbol."""

    unified_margin_excluded: bool = field(converter=to_boolean)
    """Whether the asset is excluded from unified-margin collateral."""


@frozen(kw_only=True, field_transformer=located)
class SetAutoLendDisabled(BaseModel):
    """The auto-lending setting."""

    disabled: bool | Unset | None = field(default=UNSET, converter=to_nullable_boolean)
    """True disables auto-lending, false enables it, null goes back to the default."""


@frozen(kw_only=True)
class MarginSetting(BaseModel):
    """Margin mode and leverage of one market."""

    symbol: str
    """Trading pair symbol."""

    isolated: bool
    """Whether the market is margined on its own."""

    leverage: int
    """Current leverage. Unit: times (assumed)."""

    created_at: int
    """When the settings first left the default. Unit: ms."""

    updated_at: int
    """When the settings last changed. Unit: ms."""


@frozen(kw_only=True)
class SpotSetting(BaseModel):
    """Setting of one spot asset."""

    symbol: str
    """Spot asset symbol."""

    unified_margin_excluded: bool
    """Whether the asset is excluded from unified-margin collateral."""


@frozen(kw_only=True, field_transformer=located)
class TransferFunds(BaseModel):
    """USDC to transfer from the account that signs."""

    to_account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the recipient."""

    amount: Decimal = field(converter=to_decimal)
    """Amount to transfer. Unit: USDC."""


@frozen(kw_only=True)
class Subaccount(BaseModel):
    """A subaccount.

    Interface: section 2.6.
    """

    address: str
    """Address of the subaccount."""

    balance: Decimal
    """Balance. Unit: USD."""

    pending_balance: Decimal
    """Part of the balance whose deposit awaits confirmation. Unit: USD."""

    fee_level: int
    """Fee tier, which follows from the traded volume."""

    fee_mode: str
    """How the fee tier is set; `auto` by default."""

    use_ltp_for_stop_orders: bool
    """Whether the last traded price triggers stop orders."""

    created_at: int
    """When the subaccount was created. Unit: ms."""


@frozen(kw_only=True, field_transformer=located)
class AddLakeMaxLeverage(BaseModel):
    """A leverage cap for some symbols of a vault."""

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    symbols: Sequence[str] = field(converter=to_texts)
    """Symbols that receive the cap."""

    max_leverage: Decimal = field(converter=to_decimal)
    """Cap applied to every listed symbol. Unit: times (assumed)."""


@frozen(kw_only=True, field_transformer=located)
class RemoveLakeMaxLeverage(BaseModel):
    """Symbols of a vault whose leverage cap is removed."""

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    symbols: Sequence[str] = field(converter=to_texts)
    """Symbols whose cap is removed."""


@frozen(kw_only=True, field_transformer=located)
class RemoveLakeBlacklist(BaseModel):
    """Symbols to remove from the blacklist of a vault."""

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    symbols: Sequence[str] = field(converter=to_texts)
    """Symbols removed from the blacklist."""


@frozen(kw_only=True, field_transformer=located)
class ClaimLakeManager(BaseModel):
    """A claim to manage a vault."""

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    deposit_amount: Decimal = field(converter=to_decimal)
    """Initial deposit of the manager. Unit: USDC (assumed)."""


@frozen(kw_only=True)
class SharesMinted(BaseModel):
    """The shares of a new vault manager."""

    shares_minted: Decimal
    """Manager shares minted for the initial deposit. Unit: shares (assumed)."""


@frozen(kw_only=True)
class FundingRecord(BaseModel):
    """A settled funding rate of a market.

    Interface: section 2.5.
    """

    oracle_price: Decimal
    """Oracle price that the rate was calculated with. Unit: quote per token (observed)."""

    bid_impact_price: Decimal
    """Bid impact price at that time. Unit: quote per token (observed)."""

    ask_impact_price: Decimal
    """Ask impact price at that time. Unit: quote per token (observed)."""

    funding_rate: Decimal
    """Last settled funding rate. Unit: fraction per hour (observed)."""

    next_funding_rate: Decimal
    """Rate predicted for the next settlement. Unit: fraction per hour (observed)."""

    created_at: int
    """When the record was made. Unit: ms."""


@frozen(kw_only=True)
class ApiKey(BaseModel):
    """An API config key.

    Interface: section 2.9.
    """

    api_key: str = field(repr=False)
    """The key, an 8-character prefix and a Base58 UUID joined by an underscore."""


@frozen(kw_only=True)
class RevokedApiKey(BaseModel):
    """An API config key that was revoked.

    Interface: section 4.18.
    """

    api_key: str | None = field(default=None, repr=False)
    """The key. May be absent (observed)."""


@frozen(kw_only=True, field_transformer=located)
class RevokeApiKey(BaseModel):
    """An API config key to revoke."""

    api_key: str = field(converter=to_text, validator=min_len(1), repr=False)
    """The key to revoke. (observed)"""


@frozen(kw_only=True, field_transformer=located)
class OrderHistoryQuery(BaseModel):
    """The query of `orders.history`.

    Interface: section 4.7.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given."""

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Records per page. Default: 100. At least 1."""

    cursor: str | Unset = field(
        default=UNSET, converter=to_cursor_text, validator=if_given(min_len(1))
    )
    """Cursor of the page to start from, as `next_cursor` returned it. None, the `next_cursor` of a
    last page, is refused: leave it out to start at the beginning.
    """


@frozen(kw_only=True, field_transformer=located)
class TradeHistoryQuery(BaseModel):
    """The query of `trades.history`.

    Interface: section 4.9.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given."""

    symbol: str | None = field(
        default=None, converter=to_optional_text, validator=optional(min_len(1))
    )
    """Only trades of this trading pair."""

    start_time: int | None = field(
        default=None, converter=to_optional_time, validator=optional(ge(0))
    )
    """Only trades since this time, which is included (assumed). An integer, or an aware datetime.
    Unit: ms.
    """

    end_time: int | None = field(
        default=None, converter=to_optional_time, validator=optional(ge(0))
    )
    """Only trades until this time, which is included (assumed). An integer, or an aware datetime.
    Unit: ms. Not before `start_time`.
    """

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Records per page. Default: 100. At least 1."""

    cursor: str | Unset = field(
        default=UNSET, converter=to_cursor_text, validator=if_given(min_len(1))
    )
    """Cursor of the page to start from, passed back as `next_cursor` returned it. That is a string
    (assumed), though the interface document declares an integer here. None, the `next_cursor` of
    a last page, is refused: leave it out to start at the beginning.
    """

    def __attrs_post_init__(self) -> None:
        not_before(self, "end_time", "start_time")


@frozen(kw_only=True, field_transformer=located)
class SpotBalanceHistoryQuery(BaseModel):
    """The query of `spot.balance_history`.

    Interface: section 4.10.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given."""

    symbol: str | None = field(
        default=None, converter=to_optional_text, validator=optional(min_len(1))
    )
    """Only events of this spot asset."""

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Records per page; the service chooses when it is omitted. At least 1."""

    cursor: str | Unset = field(
        default=UNSET, converter=to_cursor_text, validator=if_given(min_len(1))
    )
    """Cursor of the page to start from, as `next_cursor` returned it. None, the `next_cursor` of a
    last page, is refused: leave it out to start at the beginning.
    """


@frozen(kw_only=True, field_transformer=located)
class SpotWithdrawalHistoryQuery(BaseModel):
    """The query of `spot.withdrawal_history`.

    Interface: section 4.11.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given."""

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Records per page; the service chooses when it is omitted. At least 1."""

    cursor: str | Unset = field(
        default=UNSET, converter=to_cursor_text, validator=if_given(min_len(1))
    )
    """Cursor of the page to start from, as `next_cursor` returned it. None, the `next_cursor` of a
    last page, is refused: leave it out to start at the beginning.
    """


@frozen(kw_only=True, field_transformer=located)
class AccountSettingsQuery(BaseModel):
    """The query of `account.settings`.

    Interface: section 4.16.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given."""


@frozen(kw_only=True, field_transformer=located)
class FundingHistoryQuery(BaseModel):
    """The query of `funding.history`.

    Interface: section 4.15.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional([ge(1), le(4000)])
    )
    """Records per page. Default: 100. At least 1. At most 4000."""

    cursor: str | Unset = field(
        default=UNSET, converter=to_cursor_text, validator=if_given(min_len(1))
    )
    """Cursor of the page to start from, as `next_cursor` returned it. None, the `next_cursor` of a
    last page, is refused: leave it out to start at the beginning.
    """


@frozen(kw_only=True)
class AccountSettings(BaseModel):
    """The settings of an account that differ from the defaults.

    Interface: section 2.7.
    """

    auto_lend_disabled: bool | None = None
    """Whether auto-lending is disabled; null is the default, enabled."""

    margin_settings: tuple[MarginSetting, ...] = ()
    """Markets whose margin mode or leverage differs from the default, which is cross margin at the
    maximum leverage. May be absent (observed).
    """

    spot_settings: tuple[SpotSetting, ...] = ()
    """Settings per spot asset. May be absent (observed)."""
