# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""The enums of the service, and the models of its requests and responses.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from attrs import field, frozen
from attrs.validators import ge, matches_re, min_len, optional

from trading_runtime import (
    UNSET,
    BaseModel,
    Unset,
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
    to_optional_boolean,
    to_optional_integer,
    to_optional_text,
    to_optional_time,
    to_optional_uuid,
    to_text,
    to_texts,
    to_time,
    warn_of_fraction,
)
from trading_sdk.models import (
    AccountSettings as AccountSettings,
    AccountSettingsQuery as AccountSettingsQuery,
    ActionResult as ActionResult,
    AddLakeMaxLeverage as AddLakeMaxLeverage,
    ApiKey as ApiKey,
    CancelOrder as CancelOrder,
    CancelStopOrder as CancelStopOrder,
    ClaimLakeManager as ClaimLakeManager,
    CreateMarketOrder as CreateMarketOrder,
    CreateOrder as CreateOrder,
    CreateStopOrder as CreateStopOrder,
    EditOrder as EditOrder,
    FundingHistoryQuery as FundingHistoryQuery,
    FundingRecord as FundingRecord,
    MarginSetting as MarginSetting,
    Order as Order,
    OrderHistoryQuery as OrderHistoryQuery,
    OrderPlaced as OrderPlaced,
    OrderReason as OrderReason,
    OrderStatus as OrderStatus,
    OrderType as OrderType,
    PositionTpslConfig as PositionTpslConfig,
    PositionTpslConfigLike as PositionTpslConfigLike,
    RefusalReason as RefusalReason,
    RemoveLakeBlacklist as RemoveLakeBlacklist,
    RemoveLakeMaxLeverage as RemoveLakeMaxLeverage,
    RevokeApiKey as RevokeApiKey,
    RevokedApiKey as RevokedApiKey,
    SetAutoLendDisabled as SetAutoLendDisabled,
    SetPositionTpsl as SetPositionTpsl,
    SharesMinted as SharesMinted,
    Side as Side,
    SideLike as SideLike,
    SpotBalanceEvent as SpotBalanceEvent,
    SpotBalanceHistoryQuery as SpotBalanceHistoryQuery,
    SpotSetting as SpotSetting,
    SpotWithdrawal as SpotWithdrawal,
    SpotWithdrawalHistoryQuery as SpotWithdrawalHistoryQuery,
    StopOrderConfig as StopOrderConfig,
    StopOrderConfigLike as StopOrderConfigLike,
    Subaccount as Subaccount,
    TimeInForce as TimeInForce,
    TimeInForceLike as TimeInForceLike,
    TpslConfig as TpslConfig,
    TpslConfigLike as TpslConfigLike,
    Trade as Trade,
    TradeCause as TradeCause,
    TradeEventType as TradeEventType,
    TradeHistoryQuery as TradeHistoryQuery,
    TradeSide as TradeSide,
    TransferFunds as TransferFunds,
    TriggerPriceType as TriggerPriceType,
    TriggerPriceTypeLike as TriggerPriceTypeLike,
    UpdateSpotSettings as UpdateSpotSettings,
    WithdrawalReceipt as WithdrawalReceipt,
    WithdrawSpotAsset as WithdrawSpotAsset,
)


def _to_side(value: SideLike) -> Side:
    return to_member(Side, value)


@frozen(kw_only=True, field_transformer=located)
class CancelAllOrders(BaseModel):
    """Which orders to cancel.

    Its fields are (observed).
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
    """How many orders were cancelled."""

    cancelled_count: int
    """Number of cancelled orders. (observed)"""


@frozen(kw_only=True)
class OpenOrder(BaseModel):
    """An open order.

    Its fields are (observed).
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

    Its fields are (observed).
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

    Its fields are (assumed).
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

    Its fields are (assumed).
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
    """A TWAP order. Clients name its amount in two ways."""

    order_id: int
    """Id of the order. (observed)"""

    symbol: str
    """Trading pair symbol. (observed)"""

    side: Side
    """Whether the order buys or sells. (observed)"""

    filled_amount: Decimal
    """Filled part of the amount. Unit: token. (observed)"""

    reduce_only: bool
    """Whether the order may only reduce a position. (observed)"""

    created_at: int
    """When the order was created. Unit: ms. (observed)"""

    client_order_id: UUID | None = None
    """Client order id, if the user gave one. (observed)"""

    amount: Decimal | None = None
    """Amount of the whole order, as one client names it. Unit: token. (assumed)"""

    total_amount: Decimal | None = None
    """Amount of the whole order, as another client names it. Unit: token. (assumed)"""


