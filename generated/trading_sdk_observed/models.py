# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""The enums of the service, and the models of its requests and responses."""

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
    to_integer,
    to_member,
    to_minted_uuid,
    to_model,
    to_nullable_boolean,
    to_optional_boolean,
    to_optional_decimal,
    to_optional_integer,
    to_optional_text,
    to_optional_time,
    to_optional_uuid,
    to_text,
    to_texts,
    to_time,
    warn_of_fraction,
)

if TYPE_CHECKING:
    from trading_sdk_observed.mappings import (
        PositionTpslConfigDict,
        StopOrderConfigDict,
        TpslConfigDict,
    )
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
    """A take-profit or stop-loss that comes with a limit order.

    Args:
        stop_price: Trigger price. Unit: quote per token (observed).
        limit_price: Limit price of the triggered order; a market order when omitted (assumed).
            Unit: quote per token (observed).
        client_order_id: Client order id of the stop order.
        trigger_price_type: Which price triggers. One of `mark_price`, `last_trade_price`,
            `mid_price`. Default: mark_price.
    """

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
    """Trigger, limit and size of a stop order.

    Args:
        stop_price: Trigger price. Unit: quote per token (observed).
        limit_price: Limit price of the triggered order; a market order when omitted (assumed).
            Unit: quote per token (observed).
        client_order_id: Client order id of the stop order. A new random one unless given; None
            sends none.
        trigger_price_type: Which price triggers. One of `mark_price`, `last_trade_price`,
            `mid_price`. Default: mark_price.
        amount: Order amount; the full position size when omitted, so without a position it is
            refused (assumed). Unit: token.
    """

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

    Its arguments are not in the interface document; seen on the live service.

    Args:
        stop_price: Trigger price. Unit: quote per token.
        limit_price: Limit price of the triggered order; a market order when omitted. Unit: quote
            per token.
        amount: Amount to close; the whole position when omitted. Unit: token.
        client_order_id: Client order id of the stop order.
        trigger_price_type: Which price triggers. One of `mark_price`, `last_trade_price`,
            `mid_price`. Default: mark_price.
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
    """A limit order to place.

    Args:
        symbol: Trading pair symbol.
        price: Order price, a multiple of the market's tick size (observed). Unit: quote per token
            (observed).
        amount: Order amount, a multiple of the market's lot size (observed). Unit: token.
        side: Whether to buy (`bid`) or to sell (`ask`).
        tif: Time in force. One of `GTC`, `IOC`, `ALO`, `TOB`.
        reduce_only: Whether the order may only reduce a position.
        client_order_id: Client order id. A new random one unless given; None sends none.
        take_profit: Take-profit to attach. A TpslConfig, or a mapping with `stop_price`, perhaps
            `limit_price`, `client_order_id`, `trigger_price_type`.
        stop_loss: Stop-loss to attach. A TpslConfig, or a mapping with `stop_price`, perhaps
            `limit_price`, `client_order_id`, `trigger_price_type`.
        builder_code: Builder program code. Pattern: `^[A-Za-z0-9]{3,16}$`.
    """

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
    """Take-profit to attach. A TpslConfig, or a mapping with `stop_price`, perhaps `limit_price`,
    `client_order_id`, `trigger_price_type`.
    """

    stop_loss: TpslConfig | None = field(default=None, converter=_to_optional_tpsl_config)
    """Stop-loss to attach. A TpslConfig, or a mapping with `stop_price`, perhaps `limit_price`,
    `client_order_id`, `trigger_price_type`.
    """

    builder_code: str | None = field(
        default=None,
        converter=to_optional_text,
        validator=optional(matches_re("^[A-Za-z0-9]{3,16}$")),
    )
    """Builder program code. Pattern: `^[A-Za-z0-9]{3,16}$`."""


@frozen(kw_only=True, field_transformer=located)
class CreateStopOrder(BaseModel):
    """A stop order to place.

    Args:
        symbol: Trading pair symbol.
        side: Whether to buy (`bid`) or to sell (`ask`).
        reduce_only: Whether the order may only reduce a position.
        stop_order: Trigger, limit and size of the order. A StopOrderConfig, or a mapping with
            `stop_price`, perhaps `limit_price`, `client_order_id`, `trigger_price_type`, `amount`.
        builder_code: Builder program code. Pattern: `^[A-Za-z0-9]{3,16}$`.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    side: Side = field(converter=_to_side)
    """Whether to buy (`bid`) or to sell (`ask`)."""

    reduce_only: bool = field(converter=to_boolean)
    """Whether the order may only reduce a position."""

    stop_order: StopOrderConfig = field(converter=_to_stop_order_config)
    """Trigger, limit and size of the order. A StopOrderConfig, or a mapping with `stop_price`,
    perhaps `limit_price`, `client_order_id`, `trigger_price_type`, `amount`.
    """

    builder_code: str | None = field(
        default=None,
        converter=to_optional_text,
        validator=optional(matches_re("^[A-Za-z0-9]{3,16}$")),
    )
    """Builder program code. Pattern: `^[A-Za-z0-9]{3,16}$`."""


@frozen(kw_only=True, field_transformer=located)
class EditOrder(BaseModel):
    """A new price and amount for an order, named by exactly one of its two ids.

    Args:
        symbol: Trading pair symbol.
        price: New price, a multiple of the market's tick size (observed). Unit: quote per token
            (observed).
        amount: New amount, a multiple of the market's lot size (observed). Unit: token.
        order_id: System id of the order; required if there is no client_order_id. At least 1.
        client_order_id: Client order id; required if there is no order_id.
    """

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
    """A stop order to cancel, named by one of its two ids or by both.

    Args:
        symbol: Trading pair symbol.
        order_id: System id of the order; required if there is no client_order_id. At least 1.
        client_order_id: Client order id; required if there is no order_id.
    """

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

    Args:
        symbol: Trading pair symbol. Required (observed).
        amount: Order amount, a multiple of the market's lot size (observed). Unit: token.
        side: Whether to buy (`bid`) or to sell (`ask`). Required (observed).
        slippage_percent: How far from the current price the order may fill (assumed); "0.5" is 0.5
            % (observed). Unit: percent.
        reduce_only: Whether the order may only reduce a position. Required (observed).
        client_order_id: Client order id. A new random one unless given; None sends none. Not in the
            interface document; seen on the live service.
        take_profit: Take-profit to attach. A TpslConfig, or a mapping with `stop_price`, perhaps
            `limit_price`, `client_order_id`, `trigger_price_type`. Not in the interface document;
            seen on the live service.
        stop_loss: Stop-loss to attach. A TpslConfig, or a mapping with `stop_price`, perhaps
            `limit_price`, `client_order_id`, `trigger_price_type`. Not in the interface document;
            seen on the live service.
        builder_code: Builder program code. Pattern: `^[A-Za-z0-9]{3,16}$`. Not in the interface
            document; seen on the live service.
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
    """Client order id. A new random one unless given; None sends none. Not in the interface
    document; seen on the live service.
    """

    take_profit: TpslConfig | None = field(default=None, converter=_to_optional_tpsl_config)
    """Take-profit to attach. A TpslConfig, or a mapping with `stop_price`, perhaps `limit_price`,
    `client_order_id`, `trigger_price_type`. Not in the interface document; seen on the live
    service.
    """

    stop_loss: TpslConfig | None = field(default=None, converter=_to_optional_tpsl_config)
    """Stop-loss to attach. A TpslConfig, or a mapping with `stop_price`, perhaps `limit_price`,
    `client_order_id`, `trigger_price_type`. Not in the interface document; seen on the live
    service.
    """

    builder_code: str | None = field(
        default=None,
        converter=to_optional_text,
        validator=optional(matches_re("^[A-Za-z0-9]{3,16}$")),
    )
    """Builder program code. Pattern: `^[A-Za-z0-9]{3,16}$`. Not in the interface document; seen on
    the live service.
    """


@frozen(kw_only=True, field_transformer=located)
class CancelOrder(BaseModel):
    """An order to cancel, named by exactly one of its two ids (observed). The interface document
    shows it only as a batch action, with symbol and order_id.

    Interface: section 4.5.

    Args:
        symbol: Trading pair symbol. Required (observed).
        order_id: System id of the order; required if there is no client_order_id. At least 1.
        client_order_id: Client order id; required if there is no order_id. Not in the interface
            document; seen on the live service.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol. Required (observed)."""

    order_id: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """System id of the order; required if there is no client_order_id. At least 1."""

    client_order_id: UUID | None = field(default=None, converter=to_optional_uuid)
    """Client order id; required if there is no order_id. Not in the interface document; seen on the
    live service.
    """

    def __attrs_post_init__(self) -> None:
        exactly_one(self, "order_id", "client_order_id")


@frozen(kw_only=True, field_transformer=located)
class SetPositionTpsl(BaseModel):
    """A take-profit, a stop-loss or both for a position. The interface document names it only as a
    batch action and shows no field.

    Interface: section 4.5.

    Its arguments are not in the interface document; seen on the live service.

    Args:
        symbol: Trading pair symbol.
        side: Side of the closing order. One of `bid`, `ask`.
        take_profit: Take-profit of the position; at least one of the two is given. A
            PositionTpslConfig, or a mapping with `stop_price`, perhaps `limit_price`, `amount`,
            `client_order_id`, `trigger_price_type`.
        stop_loss: Stop-loss of the position; at least one of the two is given. A
            PositionTpslConfig, or a mapping with `stop_price`, perhaps `limit_price`, `amount`,
            `client_order_id`, `trigger_price_type`.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    side: Side = field(converter=_to_side)
    """Side of the closing order. One of `bid`, `ask`."""

    take_profit: PositionTpslConfig | None = field(
        default=None, converter=_to_optional_position_tpsl_config
    )
    """Take-profit of the position; at least one of the two is given. A PositionTpslConfig, or a
    mapping with `stop_price`, perhaps `limit_price`, `amount`, `client_order_id`,
    `trigger_price_type`.
    """

    stop_loss: PositionTpslConfig | None = field(
        default=None, converter=_to_optional_position_tpsl_config
    )
    """Stop-loss of the position; at least one of the two is given. A PositionTpslConfig, or a
    mapping with `stop_price`, perhaps `limit_price`, `amount`, `client_order_id`,
    `trigger_price_type`.
    """

    def __attrs_post_init__(self) -> None:
        at_least_one(self, "take_profit", "stop_loss")


@frozen(kw_only=True)
class ActionResult(BaseModel):
    """What became of one action of a batch.

    Attributes:
        success: Whether the action was executed.
        order_id: Id of the order, where the action has one.
        error: Why the action failed.
    """

    success: bool
    """Whether the action was executed."""

    order_id: int | None = None
    """Id of the order, where the action has one."""

    error: str | None = None
    """Why the action failed."""


