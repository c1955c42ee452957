# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""The keys of the mappings that may be given in the place of models, for type checkers."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict

from trading_runtime import DecimalLike, IntegerLike, TimeLike, Unset, UUIDLike
from trading_sdk_observed.models import (
    CancelOrder,
    CancelStopOrder,
    CreateMarketOrder,
    CreateOrder,
    EditOrder,
    PositionTpslConfigLike,
    SetPositionTpsl,
    SideLike,
    StopOrderConfigLike,
    TimeInForceLike,
    TpslConfigLike,
    TriggerPriceTypeLike,
)


class TpslConfigDict(TypedDict):
    """`TpslConfig` as a mapping. The model describes its keys."""

    stop_price: DecimalLike
    limit_price: NotRequired[DecimalLike | None]
    client_order_id: NotRequired[UUIDLike | None]
    trigger_price_type: NotRequired[TriggerPriceTypeLike | None]


class StopOrderConfigDict(TypedDict):
    """`StopOrderConfig` as a mapping. The model describes its keys."""

    stop_price: DecimalLike
    limit_price: NotRequired[DecimalLike | None]
    client_order_id: NotRequired[UUIDLike | Unset | None]
    trigger_price_type: NotRequired[TriggerPriceTypeLike | None]
    amount: NotRequired[DecimalLike | None]


class PositionTpslConfigDict(TypedDict):
    """`PositionTpslConfig` as a mapping. The model describes its keys."""

    stop_price: DecimalLike
    limit_price: NotRequired[DecimalLike | None]
    amount: NotRequired[DecimalLike | None]
    client_order_id: NotRequired[UUIDLike | None]
    trigger_price_type: NotRequired[TriggerPriceTypeLike | None]


class CreateOrderDict(TypedDict):
    """`CreateOrder` as a mapping. The model describes its keys."""

    symbol: str
    price: DecimalLike
    amount: DecimalLike
    side: SideLike
    tif: TimeInForceLike
    reduce_only: bool
    client_order_id: NotRequired[UUIDLike | Unset | None]
    take_profit: NotRequired[TpslConfigLike | None]
    stop_loss: NotRequired[TpslConfigLike | None]
    builder_code: NotRequired[str | None]


class CreateStopOrderDict(TypedDict):
    """`CreateStopOrder` as a mapping. The model describes its keys."""

    symbol: str
    side: SideLike
    reduce_only: bool
    stop_order: StopOrderConfigLike
    builder_code: NotRequired[str | None]


class EditOrderDict(TypedDict):
    """`EditOrder` as a mapping. The model describes its keys."""

    symbol: str
    price: DecimalLike
    amount: DecimalLike
    order_id: NotRequired[IntegerLike | None]
    client_order_id: NotRequired[UUIDLike | None]


class CancelStopOrderDict(TypedDict):
    """`CancelStopOrder` as a mapping. The model describes its keys."""

    symbol: str
    order_id: NotRequired[IntegerLike | None]
    client_order_id: NotRequired[UUIDLike | None]


class CreateMarketOrderDict(TypedDict):
    """`CreateMarketOrder` as a mapping. The model describes its keys."""

    symbol: str
    amount: DecimalLike
    side: SideLike
    slippage_percent: DecimalLike
    reduce_only: bool
    client_order_id: NotRequired[UUIDLike | Unset | None]
    take_profit: NotRequired[TpslConfigLike | None]
    stop_loss: NotRequired[TpslConfigLike | None]
    builder_code: NotRequired[str | None]


class CancelOrderDict(TypedDict):
    """`CancelOrder` as a mapping. The model describes its keys."""

    symbol: str
    order_id: NotRequired[IntegerLike | None]
    client_order_id: NotRequired[UUIDLike | None]


class SetPositionTpslDict(TypedDict):
    """`SetPositionTpsl` as a mapping. The model describes its keys."""

    symbol: str
    side: SideLike
    take_profit: NotRequired[PositionTpslConfigLike | None]
    stop_loss: NotRequired[PositionTpslConfigLike | None]


class WithdrawSpotAssetDict(TypedDict):
    """`WithdrawSpotAsset` as a mapping. The model describes its keys."""

    symbol: str
    amount: DecimalLike
    idempotency_key: NotRequired[UUIDLike | Unset | None]


class UpdateSpotSettingsDict(TypedDict):
    """`UpdateSpotSettings` as a mapping. The model describes its keys."""

    symbol: str
    unified_margin_excluded: bool


