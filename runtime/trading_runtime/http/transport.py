"""The seam to the network: one request out, one whole answer back, or a TransportError.

A TransportError says whether the request may have been sent. It has no chain of causes: the exceptions
of urllib3 carry the request, with its API key and signed body.
"""

from __future__ import annotations

import os
import re
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

import urllib3
from attrs import field, frozen
from requests.utils import default_user_agent
from urllib3 import HTTPHeaderDict

from trading_runtime.checks import MAX_SECONDS, integer, seconds
from trading_runtime.errors import CLOSED, RequestError
from trading_runtime.http.body import Answer, is_framed, read_body
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.pool import Connections, NotConnectedError, Trust, no_answer
from trading_runtime.http.urls import check_proxy_url, is_loopback
from trading_runtime.shown import Compared

HEADERS: Mapping[str, str] = {
    "User-Agent": f"trading-service-sdk {default_user_agent()}",
    # The only coding whose end body.py can check.
    "Accept-Encoding": "gzip",
}
"""The headers of every request; those of a `Request` go before them."""
_NO_RETRIES = urllib3.Retry(0, read=False)
# Callers must not set these headers: they say where the request ends.
_FRAMING = "(?i:content-length|transfer-encoding)"
_HEADER = re.compile(rf"(?!{_FRAMING}\n)[!#-'*+.^-z|~0-9A-Z-]+\n([!-~\xa1-\xff][\t -~\xa0-\xff]*)?")
_URL = re.compile(r"(https?://[^/?#@]+)(?:/+|(?=\?)|$)([!-\"$-~]*)")
"""A URL that can be sent: its origin, and what follows the first slash."""
UNSENDABLE = "the URL or a header has characters that cannot be sent"
MAX_BODY_BYTES = 4 * 1024 * 1024
"""4 MiB: the largest page that the interface document knows, 4,000 records, of 1 KiB each. An order, the
largest record, takes less than half of that."""
MAX_POST_BODY_BYTES = 1024 * 1024
"""1 MiB: the answer to a POST is no page. Ten results of a batch take a thousandth of it."""


_AUTHORITIES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR")
_PROXIES = ("HTTPS_PROXY", "ALL_PROXY")


def _case_insensitive(headers: Mapping[str, str]) -> HTTPHeaderDict:
    return headers if isinstance(headers, HTTPHeaderDict) else HTTPHeaderDict(headers)


def _nothing() -> None:
    """There is no connection to close."""


@frozen(eq=False, repr=False)
class Request(Compared):
    """One request as it is sent. Its repr shows neither headers nor body: they hold secrets."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)


@frozen(eq=False, repr=False)
class Response(Compared):
    """One answer of any status; header names ignore case.

    Under a 2xx the body is whole and decompressed; under another status it may be cut.
    """

    status: int
    headers: Mapping[str, str] = field(converter=_case_insensitive, repr=False)
    body: bytes = field(repr=False)
    hang_up: Callable[[], None] = field(default=_nothing, eq=False, repr=False)
    """Close the connection. For a caller who finds that this answers another request: its own answer may
    still come."""


class Masked(Mapping[str, str]):
    """A mapping that shows its names only, because its values may be secret: API keys, passwords."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Masked({', '.join(self)})"


class Transport(Protocol):
    """Sends requests. Any object with these two methods can replace the default one."""

    def send(self, request: Request, *, timeout: float) -> Response:
        """Send a request and return the answer of any status, or raise TransportError.

        `timeout` is the number of seconds that the whole exchange may take.
        """
        ...

    def close(self) -> None:
        """Close every connection; closing twice does no harm."""
        ...


