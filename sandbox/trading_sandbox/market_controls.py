"""Controls of the markets: prices, outcomes and time."""

from __future__ import annotations

from typing import get_args

from trading_runtime import (
    DecimalLike,
    UUIDLike,
    to_boolean,
    to_integer,
    to_optional_decimal,
    to_optional_text,
    to_text,
    to_uuid,
)
from trading_sandbox.arguments import AccountLike, to_address, to_choice, to_natural
from trading_sandbox.engine.control_commands import (
    ForcedStatus,
    ForceOutcome,
    Liquidate,
    LiquidationCause,
    SetMaker,
    SetMarkPrice,
)
from trading_sandbox.engine.views import MarketView, market_view
from trading_sandbox.running import Running


class MarketControls(Running):
    """What can be done to markets, to orders still to come, and to time."""

    def market(self, symbol: str) -> MarketView:
        """Return the prices of a market."""
        with self._service.reading() as exchange:
            return market_view(exchange.venue, to_text(symbol))

    def set_mark_price(self, symbol: str, price: DecimalLike | None) -> None:
        """Set the mark price of a market, in quote per token; with None it follows its path again."""
        self._execute(SetMarkPrice(symbol=to_text(symbol), price=to_optional_decimal(price)))

    def set_maker(self, on: bool) -> None:
        """Turn the background maker, and the seeded paths of the mark prices, on or off."""
        self._execute(SetMaker(on=to_boolean(on)))

    def force_outcome(
        self, client_order_id: UUIDLike, status: ForcedStatus, reason: str | None = None
    ) -> None:
        """Decide what becomes of the next order with a client order id.

        Args:
            client_order_id: Id of an order that is still to come.
            status: `filled`, `partially_filled` (half of it), `cancelled`, `rejected` or
                `refused`, which answers 400 and places nothing.
            reason: The order's reason; the words of the answer for `refused`.
        """
        self._execute(
            ForceOutcome(
                client_order_id=str(to_uuid(client_order_id)),
                status=to_choice("status", status, get_args(ForcedStatus)),
                reason=to_optional_text(reason),
            )
        )

    def liquidate(
        self,
        account: AccountLike,
        symbol: str | None = None,
        cause: LiquidationCause = "market_liquidation",
    ) -> None:
        """Close positions of an account, whatever its margin is.

        Args:
            account: Whose positions.
            symbol: Market; None for every one.
            cause: `market_liquidation` (in the book, the rest to the backstop),
                `backstop_liquidation` (to the backstop) or `settlement` (against the most
                profitable positions of others).
        """
        self._execute(
            Liquidate(
                account=to_address("account", account),
                symbol=to_optional_text(symbol),
                cause=to_choice("cause", cause, get_args(LiquidationCause)),
            )
        )

    # -- time ----------------------------------------------------------------------------------

    def advance(self, ms: int) -> None:
        """Let market time pass at once: prices move, stops are triggered, funding is paid.

        Signatures are checked against the time of this machine, whatever the market's is.
        """
        self._service.advance(to_natural("ms", ms))

    def freeze(self, at: int | None = None) -> None:
        """Let market time stand still, at a time in ms that is not past, or now."""
        self._service.freeze(None if at is None else to_integer(at))

    def unfreeze(self) -> None:
        """Let market time go on from where it stands."""
        self._service.unfreeze()
