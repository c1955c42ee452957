# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.api_keys`: API config keys, which select a rate-limit class.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from typing import Any

from trading_runtime import Group
from trading_sdk_observed.models import ApiKey, RevokeApiKey, RevokedApiKey
from trading_sdk_observed.operations import API_KEYS_CREATE, API_KEYS_LIST, API_KEYS_REVOKE


class ApiKeys(Group):
    """API config keys, which select a rate-limit class.

    Every method may also raise the errors that `Client` lists.
    """

    def create(self) -> ApiKey:
        """Create an API config key.

        An account may have five keys at most. An agent wallet cannot manage keys; one client was
        seen to make and list them with one (assumed).

        `POST /api/v1/account/api_keys/create`, signed as `create_api_key` (observed). Sections
        2.9 and 4.18.

        Returns:
            An API config key.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(API_KEYS_CREATE)

    def revoke(self, *, api_key: str) -> RevokedApiKey | None:
        """Revoke an API config key.

        The result has the key, as the interface document shows it, if the answer holds it. The
        live service was seen to answer with empty data (observed). An agent wallet cannot manage
        keys (observed).

        `POST /api/v1/account/api_keys/revoke`, signed as `revoke_api_key` (observed). Sections
        2.9 and 4.18.

        Args:
            api_key: The key to revoke.

        `RevokeApiKey` says more of the arguments.

        Returns:
            The key that was revoked.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(API_KEYS_REVOKE, RevokeApiKey(api_key=api_key))

    def list(self) -> Any:
        """List the API config keys of the account.

        The fields of the listed keys are not documented, so the `data` of the response is
        returned as parsed JSON. An agent wallet cannot manage keys; one client was seen to make
        and list them with one (assumed).

        `POST /api/v1/account/api_keys`, signed as `list_api_keys` (observed). Sections 2.9 and
        4.18.

        Returns:
            The listed keys as parsed JSON, of an undocumented form. Its repr shows none.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
        """
        return self._caller.call(API_KEYS_LIST)
