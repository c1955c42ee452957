# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.subaccounts`: Subaccounts and transfers between them and their main account.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from typing import Any

from trading_runtime import UNSET, DecimalLike, Group, Signer, Unset, UUIDLike
from trading_sdk_observed.models import Subaccount, TransferFunds, TransferSpotAsset
from trading_sdk_observed.operations import (
    SUBACCOUNTS_CREATE,
    SUBACCOUNTS_LIST,
    SUBACCOUNTS_TRANSFER,
    SUBACCOUNTS_TRANSFER_SPOT,
)


class Subaccounts(Group):
    """Subaccounts and transfers between them and their main account.

    Every method may also raise the errors that `Client` lists.
    """

    def list(self) -> tuple[Subaccount, ...]:
        """List the subaccounts of the main account that signs.

        `POST /api/v1/account/subaccount/list`, signed as `list_subaccounts` (observed). Section
        4.12.

        Returns:
            All subaccounts of the account.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
        """
        return self._caller.call(SUBACCOUNTS_LIST)

    def transfer(self, *, to_account: str, amount: DecimalLike) -> None:
        """Transfer USDC between a main account and one of its subaccounts.

        The sender is the account that signs. Working clients sign with `transfer_funds`
        (observed); an older page of the service says `subaccount_transfer` (assumed).

        `POST /api/v1/account/subaccount/transfer`, signed as `transfer_funds` (assumed). Section
        4.13.

        Args:
            to_account: Wallet address of the recipient.
            amount: Amount to transfer. Unit: USDC.

        `TransferFunds` says more of the arguments.

        Raises:
            ApiError: The service refused, with status 400 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(
            SUBACCOUNTS_TRANSFER, TransferFunds(to_account=to_account, amount=amount)
        )

    def create(self, *, subaccount: Signer) -> None:
        """Make an account a subaccount of the one that signs.

        Both keys sign. The client's signer must be the main account's own key.

        `POST /api/v1/account/subaccount/create`, signed as `subaccount_confirm` (observed);
        first by the other key, as `subaccount_initiate`. (observed)

        Args:
            subaccount: Signs with the other key, like a `Keypair`. The client's own signs with it.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.countersigned(SUBACCOUNTS_CREATE, subaccount)

    def transfer_spot(
        self,
        *,
        to_account: str,
        symbol: str,
        amount: DecimalLike,
        idempotency_key: UUIDLike | Unset | None = UNSET,
    ) -> Any:
        """Transfer a spot asset between a main account and one of its subaccounts.

        `POST /api/v1/account/subaccount/spot_asset/transfer`, signed as
        `subaccount_spot_transfer` (assumed). (assumed)

        Args:
            to_account: Wallet address of the recipient.
            symbol: Spot asset symbol.
            amount: Amount to transfer. Unit: token.
            idempotency_key: Prevents a second transfer with the same key.

        `TransferSpotAsset` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(
            SUBACCOUNTS_TRANSFER_SPOT,
            TransferSpotAsset(
                to_account=to_account, symbol=symbol, amount=amount, idempotency_key=idempotency_key
            ),
        )
