"""The commands of traders, as plain data; `Command` includes those of the sandbox's controls.

The same seed and the same commands at the same times give the same state.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal, get_args

import attrs

from trading_sandbox.engine.control_commands import (
    Advance,
    BindAgent,
    Deposit,
    ForceOutcome,
    Liquidate,
    OpenAccount,
    OpenVault,
    SetClock,
    SetMaker,
    SetMargin,
    SetMarkPrice,
)

Side = Literal["bid", "ask"]
SIDES: tuple[Side, ...] = get_args(Side)
TimeInForce = Literal["GTC", "IOC", "ALO", "TOB"]
TriggerPriceType = Literal["mark_price", "last_trade_price", "mid_price"]
Cause = Literal["normal", "market_liquidation", "backstop_liquidation", "settlement"]


def opposite(side: Side) -> Side:
    """Return the other side of the book."""
    return "bid" if side == "ask" else "ask"


# -- trading --------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class StopLeg:
    """A stop price and the order to send once it is reached.

    It describes a stop order, a take-profit or a stop-loss. The command it belongs to gives the
    market and the side.
    """

    stop_price: Decimal
    limit_price: Decimal | None = None
    """Limit price of the triggered order; None: a market order."""
    client_order_id: str | None = None
    trigger_price_type: TriggerPriceType | None = None
    """None: the mark price, or the last trade price if the account uses it for stop orders."""
    amount: Decimal | None = None
    """None: the whole position; for the leg of an order, what that order fills."""


@attrs.frozen(kw_only=True)
class PlaceLimit:
    """Place a limit order."""

    account: str
    symbol: str
    side: Side
    price: Decimal
    amount: Decimal
    tif: TimeInForce
    reduce_only: bool = False
    client_order_id: str | None = None
    take_profit: StopLeg | None = None
    stop_loss: StopLeg | None = None


@attrs.frozen(kw_only=True)
class PlaceMarket:
    """Place a market order that fills within `slippage_percent` of the current price."""

    account: str
    symbol: str
    side: Side
    amount: Decimal
    slippage_percent: Decimal
    reduce_only: bool = False
    client_order_id: str | None = None
    take_profit: StopLeg | None = None
    stop_loss: StopLeg | None = None


@attrs.frozen(kw_only=True)
class PlaceStop:
    """Place a stop order, which waits in the trigger book until its stop price is reached."""

    account: str
    symbol: str
    side: Side
    stop: StopLeg
    reduce_only: bool = False


@attrs.frozen(kw_only=True)
class SetPositionTpsl:
    """Attach a take-profit, a stop-loss or both to a position; each replaces one of its kind."""

    account: str
    symbol: str
    side: Side
    """Side of the closing orders."""
    take_profit: StopLeg | None = None
    stop_loss: StopLeg | None = None


@attrs.frozen(kw_only=True)
class OrderRef:
    """An order of an account, named by its ids: by one of them, or by both to cancel a stop order."""

    account: str
    symbol: str
    order_id: int | None = None
    client_order_id: str | None = None


@attrs.frozen(kw_only=True)
class Cancel(OrderRef):
    """Cancel an open order."""


@attrs.frozen(kw_only=True)
class CancelAll:
    """Cancel the open orders of an account, those that wait for a stop price included."""

    account: str
    symbol: str | None = None
    """None: in every market."""
    exclude_reduce_only: bool = False
    """Whether reduce-only orders stay."""


@attrs.frozen(kw_only=True)
class CancelStop(OrderRef):
    """Cancel a stop order that has not been triggered."""


@attrs.frozen(kw_only=True)
class Edit(OrderRef):
    """Cancel an open order and place another with a new price and amount."""

    price: Decimal
    amount: Decimal


# -- accounts -------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Withdraw:
    """Withdraw a spot asset."""

    account: str
    symbol: str
    amount: Decimal
    idempotency_key: str | None = None


@attrs.frozen(kw_only=True)
class SetSpotExcluded:
    """Exclude a spot asset from the collateral, or include it again."""

    account: str
    symbol: str
    excluded: bool


@attrs.frozen(kw_only=True)
class SetAutoLend:
    """Disable or enable auto-lending; None restores the default."""

    account: str
    disabled: bool | None


@attrs.frozen(kw_only=True)
class SetLeverage:
    """Set the leverage of an account in one market; the margin mode stays."""

    account: str
    symbol: str
    leverage: int


@attrs.frozen(kw_only=True)
class SetMarginMode:
    """Choose cross or isolated margin for an account in one market; the leverage stays."""

    account: str
    symbol: str
    isolated: bool


@attrs.frozen(kw_only=True)
class Transfer:
    """Move USDC between a main account and one of its subaccounts."""

    account: str
    to_account: str
    amount: Decimal


@attrs.frozen(kw_only=True)
class AddLeverageCap:
    """Cap the leverage of a vault in some markets."""

    account: str
    vault: str
    symbols: tuple[str, ...]
    max_leverage: Decimal


@attrs.frozen(kw_only=True)
class RemoveLeverageCap:
    """Remove the leverage caps of a vault in some markets."""

    account: str
    vault: str
    symbols: tuple[str, ...]


@attrs.frozen(kw_only=True)
class RemoveBlacklist:
    """Take markets off the blacklist of a vault."""

    account: str
    vault: str
    symbols: tuple[str, ...]


@attrs.frozen(kw_only=True)
class ClaimManager:
    """Become the manager of a vault that has none."""

    account: str
    vault: str
    deposit: Decimal


@attrs.frozen(kw_only=True)
class CreateApiKey:
    """Create an API config key."""

    account: str


@attrs.frozen(kw_only=True)
class RevokeApiKey:
    """Revoke an API config key."""

    account: str
    api_key: str


Command = (
    PlaceLimit
    | PlaceMarket
    | PlaceStop
    | SetPositionTpsl
    | Cancel
    | CancelAll
    | CancelStop
    | Edit
    | Withdraw
    | SetSpotExcluded
    | SetAutoLend
    | SetLeverage
    | SetMarginMode
    | Transfer
    | AddLeverageCap
    | RemoveLeverageCap
    | RemoveBlacklist
    | ClaimManager
    | CreateApiKey
    | RevokeApiKey
    | OpenAccount
    | OpenVault
    | BindAgent
    | Deposit
    | SetMargin
    | SetMarkPrice
    | SetMaker
    | ForceOutcome
    | Liquidate
    | Advance
    | SetClock
)
