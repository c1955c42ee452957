"""What can be done to a sandbox that no exchange offers: money, time, prices, forced outcomes.

Every public method is offered over HTTP, too, by its name: `POST /sandbox/v1/create_account`.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import get_args

from trading_runtime.convert import (
    DecimalLike,
    UUIDLike,
    to_boolean,
    to_decimal,
    to_integer,
    to_optional_text,
    to_text,
    to_texts,
    to_uuid,
)
from trading_runtime.keys import Keypair
from trading_sandbox.arguments import (
    AccountLike,
    Spot,
    to_address,
    to_choice,
    to_natural,
    to_spot,
)
from trading_sandbox.engine.commands import Command
from trading_sandbox.engine.controls import (
    BindAgent,
    Deposit,
    ForcedStatus,
    ForceOutcome,
    Liquidate,
    LiquidationCause,
    OpenAccount,
    OpenVault,
    SetMaker,
    SetMargin,
    SetMarkPrice,
)
from trading_sandbox.faults import Faults
from trading_sandbox.keys import seeded_key
from trading_sandbox.log import LoggedRequest, RequestLog
from trading_sandbox.service import Service
from trading_sandbox.web.rates import RateLimits


class Control:
    """The controls of a running sandbox.

    Every method raises, before anything is changed: `Refused` for what the exchange does not
    allow, ValueError for a value out of range, TypeError for one of the wrong type, RuntimeError
    while the sandbox does not run.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._running: Service | None = None
        self._log = RequestLog()
        self._key_lock = Lock()
        self._rates = RateLimits()
        self.faults = Faults()
        """Faults of the transport, to be injected for the next requests of an operation."""

    @property
    def _service(self) -> Service:
        if self._running is None:
            raise RuntimeError("the sandbox runs inside a with block only")
        return self._running

    @property
    def requests(self) -> list[LoggedRequest]:
        """The latest requests that were answered, oldest first."""
        return self._log.entries()

    def has_account(self, account: AccountLike) -> bool:
        """Whether there is an account of this address."""
        with self._service.reading() as exchange:
            return to_address("account", account) in exchange.state.accounts

    # -- accounts ------------------------------------------------------------------------------

    def create_account(self, usdc: DecimalLike = "10000", spot: Spot | None = None) -> Keypair:
        """Open an account with a deposit and return its key, which the seed decides.

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
            use_ltp_for_stop_orders: Whether the last traded price triggers its stop orders, where
                they do not choose.
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
            creator: The account that may set its caps and its blacklist.
            managed: Whether the creator manages it; else anybody may claim it.
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
        """Let an agent wallet sign for an account."""
        self._execute(
            BindAgent(account=to_address("account", account), agent=to_address("agent", agent))
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
        """Choose cross or isolated margin and the leverage of an account in a market.

        The interface shows these settings, but no operation that changes them.

        Args:
            account: Whose settings.
            symbol: Market.
            isolated: Whether its position there has a margin of its own.
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

    # -- markets -------------------------------------------------------------------------------

    def set_mark_price(self, symbol: str, price: DecimalLike) -> None:
        """Set the mark price of a market, in quote per token; it stays until it is set again."""
        self._execute(SetMarkPrice(symbol=to_text(symbol), price=to_decimal(price)))

    def set_maker(self, on: bool) -> None:
        """Turn the background maker, and the seeded paths of the mark prices, on or off."""
        self._execute(SetMaker(on=to_boolean(on)))

    def force_outcome(
        self, client_order_id: UUIDLike, status: ForcedStatus, reason: str | None = None
    ) -> None:
        """Decide what becomes of the next order with a client order id.

        Args:
            client_order_id: Id of an order that is still to come.
            status: `filled`, `partially_filled` (half of it), `cancelled`, `rejected` or
                `refused`, which answers 400 and places nothing.
            reason: The order's reason; the words of the answer for `refused`.
        """
        self._execute(
            ForceOutcome(
                client_order_id=str(to_uuid(client_order_id)),
                status=to_choice("status", status, get_args(ForcedStatus)),
                reason=to_optional_text(reason),
            )
        )

    def liquidate(
        self,
        account: AccountLike,
        symbol: str | None = None,
        cause: LiquidationCause = "market_liquidation",
    ) -> None:
        """Close positions of an account, whatever its margin is.

        Args:
            account: Whose positions.
            symbol: Market; None for every one.
            cause: `market_liquidation` (in the book, the rest to the backstop),
                `backstop_liquidation` (to the backstop) or `settlement` (against the most
                profitable positions of others).
        """
        self._execute(
            Liquidate(
                account=to_address("account", account),
                symbol=to_optional_text(symbol),
                cause=to_choice("cause", cause, get_args(LiquidationCause)),
            )
        )

    # -- time ----------------------------------------------------------------------------------

    def advance(self, ms: int) -> None:
        """Let market time pass at once: prices move, stops are triggered, funding is paid.

        Signatures are checked against the time of this machine, whatever the market's is.
        """
        self._service.advance(to_natural("ms", ms))

    def freeze(self, at: int | None = None) -> None:
        """Let market time stand still, at a time in ms that is not past, or now."""
        self._service.freeze(None if at is None else to_integer(at))

    def unfreeze(self) -> None:
        """Let market time go on from where it stands."""
        self._service.unfreeze()

    # -- limits and states ---------------------------------------------------------------------

    def set_rate_limit(self, credits: DecimalLike | None, window_s: int = 60) -> None:
        """Limit the requests of each rate-limit class, or no more.

        Args:
            credits: Credits a window, up to one decimal; None for no limit. A request costs 1, a
                cancel 0.5, a long page of a history 5.
            window_s: Length of a window in seconds.
        """
        quota = None if credits is None else to_decimal(credits)
        self._rates.set_limit(quota, to_integer(window_s))

    def snapshot(self) -> int:
        """Keep the state and the histories as they are; return the number to restore them by."""
        return self._service.snapshot()

    def restore(self, snapshot: int) -> None:
        """Bring back the state and the histories of a snapshot; what came later is gone."""
        self._service.restore(to_integer(snapshot))

    def reset(self) -> None:
        """Begin again: no accounts, orders, faults, limits or logged requests; the same seed."""
        self._service.reset()
        self._log.clear()
        self.faults.clear()
        self._rates.set_limit(None)

    def digest(self) -> str:
        """Return a SHA-256 of the state and the histories: equal only where everything is."""
        return self._service.digest()

    # ------------------------------------------------------------------------------------------

    def _next_key(self) -> Keypair:
        with self._service.reading() as exchange:
            return seeded_key(self._seed, exchange.state.next_key)

    def _execute(self, command: Command) -> None:
        self._service.execute(command)
