# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.account`: Margin, leverage, spot and lending settings of an account.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from trading_runtime import UNSET, DecimalLike, Group, IntegerLike, Paginator, TimeLike, Unset
from trading_sdk_observed.models import (
    AccountInfo,
    AccountQuery,
    AccountSettings,
    AccountSettingsQuery,
    BalanceEvent,
    BalanceHistoryQuery,
    Loan,
    LoanQuery,
    PortfolioPoint,
    PortfolioQuery,
    SetAutoLendDisabled,
    UpdateLeverage,
    UpdateMarginMode,
    UpdateSpotSettings,
    Withdraw,
)
from trading_sdk_observed.operations import (
    ACCOUNT_BALANCE_HISTORY,
    ACCOUNT_INFO,
    ACCOUNT_LOAN,
    ACCOUNT_PORTFOLIO,
    ACCOUNT_SET_AUTO_LEND_DISABLED,
    ACCOUNT_SETTINGS,
    ACCOUNT_UPDATE_LEVERAGE,
    ACCOUNT_UPDATE_MARGIN_MODE,
    ACCOUNT_UPDATE_SPOT_SETTINGS,
    ACCOUNT_WITHDRAW,
)


class Account(Group):
    """Margin, leverage, spot and lending settings of an account.

    Every method may also raise the errors that `Client` lists.
    """

    def settings(self, *, account: str | None = None) -> AccountSettings:
        """Read the settings of an account.

        An older form of the answer, a list of margin settings, is refused as unusable
        (observed).

        `GET /api/v1/account/settings`. Section 4.16.

        Args:
            account: Wallet address of the account to read. The client's own unless given.

        `AccountSettingsQuery` says more of the arguments.

        Returns:
            The settings of an account that differ from the defaults.

        Raises:
            ApiError: The service refused, with status 400, 401, 422 or 500.
        """
        return self._caller.call(
            ACCOUNT_SETTINGS, AccountSettingsQuery(account=self._caller.own_account(account))
        )

    def update_spot_settings(self, *, symbol: str, unified_margin_excluded: bool) -> None:
        """Include a spot asset in unified-margin collateral, or exclude it.

        `POST /api/v1/account/settings/spot`, signed as `update_account_spot_settings`. Section
        4.14.

        Args:
            symbol: Spot asset symbol.
            unified_margin_excluded: Whether the asset is excluded from unified-margin collateral.

        `UpdateSpotSettings` says more of the arguments.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            ACCOUNT_UPDATE_SPOT_SETTINGS,
            UpdateSpotSettings(symbol=symbol, unified_margin_excluded=unified_margin_excluded),
        )

    def set_auto_lend_disabled(self, *, disabled: bool | Unset | None = UNSET) -> None:
        """Disable auto-lending, enable it, or go back to the default.

        `POST /api/v1/account/settings/auto_lend_disabled`, signed as `set_auto_lend_disabled`.
        Section 4.17.

        Args:
            disabled: True disables auto-lending, false enables it, null goes back to the default.

        `SetAutoLendDisabled` says more of the arguments.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            ACCOUNT_SET_AUTO_LEND_DISABLED, SetAutoLendDisabled(disabled=disabled)
        )

    def info(self, *, account: str | None = None) -> AccountInfo:
        """Read the balance, equity and margin of an account.

        `GET /api/v1/account`. (observed)

        Args:
            account: Wallet address of the account to read. The client's own unless given.

        `AccountQuery` says more of the arguments.

        Returns:
            The state of an account.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(
            ACCOUNT_INFO, AccountQuery(account=self._caller.own_account(account))
        )

    def update_leverage(self, *, symbol: str, leverage: IntegerLike) -> None:
        """Set the leverage of a market.

        `POST /api/v1/account/leverage`, signed as `update_leverage` (observed). (observed)

        Args:
            symbol: Trading pair symbol.
            leverage: New leverage. Unit: times.

        `UpdateLeverage` says more of the arguments.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            ACCOUNT_UPDATE_LEVERAGE, UpdateLeverage(symbol=symbol, leverage=leverage)
        )

    def update_margin_mode(self, *, symbol: str, is_isolated: bool) -> None:
        """Set the margin mode of a market.

        `POST /api/v1/account/margin`, signed as `update_margin_mode` (observed). (observed)

        Args:
            symbol: Trading pair symbol.
            is_isolated: Whether the market is margined on its own.

        `UpdateMarginMode` says more of the arguments.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            ACCOUNT_UPDATE_MARGIN_MODE, UpdateMarginMode(symbol=symbol, is_isolated=is_isolated)
        )

    def withdraw(self, *, amount: DecimalLike) -> None:
        """Withdraw USDC.

        It takes no idempotency key; `account.balance_history` shows it.

        `POST /api/v1/account/withdraw`, signed as `withdraw` (observed). (observed)

        Args:
            amount: Amount to withdraw. Unit: USDC.

        `Withdraw` says more of the arguments.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(ACCOUNT_WITHDRAW, Withdraw(amount=amount))

    def balance_history(
        self,
        *,
        account: str | None = None,
        limit: IntegerLike | None = None,
        cursor: str | Unset = UNSET,
    ) -> Paginator[BalanceEvent]:
        """List the USDC balance events of an account.

        `GET /api/v1/account/balance/history`. (observed)

        Args:
            account: Wallet address of the account to read. The client's own unless given.
            limit: Records per page; the service chooses when it is omitted.
            cursor: Cursor of the page to start from, as `next_cursor` returned it.

        `BalanceHistoryQuery` says more of the arguments.

        Returns:
            The records. Iterating over them fetches page after page.

        Raises:
            RequestError: At once: an argument is wrong.
            ApiError: On iteration: the service refused, with status 400, 422 or 500.
            PaginationError: On iteration: the service contradicts itself about the next page.
        """
        return self._caller.paginate(
            ACCOUNT_BALANCE_HISTORY,
            BalanceHistoryQuery(
                account=self._caller.own_account(account), limit=limit, cursor=cursor
            ),
        )

    def portfolio(
        self,
        *,
        time_range: str,
        account: str | None = None,
        start_time: TimeLike | None = None,
        end_time: TimeLike | None = None,
        limit: IntegerLike | None = None,
        granularity_in_minutes: IntegerLike | None = None,
    ) -> tuple[PortfolioPoint, ...]:
        """List the equity of an account over a time range.

        `GET /api/v1/portfolio`. (observed)

        Args:
            time_range: Length of the range, like `1d` or `7d`.
            account: Wallet address of the account to read. The client's own unless given.
            start_time: Only records at or after this time. An integer, or an aware datetime.
            end_time: Only records at or before this time. An integer, or an aware datetime.
            limit: Records per page; the service chooses when it is omitted.
            granularity_in_minutes: Distance between two points. Unit: minutes.

        `PortfolioQuery` says more of the arguments.

        Returns:
            The equity at each point of time.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(
            ACCOUNT_PORTFOLIO,
            PortfolioQuery(
                time_range=time_range,
                account=self._caller.own_account(account),
                start_time=start_time,
                end_time=end_time,
                limit=limit,
                granularity_in_minutes=granularity_in_minutes,
            ),
        )

    def loan(self, *, account: str | None = None) -> Loan:
        """Read what an account has borrowed, and its collateral.

        `GET /api/v1/account/loan`. (assumed)

        Args:
            account: Wallet address of the account to read. The client's own unless given.

        `LoanQuery` says more of the arguments.

        Returns:
            What an account has borrowed.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(ACCOUNT_LOAN, LoanQuery(account=self._caller.own_account(account)))
