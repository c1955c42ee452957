# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml
# (sha256 2743bd13b66459c2924256098223867e1fe45ef655ef9eac9b1dd595e7c3213d).

"""The client of the service."""

from __future__ import annotations

from functools import cached_property

from trading_runtime import BaseClient
from trading_sdk.groups.account import Account
from trading_sdk.groups.api_keys import ApiKeys
from trading_sdk.groups.funding import Funding
from trading_sdk.groups.orders import Orders
from trading_sdk.groups.spot import Spot
from trading_sdk.groups.subaccounts import Subaccounts
from trading_sdk.groups.trades import Trades
from trading_sdk.groups.vaults import Vaults
from trading_sdk.operations import API


class Client(BaseClient):
    """Synchronous client of the trading service; `trading_runtime.client.BaseClient` describes its
    arguments.
    """

    api = API

    @cached_property
    def orders(self) -> Orders:
        """Order entry, edits, cancels, batches and the order history."""
        return Orders(self._caller)

    @cached_property
    def trades(self) -> Trades:
        """The trade history of an account."""
        return Trades(self._caller)

    @cached_property
    def spot(self) -> Spot:
        """Withdrawals of spot assets and their histories."""
        return Spot(self._caller)

    @cached_property
    def account(self) -> Account:
        """Margin, leverage, spot and lending settings of an account."""
        return Account(self._caller)

    @cached_property
    def subaccounts(self) -> Subaccounts:
        """Subaccounts and transfers between them and their main account."""
        return Subaccounts(self._caller)

    @cached_property
    def vaults(self) -> Vaults:
        """Vaults, which the wire calls `lake`."""
        return Vaults(self._caller)

    @cached_property
    def funding(self) -> Funding:
        """Funding rates of a market."""
        return Funding(self._caller)

    @cached_property
    def api_keys(self) -> ApiKeys:
        """API config keys, which select a rate-limit class."""
        return ApiKeys(self._caller)
