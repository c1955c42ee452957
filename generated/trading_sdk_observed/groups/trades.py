# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.trades`: The trade history of an account.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from trading_runtime import UNSET, Group, IntegerLike, Paginator, TimeLike, Unset
from trading_sdk_observed.models import Trade, TradeHistoryQuery
from trading_sdk_observed.operations import TRADES_HISTORY


class Trades(Group):
    """The trade history of an account.

    Every method may also raise the errors that `Client` lists.
    """

    def history(
        self,
        *,
        account: str | None = None,
        symbol: str | None = None,
        start_time: TimeLike | None = None,
        end_time: TimeLike | None = None,
        limit: IntegerLike | None = None,
        cursor: str | Unset = UNSET,
    ) -> Paginator[Trade]:
        """List the trades of an account.

        `GET /api/v1/trades/history`. Section 4.9.

        Args:
            account: Wallet address of the account to read. The client's own unless given.
            symbol: Only trades of this trading pair.
            start_time: Only trades since this time, which is included (assumed). Unit: ms.
            end_time: Only trades until this time, which is included (assumed). Unit: ms.
            limit: Records per page.
            cursor: Cursor of the page to start from, passed back as `next_cursor` returned it.

        `TradeHistoryQuery` says more of the arguments.

        Returns:
            The records. Iterating over them fetches page after page.

        Raises:
            RequestError: At once: an argument is wrong.
            ApiError: On iteration: the service refused, with status 400, 401, 422 or 500.
            PaginationError: On iteration: the service contradicts itself about the next page.
        """
        return self._caller.paginate(
            TRADES_HISTORY,
            TradeHistoryQuery(
                account=self._caller.own_account(account),
                symbol=symbol,
                start_time=start_time,
                end_time=end_time,
                limit=limit,
                cursor=cursor,
            ),
        )
