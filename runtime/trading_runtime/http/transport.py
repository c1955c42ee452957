"""The seam to the network: one request out, one whole answer back, or a TransportError.

It goes through a session of requests. Of a user's session the adapters, proxies, TLS settings and hooks are used. The
request is the client's alone: headers, authentication, parameters and cookies of the session are not sent.

A TransportError says whether the request may have been sent. It has no chain of causes: the exceptions
of requests and urllib3 carry the request, with its API key and signed body.
"""

from __future__ import annotations

import io
import os
import re
import ssl
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from logging import WARNING
from time import monotonic
from traceback import walk_tb
from typing import Any, NoReturn, Protocol, cast

import requests
from attrs import define, field, frozen
from requests.adapters import BaseAdapter, HTTPAdapter
from requests.cookies import RequestsCookieJar
from requests.structures import CaseInsensitiveDict
from requests.utils import DEFAULT_CA_BUNDLE_PATH, default_user_agent, select_proxy
from urllib3 import BaseHTTPResponse, HTTPHeaderDict, Retry
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from trading_runtime.checks import MAX_SECONDS, boolean, integer, seconds
from trading_runtime.errors import CLOSED, RequestError
from trading_runtime.http.body import is_framed, read_body
from trading_runtime.http.deadline import SentOnce, new_session, trusting
from trading_runtime.http.fault import Fault, TransportError, cause, chain
from trading_runtime.http.urls import is_loopback
from trading_runtime.log import note

HEADERS: Mapping[str, str] = {
    "User-Agent": f"trading-service-sdk {default_user_agent()}",
    # The only coding whose end body.py can check.
    "Accept-Encoding": "gzip",
}
"""The headers of every request; those of a `Request` go before them."""
MAX_BODY_BYTES = 4 * 1024 * 1024
"""4 MiB: the largest page that the interface document knows, 4,000 records, of 1 KiB each. An order, the
largest record, takes less than half of that."""
MAX_POST_BODY_BYTES = 1024 * 1024
"""1 MiB: the answer to a POST is no page. Ten results of a batch take a thousandth of it."""
UNSENDABLE = "the URL or a header has characters that cannot be sent"
# Callers must not set these headers: they say where the request ends.
_FRAMING = "(?i:content-length|transfer-encoding)"
_HEADER = re.compile(rf"(?!{_FRAMING}\n)[!#-'*+.^-z|~0-9A-Z-]+\n([!-~\xa1-\xff][\t -~\xa0-\xff]*)?")
_URL = re.compile(
    r"(https?://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?)(?:/+|(?=\?)|$)([!-\"$-~]*)"
)
"""A URL that can be sent: its origin, and what follows the first slash."""
_TEST_ADAPTERS = frozenset({"requests_mock"})
"""Packages whose adapters send nothing."""
_PROMISE = "promise that it sends each request once: Client(..., session=session, sends_once=True)"
_CONNECTING = frozenset(
    step.__code__
    for step in (
        requests.Session.get_adapter,
        HTTPConnection.connect,
        HTTPSConnection.connect,
        HTTPAdapter.cert_verify,
        HTTPAdapter.get_connection_with_tls_context,
    )
)
"""The code that runs before the first byte of a request is written."""
_NO_COOKIES = RequestsCookieJar()
_OWN_SETTINGS: Mapping[str, Any] = {"verify": True, "cert": None, "proxies": {}, "stream": True}


def _case_insensitive(headers: Mapping[str, str]) -> HTTPHeaderDict:
    return headers if isinstance(headers, HTTPHeaderDict) else HTTPHeaderDict(headers)


def _nothing() -> None:
    """There is no connection to close."""


