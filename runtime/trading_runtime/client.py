"""What every generated client is built on: its options, its life, and `explain`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import ClassVar, NoReturn, TypeVar

from trading_runtime import options
from trading_runtime.caller import Caller
from trading_runtime.clock import ClockName
from trading_runtime.convert import to_model
from trading_runtime.errors import ApiError, OutcomeUnknownError, RequestError, TradingError
from trading_runtime.journal import Journal
from trading_runtime.keys import Signer
from trading_runtime.operation import Api
from trading_runtime.rates import RateBudget, Rates
from trading_runtime.retry import Retry
from trading_runtime.retry_budget import RetryBudget
from trading_runtime.settlement import Settlement
from trading_runtime.signing import SignedRequest
from trading_runtime.transport import RequestsTransport, Transport
from trading_runtime.urls import check_base_url

Self = TypeVar("Self", bound="BaseClient")
DEFAULT_RETRY = Retry()


class BaseClient:
    """A synchronous client of the service that `api` describes. Thread-safe.

    Args:
        base_url: Where the service is. Plain http is refused off this machine.
        signer: Signs requests. Without one the client can only read.
        account: Address of the account; the signer's own when omitted. When it is another one,
            the signer is its agent wallet.
        api_key: API key that selects a rate-limit class.
        expiry_window: How long a signature is accepted after it was made, in ms.
        timeout: Seconds that one whole call may take, with everything that it attempts again.
        retry: How often, and after what waits, a call is attempted again where that is safe.
        clock: Whose time is signed: this machine's (`local`), or the service's as its answers
            show it (`server`).
        journal: File that holds what is about to be changed before it is sent, so that
            `unsettled()` finds it after a crash. It belongs to one client at a time.
        signing_types: Replaces signing types that the interface document does not state, by the
            name of their operation, like `{"subaccounts.transfer": "subaccount_transfer"}`.
        transport: Sends the requests; a `RequestsTransport` unless given.

    Raises:
        RequestError: An argument is wrong.
        TypeError: An argument has the wrong type.
    """

    api: ClassVar[Api]

    def __init__(
        self,
        base_url: str,
        *,
        signer: Signer | None = None,
        account: str | None = None,
        api_key: str | None = None,
        expiry_window: int = 30_000,
        timeout: float = 10.0,
        retry: Retry = DEFAULT_RETRY,
        clock: ClockName = "local",
        journal: str | os.PathLike[str] | None = None,
        signing_types: Mapping[str, str] | None = None,
        transport: Transport | None = None,
    ) -> None:
        """Make a client. Nothing is sent and no file or socket is opened here."""
        self._caller = Caller(
            base_url=check_base_url(base_url),
            signer=options.signer(signer),
            account=options.account(account, signer),
            headers=options.headers(self.api.api_key_header, api_key),
            expiry_window=options.window(expiry_window),
            timeout=options.seconds(timeout),
            signing_types=options.signing_types(self.api, signing_types or {}),
            transport=options.transport(transport) or RequestsTransport(),
            retry=options.retry(retry),
            budget=RetryBudget(retry.budget),
            clock=options.clock(clock),
            rates=Rates(self.api.rate_scale),
            journal=options.journal(journal),
        )

    @classmethod
    def from_env(cls: type[Self], environ: Mapping[str, str] | None = None) -> Self:
        """A client from TRADING_BASE_URL, TRADING_PRIVATE_KEY or TRADING_KEY_FILE, TRADING_ACCOUNT
        and TRADING_API_KEY, of `environ` or else of the environment of this process.

        Raises:
            RequestError: TRADING_BASE_URL is missing, or both kinds of key are given.
            SigningError: the key cannot be used.
        """
        found = options.from_env(os.environ if environ is None else environ)
        del environ  # a traceback of what fails from here on must not show what is in it
        if isinstance(found, TradingError):
            raise found
        return cls(**found)

    @property
    def account_address(self) -> str | None:
        """Address of the account that calls are made for."""
        return self._caller.account

    @property
    def rate_budget(self) -> RateBudget | None:
        """What the rate limit leaves, as of the latest answer that told it."""
        return self._caller.rates.budget()

    @property
    def clock_skew(self) -> int | None:
        """How far the service's clock is ahead of this machine's, in ms; None before an answer."""
        skew = self._caller.clock.skew
        return skew.middle if skew else None

    def reconcile(
        self, error: OutcomeUnknownError | ApiError, *, timeout: float | None = None
    ) -> tuple[Settlement, ...]:
        """Find out what became of a call, in the histories; nothing is sent again.

        What the histories do not show may still be accepted until its message expires, so this waits
        until then, `expiry_window` and a second, and looks again. A history is read to its end, or
        until all ids that are looked for were found.

        Args:
            error: The error of the call; also one that was made by `OutcomeUnknownError.from_json`.
            timeout: Seconds to wait for the message to expire, at most; None waits for it. What is
                not told by then is `unsettled`.

        Returns:
            What became of each message, in order: a single one, or one for each action of a batch.

        Raises:
            RequestError: The call was another account's or service's, or it changed nothing.
            NotSentError, NoResponseError, ApiError, DecodeError, PaginationError: A history cannot
                be read to its end.
        """
        # Imported here, because it is long, and most programs never need it.
        from trading_runtime.reconcile import reconcile

        settlements = reconcile(self._caller, self.api, error, options.patience(timeout))
        settled = all(each.state != "unsettled" for each in settlements)
        if settled and self._caller.journal is not None and error.intent is not None:
            self._caller.journal.end(error.intent, known=True)
        return settlements

    def unsettled(self) -> list[OutcomeUnknownError]:
        """What the journal holds of calls whose outcome is not known, for `reconcile`, oldest first.

        Raises:
            RequestError: The client has no journal.
            JournalError: The journal cannot be read.
        """
        reason = "the journal does not say what became of it"
        return [OutcomeUnknownError(intent, reason) for intent in self._journal().unsettled()]

    def acknowledge(self, error: OutcomeUnknownError | ApiError) -> None:
        """Mark a call as settled in the journal, where you found out yourself what became of it.

        Raises:
            RequestError: The client has no journal, or it has no open entry of this call.
            JournalError: The journal cannot be read.
        """
        open_ids = {intent.id for intent in self._journal().unsettled()}
        if error.intent is None or error.intent.id not in open_ids:
            raise RequestError(f"{error.operation}: the journal has no open entry of this call")
        self._journal().end(error.intent, known=True)

    def _journal(self) -> Journal:
        if self._caller.journal is None:
            raise RequestError("this client has no journal: give it one, Client(..., journal=path)")
        return self._caller.journal

    def close(self) -> None:
        """Close all connections. Closing twice does no harm."""
        self._caller.transport.close()
        if self._caller.journal is not None:
            self._caller.journal.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        caller: Caller | None = getattr(self, "_caller", None)
        if caller is None:  # shown by a debugger or a traceback while the constructor fails
            return f"{type(self).__name__}(unfinished)"
        return f"{type(self).__name__}({caller.base_url!r}, account={caller.account!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a client holds connections and a key; make a new one instead of copying")

    def explain(self, name: str, /, **arguments: object) -> SignedRequest:
        """What would be signed and sent, as in `explain("orders.create", symbol="BTC", ...)`.

        Nothing is sent, and the answer holds no private key.

        Raises:
            RequestError: there is no such operation, it is not signed, or an argument is wrong.
        """
        operation = self.api.operations.get(name) or self.api.actions.get(name)
        if operation is None:
            known = ", ".join({**self.api.operations, **self.api.actions})
            raise RequestError(f"there is no operation {name!r}; there are {known}")
        if operation.signing_type is None:
            raise RequestError(f"{name} is not signed as a whole")
        if operation.params is None and arguments:
            raise RequestError(f"{name} takes no arguments")
        params = to_model(operation.params, arguments) if operation.params else None
        return self._caller.sign(operation, params)
