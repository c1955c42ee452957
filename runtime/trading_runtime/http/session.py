"""A transport over a session of requests that the user brings.

Of the session it uses the adapters, `proxies`, `verify`, `cert` and hooks. The request is the client's
alone, so headers, authentication, parameters and cookies of the session are not sent.
docs/session-transport.md says what is no longer promised, the deadline of a call first of all.
"""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, NoReturn, cast

import requests
from attrs import define, field
from requests.adapters import BaseAdapter
from requests.exceptions import InvalidSchema
from urllib3 import BaseHTTPResponse, HTTPHeaderDict
from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from trading_runtime.checks import MAX_SECONDS, integer, seconds
from trading_runtime.errors import RequestError
from trading_runtime.http.adapters import OneRequest, check_adapter, check_session, check_verify
from trading_runtime.http.body import is_framed, is_plain
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.hints import unreachable
from trading_runtime.http.raised import fault_of_raised, forget
from trading_runtime.http.sockets import Deadline, Watch
from trading_runtime.http.transport import (
    HEADERS,
    MAX_BODY_BYTES,
    UNSENDABLE,
    URL,
    Request,
    Response,
    check_headers,
    limits,
    receive,
)
from trading_runtime.http.urls import is_loopback

_GRACE = 1.0
"""Seconds for the body of an answer that began after the deadline: to know it late is better than never."""
_log = logging.getLogger("trading_sdk")


class SessionTransport:
    """A Transport over a `requests.Session`: its adapters, proxies, TLS settings and hooks are used.

    Redirects are not followed; the environment, netrc and cookies are not used. Nothing but a GET is sent
    twice, whatever the session is made of. Threads may share it while nobody changes the session.
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
            session: A session whose adapters repeat nothing but GETs, and which verifies TLS.
            sends_once: Your promise that a session or an adapter with a `send` of its own, which nobody
                can judge, sends each request once.
            max_body_bytes: As in `RequestsTransport`.

        Raises:
            RequestError: The session may repeat what is not safe, or does not verify TLS.
        """
        if not isinstance(session, requests.Session):
            raise TypeError(f"session must be a requests.Session, not a {type(session).__name__}")
        if not isinstance(sends_once, bool):
            raise TypeError(f"sends_once must be True or False, not {sends_once!r}")
        check_session(session, sends_once=sends_once)
        self._session = session
        self._sends_once = sends_once
        self._max_body_bytes = integer("max_body_bytes", max_body_bytes, minimum=1, unit="bytes")
        self._limits = limits(self._max_body_bytes)
        self._closed = False
        self._pid = os.getpid()

    def send(self, request: Request, *, timeout: float) -> Response:
        """Send a request. `timeout` bounds connecting and each wait for a part of the answer.

        Raises TransportError, or RequestError for what cannot be sent at all.
        """
        if not 0 < timeout <= MAX_SECONDS:
            seconds("timeout", timeout)  # says what is wrong
        if self._closed:
            raise RequestError("the client is closed; make another one")
        if self._pid != os.getpid():
            raise RequestError(
                "the connections of the session are those of the parent process: make a session and a "
                "client in this one"
            )
        check_headers(request)
        url = _sendable(request.url)
        # Both may have been changed since the last time.
        check_verify(self._session)
        adapter = self._adapter(url)
        limit = self._limits.get(request.method, self._max_body_bytes)
        answer = self._exchange(
            request, url, _Exchange(adapter, limit, monotonic() + timeout), timeout
        )
        if isinstance(answer, Response):
            return answer
        raise answer

    def close(self) -> None:
        """Take no further calls. The session is left open: it is the user's."""
        self._closed = True

    def __reduce__(self) -> NoReturn:
        raise TypeError("a transport holds connections; make a new one instead of copying")

    def _adapter(self, url: str) -> BaseAdapter:
        found = None
        with suppress(InvalidSchema):
            found = self._session.get_adapter(url)
        if found is None:
            raise RequestError(f"the session has no adapter for {url.partition(':')[0]}://")
        check_adapter(found, f"{url.partition(':')[0]}://", sends_once=self._sends_once)
        return found

    def _exchange(
        self, request: Request, url: str, exchange: _Exchange, seconds: float
    ) -> Response | TransportError | RequestError:
        # An error is returned, so that it is raised outside of every except block: no chain.
        session, once = self._session, OneRequest(request.method, seconds)
        # The answer is read first and once, so that no hook reads it without a bound.
        prepared = _prepared(request, url, [exchange.take, *_hooks(session), _keep_from_following])
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
            if exchange.answer is None:
                # A session whose `send` calls no hooks.
                exchange.take(returned)
        except Exception as error:
            if exchange.answer is None:
                hint = "" if session.proxies else unreachable(url, "session.proxies")
                exchange.answer = fault_of_raised(error, once, hint)
            else:
                # What the service did is known, whatever a hook thinks of it.
                name = type(error).__name__
                _log.warning("a hook of the session raised %s; the answer came, and counts", name)
            forget(error)
        assert exchange.answer is not None
        return exchange.answer