class SetAutoLendDisabledDict(TypedDict):
    """`SetAutoLendDisabled` as a mapping. The model describes its keys."""

    disabled: NotRequired[bool | Unset | None]


class TransferFundsDict(TypedDict):
    """`TransferFunds` as a mapping. The model describes its keys."""

    to_account: str
    amount: DecimalLike


class AddLakeMaxLeverageDict(TypedDict):
    """`AddLakeMaxLeverage` as a mapping. The model describes its keys."""

    lake: str
    symbols: Sequence[str]
    max_leverage: DecimalLike


class RemoveLakeMaxLeverageDict(TypedDict):
    """`RemoveLakeMaxLeverage` as a mapping. The model describes its keys."""

    lake: str
    symbols: Sequence[str]


class RemoveLakeBlacklistDict(TypedDict):
    """`RemoveLakeBlacklist` as a mapping. The model describes its keys."""

    lake: str
    symbols: Sequence[str]


class ClaimLakeManagerDict(TypedDict):
    """`ClaimLakeManager` as a mapping. The model describes its keys."""

    lake: str
    deposit_amount: DecimalLike


class RevokeApiKeyDict(TypedDict):
    """`RevokeApiKey` as a mapping. The model describes its keys."""

    api_key: str


class CancelAllOrdersDict(TypedDict):
    """`CancelAllOrders` as a mapping. The model describes its keys."""

    all_symbols: bool
    exclude_reduce_only: bool
    symbol: NotRequired[str | None]


class CreateTwapOrderDict(TypedDict):
    """`CreateTwapOrder` as a mapping. The model describes its keys."""

    symbol: str
    amount: DecimalLike
    side: SideLike
    slippage_percent: DecimalLike
    reduce_only: bool
    duration_in_seconds: IntegerLike
    client_order_id: NotRequired[UUIDLike | Unset | None]


class CancelTwapOrderDict(TypedDict):
    """`CancelTwapOrder` as a mapping. The model describes its keys."""

    symbol: str
    order_id: NotRequired[IntegerLike | None]
    client_order_id: NotRequired[UUIDLike | None]


class AddIsolatedMarginDict(TypedDict):
    """`AddIsolatedMargin` as a mapping. The model describes its keys."""

    symbol: str
    amount: DecimalLike


class UpdateLeverageDict(TypedDict):
    """`UpdateLeverage` as a mapping. The model describes its keys."""

    symbol: str
    leverage: IntegerLike


class UpdateMarginModeDict(TypedDict):
    """`UpdateMarginMode` as a mapping. The model describes its keys."""

    symbol: str
    is_isolated: bool


class WithdrawDict(TypedDict):
    """`Withdraw` as a mapping. The model describes its keys."""

    amount: DecimalLike


class TransferSpotAssetDict(TypedDict):
    """`TransferSpotAsset` as a mapping. The model describes its keys."""

    to_account: str
    symbol: str
    amount: DecimalLike
    idempotency_key: NotRequired[UUIDLike | Unset | None]


class BindAgentWalletDict(TypedDict):
    """`BindAgentWallet` as a mapping. The model describes its keys."""

    agent_wallet: str


class RevokeAgentWalletDict(TypedDict):
    """`RevokeAgentWallet` as a mapping. The model describes its keys."""

    agent_wallet: str


class ListAgentIpWhitelistDict(TypedDict):
    """`ListAgentIpWhitelist` as a mapping. The model describes its keys."""

    api_agent_key: str


class AddAgentWhitelistedIpDict(TypedDict):
    """`AddAgentWhitelistedIp` as a mapping. The model describes its keys."""

    agent_wallet: str
    ip_address: str


class RemoveAgentWhitelistedIpDict(TypedDict):
    """`RemoveAgentWhitelistedIp` as a mapping. The model describes its keys."""

    agent_wallet: str
    ip_address: str


class SetAgentIpWhitelistEnabledDict(TypedDict):
    """`SetAgentIpWhitelistEnabled` as a mapping. The model describes its keys."""

    agent_wallet: str
    enabled: bool


class RevokeBuilderCodeDict(TypedDict):
    """`RevokeBuilderCode` as a mapping. The model describes its keys."""

    builder_code: str


class ApproveBuilderCodeDict(TypedDict):
    """`ApproveBuilderCode` as a mapping. The model describes its keys."""

    builder_code: str
    max_fee_rate: DecimalLike


