"""An adapter of requests whose every step ends with the deadline of an exchange.

The timeout of a socket bounds a single step, and an answer that drips in byte by byte never exceeds it. So the
timeouts that go with a request, `SentOnce`, hold its deadline, and each step of a connection asks how much is left.
"""

from __future__ import annotations

import io
import os
import socket
import ssl
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPResponse as PlainResponse, IncompleteRead
from http.cookiejar import DefaultCookiePolicy
from ipaddress import ip_address
from queue import Empty, Full, LifoQueue, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeAlias, cast

import requests
from requests.adapters import HTTPAdapter
from requests.utils import DEFAULT_CA_BUNDLE_PATH
from urllib3 import HTTPConnectionPool, HTTPResponse, HTTPSConnectionPool, Timeout
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

_PRECISION = 0.001
"""Seconds by which a step may outlast the deadline: setting a timeout is a system call."""
_STRICT = ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
_VERIFY = _STRICT if sys.version_info >= (3, 13) else ssl.VERIFY_DEFAULT
"""What Python and urllib3 set by themselves from 3.13 on."""
_Address: TypeAlias = tuple[Any, Any, int, str, tuple[Any, ...]]


# -- the deadline ------------------------------------------------------------------------------


class RepeatedError(Exception):
    """A request was about to be sent a second time. urllib3 neither wraps nor repeats it."""


class Remaining(float):
    """Seconds that remained when it was made, as a timeout, and the deadline that they lead to."""

    deadline: float
    """On the clock of `time.monotonic`."""

    def left(self) -> float:
        """Seconds that remain now; a TimeoutError if none do."""
        seconds = self.deadline - monotonic()
        if seconds <= 0:
            raise TimeoutError("the deadline has passed")
        return seconds

    def bound(self, sock: socket.socket) -> None:
        """Let the next step of a socket end with the deadline."""
        seconds, waits = self.left(), sock.gettimeout()
        if waits is None or waits - seconds > _PRECISION:
            sock.settimeout(seconds)


class SentOnce(Timeout):
    """The timeouts of one request, and its deadline. A second sending is stopped, for urllib3 starts them each time.

    An adapter without the deadline connects in half of the time, so that enough is left to wait for the answer.
    """

    def __init__(self, seconds: float) -> None:
        """Let an exchange that begins now take so many seconds."""
        super().__init__()
        self.deadline = monotonic() + seconds
        self.times = 0
        """How often it was sent, the time that was stopped included."""

    def clone(self) -> Timeout:
        """urllib3 asks for a copy of its own, which would count anew."""
        return self

    def start_connect(self) -> float:
        """A sending begins.

        Raises:
            RepeatedError: It is not the first.
        """
        self.times += 1
        if self.times > 1:
            raise RepeatedError
        return 0.0

    @property
    def connect_timeout(self) -> float:
        """Seconds to connect."""
        return self._remaining(0.5)

    @property
    def read_timeout(self) -> float:
        """Seconds to wait for a part of the answer."""
        return self._remaining(1)

    def _remaining(self, share: float) -> Remaining:
        remaining = Remaining(max(_PRECISION, (self.deadline - monotonic()) * share))
        remaining.deadline = self.deadline
        return remaining


# -- connections -------------------------------------------------------------------------------


