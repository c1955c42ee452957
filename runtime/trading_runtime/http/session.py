"""A transport over a session of requests that the user brings.

Of the session it uses the adapters, `proxies`, `verify`, `cert` and hooks. The request is the client's
alone: headers, authentication, parameters and cookies of the session are not sent. A failure while
connecting was not sent; after any other one the request may have been sent.
"""

from __future__ import annotations

import io
import os
import ssl
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from logging import WARNING
from time import monotonic
from traceback import walk_tb
from typing import Any, NoReturn, cast

import requests
from attrs import define, field
from requests.adapters import BaseAdapter, HTTPAdapter
from requests.exceptions import InvalidSchema
from urllib3 import BaseHTTPResponse, HTTPHeaderDict, Retry, Timeout
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import LocationParseError, ReadTimeoutError
from urllib3.util import parse_url

from trading_runtime.checks import boolean, integer
from trading_runtime.errors import CLOSED, RequestError
from trading_runtime.http.body import is_framed
from trading_runtime.http.fault import Fault, TransportError, cause
from trading_runtime.http.pool import no_answer
from trading_runtime.http.transport import (
    HEADERS,
    MAX_BODY_BYTES,
    UNSENDABLE,
    Request,
    Response,
    longest_body,
    proxy_hint,
    receive,
    sendable,
    trust_hint,
)
from trading_runtime.http.urls import is_loopback
from trading_runtime.log import note

_GRACE = 1.0
"""Seconds for the body of an answer that began after the deadline: late is better than never."""
_TEST_ADAPTERS = frozenset({"requests_mock"})
"""Packages whose adapters send nothing."""
_PROMISE = "promise that it sends each request once: SessionTransport(session, sends_once=True)"
_CONNECTING = frozenset(
    each.__code__
    for each in (
        HTTPConnection.connect,
        HTTPSConnection.connect,
        HTTPAdapter.cert_verify,
        HTTPAdapter.get_connection_with_tls_context,
    )
)
"""The code that runs before the first byte of a request is written."""


