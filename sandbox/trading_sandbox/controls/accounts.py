"""The controls of accounts and vaults: keys, money, agents and margin settings."""

# The decorator is the body of every control.
# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false

from __future__ import annotations

from trading_runtime import Keypair
from trading_sandbox.controls.argument_types import (
    AccountArgument,
    Leverage,
    Money,
    PublicKey,
    SpotAmounts,
    Switch,
    Symbol,
    Symbols,
)
from trading_sandbox.controls.definition import Controlled, control
from trading_sandbox.engine.views import AccountView, InsuranceFundView


class AccountControls(Controlled):
    """The controls of accounts and vaults."""

    @control()
    def create_account(self, usdc: Money = "10000", spot: SpotAmounts | None = None) -> Keypair:
        """Open an account with a deposit; return its `Keypair`, which is derived from the seed.

        Args:
            usdc: Deposit in USDC.
            spot: Deposits of spot assets, in tokens: `{"SOL": "5"}`.
        """

    @control()
    def create_subaccount(
        self, main: AccountArgument, usdc: Money = "0", use_ltp_for_stop_orders: Switch = False
    ) -> Keypair:
        """Open a subaccount; return its key.

        Args:
            main: The main account.
            usdc: Deposit in USDC.
            use_ltp_for_stop_orders: Whether its stop orders that do not name a trigger price are
                triggered by the last trade price. Otherwise the mark price triggers them.
        """

    @control()
    def create_vault(
        self, creator: AccountArgument, managed: Switch = True, blacklist: Symbols = ()
    ) -> str:
        """Open a vault; return its address, for the field `lake`.

        Args:
            creator: The account that may change its leverage caps and its blacklist.
            managed: Whether the creator manages it; otherwise any account may claim it.
            blacklist: Symbols that it must not trade.
        """

    @control()
    def bind_agent(self, account: AccountArgument, agent: PublicKey) -> None:
        """Let an agent wallet sign for an account; the wallet needs no account of its own.

        Args:
            account: The account.
            agent: The public key of the wallet, or its key pair.
        """

    @control()
    def has_account(self, account: AccountArgument) -> bool:
        """Return whether there is an account with this address.

        Args:
            account: The address, or a key pair.
        """

    @control()
    def account(self, account: AccountArgument) -> AccountView:
        """Return what an account has: balance, equity (with spot collateral at 90 %), free (to 8
        decimals) and withdrawable USDC (to 6), positions, spot assets.

        Args:
            account: The account.
        """

    @control()
    def insurance_fund(self) -> InsuranceFundView:
        """Return what the insurance fund has, and the debts that it has paid for accounts that lost
        more than they had."""

    @control()
    def deposit(
        self, account: AccountArgument, usdc: Money = "0", spot: SpotAmounts | None = None
    ) -> None:
        """Credit an account with USDC, with spot assets, or with both.

        Args:
            account: The account.
            usdc: Amount of USDC.
            spot: Amounts of spot assets, in tokens: `{"SOL": "5"}`.
        """

    @control()
    def set_margin(
        self,
        account: AccountArgument,
        symbol: Symbol,
        isolated: Switch = False,
        leverage: Leverage | None = None,
    ) -> None:
        """Set the margin mode, cross or isolated, and the leverage of an account in a market; no
        documented operation of the interface sets them.

        Args:
            account: The account.
            symbol: The market.
            isolated: True for isolated margin, False for cross margin.
            leverage: From 1 to the maximum of the market; None for the maximum.
        """