class _Source(io.RawIOBase):
    """Reads from a socket until the deadline."""

    def __init__(self, sock: socket.socket, remaining: Remaining) -> None:
        self._sock, self._remaining = sock, remaining
        # A file of the socket keeps it open where http.client closes its connection early.
        self._file = sock.makefile("rb", buffering=0)

    def makefile(self, *_: Any, **__: Any) -> Any:
        """All that http.client wants of its socket."""
        return _Lines(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._remaining.bound(self._sock)
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()


class _Lines(io.BufferedReader):
    """What http.client reads lines from. In a body these are the sizes of chunks: a 0 may begin a 01f that was cut."""

    in_body = False

    def readline(self, size: int | None = -1, /) -> bytes:
        """A line.

        Raises:
            IncompleteRead: It was cut, in a body.
        """
        line = super().readline(size)
        if self.in_body and not line.endswith(b"\n"):
            raise IncompleteRead(line)
        return line


class _Answer(PlainResponse):
    """An answer behind its interim ones. http.client passes over a 100 alone; nobody asked for the protocol of a 101."""

    def begin(self) -> None:
        super().begin()
        while self.status // 100 == 1 and self.status != 101:
            self.headers = cast(Any, None)
            super().begin()
        cast(Any, self.fp).in_body = True


class _Connection(HTTPConnection):
    """A connection whose every step ends with the deadline, where its timeout has one."""

    # http.client prints requests, with their secrets, where its own class says 1.
    debuglevel = 0
    _unsent: list[bytes] | None = None
    """The parts of a request that is being written."""

    def _new_conn(self) -> socket.socket:
        if not isinstance(self.timeout, Remaining):
            return super()._new_conn()
        try:
            return _dial(self, self.timeout)
        except TimeoutError as error:
            raise ConnectTimeoutError(self, "not connected in time") from error
        except (OSError, UnicodeError) as error:
            raise NewConnectionError(self, "not connected") from error

    def _tunnel(self) -> None:
        super()._tunnel()
        self._bound()

    def request(self, *args: Any, **kwargs: Any) -> None:
        """Send head and body at once. http.client sends them apart, which takes a sixth of a call longer."""
        if not isinstance(self.timeout, Remaining):
            super().request(*args, **kwargs)
            return
        self._unsent = []
        try:
            super().request(*args, **kwargs)
            del args, kwargs  # a frame that Ctrl-C interrupts would show them
            self._bound()
            super().send(b"".join(self._unsent))
        finally:
            self._unsent = None

    def send(self, data: Any) -> None:
        """Send bytes, or keep them for the end of `request`."""
        if self._unsent is not None:
            self._unsent.append(data)
            return
        self._bound()
        super().send(data)

    def response_class(  # type: ignore[override]
        self, sock: socket.socket, *args: Any, **kwargs: Any
    ) -> PlainResponse:
        """What http.client makes of the bytes that come."""
        if not isinstance(self.timeout, Remaining):
            return PlainResponse(sock, *args, **kwargs)
        return _Answer(cast(Any, _Source(sock, self.timeout)), *args, **kwargs)

    def _bound(self) -> None:
        if self.sock is not None and isinstance(self.timeout, Remaining):
            self.timeout.bound(self.sock)


class _TLSConnection(_Connection, HTTPSConnection):  # pyright: ignore[reportIncompatibleVariableOverride]
    def _connect_tls_proxy(self, hostname: str, sock: socket.socket) -> Any:
        """TLS with a proxy. What TLS within it reads asks the deadline each time."""
        tunnel: Any = super()._connect_tls_proxy(hostname, sock)
        if isinstance(remaining := self.timeout, Remaining):
            receive = tunnel.recv

            def recv(*args: Any) -> bytes:
                remaining.bound(tunnel)
                data: bytes = receive(*args)
                return data

            tunnel.recv = recv
        return tunnel


def _dial(connection: HTTPConnection, remaining: Remaining) -> socket.socket:
    """Connect to the first address of a host that answers; none gets more than its share of the time.

    Raises:
        OSError, UnicodeError: None answered, or there is no such host.
    """
    host = connection._dns_host.strip("[]")
    addresses = _addresses(host, connection.port, remaining)
    problem: OSError = OSError(f"{host} has no address")
    for index, address in enumerate(addresses):
        try:
            return _connected(connection, address, remaining, len(addresses) - index)
        except OSError as error:
            problem = error
    raise problem


def _connected(
    connection: HTTPConnection, address: _Address, remaining: Remaining, shares: int
) -> socket.socket:
    family, kind, protocol, _, target = address
    sock = socket.socket(family, kind, protocol)
    try:
        for option in connection.socket_options or ():
            sock.setsockopt(*option)
        if connection.source_address:
            sock.bind(connection.source_address)
        sock.settimeout(remaining.left() / shares)
        sock.connect(target)
        sock.settimeout(remaining.left())
    except BaseException:
        sock.close()
        raise
    return sock


def _addresses(host: str, port: int, remaining: Remaining) -> Sequence[_Address]:
    with suppress(ValueError):
        ip_address(host)
        return _look_up(host, port)
    answers: SimpleQueue[Sequence[_Address] | Exception] = SimpleQueue()

    def look_up() -> None:
        try:
            answers.put(_look_up(host, port))
        except Exception as error:
            answers.put(error)

    # A look-up cannot be interrupted: a slow one is left behind, and ends by itself.
    Thread(target=look_up, name="look-up", daemon=True).start()
    try:
        answer = answers.get(timeout=remaining.left())
    except Empty:
        raise TimeoutError(f"{host} was not found in time") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _look_up(host: str, port: int) -> Sequence[_Address]:
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)


