"""The seam to the network: one request out, one whole answer back, or a TransportFailure.

Every call that fails says how far it came, because that decides whether it may be repeated. The
one point that matters is where bytes of the request may first have left: everything that fails
inside of a connection's connect() is NOT_SENT, whatever fails later is not. The exceptions of
requests and urllib3 do not tell the two apart (a TLS error or a ProxyError may come from either
side), and they carry the request with its API key: they end here, and what is raised has no chain.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import threading
import weakref
import zlib
from collections.abc import Callable, Mapping
from http.cookiejar import DefaultCookiePolicy
from typing import Any, Protocol

import requests
from attrs import field, frozen
from requests.adapters import HTTPAdapter
from requests.structures import CaseInsensitiveDict
from urllib3 import BaseHTTPResponse, HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ReadTimeoutError

from trading_runtime.errors import RequestError
from trading_runtime.retry import Fault, fault_of_status

_CHUNK = 65_536
_HEADERS = {
    "User-Agent": f"trading-service-sdk python-requests/{requests.__version__}",
    # Only what _decoded can check for completeness.
    "Accept-Encoding": "gzip",
}


def _case_insensitive(headers: Mapping[str, str]) -> Mapping[str, str]:
    return CaseInsensitiveDict(headers)


@frozen
class Request:
    """One request as it goes out; its repr shows neither headers nor body, they hold secrets."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)


@frozen
class Response:
    """One answer, whole and decompressed, of any status; header names ignore case."""

    status: int
    headers: Mapping[str, str] = field(converter=_case_insensitive, repr=False)
    body: bytes = field(repr=False)


class TransportFailure(Exception):
    """There is no usable answer; `fault` says how far the call came, `status` if one was read."""

    def __init__(self, fault: Fault, reason: str, status: int | None = None) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = reason
        self.status = status


class Transport(Protocol):
    """Sends requests; whoever replaces it in a test gives these two."""

    def send(self, request: Request, *, timeout: float) -> Response:
        """Send a request and return the answer of any status, or raise TransportFailure."""
        ...

    def close(self) -> None:
        """Let go of every connection; a second time does nothing."""
        ...


class RequestsTransport:
    """A Transport over requests: one session a thread, nothing taken from the environment.

    Redirects are not followed, cookies are neither kept nor sent, nothing is retried.
    """

    def __init__(self, *, proxy: str | None = None, ca_file: str | None = None) -> None:
        """Go through `proxy` (http or https URL) and trust the CAs of `ca_file`; no I/O yet."""
        if proxy is not None and not re.match(r"https?://[^/]", proxy):
            raise RequestError("proxy: give http://HOST:PORT or https://HOST:PORT")
        self._proxies = {} if proxy is None else {"http": proxy, "https": proxy}
        self._ca_file = ca_file
        self._closed = False
        self._begin()

    def send(self, request: Request, *, timeout: float) -> Response:
        """Send a request; `timeout` bounds, in seconds, the connecting and each single read.

        Raises TransportFailure, or RequestError for what cannot be sent at all.
        """
        if not 0 < timeout < float("inf"):
            raise RequestError("timeout must be a finite number of seconds above zero")
        outcome = self._exchange(_prepared(request), timeout)
        if isinstance(outcome, TransportFailure):
            raise outcome
        return outcome

    def close(self) -> None:
        """Close the idle connections of all threads; later calls raise RequestError."""
        with self._lock:
            self._closed = True
            sessions = list(self._sessions)
        for session in sessions:
            session.close()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._local = threading.local()
        # Weak: the session of a thread that ended takes its connections with it.
        self._sessions: weakref.WeakSet[requests.Session] = weakref.WeakSet()
        self._pid = os.getpid()

    def _session(self) -> requests.Session:
        if self._pid != os.getpid():
            # After a fork the connections are the parent's, and the lock may be held for ever.
            self._begin()
        with self._lock:
            if self._closed:
                raise RequestError("the client is closed")
            session: requests.Session | None = getattr(self._local, "session", None)
            if session is None:
                session = self._local.session = _new_session(self._ca_file)
                self._sessions.add(session)
            return session

    def _exchange(
        self, prepared: requests.PreparedRequest, timeout: float
    ) -> Response | TransportFailure:
        session = self._session()
        try:
            answer = session.send(
                prepared,
                stream=True,
                allow_redirects=False,
                timeout=timeout,
                proxies=self._proxies,
            )
        except _NotConnectedError as error:
            return TransportFailure(Fault.NOT_SENT, f"cannot connect: {error}")
        except Exception as error:
            return TransportFailure(Fault.MAYBE_SENT, f"no answer came: {_cause(error)}")
        # Closing what was not read to its end keeps late bytes from answering the next call.
        with contextlib.closing(answer.raw) as raw:
            return _receive(raw)


