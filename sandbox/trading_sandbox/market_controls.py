"""The controls of the markets: prices, forced outcomes, liquidations and market time."""

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
    """The controls of prices, forced outcomes, liquidations and market time."""

    def market(self, symbol: str) -> MarketView:
        """Return the mark price, last price, best bid and best ask of a market."""
        with self._service.reading() as exchange:
            return market_view(exchange.venue, to_text(symbol))

    def set_mark_price(self, symbol: str, price: DecimalLike | None) -> None:
        """Pin the mark price of a market, in quote per token; None: follow the price path again."""
        self._execute(SetMarkPrice(symbol=to_text(symbol), price=to_optional_decimal(price)))

    def set_maker(self, on: bool) -> None:
        """Turn the background maker and the seeded paths of the mark prices on or off."""
        self._execute(SetMaker(on=to_boolean(on)))

    def force_outcome(
        self, client_order_id: UUIDLike, status: ForcedStatus, reason: str | None = None
    ) -> None:
        """Force the outcome of the next order with a client order id.

        Args:
            client_order_id: Id of an order that is not placed yet.
            status: `filled`, `partially_filled` (half of it), `cancelled`, `rejected` or
                `refused`, which answers 400 and places nothing.
            reason: The order's reason, for `cancelled` and `rejected`; the error text of the
                answer, for `refused`. None: the default.
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
        """Liquidate positions of an account, whatever its margin.

        Args:
            account: The account.
            symbol: Market of the position; None for all positions.
            cause: `market_liquidation` (in the book, the rest to the backstop account),
                `backstop_liquidation` (to the backstop account) or `settlement` (against the most
                profitable opposite positions of other accounts).
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
        """Advance market time: prices move, stop orders are triggered, funding is paid.

        Signatures are still checked against the time of this machine.

        Args:
            ms: How far, in ms; at most 366 days.
        """
        self._service.advance(to_natural("ms", ms))

    def freeze(self, at: int | None = None) -> None:
        """Freeze market time now, or advance it to `at`, in ms, and freeze it there."""
        self._service.freeze(None if at is None else to_integer(at))

    def unfreeze(self) -> None:
        """Let market time run again, from where it is frozen."""
        self._service.unfreeze()