# -- pools -------------------------------------------------------------------------------------


class _Idle(LifoQueue[Any]):
    """The idle connections of a pool, the latest first. It has no lock that Ctrl-C or a fork could leave held."""

    def __init__(self, maxsize: int) -> None:
        self._connections = deque[Any]()
        self._most = maxsize

    def put(self, item: Any, block: bool = False, timeout: float | None = None) -> None:
        if len(self._connections) >= self._most:
            raise Full
        self._connections.append(item)

    def get(self, block: bool = False, timeout: float | None = None) -> Any:
        try:
            return self._connections.pop()
        except IndexError:
            raise Empty from None

    def qsize(self) -> int:
        return len(self._connections)


class _Pool(HTTPConnectionPool):
    QueueCls: Any = _Idle

    @property
    def ConnectionCls(self) -> Any:  # type: ignore[override]
        """VCR puts its own class in the place of urllib3's while it records or plays."""
        current = HTTPConnectionPool.ConnectionCls
        return _Connection if current is HTTPConnection else current


class _TLSPool(_Pool, HTTPSConnectionPool):
    @property
    def ConnectionCls(self) -> Any:  # type: ignore[override]
        """As in `_Pool`."""
        current = HTTPSConnectionPool.ConnectionCls
        return _TLSConnection if current is HTTPSConnection else current