@frozen(kw_only=True)
class Position(BaseModel):
    """An open position."""

    symbol: str
    """Trading pair symbol. (observed)"""

    side: Side
    """Side of the position; `bid` is long. (observed)"""

    amount: Decimal
    """Size of the position. Unit: token. (observed)"""

    entry_price: Decimal
    """Average entry price. Unit: quote per token. (observed)"""

    margin: Decimal
    """Margin of the position, if it is isolated. Unit: USDC. (observed)"""

    funding: Decimal
    """Funding paid since the position was opened. Unit: USDC. (observed)"""

    isolated: bool
    """Whether the position is margined on its own. (observed)"""

    created_at: int
    """When the position was opened. Unit: ms. (observed)"""

    updated_at: int
    """When the position last changed. Unit: ms. (observed)"""

    liquidation_price: Decimal | None = None
    """Price at which the position is liquidated. Unit: quote per token. (assumed)"""


@frozen(kw_only=True, field_transformer=located)
class AddIsolatedMargin(BaseModel):
    """Margin to add to an isolated position.

    Its fields are (assumed).
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    amount: Decimal = field(converter=to_decimal)
    """Margin to add. Unit: USDC."""


@frozen(kw_only=True)
class SpotBalance(BaseModel):
    """Balance of a spot asset.

    Its fields are (assumed).
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

    Its fields are (observed).
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    leverage: int = field(converter=to_integer)
    """New leverage. Unit: times."""


@frozen(kw_only=True, field_transformer=located)
class UpdateMarginMode(BaseModel):
    """The margin mode of a market.

    Its fields are (observed).
    """

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol."""

    is_isolated: bool = field(converter=to_boolean)
    """Whether the market is margined on its own."""


@frozen(kw_only=True, field_transformer=located)
class Withdraw(BaseModel):
    """USDC to withdraw."""

    amount: Decimal = field(converter=to_decimal)
    """Amount to withdraw. Unit: USDC. (observed)"""


@frozen(kw_only=True)
class BalanceEvent(BaseModel):
    """A change of the USDC balance.

    Its fields are (observed).
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

    Its fields are (observed).
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

    Its fields are (assumed).
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

    Its fields are (observed).
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

    Its fields are (assumed).
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

    Its fields are (assumed).
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

    Its fields are (assumed).
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

    Its fields are (assumed).
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

    Its fields are (assumed).
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
    """An agent wallet to bind."""

    agent_wallet: str = field(converter=to_text, validator=min_len(1))
    """Address of the agent wallet. (observed)"""


@frozen(kw_only=True, field_transformer=located)
class RevokeAgentWallet(BaseModel):
    """An agent wallet to revoke."""

    agent_wallet: str = field(converter=to_text, validator=min_len(1))
    """Address of the agent wallet. (observed)"""


@frozen(kw_only=True, field_transformer=located)
class ListAgentIpWhitelist(BaseModel):
    """An agent wallet whose IP addresses are listed."""

    api_agent_key: str = field(converter=to_text, validator=min_len(1))
    """Address of the agent wallet. (observed)"""


@frozen(kw_only=True, field_transformer=located)
class AddAgentWhitelistedIp(BaseModel):
    """An IP address that an agent wallet may use.

    Its fields are (observed).
    """

    agent_wallet: str = field(converter=to_text, validator=min_len(1))
    """Address of the agent wallet."""

    ip_address: str = field(converter=to_text, validator=min_len(1))
    """The IP address."""


@frozen(kw_only=True, field_transformer=located)
class RemoveAgentWhitelistedIp(BaseModel):
    """An IP address that an agent wallet may no longer use.

    Its fields are (observed).
    """

    agent_wallet: str = field(converter=to_text, validator=min_len(1))
    """Address of the agent wallet."""

    ip_address: str = field(converter=to_text, validator=min_len(1))
    """The IP address."""


@frozen(kw_only=True, field_transformer=located)
class SetAgentIpWhitelistEnabled(BaseModel):
    """Whether an agent wallet is held to its IP addresses.

    Its fields are (observed).
    """

    agent_wallet: str = field(converter=to_text, validator=min_len(1))
    """Address of the agent wallet."""

    enabled: bool = field(converter=to_boolean)
    """Whether it is."""


