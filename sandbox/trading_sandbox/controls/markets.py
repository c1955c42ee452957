"""The controls of the markets: prices, forced outcomes, liquidations and market time."""

# The decorator is the body of every control.
# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false

from __future__ import annotations

from trading_sandbox.controls.argument_types import (
    AccountArgument,
    Cause,
    ClientOrderId,
    Duration,
    Money,
    Status,
    Switch,
    Symbol,
    Text,
    Time,
)
from trading_sandbox.controls.definition import Controlled, control
from trading_sandbox.engine.views import MarketView


class MarketControls(Controlled):
    """The controls of prices, forced outcomes, liquidations and market time."""

    @control()
    def market(self, symbol: Symbol) -> MarketView:
        """Return the mark price, last price, best bid and best ask of a market.

        Args:
            symbol: The market.
        """

    @control()
    def set_mark_price(self, symbol: Symbol, price: Money | None) -> None:
        """Set the mark price of a market and hold it there; with None it follows its path again.

        Args:
            symbol: The market.
            price: The price, in quote per token.
        """

    @control()
    def set_maker(self, on: Switch) -> None:
        """Turn the background maker and the seeded paths of the mark prices on or off.

        Args:
            on: Whether they are to be on.
        """

    @control()
    def force_outcome(
        self, client_order_id: ClientOrderId, status: Status, reason: Text | None = None
    ) -> None:
        """Force the outcome of the next order with a client order id: `filled`, `partially_filled`,
        `cancelled`, `rejected` or `refused`.

        Args:
            client_order_id: Id of an order that is not placed yet.
            status: `filled`, `partially_filled` (half of it), `cancelled`, `rejected` or
                `refused`, which answers 400 and places nothing.
            reason: The order's reason, for `cancelled` and `rejected`; the error text of the
                answer, for `refused`. None: the default.
        """

    @control()
    def liquidate(
        self,
        account: AccountArgument,
        symbol: Symbol | None = None,
        cause: Cause = "market_liquidation",
    ) -> None:
        """Liquidate positions of an account, whatever its margin: as a `market_liquidation`,
        `backstop_liquidation` or `settlement`.

        Args:
            account: The account.
            symbol: Market of the position; None for all positions.
            cause: `market_liquidation` (in the book, the rest to the backstop account),
                `backstop_liquidation` (to the backstop account) or `settlement` (against the most
                profitable opposite positions of other accounts).
        """

    @control()
    def advance(self, ms: Duration) -> None:
        """Advance market time, up to 366 days at once (which takes seconds, while requests wait):
        prices move, stop orders are triggered, funding is paid.

        Args:
            ms: How far, in ms.
        """

    @control()
    def freeze(self, at: Time | None = None) -> None:
        """Freeze market time now, or advance it to a time and freeze it there.

        Args:
            at: The time, in ms; None for now.
        """

    @control()
    def unfreeze(self) -> None:
        """Let market time run again, from where it is frozen."""
