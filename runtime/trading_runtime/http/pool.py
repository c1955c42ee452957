"""The connections of a thread, and what their failures say: not sent, or possibly sent.

A request that fails inside connect() was certainly not sent; after that, bytes may have left. urllib3's
exceptions do not tell the two apart (a TLS error or a ProxyError may be either), so the connections do.
"""

from __future__ import annotations

import os
import socket
import ssl
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from http.client import HTTPException, LineTooLong
from time import monotonic
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from requests.utils import DEFAULT_CA_BUNDLE_PATH
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import InvalidHeader, LocationValueError

from trading_runtime.checks import without_keys
from trading_runtime.errors import RequestError
from trading_runtime.http.fault import cause, chain
from trading_runtime.http.sockets import Deadline, TimedResponse, TimedTLS, dial

# What Python and urllib3 set by themselves from 3.13 on.
_STRICT = ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
_VERIFY = _STRICT if sys.version_info >= (3, 13) else ssl.VERIFY_DEFAULT


class NotConnectedError(Exception):
    """Connecting failed. Not a subclass of anything that urllib3 would catch and wrap."""

    def __init__(self, reason: str, *, trusted: bool) -> None:
        super().__init__(reason)
        self.trusted = trusted
        """False if the certificate of the service is not trusted."""


class Trust:
    """The trusted CAs, loaded by the first connection that needs them."""

    def __init__(self, ca_file: str | None) -> None:
        """Trust the CAs of a file, or those that requests brings."""
        if ca_file is not None and not isinstance(ca_file, (str, os.PathLike)):
            raise TypeError(f"ca_file must be the path of a file, not a {type(ca_file).__name__}")
        self._ca_file = ca_file
        self._context: ssl.SSLContext | None = None

    def context(self) -> ssl.SSLContext:
        """The TLS context, always the same one; a RequestError if the CAs cannot be loaded."""
        if self._context is None:
            self._context = self._loaded()
        return self._context

    def _loaded(self) -> ssl.SSLContext:
        # Not a context of urllib3, which writes the secrets of TLS to $SSLKEYLOGFILE.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.hostname_checks_common_name = False
        context.verify_flags |= _VERIFY
        context.sslsocket_class = TimedTLS
        file = DEFAULT_CA_BUNDLE_PATH if self._ca_file is None else self._ca_file
        try:
            context.load_verify_locations(file)
            return context
        except OSError as error:
            reason = cause(error)
        raise RequestError(f"the CAs of {without_keys(repr(file))} cannot be loaded: {reason}")


def no_answer(error: BaseException) -> str:
    """Why a request that was sent has no answer that can be read."""
    for link in chain(error):
        if isinstance(link, OSError):
            break
        if isinstance(link, (HTTPException, InvalidHeader)):
            # Their texts would show the long line, or the bytes that are not HTTP.
            limit = " (a line or the number of its headers is too large)"
            known = isinstance(link, LineTooLong) or str(link).startswith("got more than ")
            return f"an answer came whose beginning cannot be read{limit if known else ''}"
    return f"no answer came: {cause(error)}"


class _Connection(HTTPConnection):
    """A connection whose every step ends with the deadline of the exchange."""

    # http.client prints requests, with their secrets, where its own class says 1.
    debuglevel = 0

    def __init__(self, *args: Any, deadline: Deadline, **kwargs: Any) -> None:
        self._deadline = deadline
        self._unsent: list[bytes] | None = None
        """The parts of a request that is being written."""
        self.response_class: Any = partial(TimedResponse, deadline)
        super().__init__(*args, **kwargs)

    def _left(self) -> float:
        return self._deadline.left()

    def _ignore(self, _: float | None) -> None:
        """urllib3 would set a timeout that starts anew with each step."""

    timeout: Any = property(_left, _ignore)

    def connect(self) -> None:
        try:
            return super().connect()
        except Exception as error:
            reason = cause(error)
            trusted = not any(isinstance(e, ssl.SSLCertVerificationError) for e in chain(error))
        raise NotConnectedError(reason, trusted=trusted)

    def request(self, *args: Any, **kwargs: Any) -> None:
        """Send head and body at once. http.client sends them apart, which takes a sixth of a call longer."""
        self._unsent = []
        try:
            super().request(*args, **kwargs)
            del args, kwargs  # a frame that Ctrl-C interrupts would show them
            self._bound()
            super().send(b"".join(self._unsent))
        finally:
            self._unsent = None

    def send(self, data: Any) -> None:
        if self._unsent is not None:
            self._unsent.append(data)
            return
        self._bound()
        super().send(data)

    def _bound(self) -> None:
        if self.sock is not None:
            self._deadline.bound(self.sock)

    def _new_conn(self) -> socket.socket:
        return dial(self._dns_host, self.port, self.socket_options or (), self._deadline)