@frozen(kw_only=True, field_transformer=located)
class RevokeBuilderCode(BaseModel):
    """A builder code whose approval is revoked."""

    builder_code: str = field(converter=to_text, validator=matches_re("^[A-Za-z0-9]{3,16}$"))
    """Code of the builder program. Pattern: `^[A-Za-z0-9]{3,16}$`. (observed)"""


@frozen(kw_only=True, field_transformer=located)
class ApproveBuilderCode(BaseModel):
    """A builder code to approve.

    Its fields are (observed).
    """

    builder_code: str = field(converter=to_text, validator=matches_re("^[A-Za-z0-9]{3,16}$"))
    """Code of the builder program. Pattern: `^[A-Za-z0-9]{3,16}$`."""

    max_fee_rate: Decimal = field(converter=to_decimal)
    """Highest fee rate of the builder. Unit: fraction."""


@frozen(kw_only=True)
class BuilderCodeApproval(BaseModel):
    """A builder code that an account has approved.

    Its fields are (observed).
    """

    builder_code: str
    """Code of the builder program."""

    max_fee_rate: Decimal
    """Highest fee rate of the builder. Unit: fraction."""


@frozen(kw_only=True)
class LakeConfig(BaseModel):
    """The rules of a vault.

    Its fields are (assumed).
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

    Its fields are (assumed).
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
    """The address of a new vault."""

    lake_address: str
    """Address of the vault. (assumed)"""


@frozen(kw_only=True, field_transformer=located)
class DepositToLake(BaseModel):
    """USDC to deposit into a vault.

    Its fields are (assumed).
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

    Its fields are (assumed).
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

    Its fields are (assumed).
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    symbols: Sequence[str] = field(converter=to_texts)
    """The symbols."""


@frozen(kw_only=True, field_transformer=located)
class RemoveLakeWhitelist(BaseModel):
    """Symbols to remove from the whitelist of a vault.

    Its fields are (assumed).
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    symbols: Sequence[str] = field(converter=to_texts)
    """The symbols."""


@frozen(kw_only=True, field_transformer=located)
class AddLakeBlacklist(BaseModel):
    """Symbols to add to the blacklist of a vault.

    Its fields are (assumed).
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    symbols: Sequence[str] = field(converter=to_texts)
    """The symbols."""


@frozen(kw_only=True, field_transformer=located)
class UpdateLakeDepositCap(BaseModel):
    """The deposit cap of a vault.

    Its fields are (assumed).
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    deposit_cap: Decimal = field(converter=to_decimal)
    """Most that the vault takes in. Unit: USDC."""


@frozen(kw_only=True, field_transformer=located)
class ClaimLakeReferral(BaseModel):
    """A referral code of a vault to claim.

    Its fields are (assumed).
    """

    lake: str = field(converter=to_text, validator=min_len(1))
    """Address of the vault."""

    code: str = field(converter=to_text, validator=min_len(1))
    """The referral code."""


@frozen(kw_only=True)
class Market(BaseModel):
    """A market and its limits.

    Its fields are (observed).
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

    Its fields are (observed).
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

    Its fields are (assumed).
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

    Its fields are (observed).
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

    Its fields are (observed).
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

    Its fields are (observed).
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

    Its fields are (assumed).
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
class OpenOrdersQuery(BaseModel):
    """The query of `orders.list`."""

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. (observed)"""

    symbol: str | None = field(
        default=None, converter=to_optional_text, validator=optional(min_len(1))
    )
    """Only records of this trading pair. (assumed)"""


@frozen(kw_only=True, field_transformer=located)
class OrderHistoryByIdQuery(BaseModel):
    """The query of `orders.history_by_id`."""

    order_id: int = field(converter=to_integer)
    """Id of the order. (observed)"""


@frozen(kw_only=True, field_transformer=located)
class OpenTwapOrdersQuery(BaseModel):
    """The query of `twap.list`."""

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. (observed)"""


