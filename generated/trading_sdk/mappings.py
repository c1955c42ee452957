# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The keys of the mappings that may be given in the place of models, for type checkers."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict

from trading_runtime import DecimalLike, IntegerLike, TimeLike, Unset, UUIDLike
from trading_sdk.models import (
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
