# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.agents`: Agent wallets, which sign for an account, and the IP addresses that they may
use.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from typing import Any

from trading_runtime import Group
from trading_sdk_observed.models import (
    AddAgentWhitelistedIp,
    BindAgentWallet,
    ListAgentIpWhitelist,
    RemoveAgentWhitelistedIp,
    RevokeAgentWallet,
    SetAgentIpWhitelistEnabled,
)
from trading_sdk_observed.operations import (
    AGENTS_ADD_WHITELISTED_IP,
    AGENTS_BIND,
    AGENTS_IP_WHITELIST,
    AGENTS_LIST,
    AGENTS_REMOVE_WHITELISTED_IP,
    AGENTS_REVOKE,
    AGENTS_REVOKE_ALL,
    AGENTS_SET_IP_WHITELIST_ENABLED,
)


class Agents(Group):
    """Agent wallets, which sign for an account, and the IP addresses that they may use.

    Every method may also raise the errors that `Client` lists.
    """

    def bind(self, *, agent_wallet: str) -> None:
        """Let an agent wallet sign for the account.

        Only the account's own key can sign it.

        `POST /api/v1/agent/bind`, signed as `bind_agent_wallet` (observed). (observed)

        Args:
            agent_wallet: Address of the agent wallet.

        `BindAgentWallet` says more of the arguments.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(AGENTS_BIND, BindAgentWallet(agent_wallet=agent_wallet))

    def list(self) -> tuple[str, ...]:
        """List the agent wallets of the account.

        `POST /api/v1/agent/list`, signed as `list_agent_wallets` (observed). (observed)

        Returns:
            The agent wallets.

        Raises:
            ApiError: The service refused, with status 400, 401, 422 or 500.
        """
        return self._caller.call(AGENTS_LIST)

    def revoke(self, *, agent_wallet: str) -> Any:
        """Take the right to sign from an agent wallet.

        Only the account's own key can sign it.

        `POST /api/v1/agent/revoke`, signed as `revoke_agent_wallet` (observed). (observed)

        Args:
            agent_wallet: Address of the agent wallet.

        `RevokeAgentWallet` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(AGENTS_REVOKE, RevokeAgentWallet(agent_wallet=agent_wallet))

    def revoke_all(self) -> Any:
        """Take the right to sign from all agent wallets.

        `POST /api/v1/agent/revoke_all`, signed as `revoke_all_agent_wallets` (observed).
        (observed)

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(AGENTS_REVOKE_ALL)

    def ip_whitelist(self, *, api_agent_key: str) -> Any:
        """List the IP addresses that an agent wallet may use.

        `POST /api/v1/agent/ip_whitelist/list`, signed as `list_agent_ip_whitelist` (observed).
        (observed)

        Args:
            api_agent_key: Address of the agent wallet.

        `ListAgentIpWhitelist` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401, 422 or 500.
        """
        return self._caller.call(
            AGENTS_IP_WHITELIST, ListAgentIpWhitelist(api_agent_key=api_agent_key)
        )

    def add_whitelisted_ip(self, *, agent_wallet: str, ip_address: str) -> Any:
        """Let an agent wallet use an IP address.

        Only the account's own key can sign it.

        `POST /api/v1/agent/ip_whitelist/add`, signed as `add_agent_whitelisted_ip` (observed).
        (observed)

        Args:
            agent_wallet: Address of the agent wallet.
            ip_address: The IP address.

        `AddAgentWhitelistedIp` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            AGENTS_ADD_WHITELISTED_IP,
            AddAgentWhitelistedIp(agent_wallet=agent_wallet, ip_address=ip_address),
        )

    def remove_whitelisted_ip(self, *, agent_wallet: str, ip_address: str) -> Any:
        """No longer let an agent wallet use an IP address.

        Only the account's own key can sign it.

        `POST /api/v1/agent/ip_whitelist/remove`, signed as `remove_agent_whitelisted_ip`
        (observed). (observed)

        Args:
            agent_wallet: Address of the agent wallet.
            ip_address: The IP address.

        `RemoveAgentWhitelistedIp` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            AGENTS_REMOVE_WHITELISTED_IP,
            RemoveAgentWhitelistedIp(agent_wallet=agent_wallet, ip_address=ip_address),
        )

    def set_ip_whitelist_enabled(self, *, agent_wallet: str, enabled: bool) -> Any:
        """Hold an agent wallet to its IP addresses, or to none.

        Only the account's own key can sign it.

        `POST /api/v1/agent/ip_whitelist/toggle`, signed as `set_agent_ip_whitelist_enabled`
        (observed). (observed)

        Args:
            agent_wallet: Address of the agent wallet.
            enabled: Whether it is.

        `SetAgentIpWhitelistEnabled` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            AGENTS_SET_IP_WHITELIST_ENABLED,
            SetAgentIpWhitelistEnabled(agent_wallet=agent_wallet, enabled=enabled),
        )
