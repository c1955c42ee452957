"""The seam to the network: one request out, one whole answer back, or a TransportFailure.

Every call that fails says how far it came, because that decides whether it may be repeated. The
exceptions of urllib3 carry the request with its API key and signed body: they end here, and what is
raised has no chain.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
import weakref
from collections.abc import Mapping
from typing import Protocol

import urllib3
from attrs import field, frozen
from requests.utils import default_user_agent
from urllib3 import BaseHTTPResponse, HTTPConnectionPool, HTTPHeaderDict

from trading_runtime import deadline
from trading_runtime.bodies import Broken, read_body
from trading_runtime.connections import Connections, NotConnectedError, Trust, cause
from trading_runtime.errors import RequestError
from trading_runtime.retry import Fault, fault_of_status
from trading_runtime.urls import check_proxy_url, is_loopback

_HEADERS = {
    "User-Agent": f"trading-service-sdk {default_user_agent()}",
    # Only what bodies.py can check for completeness.
    "Accept-Encoding": "gzip",
}
_NO_RETRIES = urllib3.Retry(0, read=False)
# What says where a request ends is not for the caller to say.
_FRAMING = "(?i:content-length|transfer-encoding)"
_HEADER = re.compile(rf"(?!{_FRAMING}\n)[!#-'*+.^-z|~0-9A-Z-]+\n([!-~\xa1-\xff][\t -~\xa0-\xff]*)?")
_URL = re.compile(r"(https?://[^/?#@]+)(?:/+|(?=\?)|$)([!-\"$-~]*)")
_UNSENDABLE = "the URL or a header has characters that cannot be sent"
LONGEST_TIMEOUT = 86_400
"""A day, in seconds. The socket layer fails, late, on far longer ones."""
LONGEST_BODY = 32 * 1024 * 1024
"""32 MiB, some thirty times the largest page that the interface document knows."""


def _case_insensitive(headers: Mapping[str, str]) -> HTTPHeaderDict:
    return headers if isinstance(headers, HTTPHeaderDict) else HTTPHeaderDict(headers)


@frozen
class Request:
    """One request as it goes out; its repr shows neither headers nor body, they hold secrets."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)


@frozen
class Response:
    """One answer of any status; header names ignore case.

    Of a 2xx the body is whole and decompressed; of any other status it is what could be read.
    """

    status: int
    headers: Mapping[str, str] = field(converter=_case_insensitive, repr=False)
    body: bytes = field(repr=False)


class TransportFailure(Exception):
    """There is no usable answer; `fault` says how far the call came.

    `status` and `body` are what was read of an answer; a body that did not come whole is as it
    came, which may be compressed.
    """

    def __init__(
        self, fault: Fault, reason: str, status: int | None = None, body: bytes = b""
    ) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = reason
        self.status = status
        self.body = body


def check_timeout(seconds: float) -> None:
    """Refuse a timeout that waits not at all or for ever, with a RequestError."""
    if not 0 < seconds <= LONGEST_TIMEOUT:
        raise RequestError(f"timeout must be above 0 and at most {LONGEST_TIMEOUT} seconds")


class _Proxies(dict[str, str]):
    """Proxies by scheme; a URL may hold a password, which must not be seen in `vars(transport)`."""

    def __repr__(self) -> str:
        return f"Proxies({', '.join(self)})"


class Transport(Protocol):
    """Sends requests; whoever replaces it in a test gives these two."""

    def send(self, request: Request, *, timeout: float) -> Response:
        """Send a request and return the answer of any status, or raise TransportFailure.

        `timeout` is how many seconds all of it may take.
        """
        ...

    def close(self) -> None:
        """Let go of every connection; a second time does nothing."""
        ...


