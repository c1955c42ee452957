# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml
# (sha256 2743bd13b66459c2924256098223867e1fe45ef655ef9eac9b1dd595e7c3213d).

"""`client.subaccounts`: Subaccounts and transfers between them and their main account."""

from __future__ import annotations

from collections.abc import Sequence

from trading_runtime import DecimalLike, Group
from trading_sdk.models import Subaccount, TransferFunds
from trading_sdk.operations import SUBACCOUNTS_LIST, SUBACCOUNTS_TRANSFER


class Subaccounts(Group):
    """Subaccounts and transfers between them and their main account."""

    def list(self) -> Sequence[Subaccount]:
        """List the subaccounts of the main account that signs.

        `POST /api/v1/account/subaccount/list`, signed as `list_subaccounts` (observed). Section
        4.12.

        Returns:
            All subaccounts of the account.

        Raises:
            RequestError: An argument is wrong; nothing was sent.
            SigningError: A text is not ASCII, or the key fails; nothing was sent.
            NoResponseError: No usable answer came; ask again at will.
            DecodeError: The answer cannot be used.
            NotSentError: It was certainly not sent.
            ApiError: The service refused, with status 400 or 401.
        """
        return self._caller.call(SUBACCOUNTS_LIST)

    def transfer(self, *, to_account: str, amount: DecimalLike) -> None:
        """Transfer USDC between a main account and one of its subaccounts.

        The sender is the account that signs. Working clients sign with `transfer_funds`; an
        older page of the service says `subaccount_transfer`.

        `POST /api/v1/account/subaccount/transfer`, signed as `transfer_funds` (assumed). Section
        4.13.

        Args:
            to_account: Wallet address of the recipient.
            amount: Amount to transfer. Unit: USDC.

        Raises:
            RequestError: An argument is wrong; nothing was sent.
            TypeError: An argument has the wrong type, like a float for money; nothing was sent.
            SigningError: A text is not ASCII, or the key fails; nothing was sent.
            OutcomeUnknownError: It may have been carried out; look before repeating.
            NotSentError: It was certainly not sent.
            ApiError: The service refused, with status 400.
        """
        return self._caller.call(
            SUBACCOUNTS_TRANSFER, TransferFunds(to_account=to_account, amount=amount)
        )
