# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""`client.vaults`: Vaults, which the wire calls `lake`.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from collections.abc import Sequence

from trading_runtime import DecimalLike, Group
from trading_sdk.models import (
    AddLakeMaxLeverage,
    ClaimLakeManager,
    RemoveLakeBlacklist,
    RemoveLakeMaxLeverage,
    SharesMinted,
)
from trading_sdk.operations import (
    VAULTS_ADD_MAX_LEVERAGE,
    VAULTS_CLAIM_MANAGER,
    VAULTS_REMOVE_BLACKLIST,
    VAULTS_REMOVE_MAX_LEVERAGE,
)


class Vaults(Group):
    """Vaults, which the wire calls `lake`.

    Every method may also raise the errors that `Client` lists.
    """

    def add_max_leverage(
        self, *, lake: str, symbols: Sequence[str], max_leverage: DecimalLike
    ) -> None:
        """Cap the leverage of a vault on the listed symbols.

        Only the creator of the vault may call this; anyone else is answered 403.

        `POST /api/v1/lake/add_max_leverage`, signed as `add_lake_max_leverage`. Section 4.8.

        Args:
            lake: Address of the vault.
            symbols: Symbols that receive the cap.
            max_leverage: Cap applied to every listed symbol. Unit: times (assumed).

        `AddLakeMaxLeverage` says more of the arguments.

        Raises:
            ApiError: The service refused, with status 400, 401 or 403.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            VAULTS_ADD_MAX_LEVERAGE,
            AddLakeMaxLeverage(lake=lake, symbols=symbols, max_leverage=max_leverage),
        )

    def remove_max_leverage(self, *, lake: str, symbols: Sequence[str]) -> None:
        """Remove the leverage caps of a vault from the listed symbols.

        Only the creator of the vault may call this; anyone else is answered 403.

        `POST /api/v1/lake/remove_max_leverage`, signed as `remove_lake_max_leverage`. Section
        4.8.

        Args:
            lake: Address of the vault.
            symbols: Symbols whose cap is removed.

        `RemoveLakeMaxLeverage` says more of the arguments.

        Raises:
            ApiError: The service refused, with status 400, 401 or 403.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            VAULTS_REMOVE_MAX_LEVERAGE, RemoveLakeMaxLeverage(lake=lake, symbols=symbols)
        )

    def remove_blacklist(self, *, lake: str, symbols: Sequence[str]) -> None:
        """Remove the listed symbols from the blacklist of a vault.

        Only the creator of the vault may call this; anyone else is answered 403.

        `POST /api/v1/lake/remove_blacklist`, signed as `remove_lake_blacklist`. Section 4.8.

        Args:
            lake: Address of the vault.
            symbols: Symbols removed from the blacklist.

        `RemoveLakeBlacklist` says more of the arguments.

        Raises:
            ApiError: The service refused, with status 400, 401 or 403.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            VAULTS_REMOVE_BLACKLIST, RemoveLakeBlacklist(lake=lake, symbols=symbols)
        )

    def claim_manager(self, *, lake: str, deposit_amount: DecimalLike) -> SharesMinted:
        """Become the manager of a vault that was created without one.

        Any account may claim a fresh vault; manager shares are minted for the initial deposit.

        `POST /api/v1/lake/claim_manager`, signed as `claim_lake_manager`. Sections 3 and 4.8.

        Args:
            lake: Address of the vault.
            deposit_amount: Initial deposit of the manager. Unit: USDC (assumed).

        `ClaimLakeManager` says more of the arguments.

        Returns:
            The shares of a new vault manager.

        Raises:
            ApiError: The service refused, with status 400 or 401.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(
            VAULTS_CLAIM_MANAGER, ClaimLakeManager(lake=lake, deposit_amount=deposit_amount)
        )
