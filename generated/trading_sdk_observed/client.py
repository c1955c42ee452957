# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""The client of the service."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from trading_runtime import BaseClient
from trading_sdk_observed.groups.account import Account
from trading_sdk_observed.groups.agents import Agents
from trading_sdk_observed.groups.api_keys import ApiKeys
from trading_sdk_observed.groups.builder_codes import BuilderCodes
from trading_sdk_observed.groups.funding import Funding
from trading_sdk_observed.groups.markets import Markets
from trading_sdk_observed.groups.orders import Orders
from trading_sdk_observed.groups.positions import Positions
from trading_sdk_observed.groups.spot import Spot
from trading_sdk_observed.groups.subaccounts import Subaccounts
from trading_sdk_observed.groups.trades import Trades
from trading_sdk_observed.groups.twap import Twap
from trading_sdk_observed.groups.vaults import Vaults
from trading_sdk_observed.operations import API

if TYPE_CHECKING:
    from trading_runtime.stream import Stream
else:  # Its class is made when a stream is.
    Stream = Any


class Client(BaseClient):
    """Synchronous client of the trading service. Thread-safe.

    Making one sends nothing and opens no file. `from_env` makes one from environment variables.

    Args:
        base_url: Where the service is. Plain http is refused unless it stays on this machine.
        signer: Signs requests, like a `Keypair`. Without one the client can only read.
        account: Address of the account; the signer's own unless given. If it is another one, the
            signer is its agent wallet.
        api_key: API key, which selects a rate-limit class.
        expiry_window: How long the service accepts a signature after it was made. Unit: ms. The
            client takes 100 ms to 24 h; these bounds are its own, the service documents none.
        timeout: How long one whole call may take, with all its attempts; at most 600. Unit:
            seconds.
        retry: How often a call is attempted, and with which delays, where a repetition is safe.
        clock: Whose time is signed: this machine's (`local`), or the service's (`server`), as its
            responses show it. Before the first of them, a call that signs makes a read to learn the
            time, within its `timeout`. If it does not learn it, it raises NotSentError.
        journal: File that holds each change before it is sent, so that `unsettled()` finds it after
            a crash. One client at a time may use it.
        signing_types: Replaces signing types, by the names of their operations. Not documented are
            those of subaccounts.list, subaccounts.transfer, api_keys.create, api_keys.revoke,
            api_keys.list, orders.create_market, orders.cancel, orders.cancel_all,
            orders.set_position_tpsl, twap.create, twap.cancel, positions.add_isolated_margin,
            account.update_leverage, account.update_margin_mode, account.withdraw,
            subaccounts.create, subaccounts.transfer_spot, agents.bind, agents.list, agents.revoke,
            agents.revoke_all, agents.ip_whitelist, agents.add_whitelisted_ip,
            agents.remove_whitelisted_ip, agents.set_ip_whitelist_enabled, builder_codes.approve,
            builder_codes.revoke, vaults.create, vaults.deposit, vaults.withdraw,
            vaults.add_whitelist, vaults.remove_whitelist, vaults.add_blacklist,
            vaults.update_deposit_cap, vaults.claim_referral_code.
        session: A `requests.Session` of your own, for a proxy, a CA, hooks, adapters:
            docs/session-transport.md. It stays open. Without one the client makes its own, as
            `new_session()` does, which takes nothing from the environment.
        sends_once: Your promise that a session or an adapter with a `send` of its own sends each
            request once.
        max_body_bytes: A longer answer is not read to its end; nor is one to anything but a GET of
            more than 1 MiB. Unit: bytes.
        transport: Sends the requests in place of a session: an object with `send` and `close`.
        on_event: Called with every event of every call, for metrics and traces;
            docs/observability.md shows some. What it raises changes no call.
        history_lag: How long the service may take to execute what it accepted and to show it in its
            lists. So long after the expiry of a message `reconcile` says `not executed`. At least
            1, unless the service is on this machine, and at most 3600. Unit: seconds.
        check: Called with the model of each change, also of each action of a batch, before it is
            signed. What it raises ends the call, and nothing is sent:
            `trading_toolkit.markets.of(client)` refuses wrong ticks and lots.

    The constructor raises RequestError and TypeError, and JournalError where no journal can be
    written. Every call may raise the errors below; its own docstring says what is special about
    it.

    Errors:
        RequestError: An argument is wrong. Nothing was sent.
        TypeError: An argument has the wrong type, like a float for money. Nothing was sent.
        SigningError: A text is not printable ASCII (refused by choice: clients of the service
            escape it differently), or the signer failed. Nothing was sent.
        NotSentError: The request was certainly not sent. Nothing was changed.
        ApiError: The service refused. Each documented status has a subclass, like BadRequestError;
            RateLimitError is 429. A refusal inside a 200, like that of a failed action, is a
            BadRequestError, as under 400.
        NoResponseError: A read got no complete answer. Repeat it at will.
        DecodeError: The answer to a read is not of the documented form.
        OutcomeUnknownError: A change may have been executed. `reconcile(error)` looks for it in the
            lists of the service.
        JournalError: The journal cannot be written. Nothing was sent.

    A call that returns a `Paginator` sends nothing, and raises only RequestError and TypeError.
    All other errors come on iteration, when a page is fetched.
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

    @cached_property
    def twap(self) -> Twap:
        """Orders that are carried out in parts over a time (TWAP)."""
        return Twap(self._caller)

    @cached_property
    def positions(self) -> Positions:
        """Open positions of an account and their history."""
        return Positions(self._caller)

    @cached_property
    def agents(self) -> Agents:
        """Agent wallets, which sign for an account, and the IP addresses that they may use."""
        return Agents(self._caller)

    @cached_property
    def builder_codes(self) -> BuilderCodes:
        """Codes of programs that may charge a fee on the orders of an account."""
        return BuilderCodes(self._caller)

    @cached_property
    def markets(self) -> Markets:
        """Markets, their prices, candles, order books and trades."""
        return Markets(self._caller)

    def stream(self, *, url: str | None = None, max_queue: int = 10_000) -> Stream:
        """Events of the websocket, for a `with` block; docs/guides/streams.md shows a program.

        Needs the extra `[streams]`. Nobody promises the websocket: it was seen on the live service.

        Args:
            url: Where it is, `wss://...`; unless given `/ws` of the client's own URL.
            max_queue: Events that may wait for the program. With one more all are dropped, which `Lagging` tells.
        """
        from trading_sdk_observed import streams  # late: it imports msgspec

        return streams.Stream(self._caller, streams.CHANNELS, url, max_queue)