class CreateLakeDict(TypedDict):
    """`CreateLake` as a mapping. The model describes its keys."""

    nickname: str
    initial_deposit: DecimalLike
    referral_code: NotRequired[str | None]
    deposit_cap: DecimalLike
    manager_profit_share: DecimalLike
    deposit_min_duration_ms: IntegerLike
    manager_min_balance_portion: DecimalLike
    manager_liquidation_balance_portion: DecimalLike
    withdraw_window_s: IntegerLike
    withdraw_duration_s: IntegerLike


class DepositToLakeDict(TypedDict):
    """`DepositToLake` as a mapping. The model describes its keys."""

    lake: str
    amount: DecimalLike
    idempotency_key: NotRequired[UUIDLike | Unset | None]


class WithdrawFromLakeDict(TypedDict):
    """`WithdrawFromLake` as a mapping. The model describes its keys."""

    lake: str
    shares: DecimalLike
    idempotency_key: NotRequired[UUIDLike | Unset | None]


class AddLakeWhitelistDict(TypedDict):
    """`AddLakeWhitelist` as a mapping. The model describes its keys."""

    lake: str
    symbols: Sequence[str]


class RemoveLakeWhitelistDict(TypedDict):
    """`RemoveLakeWhitelist` as a mapping. The model describes its keys."""

    lake: str
    symbols: Sequence[str]


class AddLakeBlacklistDict(TypedDict):
    """`AddLakeBlacklist` as a mapping. The model describes its keys."""

    lake: str
    symbols: Sequence[str]


class UpdateLakeDepositCapDict(TypedDict):
    """`UpdateLakeDepositCap` as a mapping. The model describes its keys."""

    lake: str
    deposit_cap: DecimalLike


class ClaimLakeReferralDict(TypedDict):
    """`ClaimLakeReferral` as a mapping. The model describes its keys."""

    lake: str
    code: str


class OrderHistoryQueryDict(TypedDict):
    """`OrderHistoryQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]
    limit: NotRequired[IntegerLike | None]
    cursor: NotRequired[str | Unset]


class TradeHistoryQueryDict(TypedDict):
    """`TradeHistoryQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]
    symbol: NotRequired[str | None]
    start_time: NotRequired[TimeLike | None]
    end_time: NotRequired[TimeLike | None]
    limit: NotRequired[IntegerLike | None]
    cursor: NotRequired[str | Unset]


class SpotBalanceHistoryQueryDict(TypedDict):
    """`SpotBalanceHistoryQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]
    symbol: NotRequired[str | None]
    limit: NotRequired[IntegerLike | None]
    cursor: NotRequired[str | Unset]


class SpotWithdrawalHistoryQueryDict(TypedDict):
    """`SpotWithdrawalHistoryQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]
    limit: NotRequired[IntegerLike | None]
    cursor: NotRequired[str | Unset]


class AccountSettingsQueryDict(TypedDict):
    """`AccountSettingsQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]


class FundingHistoryQueryDict(TypedDict):
    """`FundingHistoryQuery` as a mapping. The model describes its keys."""

    symbol: str
    limit: NotRequired[IntegerLike | None]
    cursor: NotRequired[str | Unset]


class OpenOrdersQueryDict(TypedDict):
    """`OpenOrdersQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]
    symbol: NotRequired[str | None]


class OrderHistoryByIdQueryDict(TypedDict):
    """`OrderHistoryByIdQuery` as a mapping. The model describes its keys."""

    order_id: IntegerLike


class OpenTwapOrdersQueryDict(TypedDict):
    """`OpenTwapOrdersQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]


class TwapOrderHistoryQueryDict(TypedDict):
    """`TwapOrderHistoryQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]
    limit: NotRequired[IntegerLike | None]
    cursor: NotRequired[str | Unset]


class TwapOrderHistoryByIdQueryDict(TypedDict):
    """`TwapOrderHistoryByIdQuery` as a mapping. The model describes its keys."""

    order_id: IntegerLike


class PositionsQueryDict(TypedDict):
    """`PositionsQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]
    symbol: NotRequired[str | None]


