# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""`client.account`: Margin, leverage, spot and lending settings of an account.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from trading_runtime import UNSET, Group, Unset
from trading_sdk.models import (
    AccountSettings,
    AccountSettingsQuery,
    SetAutoLendDisabled,
    UpdateSpotSettings,
)
from trading_sdk.operations import (
    ACCOUNT_SET_AUTO_LEND_DISABLED,
    ACCOUNT_SETTINGS,
    ACCOUNT_UPDATE_SPOT_SETTINGS,
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
            ApiError: The service refused, with status 400, 401 or 500.
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
            ApiError: The service refused, with status 400 or 401.
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
            ApiError: The service refused, with status 400 or 401.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            ACCOUNT_SET_AUTO_LEND_DISABLED, SetAutoLendDisabled(disabled=disabled)
        )