class DeadlineAdapter(HTTPAdapter):
    """An adapter of requests that brings the deadline of a client's call to every step of its exchange.

    It bounds the look-up of the host, connecting, TLS, sending and reading, all together. `new_session()` mounts it;
    mount it on a session of yours for the same. Of other requests than a client's it bounds what requests bounds.
    Proxies, `verify` and `cert` work as in `HTTPAdapter`; nothing is repeated.
    """

    def __init__(self, pool_connections: int = 10, pool_maxsize: int = 100) -> None:
        """Keep up to `pool_maxsize` idle connections to each of `pool_connections` hosts."""
        super().__init__(pool_connections, pool_maxsize)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Make the pools; a `ssl_context` given here is used as it is."""
        self._contexts: dict[Any, ssl.SSLContext] = {}
        self._latest: tuple[Any, Any] = (None, None)
        super().init_poolmanager(*args, **kwargs)
        self._own_context = "ssl_context" not in kwargs
        _use_pools(self.poolmanager)

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:
        """The pools of a proxy. One of SOCKS connects by itself."""
        manager = super().proxy_manager_for(proxy, **kwargs)
        return manager if proxy.lower().startswith("socks") else _use_pools(manager)

    def build_connection_pool_key_attributes(
        self, request: Any, verify: Any, cert: Any = None
    ) -> Any:
        """What tells pools apart, with one TLS context for equal CAs: to load them takes longer than many calls."""
        host, tls = super().build_connection_pool_key_attributes(request, verify, cert)
        if self._own_context and verify and host["scheme"] == "https":
            tls["ssl_context"] = self._context(verify, cert)
        return host, tls

    def get_connection_with_tls_context(
        self, request: Any, verify: Any, proxies: Any = None, cert: Any = None
    ) -> Any:
        """The pool of a request; that of the request before, if it had the same origin. A proxy is trusted by the same CAs."""
        key = (request.url.split("/", 3)[:3], verify, cert)
        if not proxies and self._latest[0] == key:
            return self._latest[1]
        pool: Any = super().get_connection_with_tls_context(request, verify, proxies, cert)
        if not proxies:
            self._latest = key, pool
        elif self._own_context and verify and getattr(pool.proxy, "scheme", None) == "https":
            context = self._context(verify, None)
            pool.conn_kw["proxy_config"] = pool.proxy_config._replace(ssl_context=context)
        return pool

    def cert_verify(self, conn: Any, url: Any, verify: Any, cert: Any) -> None:
        """Check that the files are there. The CAs are those of the context, which urllib3 would load for each connection."""
        super().cert_verify(conn, url, verify, cert)  # type: ignore[no-untyped-call]
        if self._own_context:
            conn.ca_certs = conn.ca_cert_dir = None

    def request_url(self, request: Any, proxies: Any) -> str:
        """What the first line of a request names."""
        url: str = super().request_url(request, proxies) if proxies else request.path_url
        return url

    def build_response(self, req: Any, resp: Any) -> requests.Response:
        """An answer of requests. Where no header sets a cookie none is searched for, which takes a twentieth of a call."""
        if not isinstance(resp, HTTPResponse) or "Set-Cookie" in resp.headers:
            return super().build_response(req, resp)
        original, resp._original_response = resp._original_response, None
        response = super().build_response(req, resp)
        resp._original_response = original
        return response

    def close(self) -> None:
        """Close the idle connections; urllib3 would leave it to the garbage collector.

        The pools stay open: another thread may be about to send through one.
        """
        self._latest = (None, None)
        for manager in (self.poolmanager, *self.proxy_manager.values()):
            pools = [manager.pools.get(key) for key in manager.pools.keys()]  # noqa: SIM118  # it refuses to be iterated
            for pool in filter(None, pools):
                with suppress(Empty):
                    while True:
                        if (connection := pool.pool.get(block=False)) is not None:
                            connection.close()
        super().close()

    def _context(self, verify: Any, cert: Any) -> ssl.SSLContext:
        context = self._contexts.get((verify, cert))
        if context is None:
            context = self._contexts[verify, cert] = trusting(
                DEFAULT_CA_BUNDLE_PATH if verify is True else verify
            )
        return context


def _use_pools(manager: Any) -> Any:
    manager.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}
    return manager


def trusting(authorities: str) -> ssl.SSLContext:
    """A TLS context that trusts the CAs of a file or folder.

    It is not one of urllib3, which writes the secrets of TLS to $SSLKEYLOGFILE.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.hostname_checks_common_name = False
    context.verify_flags |= _VERIFY
    place = "capath" if os.path.isdir(authorities) else "cafile"
    try:
        context.load_verify_locations(**{place: authorities})
    except OSError as error:
        reason = error.strerror or "there is none"
        raise OSError(f"the CAs of {authorities!r} cannot be loaded: {reason}") from error
    return context


def new_session() -> requests.Session:
    """A session as a client makes it: with a `DeadlineAdapter`, nothing of the environment, and no cookies.

    Begin with it to add what you need: `session.proxies = {"https": "http://proxy.example:3128"}`,
    `session.verify = "our-own-ca.pem"`, `session.trust_env = True`.
    """
    session = requests.Session()
    session.trust_env = False
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    adapter = DeadlineAdapter()
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    return session
