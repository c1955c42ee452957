"""What only the sandbox offers: commands that no trader can give."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal

import attrs

LiquidationCause = Literal["market_liquidation", "backstop_liquidation", "settlement"]
ForcedStatus = Literal["filled", "partially_filled", "cancelled", "rejected", "refused"]


@attrs.frozen(kw_only=True)
class OpenAccount:
    """Open an account with a deposit; as a subaccount where `main` is given."""

    account: str
    usdc: Decimal
    spot: Mapping[str, Decimal] = attrs.field(factory=dict)
    main: str | None = None
    use_ltp_for_stop_orders: bool = False


@attrs.frozen(kw_only=True)
class OpenVault:
    """Open a vault; its creator manages it, or nobody does."""

    vault: str
    creator: str
    managed: bool
    blacklist: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class BindAgent:
    """Let an agent wallet sign for an account."""

    account: str
    agent: str


@attrs.frozen(kw_only=True)
class Deposit:
    """Credit an account."""

    account: str
    usdc: Decimal
    spot: Mapping[str, Decimal] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class SetMargin:
    """Choose cross or isolated margin and the leverage of an account in one market."""

    account: str
    symbol: str
    isolated: bool
    leverage: int | None
    """None: the maximum."""


@attrs.frozen(kw_only=True)
class SetMarkPrice:
    """Set the mark price of a market, which then no longer follows its path."""

    symbol: str
    price: Decimal | None
    """None: it follows its path again."""


@attrs.frozen(kw_only=True)
class SetMaker:
    """Turn the background maker and the price paths on or off."""

    on: bool


@attrs.frozen(kw_only=True)
class ForceOutcome:
    """Decide what becomes of the next order with a client order id."""

    client_order_id: str
    status: ForcedStatus
    reason: str | None = None
    """The order's reason for `cancelled` and `rejected`; the words of the refusal for `refused`."""


@attrs.frozen(kw_only=True)
class Liquidate:
    """Close positions of an account whatever its margin is."""

    account: str
    symbol: str | None
    """None: every position."""
    cause: LiquidationCause


@attrs.frozen(kw_only=True)
class Advance:
    """Let time pass until the time of the command: prices move, funding is paid."""


@attrs.frozen(kw_only=True)
class SetClock:
    """Keep how the time of commands is told, so that a restart goes on with it."""

    frozen_at: int | None
    """Time that stands still, in ms; None while time passes."""
    offset: int
    """How far the time runs ahead of the machine's, in ms."""
