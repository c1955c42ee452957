# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""`client.funding`: Funding rates of a market."""

from __future__ import annotations

from trading_runtime import UNSET, Group, IntegerLike, Paginator, Unset
from trading_sdk.models import FundingHistoryQuery, FundingRecord
from trading_sdk.operations import FUNDING_HISTORY


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
            ApiError: On iteration: the service refused, with status 400, 401 or 500.
            PaginationError: On iteration: the service contradicts itself about the next page.
        """
        return self._caller.paginate(
            FUNDING_HISTORY, FundingHistoryQuery(symbol=symbol, limit=limit, cursor=cursor)
        )
