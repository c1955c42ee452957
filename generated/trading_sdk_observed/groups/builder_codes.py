# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.builder_codes`: Codes of programs that may charge a fee on the orders of an account.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from typing import Any

from trading_runtime import DecimalLike, Group
from trading_sdk_observed.models import (
    ApproveBuilderCode,
    BuilderCodeApproval,
    BuilderCodeApprovalsQuery,
    RevokeBuilderCode,
)
from trading_sdk_observed.operations import (
    BUILDER_CODES_APPROVALS,
    BUILDER_CODES_APPROVE,
    BUILDER_CODES_REVOKE,
)


class BuilderCodes(Group):
    """Codes of programs that may charge a fee on the orders of an account.

    Every method may also raise the errors that `Client` lists.
    """

    def approve(self, *, builder_code: str, max_fee_rate: DecimalLike) -> Any:
        """Let orders of the account carry a builder code.

        `POST /api/v1/account/builder_codes/approve`, signed as `approve_builder_code`
        (observed). (observed)

        Args:
            builder_code: Code of the builder program.
            max_fee_rate: Highest fee rate of the builder. Unit: fraction.

        `ApproveBuilderCode` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            BUILDER_CODES_APPROVE,
            ApproveBuilderCode(builder_code=builder_code, max_fee_rate=max_fee_rate),
        )

    def revoke(self, *, builder_code: str) -> Any:
        """Revoke the approval of a builder code.

        `POST /api/v1/account/builder_codes/revoke`, signed as `revoke_builder_code` (observed).
        (observed)

        Args:
            builder_code: Code of the builder program.

        `RevokeBuilderCode` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(BUILDER_CODES_REVOKE, RevokeBuilderCode(builder_code=builder_code))

    def approvals(self, *, account: str | None = None) -> tuple[BuilderCodeApproval, ...]:
        """List the builder codes that the account has approved.

        `GET /api/v1/account/builder_codes/approvals`. (observed)

        Args:
            account: Wallet address of the account to read. The client's own unless given.

        `BuilderCodeApprovalsQuery` says more of the arguments.

        Returns:
            The approvals.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(
            BUILDER_CODES_APPROVALS,
            BuilderCodeApprovalsQuery(account=self._caller.own_account(account)),
        )
