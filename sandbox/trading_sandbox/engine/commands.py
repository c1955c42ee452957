"""The commands of traders and of the sandbox's controls, as plain data.

The same seed and the same commands at the same times give the same state. A command is declared here,
and the function that carries it out is marked with `@handles`; nothing else lists it.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import ClassVar, Literal, get_args

import attrs

Side = Literal["bid", "ask"]
SIDES: tuple[Side, ...] = get_args(Side)
TimeInForce = Literal["GTC", "IOC", "ALO", "TOB"]
TriggerPriceType = Literal["mark_price", "last_trade_price", "mid_price"]
LiquidationCause = Literal["market_liquidation", "backstop_liquidation", "settlement"]
Cause = Literal["normal", LiquidationCause]
ForcedStatus = Literal["filled", "partially_filled", "cancelled", "rejected", "refused"]


def opposite(side: Side) -> Side:
    """Return the other side of the book."""
    return "bid" if side == "ask" else "ask"


@attrs.frozen(kw_only=True)
class Command:
    """What changes the exchange."""

    operation: ClassVar[str] = ""
    """The operation or batch action whose request is this command, field by field; empty for none."""


@attrs.frozen(kw_only=True)
class AccountCommand(Command):
    """A command of one account, or about it."""

    account: str


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
class PlaceOrder(AccountCommand):
    """Place an order that enters the book at once."""

    symbol: str
    side: Side
    amount: Decimal
    reduce_only: bool = False
    client_order_id: str | None = None
    take_profit: StopLeg | None = None
    stop_loss: StopLeg | None = None


@attrs.frozen(kw_only=True)
class PlaceLimit(PlaceOrder):
    """Place a limit order."""

    operation = "orders.create"

    price: Decimal
    tif: TimeInForce


@attrs.frozen(kw_only=True)
class PlaceMarket(PlaceOrder):
    """Place a market order that fills within `slippage_percent` of the current price."""

    operation = "orders.create_market"

    slippage_percent: Decimal


@attrs.frozen(kw_only=True)
class PlaceStop(AccountCommand):
    """Place a stop order, which waits in the trigger book until its stop price is reached."""

    operation = "orders.create_stop"

    symbol: str
    side: Side
    stop: StopLeg
    reduce_only: bool = False


@attrs.frozen(kw_only=True)
class SetPositionTpsl(AccountCommand):
    """Attach a take-profit, a stop-loss or both to a position; each replaces one of its kind."""

    operation = "orders.set_position_tpsl"

    symbol: str
    side: Side
    """Side of the closing orders."""
    take_profit: StopLeg | None = None
    stop_loss: StopLeg | None = None


@attrs.frozen(kw_only=True)
class OrderRef(AccountCommand):
    """An order of an account, named by its ids: by one of them, or by both to cancel a stop order."""

    symbol: str
    order_id: int | None = None
    client_order_id: str | None = None


@attrs.frozen(kw_only=True)
class Cancel(OrderRef):
    """Cancel an open order."""

    operation = "orders.cancel"


@attrs.frozen(kw_only=True)
class CancelAll(AccountCommand):
    """Cancel the open orders of an account, those that wait for a stop price included."""

    symbol: str | None = None
    """None: in every market."""
    exclude_reduce_only: bool = False
    """Whether reduce-only orders stay."""


@attrs.frozen(kw_only=True)
class CancelStop(OrderRef):
    """Cancel a stop order that has not been triggered."""

    operation = "orders.cancel_stop"


@attrs.frozen(kw_only=True)
class Edit(OrderRef):
    """Cancel an open order and place another with a new price and amount."""

    operation = "orders.edit"

    price: Decimal
    amount: Decimal


# -- accounts -------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Withdraw(AccountCommand):
    """Withdraw a spot asset."""

    operation = "spot.withdraw"

    symbol: str
    amount: Decimal
    idempotency_key: str | None = None


@attrs.frozen(kw_only=True)
class WithdrawUsdc(AccountCommand):
    """Withdraw USDC."""

    operation = "account.withdraw"

    amount: Decimal


@attrs.frozen(kw_only=True)
class AddIsolatedMargin(AccountCommand):
    """Add USDC to the margin of an isolated position."""

    operation = "positions.add_isolated_margin"

    symbol: str
    amount: Decimal


@attrs.frozen(kw_only=True)
class SetSpotExcluded(AccountCommand):
    """Exclude a spot asset from the collateral, or include it again."""

    operation = "account.update_spot_settings"

    symbol: str
    excluded: bool


@attrs.frozen(kw_only=True)
class SetAutoLend(AccountCommand):
    """Disable or enable auto-lending; None restores the default."""

    disabled: bool | None


@attrs.frozen(kw_only=True)
class SetLeverage(AccountCommand):
    """Set the leverage of an account in one market; the margin mode stays."""

    operation = "account.update_leverage"

    symbol: str
    leverage: int


@attrs.frozen(kw_only=True)
class SetMarginMode(AccountCommand):
    """Choose cross or isolated margin for an account in one market; the leverage stays."""

    operation = "account.update_margin_mode"

    symbol: str
    isolated: bool


@attrs.frozen(kw_only=True)
class Transfer(AccountCommand):
    """Move USDC between a main account and one of its subaccounts."""

    operation = "subaccounts.transfer"

    to_account: str
    amount: Decimal


@attrs.frozen(kw_only=True)
class ChangeVault(AccountCommand):
    """Change what a vault may trade in some markets."""

    vault: str
    symbols: tuple[str, ...]


@attrs.frozen(kw_only=True)
class AddLeverageCap(ChangeVault):
    """Cap the leverage of a vault in some markets."""

    operation = "vaults.add_max_leverage"

    max_leverage: Decimal


@attrs.frozen(kw_only=True)
class RemoveLeverageCap(ChangeVault):
    """Remove the leverage caps of a vault in some markets."""

    operation = "vaults.remove_max_leverage"


@attrs.frozen(kw_only=True)
class RemoveBlacklist(ChangeVault):
    """Take markets off the blacklist of a vault."""

    operation = "vaults.remove_blacklist"


@attrs.frozen(kw_only=True)
class ClaimManager(AccountCommand):
    """Become the manager of a vault that has none."""

    operation = "vaults.claim_manager"

    vault: str
    deposit: Decimal


@attrs.frozen(kw_only=True)
class CreateApiKey(AccountCommand):
    """Create an API config key."""

    operation = "api_keys.create"


@attrs.frozen(kw_only=True)
class RevokeApiKey(AccountCommand):
    """Revoke an API config key."""

    operation = "api_keys.revoke"

    api_key: str


@attrs.frozen(kw_only=True)
class RevokeAgent(AccountCommand):
    """Take the right to sign for an account from an agent wallet."""

    operation = "agents.revoke"

    agent: str


@attrs.frozen(kw_only=True)
class RevokeAgents(AccountCommand):
    """Take the right to sign for an account from all agent wallets."""

    operation = "agents.revoke_all"


@attrs.frozen(kw_only=True)
class ApproveBuilderCode(AccountCommand):
    """Let orders of an account carry a builder code."""

    operation = "builder_codes.approve"

    builder_code: str
    max_fee_rate: Decimal


@attrs.frozen(kw_only=True)
class RevokeBuilderCode(AccountCommand):
    """Revoke the approval of a builder code."""

    operation = "builder_codes.revoke"

    builder_code: str


# -- controls, which no trader can send ------------------------------------------------------------


@attrs.frozen(kw_only=True)
class OpenAccount(AccountCommand):
    """Open an account with a deposit; with `main` it is a subaccount of that account."""

    usdc: Decimal
    spot: Mapping[str, Decimal] = attrs.field(factory=dict)
    main: str | None = None
    use_ltp_for_stop_orders: bool = False


@attrs.frozen(kw_only=True)
class OpenVault(Command):
    """Open a vault, managed by its creator or by nobody."""

    vault: str
    creator: str
    managed: bool
    blacklist: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class BindAgent(AccountCommand):
    """Let an agent wallet sign for an account; one that is bound already may, too."""

    operation = "agents.bind"

    agent: str


@attrs.frozen(kw_only=True)
class Deposit(AccountCommand):
    """Credit an account with USDC and spot assets."""

    usdc: Decimal
    spot: Mapping[str, Decimal] | None = None


@attrs.frozen(kw_only=True)
class AddHistory(AccountCommand):
    """Record round trips of an account in one market, an order and a trade every `spacing_ms`."""

    symbol: str
    round_trips: int
    first_at: int
    """When the first order was made and filled, in ms."""
    spacing_ms: int


@attrs.frozen(kw_only=True)
class SetMargin(AccountCommand):
    """Set the margin mode, cross or isolated, and the leverage of an account in one market."""

    symbol: str
    isolated: bool
    leverage: int | None
    """None: the maximum of the market."""


@attrs.frozen(kw_only=True)
class SetMarkPrice(Command):
    """Pin the mark price of a market, or let it follow its price path again."""

    symbol: str
    price: Decimal | None
    """None: follow the price path again."""


@attrs.frozen(kw_only=True)
class SetMaker(Command):
    """Turn the background maker and the price paths on or off."""

    on: bool


@attrs.frozen(kw_only=True)
class ForceOutcome(Command):
    """Force the outcome of the next order with a client order id."""

    client_order_id: str
    status: ForcedStatus
    reason: str | None = None
    """The order's reason for `cancelled` and `rejected`; the error text for `refused`."""


@attrs.frozen(kw_only=True)
class Liquidate(AccountCommand):
    """Liquidate positions of an account, whatever its margin."""

    symbol: str | None
    """Market of the position; None: every position."""
    cause: LiquidationCause


@attrs.frozen(kw_only=True)
class Advance(Command):
    """Advance the exchange to the time of the command: prices move, funding is paid."""

    pace: tuple[int, int] | None = None
    """Which price steps are taken: the time of one, from which all are counted, and the time between two, in ms.

    None: `MOST_STEPS` at most, the last one included.
    """


@attrs.frozen(kw_only=True)
class SetClock(Command):
    """Store the settings of the sandbox's clock, so that a restart continues with them."""

    frozen_at: int | None
    """Time at which the clock is frozen, in ms; None while it runs."""
    offset: int
    """How far the clock is ahead of the machine's, in ms."""
