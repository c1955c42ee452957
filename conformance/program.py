"""The program of a port, at the other end of two pipes: it may hang, die, or talk nonsense."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Any

from attrs import frozen

from conformance.features import FEATURES
from conformance.values import BadValue, Value, read_line, tagged

MAX_LINE = 8 * 1024 * 1024
_KEPT_OF_STDERR = 100
"""Lines of its standard error that are shown when it dies."""
_TO_START = 60.0
"""Seconds for the first answer at least: a runtime may have to warm up."""
PROTOCOL = 1


class Trouble(Exception):
    """The program did not answer as the protocol says; it has to be started again."""


@frozen
class PortAnswer:
    """An answer: exactly one of its three members counts."""

    kind: str
    """`result`, `error` or `skipped`."""
    value: Value


class Program:
    """A program that is started when it is first asked, and started again after trouble."""

    def __init__(
        self, command: Sequence[str], timeout: float, hello: Mapping[str, Value] | None = None
    ) -> None:
        """Start nothing yet. What it says of itself must be `hello`, or else what it said first."""
        self._command, self._timeout = list(command), timeout
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._errors: deque[str] = deque(maxlen=_KEPT_OF_STDERR)
        self._reads_errors = threading.Thread()
        self._number = 0
        self.hello: Mapping[str, Value] = hello or {}
        """What it said of itself."""

    def ask(self, do: str, members: Mapping[str, Value]) -> PortAnswer:
        """The answer to a command.

        Raises:
            Trouble: there is none. The program was stopped.
        """
        self.start()
        return self._ask(do, members, self._timeout)

    def start(self) -> None:
        """Start it and let it say hello, unless it runs.

        Raises:
            Trouble: it does not.
        """
        if self._process is not None:
            return
        self._run()
        answer = self._ask("hello", {"protocol": PROTOCOL}, max(self._timeout, _TO_START))
        if problem := _problem_of(answer):
            self.kill()
            raise Trouble(f"hello: {problem}")
        if self.hello and answer.value != self.hello:
            self.kill()
            raise Trouble(f"hello: {answer.value!r}, and before {dict(self.hello)!r}")
        self.hello = answer.value

    def surplus(self) -> str | None:
        """What it wrote without being asked, if that was seen by now; then it is stopped."""
        if self._process is None or self._lines.empty():
            return None
        line = self._lines.get_nowait()
        if line is None:
            return self._died("after its answer")
        self.kill()
        return f"wrote a line that nobody asked for: {_cut(line)}"

    def end(self) -> str | None:
        """End its standard input, upon which it has to end; what is wrong if it does not."""
        process = self._process
        if process is None:
            return None
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        try:
            status = process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            return f"did not end within {self._timeout:g} s when its standard input ended"
        self.kill()
        return f"ended with the status {status} when its standard input ended" if status else None

    def kill(self) -> None:
        """Stop it and what it started, at once."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()

    # -- one question ----------------------------------------------------------------------------

    def _ask(self, do: str, members: Mapping[str, Value], timeout: float) -> PortAnswer:
        self._number += 1
        command = {"id": self._number, "do": do, **{k: tagged(v) for k, v in members.items()}}
        self._write(json.dumps(command).encode("ascii") + b"\n")
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            self.kill()
            raise Trouble(f"no answer within {timeout:g} s{self._said()}") from None
        if line is None:
            raise Trouble(self._died("instead of answering"))
        try:
            return _answer(line, self._number)
        except BadValue as problem:
            self.kill()
            raise Trouble(f"{problem}; it wrote {_cut(line)}") from None

    def _write(self, line: bytes) -> None:
        """Write a line. In a thread, because a program that does not read blocks whoever writes."""
        process = self._process
        assert process is not None and process.stdin is not None
        threading.Thread(target=_write_all, args=(process.stdin, line), daemon=True).start()

    def _run(self) -> None:
        # A queue of its own: a thread that reads from an earlier process may still be there. It is
        # short, so that a program which writes on and on fills its pipe and not our memory.
        self._lines, self._errors = queue.Queue(4), deque(maxlen=_KEPT_OF_STDERR)
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                self._command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except OSError as error:
            raise Trouble(f"cannot be started: {error}") from None
        out, errors = self._process.stdout, self._process.stderr
        threading.Thread(target=_read_lines, args=(out, self._lines), daemon=True).start()
        self._reads_errors = threading.Thread(
            target=_read_errors, args=(errors, self._errors), daemon=True
        )
        self._reads_errors.start()

    def _died(self, when: str) -> str:
        process = self._process
        assert process is not None
        try:
            status: object = process.wait(1)
        except subprocess.TimeoutExpired:
            status = "none: it closed its standard output"
        self._reads_errors.join(1)
        self.kill()
        return f"ended {when}, with the status {status}{self._said()}"

    def _said(self) -> str:
        text = "".join(self._errors).strip()
        return f"; on standard error it wrote:\n{text[-4_000:]}" if text else ""


def _answer(line: bytes, number: int) -> PortAnswer:
    found = read_line(line)
    if found["id"] is not None and found["id"] != number:
        raise BadValue(f"an answer to {found['id']!r}, not to {number}")
    kinds = [kind for kind in ("result", "error", "skipped") if kind in found]
    if found["id"] is None or len(kinds) != 1:
        raise BadValue("an answer has an id, and one of result, error and skipped")
    (kind,) = kinds
    value = found[kind]
    if kind == "error" and not (isinstance(value, dict) and isinstance(value.get("class"), str)):
        raise BadValue("an error has a class")
    return PortAnswer(kind, value)


def _problem_of(hello: PortAnswer) -> str | None:
    found = hello.value
    if hello.kind != "result" or not isinstance(found, dict):
        return f"the answer is {hello.kind}, {found!r}"
    if found.get("protocol") != PROTOCOL:
        return f"it speaks protocol {found.get('protocol')!r}, and this kit {PROTOCOL}"
    if not all(isinstance(found.get(name), str) for name in ("language", "version")):
        return "language and version are missing"
    skips = found.get("skips")
    if not (
        isinstance(skips, dict) and all(each and isinstance(each, str) for each in skips.values())
    ):
        return "skips is no object with a reason for each feature"
    unknown = ", ".join(sorted(skips.keys() - FEATURES.keys()))
    return f"skips: unknown features: {unknown}" if unknown else None


def _write_all(pipe: IO[bytes], line: bytes) -> None:
    # A program that ended is noticed where it is read.
    with suppress(OSError, ValueError):
        pipe.write(line)
        pipe.flush()


def _read_lines(pipe: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    with suppress(OSError, ValueError):
        while line := pipe.readline(MAX_LINE):
            lines.put(line)
    lines.put(None)


def _read_errors(pipe: IO[bytes], errors: deque[str]) -> None:
    with suppress(OSError, ValueError):
        while line := pipe.readline(4_096):
            errors.append(line.decode("utf-8", "replace"))


def _cut(line: bytes) -> str:
    text: Any = line.decode("utf-8", "replace")
    return repr(text if len(text) <= 200 else f"{text[:200]}…")
