# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.positions`: Open positions of an account and their history.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from typing import Any

from trading_runtime import DecimalLike, Group, IntegerLike, Paginator, TimeLike
from trading_sdk_observed.models import (
    AddIsolatedMargin,
    Position,
    PositionHistoryQuery,
    PositionsQuery,
    Trade,
)
from trading_sdk_observed.operations import (
    POSITIONS_ADD_ISOLATED_MARGIN,
    POSITIONS_HISTORY,
    POSITIONS_LIST,
)


class Positions(Group):
    """Open positions of an account and their history.

    Every method may also raise the errors that `Client` lists.
    """

    def list(
        self, *, account: str | None = None, symbol: str | None = None
    ) -> tuple[Position, ...]:
        """List the open positions of an account.

        `GET /api/v1/positions`. (observed)

        Args:
            account: Wallet address of the account to read. The client's own unless given.
            symbol: Only records of this trading pair.

        `PositionsQuery` says more of the arguments.

        Returns:
            The open positions.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(
            POSITIONS_LIST, PositionsQuery(account=self._caller.own_account(account), symbol=symbol)
        )

    def history(
        self,
        *,
        account: str | None = None,
        symbol: str | None = None,
        start_time: TimeLike | None = None,
        end_time: TimeLike | None = None,
        limit: IntegerLike | None = None,
        offset: IntegerLike | None = None,
    ) -> Paginator[Trade]:
        """List the trades that changed the positions of an account.

        `GET /api/v1/positions/history`. (assumed)

        Args:
            account: Wallet address of the account to read. The client's own unless given.
            symbol: Only records of this trading pair.
            start_time: Only records at or after this time. An integer, or an aware datetime.
            end_time: Only records at or before this time. An integer, or an aware datetime.
            limit: Records per page; the service chooses when it is omitted.
            offset: How many records to skip.

        `PositionHistoryQuery` says more of the arguments.

        Returns:
            The records. Iterating over them fetches page after page.

        Raises:
            RequestError: At once: an argument is wrong.
            ApiError: On iteration: the service refused, with status 400, 422 or 500.
            PaginationError: On iteration: the service contradicts itself about the next page.
        """
        return self._caller.paginate(
            POSITIONS_HISTORY,
            PositionHistoryQuery(
                account=self._caller.own_account(account),
                symbol=symbol,
                start_time=start_time,
                end_time=end_time,
                limit=limit,
                offset=offset,
            ),
        )

    def add_isolated_margin(self, *, symbol: str, amount: DecimalLike) -> Any:
        """Add margin to an isolated position.

        `POST /api/v1/positions/add_isolated_margin`, signed as `add_isolated_margin` (assumed).
        (assumed)

        Args:
            symbol: Trading pair symbol.
            amount: Margin to add. Unit: USDC.

        `AddIsolatedMargin` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(
            POSITIONS_ADD_ISOLATED_MARGIN, AddIsolatedMargin(symbol=symbol, amount=amount)
        )