class _TLSConnection(_Connection, HTTPSConnection):
    def _connect_tls_proxy(self, hostname: str, sock: socket.socket) -> Any:
        tunnel: Any = super()._connect_tls_proxy(hostname, sock)
        tunnel.deadline = self._deadline
        return tunnel


class _Pool(HTTPConnectionPool):
    ConnectionCls: Any = _Connection


class _TLSPool(HTTPSConnectionPool):
    ConnectionCls: Any = _TLSConnection


class Connections:
    """The connections of one thread, one to each service, as an adapter of requests makes them.

    A session of requests would also look at the environment, redirects, cookies and hooks, which
    takes half of the time of a call. None of them may have an effect here.
    """

    def __init__(self, trust: Trust, proxies: Mapping[str, str]) -> None:
        """Go through `proxies`, by their schemes; nothing is connected yet."""
        self._trust = trust
        self._proxies = proxies
        self._deadline = Deadline()
        self._adapters: dict[str, _Adapter] = {}

    def begin(self, seconds: float) -> float:
        """Set the deadline of an exchange, and return the one before for `end`."""
        outer, self._deadline.at = self._deadline.at, monotonic() + seconds
        return outer

    def end(self, outer: float) -> None:
        """End an exchange. A signal handler may have begun it within another one, whose deadline holds again."""
        self._deadline.at = outer

    def to(self, origin: str) -> HTTPConnectionPool | None:
        """The pool of an origin like `https://host:port`, made when needed; None if it names no host."""
        adapter = self._adapters.get(origin)
        if adapter is None:
            with suppress(requests.RequestException, UnicodeError, LocationValueError):
                # Stored in one step, because a signal handler may make a call meanwhile.
                adapter = self._adapters[origin] = _Adapter(
                    self._trust, self._proxies, self._deadline, origin
                )
        return None if adapter is None else adapter.pool

    def close(self) -> None:
        """Close them; they are made anew when they are needed."""
        for origin in list(self._adapters):
            self._adapters.pop(origin).close()


class _Adapter(HTTPAdapter):
    """One connection to an origin; its certificates are checked by the context of `trust` alone."""

    def __init__(
        self, trust: Trust, proxies: Mapping[str, str], deadline: Deadline, origin: str
    ) -> None:
        self._trust = trust
        self._deadline = deadline
        # Loading the CAs takes longer than many calls, and plain http needs none.
        self._tls = bool(proxies) or origin.startswith("https")
        super().__init__(pool_connections=1, pool_maxsize=1)
        request = requests.Request("GET", origin).prepare()
        self.pool: Any = self.get_connection_with_tls_context(request, verify=True, proxies=proxies)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        if self._tls:
            kwargs["ssl_context"] = self._trust.context()
        super().init_poolmanager(*args, **kwargs)
        self._use_timed_pools(self.poolmanager)

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:
        kwargs.update(ssl_context=self._trust.context(), proxy_ssl_context=self._trust.context())
        return self._use_timed_pools(super().proxy_manager_for(proxy, **kwargs))

    def _use_timed_pools(self, manager: PoolManager) -> PoolManager:
        # A pool hands keywords that it does not know to its connections.
        pools: Any = {
            "http": partial(_Pool, deadline=self._deadline),
            "https": partial(_TLSPool, deadline=self._deadline),
        }
        manager.pool_classes_by_scheme = pools
        return manager

    def close(self) -> None:
        # urllib3 leaves it to the garbage collector to close what the trace of an error refers to.
        for manager in (self.poolmanager, *self.proxy_manager.values()):
            keys = manager.pools.keys()
            for key in keys:
                manager.pools[key].close()
        super().close()