@frozen(kw_only=True)
class OrderPlaced(BaseModel):
    """The id of a new order.

    Attributes:
        order_id: Id assigned to the order.
    """

    order_id: int
    """Id assigned to the order."""


@frozen(kw_only=True)
class Order(BaseModel):
    """An order of the order history.

    Interface: section 2.1.

    Attributes:
        order_id: Id assigned to the order.
        client_order_id: Client order id, if the user gave one.
        symbol: Trading pair symbol.
        side: Whether the order buys or sells.
        price: Price set by the order. May be absent (assumed): the sample record of the interface
            document lacks it. Unit: quote per token (observed).
        initial_price: Price of the order when it was placed. Unit: quote per token (observed).
        average_filled_price: Volume-weighted average price of its fills. Unit: quote per token
            (observed).
        amount: Order amount. Unit: token.
        filled_amount: Filled part of the amount. Unit: token.
        order_status: State of the order.
        order_type: Kind of the order.
        stop_price: Trigger price given at creation. Unit: quote per token (observed).
        stop_parent_order_id: Id of the stop order attached to the original order.
        reduce_only: Whether the order may only reduce a position.
        reason: Why the order was cancelled or rejected.
        created_at: When the order was created. Unit: ms.
        updated_at: When the order last changed. Unit: ms.
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

    Attributes:
        history_id: Id of the trade.
        order_id: Order that resulted in the trade.
        client_order_id: Client order id of that order. Null for an order without one (assumed).
        symbol: Trading pair symbol.
        amount: Traded amount. Unit: token (observed).
        price: Price of the fill (observed). The interface document describes it as the current
            price of the symbol. Unit: quote per token (observed).
        entry_price: Average entry price of the position (observed). The interface document
            describes it as the price at which the trade was executed. Unit: quote per token
            (observed).
        fee: Fee paid, in samples `price` x `amount` x rate (observed). Unit: USDC (assumed).
        pnl: Profit or loss generated. It may be net of the fee (assumed): one opening trade shows
            the fee as a loss. Unit: USDC (assumed).
        event_type: Whether the order took or made liquidity, as the service says.
        side: What the trade did to the position.
        created_at: When the trade happened. Unit: ms.
        cause: What led to the trade.
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
    """A spot asset to withdraw.

    Args:
        symbol: Spot asset symbol.
        amount: Amount to withdraw. Unit: token (assumed).
        idempotency_key: Prevents a second withdrawal with the same key. A new random one unless
            given; None sends none.
    """

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
    """An accepted withdrawal.

    Attributes:
        symbol: Spot asset symbol.
        batch_nonce: Nonce of the withdrawal batch.
        requested_amount: Amount asked for. Unit: token (assumed).
        fee_amount: Fee, deducted from the withdrawal. Unit: token (assumed).
    """

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

    Attributes:
        amount: Change of the balance. Unit: token (assumed).
        balance: Balance after the event. Unit: token (assumed).
        symbol: Spot asset symbol.
        event_type: Kind of the event. Its values are not documented; that of a withdrawal may be
            `withdraw` (assumed).
        created_at: When the balance changed. Unit: ms.
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

    Attributes:
        symbol: Spot asset symbol.
        amount: Amount withdrawn. Unit: token (assumed).
        batch_nonce: Nonce of the withdrawal batch.
        transaction_id: On-chain transaction identifier.
        created_at: When the withdrawal was made. Unit: ms.
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
    """The unified-margin setting of a spot asset.

    Args:
        symbol: Spot asset symbol.
        unified_margin_excluded: Whether the asset is excluded from unified-margin collateral.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Spot asset symbol."""

    unified_margin_excluded: bool = field(converter=to_boolean)
    """Whether the asset is excluded from unified-margin collateral."""


@frozen(kw_only=True, field_transformer=located)
class SetAutoLendDisabled(BaseModel):
    """The auto-lending setting.

    Args:
        disabled: True disables auto-lending, false enables it, null goes back to the default.
    """

    disabled: bool | Unset | None = field(default=UNSET, converter=to_nullable_boolean)
    """True disables auto-lending, false enables it, null goes back to the default."""


@frozen(kw_only=True)
class MarginSetting(BaseModel):
    """Margin mode and leverage of one market.

    Attributes:
        symbol: Trading pair symbol.
        isolated: Whether the market is margined on its own.
        leverage: Current leverage. Unit: times (assumed).
        created_at: When the settings first left the default. Unit: ms.
        updated_at: When the settings last changed. Unit: ms.
    """

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
    """Setting of one spot asset.

    Attributes:
        symbol: Spot asset symbol.
        unified_margin_excluded: Whether the asset is excluded from unified-margin collateral.
    """

    symbol: str
    """Spot asset symbol."""

    unified_margin_excluded: bool
    """Whether the asset is excluded from unified-margin collateral."""


@frozen(kw_only=True, field_transformer=located)
class TransferFunds(BaseModel):
    """USDC to transfer from the account that signs.

    Args:
        to_account: Wallet address of the recipient.
        amount: Amount to transfer. Unit: USDC.
    """

    to_account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the recipient."""

    amount: Decimal = field(converter=to_decimal)
    """Amount to transfer. Unit: USDC."""


@frozen(kw_only=True)
class Subaccount(BaseModel):
    """A subaccount.

    Interface: section 2.6.

    Attributes:
        address: Address of the subaccount.
        balance: Balance. Unit: USD.
        pending_balance: Part of the balance whose deposit awaits confirmation. Unit: USD.
        fee_level: Fee tier, which follows from the traded volume.
        fee_mode: How the fee tier is set; `auto` by default.
        use_ltp_for_stop_orders: Whether the last traded price triggers stop orders.
        created_at: When the subaccount was created. Unit: ms.
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
    """A leverage cap for some symbols of a vault.

    Args:
        lake: Address of the vault.
        symbols: Symbols that receive the cap.
        max_leverage: Cap applied to every listed symbol. Unit: times (assumed).
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    symbols: Sequence[str] = field(converter=to_texts)
    """Symbols that receive the cap."""

    max_leverage: Decimal = field(converter=to_decimal)
    """Cap applied to every listed symbol. Unit: times (assumed)."""


@frozen(kw_only=True, field_transformer=located)
class RemoveLakeMaxLeverage(BaseModel):
    """Symbols of a vault whose leverage cap is removed.

    Args:
        lake: Address of the vault.
        symbols: Symbols whose cap is removed.
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    symbols: Sequence[str] = field(converter=to_texts)
    """Symbols whose cap is removed."""


@frozen(kw_only=True, field_transformer=located)
class RemoveLakeBlacklist(BaseModel):
    """Symbols to remove from the blacklist of a vault.

    Args:
        lake: Address of the vault.
        symbols: Symbols removed from the blacklist.
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    symbols: Sequence[str] = field(converter=to_texts)
    """Symbols removed from the blacklist."""