@frozen(kw_only=True, field_transformer=located)
class TwapOrderHistoryQuery(BaseModel):
    """The query of `twap.history`.

    Its fields are (observed).
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
    """The query of `twap.history_by_id`."""

    order_id: int = field(converter=to_integer)
    """Id of the order. (observed)"""


@frozen(kw_only=True, field_transformer=located)
class PositionsQuery(BaseModel):
    """The query of `positions.list`."""

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. (observed)"""

    symbol: str | None = field(
        default=None, converter=to_optional_text, validator=optional(min_len(1))
    )
    """Only records of this trading pair. (assumed)"""


@frozen(kw_only=True, field_transformer=located)
class PositionHistoryQuery(BaseModel):
    """The query of `positions.history`.

    Its fields are (assumed).
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
    """The query of `account.info`."""

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. (observed)"""


@frozen(kw_only=True, field_transformer=located)
class BalanceHistoryQuery(BaseModel):
    """The query of `account.balance_history`.

    Its fields are (observed).
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
    """The query of `account.portfolio`."""

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. (observed)"""

    time_range: str = field(converter=to_text, validator=min_len(1))
    """Length of the range, like `1d` or `7d`. (observed)"""

    start_time: int | None = field(
        default=None, converter=to_optional_time, validator=optional(ge(0))
    )
    """Only records at or after this time. An integer, or an aware datetime. Unit: ms. (observed)"""

    end_time: int | None = field(
        default=None, converter=to_optional_time, validator=optional(ge(0))
    )
    """Only records at or before this time. An integer, or an aware datetime. Unit: ms. Not before
    `start_time`. (observed)
    """

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Records per page; the service chooses when it is omitted. At least 1. (observed)"""

    granularity_in_minutes: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Distance between two points. Unit: minutes. At least 1. (assumed)"""

    def __attrs_post_init__(self) -> None:
        not_before(self, "end_time", "start_time")


@frozen(kw_only=True, field_transformer=located)
class LoanQuery(BaseModel):
    """The query of `account.loan`."""

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. (assumed)"""


@frozen(kw_only=True, field_transformer=located)
class FundingPaymentsQuery(BaseModel):
    """The query of `funding.payments`."""

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. (observed)"""

    symbol: str | None = field(
        default=None, converter=to_optional_text, validator=optional(min_len(1))
    )
    """Only records of this trading pair. (assumed)"""

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Records per page; the service chooses when it is omitted. At least 1. (observed)"""

    cursor: str | Unset = field(
        default=UNSET, converter=to_cursor_text, validator=if_given(min_len(1))
    )
    """Cursor of the page to start from, as `next_cursor` returned it. None, the `next_cursor` of a
    last page, is refused: leave it out to start at the beginning. (observed)
    """


@frozen(kw_only=True, field_transformer=located)
class SpotDepositHistoryQuery(BaseModel):
    """The query of `spot.deposit_history`.

    Its fields are (assumed).
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
    """The query of `spot.pending_withdrawals`."""

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. (assumed)"""


@frozen(kw_only=True, field_transformer=located)
class SpotAssetsQuery(BaseModel):
    """The query of `spot.assets`.

    Its fields are (assumed).
    """

    include_inactive: bool | None = field(default=None, converter=to_optional_boolean)
    """Whether to list inactive assets, too."""

    collateral_enabled_only: bool | None = field(default=None, converter=to_optional_boolean)
    """Whether to list only what can be collateral."""


@frozen(kw_only=True, field_transformer=located)
class BridgeQuery(BaseModel):
    """The query of `spot.bridge`."""

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Spot asset symbol. (assumed)"""


@frozen(kw_only=True, field_transformer=located)
class BuilderCodeApprovalsQuery(BaseModel):
    """The query of `builder_codes.approvals`."""

    account: str = field(converter=to_text, validator=min_len(1))
    """Wallet address of the account to read. The client's own unless given. (observed)"""


@frozen(kw_only=True, field_transformer=located)
class CandlesQuery(BaseModel):
    """The query of `markets.candles`."""

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol. (observed)"""

    interval: str = field(converter=to_text, validator=min_len(1))
    """Length of a candle, like `1m`, `3m`, `5m` or `1d`. (observed)"""

    start_time: int = field(converter=to_time, validator=ge(0))
    """Only candles that begin at or after this time. An integer, or an aware datetime. Unit: ms.
    (observed)
    """

    end_time: int | None = field(
        default=None, converter=to_optional_time, validator=optional(ge(0))
    )
    """Only records at or before this time. An integer, or an aware datetime. Unit: ms. Not before
    `start_time`. (observed)
    """

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Most records to return. At least 1. (assumed)"""

    def __attrs_post_init__(self) -> None:
        not_before(self, "end_time", "start_time")


