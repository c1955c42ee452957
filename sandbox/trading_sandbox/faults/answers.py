"""HTTP answers as data, and a reader that finds the end of one and collects it."""

from __future__ import annotations

from http import HTTPStatus

from attrs import evolve, frozen

JSON_TYPE = ("content-type", "application/json")
HTML_TYPE = ("content-type", "text/html; charset=utf-8")
HEAD_END = b"\r\n\r\n"
_FRAMING = ("content-length", "transfer-encoding")


@frozen(kw_only=True)
class Answer:
    """An HTTP answer without its framing headers, which `render` adds."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    target: str = ""
    """Path and query of the request that it answers."""

    def with_headers(self, *headers: tuple[str, str]) -> Answer:
        """Return the same answer with these headers; they replace headers of the same name."""
        names = {name.lower() for name, _ in headers}
        others = [(name, value) for name, value in self.headers if name.lower() not in names]
        return evolve(self, headers=(*others, *headers))

    def head(self, *framing: tuple[str, str]) -> bytes:
        """Return the status line and all headers, without the blank line that ends them."""
        try:
            phrase = HTTPStatus(self.status).phrase
        except ValueError:
            phrase = ""
        lines = [f"HTTP/1.1 {self.status} {phrase}"]
        lines += [f"{name}: {value}" for name, value in (*self.headers, *framing)]
        return "\r\n".join(lines).encode("latin-1")

    def render(self, length: int | None = None) -> bytes:
        """Return the bytes of the answer; `length` overrides the true Content-Length."""
        if self.status in (204, 304):
            return self.head() + HEAD_END
        said = len(self.body) if length is None else length
        return self.head(("content-length", str(said))) + HEAD_END + self.body


class AnswerReader:
    """Finds the end of the answer that a server writes to one request.

    Args:
        target: Path and query of the request.
        without_body: The request was a HEAD request, whose answer has no body.
        collect: Keep the body, so that `answer` can return it.
    """

    def __init__(self, target: str, *, without_body: bool, collect: bool) -> None:
        self.complete = False
        self._target = target
        self._without = without_body
        self._collect = collect
        self._head: bytes | None = None
        self._unread = b""
        self._left: int | None = 0
        self._chunked = False
        self._body: list[bytes] = []

    def feed(self, data: bytes) -> bool:
        """Read bytes that the server wrote; return whether the answer is complete."""
        if self._head is None:
            data = self._unread + data
            end = data.find(HEAD_END)
            if end < 0:
                self._unread = data
                return False
            self._unread = b""
            self._start(data[:end])
            data = data[end + 4 :]
        if self._chunked:
            self._feed_chunks(data)
        else:
            self._feed_plain(data)
        return self.complete

    def answer(self) -> Answer:
        """Return the answer that was collected."""
        assert self._head is not None
        lines = self._head.decode("latin-1").split("\r\n")
        pairs = [line.partition(":")[::2] for line in lines[1:]]
        headers = [(name, value.strip()) for name, value in pairs if name.lower() not in _FRAMING]
        return Answer(
            status=int(lines[0].split(" ")[1]),
            headers=tuple(headers),
            body=b"".join(self._body),
            target=self._target,
        )

    def _start(self, head: bytes) -> None:
        self._head = head
        lower = head.lower() + b"\r\n"
        at = lower.find(b"\r\ncontent-length:")
        if self._without or head[9:12] in (b"204", b"304"):
            self._left = 0
        elif at >= 0:
            self._left = int(lower[at + 17 : lower.find(b"\r\n", at + 17)])
        elif b"\r\ntransfer-encoding:" in lower:
            self._chunked = True
        else:
            # The answer ends when the connection is closed.
            self._left = None

    def _feed_plain(self, data: bytes) -> None:
        if self._collect:
            self._body.append(data)
        if self._left is not None:
            self._left -= len(data)
            self.complete = self._left <= 0

    def _feed_chunks(self, data: bytes) -> None:
        self._unread += data
        while True:
            line, found, rest = self._unread.partition(b"\r\n")
            if not found:
                return
            size = int(line.partition(b";")[0], 16)
            if len(rest) < size + 2:
                return
            if size == 0:
                self.complete = True
                return
            if self._collect:
                self._body.append(rest[:size])
            self._unread = rest[size + 2 :]