class SessionTransport:
    """A Transport over a `requests.Session`: its adapters, proxies, TLS settings and hooks are used.

    A request is sent once, a redirect is not followed, a body is read whole. The environment, netrc and
    cookies are not used. Threads may share it while nobody changes the session.
    """

    def __init__(
        self,
        session: requests.Session,
        *,
        sends_once: bool = False,
        max_body_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        """Send through `session`, which stays the user's: closing the client leaves it open.

        Args:
            session: A session whose adapters have no retries, and which verifies TLS.
            sends_once: Your promise that a session or an adapter with a `send` of its own, which nobody
                can judge, sends each request once.
            max_body_bytes: As in `RequestsTransport`.

        Raises:
            RequestError: The session may send a request twice, or does not verify TLS.
        """
        if not isinstance(session, requests.Session):
            raise TypeError(f"session must be a requests.Session, not a {type(session).__name__}")
        self._sends_once = boolean("sends_once", sends_once)
        _check_verify(session)
        kind = type(session)
        if not sends_once and kind.send is not requests.Session.send:
            raise RequestError(f"{kind.__name__} has a send() of its own: {_PROMISE}")
        for prefix, adapter in session.adapters.items():
            _check_adapter(adapter, prefix, sends_once=sends_once)
        self._session = session
        self._max_body_bytes = integer("max_body_bytes", max_body_bytes, minimum=1, unit="bytes")
        self._closed = False
        self._pid = os.getpid()

    def send(self, request: Request, *, timeout: float) -> Response:
        """Send a request. `timeout` bounds connecting and each wait for a part of the answer.

        Raises TransportError, or RequestError for what cannot be sent at all.
        """
        url = "/".join(sendable(request, timeout))
        if self._closed:
            raise RequestError(CLOSED)
        if self._pid != os.getpid():
            raise RequestError(
                "the connections of the session are those of the parent process: make a session and a "
                "client in this one"
            )
        # The user may have changed both since the last call.
        _check_verify(self._session)
        reader = _Reader(
            self._adapter(url),
            longest_body(request.method, self._max_body_bytes),
            monotonic() + timeout,
        )
        answer = self._exchange(request, url, reader, _SentOnce(timeout))
        if isinstance(answer, Response):
            return answer
        raise answer

    def close(self) -> None:
        """Take no further calls. The session is left open: it is the user's."""
        self._closed = True

    def __reduce__(self) -> NoReturn:
        raise TypeError("a transport holds connections; make a new one instead of copying")

    def _adapter(self, url: str) -> BaseAdapter:
        scheme, found = url.partition(":")[0], None
        with suppress(InvalidSchema):
            found = self._session.get_adapter(url)
        if found is None:
            raise RequestError(f"the session has no adapter for {scheme}://")
        _check_adapter(found, f"{scheme}://", sends_once=self._sends_once)
        return found

    def _exchange(
        self, request: Request, url: str, reader: _Reader, once: _SentOnce
    ) -> Response | TransportError | RequestError:
        # An error is returned, so that it is raised outside of every except block: no chain.
        session = self._session
        # The answer is read first and once, so that no hook reads it without a bound.
        prepared = _prepared(request, url, [reader.take, *_hooks(session), _keep_from_following])
        if prepared is None:
            return RequestError(UNSENDABLE)
        try:
            returned = session.send(
                prepared,
                timeout=cast(Any, once),
                allow_redirects=False,
                stream=True,
                verify=session.verify,
                cert=session.cert,
                # Given here, they are not merged with those of the environment.
                proxies=_proxies(session, url),
            )
            if reader.answer is None:
                # A session whose `send` calls no hooks.
                reader.take(returned)
        except Exception as error:
            if reader.answer is None:
                hint = "" if session.proxies else proxy_hint(url, "session.proxies")
                reader.answer = _failure(error, once, hint)
            else:
                # What the service did is known, whatever a hook thinks of it.
                name = type(error).__name__
                note(WARNING, "a hook of the session raised %s; the answer came, and counts", name)
            # The frames of a traceback hold the connection, and would until the garbage collector runs.
            for link in _links(error, handled=True):
                link.__traceback__ = None
        assert reader.answer is not None
        return reader.answer


class RepeatedError(Exception):
    """A request was about to be sent a second time. urllib3 neither wraps nor repeats it."""


class _SentOnce(Timeout):
    """The timeouts of one request. urllib3 copies them each time it sends, so a second time is stopped."""

    def __init__(self, seconds: float) -> None:
        # Connecting gets half of the time, so that enough is left to wait for the answer.
        super().__init__(connect=seconds / 2, total=seconds)
        self.times = 0

    def clone(self) -> Timeout:
        self.times += 1
        if self.times > 1:
            raise RepeatedError
        return super().clone()


@define
class _Reader:
    """Reads the answer to one request, as the first hook of the session."""

    _adapter: BaseAdapter
    _limit: int
    _ends: float
    """The deadline, on the clock of `time.monotonic`."""
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
        answer = _Answer(response, self._ends)
        is_whole = False
        try:
            # Its connection may serve another thread soon, so all idle ones are closed in place of it.
            self.answer = receive(answer, self._limit, self._adapter.close, framed=answer.framed)
            is_whole = isinstance(self.answer, Response)
        finally:
            answer.release(reusable=is_whole and answer.status // 100 == 2)
        # Without the connection's own answer requests finds no cookies that it would keep.
        response.raw = io.BytesIO(self.answer.body)


class _Answer:
    """An answer of requests as `receive` reads it: not decompressed, and until the deadline."""

    def __init__(self, response: requests.Response, ends: float) -> None:
        raw: Any = response.raw
        self._response = response
        self._ends = ends if monotonic() < ends else monotonic() + _GRACE
        self.status = response.status_code
        self.headers = HTTPHeaderDict(response.headers)
        # The last read, of nothing, tells the end.
        self.length_remaining: int | None = None
        self.chunked = False
        self.framed = True  # what was made on this machine, in a test, is whole
        self._connection: Any = None
        self._read: Callable[[int], bytes]
        if raw is None or getattr(response, "_content", False):
            # Its adapter has read it already, and decompressed it.
            self.headers.discard("Content-Encoding")
            self._read = io.BytesIO(response.content or b"").read
        elif isinstance(raw, BaseHTTPResponse):
            self._read = partial(raw.read1, decode_content=False)
            # Taken out of urllib3's answer, which would give it back before it is known to be reusable.
            self._connection, cast(Any, raw)._connection = raw.connection, None
            self.framed = self._connection is None or is_framed(raw)
        else:
            self._read = raw.read

    def read1(self, amt: int, decode_content: bool) -> bytes:
        left = self._ends - monotonic()
        if left <= 0:
            raise ReadTimeoutError(cast(Any, None), "", "the deadline has passed")
        sock = getattr(self._connection, "sock", None)
        if sock is not None:
            sock.settimeout(left)
        return self._read(amt)

    def release(self, *, reusable: bool) -> None:
        """Give the connection back to its pool; closed, if anything may still come on it.

        After all but a whole 2xx something may: a proxy may say 504 and then pass the real answer on.
        """
        raw: Any = self._response.raw
        if raw is None:
            return
        self._response.close()
        if self._connection is not None:
            # urllib3 itself looks for bytes in the socket before its next use, but not in TLS.
            if not reusable or getattr(self._connection.sock, "pending", int)():
                self._connection.close()
            raw._pool._put_conn(self._connection)


def _failure(error: Exception, once: _SentOnce, hint: str) -> TransportError:
    """The failure that an exception stands for; `hint` follows why no connection was made.

    Of the texts of requests and urllib3 nothing is kept: they may hold the request.
    """
    if once.times > 1:
        reason = "the session was about to send it again, which was stopped"
        return TransportError(Fault.MAYBE_SENT, reason)
    links = list(_links(error))
    # What Python itself raised holds nothing of the request.
    known = [each for each in links if _package(type(each)) in sys.stdlib_module_names]
    name = f"{type(error).__module__}.{type(error).__qualname__}"
    if not any(map(_is_connecting, links)):
        reason = no_answer(known[-1]) if known else f"the session raised {name}"
        return TransportError(Fault.MAYBE_SENT, reason)
    reason = f"cannot connect: {cause(known[-1]) if known else name}"
    if any(isinstance(link, ssl.SSLCertVerificationError) for link in links):
        return TransportError(Fault.NOT_TRUSTED, reason + trust_hint("session.verify = FILE"))
    return TransportError(Fault.NOT_SENT, reason + hint)


def _links(error: BaseException, *, handled: bool = False) -> Iterator[BaseException]:
    """An exception and those that it says it stands for, as those of requests and urllib3 do.

    With `handled` also those that were handled when it was raised, which may be of another request.
    """
    left, seen = [error], set[int]()
    while left:
        link = left.pop(0)
        if id(link) not in seen:
            seen.add(id(link))
            yield link
            context = link.__context__ if handled else None
            within = (link.__cause__, *link.args, vars(link).get("reason"), context)
            left += [each for each in within if isinstance(each, BaseException)]


def _is_connecting(link: BaseException) -> bool:
    frames = (frame.f_code for frame, _ in walk_tb(link.__traceback__))
    return isinstance(link, requests.ConnectTimeout) or any(code in _CONNECTING for code in frames)


def _check_verify(session: requests.Session) -> None:
    """Refuse a session that does not check certificates."""
    verify = session.verify
    if verify is not True and not (isinstance(verify, str) and verify):
        raise RequestError(
            "TLS is always verified: write session.verify = True, or the path of a file of CAs, "
            f"not {verify!r}"
        )


def _check_adapter(adapter: BaseAdapter, prefix: str, *, sends_once: bool) -> None:
    """Refuse an adapter that may send a request twice: a POST that is repeated may be a second order."""
    kind = type(adapter)
    known = isinstance(adapter, HTTPAdapter) and kind.send is HTTPAdapter.send
    if not known and _package(kind) in _TEST_ADAPTERS:
        return
    if not known and not sends_once:
        raise RequestError(f"the adapter for {prefix!r}, {kind.__name__}, is not known: {_PROMISE}")
    policy = getattr(adapter, "max_retries", 0)
    # A subclass of Retry may repeat whatever its total says.
    total = policy.total if type(policy) is Retry else policy
    if total not in (0, False):
        raise RequestError(
            f"the adapter for {prefix!r} may send a request again, by its {policy!r}. The client itself "
            f"repeats what may be repeated: write session.mount({prefix!r}, "
            "requests.adapters.HTTPAdapter())"
        )


def _package(kind: type) -> str:
    return kind.__module__.partition(".")[0]


def _prepared(
    request: Request, url: str, hooks: list[Callable[..., Any]]
) -> requests.PreparedRequest | None:
    """The request as requests sends it; None if it cannot be sent at all."""
    prepared = requests.PreparedRequest()
    with suppress(Exception):
        prepared.prepare(
            method=request.method,
            url=url,
            headers={**HEADERS, **request.headers},  # no variable: a frame would show it
            data=request.body,
            hooks={"response": hooks},
        )
        return prepared
    return None


def _hooks(session: requests.Session) -> list[Callable[..., Any]]:
    given = session.hooks.get("response") or []
    return [given] if callable(given) else list(given)


def _keep_from_following(response: requests.Response, **_: Any) -> None:
    """Without a place to go requests does not prepare the request that would follow a redirect."""
    response.headers.pop("Location", None)


def _proxies(session: requests.Session, url: str) -> dict[str, str]:
    """The proxies of the session; what is not encrypted goes to a plain one on this machine alone.

    For a URL in plain http requests would not look at the certificate of a proxy.
    """
    given: Mapping[str, str] = session.proxies or {}
    if url.startswith("https:"):
        return dict(given)
    return {scheme: proxy for scheme, proxy in given.items() if proxy and _is_here(proxy)}


def _is_here(proxy: str) -> bool:
    with suppress(LocationParseError):
        address = parse_url(proxy)
        return address.scheme != "https" and is_loopback(address)
    return False
