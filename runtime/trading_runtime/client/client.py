"""The base class of every generated client."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar, cast

import requests
from attrs import evolve

from trading_runtime.call.caller import Caller
from trading_runtime.call.events import Event
from trading_runtime.call.failures import with_intent
from trading_runtime.call.journal import Journal
from trading_runtime.call.retry import Retry
from trading_runtime.checks import did_you_mean, elsewhere, names_arguments, no_attribute
from trading_runtime.client import config
from trading_runtime.clock import ClockName
from trading_runtime.codec.batch import BatchResult
from trading_runtime.codec.fields import UNSET, Unset
from trading_runtime.codec.requests import to_model
from trading_runtime.errors import (
    ApiError,
    BatchError,
    OutcomeUnknownError,
    RequestError,
    TradingError,
)
from trading_runtime.http.transport import MAX_BODY_BYTES, Transport
from trading_runtime.operation import Api, BatchOperation, CountersignedOperation, Kind
from trading_runtime.rate_limit import RateBudget, RateLimit
from trading_runtime.recovery.settlement import Settlement
from trading_runtime.signing.keys import Signer
from trading_runtime.signing.request import SignedRequest

if sys.version_info >= (3, 11):
    from typing import Unpack
else:  # pragma: no cover  (Python 3.10 has it only there)
    from typing_extensions import Unpack

Self = TypeVar("Self", bound="BaseClient")
DEFAULT_RETRY = Retry()


class BaseClient:
    """A synchronous client of the service that `api` describes. Thread-safe.

    The generated `Client` describes the arguments and the errors of every call.
    """

    api: ClassVar[Api]
    _is_owner = True
    """Whether it closes the connections and the journal."""

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
        session: requests.Session | None = None,
        sends_once: bool = False,
        max_body_bytes: int = MAX_BODY_BYTES,
        transport: Transport | None = None,
        on_event: Callable[[Event], object] | None = None,
        history_lag: float = 15.0,
        check: Callable[[Any], object] | None = None,
        **unknown: NoReturn,
    ) -> None:
        """Make a client. Nothing is sent and no file or socket is opened here."""
        config.refuse_others(unknown, config.CONSTRUCTOR)
        self._caller = Caller(
            base_url=(url := config.base_url(self.api, base_url)),
            signer=config.signer(signer),
            account=config.account(account, signer),
            headers=config.headers(self.api.api_key_header, api_key),
            expiry_window=config.window(expiry_window),
            timeout=config.timeout(timeout),
            signing_types=config.signing_types(self.api, signing_types or {}),
            transport=config.transport(transport, session, sends_once, max_body_bytes),
            retry=config.retry(retry),
            clock=config.clock(clock),
            time_source=config.time_source(self.api) if clock == "server" else None,
            rate_limit=RateLimit(self.api.rate_scale, self.api.rate_headers),
            journal=config.journal(journal),
            on_event=config.callback("on_event", on_event, "an event"),
            history_lag=config.history_lag(history_lag, url),
            check=config.callback("check", check, "a model"),
        )

    @classmethod
    def from_env(
        cls: type[Self],
        environ: Mapping[str, str] | None = None,
        **options: Unpack[config.ClientOptions],
    ) -> Self:
        """A client from TRADING_BASE_URL, TRADING_PRIVATE_KEY or TRADING_KEY_FILE, TRADING_ACCOUNT
        and TRADING_API_KEY, of `environ` or else of the environment of this process.

        If TRADING_ADDRESS is set, it must be the address of the key: a wrong key is refused here.
        `options` are those of the constructor that no variable names, like `journal` or `timeout`.

        Raises:
            RequestError: TRADING_BASE_URL is missing, both kinds of key are given, or there is no
                key for TRADING_ADDRESS.
            SigningError: the key cannot be used, or it is not that of TRADING_ADDRESS.
        """
        if not (environ is None or isinstance(environ, Mapping)):
            raise TypeError(f"environ must be a mapping, not a {type(environ).__name__}")
        found = config.from_env(os.environ if environ is None else environ)
        del environ  # a traceback of a later failure must not show it
        if isinstance(found, TradingError):
            raise found
        return cls(**found, **cast("Any", options))

    def with_options(
        self: Self,
        *,
        timeout: float | Unset = UNSET,
        expiry_window: int | Unset = UNSET,
        retry: Retry | Unset = UNSET,
        api_key: str | Unset | None = UNSET,
        **unknown: NoReturn,
    ) -> Self:
        """The same client with other options, as in `client.with_options(timeout=2).orders.create(...)`.

        It shares connections, clock, journal, rate limit, spent retries with this
        one, so make as many as you like. With another `api_key` it counts a rate limit of its own. Closing
        it closes nothing: this client owns the connections and the journal, and closing it closes both.

        Args:
            timeout: How long one whole call may take, with all its attempts. Unit: seconds.
            expiry_window: How long the service accepts a signature after it was made. Unit: ms. The client
                takes 100 ms to 24 h; these bounds are its own, the service documents none.
            retry: How often a call is attempted, and with which delays. What its `quota` allows is less by
                what the calls of all these clients have spent.
            api_key: API key, which selects a rate-limit class; None sends none.

        Raises:
            RequestError, TypeError: An option is wrong, as in the constructor.
        """
        config.refuse_others(unknown, config.CHANGEABLE)
        given = {
            "timeout": timeout,
            "expiry_window": expiry_window,
            "retry": retry,
            "api_key": api_key,
        }
        changes = config.changed_options(self.api, given)
        # Groups belong to the other client; what a class of the user's own has set stays.
        kept = {name: each for name, each in vars(self).items() if not isinstance(each, Group)}
        made = object.__new__(type(self))
        vars(made).update(kept, _caller=evolve(self._caller, **changes), _is_owner=False)
        return made

    @property
    def service_url(self) -> str:
        """Where the service is."""
        return self._caller.base_url

    @property
    def account_address(self) -> str | None:
        """Address of the account that calls are made for."""
        return self._caller.account

    @property
    def history_lag(self) -> float:
        """How late a list may show what the service accepted, in seconds."""
        return self._caller.history_lag

    @property
    def rate_budget(self) -> RateBudget | None:
        """The rate-limit budget as of the latest answer that told it; None before one did."""
        return self._caller.rate_limit.budget()

    @property
    def rate_class(self) -> str:
        """What says which clients share a rate budget: the service, and a hash of the API key if there is one."""
        headers = sorted(self._caller.headers.items())
        digest = sha256(repr(headers).encode()).hexdigest()[:16] if headers else "no key"
        return f"{self.service_url} {digest}"

    @property
    def clock_skew(self) -> int | None:
        """How far the service's clock is ahead of this machine's, in ms; None before an answer.

        It comes from the `Date` of answers, so it is exact to a second or two.
        """
        return self._caller.clock.skew

    def close(self) -> None:
        """Close the connections and the journal. Closing twice does no harm.

        A client that `with_options` made has none of its own: closing it does nothing.
        """
        if not self._is_owner:
            return
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

    # Type checkers would take any name for one that is there.
    if not TYPE_CHECKING:  # pragma: no branch

        def __getattr__(self, name: str) -> Any:
            """Name what was meant, like `orders.create` for `create_order`."""
            api: Api | None = getattr(type(self), "api", None)
            names = [*api.kinds] if api else []
            joined = {each.replace(".", "_"): each for each in names}
            turned = {"_".join(reversed(each.split("."))): each for each in names}
            raise no_attribute(type(self), name, {**joined, **turned}, elsewhere(name))

        def __setattr__(self, name: str, value: object) -> None:
            """Refuse an option, which an attribute of its name would not change."""
            if name in config.CONSTRUCTOR and not hasattr(type(self), name):
                also = f", or client.with_options({name}=...)" if name in config.CHANGEABLE else ""
                raise AttributeError(
                    f"{name} is an option: write {type(self).__name__}(url, {name}=...){also}"
                )
            object.__setattr__(self, name, value)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a client holds connections and a key; make a new one instead of copying")

    def explain(self, name: str, /, *positional: NoReturn, **arguments: object) -> SignedRequest:
        """Show what would be signed and sent, as in `explain("orders.create", symbol="BTC", ...)`.

        That is the body: what stands in headers, the path or the query is not signed, and not shown.
        Nothing is sent, and the result holds no private key. With `clock="server"` it shows this machine's
        time until an answer has told the service's.

        Raises:
            RequestError: there is no such operation, it is not signed, or an argument is wrong.
        """
        if positional:
            raise TypeError(
                f"explain takes the arguments of {name} by name, as in explain({name!r}, name=value)"
            )
        operation = _kind(self.api, name)
        if operation.signing_type is None:
            raise RequestError(f"{name} is not signed{_instead(operation)}")
        if isinstance(operation, CountersignedOperation):
            raise RequestError(f"{name} is signed by two keys; explain shows what one key signs")
        if operation.params is None and arguments:
            raise RequestError(f"{name} takes no arguments")
        params = to_model(operation.params, arguments) if operation.params else None
        return evolve(self._caller.sign(operation, params), operation=name)

    # -- calls whose outcome is unknown --------------------------------------------------------

    def reconcile(
        self,
        error: OutcomeUnknownError | ApiError | BatchError | BatchResult[Any],
        *,
        timeout: float | None = None,
    ) -> tuple[Settlement, ...]:
        """Find out from the histories whether a call was executed. Nothing is sent again.

        A message that no history shows may still be accepted until it expires, and shown later than
        that. So this waits until both are over (`expiry_window` and `history_lag`), and reads the histories
        twice, to their ends. A refusal is looked into in the same way: it may be the answer to a copy that a
        proxy sent. If this ends before it is done, `error.progress` says how far it came, and the next call
        for the same error goes on from there.

        Args:
            error: The error of the call, also one that was made by `OutcomeUnknownError.from_json`; or the
                result of a batch in which actions failed.
            timeout: Seconds to wait at most, for the message to expire and for the rate limit; None waits
                as long as it takes. What is not known by then is `unsettled`.

        Returns:
            One settlement for the call, or one for each action of a batch, in order. Of a `BatchError` or the
            result of a batch: one for each action that failed.

        Raises:
            RequestError: The call was another account's or service's, it changed nothing, or no action failed.
            NotSentError, NoResponseError, ApiError, DecodeError, PaginationError: A history cannot
                be read to its end, also not when a page is read again.
        """
        # Late, here and below: it takes 8 ms to import, and most programs never need it.
        from trading_runtime.recovery.reconcile import reconcile

        failure = with_intent(error)
        settlements = reconcile(self._caller, self.api, failure, config.reconcile_timeout(timeout))
        settled = all(each.state != "unsettled" for each in settlements)
        if settled and self._caller.journal is not None and failure.intent is not None:
            self._caller.journal.end(failure.intent, known=True)
        return settlements

    def resend(self, error: OutcomeUnknownError | ApiError) -> Settlement:
        """Send the message of a call again, under the same idempotency key: it is executed once.

        It is signed anew, and so accepted for another `expiry_window`. An answer that the key was used
        before says that the first message was accepted, if the SDK made the key, for this message alone.

        Args:
            error: The error of the call; also one that was made by `OutcomeUnknownError.from_json`.

        Returns:
            A settlement that says `executed`; `records` hold the answer, if there was a new one. It says
            `unsettled` after a 409 that may be about another message, or about something else.

        Raises:
            RequestError: The operation takes no idempotency key, or the message has none. Nothing was sent.
            OutcomeUnknownError: Its outcome is unknown again: send it again.
            NotSentError: It was not sent again.
            ApiError: The service refused it, which says nothing of the first time.
        """
        from trading_runtime.recovery.resend import resend

        settled = resend(self._caller, self.api, error)
        known = settled.state != "unsettled"
        if known and self._caller.journal is not None and error.intent is not None:
            self._caller.journal.end_all(error.intent)
        return settled

    def unsettled(self) -> list[OutcomeUnknownError]:
        """The calls of the journal whose outcome is not known, for `reconcile`, oldest first.

        Raises:
            RequestError: The client has no journal.
            JournalError: The journal cannot be read.
        """
        reason = "the journal holds no outcome"
        return [OutcomeUnknownError(intent, reason) for intent in self._journal().unsettled()]

    def acknowledge(self, error: OutcomeUnknownError | ApiError) -> None:
        """Mark a call as settled in the journal, after finding out its outcome in another way.

        Raises:
            RequestError: The client has no journal, it has no open entry of this call, or the call was
                another account's or service's.
            JournalError: The journal cannot be read.
        """
        with_intent(error)
        open_ids = {intent.id for intent in self._journal().unsettled()}
        intent = error.intent
        if intent is None or intent.id not in open_ids:
            raise RequestError(f"{error.operation}: the journal has no open entry of this call")
        self._caller.check_own(intent, "acknowledge")
        self._journal().end(intent, known=True)

    def _journal(self) -> Journal:
        if self._caller.journal is None:
            raise RequestError("this client has no journal: give it one, Client(..., journal=path)")
        return self._caller.journal


# A TypeError of a wrong argument shows this name, and a user makes a `Client`.
BaseClient.__init__.__qualname__ = "Client"


class Group:
    """Operations that stand together on a client, like `client.orders`."""

    __slots__ = ("_caller",)

    def __init_subclass__(cls) -> None:
        """Let each method name the argument that was meant.

        The warning of a deprecated one names its caller by the number of frames between them.
        """
        for name, method in tuple(vars(cls).items()):
            is_own = inspect.isfunction(method) and not name.startswith("_")
            if is_own and not hasattr(method, "__deprecated__"):
                setattr(cls, name, names_arguments(method))

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    # Type checkers would take any name for one that is there.
    if not TYPE_CHECKING:  # pragma: no branch

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(type(self), name, {}, elsewhere(f"{type(self).__name__} {name}"))

    def __reduce__(self) -> NoReturn:
        raise TypeError("a group belongs to a client; make a new client instead of copying")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._caller.base_url!r}, account={self._caller.account!r})"


def _kind(api: Api, name: str) -> Kind:
    found = api.kinds.get(name)
    if found is None:
        known = ", ".join(each for each, kind in api.kinds.items() if kind.signing_type)
        near = did_you_mean(name, api.kinds)
        raise RequestError(
            f"there is no operation {name!r}; those that are signed are {known}{near}"
        )
    return found


def _instead(kind: Kind) -> str:
    """What to do where an operation is not signed as a whole."""
    if not isinstance(kind, BatchOperation):
        return ", so there is nothing to show: call it"
    first = next(iter(kind.batch.actions.values()))
    return f" as a whole: explain one action by its name, like {first.name}"