@frozen(kw_only=True, field_transformer=located)
class ClaimLakeManager(BaseModel):
    """A claim to manage a vault.

    Args:
        lake: Address of the vault.
        deposit_amount: Initial deposit of the manager. Unit: USDC (assumed).
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    deposit_amount: Decimal = field(converter=to_decimal)
    """Initial deposit of the manager. Unit: USDC (assumed)."""


@frozen(kw_only=True)
class SharesMinted(BaseModel):
    """The shares of a new vault manager.

    Attributes:
        shares_minted: Manager shares minted for the initial deposit. Unit: shares (assumed).
    """

    shares_minted: Decimal
    """Manager shares minted for the initial deposit. Unit: shares (assumed)."""


@frozen(kw_only=True)
class FundingRecord(BaseModel):
    """A settled funding rate of a market.

    Interface: section 2.5.

    Attributes:
        oracle_price: Oracle price that the rate was calculated with. Unit: quote per token
            (observed).
        bid_impact_price: Bid impact price at that time. Unit: quote per token (observed).
        ask_impact_price: Ask impact price at that time. Unit: quote per token (observed).
        funding_rate: Last settled funding rate. Unit: fraction per hour (observed).
        next_funding_rate: Rate predicted for the next settlement. Unit: fraction per hour
            (observed).
        created_at: When the record was made. Unit: ms.
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

    Attributes:
        api_key: The key, an 8-character prefix and a Base58 UUID joined by an underscore.
    """

    api_key: str = field(repr=False)
    """The key, an 8-character prefix and a Base58 UUID joined by an underscore."""


@frozen(kw_only=True)
class RevokedApiKey(BaseModel):
    """An API config key that was revoked.

    Interface: section 4.18.

    Attributes:
        api_key: The key. May be absent (observed).
    """

    api_key: str | None = field(default=None, repr=False)
    """The key. May be absent (observed)."""


@frozen(kw_only=True, field_transformer=located)
class RevokeApiKey(BaseModel):
    """An API config key to revoke.

    Args:
        api_key: The key to revoke. Not in the interface document; seen on the live service.
    """

    api_key: str = field(converter=to_text, validator=min_len(1), repr=False)
    """The key to revoke. Not in the interface document; seen on the live service."""


@frozen(kw_only=True, field_transformer=located)
class CancelAllOrders(BaseModel):
    """Which orders to cancel.

    Its arguments are not in the interface document; seen on the live service.

    Args:
        all_symbols: Whether to cancel in every market.
        exclude_reduce_only: Whether reduce-only orders stay.
        symbol: Trading pair symbol; required if `all_symbols` is false.
    """

    all_symbols: bool = field(converter=to_boolean)
    """Whether to cancel in every market."""

    exclude_reduce_only: bool = field(converter=to_boolean)
    """Whether reduce-only orders stay."""

    symbol: str | None = field(
        default=None, converter=to_optional_text, validator=optional(min_len(1))
    )
    """Trading pair symbol; required if `all_symbols` is false."""


@frozen(kw_only=True)
class OrdersCancelled(BaseModel):
    """How many orders were cancelled.

    Attributes:
        cancelled_count: Number of cancelled orders. Not in the interface document; seen on the live
            service.
    """

    cancelled_count: int
    """Number of cancelled orders. Not in the interface document; seen on the live service."""


@frozen(kw_only=True)
class OpenOrder(BaseModel):
    """An open order.

    Its fields are not in the interface document; seen on the live service.

    Attributes:
        order_id: Id of the order.
        client_order_id: Client order id, if the user gave one.
        symbol: Trading pair symbol.
        side: Whether the order buys or sells.
        price: Price of the order. Unit: quote per token.
        initial_amount: Amount of the order when it was placed. Unit: token.
        filled_amount: Filled part of the amount. Unit: token.
        cancelled_amount: Cancelled part of the amount. Unit: token.
        stop_price: Trigger price of a stop order. Unit: quote per token.
        order_type: Kind of the order.
        stop_parent_order_id: Id of the stop order attached to the original order.
        reduce_only: Whether the order may only reduce a position.
        created_at: When the order was created. Unit: ms.
        updated_at: When the order last changed. Unit: ms.
    """

    order_id: int
    """Id of the order."""

    client_order_id: UUID | None = None
    """Client order id, if the user gave one."""

    symbol: str
    """Trading pair symbol."""

    side: Side
    """Whether the order buys or sells."""

    price: Decimal
    """Price of the order. Unit: quote per token."""

    initial_amount: Decimal
    """Amount of the order when it was placed. Unit: token."""

    filled_amount: Decimal
    """Filled part of the amount. Unit: token."""

    cancelled_amount: Decimal
    """Cancelled part of the amount. Unit: token."""

    stop_price: Decimal | None = None
    """Trigger price of a stop order. Unit: quote per token."""

    order_type: OrderType
    """Kind of the order."""

    stop_parent_order_id: int | None = None
    """Id of the stop order attached to the original order."""

    reduce_only: bool
    """Whether the order may only reduce a position."""

    created_at: int
    """When the order was created. Unit: ms."""

    updated_at: int
    """When the order last changed. Unit: ms."""


@frozen(kw_only=True)
class OrderEvent(BaseModel):
    """An event in the life of an order.

    Its fields are not in the interface document; seen on the live service.

    Attributes:
        history_id: Id of the event.
        event_type: Kind of the event; its values are not known.
        order_status: State of the order after the event.
        order_id: Id of the order.
        client_order_id: Client order id, if the user gave one.
        symbol: Trading pair symbol.
        side: Whether the order buys or sells.
        price: Price of the order. Unit: quote per token.
        initial_amount: Amount of the order when it was placed. Unit: token.
        filled_amount: Filled part of the amount. Unit: token.
        cancelled_amount: Cancelled part of the amount. Unit: token.
        stop_price: Trigger price of a stop order. Unit: quote per token.
        order_type: Kind of the order.
        stop_parent_order_id: Id of the stop order attached to the original order.
        reduce_only: Whether the order may only reduce a position.
        created_at: When the order was created. Unit: ms.
    """

    history_id: int
    """Id of the event."""

    event_type: str
    """Kind of the event; its values are not known."""

    order_status: OrderStatus
    """State of the order after the event."""

    order_id: int
    """Id of the order."""

    client_order_id: UUID | None = None
    """Client order id, if the user gave one."""

    symbol: str
    """Trading pair symbol."""

    side: Side
    """Whether the order buys or sells."""

    price: Decimal
    """Price of the order. Unit: quote per token."""

    initial_amount: Decimal
    """Amount of the order when it was placed. Unit: token."""

    filled_amount: Decimal
    """Filled part of the amount. Unit: token."""

    cancelled_amount: Decimal
    """Cancelled part of the amount. Unit: token."""

    stop_price: Decimal | None = None
    """Trigger price of a stop order. Unit: quote per token."""

    order_type: OrderType
    """Kind of the order."""

    stop_parent_order_id: int | None = None
    """Id of the stop order attached to the original order."""

    reduce_only: bool
    """Whether the order may only reduce a position."""

    created_at: int
    """When the order was created. Unit: ms."""


@frozen(kw_only=True, field_transformer=located)
class CreateTwapOrder(BaseModel):
    """A TWAP order to place.

    Its arguments are not in the interface document; assumed.

    Args:
        symbol: Trading pair symbol.
        amount: Amount of the whole order. Unit: token.
        side: Whether to buy (`bid`) or to sell (`ask`).
        slippage_percent: How far from the current price each part may fill. Unit: percent.
        reduce_only: Whether the order may only reduce a position.
        duration_in_seconds: How long the order is carried out. Unit: s.
        client_order_id: Client order id. A new random one unless given; None sends none.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    amount: Decimal = field(converter=to_decimal)
    """Amount of the whole order. Unit: token."""

    side: Side = field(converter=_to_side)
    """Whether to buy (`bid`) or to sell (`ask`)."""

    slippage_percent: Decimal = field(converter=to_decimal, validator=warn_of_fraction)
    """How far from the current price each part may fill. Unit: percent."""

    reduce_only: bool = field(converter=to_boolean)
    """Whether the order may only reduce a position."""

    duration_in_seconds: int = field(converter=to_integer)
    """How long the order is carried out. Unit: s."""

    client_order_id: UUID | None = field(factory=to_minted_uuid, converter=to_minted_uuid)
    """Client order id. A new random one unless given; None sends none."""


@frozen(kw_only=True, field_transformer=located)
class CancelTwapOrder(BaseModel):
    """A TWAP order to cancel, named by exactly one of its two ids.

    Its arguments are not in the interface document; assumed.

    Args:
        symbol: Trading pair symbol.
        order_id: Id of the order; required if there is no client_order_id.
        client_order_id: Client order id; required if there is no order_id.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    order_id: int | None = field(default=None, converter=to_optional_integer)
    """Id of the order; required if there is no client_order_id."""

    client_order_id: UUID | None = field(default=None, converter=to_optional_uuid)
    """Client order id; required if there is no order_id."""

    def __attrs_post_init__(self) -> None:
        exactly_one(self, "order_id", "client_order_id")


@frozen(kw_only=True)
class TwapOrder(BaseModel):
    """A TWAP order. Clients name its amount in two ways.

    Attributes:
        order_id: Id of the order. Not in the interface document; seen on the live service.
        client_order_id: Client order id, if the user gave one. Not in the interface document; seen
            on the live service.
        symbol: Trading pair symbol. Not in the interface document; seen on the live service.
        side: Whether the order buys or sells. Not in the interface document; seen on the live
            service.
        amount: Amount of the whole order, as one client names it. Unit: token. Not in the interface
            document; assumed.
        total_amount: Amount of the whole order, as another client names it. Unit: token. Not in the
            interface document; assumed.
        filled_amount: Filled part of the amount. Unit: token. Not in the interface document; seen
            on the live service.
        reduce_only: Whether the order may only reduce a position. Not in the interface document;
            seen on the live service.
        created_at: When the order was created. Unit: ms. Not in the interface document; seen on the
            live service.
    """

    order_id: int
    """Id of the order. Not in the interface document; seen on the live service."""

    symbol: str
    """Trading pair symbol. Not in the interface document; seen on the live service."""

    side: Side
    """Whether the order buys or sells. Not in the interface document; seen on the live service."""

    filled_amount: Decimal
    """Filled part of the amount. Unit: token. Not in the interface document; seen on the live
    service.
    """

    reduce_only: bool
    """Whether the order may only reduce a position. Not in the interface document; seen on the live
    service.
    """

    created_at: int
    """When the order was created. Unit: ms. Not in the interface document; seen on the live
    service.
    """

    client_order_id: UUID | None = None
    """Client order id, if the user gave one. Not in the interface document; seen on the live
    service.
    """

    amount: Decimal | None = None
    """Amount of the whole order, as one client names it. Unit: token. Not in the interface
    document; assumed.
    """

    total_amount: Decimal | None = None
    """Amount of the whole order, as another client names it. Unit: token. Not in the interface
    document; assumed.
    """


@frozen(kw_only=True)
class Position(BaseModel):
    """An open position.

    Attributes:
        symbol: Trading pair symbol. Not in the interface document; seen on the live service.
        side: Side of the position; `bid` is long. Not in the interface document; seen on the live
            service.
        amount: Size of the position. Unit: token. Not in the interface document; seen on the live
            service.
        entry_price: Average entry price. Unit: quote per token. Not in the interface document; seen
            on the live service.
        margin: Margin of the position, if it is isolated. Unit: USDC. Not in the interface
            document; seen on the live service.
        funding: Funding paid since the position was opened. Unit: USDC. Not in the interface
            document; seen on the live service.
        isolated: Whether the position is margined on its own. Not in the interface document; seen
            on the live service.
        liquidation_price: Price at which the position is liquidated. Unit: quote per token. Not in
            the interface document; assumed.
        created_at: When the position was opened. Unit: ms. Not in the interface document; seen on
            the live service.
        updated_at: When the position last changed. Unit: ms. Not in the interface document; seen on
            the live service.
    """

    symbol: str
    """Trading pair symbol. Not in the interface document; seen on the live service."""

    side: Side
    """Side of the position; `bid` is long. Not in the interface document; seen on the live service.
    """

    amount: Decimal
    """Size of the position. Unit: token. Not in the interface document; seen on the live service.
    """

    entry_price: Decimal
    """Average entry price. Unit: quote per token. Not in the interface document; seen on the live
    service.
    """

    margin: Decimal
    """Margin of the position, if it is isolated. Unit: USDC. Not in the interface document; seen on
    the live service.
    """

    funding: Decimal
    """Funding paid since the position was opened. Unit: USDC. Not in the interface document; seen
    on the live service.
    """

    isolated: bool
    """Whether the position is margined on its own. Not in the interface document; seen on the live
    service.
    """

    created_at: int
    """When the position was opened. Unit: ms. Not in the interface document; seen on the live
    service.
    """

    updated_at: int
    """When the position last changed. Unit: ms. Not in the interface document; seen on the live
    service.
    """

    liquidation_price: Decimal | None = None
    """Price at which the position is liquidated. Unit: quote per token. Not in the interface
    document; assumed.
    """


@frozen(kw_only=True, field_transformer=located)
class AddIsolatedMargin(BaseModel):
    """Margin to add to an isolated position.

    Its arguments are not in the interface document; assumed.

    Args:
        symbol: Trading pair symbol.
        amount: Margin to add. Unit: USDC.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    amount: Decimal = field(converter=to_decimal)
    """Margin to add. Unit: USDC."""


@frozen(kw_only=True)
class SpotBalance(BaseModel):
    """Balance of a spot asset.

    Its fields are not in the interface document; assumed.

    Attributes:
        symbol: Spot asset symbol.
        amount: Amount of the asset. Unit: token.
        available_to_withdraw: What can be withdrawn. Unit: token.
        pending_balance: Deposits that await confirmation. Unit: token.
        daily_withdraw_amount_usd: What was withdrawn today. Unit: USD.
    """

    symbol: str
    """Spot asset symbol."""

    amount: Decimal
    """Amount of the asset. Unit: token."""

    available_to_withdraw: Decimal
    """What can be withdrawn. Unit: token."""

    pending_balance: Decimal
    """Deposits that await confirmation. Unit: token."""

    daily_withdraw_amount_usd: Decimal
    """What was withdrawn today. Unit: USD."""


