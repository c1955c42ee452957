"""What every generated client is built on: its options, its life, and `explain`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import ClassVar, NoReturn, TypeVar

from trading_runtime import options
from trading_runtime.caller import Caller
from trading_runtime.convert import to_model
from trading_runtime.errors import RequestError
from trading_runtime.keys import Keypair, Signer
from trading_runtime.operation import Api
from trading_runtime.signing import SignedRequest
from trading_runtime.transport import RequestsTransport, Transport
from trading_runtime.urls import check_base_url

Self = TypeVar("Self", bound="BaseClient")


class BaseClient:
    """A synchronous client of the service that `api` describes. Thread-safe."""

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
        """Make a client. Nothing is sent and no file or socket is opened here.

        Args:
            base_url: Where the service is. Plain http is refused off this machine.
            signer: Signs requests. Without one the client can only read.
            account: Address of the account; the signer's own when omitted. When it is another one,
                the signer is its agent wallet.
            api_key: API key that selects a rate-limit class.
            expiry_window: How long a signature is accepted after it was made, in ms.
            timeout: How long to wait, in seconds, for a connection, and for each part of the answer.
            signing_types: Replaces signing types that the interface document does not state, by the
                name of their operation, like `{"subaccounts.transfer": "subaccount_transfer"}`.
            transport: Sends the requests; a `RequestsTransport` unless given.

        Raises:
            RequestError: An argument is wrong.
            TypeError: An argument has the wrong type.
        """
        self._caller = Caller(
            base_url=check_base_url(base_url),
            signer=options.signer(signer),
            account=options.account(account, signer),
            headers=options.headers(self.api.api_key_header, api_key),
            expiry_window=options.window(expiry_window),
            timeout=options.seconds(timeout),
            signing_types=options.signing_types(self.api, signing_types or {}),
            transport=transport or RequestsTransport(),
        )

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
        return self._caller.account

    def close(self) -> None:
        """Close all connections. Closing twice does no harm."""
        self._caller.transport.close()

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
        caller = self._caller
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
