"""Leads requests through one Prism to whichever sandbox they were meant for.

Prism has one upstream, and there is a sandbox for nearly every test. So each sandbox gets an
entrance, which tells in a header where a request was going and notes what Prism found wrong; the
upstream is the exit, which reads that header.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.spec.prism import prism_proxy, violations

TARGET = "x-contract-target"
OF_ONE_CONNECTION = frozenset({"connection", "keep-alive", "transfer-encoding", "host"})
FAILURE_OF_PRISM = "application/problem+json"
TIMEOUT = 60.0


class Message(NamedTuple):
    """A request or an answer, all but its first line."""

    headers: dict[str, str]
    body: bytes

    def without(self, *names: str) -> Message:
        dropped = OF_ONE_CONNECTION.union(names)
        return Message({k: v for k, v in self.headers.items() if k not in dropped}, self.body)


class Answer(NamedTuple):
    status: int
    message: Message


class Passed(NamedTuple):
    """A request that went through Prism."""

    method: str
    path: str
    status: int
    violations: list[str]

    def __str__(self) -> str:
        found = "".join(f"\n    {violation}" for violation in self.violations)
        return f"{self.method} {self.path} -> {self.status}{found}"


class Validator:
    """One Prism between any number of sandboxes and their clients; close it."""

    def __init__(self, spec: Path) -> None:
        self.passed: list[Passed] = []
        self._spec = spec
        self._entrances: dict[str, str] = {}
        self._prism = ""
        self._running = ExitStack()

    def entrance(self, sandbox: str) -> str:
        """The base URL under which a client reaches a sandbox through Prism."""
        if not self._prism:
            leave = self._running.enter_context(serving(self._leave))
            self._prism = self._running.enter_context(prism_proxy(self._spec, leave))
        if sandbox not in self._entrances:

            def enter(method: str, path: str, message: Message) -> Answer:
                return self._enter(sandbox, method, path, message)

            self._entrances[sandbox] = self._running.enter_context(serving(enter))
        return self._entrances[sandbox]

    def close(self) -> None:
        """Stop Prism, the entrances and the exit."""
        self._running.close()

    def _enter(self, sandbox: str, method: str, path: str, message: Message) -> Answer:
        # The control of a sandbox is no part of the service.
        if not path.startswith("/api/"):
            return send(sandbox, method, path, message)
        message.headers[TARGET] = sandbox
        answer = send(self._prism, method, path, message)
        if answer.message.headers.get("content-type") == FAILURE_OF_PRISM:
            # Prism has its own words for a connection that broke, and the client must see it break.
            raise ConnectionError(answer.message.body.decode())
        found = violations(answer.message.headers)
        self.passed.append(Passed(method, path.partition("?")[0], answer.status, found))
        return Answer(answer.status, answer.message.without("sl-violations"))

    def _leave(self, method: str, path: str, message: Message) -> Answer:
        return send(message.headers[TARGET], method, path, message.without(TARGET))


def send(base_url: str, method: str, path: str, message: Message) -> Answer:
    address = urlsplit(base_url)
    connection = HTTPConnection(address.hostname or "", address.port, timeout=TIMEOUT)
    try:
        request = message.without()
        connection.request(method, path, request.body or None, request.headers)
        response = connection.getresponse()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, Message(headers, response.read()))
    finally:
        connection.close()


@contextmanager
def serving(answer: Callable[[str, str, Message], Answer]) -> Iterator[str]:
    """Answer requests on a free loopback port and yield its base URL.

    Where `answer` cannot reach its upstream, the connection is closed without an answer.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def relay(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                status, message = answer(self.command, self.path, Message(headers, body))
            except (OSError, HTTPException):
                self.close_connection = True
                return
            self.send_response_only(status)
            for name, value in message.without("content-length").headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(message.body)))
            self.end_headers()
            self.wfile.write(message.body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = relay

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