@frozen(kw_only=True, field_transformer=located)
class UpdateLeverage(BaseModel):
    """The leverage of a market.

    Its arguments are not in the interface document; seen on the live service.

    Args:
        symbol: Trading pair symbol.
        leverage: New leverage. Unit: times.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    leverage: int = field(converter=to_integer)
    """New leverage. Unit: times."""


@frozen(kw_only=True, field_transformer=located)
class UpdateMarginMode(BaseModel):
    """The margin mode of a market.

    Its arguments are not in the interface document; seen on the live service.

    Args:
        symbol: Trading pair symbol.
        is_isolated: Whether the market is margined on its own.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    is_isolated: bool = field(converter=to_boolean)
    """Whether the market is margined on its own."""


@frozen(kw_only=True, field_transformer=located)
class Withdraw(BaseModel):
    """USDC to withdraw.

    Args:
        amount: Amount to withdraw. Unit: USDC. Not in the interface document; seen on the live
            service.
    """

    amount: Decimal = field(converter=to_decimal)
    """Amount to withdraw. Unit: USDC. Not in the interface document; seen on the live service."""


@frozen(kw_only=True)
class BalanceEvent(BaseModel):
    """A change of the USDC balance.

    Its fields are not in the interface document; seen on the live service.

    Attributes:
        amount: Change of the balance. Unit: USDC.
        balance: Balance after the event. Unit: USDC.
        pending_balance: Deposits that await confirmation, after the event. Unit: USDC.
        event_type: Kind of the event; its values are not known.
        created_at: When the balance changed. Unit: ms.
    """

    amount: Decimal
    """Change of the balance. Unit: USDC."""

    balance: Decimal
    """Balance after the event. Unit: USDC."""

    pending_balance: Decimal
    """Deposits that await confirmation, after the event. Unit: USDC."""

    event_type: str
    """Kind of the event; its values are not known."""

    created_at: int
    """When the balance changed. Unit: ms."""


@frozen(kw_only=True)
class PortfolioPoint(BaseModel):
    """The equity of an account at one time.

    Its fields are not in the interface document; seen on the live service.

    Attributes:
        account_equity: Equity of the account. Unit: USDC.
        pnl: Profit or loss. Unit: USDC.
        timestamp: When it was. Unit: ms.
    """

    account_equity: Decimal
    """Equity of the account. Unit: USDC."""

    pnl: Decimal
    """Profit or loss. Unit: USDC."""

    timestamp: int
    """When it was. Unit: ms."""


@frozen(kw_only=True)
class Collateral(BaseModel):
    """A spot asset as collateral.

    Its fields are not in the interface document; assumed.

    Attributes:
        symbol: Spot asset symbol.
        amount: Amount of the asset. Unit: token.
        ltv_ratio: Part of its value that can be borrowed. Unit: fraction.
        market_value: Market value. Unit: USDC.
        collateral_value: Value as collateral. Unit: USDC.
    """

    symbol: str
    """Spot asset symbol."""

    amount: Decimal
    """Amount of the asset. Unit: token."""

    ltv_ratio: Decimal
    """Part of its value that can be borrowed. Unit: fraction."""

    market_value: Decimal
    """Market value. Unit: USDC."""

    collateral_value: Decimal
    """Value as collateral. Unit: USDC."""


@frozen(kw_only=True)
class FundingPayment(BaseModel):
    """A funding payment of an account.

    Its fields are not in the interface document; seen on the live service.

    Attributes:
        history_id: Id of the payment.
        symbol: Trading pair symbol.
        side: Side of the position; `bid` is long.
        amount: Size of the position. Unit: token.
        payout: What the account received; negative if it paid. Unit: USDC.
        rate: Funding rate. Unit: fraction per hour.
        created_at: When it was paid. Unit: ms.
    """

    history_id: int
    """Id of the payment."""

    symbol: str
    """Trading pair symbol."""

    side: Side
    """Side of the position; `bid` is long."""

    amount: Decimal
    """Size of the position. Unit: token."""

    payout: Decimal
    """What the account received; negative if it paid. Unit: USDC."""

    rate: Decimal
    """Funding rate. Unit: fraction per hour."""

    created_at: int
    """When it was paid. Unit: ms."""


@frozen(kw_only=True)
class SpotDeposit(BaseModel):
    """A deposit of a spot asset.

    Its fields are not in the interface document; assumed.

    Attributes:
        symbol: Spot asset symbol.
        amount: Amount deposited. Unit: token.
        transaction_id: On-chain transaction identifier.
        created_at: When the deposit was made. Unit: ms.
    """

    symbol: str
    """Spot asset symbol."""

    amount: Decimal
    """Amount deposited. Unit: token."""

    transaction_id: str
    """On-chain transaction identifier."""

    created_at: int
    """When the deposit was made. Unit: ms."""


@frozen(kw_only=True)
class PendingWithdrawal(BaseModel):
    """A withdrawal that is not carried out yet.

    Its fields are not in the interface document; assumed.

    Attributes:
        symbol: Spot asset symbol.
        amount: Amount to withdraw, after the fee. Unit: token.
        amount_requested: Amount asked for. Unit: token.
        fee_amount: Fee, deducted from the withdrawal. Unit: token.
        batch_nonce: Nonce of the withdrawal batch.
        created_at: When the withdrawal was made. Unit: ms.
    """

    symbol: str
    """Spot asset symbol."""

    amount: Decimal
    """Amount to withdraw, after the fee. Unit: token."""

    amount_requested: Decimal
    """Amount asked for. Unit: token."""

    fee_amount: Decimal
    """Fee, deducted from the withdrawal. Unit: token."""

    batch_nonce: int
    """Nonce of the withdrawal batch."""

    created_at: int
    """When the withdrawal was made. Unit: ms."""


@frozen(kw_only=True)
class SpotAsset(BaseModel):
    """A spot asset.

    Its fields are not in the interface document; assumed.

    Attributes:
        symbol: Spot asset symbol.
        tick_size: Step of its price. Unit: quote per token.
        lot_size: Step of its amount. Unit: token.
        active: Whether it can be traded.
        collateral_enabled: Whether it can be collateral.
        ltv_ratio: Part of its value that can be borrowed. Unit: fraction.
        created_at: When it was listed. Unit: ms.
        updated_at: When it last changed. Unit: ms.
    """

    symbol: str
    """Spot asset symbol."""

    tick_size: Decimal
    """Step of its price. Unit: quote per token."""

    lot_size: Decimal
    """Step of its amount. Unit: token."""

    active: bool
    """Whether it can be traded."""

    collateral_enabled: bool
    """Whether it can be collateral."""

    ltv_ratio: Decimal
    """Part of its value that can be borrowed. Unit: fraction."""

    created_at: int
    """When it was listed. Unit: ms."""

    updated_at: int
    """When it last changed. Unit: ms."""


@frozen(kw_only=True)
class Bridge(BaseModel):
    """Where and how a spot asset is deposited and withdrawn.

    Its fields are not in the interface document; assumed.

    Attributes:
        symbol: Spot asset symbol.
        minimum_deposit: Smallest deposit. Unit: token.
        withdrawal_fee: Fee of a withdrawal. Unit: token.
        bridge_program: Address of the on-chain program.
        mint: Address of the on-chain token.
        decimals: Decimal places of the on-chain token.
    """

    symbol: str
    """Spot asset symbol."""

    minimum_deposit: Decimal
    """Smallest deposit. Unit: token."""

    withdrawal_fee: Decimal
    """Fee of a withdrawal. Unit: token."""

    bridge_program: str
    """Address of the on-chain program."""

    mint: str
    """Address of the on-chain token."""

    decimals: int
    """Decimal places of the on-chain token."""


@frozen(kw_only=True, field_transformer=located)
class TransferSpotAsset(BaseModel):
    """A spot asset to transfer from the account that signs.

    Its arguments are not in the interface document; assumed.

    Args:
        to_account: Wallet address of the recipient.
        symbol: Spot asset symbol.
        amount: Amount to transfer. Unit: token.
        idempotency_key: Prevents a second transfer with the same key. A new random one unless
            given; None sends none.
    """

    to_account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the recipient."""

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Spot asset symbol."""

    amount: Decimal = field(converter=to_decimal)
    """Amount to transfer. Unit: token."""

    idempotency_key: UUID | None = field(factory=to_minted_uuid, converter=to_minted_uuid)
    """Prevents a second transfer with the same key. A new random one unless given; None sends none.
    """


@frozen(kw_only=True, field_transformer=located)
class BindAgentWallet(BaseModel):
    """An agent wallet to bind.

    Args:
        agent_wallet: Address of the agent wallet. Not in the interface document; seen on the live
            service.
    """

    agent_wallet: str = field(converter=to_text, validator=min_len(1))
    """Address of the agent wallet. Not in the interface document; seen on the live service."""


@frozen(kw_only=True, field_transformer=located)
class RevokeAgentWallet(BaseModel):
    """An agent wallet to revoke.

    Args:
        agent_wallet: Address of the agent wallet. Not in the interface document; seen on the live
            service.
    """

    agent_wallet: str = field(converter=to_text, validator=min_len(1))
    """Address of the agent wallet. Not in the interface document; seen on the live service."""


@frozen(kw_only=True, field_transformer=located)
class ListAgentIpWhitelist(BaseModel):
    """An agent wallet whose IP addresses are listed.

    Args:
        api_agent_key: Address of the agent wallet. Not in the interface document; seen on the live
            service.
    """

    api_agent_key: str = field(converter=to_text, validator=min_len(1))
    """Address of the agent wallet. Not in the interface document; seen on the live service."""


@frozen(kw_only=True, field_transformer=located)
class AddAgentWhitelistedIp(BaseModel):
    """An IP address that an agent wallet may use.

    Its arguments are not in the interface document; seen on the live service.

    Args:
        agent_wallet: Address of the agent wallet.
        ip_address: The IP address.
    """

    agent_wallet: str = field(converter=to_text, validator=min_len(1))
    """Address of the agent wallet."""

    ip_address: str = field(converter=to_text, validator=min_len(1))
    """The IP address."""


@frozen(kw_only=True, field_transformer=located)
class RemoveAgentWhitelistedIp(BaseModel):
    """An IP address that an agent wallet may no longer use.

    Its arguments are not in the interface document; seen on the live service.

    Args:
        agent_wallet: Address of the agent wallet.
        ip_address: The IP address.
    """

    agent_wallet: str = field(converter=to_text, validator=min_len(1))
    """Address of the agent wallet."""

    ip_address: str = field(converter=to_text, validator=min_len(1))
    """The IP address."""


@frozen(kw_only=True, field_transformer=located)
class SetAgentIpWhitelistEnabled(BaseModel):
    """Whether an agent wallet is held to its IP addresses.

    Its arguments are not in the interface document; seen on the live service.

    Args:
        agent_wallet: Address of the agent wallet.
        enabled: Whether it is.
    """

    agent_wallet: str = field(converter=to_text, validator=min_len(1))
    """Address of the agent wallet."""

    enabled: bool = field(converter=to_boolean)
    """Whether it is."""


