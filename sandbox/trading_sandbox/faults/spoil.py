"""Faults of connection, framing and whole answers: pure functions from an answer to a script."""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Iterator
from datetime import timedelta
from email.utils import format_datetime, parsedate_to_datetime
from functools import lru_cache
from itertools import chain

from attrs import evolve

from trading_sandbox.faults.answer import HEAD_END, Answer, Script, Sleep, Step, Write
from trading_sandbox.faults.fault import Fault

JSON_TYPE = ("content-type", "application/json")
HTML_TYPE = ("content-type", "text/html; charset=utf-8")
DRIP_SECONDS = 0.05
"""Time between two pieces of a slow answer, in seconds; longer if it has too few bytes."""

# A reset discards what the client's machine has not received yet, so wait before it.
_BEFORE_RESET = Sleep(0.02)
_BLOCK = 1024 * 1024


def clean(answer: Answer, fault: Fault) -> Script:
    """Send the answer as it is."""
    return Script(steps=[Write(answer.render())])


def delayed(answer: Answer, fault: Fault) -> Script:
    return Script(steps=[Sleep(fault.seconds), Write(answer.render())])


def reset(answer: Answer, fault: Fault) -> Script:
    return Script(end="reset")


def close(answer: Answer, fault: Fault) -> Script:
    return Script(end="close")


def close_idle(answer: Answer, fault: Fault) -> Script:
    return Script(steps=[Write(answer.render()), Sleep(fault.seconds)], end="close")


def reset_next(answer: Answer, fault: Fault) -> Script:
    return Script(
        steps=[Write(answer.render())], resets_next="executed" if fault.executed else "unread"
    )


def second_answer(answer: Answer, fault: Fault) -> Script:
    second = answer if fault.body is None else evolve(answer, body=fault.body)
    return Script(
        steps=[Write(answer.render()), Sleep(fault.seconds), Write(second.render())],
    )


def short_body(answer: Answer, fault: Fault) -> Script:
    sent = _cut(answer.body, fault.keep)
    length = max(len(answer.body), len(sent) + 1)
    return Script(steps=[Write(evolve(answer, body=sent).render(length))], end="close")


def reset_in_body(answer: Answer, fault: Fault) -> Script:
    return Script(steps=[*short_body(answer, fault).steps, _BEFORE_RESET], end="reset")


def cut_chunks(answer: Answer, fault: Fault) -> Script:
    sent = _cut(answer.body, fault.keep)
    size = b"%x\r\n" % max(len(answer.body), len(sent) + 1)
    head = answer.head(("transfer-encoding", "chunked"))
    return Script(steps=[Write(head + HEAD_END + size + sent)], end="close")


def cut_headers(answer: Answer, fault: Fault) -> Script:
    # Cut at the end of a line, before Content-Length: a lenient client sees an empty answer.
    head = answer.head() + b"\r\n"
    return Script(steps=[Write(head if fault.keep is None else head[: fault.keep])], end="close")


def cut_gzip(answer: Answer, fault: Fault) -> Script:
    packed = _cut(gzip.compress(answer.body, mtime=0), fault.keep)
    spoiled = evolve(answer.with_headers(("content-encoding", "gzip")), body=packed)
    return Script(steps=[Write(spoiled.render())])


def no_length(answer: Answer, fault: Fault) -> Script:
    return Script(steps=[Write(answer.head() + HEAD_END + answer.body[: fault.keep])], end="close")


def slow_headers(answer: Answer, fault: Fault) -> Script:
    head, _, body = answer.render().partition(HEAD_END)
    return Script(steps=[*_drip(head + HEAD_END, fault.seconds), Write(body)])


def slow_body(answer: Answer, fault: Fault) -> Script:
    head, _, body = answer.render().partition(HEAD_END)
    return Script(steps=[Write(head + HEAD_END), *_drip(body, fault.seconds)])