@define
class _Exchange:
    """The answer to one request, read as soon as there is one; what follows it does not count."""

    _adapter: BaseAdapter
    _limit: int
    _ends: float
    """The deadline, on the clock of `time.monotonic`."""
    answer: Response | TransportError | None = field(default=None, init=False, repr=False)

    def take(self, response: requests.Response, **_: Any) -> None:
        """Read an answer, and leave its body to the hooks, so that its connection is free again.

        A hook that sends another request may bring a second answer, which is not looked at.
        """
        if self.answer is not None:
            return
        if not isinstance(response, requests.Response):
            kind = type(response).__name__
            reason = f"the session returned a {kind}, not a requests.Response"
            self.answer = TransportError(Fault.MAYBE_SENT, reason)
            return
        try:
            # Its connection may serve another thread soon, so all idle ones are closed in place of it.
            answer, hang_up = _Answer(response, self._ends), self._adapter.close
            self.answer = receive(answer, self._limit, hang_up, framed=answer.framed)
        finally:
            if response.raw is not None:
                response.close()
        # Without the connection's own answer requests finds no cookies that it would keep.
        response.raw = io.BytesIO(self.answer.body)


class _Answer:
    """An answer of requests as `receive` reads it: not decompressed, and until the deadline."""

    def __init__(self, response: requests.Response, ends: float) -> None:
        raw = response.raw
        self.status = response.status_code
        self.headers = HTTPHeaderDict(response.headers)
        connection: Any = raw.connection if isinstance(raw, BaseHTTPResponse) else None
        # What was made on this machine, in a test, is whole, though nothing says where it ends.
        self.chunked = connection is not None and raw.chunked
        self.framed = connection is None or (is_framed(raw) and is_plain(raw))
        # It never says that nothing is left: the last read, of nothing, gives the connection back.
        self.length_remaining: int | None = None
        if connection is not None:
            _watch(raw, connection.sock, ends, is_last=self.status // 100 != 2)
        self._read: Callable[[int], bytes]
        if raw is None or getattr(response, "_content", False):
            # Its adapter has read it already, and decompressed it.
            self.headers.discard("Content-Encoding")
            self._read = io.BytesIO(response.content or b"").read
        elif isinstance(raw, BaseHTTPResponse):
            self._read = partial(raw.read1, decode_content=False)
        else:
            self._read = raw.read

    def read1(self, amt: int, decode_content: bool) -> bytes:
        return self._read(amt)


def _watch(raw: Any, sock: Any, ends: float, *, is_last: bool) -> None:
    """Let the reading of a body end with the deadline, and look for bytes beyond it.

    After all but a 2xx the connection is closed: a proxy may say 504 and then pass the real answer on.
    """
    answer: Any = getattr(raw, "_original_response", None)
    if sock is None or getattr(answer, "fp", None) is None:
        return
    deadline = Deadline()
    deadline.at = ends if monotonic() < ends else monotonic() + _GRACE
    Watch(answer, sock, deadline).is_last = is_last


def _sendable(text: str) -> str:
    """The URL with one slash at the beginning of its path, or RequestError."""
    parts = URL.fullmatch(text)
    if parts is None:
        raise RequestError(UNSENDABLE)
    return f"{parts[1]}/{parts[2]}"


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