class RequestsTransport:
    """A Transport over the connections of requests: one per thread, nothing taken from the environment.

    Redirects are not followed, cookies are neither kept nor sent, nothing is retried.
    """

    def __init__(
        self,
        *,
        proxy: str | None = None,
        ca_file: str | None = None,
        max_body_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        """Go through `proxy` (http or https URL) and trust the CAs of `ca_file`; no I/O yet.

        An answer of more than `max_body_bytes`, compressed or not, is not read to its end; nor is one
        to anything but a GET of more than 1 MiB.
        """
        self._proxies = _proxies(proxy)
        self._trust = Trust(ca_file)
        self._max_body_bytes = integer("max_body_bytes", max_body_bytes, minimum=1, unit="bytes")
        self._closed = False
        self._begin()

    def send(self, request: Request, *, timeout: float) -> Response:
        """Send a request; all of it, from the look-up of the host on, takes `timeout` seconds at most.

        Raises TransportError, or RequestError for what cannot be sent at all.
        """
        parts = sendable(request, timeout)
        connections = self._connections()
        outer = connections.begin(timeout)
        try:
            answer = self._exchange(request, parts, connections)
        except Exception:
            raise
        except BaseException:
            # Ctrl-C may leave a lock of urllib3 held for ever, so the thread gets new connections.
            vars(self._local).pop("connections", None)
            raise
        finally:
            connections.end(outer)
        if isinstance(answer, TransportError):
            raise answer
        return answer

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
                raise RequestError(CLOSED)
            found: Connections | None = getattr(self._local, "connections", None)
            if found is None:
                found = self._local.connections = Connections(self._trust, self._proxies)
                self._all.add(found)
            return found

    def _hint(self, fault: Fault, url: str) -> str:
        if fault is Fault.NOT_TRUSTED:
            return trust_hint("RequestsTransport(ca_file=...)")
        return "" if self._proxies else proxy_hint(url, "RequestsTransport(proxy=...)")

    def _exchange(
        self, request: Request, parts: tuple[str, str], connections: Connections
    ) -> Response | TransportError:
        # A TransportError is returned, so that it is raised outside of every except block: no chain.
        pool = connections.to(parts[0])
        if pool is None:
            raise RequestError(UNSENDABLE)
        # Behind the host one slash: a path after two may be read as another host.
        is_whole = pool.proxy is not None and request.url.startswith("http:")
        target = request.url if is_whole else f"/{parts[1]}"
        try:
            raw = pool.urlopen(
                request.method,
                target,
                body=request.body,
                headers={**HEADERS, **request.headers},  # no variable: a frame would show it
                retries=_NO_RETRIES,
                redirect=False,
                assert_same_host=False,
                preload_content=False,
            )
        except NotConnectedError as error:
            fault = Fault.NOT_SENT if error.trusted else Fault.NOT_TRUSTED
            hint = self._hint(fault, request.url)
            return TransportError(fault, f"cannot connect: {error}{hint}")
        except Exception as error:
            return TransportError(Fault.MAYBE_SENT, no_answer(error))
        # Closing an answer that was not read to its end keeps late bytes from answering the next call.
        # So does closing after all but a whole 2xx: a proxy may say 504 and then pass the real one on.
        try:
            connection = raw.connection
            hang_up = _nothing if connection is None else connection.close
            limit = longest_body(request.method, self._max_body_bytes)
            answer = receive(raw, limit, hang_up, framed=is_framed(raw))
        finally:
            raw.close()
        if isinstance(answer, TransportError) or raw.status // 100 != 2:
            hang_up()
        return answer


def _proxies(proxy: str | None) -> Masked:
    """Proxies by the scheme of the request; the URL of one may hold a password."""
    if proxy is None:
        return Masked({})
    # Plain http goes to this machine alone, so only a proxy on it may have it.
    schemes = ("http", "https") if is_loopback(check_proxy_url(proxy)) else ("https",)
    return Masked(dict.fromkeys(schemes, proxy))


def sendable(request: Request, timeout: float) -> tuple[str, str]:
    """The origin of a request, and what its URL has behind the first slash.

    Raises RequestError for what cannot be sent at all.
    """
    if not 0 < timeout <= MAX_SECONDS:
        seconds("timeout", timeout)  # says what is wrong
    parts = _URL.fullmatch(request.url)
    headers = map("\n".join, request.headers.items())
    if parts is None or not all(map(_HEADER.fullmatch, headers)):
        raise RequestError(UNSENDABLE)
    return parts[1], parts[2]


def longest_body(method: str, max_body_bytes: int) -> int:
    """The largest body of an answer, in bytes."""
    return max_body_bytes if method == "GET" else min(max_body_bytes, MAX_POST_BODY_BYTES)


def receive(
    raw: Answer, max_body_bytes: int, hang_up: Callable[[], None], *, framed: bool
) -> Response | TransportError:
    """Read an answer. Under a status other than 2xx a cut body does not matter."""
    if raw.status < 200:
        # If the real answer is still on its way, the next call must not read it.
        return TransportError(Fault.MAYBE_SENT, f"a {raw.status} is no answer", raw.status)
    found = read_body(raw, max_body_bytes, framed=framed)
    if isinstance(found, TransportError):
        if raw.status // 100 == 2:
            return found
        found = found.body
    return Response(raw.status, raw.headers, found, hang_up)


def trust_hint(use: str) -> str:
    """What follows the reason why a certificate is not trusted; `use` takes a file of CAs."""
    found = _set(_AUTHORITIES)
    unused = f" ({found} is set in the environment, which is not used)" if found else ""
    return f"; if its CA is your own, write {use}{unused}"


def proxy_hint(url: str, use: str) -> str:
    """What follows the reason why no connection was made without a proxy; `use` takes one."""
    found = _set(_PROXIES)
    if found is None or not url.startswith("https:"):
        return ""
    return f"; {found} is set in the environment, which is not used: write {use}"


def _set(names: Sequence[str]) -> str | None:
    """The first of these variables that is set, in either case. Its value may hold a password."""
    either = (case for name in names for case in (name, name.lower()))
    return next((name for name in either if os.environ.get(name)), None)
