"""Commands of the sandbox's controls, which no trader can send."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal

import attrs

LiquidationCause = Literal["market_liquidation", "backstop_liquidation", "settlement"]
ForcedStatus = Literal["filled", "partially_filled", "cancelled", "rejected", "refused"]


@attrs.frozen(kw_only=True)
class OpenAccount:
    """Open an account with a deposit; with `main` it is a subaccount of that account."""

    account: str
    usdc: Decimal
    spot: Mapping[str, Decimal] = attrs.field(factory=dict)
    main: str | None = None
    use_ltp_for_stop_orders: bool = False


@attrs.frozen(kw_only=True)
class OpenVault:
    """Open a vault, managed by its creator or by nobody."""

    vault: str
    creator: str
    managed: bool
    blacklist: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class BindAgent:
    """Let an agent wallet sign for an account."""

    account: str
    agent: str
    again: bool = False
    """Whether an agent that is bound already is accepted and changes nothing."""


@attrs.frozen(kw_only=True)
class Deposit:
    """Credit an account with USDC and spot assets."""

    account: str
    usdc: Decimal
    spot: Mapping[str, Decimal] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class SetMargin:
    """Set the margin mode, cross or isolated, and the leverage of an account in one market."""

    account: str
    symbol: str
    isolated: bool
    leverage: int | None
    """None: the maximum of the market."""


@attrs.frozen(kw_only=True)
class SetMarkPrice:
    """Pin the mark price of a market, or let it follow its price path again."""

    symbol: str
    price: Decimal | None
    """None: follow the price path again."""


@attrs.frozen(kw_only=True)
class SetMaker:
    """Turn the background maker and the price paths on or off."""

    on: bool


@attrs.frozen(kw_only=True)
class ForceOutcome:
    """Force the outcome of the next order with a client order id."""

    client_order_id: str
    status: ForcedStatus
    reason: str | None = None
    """The order's reason for `cancelled` and `rejected`; the error text for `refused`."""


@attrs.frozen(kw_only=True)
class Liquidate:
    """Liquidate positions of an account, whatever its margin."""

    account: str
    symbol: str | None
    """Market of the position; None: every position."""
    cause: LiquidationCause


@attrs.frozen(kw_only=True)
class Advance:
    """Advance the exchange to the time of the command: prices move, funding is paid."""


@attrs.frozen(kw_only=True)
class SetClock:
    """Store the settings of the sandbox's clock, so that a restart continues with them."""

    frozen_at: int | None
    """Time at which the clock is frozen, in ms; None while it runs."""
    offset: int
    """How far the clock is ahead of the machine's, in ms."""