@frozen(eq=False)
class Request:
    """One request as it is sent. Its repr shows neither headers nor body: they hold secrets."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)


@frozen(eq=False)
class Response:
    """One answer of any status; header names ignore case.

    Under a 2xx the body is whole and decompressed; under another status it may be cut.
    """

    status: int
    headers: Mapping[str, str] = field(converter=_case_insensitive, repr=False)
    body: bytes = field(repr=False)
    hang_up: Callable[[], None] = field(default=_nothing, repr=False)
    """Close the idle connections. For a caller who cannot read the answer: its own may still come."""


class _Headers(CaseInsensitiveDict[str]):
    """The headers of a request. urllib3 copies them each time, for which those of requests take long."""

    def copy(self) -> Any:
        return dict(self.items())


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


# -- the transport -----------------------------------------------------------------------------


class HTTPTransport:
    """A Transport over a session of requests: the user's, or one of its own for each process.

    A request is sent once, a redirect is not followed, a body is read whole. Threads may share it while nobody
    changes the session.
    """

    def __init__(
        self,
        session: requests.Session | None = None,
        *,
        sends_once: bool = False,
        max_body_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        """Send through `session`, which stays the user's and open, or through one that `new_session` makes.

        Args:
            session: A session whose adapters have no retries, and which verifies TLS.
            sends_once: The user's promise that a session or an adapter with a `send` of its own, which nobody
                can judge, sends each request once.
            max_body_bytes: An answer of more bytes, compressed or not, is not read to its end; nor is one to
                anything but a GET of more than 1 MiB.

        Raises:
            RequestError: The session may send a request twice, or does not verify TLS.
        """
        self._max_body_bytes = integer("max_body_bytes", max_body_bytes, minimum=1, unit="bytes")
        self._sends_once = boolean("sends_once", sends_once)
        if session is not None:
            _check_session(session, sends_once=sends_once)
        self._given = session
        self._own: dict[int, requests.Session] = {}
        """The own session of this process, by its number."""
        self._closed = False
        self._pid = os.getpid()

    def send(self, request: Request, *, timeout: float) -> Response:
        """Send a request; all of it takes `timeout` seconds at most, where the adapter is a `DeadlineAdapter`.

        Raises TransportError, or RequestError for what cannot be sent at all.
        """
        url = _sendable(request, timeout)
        session, settings = self._prepared(url)
        limit = self._max_body_bytes
        if request.method != "GET":
            limit = min(limit, MAX_POST_BODY_BYTES)
        reader = _Reader(session, limit, SentOnce(timeout))
        answer = _exchange(request, url, settings, reader)
        if isinstance(answer, TransportError):
            raise answer  # outside of every except block, so that it has no chain
        return answer

    def websocket_options(self, url: str) -> dict[str, Any]:
        """The TLS context and the proxy for a websocket, as `websockets` takes them; `url` begins with http."""
        _, settings = self._prepared(url)
        options: dict[str, Any] = {"proxy": select_proxy(url, settings["proxies"])}
        if url.startswith("https:"):
            verify, cert = settings["verify"], settings["cert"]
            options["ssl"] = trusting(DEFAULT_CA_BUNDLE_PATH if verify is True else verify)
            if cert:
                options["ssl"].load_cert_chain(*([cert] if isinstance(cert, str) else cert))
        return options

    def close(self) -> None:
        """Close the idle connections; later calls raise RequestError. A session of the user's stays open."""
        self._closed = True
        if (own := self._own.get(os.getpid())) is not None:
            own.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a transport holds connections; make a new one instead of copying")

    def _prepared(self, url: str) -> tuple[requests.Session, Mapping[str, Any]]:
        """The session, and what it says of TLS and proxies for a URL."""
        session = self._opened()
        if session is not self._given:
            return session, _OWN_SETTINGS
        _check_session(session, sends_once=self._sends_once)
        return session, _settings(session, url)

    def _opened(self) -> requests.Session:
        if self._closed:
            raise RequestError(CLOSED)
        pid = os.getpid()
        if self._given is not None:
            if pid == self._pid:
                return self._given
            raise RequestError(
                "the connections of the session are those of the parent process: make a session and a "
                "client in this one"
            )
        own = self._own.get(pid)
        if own is None:
            # In one step, for threads; the parent's session is dropped.
            own = self._own.setdefault(pid, new_session())
            self._own = {pid: own}
        return own


def _sendable(request: Request, timeout: float) -> str:
    """The URL of a request, with one slash behind the host: a path after two may be read as another host.

    Raises RequestError for what cannot be sent at all.
    """
    if not 0 < timeout <= MAX_SECONDS:
        seconds("timeout", timeout)  # says what is wrong
    parts = _URL.fullmatch(request.url)
    headers = map("\n".join, request.headers.items())
    if parts is None or not all(map(_HEADER.fullmatch, headers)):
        raise RequestError(UNSENDABLE)
    return f"{parts[1]}/{parts[2]}"


