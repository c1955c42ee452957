"""All controls of a sandbox: those of accounts, of markets, of faults, and of the whole exchange."""

# The decorator is the body of every control.
# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trading_runtime import UNSET, Keypair
from trading_sandbox.controls import argument_types as types
from trading_sandbox.controls.definition import Control, Controlled, control, controls_of
from trading_sandbox.engine.commands import (
    BindAgent,
    Cancel,
    Deposit,
    ForceOutcome,
    Liquidate,
    SetMaker,
    SetMargin,
    SetMarkPrice,
)
from trading_sandbox.engine.views import (
    AccountView,
    InsuranceFundView,
    MarketView,
    OrderView,
    account_view,
    insurance_fund_view,
    market_view,
    orders_view,
)
from trading_sandbox.faults import Fault
from trading_sandbox.log import KEPT_REQUESTS, LoggedRequest


class AccountControls(Controlled):
    """The controls of accounts and vaults."""

    @control()
    def create_account(
        self, usdc: types.Money = "10000", spot: types.SpotAmounts | None = None
    ) -> Keypair:
        """Open an account with a deposit; return its `Keypair`, which is derived from the seed.

        Args:
            usdc: Deposit in USDC.
            spot: Deposits of spot assets, in tokens: `{"SOL": "5"}`.
        """

    @control()
    def create_subaccount(
        self,
        main: types.AccountArgument,
        usdc: types.Money = "0",
        use_ltp_for_stop_orders: types.Switch = False,
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
        self,
        creator: types.AccountArgument,
        managed: types.Switch = True,
        blacklist: types.Symbols = (),
    ) -> str:
        """Open a vault; return its address, for the field `lake`.

        Args:
            creator: The account that may change its leverage caps and its blacklist.
            managed: Whether the creator manages it; otherwise any account may claim it.
            blacklist: Symbols that it must not trade.
        """

    @control(command=BindAgent)
    def bind_agent(self, account: types.AccountArgument, agent: types.PublicKey) -> None:
        """Let an agent wallet sign for an account; the wallet needs no account of its own.

        Args:
            account: The account.
            agent: The public key of the wallet, or its key pair.
        """

    @control()
    def has_account(self, account: types.AccountArgument) -> bool:
        """Return whether there is an account with this address.

        Args:
            account: The address, or a key pair.
        """

    @control(view=account_view)
    def account(self, account: types.AccountArgument) -> AccountView:
        """Return what an account has: balance, equity (with spot collateral at 90 %), free (to 8
        decimals) and withdrawable USDC (to 6), positions, spot assets.

        Args:
            account: The account.
        """

    @control(view=orders_view)
    def orders(self, account: types.AccountArgument) -> list[OrderView]:
        """Return the open orders of an account, stop orders, too, the oldest first. A GTC, IOC or market
        order that still waits for the taker delay is not among them.

        Args:
            account: The account.
        """

    @control(view=insurance_fund_view)
    def insurance_fund(self) -> InsuranceFundView:
        """Return what the insurance fund has, and the debts that it has paid for accounts that lost
        more than they had."""

    @control(command=Deposit)
    def deposit(
        self,
        account: types.AccountArgument,
        usdc: types.Money = "0",
        spot: types.SpotAmounts | None = None,
    ) -> None:
        """Credit an account with USDC, with spot assets, or with both.

        Args:
            account: The account.
            usdc: Amount of USDC.
            spot: Amounts of spot assets, in tokens: `{"SOL": "5"}`.
        """

    @control()
    def add_history(
        self,
        account: types.AccountArgument,
        symbol: types.Symbol,
        round_trips: types.Count,
        spacing_ms: types.Time = 1000,
    ) -> None:
        """Give an account a past in a market: round trips of two orders and two trades each, the last
        one now. They change neither its balance nor the market. A million trades take minutes, and
        1.4 GB without a state file.

        Args:
            account: The account.
            symbol: The market.
            round_trips: How many; 500,000 are a million trades.
            spacing_ms: Time from one trade to the next, in ms.
        """

    @control(command=SetMargin)
    def set_margin(
        self,
        account: types.AccountArgument,
        symbol: types.Symbol,
        isolated: types.Switch = False,
        leverage: types.Leverage | None = None,
    ) -> None:
        """Set the margin mode, cross or isolated, and the leverage of an account in a market; no
        documented operation of the interface sets them.

        Args:
            account: The account.
            symbol: The market.
            isolated: True for isolated margin, False for cross margin.
            leverage: From 1 to the maximum of the market; None for the maximum.
        """


