# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.markets`: Markets, their prices, candles, order books and trades.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from trading_runtime import Group, IntegerLike, TimeLike
from trading_sdk_observed.models import (
    Book,
    BookQuery,
    Candle,
    CandlesQuery,
    FeeLevel,
    LoanPool,
    MarkCandlesQuery,
    Market,
    Price,
    PublicTrade,
    RecentTradesQuery,
)
from trading_sdk_observed.operations import (
    MARKETS_BOOK,
    MARKETS_CANDLES,
    MARKETS_FEES,
    MARKETS_INFO,
    MARKETS_LOAN_POOL,
    MARKETS_MARK_CANDLES,
    MARKETS_PRICES,
    MARKETS_TRADES,
)


class Markets(Group):
    """Markets, their prices, candles, order books and trades.

    Every method may also raise the errors that `Client` lists.
    """

    def info(self) -> tuple[Market, ...]:
        """List the markets and their limits.

        `GET /api/v1/info`. (observed)

        Returns:
            The markets.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(MARKETS_INFO)

    def prices(self) -> tuple[Price, ...]:
        """List the prices of all markets.

        `GET /api/v1/info/prices`. (observed)

        Returns:
            The prices of all markets.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(MARKETS_PRICES)

    def fees(self) -> tuple[FeeLevel, ...]:
        """List the fee tiers.

        `GET /api/v1/info/fees`. (assumed)

        Returns:
            The fee tiers.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(MARKETS_FEES)

    def candles(
        self,
        *,
        symbol: str,
        interval: str,
        start_time: TimeLike,
        end_time: TimeLike | None = None,
        limit: IntegerLike | None = None,
    ) -> tuple[Candle, ...]:
        """List the candles of a market.

        `GET /api/v1/kline`. (observed)

        Args:
            symbol: Trading pair symbol.
            interval: Length of a candle, like `1m`, `3m`, `5m` or `1d`.
            start_time: Only candles that begin at or after this time. Unit: ms.
            end_time: Only records at or before this time. An integer, or an aware datetime.
            limit: Most records to return.

        `CandlesQuery` says more of the arguments.

        Returns:
            The candles.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(
            MARKETS_CANDLES,
            CandlesQuery(
                symbol=symbol,
                interval=interval,
                start_time=start_time,
                end_time=end_time,
                limit=limit,
            ),
        )

    def mark_candles(
        self,
        *,
        symbol: str,
        interval: str,
        start_time: TimeLike,
        end_time: TimeLike | None = None,
        limit: IntegerLike | None = None,
    ) -> tuple[Candle, ...]:
        """List the candles of the mark price of a market.

        `GET /api/v1/kline/mark`. (observed)

        Args:
            symbol: Trading pair symbol.
            interval: Length of a candle, like `1m`, `3m`, `5m` or `1d`.
            start_time: Only candles that begin at or after this time. Unit: ms.
            end_time: Only records at or before this time. An integer, or an aware datetime.
            limit: Most records to return.

        `MarkCandlesQuery` says more of the arguments.

        Returns:
            The candles.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(
            MARKETS_MARK_CANDLES,
            MarkCandlesQuery(
                symbol=symbol,
                interval=interval,
                start_time=start_time,
                end_time=end_time,
                limit=limit,
            ),
        )

    def book(
        self, *, symbol: str, agg_level: IntegerLike | None = None, depth: IntegerLike | None = None
    ) -> Book:
        """Read the order book of a market.

        `GET /api/v1/book`. (observed)

        Args:
            symbol: Trading pair symbol.
            agg_level: How many price steps become one level.
            depth: Most levels on each side.

        `BookQuery` says more of the arguments.

        Returns:
            An order book.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(
            MARKETS_BOOK, BookQuery(symbol=symbol, agg_level=agg_level, depth=depth)
        )

    def trades(self, *, symbol: str, limit: IntegerLike | None = None) -> tuple[PublicTrade, ...]:
        """List the latest trades of a market.

        `GET /api/v1/trades`. (observed)

        Args:
            symbol: Trading pair symbol.
            limit: Most records to return.

        `RecentTradesQuery` says more of the arguments.

        Returns:
            The latest trades.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(MARKETS_TRADES, RecentTradesQuery(symbol=symbol, limit=limit))

    def loan_pool(self) -> LoanPool:
        """Read the pool that loans come from.

        `GET /api/v1/loan_pool`. (assumed)

        Returns:
            The pool that loans come from.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(MARKETS_LOAN_POOL)
