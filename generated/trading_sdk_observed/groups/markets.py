# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.markets`: Markets, their prices, candles, order books and trades."""

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

        `GET /api/v1/info`. Not in the interface document; seen on the live service.

        Returns:
            The markets.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(MARKETS_INFO)

    def prices(self) -> tuple[Price, ...]:
        """List the prices of all markets.

        `GET /api/v1/info/prices`. Not in the interface document; seen on the live service.

        Returns:
            The prices of all markets.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(MARKETS_PRICES)

    def fees(self) -> tuple[FeeLevel, ...]:
        """List the fee tiers.

        `GET /api/v1/info/fees`. Not in the interface document; assumed.

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

        `GET /api/v1/kline`. Not in the interface document; seen on the live service.

        Args:
            symbol: Trading pair symbol. Not in the interface document; seen on the live service.
            interval: Length of a candle, like `1m`, `3m`, `5m` or `1d`. Not in the interface
                document; seen on the live service.
            start_time: Only candles that begin at or after this time. An integer, or an aware
                datetime. Unit: ms. Not in the interface document; seen on the live service.
            end_time: Only records at or before this time. An integer, or an aware datetime. Unit:
                ms. Not before `start_time`. Not in the interface document; seen on the live
                service.
            limit: Most records to return. At least 1. Not in the interface document; assumed.

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

        `GET /api/v1/kline/mark`. Not in the interface document; seen on the live service.

        Args:
            symbol: Trading pair symbol. Not in the interface document; seen on the live service.
            interval: Length of a candle, like `1m`, `3m`, `5m` or `1d`. Not in the interface
                document; seen on the live service.
            start_time: Only candles that begin at or after this time. An integer, or an aware
                datetime. Unit: ms. Not in the interface document; seen on the live service.
            end_time: Only records at or before this time. An integer, or an aware datetime. Unit:
                ms. Not before `start_time`. Not in the interface document; seen on the live
                service.
            limit: Most records to return. At least 1. Not in the interface document; assumed.

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

        `GET /api/v1/book`. Not in the interface document; seen on the live service.

        Args:
            symbol: Trading pair symbol. Not in the interface document; seen on the live service.
            agg_level: How many price steps become one level. At least 1. Not in the interface
                document; assumed.
            depth: Most levels on each side. At least 1. Not in the interface document; assumed.

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

        `GET /api/v1/trades`. Not in the interface document; seen on the live service.

        Args:
            symbol: Trading pair symbol. Not in the interface document; seen on the live service.
            limit: Most records to return. At least 1. Not in the interface document; assumed.

        Returns:
            The latest trades.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(MARKETS_TRADES, RecentTradesQuery(symbol=symbol, limit=limit))

    def loan_pool(self) -> LoanPool:
        """Read the pool that loans come from.

        `GET /api/v1/loan_pool`. Not in the interface document; assumed.

        Returns:
            The pool that loans come from.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(MARKETS_LOAN_POOL)
