# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.vaults`: Vaults, which the wire calls `lake`.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trading_runtime import UNSET, DecimalLike, Group, IntegerLike, Unset, UUIDLike
from trading_sdk_observed.models import (
    AddLakeBlacklist,
    AddLakeMaxLeverage,
    AddLakeWhitelist,
    ClaimLakeManager,
    ClaimLakeReferral,
    CreateLake,
    DepositToLake,
    Lake,
    LakeCreated,
    RemoveLakeBlacklist,
    RemoveLakeMaxLeverage,
    RemoveLakeWhitelist,
    SharesMinted,
    UpdateLakeDepositCap,
    WithdrawFromLake,
)
from trading_sdk_observed.operations import (
    VAULTS_ADD_BLACKLIST,
    VAULTS_ADD_MAX_LEVERAGE,
    VAULTS_ADD_WHITELIST,
    VAULTS_CLAIM_MANAGER,
    VAULTS_CLAIM_REFERRAL_CODE,
    VAULTS_CREATE,
    VAULTS_DEPOSIT,
    VAULTS_LIST,
    VAULTS_REMOVE_BLACKLIST,
    VAULTS_REMOVE_MAX_LEVERAGE,
    VAULTS_REMOVE_WHITELIST,
    VAULTS_UPDATE_DEPOSIT_CAP,
    VAULTS_WITHDRAW,
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
            ApiError: The service refused, with status 400, 401, 403 or 422.
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
            ApiError: The service refused, with status 400, 401, 403 or 422.
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
            ApiError: The service refused, with status 400, 401, 403 or 422.
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
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(
            VAULTS_CLAIM_MANAGER, ClaimLakeManager(lake=lake, deposit_amount=deposit_amount)
        )

    def list(self) -> tuple[Lake, ...]:
        """List all vaults.

        `GET /api/v1/lake/list`. (assumed)

        Returns:
            All vaults.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(VAULTS_LIST)

    def create(
        self,
        *,
        nickname: str,
        initial_deposit: DecimalLike,
        deposit_cap: DecimalLike,
        manager_profit_share: DecimalLike,
        deposit_min_duration_ms: IntegerLike,
        manager_min_balance_portion: DecimalLike,
        manager_liquidation_balance_portion: DecimalLike,
        withdraw_window_s: IntegerLike,
        withdraw_duration_s: IntegerLike,
        referral_code: str | None = None,
    ) -> LakeCreated:
        """Create a vault.

        `POST /api/v1/lake/create`, signed as `create_lake` (assumed). (assumed)

        Args:
            nickname: Name of the vault.
            initial_deposit: Initial deposit of the creator. Unit: USDC.
            deposit_cap: Most that the vault takes in. Unit: USDC.
            manager_profit_share: Share of the profit that goes to the manager. Unit: fraction.
            deposit_min_duration_ms: How long a deposit stays at least. Unit: duration in ms.
            manager_min_balance_portion: Least part of the vault that is the manager's.
            manager_liquidation_balance_portion: Part below which the manager's shares are
                liquidated.
            withdraw_window_s: Length of the window in which withdrawals are asked for. Unit: s.
            withdraw_duration_s: How long a withdrawal takes. Unit: s.
            referral_code: Referral code.

        `CreateLake` says more of the arguments.

        Returns:
            The address of a new vault.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(
            VAULTS_CREATE,
            CreateLake(
                nickname=nickname,
                initial_deposit=initial_deposit,
                deposit_cap=deposit_cap,
                manager_profit_share=manager_profit_share,
                deposit_min_duration_ms=deposit_min_duration_ms,
                manager_min_balance_portion=manager_min_balance_portion,
                manager_liquidation_balance_portion=manager_liquidation_balance_portion,
                withdraw_window_s=withdraw_window_s,
                withdraw_duration_s=withdraw_duration_s,
                referral_code=referral_code,
            ),
        )

    def deposit(
        self, *, lake: str, amount: DecimalLike, idempotency_key: UUIDLike | Unset | None = UNSET
    ) -> Any:
        """Deposit USDC into a vault.

        `POST /api/v1/lake/deposit`, signed as `deposit_to_lake` (assumed). (assumed)

        Args:
            lake: Address of the vault.
            amount: Amount to deposit. Unit: USDC.
            idempotency_key: Prevents a second deposit with the same key.

        `DepositToLake` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(
            VAULTS_DEPOSIT, DepositToLake(lake=lake, amount=amount, idempotency_key=idempotency_key)
        )

    def withdraw(
        self, *, lake: str, shares: DecimalLike, idempotency_key: UUIDLike | Unset | None = UNSET
    ) -> Any:
        """Withdraw shares from a vault.

        `POST /api/v1/lake/withdraw`, signed as `withdraw_from_lake` (assumed). (assumed)

        Args:
            lake: Address of the vault.
            shares: Shares to withdraw. Unit: shares.
            idempotency_key: Prevents a second withdrawal with the same key.

        `WithdrawFromLake` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(
            VAULTS_WITHDRAW,
            WithdrawFromLake(lake=lake, shares=shares, idempotency_key=idempotency_key),
        )

    def add_whitelist(self, *, lake: str, symbols: Sequence[str]) -> Any:
        """Add the listed symbols to the whitelist of a vault.

        `POST /api/v1/lake/add_whitelist`, signed as `add_lake_whitelist` (assumed). (assumed)

        Args:
            lake: Address of the vault.
            symbols: The symbols.

        `AddLakeWhitelist` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(VAULTS_ADD_WHITELIST, AddLakeWhitelist(lake=lake, symbols=symbols))

    def remove_whitelist(self, *, lake: str, symbols: Sequence[str]) -> Any:
        """Remove the listed symbols from the whitelist of a vault.

        `POST /api/v1/lake/remove_whitelist`, signed as `remove_lake_whitelist` (assumed).
        (assumed)

        Args:
            lake: Address of the vault.
            symbols: The symbols.

        `RemoveLakeWhitelist` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            VAULTS_REMOVE_WHITELIST, RemoveLakeWhitelist(lake=lake, symbols=symbols)
        )

    def add_blacklist(self, *, lake: str, symbols: Sequence[str]) -> Any:
        """Add the listed symbols to the blacklist of a vault.

        `POST /api/v1/lake/add_blacklist`, signed as `add_lake_blacklist` (assumed). (assumed)

        Args:
            lake: Address of the vault.
            symbols: The symbols.

        `AddLakeBlacklist` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(VAULTS_ADD_BLACKLIST, AddLakeBlacklist(lake=lake, symbols=symbols))

    def update_deposit_cap(self, *, lake: str, deposit_cap: DecimalLike) -> Any:
        """Set the deposit cap of a vault.

        `POST /api/v1/lake/update_deposit_cap`, signed as `update_lake_deposit_cap` (assumed).
        (assumed)

        Args:
            lake: Address of the vault.
            deposit_cap: Most that the vault takes in. Unit: USDC.

        `UpdateLakeDepositCap` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            VAULTS_UPDATE_DEPOSIT_CAP, UpdateLakeDepositCap(lake=lake, deposit_cap=deposit_cap)
        )

    def claim_referral_code(self, *, lake: str, code: str) -> Any:
        """Claim the referral code of a vault.

        `POST /api/v1/lake/claim_referral_code`, signed as `claim_lake_referral` (assumed).
        (assumed)

        Args:
            lake: Address of the vault.
            code: The referral code.

        `ClaimLakeReferral` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(
            VAULTS_CLAIM_REFERRAL_CODE, ClaimLakeReferral(lake=lake, code=code)
        )