class OrderControls(Controlled):
    """The controls of orders that are placed by hand, without a signature."""

    @control()
    def place_order(
        self,
        account: types.AccountArgument,
        symbol: types.Symbol,
        side: types.OrderSide,
        amount: types.Money,
        price: types.Money | None = None,
        reduce_only: types.Switch = False,
    ) -> int:
        """Place an order of an account; return its id. It does not wait for the taker delay.

        Args:
            account: The account.
            symbol: The market.
            side: `bid` buys, `ask` sells.
            amount: How much, in tokens.
            price: The price of a limit order, which stays until it is cancelled; None for a market order,
                which fills within 1 % of the current price.
            reduce_only: Whether it may only make the position smaller.
        """

    @control(command=Cancel)
    def cancel_order(
        self, account: types.AccountArgument, symbol: types.Symbol, order_id: types.OrderId
    ) -> int:
        """Cancel an open order of an account; return its id.

        Args:
            account: The account.
            symbol: The market.
            order_id: The id of the order.
        """


class MarketControls(Controlled):
    """The controls of prices, forced outcomes, liquidations and market time."""

    @control(view=market_view)
    def market(self, symbol: types.Symbol) -> MarketView:
        """Return the mark price, last price, best bid and best ask of a market.

        Args:
            symbol: The market.
        """

    @control(command=SetMarkPrice)
    def set_mark_price(self, symbol: types.Symbol, price: types.Money | None) -> None:
        """Set the mark price of a market and hold it there; with None it follows its path again.

        Args:
            symbol: The market.
            price: The price, in quote per token.
        """

    @control(command=SetMaker)
    def set_maker(self, on: types.Switch) -> None:
        """Turn the background maker and the seeded paths of the mark prices on or off.

        Args:
            on: Whether they are to be on.
        """

    @control(command=ForceOutcome)
    def force_outcome(
        self,
        client_order_id: types.ClientOrderId,
        status: types.Outcome,
        reason: types.Text | None = None,
    ) -> None:
        """Force the outcome of the next order with a client order id: `filled`, `partially_filled`,
        `cancelled`, `rejected` or `refused`.

        Args:
            client_order_id: Id of an order that is not placed yet.
            status: `filled`, `partially_filled` (half of it), `cancelled`, `rejected` or
                `refused`, which answers 400 and places nothing.
            reason: The order's reason, for `cancelled` and `rejected`; the error text of the
                answer, for `refused`. None: the default.
        """

    @control(command=Liquidate)
    def liquidate(
        self,
        account: types.AccountArgument,
        symbol: types.Symbol | None = None,
        cause: types.Cause = "market_liquidation",
    ) -> None:
        """Liquidate positions of an account, whatever its margin: as a `market_liquidation`,
        `backstop_liquidation` or `settlement`.

        Args:
            account: The account.
            symbol: Market of the position; None for all positions.
            cause: `market_liquidation` (in the book, the rest to the backstop account),
                `backstop_liquidation` (to the backstop account) or `settlement` (against the most
                profitable opposite positions of other accounts).
        """

    @control()
    def advance(self, ms: types.Duration) -> None:
        """Advance market time, up to 366 days at once: prices move, stop orders are triggered, funding
        is paid. Months take seconds, in slices: a request between two of them is answered at the time
        that it is then.

        Args:
            ms: How far, in ms.
        """

    @control()
    def freeze(self, at: types.Time | None = None) -> None:
        """Freeze market time now, or advance it to a time and freeze it there.

        Args:
            at: The time, in ms; None for now.
        """

    @control()
    def unfreeze(self) -> None:
        """Let market time run again, from where it is frozen."""