@frozen(kw_only=True, field_transformer=located)
class MarkCandlesQuery(BaseModel):
    """The query of `markets.mark_candles`."""

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol. (observed)"""

    interval: str = field(converter=to_text, validator=min_len(1))
    """Length of a candle, like `1m`, `3m`, `5m` or `1d`. (observed)"""

    start_time: int = field(converter=to_time, validator=ge(0))
    """Only candles that begin at or after this time. An integer, or an aware datetime. Unit: ms.
    (observed)
    """

    end_time: int | None = field(
        default=None, converter=to_optional_time, validator=optional(ge(0))
    )
    """Only records at or before this time. An integer, or an aware datetime. Unit: ms. Not before
    `start_time`. (observed)
    """

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Most records to return. At least 1. (assumed)"""

    def __attrs_post_init__(self) -> None:
        not_before(self, "end_time", "start_time")


@frozen(kw_only=True, field_transformer=located)
class BookQuery(BaseModel):
    """The query of `markets.book`."""

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol. (observed)"""

    agg_level: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """How many price steps become one level. At least 1. (assumed)"""

    depth: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Most levels on each side. At least 1. (assumed)"""


@frozen(kw_only=True, field_transformer=located)
class RecentTradesQuery(BaseModel):
    """The query of `markets.trades`."""

    symbol: str = field(converter=to_text, validator=min_len(1))
    """Trading pair symbol. (observed)"""

    limit: int | None = field(
        default=None, converter=to_optional_integer, validator=optional(ge(1))
    )
    """Most records to return. At least 1. (assumed)"""


@frozen(kw_only=True)
class AccountInfo(BaseModel):
    """The state of an account."""

    balance: Decimal
    """Balance, without the profit and loss of open positions. Unit: USDC. (observed)"""

    fee_level: int
    """Fee tier. (observed)"""

    account_equity: Decimal
    """Balance with the profit and loss of open positions. Unit: USDC. (observed)"""

    available_to_spend: Decimal
    """What new orders can use. Unit: USDC. (observed)"""

    available_to_withdraw: Decimal
    """What can be withdrawn. Unit: USDC. (observed)"""

    pending_balance: Decimal
    """Deposits that await confirmation. Unit: USDC. (observed)"""

    total_margin_used: Decimal
    """Margin of all positions and orders. Unit: USDC. (observed)"""

    positions_count: int
    """Number of open positions. (observed)"""

    orders_count: int
    """Number of open orders. (observed)"""

    stop_orders_count: int
    """Number of open stop orders. (observed)"""

    updated_at: int
    """When the account last changed. Unit: ms. (observed)"""

    cross_mmr: Decimal | None = None
    """Maintenance margin of the cross positions. Unit: USDC. (observed)"""

    use_ltp_for_stop_orders: bool | None = None
    """Whether the last traded price triggers stop orders. (assumed)"""

    maker_fee: Decimal | None = None
    """Maker fee, as a fraction of the notional. Unit: fraction. (assumed)"""

    taker_fee: Decimal | None = None
    """Taker fee, as a fraction of the notional. Unit: fraction. (assumed)"""

    pending_interest: Decimal | None = None
    """Interest that is not charged yet. Unit: USDC. (assumed)"""

    spot_collateral: Decimal | None = None
    """Value of spot assets as collateral. Unit: USDC. (assumed)"""

    cross_account_equity: Decimal | None = None
    """Equity that backs the cross positions. Unit: USDC. (assumed)"""

    spot_market_value: Decimal | None = None
    """Market value of the spot assets. Unit: USDC. (assumed)"""

    spot_balances: tuple[SpotBalance, ...] = ()
    """Balance of each spot asset. (assumed)"""


@frozen(kw_only=True)
class Loan(BaseModel):
    """What an account has borrowed.

    Its fields are (assumed).
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

    Its fields are (assumed).
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

    Its fields are (observed).
    """

    s: str
    """Trading pair symbol."""

    l: tuple[tuple[BookLevel, ...], tuple[BookLevel, ...]]
    """The two sides of the book. Holds: The bids, The asks."""

    t: int
    """When the book was read. Unit: ms."""
