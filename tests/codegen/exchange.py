"""A service of ten lines: it answers each path with one prepared answer after the other."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, cast
from urllib.parse import parse_qsl, urlsplit


class Received(NamedTuple):
    """A request as it arrived."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    target: str
    headers: dict[str, str]


class Exchange(ThreadingHTTPServer):
    """Keeps what it received. An answer is a body, or a status and a body."""

    def __init__(self, answers: dict[str, list[Any]]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = {path: iter(bodies) for path, bodies in answers.items()}
        self.received: list[Received] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        target = urlsplit(self.path)
        sent = json.loads(content) if content else None
        query = dict(parse_qsl(target.query))
        server = cast(Exchange, self.server)
        server.received.append(
            Received(self.command, target.path, query, sent, self.path, dict(self.headers))
        )
        answer = next(server.answers[target.path])
        status, body = answer if isinstance(answer, tuple) else (200, answer)
        answer = b"" if status == 204 else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer

    def log_message(self, format: str, *arguments: object) -> None:
        """Keep quiet."""


@contextmanager
def exchange(answers: dict[str, list[Any]]) -> Iterator[Exchange]:
    with Exchange(answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