def _prepared(request: Request) -> requests.PreparedRequest:
    headers = CaseInsensitiveDict(_HEADERS)
    headers.update(request.headers)
    with contextlib.suppress(requests.RequestException, UnicodeError):
        return requests.Request(
            request.method, request.url, headers=headers, data=request.body
        ).prepare()
    raise RequestError("the URL or a header has characters that cannot be sent")


def _receive(raw: BaseHTTPResponse) -> Response | TransportFailure:
    """Read the body; if that fails, what counts under any status but 2xx is the status."""
    if raw.status < 200:
        # The real answer is still on its way, and the next call must not read it.
        return TransportFailure(Fault.MAYBE_SENT, "an interim answer came alone", raw.status)
    body: bytes | None = b""
    failure: TransportFailure | None = None
    framed = raw.chunked or raw.length_remaining is not None
    try:
        body = _decoded(b"".join(raw.stream(_CHUNK, decode_content=False)), raw.headers)
    except ReadTimeoutError:
        failure = TransportFailure(Fault.MAYBE_SENT, "the body stopped coming", raw.status)
    except Exception as error:
        reason = f"the body was cut: {_cause(error)}"
        failure = TransportFailure(Fault.UNUSABLE, reason, raw.status)
    if failure is None and not framed:
        # A body that ends where the connection does may have been cut, as may its headers.
        failure = TransportFailure(Fault.UNUSABLE, "the body has no length", raw.status)
    if body is None:
        failure = TransportFailure(Fault.UNUSABLE, "the body is not whole gzip", raw.status)
    if failure is not None and fault_of_status(raw.status) is None:
        return failure
    return Response(raw.status, raw.headers, body or b"")


def _decoded(body: bytes, headers: Mapping[str, str]) -> bytes | None:
    """Undo Content-Encoding; None if it is not gzip or not complete, which urllib3 lets pass."""
    coding = headers.get("Content-Encoding", "").strip().lower()
    if coding in ("", "identity"):
        return body
    with contextlib.suppress(OSError, EOFError, zlib.error):
        return gzip.decompress(body) if coding in ("gzip", "x-gzip") else None
    return None


def _cause(error: BaseException) -> str:
    """Name what the system said; the texts of other exceptions may repeat parts of the request."""
    link: BaseException | None = error
    while link is not None:
        if isinstance(link, OSError) and not isinstance(link, requests.RequestException):
            return f"{type(link).__name__}: {link.strerror or link}"
        link = link.__cause__ or link.__context__
    return type(error).__name__


class _NotConnectedError(Exception):
    """Connecting failed; of no type that urllib3 or requests would catch and wrap."""


def _connect(connect: Callable[[], None]) -> None:
    try:
        return connect()
    except Exception as error:
        reason = _cause(error)
    raise _NotConnectedError(reason)


class _Connection(HTTPConnection):
    def connect(self) -> None:
        _connect(super().connect)


class _TLSConnection(HTTPSConnection):
    def connect(self) -> None:
        _connect(super().connect)


class _Pool(HTTPConnectionPool):
    ConnectionCls: Any = _Connection


class _TLSPool(HTTPSConnectionPool):
    ConnectionCls: Any = _TLSConnection


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        _use_our_pools(self.poolmanager)

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        return _use_our_pools(super().proxy_manager_for(*args, **kwargs))


def _use_our_pools(manager: PoolManager) -> PoolManager:
    pools: Any = {"http": _Pool, "https": _TLSPool}
    manager.pool_classes_by_scheme = pools
    return manager


class _Session(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> str | None:
        # Even when not following, requests parses the target, and fails on a hostile one.
        return None


def _new_session(ca_file: str | None) -> requests.Session:
    if ca_file is not None and not os.path.isfile(ca_file):
        raise RequestError(f"ca_file {ca_file!r} does not exist")
    session = _Session()
    session.trust_env = False
    session.verify = ca_file or True
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    for scheme in ("http://", "https://"):
        session.mount(scheme, _Adapter(pool_connections=1, pool_maxsize=1))
    return session