@frozen(kw_only=True, field_transformer=located)
class RevokeBuilderCode(BaseModel):
    """A builder code whose approval is revoked.

    Args:
        builder_code: Code of the builder program. Pattern: `^[A-Za-z0-9]{3,16}$`. Not in the
            interface document; seen on the live service.
    """

    builder_code: str = field(converter=to_text, validator=matches_re("^[A-Za-z0-9]{3,16}$"))
    """Code of the builder program. Pattern: `^[A-Za-z0-9]{3,16}$`. Not in the interface document;
    seen on the live service.
    """


@frozen(kw_only=True, field_transformer=located)
class ApproveBuilderCode(BaseModel):
    """A builder code to approve.

    Its arguments are not in the interface document; seen on the live service.

    Args:
        builder_code: Code of the builder program. Pattern: `^[A-Za-z0-9]{3,16}$`.
        max_fee_rate: Highest fee rate of the builder. Unit: fraction.
    """

    builder_code: str = field(converter=to_text, validator=matches_re("^[A-Za-z0-9]{3,16}$"))
    """Code of the builder program. Pattern: `^[A-Za-z0-9]{3,16}$`."""

    max_fee_rate: Decimal = field(converter=to_decimal)
    """Highest fee rate of the builder. Unit: fraction."""


@frozen(kw_only=True)
class BuilderCodeApproval(BaseModel):
    """A builder code that an account has approved.

    Its fields are not in the interface document; seen on the live service.

    Attributes:
        builder_code: Code of the builder program.
        max_fee_rate: Highest fee rate of the builder. Unit: fraction.
    """

    builder_code: str
    """Code of the builder program."""

    max_fee_rate: Decimal
    """Highest fee rate of the builder. Unit: fraction."""


@frozen(kw_only=True)
class LakeConfig(BaseModel):
    """The rules of a vault.

    Its fields are not in the interface document; assumed.

    Attributes:
        deposit_cap: Most that the vault takes in. Unit: USDC.
        manager_profit_share: Share of the profit that goes to the manager. Unit: fraction.
        manager_loss_share: Share of the loss that the manager bears. Unit: fraction.
        deposit_min_duration_ms: How long a deposit stays at least. Unit: duration in ms.
        manager_min_balance_portion: Least part of the vault that is the manager's. Unit: fraction.
        manager_liquidation_balance_portion: Part below which the manager's shares are liquidated.
            Unit: fraction.
        withdraw_window_s: Length of the window in which withdrawals are asked for. Unit: s.
        withdraw_duration_s: How long a withdrawal takes. Unit: s.
    """

    deposit_cap: Decimal
    """Most that the vault takes in. Unit: USDC."""

    manager_profit_share: Decimal
    """Share of the profit that goes to the manager. Unit: fraction."""

    manager_loss_share: Decimal
    """Share of the loss that the manager bears. Unit: fraction."""

    deposit_min_duration_ms: int
    """How long a deposit stays at least. Unit: duration in ms."""

    manager_min_balance_portion: Decimal
    """Least part of the vault that is the manager's. Unit: fraction."""

    manager_liquidation_balance_portion: Decimal
    """Part below which the manager's shares are liquidated. Unit: fraction."""

    withdraw_window_s: int
    """Length of the window in which withdrawals are asked for. Unit: s."""

    withdraw_duration_s: int
    """How long a withdrawal takes. Unit: s."""


@frozen(kw_only=True, field_transformer=located)
class CreateLake(BaseModel):
    """A vault to create.

    Its arguments are not in the interface document; assumed.

    Args:
        nickname: Name of the vault.
        initial_deposit: Initial deposit of the creator. Unit: USDC.
        referral_code: Referral code.
        deposit_cap: Most that the vault takes in. Unit: USDC.
        manager_profit_share: Share of the profit that goes to the manager. Unit: fraction.
        deposit_min_duration_ms: How long a deposit stays at least. Unit: duration in ms.
        manager_min_balance_portion: Least part of the vault that is the manager's. Unit: fraction.
        manager_liquidation_balance_portion: Part below which the manager's shares are liquidated.
            Unit: fraction.
        withdraw_window_s: Length of the window in which withdrawals are asked for. Unit: s.
        withdraw_duration_s: How long a withdrawal takes. Unit: s.
    """

    nickname: str = field(converter=to_text, validator=min_len(1))
    """Name of the vault."""

    initial_deposit: Decimal = field(converter=to_decimal)
    """Initial deposit of the creator. Unit: USDC."""

    deposit_cap: Decimal = field(converter=to_decimal)
    """Most that the vault takes in. Unit: USDC."""

    manager_profit_share: Decimal = field(converter=to_decimal)
    """Share of the profit that goes to the manager. Unit: fraction."""

    deposit_min_duration_ms: int = field(converter=to_integer)
    """How long a deposit stays at least. Unit: duration in ms."""

    manager_min_balance_portion: Decimal = field(converter=to_decimal)
    """Least part of the vault that is the manager's. Unit: fraction."""

    manager_liquidation_balance_portion: Decimal = field(converter=to_decimal)
    """Part below which the manager's shares are liquidated. Unit: fraction."""

    withdraw_window_s: int = field(converter=to_integer)
    """Length of the window in which withdrawals are asked for. Unit: s."""

    withdraw_duration_s: int = field(converter=to_integer)
    """How long a withdrawal takes. Unit: s."""

    referral_code: str | None = field(
        default=None, converter=to_optional_text, validator=optional(min_len(1))
    )
    """Referral code."""


@frozen(kw_only=True)
class LakeCreated(BaseModel):
    """The address of a new vault.

    Attributes:
        lake_address: Address of the vault. Not in the interface document; assumed.
    """

    lake_address: str
    """Address of the vault. Not in the interface document; assumed."""


@frozen(kw_only=True, field_transformer=located)
class DepositToLake(BaseModel):
    """USDC to deposit into a vault.

    Its arguments are not in the interface document; assumed.

    Args:
        lake: Address of the vault.
        amount: Amount to deposit. Unit: USDC.
        idempotency_key: Prevents a second deposit with the same key. A new random one unless given;
            None sends none.
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    amount: Decimal = field(converter=to_decimal)
    """Amount to deposit. Unit: USDC."""

    idempotency_key: UUID | None = field(factory=to_minted_uuid, converter=to_minted_uuid)
    """Prevents a second deposit with the same key. A new random one unless given; None sends none.
    """


@frozen(kw_only=True, field_transformer=located)
class WithdrawFromLake(BaseModel):
    """Shares to withdraw from a vault.

    Its arguments are not in the interface document; assumed.

    Args:
        lake: Address of the vault.
        shares: Shares to withdraw. Unit: shares.
        idempotency_key: Prevents a second withdrawal with the same key. A new random one unless
            given; None sends none.
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    shares: Decimal = field(converter=to_decimal)
    """Shares to withdraw. Unit: shares."""

    idempotency_key: UUID | None = field(factory=to_minted_uuid, converter=to_minted_uuid)
    """Prevents a second withdrawal with the same key. A new random one unless given; None sends
    none.
    """


@frozen(kw_only=True, field_transformer=located)
class AddLakeWhitelist(BaseModel):
    """Symbols to add to the whitelist of a vault.

    Its arguments are not in the interface document; assumed.

    Args:
        lake: Address of the vault.
        symbols: The symbols.
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    symbols: Sequence[str] = field(converter=to_texts)
    """The symbols."""


@frozen(kw_only=True, field_transformer=located)
class RemoveLakeWhitelist(BaseModel):
    """Symbols to remove from the whitelist of a vault.

    Its arguments are not in the interface document; assumed.

    Args:
        lake: Address of the vault.
        symbols: The symbols.
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    symbols: Sequence[str] = field(converter=to_texts)
    """The symbols."""


@frozen(kw_only=True, field_transformer=located)
class AddLakeBlacklist(BaseModel):
    """Symbols to add to the blacklist of a vault.

    Its arguments are not in the interface document; assumed.

    Args:
        lake: Address of the vault.
        symbols: The symbols.
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    symbols: Sequence[str] = field(converter=to_texts)
    """The symbols."""


@frozen(kw_only=True, field_transformer=located)
class UpdateLakeDepositCap(BaseModel):
    """The deposit cap of a vault.

    Its arguments are not in the interface document; assumed.

    Args:
        lake: Address of the vault.
        deposit_cap: Most that the vault takes in. Unit: USDC.
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    deposit_cap: Decimal = field(converter=to_decimal)
    """Most that the vault takes in. Unit: USDC."""


