# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.funding`: Funding rates of a market.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from trading_runtime import UNSET, Group, IntegerLike, Paginator, Unset
from trading_sdk_observed.models import (
    FundingHistoryQuery,
    FundingPayment,
    FundingPaymentsQuery,
    FundingRecord,
)
from trading_sdk_observed.operations import FUNDING_HISTORY, FUNDING_PAYMENTS


class Funding(Group):
    """Funding rates of a market.

    Every method may also raise the errors that `Client` lists.
    """

    def history(
        self, *, symbol: str, limit: IntegerLike | None = None, cursor: str | Unset = UNSET
    ) -> Paginator[FundingRecord]:
        """List the funding records of a market.

        `GET /api/v1/funding_rate/history`. Section 4.15.

        Args:
            symbol: Trading pair symbol.
            limit: Records per page.
            cursor: Cursor of the page to start from, as `next_cursor` returned it.

        `FundingHistoryQuery` says more of the arguments.

        Returns:
            The records. Iterating over them fetches page after page.

        Raises:
            RequestError: At once: an argument is wrong.
            ApiError: On iteration: the service refused, with status 400, 401, 422 or 500.
            PaginationError: On iteration: the service contradicts itself about the next page.
        """
        return self._caller.paginate(
            FUNDING_HISTORY, FundingHistoryQuery(symbol=symbol, limit=limit, cursor=cursor)
        )

    def payments(
        self,
        *,
        account: str | None = None,
        symbol: str | None = None,
        limit: IntegerLike | None = None,
        cursor: str | Unset = UNSET,
    ) -> Paginator[FundingPayment]:
        """List the funding payments of an account.

        `GET /api/v1/funding/history`. (observed)

        Args:
            account: Wallet address of the account to read. The client's own unless given.
            symbol: Only records of this trading pair.
            limit: Records per page; the service chooses when it is omitted.
            cursor: Cursor of the page to start from, as `next_cursor` returned it.

        `FundingPaymentsQuery` says more of the arguments.

        Returns:
            The records. Iterating over them fetches page after page.

        Raises:
            RequestError: At once: an argument is wrong.
            ApiError: On iteration: the service refused, with status 400, 422 or 500.
            PaginationError: On iteration: the service contradicts itself about the next page.
        """
        return self._caller.paginate(
            FUNDING_PAYMENTS,
            FundingPaymentsQuery(
                account=self._caller.own_account(account), symbol=symbol, limit=limit, cursor=cursor
            ),
        )
