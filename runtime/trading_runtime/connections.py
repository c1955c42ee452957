"""Connections that tell a call that never connected from one that may have been sent.

The one point that matters is where bytes of a request may first have left: everything that fails
inside of a connection's connect() was certainly not sent. The exceptions of urllib3 do not say so (a
TLS error or a ProxyError may come from either side), so the connections themselves do.
"""

from __future__ import annotations

import socket
import ssl
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from requests.utils import DEFAULT_CA_BUNDLE_PATH
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import LocationValueError

from trading_runtime.deadline import left
from trading_runtime.errors import RequestError, one_line
from trading_runtime.timed_io import TimedResponse, TimedTLS, bound, dial

# What Python and urllib3 set by themselves from 3.13 on.
_STRICT = ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
_VERIFY = _STRICT if sys.version_info >= (3, 13) else ssl.VERIFY_DEFAULT


class NotConnectedError(Exception):
    """Connecting failed; of no type that urllib3 would catch and wrap."""

    def __init__(self, reason: str, *, trusted: bool) -> None:
        super().__init__(reason)
        self.trusted = trusted
        """False if it failed because the certificate is not to be trusted."""


class Trust:
    """The CAs that are trusted; they are loaded by the first connection that needs them."""

    def __init__(self, ca_file: str | None) -> None:
        """Trust the CAs of a file, or those that requests brings."""
        self._ca_file = ca_file
        self._context: ssl.SSLContext | None = None

    def context(self) -> ssl.SSLContext:
        """What checks certificates, the same one every time; a RequestError if there are no CAs."""
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
        raise RequestError(f"the CAs of {file!r} cannot be loaded: {reason}")


def cause(error: BaseException) -> str:
    """Name what the system said; the texts of other exceptions may repeat parts of the request."""
    for link in _chain(error):
        if isinstance(link, OSError):
            return f"{type(link).__name__}: {one_line(str(link.strerror or link))}"
    return type(error).__name__


def _chain(error: BaseException) -> Iterator[BaseException]:
    link: BaseException | None = error
    while link is not None:
        yield link
        link = link.__cause__ or link.__context__


class _Connection(HTTPConnection):
    """A connection whose every step ends with the deadline of the exchange."""

    response_class = TimedResponse
    # http.client prints requests, with their secrets, where its own class says 1.
    debuglevel = 0

    def _left(self) -> float:
        return left()

    def _ignore(self, _: float | None) -> None:
        """What urllib3 would set counts anew for each step; only the deadline bounds them all."""

    timeout: Any = property(_left, _ignore)

    def connect(self) -> None:
        try:
            return super().connect()
        except Exception as error:
            reason = cause(error)
            trusted = not any(isinstance(e, ssl.SSLCertVerificationError) for e in _chain(error))
        raise NotConnectedError(reason, trusted=trusted)

    def send(self, data: Any) -> None:
        if self.sock is not None:
            bound(self.sock)
        super().send(data)

    def _new_conn(self) -> socket.socket:
        return dial(self._dns_host, self.port, self.socket_options or ())


class _TLSConnection(_Connection, HTTPSConnection):
    pass


class _Pool(HTTPConnectionPool):
    ConnectionCls: Any = _Connection


class _TLSPool(HTTPSConnectionPool):
    ConnectionCls: Any = _TLSConnection


class Connections:
    """The connections of one thread, one to each service, as an adapter of requests makes them.

    A session of requests would look into the environment and after redirects, cookies and hooks,
    none of which there may be, and take half of the time of a call for it.
    """

    def __init__(self, trust: Trust, proxies: dict[str, str]) -> None:
        """Go through `proxies`, by their schemes; nothing is connected yet."""
        self._trust = trust
        self._proxies = proxies
        self._adapters: dict[str, _Adapter] = {}

    def to(self, origin: str) -> HTTPConnectionPool | None:
        """The pool of an origin like `https://host:port`, made when needed; None if it names no host."""
        adapter = self._adapters.get(origin)
        if adapter is None:
            with suppress(requests.RequestException, UnicodeError, LocationValueError):
                # In one step, because a signal handler may ask for another one meanwhile.
                adapter = self._adapters[origin] = _Adapter(self._trust, self._proxies, origin)
        return None if adapter is None else adapter.pool

    def close(self) -> None:
        """Close them; they are made anew when they are needed."""
        for origin in list(self._adapters):
            self._adapters.pop(origin).close()


class _Adapter(HTTPAdapter):
    """One connection to an origin, whose certificates the context of `trust` checks, and nothing else."""

    def __init__(self, trust: Trust, proxies: dict[str, str], origin: str) -> None:
        self._trust = trust
        # To load the CAs takes longer than many calls, and plain http needs none.
        self._tls = bool(proxies) or origin.startswith("https")
        super().__init__(pool_connections=1, pool_maxsize=1)
        request = requests.Request("GET", origin).prepare()
        self.pool: Any = self.get_connection_with_tls_context(request, verify=True, proxies=proxies)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        if self._tls:
            kwargs["ssl_context"] = self._trust.context()
        super().init_poolmanager(*args, **kwargs)
        _use_our_pools(self.poolmanager)

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:
        kwargs.update(ssl_context=self._trust.context(), proxy_ssl_context=self._trust.context())
        return _use_our_pools(super().proxy_manager_for(proxy, **kwargs))

    def close(self) -> None:
        # urllib3 leaves it to the garbage collector to close what the trace of an error refers to.
        for manager in (self.poolmanager, *self.proxy_manager.values()):
            keys = manager.pools.keys()
            for key in keys:
                manager.pools[key].close()
        super().close()


def _use_our_pools(manager: PoolManager) -> PoolManager:
    pools: Any = {"http": _Pool, "https": _TLSPool}
    manager.pool_classes_by_scheme = pools
    return manager