class RequestsTransport:
    """A Transport over the connections of requests: one a thread, nothing taken from the environment.

    Redirects are not followed, cookies are neither kept nor sent, nothing is retried.
    """

    def __init__(
        self,
        *,
        proxy: str | None = None,
        ca_file: str | None = None,
        longest_body: int = LONGEST_BODY,
    ) -> None:
        """Go through `proxy` (http or https URL) and trust the CAs of `ca_file`; no I/O yet.

        An answer of more than `longest_body` bytes, unpacked or not, is not read to its end.
        """
        self._proxies = _proxies(proxy)
        self._trust = Trust(ca_file)
        self._longest_body = _positive(longest_body)
        self._closed = False
        self._begin()

    def send(self, request: Request, *, timeout: float) -> Response:
        """Send a request; all of it, from the look-up of the host on, takes `timeout` seconds at most.

        Raises TransportFailure, or RequestError for what cannot be sent at all.
        """
        check_timeout(timeout)
        before = deadline.begin(timeout)
        try:
            outcome = self._exchange(request)
        except Exception:
            raise
        except BaseException:
            # Whatever was interrupted, like a queue of urllib3, may be held for ever.
            vars(self._local).pop("connections", None)
            raise
        finally:
            deadline.go_back(before)
        if isinstance(outcome, TransportFailure):
            raise outcome
        return outcome

    def close(self) -> None:
        """Close the idle connections of all threads; later calls raise RequestError."""
        self._leave_parent()
        with self._lock:
            self._closed = True
            everywhere = list(self._all)
        for connections in everywhere:
            connections.close()

    def _begin(self) -> None:
        # Re-entrant, because a signal handler may make a call.
        self._lock = threading.RLock()
        self._local = threading.local()
        # Weak: a thread that ended takes its connections with it.
        self._all: weakref.WeakSet[Connections] = weakref.WeakSet()
        self._pid = os.getpid()

    def _leave_parent(self) -> None:
        # After a fork the connections are the parent's, and the lock may be held for ever.
        if self._pid != os.getpid():
            self._begin()

    def _connections(self) -> Connections:
        self._leave_parent()
        with self._lock:
            if self._closed:
                raise RequestError("the client is closed")
            found: Connections | None = getattr(self._local, "connections", None)
            if found is None:
                found = self._local.connections = Connections(self._trust, self._proxies)
                self._all.add(found)
            return found

    def _exchange(self, request: Request) -> Response | TransportFailure:
        pool, target = _route(self._connections(), request.url)
        headers = _checked(request)
        try:
            raw = pool.urlopen(
                request.method,
                target,
                body=request.body,
                headers=headers,
                retries=_NO_RETRIES,
                redirect=False,
                assert_same_host=False,
                preload_content=False,
            )
        except NotConnectedError as error:
            fault = Fault.NOT_SENT if error.trusted else Fault.NOT_TRUSTED
            return TransportFailure(fault, f"cannot connect: {error}")
        except Exception as error:
            return TransportFailure(Fault.MAYBE_SENT, f"no answer came: {cause(error)}")
        # Closing what was not read to its end keeps late bytes from answering the next call, and so
        # does closing after all but a whole 2xx: a proxy may say 504 and then pass the real one on.
        with contextlib.closing(raw):
            connection = raw.connection
            outcome = _receive(raw, self._longest_body)
        whole = isinstance(outcome, Response) and fault_of_status(raw.status) is None
        if not whole and connection is not None:
            connection.close()
        return outcome


def _positive(size: int) -> int:
    if isinstance(size, bool) or not isinstance(size, int):
        raise TypeError(f"longest_body must be an integer of bytes, not {size!r}")
    if size < 1:
        raise RequestError(f"longest_body must be positive, not {size}")
    return size


def _proxies(proxy: str | None) -> _Proxies:
    if proxy is None:
        return _Proxies()
    # Plain http goes to this machine alone, so only a proxy on it may have it.
    local = is_loopback(check_proxy_url(proxy))
    return _Proxies(http=proxy, https=proxy) if local else _Proxies(https=proxy)


def _checked(request: Request) -> dict[str, str]:
    """The headers to send. What cannot be sent is refused here, when nothing was sent."""
    headers = {**_HEADERS, **request.headers}
    if all(map(_HEADER.fullmatch, map("\n".join, headers.items()))):
        return headers
    del headers  # a traceback of the error must not show them
    raise RequestError(_UNSENDABLE)


def _route(connections: Connections, url: str) -> tuple[HTTPConnectionPool, str]:
    """The pool for a URL, and how the URL stands in a request through it."""
    parts = _URL.fullmatch(url)
    pool = connections.to(parts[1]) if parts is not None else None
    if parts is None or pool is None:
        raise RequestError(_UNSENDABLE)
    if pool.proxy is not None and url.startswith("http:"):
        return pool, url
    # One slash at the beginning, because what follows two may be read as another host.
    return pool, f"/{parts[2]}"


def _receive(raw: BaseHTTPResponse, longest: int) -> Response | TransportFailure:
    """Read an answer. Under a status other than 2xx a broken body does not matter."""
    if raw.status < 200:
        # The real answer is still on its way, and the next call must not read it.
        return TransportFailure(Fault.MAYBE_SENT, "an interim answer came alone", raw.status)
    body = read_body(raw, longest)
    if not isinstance(body, Broken):
        return Response(raw.status, raw.headers, body)
    if fault_of_status(raw.status) is None:
        return TransportFailure(body.fault, body.reason, raw.status, body.content)
    return Response(raw.status, raw.headers, body.content)
