"""A service on a loopback port that records every request and answers as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Recorded(NamedTuple):
    """One request as it arrived."""

    method: str
    path: str
    query: str
    headers: list[tuple[str, str]]
    body: bytes


class Answer(NamedTuple):
    """What is answered to one request."""

    status: int
    body: bytes
    headers: Mapping[str, str] = {}


class Recorder:
    """The service's side: what arrived, and what is answered next."""

    def __init__(self) -> None:
        self.url = ""
        self.respond: Callable[[Recorded], Answer] = lambda request: Answer(200, b"{}")
        self._requests: list[Recorded] = []

    def will_answer(self, payload: Any, status: int = 200, **headers: str) -> None:
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self.respond = lambda request: Answer(status, body, headers)

    def handle(self, request: Recorded) -> Answer:
        self._requests.append(request)
        return self.respond(request)

    def taken(self) -> list[Recorded]:
        """The requests since the last time."""
        found, self._requests = self._requests, []
        return found


@contextmanager
def recording() -> Iterator[Recorder]:
    """Serve on a free port."""
    recorder = Recorder()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            request = Recorded(self.command, path, query, self.headers.items(), body)
            answer = recorder.handle(request)
            self.send_response(answer.status)
            if "Content-Type" not in answer.headers:
                self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer.body)))
            self.send_header("Set-Cookie", "session=canary-cookie; Path=/")
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        do_POST = do_GET

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    recorder.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield recorder
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
