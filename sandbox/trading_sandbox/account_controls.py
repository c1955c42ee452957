"""The controls of accounts: keys, money, agents and margin settings."""

from __future__ import annotations

from collections.abc import Sequence

from trading_runtime import (
    DecimalLike,
    Keypair,
    to_boolean,
    to_decimal,
    to_integer,
    to_text,
    to_texts,
)
from trading_sandbox.arguments import AccountLike, Spot, to_address, to_public_key, to_spot
from trading_sandbox.engine.control_commands import (
    BindAgent,
    Deposit,
    OpenAccount,
    OpenVault,
    SetMargin,
)
from trading_sandbox.engine.views import AccountView, account_view
from trading_sandbox.keys import seeded_key
from trading_sandbox.running import Running


class AccountControls(Running):
    """The controls of accounts and vaults."""

    def has_account(self, account: AccountLike) -> bool:
        """Whether there is an account with this address."""
        address = to_address("account", account)
        with self._service.reading() as exchange:
            return address in exchange.state.accounts

    def account(self, account: AccountLike) -> AccountView:
        """Return the balances, margins, positions and spot assets of an account."""
        address = to_address("account", account)
        with self._service.reading() as exchange:
            return account_view(exchange.venue, address)

    def create_account(self, usdc: DecimalLike = "10000", spot: Spot | None = None) -> Keypair:
        """Open an account with a deposit and return its key, which is derived from the seed.

        Args:
            usdc: Deposit in USDC.
            spot: Deposits of spot assets, in tokens: `{"SOL": "5"}`.
        """
        deposit, tokens = to_decimal(usdc), to_spot(spot)
        with self._key_lock:
            keypair = self._next_key()
            self._execute(OpenAccount(account=keypair.address, usdc=deposit, spot=tokens))
        return keypair

    def create_subaccount(
        self,
        main: AccountLike,
        usdc: DecimalLike = "0",
        use_ltp_for_stop_orders: bool = False,
    ) -> Keypair:
        """Open a subaccount and return its key.

        Args:
            main: The main account.
            usdc: Deposit in USDC.
            use_ltp_for_stop_orders: Whether its stop orders that do not name a trigger price are
                triggered by the last trade price. Otherwise the mark price triggers them.
        """
        owner, deposit = to_address("main", main), to_decimal(usdc)
        last_price = to_boolean(use_ltp_for_stop_orders)
        with self._key_lock:
            keypair = self._next_key()
            self._execute(
                OpenAccount(
                    account=keypair.address,
                    usdc=deposit,
                    main=owner,
                    use_ltp_for_stop_orders=last_price,
                )
            )
        return keypair

    def create_vault(
        self, creator: AccountLike, managed: bool = True, blacklist: Sequence[str] = ()
    ) -> str:
        """Open a vault and return its address, for the field `lake`.

        Args:
            creator: The account that may change its leverage caps and its blacklist.
            managed: Whether the creator manages it; otherwise any account may claim it.
            blacklist: Symbols that it must not trade.
        """
        owner, has_manager = to_address("creator", creator), to_boolean(managed)
        symbols = to_texts(blacklist)
        with self._key_lock:
            address = self._next_key().address
            self._execute(
                OpenVault(vault=address, creator=owner, managed=has_manager, blacklist=symbols)
            )
        return address

    def bind_agent(self, account: AccountLike, agent: AccountLike) -> None:
        """Let an agent wallet sign for an account; the wallet needs no account of its own."""
        self._execute(
            BindAgent(account=to_address("account", account), agent=to_public_key("agent", agent))
        )

    def deposit(
        self, account: AccountLike, usdc: DecimalLike = "0", spot: Spot | None = None
    ) -> None:
        """Credit an account with USDC, with spot assets in tokens, or both."""
        self._execute(
            Deposit(
                account=to_address("account", account), usdc=to_decimal(usdc), spot=to_spot(spot)
            )
        )

    def set_margin(
        self,
        account: AccountLike,
        symbol: str,
        isolated: bool = False,
        leverage: int | None = None,
    ) -> None:
        """Set the margin mode, cross or isolated, and the leverage of an account in a market.

        The interface shows these settings but has no operation that changes them.

        Args:
            account: The account.
            symbol: The market.
            isolated: True for isolated margin, False for cross margin.
            leverage: From 1 to the maximum of the market; None for the maximum.
        """
        self._execute(
            SetMargin(
                account=to_address("account", account),
                symbol=to_text(symbol),
                isolated=to_boolean(isolated),
                leverage=None if leverage is None else to_integer(leverage),
            )
        )

    def _next_key(self) -> Keypair:
        with self._service.reading() as exchange:
            return seeded_key(self._seed, exchange.state.next_key)