@frozen(kw_only=True, field_transformer=located)
class ClaimLakeReferral(BaseModel):
    """A referral code of a vault to claim.

    Its arguments are not in the interface document; assumed.

    Args:
        lake: Address of the vault.
        code: The referral code.
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    code: str = field(converter=to_text, validator=min_len(1))
    """The referral code."""


@frozen(kw_only=True)
class Market(BaseModel):
    """A market and its limits.

    Its fields are not in the interface document; seen on the live service.

    Attributes:
        symbol: Trading pair symbol.
        tick_size: Step of a price. Unit: quote per token.
        min_tick: Lowest price. Unit: quote per token.
        max_tick: Highest price. Unit: quote per token.
        lot_size: Step of an amount. Unit: token.
        max_leverage: Highest leverage. Unit: times.
        isolated_only: Whether its positions are always isolated.
        min_order_size: Smallest order. Unit: USD.
        max_order_size: Largest order. Unit: USD.
        funding_rate: Last settled funding rate; null for a market without funding, such as a spot
            market. Unit: fraction per hour.
        next_funding_rate: Rate predicted for the next settlement; null for a market without
            funding. Unit: fraction per hour.
        created_at: When the market was listed. Unit: ms.
        instrument_type: Kind of the market, like `perpetual` or `spot`.
        base_asset: The asset that is traded.
    """

    symbol: str
    """Trading pair symbol."""

    tick_size: Decimal
    """Step of a price. Unit: quote per token."""

    min_tick: Decimal
    """Lowest price. Unit: quote per token."""

    max_tick: Decimal
    """Highest price. Unit: quote per token."""

    lot_size: Decimal
    """Step of an amount. Unit: token."""

    max_leverage: int
    """Highest leverage. Unit: times."""

    isolated_only: bool
    """Whether its positions are always isolated."""

    min_order_size: Decimal
    """Smallest order. Unit: USD."""

    max_order_size: Decimal
    """Largest order. Unit: USD."""

    funding_rate: Decimal | None = None
    """Last settled funding rate; null for a market without funding, such as a spot market. Unit:
    fraction per hour.
    """

    next_funding_rate: Decimal | None = None
    """Rate predicted for the next settlement; null for a market without funding. Unit: fraction per
    hour.
    """

    created_at: int | None = None
    """When the market was listed. Unit: ms."""

    instrument_type: str | None = None
    """Kind of the market, like `perpetual` or `spot`."""

    base_asset: str | None = None
    """The asset that is traded."""


@frozen(kw_only=True)
class Price(BaseModel):
    """The prices of a market.

    Its fields are not in the interface document; seen on the live service.

    Attributes:
        symbol: Trading pair symbol.
        mark: Mark price. Unit: quote per token.
        mid: Middle between the best bid and the best ask. Unit: quote per token.
        oracle: Oracle price. Unit: quote per token.
        funding: Last settled funding rate; null for a market without funding (assumed). Unit:
            fraction per hour.
        next_funding: Rate predicted for the next settlement; null for a market without funding
            (assumed). Unit: fraction per hour.
        open_interest: Size of all open positions. Unit: token.
        volume_24h: Traded volume of the last 24 hours. Unit: USD.
        yesterday_price: Price 24 hours ago. Unit: quote per token.
        timestamp: When the prices were taken. Unit: ms.
    """

    symbol: str
    """Trading pair symbol."""

    mark: Decimal
    """Mark price. Unit: quote per token."""

    mid: Decimal
    """Middle between the best bid and the best ask. Unit: quote per token."""

    oracle: Decimal
    """Oracle price. Unit: quote per token."""

    funding: Decimal | None = None
    """Last settled funding rate; null for a market without funding (assumed). Unit: fraction per
    hour.
    """

    next_funding: Decimal | None = None
    """Rate predicted for the next settlement; null for a market without funding (assumed). Unit:
    fraction per hour.
    """

    open_interest: Decimal
    """Size of all open positions. Unit: token."""

    volume_24h: Decimal
    """Traded volume of the last 24 hours. Unit: USD."""

    yesterday_price: Decimal
    """Price 24 hours ago. Unit: quote per token."""

    timestamp: int
    """When the prices were taken. Unit: ms."""


@frozen(kw_only=True)
class FeeLevel(BaseModel):
    """A fee tier.

    Its fields are not in the interface document; assumed.

    Attributes:
        level: Number of the tier.
        maker_fee_rate: Maker fee, as a fraction of the notional. Unit: fraction.
        taker_fee_rate: Taker fee, as a fraction of the notional. Unit: fraction.
    """

    level: int
    """Number of the tier."""

    maker_fee_rate: Decimal
    """Maker fee, as a fraction of the notional. Unit: fraction."""

    taker_fee_rate: Decimal
    """Taker fee, as a fraction of the notional. Unit: fraction."""


@frozen(kw_only=True)
class Candle(BaseModel):
    """A candle.

    Its fields are not in the interface document; seen on the live service.

    Attributes:
        t: When it begins. Unit: ms.
        T: When it ends. Unit: ms.
        s: Trading pair symbol.
        i: Length of the candle, like `1m`.
        o: First price. Unit: quote per token.
        c: Last price. Unit: quote per token.
        h: Highest price. Unit: quote per token.
        l: Lowest price. Unit: quote per token.
        v: Traded amount. Unit: token.
        n: Number of trades.
    """

    t: int
    """When it begins. Unit: ms."""

    T: int
    """When it ends. Unit: ms."""

    s: str
    """Trading pair symbol."""

    i: str
    """Length of the candle, like `1m`."""

    o: Decimal
    """First price. Unit: quote per token."""

    c: Decimal
    """Last price. Unit: quote per token."""

    h: Decimal
    """Highest price. Unit: quote per token."""

    l: Decimal
    """Lowest price. Unit: quote per token."""

    v: Decimal
    """Traded amount. Unit: token."""

    n: int
    """Number of trades."""


@frozen(kw_only=True)
class BookLevel(BaseModel):
    """A price of an order book.

    Its fields are not in the interface document; seen on the live service.

    Attributes:
        p: Price. Unit: quote per token.
        a: Amount. Unit: token.
        n: Number of orders.
    """

    p: Decimal
    """Price. Unit: quote per token."""

    a: Decimal
    """Amount. Unit: token."""

    n: int
    """Number of orders."""


@frozen(kw_only=True)
class PublicTrade(BaseModel):
    """A trade of a market.

    Its fields are not in the interface document; seen on the live service.

    Attributes:
        event_type: Whether the order took or made liquidity, as the service says.
        price: Price of the trade. Unit: quote per token.
        amount: Traded amount. Unit: token.
        side: What the trade did to the position.
        cause: What led to the trade.
        created_at: When the trade happened. Unit: ms.
    """

    event_type: TradeEventType
    """Whether the order took or made liquidity, as the service says."""

    price: Decimal
    """Price of the trade. Unit: quote per token."""

    amount: Decimal
    """Traded amount. Unit: token."""

    side: TradeSide
    """What the trade did to the position."""

    cause: TradeCause
    """What led to the trade."""

    created_at: int
    """When the trade happened. Unit: ms."""


@frozen(kw_only=True)
class LoanPool(BaseModel):
    """The pool that loans come from.

    Its fields are not in the interface document; assumed.

    Attributes:
        total_borrowed: Amount borrowed. Unit: USDC.
        total_borrowable: Amount that can be borrowed. Unit: USDC.
        utilization: Borrowed part of the pool. Unit: fraction.
        borrow_rate_apr: Rate of a loan, without compounding. Unit: fraction per year.
        borrow_rate_apy: Rate of a loan, with compounding. Unit: fraction per year.
        lend_rate_apr: Rate of lending, without compounding. Unit: fraction per year.
        lend_rate_apy: Rate of lending, with compounding. Unit: fraction per year.
        utilization_max: Highest utilization. Unit: fraction.
        auto_lender_entry_threshold: Smallest balance that is lent automatically. Unit: USDC.
        last_interest_accrual_at: When interest was last computed. Unit: ms.
        last_interest_payout_at: When interest was last paid. Unit: ms.
        updated_at: When the pool last changed. Unit: ms.
    """

    total_borrowed: Decimal
    """Amount borrowed. Unit: USDC."""

    total_borrowable: Decimal
    """Amount that can be borrowed. Unit: USDC."""

    utilization: Decimal
    """Borrowed part of the pool. Unit: fraction."""

    borrow_rate_apr: Decimal
    """Rate of a loan, without compounding. Unit: fraction per year."""

    borrow_rate_apy: Decimal
    """Rate of a loan, with compounding. Unit: fraction per year."""

    lend_rate_apr: Decimal
    """Rate of lending, without compounding. Unit: fraction per year."""

    lend_rate_apy: Decimal
    """Rate of lending, with compounding. Unit: fraction per year."""

    utilization_max: Decimal
    """Highest utilization. Unit: fraction."""

    auto_lender_entry_threshold: Decimal
    """Smallest balance that is lent automatically. Unit: USDC."""

    last_interest_accrual_at: int
    """When interest was last computed. Unit: ms."""

    last_interest_payout_at: int
    """When interest was last paid. Unit: ms."""

    updated_at: int
    """When the pool last changed. Unit: ms."""


@frozen(kw_only=True, field_transformer=located)
class OrderHistoryQuery(BaseModel):
    """The query of `orders.history`.

    Interface: section 4.7.

    Args:
        account: Wallet address of the account to read. The client's own unless given.
        limit: Records per page. Default: 100. At least 1.
        cursor: Cursor of the page to start from, as `next_cursor` returned it. None, the
            `next_cursor` of a last page, is refused: leave it out to start at the beginning.
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

    Args:
        account: Wallet address of the account to read. The client's own unless given.
        symbol: Only trades of this trading pair.
        start_time: Only trades since this time, which is included (assumed). An integer, or an
            aware datetime. Unit: ms.
        end_time: Only trades until this time, which is included (assumed). An integer, or an aware
            datetime. Unit: ms. Not before `start_time`.
        limit: Records per page. Default: 100. At least 1.
        cursor: Cursor of the page to start from, passed back as `next_cursor` returned it. That is
            a string (assumed), though the interface document declares an integer here. None, the
            `next_cursor` of a last page, is refused: leave it out to start at the beginning.
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

    Args:
        account: Wallet address of the account to read. The client's own unless given.
        symbol: Only events of this spot asset.
        limit: Records per page; the service chooses when it is omitted. At least 1.
        cursor: Cursor of the page to start from, as `next_cursor` returned it. None, the
            `next_cursor` of a last page, is refused: leave it out to start at the beginning.
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

    Args:
        account: Wallet address of the account to read. The client's own unless given.
        limit: Records per page; the service chooses when it is omitted. At least 1.
        cursor: Cursor of the page to start from, as `next_cursor` returned it. None, the
            `next_cursor` of a last page, is refused: leave it out to start at the beginning.
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

    Args:
        account: Wallet address of the account to read. The client's own unless given.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given."""


@frozen(kw_only=True, field_transformer=located)
class FundingHistoryQuery(BaseModel):
    """The query of `funding.history`.

    Interface: section 4.15.

    Args:
        symbol: Trading pair symbol.
        limit: Records per page. Default: 100. At least 1. At most 4000.
        cursor: Cursor of the page to start from, as `next_cursor` returned it. None, the
            `next_cursor` of a last page, is refused: leave it out to start at the beginning.
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


@frozen(kw_only=True, field_transformer=located)
class OpenOrdersQuery(BaseModel):
    """The query of `orders.list`.

    Args:
        account: Wallet address of the account to read. The client's own unless given. Not in the
            interface document; seen on the live service.
        symbol: Only records of this trading pair. Not in the interface document; assumed.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. Not in the interface
    document; seen on the live service.
    """

    symbol: str | None = field(
        default=None, converter=to_optional_text, validator=optional(min_len(1))
    )
    """Only records of this trading pair. Not in the interface document; assumed."""


@frozen(kw_only=True, field_transformer=located)
class OrderHistoryByIdQuery(BaseModel):
    """The query of `orders.history_by_id`.

    Args:
        order_id: Id of the order. Not in the interface document; seen on the live service.
    """

    order_id: int = field(converter=to_integer)
    """Id of the order. Not in the interface document; seen on the live service."""


@frozen(kw_only=True, field_transformer=located)
class OpenTwapOrdersQuery(BaseModel):
    """The query of `twap.list`.

    Args:
        account: Wallet address of the account to read. The client's own unless given. Not in the
            interface document; seen on the live service.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. Not in the interface
    document; seen on the live service.
    """


@frozen(kw_only=True, field_transformer=located)
class TwapOrderHistoryQuery(BaseModel):
    """The query of `twap.history`.

    Its arguments are not in the interface document; seen on the live service.

    Args:
        account: Wallet address of the account to read. The client's own unless given.
        limit: Records per page; the service chooses when it is omitted. At least 1.
        cursor: Cursor of the page to start from, as `next_cursor` returned it. None, the
            `next_cursor` of a last page, is refused: leave it out to start at the beginning.
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
class TwapOrderHistoryByIdQuery(BaseModel):
    """The query of `twap.history_by_id`.

    Args:
        order_id: Id of the order. Not in the interface document; seen on the live service.
    """

    order_id: int = field(converter=to_integer)
    """Id of the order. Not in the interface document; seen on the live service."""


