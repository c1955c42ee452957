# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""`client.subaccounts`: Subaccounts and transfers between them and their main account.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from trading_runtime import DecimalLike, Group
from trading_sdk.models import Subaccount, TransferFunds
from trading_sdk.operations import SUBACCOUNTS_LIST, SUBACCOUNTS_TRANSFER


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
            ApiError: The service refused, with status 400 or 401.
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
            ApiError: The service refused, with status 400.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(
            SUBACCOUNTS_TRANSFER, TransferFunds(to_account=to_account, amount=amount)
        )