class FaultControls(Controlled):
    """The controls of the faults that are injected into requests."""

    @control("faults.inject")
    def inject(
        self,
        operation: types.Text,
        kind: types.FaultKind,
        times: types.Size = 1,
        *,
        executed: types.Switch | None = None,
        status: types.Status | None = None,
        body: types.Body | None = None,
        headers: types.Headers | None = None,
        seconds: types.Pause | None = None,
        offset_ms: types.Offset | None = None,
        field: types.FilledText | None = None,
        value: types.JsonValue = UNSET,
        location: types.HeaderText | None = None,
        keep: types.Bytes | None = None,
        size: types.Size | None = None,
    ) -> None:
        """Inject a fault into the next requests of an operation, or of any operation with `*`; or into
        the next frames of a channel, or answers to an operation, of the websocket.

        A request takes one fault at most: of those that apply, the one that was injected first.

        Args:
            operation: Name of the operation or channel, or `*`.
            kind: The kind of fault, from the table of faults; it tells which options there are.
            times: How many requests it applies to.
            executed: Whether the exchange executes them; None: the default of the kind.
            status: Status of the answer.
            body: Body of the answer, a string or bytes.
            headers: Headers that the answer has besides, or instead of its own.
            seconds: How long it takes, in seconds.
            offset_ms: How far the clock is ahead, in ms; negative: behind.
            field: Name of the field that is changed, wherever it stands first.
            value: JSON value that is sent instead.
            location: URL that the answer points to.
            keep: How many bytes are sent of what is cut.
            size: How large it is: bytes, digits, levels or headers.
        """

    @control("faults.pending")
    def pending(self) -> list[Fault]:
        """Return the faults that still wait, each with the number of requests it applies to."""

    @control("faults.clear")
    def clear(self) -> None:
        """Remove all faults that still wait, and listen again if `connect_refused` stopped that."""


class BoundFaults(FaultControls):
    """The controls of the faults of one sandbox."""

    def __init__(self, invoke: Callable[[Control, Mapping[str, Any]], Any]) -> None:
        self._invoke_control = invoke

    def _invoke(self, control: Control, arguments: Mapping[str, Any]) -> Any:
        return self._invoke_control(control, arguments)


class Controls(MarketControls, OrderControls, AccountControls):
    """The controls of a running sandbox.

    A method that raises has changed nothing; but for one that goes in slices, which a full disk or the
    end of the sandbox breaks off where it is. It raises `Refused` if the exchange does not allow
    the command, ValueError for a value out of range, TypeError for a value of the wrong type, and
    RuntimeError outside the `with` block of the sandbox, and in a child of the process that runs it.
    """

    @property
    def requests(self) -> list[LoggedRequest]:
        """The request log: the latest requests that were answered, oldest first."""
        return self._requests(limit=KEPT_REQUESTS)

    @property
    def faults(self) -> FaultControls:
        """Injects faults of the transport into the next requests of an operation."""
        return BoundFaults(self._invoke)

    @control()
    def set_rate_limit(
        self,
        credits: types.Money | None,
        window_s: types.Seconds = 60,
        with_key: types.Money | None = None,
    ) -> None:
        """Limit the requests of each rate-limit class; None for no limit. The headers count in
        the units of the spec (`x-rate-scale`): tenths of a credit, as observed. `advance` lets
        windows end.

        Args:
            credits: Credits per window, above 0 and below 10^9, in steps of 0.1. A request costs 1,
                a cancel 0.5, a page of more than 100 records 5.
            window_s: Length of a window in seconds.
            with_key: Credits of each API key; None: as without one.
        """

    @control()
    def snapshot(self) -> int:
        """Take a snapshot of the state and all histories; return its number, for `restore`."""

    @control()
    def restore(self, snapshot: types.Snapshot) -> None:
        """Go back to the state and the histories of a snapshot; everything later is deleted, faults
        and rate limits stay as they are. The ids of orders, trades and withdrawals go on: none is
        given twice, as on a real exchange.

        Args:
            snapshot: Number of the snapshot.
        """

    @control()
    def reset(self) -> None:
        """Start again with the same seed: new accounts get the same keys in the same order, and ids
        go on. Snapshots and faults are deleted, rate limits are as at the start, and the demo accounts: the first two
        `create_account` open them again. A request that is waiting for the taker delay is refused.
        """

    @control()
    def digest(self) -> str:
        """Return a SHA-256 of the state and the histories; two are equal only if everything is, but
        for the ids that come next.
        """

    @control("requests")
    def _requests(self, limit: types.Latest = 100) -> list[LoggedRequest]:
        """Return the request log, oldest first: operation, headers, body, canonical text, the status,
        error and answer of the exchange, and the fault that spoiled the answer. It keeps the latest
        10,000 requests, 32 MiB at most. In Python it is the attribute `requests`, with all of them.

        Args:
            limit: The most requests to return.
        """


CONTROLS: Mapping[str, Control] = {**controls_of(Controls), **controls_of(FaultControls)}
"""All controls, by name."""