class PositionHistoryQueryDict(TypedDict):
    """`PositionHistoryQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]
    symbol: NotRequired[str | None]
    start_time: NotRequired[TimeLike | None]
    end_time: NotRequired[TimeLike | None]
    limit: NotRequired[IntegerLike | None]
    offset: NotRequired[IntegerLike | None]


class AccountQueryDict(TypedDict):
    """`AccountQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]


class BalanceHistoryQueryDict(TypedDict):
    """`BalanceHistoryQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]
    limit: NotRequired[IntegerLike | None]
    cursor: NotRequired[str | Unset]


class PortfolioQueryDict(TypedDict):
    """`PortfolioQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]
    time_range: str
    start_time: NotRequired[TimeLike | None]
    end_time: NotRequired[TimeLike | None]
    limit: NotRequired[IntegerLike | None]
    granularity_in_minutes: NotRequired[IntegerLike | None]


class LoanQueryDict(TypedDict):
    """`LoanQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]


class FundingPaymentsQueryDict(TypedDict):
    """`FundingPaymentsQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]
    symbol: NotRequired[str | None]
    limit: NotRequired[IntegerLike | None]
    cursor: NotRequired[str | Unset]


class SpotDepositHistoryQueryDict(TypedDict):
    """`SpotDepositHistoryQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]
    limit: NotRequired[IntegerLike | None]
    cursor: NotRequired[str | Unset]


class PendingSpotWithdrawalsQueryDict(TypedDict):
    """`PendingSpotWithdrawalsQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]


class SpotAssetsQueryDict(TypedDict):
    """`SpotAssetsQuery` as a mapping. The model describes its keys."""

    include_inactive: NotRequired[bool | None]
    collateral_enabled_only: NotRequired[bool | None]


class BridgeQueryDict(TypedDict):
    """`BridgeQuery` as a mapping. The model describes its keys."""

    symbol: str


class BuilderCodeApprovalsQueryDict(TypedDict):
    """`BuilderCodeApprovalsQuery` as a mapping. The model describes its keys."""

    account: NotRequired[str | None]


class CandlesQueryDict(TypedDict):
    """`CandlesQuery` as a mapping. The model describes its keys."""

    symbol: str
    interval: str
    start_time: TimeLike
    end_time: NotRequired[TimeLike | None]
    limit: NotRequired[IntegerLike | None]


class MarkCandlesQueryDict(TypedDict):
    """`MarkCandlesQuery` as a mapping. The model describes its keys."""

    symbol: str
    interval: str
    start_time: TimeLike
    end_time: NotRequired[TimeLike | None]
    limit: NotRequired[IntegerLike | None]


class BookQueryDict(TypedDict):
    """`BookQuery` as a mapping. The model describes its keys."""

    symbol: str
    agg_level: NotRequired[IntegerLike | None]
    depth: NotRequired[IntegerLike | None]


class RecentTradesQueryDict(TypedDict):
    """`RecentTradesQuery` as a mapping. The model describes its keys."""

    symbol: str
    limit: NotRequired[IntegerLike | None]


class CreateOrderAction(TypedDict):
    """`CreateOrder` as an action of a batch, as on the wire."""

    type: Literal["Create"]
    data: CreateOrder | CreateOrderDict


class EditOrderAction(TypedDict):
    """`EditOrder` as an action of a batch, as on the wire."""

    type: Literal["Edit"]
    data: EditOrder | EditOrderDict


class CancelStopOrderAction(TypedDict):
    """`CancelStopOrder` as an action of a batch, as on the wire."""

    type: Literal["CancelStopOrder"]
    data: CancelStopOrder | CancelStopOrderDict


class CreateMarketOrderAction(TypedDict):
    """`CreateMarketOrder` as an action of a batch, as on the wire."""

    type: Literal["CreateMarket"]
    data: CreateMarketOrder | CreateMarketOrderDict


class CancelOrderAction(TypedDict):
    """`CancelOrder` as an action of a batch, as on the wire."""

    type: Literal["Cancel"]
    data: CancelOrder | CancelOrderDict


class SetPositionTpslAction(TypedDict):
    """`SetPositionTpsl` as an action of a batch, as on the wire."""

    type: Literal["SetPositionTpsl"]
    data: SetPositionTpsl | SetPositionTpslDict


OrdersBatchAction: TypeAlias = (
    CreateOrderAction
    | CreateMarketOrderAction
    | CancelOrderAction
    | EditOrderAction
    | SetPositionTpslAction
    | CancelStopOrderAction
)
"""An action of a batch as a mapping."""
