# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""`client.spot`: Withdrawals of spot assets and their histories.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from trading_runtime import UNSET, DecimalLike, Group, IntegerLike, Paginator, Unset, UUIDLike
from trading_sdk.models import (
    SpotBalanceEvent,
    SpotBalanceHistoryQuery,
    SpotWithdrawal,
    SpotWithdrawalHistoryQuery,
    WithdrawalReceipt,
    WithdrawSpotAsset,
)
from trading_sdk.operations import SPOT_BALANCE_HISTORY, SPOT_WITHDRAW, SPOT_WITHDRAWAL_HISTORY


class Spot(Group):
    """Withdrawals of spot assets and their histories.

    Every method may also raise the errors that `Client` lists.
    """

    def withdraw(
        self, *, symbol: str, amount: DecimalLike, idempotency_key: UUIDLike | Unset | None = UNSET
    ) -> WithdrawalReceipt:
        """Withdraw a spot asset.

        The fee is deducted from the withdrawal.

        `POST /api/v1/account/spot_asset/withdraw`, signed as `withdraw_spot_asset`. Section 4.6.

        Args:
            symbol: Spot asset symbol.
            amount: Amount to withdraw. Unit: token (assumed).
            idempotency_key: Prevents a second withdrawal with the same key.

        `WithdrawSpotAsset` says more of the arguments.

        Returns:
            An accepted withdrawal.

        Raises:
            ApiError: The service refused, with status 400, 401 or 409.
            OutcomeUnknownError: It may have been executed: `client.reconcile(error)` looks for it.
        """
        return self._caller.call(
            SPOT_WITHDRAW,
            WithdrawSpotAsset(symbol=symbol, amount=amount, idempotency_key=idempotency_key),
        )

    def balance_history(
        self,
        *,
        account: str | None = None,
        symbol: str | None = None,
        limit: IntegerLike | None = None,
        cursor: str | Unset = UNSET,
    ) -> Paginator[SpotBalanceEvent]:
        """List the spot balance events of an account.

        `GET /api/v1/account/spot_balance/history`. Section 4.10.

        Args:
            account: Wallet address of the account to read. The client's own unless given.
            symbol: Only events of this spot asset.
            limit: Records per page; the service chooses when it is omitted.
            cursor: Cursor of the page to start from, as `next_cursor` returned it.

        `SpotBalanceHistoryQuery` says more of the arguments.

        Returns:
            The records. Iterating over them fetches page after page.

        Raises:
            RequestError: At once: an argument is wrong.
            ApiError: On iteration: the service refused, with status 400 or 500.
            PaginationError: On iteration: the service contradicts itself about the next page.
        """
        return self._caller.paginate(
            SPOT_BALANCE_HISTORY,
            SpotBalanceHistoryQuery(
                account=self._caller.own_account(account), symbol=symbol, limit=limit, cursor=cursor
            ),
        )

    def withdrawal_history(
        self,
        *,
        account: str | None = None,
        limit: IntegerLike | None = None,
        cursor: str | Unset = UNSET,
    ) -> Paginator[SpotWithdrawal]:
        """List the spot withdrawals of an account.

        `GET /api/v1/account/spot_asset/withdraw/history`. Section 4.11.

        Args:
            account: Wallet address of the account to read. The client's own unless given.
            limit: Records per page; the service chooses when it is omitted.
            cursor: Cursor of the page to start from, as `next_cursor` returned it.

        `SpotWithdrawalHistoryQuery` says more of the arguments.

        Returns:
            The records. Iterating over them fetches page after page.

        Raises:
            RequestError: At once: an argument is wrong.
            ApiError: On iteration: the service refused, with status 400, 401 or 500.
            PaginationError: On iteration: the service contradicts itself about the next page.
        """
        return self._caller.paginate(
            SPOT_WITHDRAWAL_HISTORY,
            SpotWithdrawalHistoryQuery(
                account=self._caller.own_account(account), limit=limit, cursor=cursor
            ),
        )
