"""What every generated client is built on: a request, all the way from its model to its result."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, ClassVar, NoReturn, TypeVar

from attrs import evolve

from trading_runtime import options, wire
from trading_runtime.batch import ActionOutcome, BatchResult, batch_body, checked_actions
from trading_runtime.convert import to_model
from trading_runtime.errors import ApiError, DecodeError, RequestError, api_error
from trading_runtime.keys import Keypair, Signer
from trading_runtime.operation import Action, Api, BatchOperation, ListOperation, Operation
from trading_runtime.outcome import Prepared, client_id, judge
from trading_runtime.pagination import Page, Paginator
from trading_runtime.signing import SignedRequest, sign_request
from trading_runtime.transport import (
    Request,
    RequestsTransport,
    Response,
    Transport,
    TransportFailure,
)
from trading_runtime.urls import check_base_url

Op = TypeVar("Op", bound=Operation[Any])
T = TypeVar("T")
R = TypeVar("R", bound=ActionOutcome)
Self = TypeVar("Self", bound="BaseClient")


class BaseClient:
    """A synchronous client of the service that `api` describes. Thread-safe.

    Args:
        base_url: Where the service is. Plain http is refused off this machine.
        signer: Signs requests. Without one the client can only read.
        account: Address of the account; the signer's own when omitted. When it is another one, the
            signer is its agent wallet.
        api_key: API key that selects a rate-limit class.
        expiry_window: How long a signature is accepted after it was made, in ms.
        timeout: How long to wait for the service to connect and to answer, in seconds.
        signing_types: Replaces signing types that the interface document does not state, by the
            name of their operation, like `{"subaccounts.transfer": "subaccount_transfer"}`.
        transport: Sends the requests; a `RequestsTransport` unless given.

    Raises:
        RequestError: an argument is wrong. Nothing is sent and no file or socket is opened here.
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
        signing_types: Mapping[str, str] | None = None,
        transport: Transport | None = None,
    ) -> None:
        self._base_url = check_base_url(base_url)
        self._signer = signer
        self._account = options.account(account, signer)
        self._headers = options.headers(self.api.api_key_header, api_key)
        self._expiry_window = options.window(expiry_window)
        self._timeout = options.seconds(timeout)
        self._signing_types = options.signing_types(self.api, signing_types or {})
        self._transport = transport or RequestsTransport()

    @classmethod
    def from_env(cls: type[Self], environ: Mapping[str, str] = os.environ) -> Self:
        """A client from TRADING_BASE_URL, TRADING_PRIVATE_KEY or TRADING_KEY_FILE, TRADING_ACCOUNT
        and TRADING_API_KEY.

        Raises:
            RequestError: TRADING_BASE_URL is missing, or both kinds of key are given.
            SigningError: the key cannot be used.
        """
        base_url = environ.get("TRADING_BASE_URL")
        text, path = environ.get("TRADING_PRIVATE_KEY"), environ.get("TRADING_KEY_FILE")
        if not base_url:
            raise RequestError("TRADING_BASE_URL is not set; give the URL of the service")
        if text and path:
            raise RequestError("set TRADING_PRIVATE_KEY or TRADING_KEY_FILE, not both")
        signer = Keypair.from_base58(text) if text else Keypair.from_file(path) if path else None
        return cls(
            base_url,
            signer=signer,
            account=environ.get("TRADING_ACCOUNT") or None,
            api_key=environ.get("TRADING_API_KEY") or None,
        )

    @property
    def account_address(self) -> str | None:
        """Address of the account that calls are made for."""
        return self._account

    def close(self) -> None:
        """Close all connections. Closing twice does no harm."""
        self._transport.close()

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
        return f"{type(self).__name__}({self._base_url!r}, account={self._account!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a client holds connections and a key; make a new one instead of copying")

    def explain(self, name: str, /, **arguments: object) -> SignedRequest:
        """What would be signed and sent, as in `explain("orders.create", symbol="BTC", ...)`.

        Nothing is sent, and the answer holds no secret.

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
        return self._sign(operation, params, options.now_ms())

    # -- for generated methods ----------------------------------------------------------------

    def call(self, operation: Operation[T], params: object | None = None) -> T:
        """Carry out an operation and return its result."""
        return self._carry_out(operation, self._prepare(operation, params), wire.decode)

    def paginate(self, operation: ListOperation[T], query: object) -> Paginator[T]:
        """Iterate over the records of a list, from the page at the cursor of the query on."""
        name, fields = operation.pagination.cursor, wire.unstructure(query)

        def fetch(cursor: str | None) -> Page[T]:
            prepared = self._get(operation, {**fields, name: cursor} if cursor else fields)
            return self._carry_out(operation, prepared, wire.decode_page)

        return Paginator(fetch, fields.pop(name, None))

    def batch(self, operation: BatchOperation[R], actions: Sequence[object]) -> BatchResult[R]:
        """Send several actions in one request, each signed on its own."""
        prepared = self._prepare_batch(operation, actions)

        def decode(operation: BatchOperation[R], response: Response) -> BatchResult[R]:
            results = wire.decode_batch(operation, response)
            if len(results) != len(actions):
                reason = f"{len(results)} results for {len(actions)} actions"
                raise DecodeError(operation.name, reason, response.body, response.status)
            return BatchResult(operation.name, results)

        return self._carry_out(operation, prepared, decode)

    def act(self, operation: BatchOperation[R], model: object) -> R:
        """Send a batch of one action and return its result; a failed one is an ApiError."""
        name = operation.batch.actions[type(model)].name
        (result,) = self.batch(evolve(operation, name=name), [model])
        if result.success:
            return result
        raise api_error(name, 200, None, result.error or "no reason given", b"")

    def own_account(self, account: str | None) -> str:
        """The account to read: the one given, else the client's."""
        found = self._account if account is None else account
        if found is None:
            raise RequestError("account is missing: give account=..., or give the client one")
        return found

    # -- one request --------------------------------------------------------------------------

    def _prepare(self, operation: Operation[Any], params: object | None) -> Prepared:
        if operation.method == "GET":
            return self._get(operation, wire.unstructure(params) if params is not None else {})
        now = options.now_ms()
        body = self._sign(operation, params, now).body
        return self._post(operation, body, now, client_id(operation.key, body))

    def _prepare_batch(self, operation: BatchOperation[Any], actions: Sequence[object]) -> Prepared:
        now = options.now_ms()
        signed = [
            (action, self._sign(action, model, now).body)
            for action, model in checked_actions(operation.name, operation.batch, actions)
        ]
        ids = [found for action, body in signed for found in client_id(action.key, body)]
        return self._post(operation, batch_body(operation.batch, signed), now, tuple(ids))

    def _sign(
        self, what: Operation[Any] | Action, params: object | None, now: int
    ) -> SignedRequest:
        if self._signer is None or self._account is None:
            raise RequestError(f"{what.name} must be signed: give the client a signer")
        return sign_request(
            wire.unstructure(params) if params is not None else {},
            signing_type=self._signing_types[what.name],
            signer=self._signer,
            account=self._account,
            timestamp=now,
            expiry_window=self._expiry_window,
        )

    def _get(self, operation: Operation[Any], fields: Mapping[str, Any]) -> Prepared:
        url = f"{self._base_url}{operation.path}{wire.query(fields)}"
        return Prepared(request=Request("GET", url, self._headers, None))

    def _post(
        self,
        operation: Operation[Any],
        body: Mapping[str, Any],
        now: int,
        client_ids: tuple[str, ...],
    ) -> Prepared:
        content = json.dumps(body, separators=(",", ":")).encode()
        headers = {**self._headers, "Content-Type": "application/json"}
        return Prepared(
            request=Request("POST", f"{self._base_url}{operation.path}", headers, content),
            timestamp=now,
            expiry_window=self._expiry_window,
            client_ids=client_ids,
        )

    def _carry_out(
        self, operation: Op, prepared: Prepared, decode: Callable[[Op, Response], T]
    ) -> T:
        try:
            response = self._transport.send(prepared.request, timeout=self._timeout)
            return decode(operation, response)
        except (TransportFailure, ApiError, DecodeError) as failure:
            error = judge(operation, prepared, failure)
        raise error


class Group:
    """Operations that stand together on a client, like `client.orders`."""

    __slots__ = ("_client",)

    def __init__(self, client: BaseClient) -> None:
        self._client = client