def _exchange(
    request: Request, url: str, settings: Mapping[str, Any], reader: _Reader
) -> Response | TransportError:
    prepared = requests.PreparedRequest()
    prepared.method, prepared.url, prepared.body = request.method, url, request.body
    # No variable: a frame would show it.
    prepared.headers = _Headers({**HEADERS, **request.headers})
    if request.body is not None:
        prepared.headers["Content-Length"] = str(len(request.body))
    # The answer is read first and once, so that no hook reads it without a bound.
    prepared.hooks = {"response": [reader.take, *_hooks(reader.session), _keep_from_following]}
    prepared._cookies = _NO_COOKIES  # type: ignore[attr-defined]
    try:
        returned = reader.session.send(
            prepared, timeout=cast(Any, reader.once), allow_redirects=False, **settings
        )
        if reader.answer is None:
            # A session whose `send` calls no hooks.
            reader.take(returned)
    except Exception as error:
        if reader.answer is None:
            reader.answer = _failure(error, reader.once)
        else:
            # What the service did is known, whatever a hook thinks of it.
            name = type(error).__name__
            note(WARNING, "a hook of the session raised %s; the answer came, and counts", name)
        # The frames of a traceback hold the connection, and would until the garbage collector runs.
        for link in (*_standing_for(error), *chain(error)):
            link.__traceback__ = None
    assert reader.answer is not None
    return reader.answer


# -- the answer --------------------------------------------------------------------------------