@frozen(kw_only=True, field_transformer=located)
class PositionsQuery(BaseModel):
    """The query of `positions.list`.

    Args:
        account: Wallet address of the account to read. The client's own unless given. Not in the
            interface document; seen on the live service.
        symbol: Only records of this trading pair. Not in the interface document; assumed.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. Not in the interface
    document; seen on the live service.
    """

    symbol: str | None = field(
        default=None, converter=to_optional_text, validator=optional(min_len(1))
    )
    """Only records of this trading pair. Not in the interface document; assumed."""


@frozen(kw_only=True, field_transformer=located)
class PositionHistoryQuery(BaseModel):
    """The query of `positions.history`.

    Its arguments are not in the interface document; assumed.

    Args:
        account: Wallet address of the account to read. The client's own unless given.
        symbol: Only records of this trading pair.
        start_time: Only records at or after this time. An integer, or an aware datetime. Unit: ms.
        end_time: Only records at or before this time. An integer, or an aware datetime. Unit: ms.
            Not before `start_time`.
        limit: Records per page; the service chooses when it is omitted. At least 1.
        offset: How many records to skip. At least 0.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given."""

    symbol: str | None = field(
        default=None, converter=to_optional_text, validator=optional(min_len(1))
    )
    """Only records of this trading pair."""

    start_time: int | None = field(
        default=None, converter=to_optional_time, validator=optional(ge(0))
    )
    """Only records at or after this time. An integer, or an aware datetime. Unit: ms."""

    end_time: int | None = field(
        default=None, converter=to_optional_time, validator=optional(ge(0))
    )
    """Only records at or before this time. An integer, or an aware datetime. Unit: ms. Not before
    `start_time`.
    """

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Records per page; the service chooses when it is omitted. At least 1."""

    offset: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(0))
    )
    """How many records to skip. At least 0."""

    def __attrs_post_init__(self) -> None:
        not_before(self, "end_time", "start_time")


@frozen(kw_only=True, field_transformer=located)
class AccountQuery(BaseModel):
    """The query of `account.info`.

    Args:
        account: Wallet address of the account to read. The client's own unless given. Not in the
            interface document; seen on the live service.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. Not in the interface
    document; seen on the live service.
    """


@frozen(kw_only=True, field_transformer=located)
class BalanceHistoryQuery(BaseModel):
    """The query of `account.balance_history`.

    Its arguments are not in the interface document; seen on the live service.

    Args:
        account: Wallet address of the account to read. The client's own unless given.
        limit: Records per page; the service chooses when it is omitted. At least 1.
        cursor: Cursor of the page to start from, as `next_cursor` returned it. None, the
            `next_cursor` of a last page, is refused: leave it out to start at the beginning.
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
class PortfolioQuery(BaseModel):
    """The query of `account.portfolio`.

    Args:
        account: Wallet address of the account to read. The client's own unless given. Not in the
            interface document; seen on the live service.
        time_range: Length of the range, like `1d` or `7d`. Not in the interface document; seen on
            the live service.
        start_time: Only records at or after this time. An integer, or an aware datetime. Unit: ms.
            Not in the interface document; seen on the live service.
        end_time: Only records at or before this time. An integer, or an aware datetime. Unit: ms.
            Not before `start_time`. Not in the interface document; seen on the live service.
        limit: Records per page; the service chooses when it is omitted. At least 1. Not in the
            interface document; seen on the live service.
        granularity_in_minutes: Distance between two points. Unit: minutes. At least 1. Not in the
            interface document; assumed.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. Not in the interface
    document; seen on the live service.
    """

    time_range: str = field(converter=to_text, validator=min_len(1))
    """Length of the range, like `1d` or `7d`. Not in the interface document; seen on the live
    service.
    """

    start_time: int | None = field(
        default=None, converter=to_optional_time, validator=optional(ge(0))
    )
    """Only records at or after this time. An integer, or an aware datetime. Unit: ms. Not in the
    interface document; seen on the live service.
    """

    end_time: int | None = field(
        default=None, converter=to_optional_time, validator=optional(ge(0))
    )
    """Only records at or before this time. An integer, or an aware datetime. Unit: ms. Not before
    `start_time`. Not in the interface document; seen on the live service.
    """

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Records per page; the service chooses when it is omitted. At least 1. Not in the interface
    document; seen on the live service.
    """

    granularity_in_minutes: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Distance between two points. Unit: minutes. At least 1. Not in the interface document;
    assumed.
    """

    def __attrs_post_init__(self) -> None:
        not_before(self, "end_time", "start_time")


@frozen(kw_only=True, field_transformer=located)
class LoanQuery(BaseModel):
    """The query of `account.loan`.

    Args:
        account: Wallet address of the account to read. The client's own unless given. Not in the
            interface document; assumed.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. Not in the interface
    document; assumed.
    """


@frozen(kw_only=True, field_transformer=located)
class FundingPaymentsQuery(BaseModel):
    """The query of `funding.payments`.

    Args:
        account: Wallet address of the account to read. The client's own unless given. Not in the
            interface document; seen on the live service.
        symbol: Only records of this trading pair. Not in the interface document; assumed.
        limit: Records per page; the service chooses when it is omitted. At least 1. Not in the
            interface document; seen on the live service.
        cursor: Cursor of the page to start from, as `next_cursor` returned it. None, the
            `next_cursor` of a last page, is refused: leave it out to start at the beginning. Not in
            the interface document; seen on the live service.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. Not in the interface
    document; seen on the live service.
    """

    symbol: str | None = field(
        default=None, converter=to_optional_text, validator=optional(min_len(1))
    )
    """Only records of this trading pair. Not in the interface document; assumed."""

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Records per page; the service chooses when it is omitted. At least 1. Not in the interface
    document; seen on the live service.
    """

    cursor: str | Unset = field(
        default=UNSET, converter=to_cursor_text, validator=if_given(min_len(1))
    )
    """Cursor of the page to start from, as `next_cursor` returned it. None, the `next_cursor` of a
    last page, is refused: leave it out to start at the beginning. Not in the interface document;
    seen on the live service.
    """


@frozen(kw_only=True, field_transformer=located)
class SpotDepositHistoryQuery(BaseModel):
    """The query of `spot.deposit_history`.

    Its arguments are not in the interface document; assumed.

    Args:
        account: Wallet address of the account to read. The client's own unless given.
        limit: Records per page; the service chooses when it is omitted. At least 1.
        cursor: Cursor of the page to start from, as `next_cursor` returned it. None, the
            `next_cursor` of a last page, is refused: leave it out to start at the beginning.
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
class PendingSpotWithdrawalsQuery(BaseModel):
    """The query of `spot.pending_withdrawals`.

    Args:
        account: Wallet address of the account to read. The client's own unless given. Not in the
            interface document; assumed.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. Not in the interface
    document; assumed.
    """


@frozen(kw_only=True, field_transformer=located)
class SpotAssetsQuery(BaseModel):
    """The query of `spot.assets`.

    Its arguments are not in the interface document; assumed.

    Args:
        include_inactive: Whether to list inactive assets, too.
        collateral_enabled_only: Whether to list only what can be collateral.
    """

    include_inactive: bool | None = field(default=None, converter=to_optional_boolean)
    """Whether to list inactive assets, too."""

    collateral_enabled_only: bool | None = field(default=None, converter=to_optional_boolean)
    """Whether to list only what can be collateral."""


@frozen(kw_only=True, field_transformer=located)
class BridgeQuery(BaseModel):
    """The query of `spot.bridge`.

    Args:
        symbol: Spot asset symbol. Not in the interface document; assumed.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Spot asset symbol. Not in the interface document; assumed."""


@frozen(kw_only=True, field_transformer=located)
class BuilderCodeApprovalsQuery(BaseModel):
    """The query of `builder_codes.approvals`.

    Args:
        account: Wallet address of the account to read. The client's own unless given. Not in the
            interface document; seen on the live service.
    """

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. Not in the interface
    document; seen on the live service.
    """


@frozen(kw_only=True, field_transformer=located)
class CandlesQuery(BaseModel):
    """The query of `markets.candles`.

    Args:
        symbol: Trading pair symbol. Not in the interface document; seen on the live service.
        interval: Length of a candle, like `1m`, `3m`, `5m` or `1d`. Not in the interface document;
            seen on the live service.
        start_time: Only candles that begin at or after this time. An integer, or an aware datetime.
            Unit: ms. Not in the interface document; seen on the live service.
        end_time: Only records at or before this time. An integer, or an aware datetime. Unit: ms.
            Not before `start_time`. Not in the interface document; seen on the live service.
        limit: Most records to return. At least 1. Not in the interface document; assumed.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol. Not in the interface document; seen on the live service."""

    interval: str = field(converter=to_text, validator=min_len(1))
    """Length of a candle, like `1m`, `3m`, `5m` or `1d`. Not in the interface document; seen on the
    live service.
    """

    start_time: int = field(converter=to_time, validator=ge(0))
    """Only candles that begin at or after this time. An integer, or an aware datetime. Unit: ms.
    Not in the interface document; seen on the live service.
    """

    end_time: int | None = field(
        default=None, converter=to_optional_time, validator=optional(ge(0))
    )
    """Only records at or before this time. An integer, or an aware datetime. Unit: ms. Not before
    `start_time`. Not in the interface document; seen on the live service.
    """

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Most records to return. At least 1. Not in the interface document; assumed."""

    def __attrs_post_init__(self) -> None:
        not_before(self, "end_time", "start_time")


