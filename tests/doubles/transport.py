"""A transport that answers as a test says, without a network, and keeps what it was asked to send.

Modelled on `httpx.MockTransport` and `respx`: an answer is a response, an exception that is raised, or a function
of the request that returns either.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from email.utils import formatdate
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from tests.doubles.signer import KEY
from tests.interface import page
from trading_runtime.clock import now_ms
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import Request, Response, Transport
from trading_sdk import Client, Retry

HERE = "http://127.0.0.1:9"
"""A base URL at which nothing answers."""
Outcome: TypeAlias = Response | BaseException
Answer: TypeAlias = Outcome | Callable[[Request], Outcome]

NOT_SENT = TransportError(Fault.NOT_SENT, "cannot connect: refused")
LOST = TransportError(Fault.MAYBE_SENT, "the connection was reset")
"""The request may have arrived, and no answer came."""


def ok(payload: object = None, **headers: str) -> Response:
    """A 200 with this payload as JSON, `{}` if there is none; `_` in the name of a header is a hyphen."""
    return response(200, {} if payload is None else payload, **headers)


def refusal(status: int, error: str = "no", **headers: str) -> Response:
    """The answer of a service that refuses a request in its own words."""
    return response(status, {"error": error, "code": status}, **headers)


def no(status: int, **headers: str) -> Response:
    """The answer of a gateway, which speaks HTML."""
    return response(status, b"<html>no</html>", **headers)


def response(status: int, payload: object, **headers: str) -> Response:
    """A response with this payload: bytes as they are, everything else as JSON."""
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Response(status, {name.replace("_", "-"): each for name, each in headers.items()}, body)


class ScriptedTransport:
    """Answers each request with the next answer of its script, and after the last one as `then` says.

    `then` is an answer that is given again and again, or another transport to which the rest goes. Without
    it a request too many is an AssertionError.
    """

    def __init__(self, *script: Answer, then: Answer | Transport | None = None) -> None:
        self.script: list[Answer] = list(script)
        self.then = then
        self.sent: list[Request] = []
        self.timeouts: list[float] = []
        """How long each exchange was allowed to take, in seconds."""
        self.closed = 0
        """How often the transport was closed."""

    @property
    def posts(self) -> list[Request]:
        """The requests that may change something."""
        return [each for each in self.sent if each.method != "GET"]

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The JSON of each request; `{}` where there is none."""
        return [json.loads(request.body or b"{}") for request in self.sent]

    def send(self, request: Request, *, timeout: float) -> Response:
        """Keep the request, and answer it: see `Transport`."""
        self.sent.append(request)
        self.timeouts.append(timeout)
        return self.answered(request, timeout)

    def answered(self, request: Request, timeout: float) -> Response:
        """What the script says to a request."""
        if self.script:
            return told(self.script.pop(0), request)
        if self.then is None:
            raise AssertionError(f"no answer is scripted for {request.method} {request.url}")
        answer: Any = self.then
        if isinstance(answer, (Response, BaseException)) or not hasattr(answer, "send"):
            return told(answer, request)
        found: Response = answer.send(request, timeout=timeout)
        return found

    def close(self) -> None:
        """Count how often this was asked for, and close what comes after the script."""
        self.closed += 1
        close: Callable[[], None] = getattr(self.then, "close", lambda: None)
        close()


def told(answer: Answer, request: Request) -> Response:
    """What an answer says to a request. What is no answer at all is returned as it is, as a careless one does."""
    outcome: Any = answer
    if callable(answer) and not isinstance(answer, (Response, BaseException)):
        outcome = answer(request)
    if isinstance(outcome, BaseException):
        raise outcome
    found: Response = outcome
    return found


def scripted(*script: Answer, **options: Any) -> Client:
    """A client whose requests are answered so, in one attempt unless `retry` says otherwise."""
    given = {"signer": KEY, "retry": Retry(max_attempts=1), **options}
    return Client(HERE, transport=ScriptedTransport(*script), **given)


class ListsTransport(ScriptedTransport):
    """A service whose lists show what a test says, and whose other answers are scripted.

    A list that nothing was said of is empty. A message without an answer in the script is lost.
    """

    def __init__(self, *script: Answer, then: Answer | Transport | None = LOST) -> None:
        super().__init__(*script, then=then)
        self.pages: dict[str, list[Any]] = {}
        self.failing: list[Answer | None] = []
        """What the next reads get instead of the next page; None stands for the page."""
        self.changing: list[Mapping[str, str | None]] = [{}]
        """Changes to the headers of the next pages, the last of them for all that follow; None leaves a header out."""
        self.ahead = 0
        """How far the clock of the service is ahead of this machine's, in seconds."""
        self.before: Callable[[], object] = lambda: None
        """Called before each page is shown."""

    @property
    def read(self) -> list[Request]:
        """The requests of pages."""
        return [each for each in self.sent if each.method == "GET"]

    def show(self, operation: str, *pages: Any) -> None:
        """Answer the next requests of a list with these pages, and then the last one again and again."""
        self.pages[Client.api.operations[operation].path] = list(pages)

    def answered(self, request: Request, timeout: float) -> Response:
        """A page, or what the script says to a message."""
        if request.method != "GET":
            return super().answered(request, timeout)
        self.before()
        headers = {"Date": self.date(), **self._changes()}
        instead = self.failing.pop(0) if self.failing else None
        if instead is None:
            pages = self.pages.get(urlsplit(request.url).path, [])
            content = page() if not pages else pages.pop(0) if len(pages) > 1 else pages[0]
            instead = ok(content)
        found = told(instead, request)
        headers.update(found.headers)
        kept = {name: each for name, each in headers.items() if each is not None}
        return Response(found.status, kept, found.body)

    def date(self) -> str:
        """The time of the service."""
        return formatdate(now_ms() / 1_000 + self.ahead, usegmt=True)

    def _changes(self) -> Mapping[str, str | None]:
        """The changes of the next page."""
        return self.changing.pop(0) if len(self.changing) > 1 else self.changing[0]