@define
class _Reader:
    """Reads the answer to one request, as the first hook of the session."""

    session: requests.Session
    limit: int
    once: SentOnce
    answer: Response | TransportError | None = field(default=None, init=False, repr=False)

    def take(self, response: requests.Response, **_: Any) -> None:
        """Read an answer, and leave its body to the hooks.

        A hook that sends another request may bring a second answer, which is not read.
        """
        if self.answer is not None:
            return
        if not isinstance(response, requests.Response):
            kind = type(response).__name__
            reason = f"the session returned a {kind}, not a requests.Response"
            self.answer = TransportError(Fault.MAYBE_SENT, reason)
            return
        raw: Any = response.raw
        connection: Any = None
        if isinstance(raw, BaseHTTPResponse):
            # Taken out of urllib3's answer, which would give it back before it is known to be reusable.
            connection, cast(Any, raw)._connection = raw.connection, None
        try:
            self.answer = answer = self._read(response, raw, connection)
        finally:
            if raw is not None:
                response.close()
            if connection is not None:
                # After all but a whole 2xx something may come: a proxy may say 504 and pass the real answer on.
                if not (isinstance(self.answer, Response) and self.answer.status // 100 == 2):
                    connection.close()
                cast(Any, raw)._pool._put_conn(connection)
        # Without the connection's own answer requests finds no cookies that it would keep.
        response.raw = io.BytesIO(answer.body)

    def _read(
        self, response: requests.Response, raw: Any, connection: Any
    ) -> Response | TransportError:
        status, coding = response.status_code, response.headers.get("Content-Encoding", "")
        if status < 200:
            # If the real answer is still on its way, the next call must not read it.
            return TransportError(Fault.MAYBE_SENT, f"a {status} is no answer", status)
        if raw is None or response._content:
            # Its adapter has read it already, and decompressed it.
            coding, read = "", io.BytesIO(response.content or b"").read
        elif isinstance(raw, BaseHTTPResponse):
            read = partial(_next_part, raw)
        else:
            read = raw.read
        # What was made on this machine, in a test, is whole.
        framed = connection is None or is_framed(cast(Any, raw))
        timed = partial(_in_time, read, getattr(connection, "sock", None), self.once.deadline)
        body = read_body(timed, status, coding, self.limit, framed=framed)
        if isinstance(body, TransportError):
            if status // 100 == 2:
                return body
            # Under another status a cut body does not matter.
            body = body.body
        # Its connection may serve another thread soon, so all idle ones are closed in place of it.
        headers = raw.headers if isinstance(raw, BaseHTTPResponse) else response.headers
        return Response(status, headers, body, self.session.close)


def _in_time(read: Callable[[int], bytes], sock: Any, deadline: float, size: int) -> bytes:
    """Read until the deadline, of which an adapter of the user's may know nothing."""
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError
    if sock is not None:
        sock.settimeout(left)
    return read(size)


def _next_part(raw: BaseHTTPResponse, size: int) -> bytes:
    """Some of a body, as it was sent; nothing at its end."""
    if raw.length_remaining == 0 and not raw.chunked:
        return b""
    # read1: read loses the part of a chunk that was received when the rest is missing.
    part: bytes = cast(Any, raw).read1(size, decode_content=False)
    return part


def _keep_from_following(response: requests.Response, **_: Any) -> None:
    """Without a place to go requests does not prepare the request that would follow a redirect."""
    response.headers.pop("Location", None)


# -- a failure ---------------------------------------------------------------------------------


def _failure(error: Exception, once: SentOnce) -> TransportError:
    """The failure that an exception stands for. Of the texts of requests and urllib3 nothing is kept."""
    if once.times > 1:
        reason = "the session was about to send it again, which was stopped"
        return TransportError(Fault.MAYBE_SENT, reason)
    links = _standing_for(error)
    # What Python itself raised holds nothing of the request.
    known = [link for link in links if _package(type(link)) in sys.stdlib_module_names]
    name = f"{type(error).__module__}.{type(error).__qualname__}"
    if not (isinstance(error, requests.ConnectTimeout) or any(map(_is_connecting, links))):
        reason = (
            f"no answer came that can be read: {cause(known[-1])}"
            if known
            else f"the session raised {name}"
        )
        return TransportError(Fault.MAYBE_SENT, reason)
    reason = f"cannot connect: {cause(known[-1]) if known else name}"
    if any(isinstance(link, ssl.SSLCertVerificationError) for link in links):
        advice = (
            "; if its CA is your own, write session.verify = FILE, and Client(..., session=session)"
        )
        return TransportError(Fault.NOT_TRUSTED, reason + advice)
    return TransportError(Fault.NOT_SENT, reason)


def _standing_for(error: BaseException) -> list[BaseException]:
    """An exception of a session, and those that requests and urllib3 raised it for.

    What other code raises stands for itself alone, and so does what other code names as a cause: a failure that it
    handled before proves nothing.
    """
    links = [error]
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    if not frames or frames[-1].f_globals.get("__name__") != HTTPAdapter.__module__:
        return links
    within: tuple[object, ...] = error.args
    while (link := _first(within)) is not None and link not in links:
        links.append(link)
        within = (link.__cause__, *link.args, vars(link).get("reason"))
    return links


def _first(values: tuple[object, ...]) -> BaseException | None:
    return next((value for value in values if isinstance(value, BaseException)), None)


def _is_connecting(link: BaseException) -> bool:
    return any(frame.f_code in _CONNECTING for frame, _ in walk_tb(link.__traceback__))


# -- a user's session --------------------------------------------------------------------------


def _check_session(session: requests.Session, *, sends_once: bool) -> None:
    """Refuse a session that may send a request twice, or does not check certificates. It may have changed."""
    kind = type(session)
    if not isinstance(session, requests.Session):
        raise TypeError(f"session must be a requests.Session, not a {kind.__name__}")
    verify: Any = session.verify
    if verify is not True and not (isinstance(verify, str) and verify):
        raise RequestError(
            "TLS is always verified: write session.verify = True, or the path of a file of CAs, "
            f"not {verify!r}"
        )
    if not sends_once and kind.send is not requests.Session.send:
        raise RequestError(f"{kind.__name__} has a send() of its own: {_PROMISE}")
    for prefix, adapter in session.adapters.items():
        _check_adapter(adapter, prefix, sends_once=sends_once)


def _check_adapter(adapter: BaseAdapter, prefix: str, *, sends_once: bool) -> None:
    """Refuse an adapter that may send a request twice: a POST that is repeated may be a second order."""
    kind = type(adapter)
    known = isinstance(adapter, HTTPAdapter) and kind.send is HTTPAdapter.send
    if not known and _package(kind) in _TEST_ADAPTERS:
        return
    if not known and not sends_once:
        raise RequestError(
            f"the adapter for {prefix!r}, {kind.__name__}, has a send() of its own: {_PROMISE}"
        )
    policy = getattr(adapter, "max_retries", 0)
    # A subclass of Retry may repeat whatever its total says.
    total = policy.total if type(policy) is Retry else policy
    if total not in (0, False):
        raise RequestError(
            f"the adapter for {prefix!r} may send a request again, by its {policy!r}. The client itself "
            f"repeats what may be repeated: write session.mount({prefix!r}, DeadlineAdapter())"
        )


def _package(kind: type) -> str:
    return kind.__module__.partition(".")[0]


def _settings(session: requests.Session, url: str) -> Mapping[str, Any]:
    """The `verify`, `cert` and `proxies` of a session, with those of the environment if it trusts that."""
    settings = session.merge_environment_settings(url, {}, True, None, None)
    if url.startswith("http:"):
        # requests would not look at the certificate of a proxy, and another machine would see what is not encrypted.
        proxies = settings["proxies"].items()
        here = {scheme: proxy for scheme, proxy in proxies if proxy and _is_plain_and_here(proxy)}
        settings["proxies"] = here
    return settings


def _is_plain_and_here(proxy: str) -> bool:
    with suppress(LocationParseError):
        address = parse_url(proxy)
        return address.scheme != "https" and is_loopback(address)
    return False


def _hooks(session: requests.Session) -> list[Callable[..., Any]]:
    given = session.hooks.get("response") or []
    return [given] if callable(given) else list(given)