@frozen(kw_only=True, field_transformer=located)
class MarkCandlesQuery(BaseModel):
    """The query of `markets.mark_candles`.

    Args:
        symbol: Trading pair symbol. Not in the interface document; seen on the live service.
        interval: Length of a candle, like `1m`, `3m`, `5m` or `1d`. Not in the interface document;
            seen on the live service.
        start_time: Only candles that begin at or after this time. An integer, or an aware datetime.
            Unit: ms. Not in the interface document; seen on the live service.
        end_time: Only records at or before this time. An integer, or an aware datetime. Unit: ms.
            Not before `start_time`. Not in the interface document; seen on the live service.
        limit: Most records to return. At least 1. Not in the interface document; assumed.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol. Not in the interface document; seen on the live service."""

    interval: str = field(converter=to_text, validator=min_len(1))
    """Length of a candle, like `1m`, `3m`, `5m` or `1d`. Not in the interface document; seen on the
    live service.
    """

    start_time: int = field(converter=to_time, validator=ge(0))
    """Only candles that begin at or after this time. An integer, or an aware datetime. Unit: ms.
    Not in the interface document; seen on the live service.
    """

    end_time: int | None = field(
        default=None, converter=to_optional_time, validator=optional(ge(0))
    )
    """Only records at or before this time. An integer, or an aware datetime. Unit: ms. Not before
    `start_time`. Not in the interface document; seen on the live service.
    """

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Most records to return. At least 1. Not in the interface document; assumed."""

    def __attrs_post_init__(self) -> None:
        not_before(self, "end_time", "start_time")


@frozen(kw_only=True, field_transformer=located)
class BookQuery(BaseModel):
    """The query of `markets.book`.

    Args:
        symbol: Trading pair symbol. Not in the interface document; seen on the live service.
        agg_level: How many price steps become one level. At least 1. Not in the interface document;
            assumed.
        depth: Most levels on each side. At least 1. Not in the interface document; assumed.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol. Not in the interface document; seen on the live service."""

    agg_level: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """How many price steps become one level. At least 1. Not in the interface document; assumed."""

    depth: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Most levels on each side. At least 1. Not in the interface document; assumed."""


@frozen(kw_only=True, field_transformer=located)
class RecentTradesQuery(BaseModel):
    """The query of `markets.trades`.

    Args:
        symbol: Trading pair symbol. Not in the interface document; seen on the live service.
        limit: Most records to return. At least 1. Not in the interface document; assumed.
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol. Not in the interface document; seen on the live service."""

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Most records to return. At least 1. Not in the interface document; assumed."""


@frozen(kw_only=True)
class AccountSettings(BaseModel):
    """The settings of an account that differ from the defaults.

    Interface: section 2.7.

    Attributes:
        auto_lend_disabled: Whether auto-lending is disabled; null is the default, enabled.
        margin_settings: Markets whose margin mode or leverage differs from the default, which is
            cross margin at the maximum leverage. May be absent (observed).
        spot_settings: Settings per spot asset. May be absent (observed).
    """

    auto_lend_disabled: bool | None = None
    """Whether auto-lending is disabled; null is the default, enabled."""

    margin_settings: tuple[MarginSetting, ...] = ()
    """Markets whose margin mode or leverage differs from the default, which is cross margin at the
    maximum leverage. May be absent (observed).
    """

    spot_settings: tuple[SpotSetting, ...] = ()
    """Settings per spot asset. May be absent (observed)."""


@frozen(kw_only=True)
class AccountInfo(BaseModel):
    """The state of an account.

    Attributes:
        balance: Balance, without the profit and loss of open positions. Unit: USDC. Not in the
            interface document; seen on the live service.
        fee_level: Fee tier. Not in the interface document; seen on the live service.
        account_equity: Balance with the profit and loss of open positions. Unit: USDC. Not in the
            interface document; seen on the live service.
        available_to_spend: What new orders can use. Unit: USDC. Not in the interface document; seen
            on the live service.
        available_to_withdraw: What can be withdrawn. Unit: USDC. Not in the interface document;
            seen on the live service.
        pending_balance: Deposits that await confirmation. Unit: USDC. Not in the interface
            document; seen on the live service.
        total_margin_used: Margin of all positions and orders. Unit: USDC. Not in the interface
            document; seen on the live service.
        positions_count: Number of open positions. Not in the interface document; seen on the live
            service.
        orders_count: Number of open orders. Not in the interface document; seen on the live
            service.
        stop_orders_count: Number of open stop orders. Not in the interface document; seen on the
            live service.
        updated_at: When the account last changed. Unit: ms. Not in the interface document; seen on
            the live service.
        cross_mmr: Maintenance margin of the cross positions. Unit: USDC. Not in the interface
            document; seen on the live service.
        use_ltp_for_stop_orders: Whether the last traded price triggers stop orders. Not in the
            interface document; assumed.
        maker_fee: Maker fee, as a fraction of the notional. Unit: fraction. Not in the interface
            document; assumed.
        taker_fee: Taker fee, as a fraction of the notional. Unit: fraction. Not in the interface
            document; assumed.
        pending_interest: Interest that is not charged yet. Unit: USDC. Not in the interface
            document; assumed.
        spot_collateral: Value of spot assets as collateral. Unit: USDC. Not in the interface
            document; assumed.
        cross_account_equity: Equity that backs the cross positions. Unit: USDC. Not in the
            interface document; assumed.
        spot_market_value: Market value of the spot assets. Unit: USDC. Not in the interface
            document; assumed.
        spot_balances: Balance of each spot asset. Not in the interface document; assumed.
    """

    balance: Decimal
    """Balance, without the profit and loss of open positions. Unit: USDC. Not in the interface
    document; seen on the live service.
    """

    fee_level: int
    """Fee tier. Not in the interface document; seen on the live service."""

    account_equity: Decimal
    """Balance with the profit and loss of open positions. Unit: USDC. Not in the interface
    document; seen on the live service.
    """

    available_to_spend: Decimal
    """What new orders can use. Unit: USDC. Not in the interface document; seen on the live service.
    """

    available_to_withdraw: Decimal
    """What can be withdrawn. Unit: USDC. Not in the interface document; seen on the live service.
    """

    pending_balance: Decimal
    """Deposits that await confirmation. Unit: USDC. Not in the interface document; seen on the live
    service.
    """

    total_margin_used: Decimal
    """Margin of all positions and orders. Unit: USDC. Not in the interface document; seen on the
    live service.
    """

    positions_count: int
    """Number of open positions. Not in the interface document; seen on the live service."""

    orders_count: int
    """Number of open orders. Not in the interface document; seen on the live service."""

    stop_orders_count: int
    """Number of open stop orders. Not in the interface document; seen on the live service."""

    updated_at: int
    """When the account last changed. Unit: ms. Not in the interface document; seen on the live
    service.
    """

    spot_balances: tuple[SpotBalance, ...] = ()
    """Balance of each spot asset. Not in the interface document; assumed."""

    cross_mmr: Decimal | None = None
    """Maintenance margin of the cross positions. Unit: USDC. Not in the interface document; seen on
    the live service.
    """

    use_ltp_for_stop_orders: bool | None = None
    """Whether the last traded price triggers stop orders. Not in the interface document; assumed.
    """

    maker_fee: Decimal | None = None
    """Maker fee, as a fraction of the notional. Unit: fraction. Not in the interface document;
    assumed.
    """

    taker_fee: Decimal | None = None
    """Taker fee, as a fraction of the notional. Unit: fraction. Not in the interface document;
    assumed.
    """

    pending_interest: Decimal | None = None
    """Interest that is not charged yet. Unit: USDC. Not in the interface document; assumed."""

    spot_collateral: Decimal | None = None
    """Value of spot assets as collateral. Unit: USDC. Not in the interface document; assumed."""

    cross_account_equity: Decimal | None = None
    """Equity that backs the cross positions. Unit: USDC. Not in the interface document; assumed."""

    spot_market_value: Decimal | None = None
    """Market value of the spot assets. Unit: USDC. Not in the interface document; assumed."""


@frozen(kw_only=True)
class Loan(BaseModel):
    """What an account has borrowed.

    Its fields are not in the interface document; assumed.

    Attributes:
        borrowed: Amount borrowed. Unit: USDC.
        pending_interest: Interest that is not charged yet. Unit: USDC.
        collateral_utilization: Used part of the collateral. Unit: fraction.
        total_interest_earned: Interest earned so far. Unit: USDC.
        total_interest_paid: Interest paid so far. Unit: USDC.
        spot_balances: Each spot asset that is collateral.
        updated_at: When the loan last changed. Unit: ms.
    """

    borrowed: Decimal
    """Amount borrowed. Unit: USDC."""

    pending_interest: Decimal
    """Interest that is not charged yet. Unit: USDC."""

    collateral_utilization: Decimal
    """Used part of the collateral. Unit: fraction."""

    total_interest_earned: Decimal
    """Interest earned so far. Unit: USDC."""

    total_interest_paid: Decimal
    """Interest paid so far. Unit: USDC."""

    spot_balances: tuple[Collateral, ...]
    """Each spot asset that is collateral."""

    updated_at: int
    """When the loan last changed. Unit: ms."""


@frozen(kw_only=True)
class Lake(BaseModel):
    """A vault.

    Its fields are not in the interface document; assumed.

    Attributes:
        address: Address of the vault.
        creator: Wallet address of its creator.
        manager: Wallet address of its manager, if it has one.
        nickname: Name of the vault.
        lp_shares: Shares of the depositors. Unit: shares.
        manager_shares: Shares of the manager. Unit: shares.
        lp_balance: Balance of the depositors. Unit: USDC.
        manager_balance: Balance of the manager. Unit: USDC.
        last_checked_equity: Equity when it was last checked. Unit: USDC.
        high_watermark: Highest equity so far. Unit: USDC.
        created_at: When the vault was created. Unit: ms.
        referrer: Wallet address of its referrer, if it has one.
        user_share: Shares of the user. Unit: shares.
        config: Its rules.
    """

    address: str
    """Address of the vault."""

    creator: str
    """Wallet address of its creator."""

    nickname: str
    """Name of the vault."""

    lp_shares: Decimal
    """Shares of the depositors. Unit: shares."""

    manager_shares: Decimal
    """Shares of the manager. Unit: shares."""

    lp_balance: Decimal
    """Balance of the depositors. Unit: USDC."""

    manager_balance: Decimal
    """Balance of the manager. Unit: USDC."""

    last_checked_equity: Decimal
    """Equity when it was last checked. Unit: USDC."""

    high_watermark: Decimal
    """Highest equity so far. Unit: USDC."""

    created_at: int
    """When the vault was created. Unit: ms."""

    config: LakeConfig
    """Its rules."""

    manager: str | None = None
    """Wallet address of its manager, if it has one."""

    referrer: str | None = None
    """Wallet address of its referrer, if it has one."""

    user_share: Decimal | None = None
    """Shares of the user. Unit: shares."""


@frozen(kw_only=True)
class Book(BaseModel):
    """An order book.

    Its fields are not in the interface document; seen on the live service.

    Attributes:
        s: Trading pair symbol.
        l: The two sides of the book. Holds: The bids, The asks.
        t: When the book was read. Unit: ms.
    """

    s: str
    """Trading pair symbol."""

    l: tuple[tuple[BookLevel, ...], tuple[BookLevel, ...]]
    """The two sides of the book. Holds: The bids, The asks."""

    t: int
    """When the book was read. Unit: ms."""
