# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""The keys of the mappings that may be given in the place of models, for type checkers."""

from collections.abc import Sequence

from typing_extensions import NotRequired, TypedDict

from trading_runtime import DecimalLike, IntegerLike, TimeLike, Unset, UUIDLike
from trading_sdk.mappings import (
    AccountSettingsQueryDict as AccountSettingsQueryDict,
    AddLakeMaxLeverageDict as AddLakeMaxLeverageDict,
    CancelOrderAction as CancelOrderAction,
    CancelOrderDict as CancelOrderDict,
    CancelStopOrderAction as CancelStopOrderAction,
    CancelStopOrderDict as CancelStopOrderDict,
    ClaimLakeManagerDict as ClaimLakeManagerDict,
    CreateMarketOrderAction as CreateMarketOrderAction,
    CreateMarketOrderDict as CreateMarketOrderDict,
    CreateOrderAction as CreateOrderAction,
    CreateOrderDict as CreateOrderDict,
    CreateStopOrderDict as CreateStopOrderDict,
    EditOrderAction as EditOrderAction,
    EditOrderDict as EditOrderDict,
    FundingHistoryQueryDict as FundingHistoryQueryDict,
    OrderHistoryQueryDict as OrderHistoryQueryDict,
    OrdersBatchAction as OrdersBatchAction,
    PositionTpslConfigDict as PositionTpslConfigDict,
    RemoveLakeBlacklistDict as RemoveLakeBlacklistDict,
    RemoveLakeMaxLeverageDict as RemoveLakeMaxLeverageDict,
    RevokeApiKeyDict as RevokeApiKeyDict,
    SetAutoLendDisabledDict as SetAutoLendDisabledDict,
    SetPositionTpslAction as SetPositionTpslAction,
    SetPositionTpslDict as SetPositionTpslDict,
    SpotBalanceHistoryQueryDict as SpotBalanceHistoryQueryDict,
    SpotWithdrawalHistoryQueryDict as SpotWithdrawalHistoryQueryDict,
    StopOrderConfigDict as StopOrderConfigDict,
    TpslConfigDict as TpslConfigDict,
    TradeHistoryQueryDict as TradeHistoryQueryDict,
    TransferFundsDict as TransferFundsDict,
    UpdateSpotSettingsDict as UpdateSpotSettingsDict,
    WithdrawSpotAssetDict as WithdrawSpotAssetDict,
)
from trading_sdk_observed.models import SideLike


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
