# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.spot`: Withdrawals of spot assets and their histories.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from trading_runtime import UNSET, DecimalLike, Group, IntegerLike, Paginator, Unset, UUIDLike
from trading_sdk_observed.models import (
    Bridge,
    BridgeQuery,
    PendingSpotWithdrawalsQuery,
    PendingWithdrawal,
    SpotAsset,
    SpotAssetsQuery,
    SpotBalanceEvent,
    SpotBalanceHistoryQuery,
    SpotDeposit,
    SpotDepositHistoryQuery,
    SpotWithdrawal,
    SpotWithdrawalHistoryQuery,
    WithdrawalReceipt,
    WithdrawSpotAsset,
)
from trading_sdk_observed.operations import (
    SPOT_ASSETS,
    SPOT_BALANCE_HISTORY,
    SPOT_BRIDGE,
    SPOT_BRIDGES,
    SPOT_DEPOSIT_HISTORY,
    SPOT_PENDING_WITHDRAWALS,
    SPOT_WITHDRAW,
    SPOT_WITHDRAWAL_HISTORY,
)


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
            ApiError: The service refused, with status 400, 401, 409 or 422.
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
            ApiError: On iteration: the service refused, with status 400, 422 or 500.
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
            ApiError: On iteration: the service refused, with status 400, 401, 422 or 500.
            PaginationError: On iteration: the service contradicts itself about the next page.
        """
        return self._caller.paginate(
            SPOT_WITHDRAWAL_HISTORY,
            SpotWithdrawalHistoryQuery(
                account=self._caller.own_account(account), limit=limit, cursor=cursor
            ),
        )

    def deposit_history(
        self,
        *,
        account: str | None = None,
        limit: IntegerLike | None = None,
        cursor: str | Unset = UNSET,
    ) -> Paginator[SpotDeposit]:
        """List the spot deposits of an account.

        `GET /api/v1/account/spot_asset/deposit/history`. (assumed)

        Args:
            account: Wallet address of the account to read. The client's own unless given.
            limit: Records per page; the service chooses when it is omitted.
            cursor: Cursor of the page to start from, as `next_cursor` returned it.

        `SpotDepositHistoryQuery` says more of the arguments.

        Returns:
            The records. Iterating over them fetches page after page.

        Raises:
            RequestError: At once: an argument is wrong.
            ApiError: On iteration: the service refused, with status 400, 422 or 500.
            PaginationError: On iteration: the service contradicts itself about the next page.
        """
        return self._caller.paginate(
            SPOT_DEPOSIT_HISTORY,
            SpotDepositHistoryQuery(
                account=self._caller.own_account(account), limit=limit, cursor=cursor
            ),
        )

    def pending_withdrawals(self, *, account: str | None = None) -> tuple[PendingWithdrawal, ...]:
        """List the spot withdrawals that are not carried out yet.

        `GET /api/v1/account/spot_asset/withdraw/pending`. (assumed)

        Args:
            account: Wallet address of the account to read. The client's own unless given.

        `PendingSpotWithdrawalsQuery` says more of the arguments.

        Returns:
            The pending withdrawals.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(
            SPOT_PENDING_WITHDRAWALS,
            PendingSpotWithdrawalsQuery(account=self._caller.own_account(account)),
        )

    def assets(
        self, *, include_inactive: bool | None = None, collateral_enabled_only: bool | None = None
    ) -> tuple[SpotAsset, ...]:
        """List the spot assets of the service.

        `GET /api/v1/spot_assets`. (assumed)

        Args:
            include_inactive: Whether to list inactive assets, too.
            collateral_enabled_only: Whether to list only what can be collateral.

        `SpotAssetsQuery` says more of the arguments.

        Returns:
            The spot assets.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(
            SPOT_ASSETS,
            SpotAssetsQuery(
                include_inactive=include_inactive, collateral_enabled_only=collateral_enabled_only
            ),
        )

    def bridges(self) -> tuple[Bridge, ...]:
        """List where and how spot assets are deposited and withdrawn.

        `GET /api/v1/spot_assets/bridge/info`. (assumed)

        Returns:
            The bridge of each spot asset.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(SPOT_BRIDGES)

    def bridge(self, *, symbol: str) -> Bridge:
        """Read where and how one spot asset is deposited and withdrawn.

        `GET /api/v1/spot_assets/bridge/parameters/{symbol}`. (assumed)

        Args:
            symbol: Spot asset symbol.

        `BridgeQuery` says more of the arguments.

        Returns:
            Where and how a spot asset is deposited and withdrawn.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(SPOT_BRIDGE, BridgeQuery(symbol=symbol))
