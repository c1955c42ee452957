"""What the caller gets for each answer of the table in tests/interface, typed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

import attrs

from tests.interface import OPERATIONS, Json, samples
from trading_runtime.codec.hidden import hidden
from trading_sdk import (
    AccountSettings,
    ApiKey,
    FundingRecord,
    MarginSetting,
    Order,
    OrderPlaced,
    OrderReason,
    OrderStatus,
    OrderType,
    SharesMinted,
    Side,
    SpotBalanceEvent,
    SpotSetting,
    SpotWithdrawal,
    Subaccount,
    Trade,
    TradeCause,
    TradeEventType,
    TradeSide,
    WithdrawalReceipt,
)

_ID = UUID(samples.ID_A)
_ORDERS = [
    Order(
        order_id=315979358,
        client_order_id=_ID,
        symbol="BTC",
        side=Side.BID,
        price=Decimal("100000"),
        initial_price=Decimal("100000"),
        average_filled_price=Decimal("99999.50"),
        amount=Decimal("0.1"),
        filled_amount=Decimal("0.04"),
        order_status=OrderStatus.CANCELLED,
        order_type=OrderType.STOP_LIMIT,
        stop_price=Decimal("99000"),
        stop_parent_order_id=9007199254740993,
        reduce_only=True,
        reason=OrderReason.SELF_TRADE_PREVENTED,
        created_at=1759224706737,
        updated_at=1759224706738,
    ),
    Order(
        order_id=1,
        client_order_id=None,
        symbol="ETH",
        side=Side.ASK,
        price=None,
        initial_price=Decimal("1"),
        average_filled_price=Decimal("0"),
        amount=Decimal("2"),
        filled_amount=Decimal("0"),
        order_status=OrderStatus.OPEN,
        order_type=OrderType.LIMIT,
        stop_price=None,
        stop_parent_order_id=None,
        reduce_only=False,
        reason=None,
        created_at=1,
        updated_at=2,
    ),
]
_TRADE = Trade(
    history_id=19329801,
    order_id=315293920,
    client_order_id=_ID,
    symbol="LDO",
    amount=Decimal("0.1"),
    price=Decimal("1.1904"),
    entry_price=Decimal("1.176247"),
    fee=Decimal("0"),
    pnl=Decimal("-0.001415"),
    event_type=TradeEventType.FULFILL_MAKER,
    side=TradeSide.CLOSE_SHORT,
    created_at=1759215599188,
    cause=TradeCause.BACKSTOP_LIQUIDATION,
)
_BALANCE_EVENT = SpotBalanceEvent(
    amount=Decimal("-1.5"),
    balance=Decimal("98.5"),
    symbol="SOL",
    event_type="withdraw",
    created_at=1759215599188,
)
_WITHDRAWAL = SpotWithdrawal(
    symbol="SOL",
    amount=Decimal("1.5"),
    batch_nonce=42,
    transaction_id=samples.TRANSACTION,
    created_at=1759215599188,
)
_FUNDING = FundingRecord(
    oracle_price=Decimal("117170.410304"),
    bid_impact_price=Decimal("117126"),
    ask_impact_price=Decimal("117142"),
    funding_rate=Decimal("0.0000125"),
    next_funding_rate=Decimal("-0.0000125"),
    created_at=1753806934249,
)
_SUBACCOUNT = Subaccount(
    address=samples.LAKE,
    balance=Decimal("100.000000"),
    pending_balance=Decimal("0.5"),
    fee_level=0,
    fee_mode="auto",
    use_ltp_for_stop_orders=False,
    created_at=1683216000000,
)
_SETTINGS = AccountSettings(
    auto_lend_disabled=None,
    margin_settings=(
        MarginSetting(symbol="WLFI", isolated=False, leverage=5, created_at=1, updated_at=2),
    ),
    spot_settings=(SpotSetting(symbol="SOL", unified_margin_excluded=True),),
)
_RECEIPT = WithdrawalReceipt(
    symbol="SOL", batch_nonce=7, requested_amount=Decimal("1.50"), fee_amount=Decimal("0.01")
)
_PLACED = OrderPlaced(order_id=123498765)

RESULTS: Mapping[str, Any] = {
    "orders.create": _PLACED,
    "orders.create_stop": _PLACED,
    "orders.edit": _PLACED,
    "orders.cancel_stop": None,
    "orders.history": _ORDERS,
    "trades.history": [_TRADE],
    "spot.withdraw": _RECEIPT,
    "spot.balance_history": [_BALANCE_EVENT],
    "spot.withdrawal_history": [_WITHDRAWAL],
    "account.settings": _SETTINGS,
    "account.update_spot_settings": None,
    "account.set_auto_lend_disabled": None,
    "subaccounts.list": (_SUBACCOUNT,),
    "subaccounts.transfer": None,
    "vaults.add_max_leverage": None,
    "vaults.remove_max_leverage": None,
    "vaults.remove_blacklist": None,
    "vaults.claim_manager": SharesMinted(shares_minted=Decimal("9.50")),
    "funding.history": [_FUNDING],
    "api_keys.create": ApiKey(api_key=samples.KEY),
    "api_keys.revoke": None,
    "api_keys.list": hidden([{"api_key": samples.KEY, "new": [7, 1.5, None]}]),
}
"""Of what has an endpoint, all but the batch: its results are those of its actions."""


def told(operation: str, sent: Json, number: int = 0) -> tuple[Any, Any]:
    """What is answered to a message, and what its caller gets: as in the tables, for this message.

    What a result repeats is what was sent, and `number` is added to an id that must be new.
    """
    known, answer, result = OPERATIONS[operation], OPERATIONS[operation].answer, RESULTS[operation]
    if known.new_id:
        id_ = {known.new_id: answer[known.new_id] + number}
        return {**answer, **id_}, attrs.evolve(result, **id_)
    repeated = {name: sent[field] for name, field in known.echoes.items() if field in sent}
    data = answer.get("data") if repeated else None
    if isinstance(data, list):
        records = [_repeating(each, repeated) for each in result]
        return {**answer, "data": [{**each, **repeated} for each in data]}, records
    if isinstance(data, dict):
        return {**answer, "data": {**data, **repeated}}, _repeating(result, repeated)
    return answer, result


def _repeating(record: Any, texts: Mapping[str, str]) -> Any:
    typed = {name: type(getattr(record, name))(text) for name, text in texts.items()}
    return attrs.evolve(record, **typed)