def endless_body(answer: Answer, fault: Fault) -> Script:
    head = answer.head(("transfer-encoding", "chunked")) + HEAD_END
    return Script(steps=chain([Write(head + _chunk(b'{"padding":"'))], _forever()))


def gzip_bomb(answer: Answer, fault: Fault) -> Script:
    spoiled = answer.with_headers(("content-encoding", "gzip"))
    return Script(steps=[Write(evolve(spoiled, body=_bomb(answer.body, fault.size)).render())])


def large_header(answer: Answer, fault: Fault) -> Script:
    return clean(answer.with_headers(("x-padding", "0" * fault.size)), fault)


def many_headers(answer: Answer, fault: Fault) -> Script:
    padding = ((f"x-padding-{number}", "0") for number in range(fault.size))
    return clean(answer.with_headers(*padding), fault)


def status(answer: Answer, fault: Fault) -> Script:
    words = b'{"success":false,"data":null,"error":"A fault of the sandbox","code":%d}'
    body = words % fault.status if fault.body is None else fault.body
    return _instead(answer, fault, body, JSON_TYPE)


def html(answer: Answer, fault: Fault) -> Script:
    page = b"<!DOCTYPE html>\n<html><body><h1>It is not JSON that you get</h1></body></html>\n"
    return _instead(answer, fault, page if fault.body is None else fault.body, HTML_TYPE)


def redirect(answer: Answer, fault: Fault) -> Script:
    return _instead(answer, fault, b"", JSON_TYPE, ("location", fault.location))


def clock_offset(answer: Answer, fault: Fault) -> Script:
    offset = timedelta(milliseconds=fault.offset_ms)
    dates = [
        (name, format_datetime(parsedate_to_datetime(value) + offset, usegmt=True))
        for name, value in answer.headers
        if name.lower() == "date"
    ]
    return clean(answer.with_headers(*dates), fault)


def _instead(answer: Answer, fault: Fault, body: bytes, *headers: tuple[str, str]) -> Script:
    other = evolve(answer, status=fault.status, body=body).with_headers(*headers)
    return clean(other.with_headers(*fault.headers.items()), fault)


def _cut(data: bytes, keep: int | None) -> bytes:
    """Return the first half of the data, or its first `keep` bytes, but never all of it."""
    wanted = len(data) // 2 if keep is None else keep
    return data[: max(0, min(wanted, len(data) - 1))]


def _drip(data: bytes, seconds: float) -> Iterator[Step]:
    pieces = max(1, min(len(data), math.ceil(seconds / DRIP_SECONDS)))
    for number in range(pieces):
        yield Sleep(seconds / pieces)
        yield Write(data[number * len(data) // pieces : (number + 1) * len(data) // pieces])


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def _forever() -> Iterator[Step]:
    piece = Write(_chunk(b"0" * 16_384))
    while True:
        yield piece
        # Let the event loop serve other connections, too.
        yield Sleep(0.001)


@lru_cache(maxsize=4)
def _packed_blanks() -> bytes:
    """Return a compressed block of blanks that can be repeated any number of times in a stream."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(b" " * _BLOCK) + packer.flush(zlib.Z_FULL_FLUSH)


@lru_cache(maxsize=4)
def _bomb(body: bytes, size: int) -> bytes:
    """Return valid gzip of blanks and the body: `size` bytes unpacked, a thousandth packed."""
    blocks, rest = divmod(max(0, size - len(body)), _BLOCK)
    tail = b" " * rest + body
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(tail) + packer.flush()
    checksum, blanks = 0, b" " * _BLOCK
    for _ in range(blocks):
        checksum = zlib.crc32(blanks, checksum)
    checksum = zlib.crc32(tail, checksum)
    length = (blocks * _BLOCK + len(tail)) % 2**32
    trailer = checksum.to_bytes(4, "little") + length.to_bytes(4, "little")
    header = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
    return header + _packed_blanks() * blocks + packed + trailer
