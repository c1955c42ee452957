# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml
# (sha256 2743bd13b66459c2924256098223867e1fe45ef655ef9eac9b1dd595e7c3213d).

"""`client.funding`: Funding rates of a market."""

from __future__ import annotations

from trading_runtime import Group, Paginator
from trading_sdk.models import FundingHistoryQuery, FundingRecord
from trading_sdk.operations import FUNDING_HISTORY


class Funding(Group):
    """Funding rates of a market."""

    def history(
        self, *, symbol: str, limit: int | None = None, cursor: str | None = None
    ) -> Paginator[FundingRecord]:
        """List the funding records of a market.

        `GET /api/v1/funding_rate/history`. Section 4.15.

        Args:
            symbol: Trading pair symbol.
            limit: Records per page. Default: 100. At most 4000.
            cursor: Where to go on, as `next_cursor` returned it.

        Returns:
            The records, fetched page by page.

        Raises:
            RequestError: An argument is wrong; nothing was sent.
            TypeError: An argument has the wrong type; nothing was sent.
            NoResponseError: No usable answer came; ask again at will.
            DecodeError: The answer cannot be used.
            PaginationError: The service contradicts itself about the next page.
            NotSentError: It was certainly not sent.
            ApiError: The service refused, with status 400, 401 or 500.
        """
        return self._caller.paginate(
            FUNDING_HISTORY, FundingHistoryQuery(symbol=symbol, limit=limit, cursor=cursor)
        )
