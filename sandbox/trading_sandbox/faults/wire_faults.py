"""Faults of the wire: resets, closes, delays; answers that are cut, that drip, never end or come twice."""

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

from trading_sandbox.faults.answers import HEAD_END, Answer
from trading_sandbox.faults.fault import REQUIRED, Fault, Kind, kind
from trading_sandbox.faults.playback import Script, Sleep, Step, Write, plainly

DRIP_SECONDS = 0.05
"""Time between two pieces of a slow answer, in seconds; longer if it has too few bytes."""

# A reset discards what the client's machine has not received yet, so wait before it.
_BEFORE_RESET = Sleep(0.02)
_BLOCK = 1024 * 1024


# -- before the answer ---------------------------------------------------------------------------

connect_refused = Kind(
    name="connect_refused",
    meaning="At once and for `seconds` nothing listens: idle connections are closed, new ones "
    "refused. Takes no `times`.",
    outcome="N",
    executed="never",
    spoil=None,
    options={"seconds": 1.0},
    needs="listener",
)


@kind("U", "never", on_head=True)
def reset_before_read(answer: Answer, fault: Fault) -> Script:
    """The connection is reset on the head of the request, before its body is read."""
    return Script(end="reset")


@kind("U", "yes, unless told")
def reset(answer: Answer, fault: Fault) -> Script:
    """The connection is reset once the request is read, without an answer."""
    return Script(end="reset")


@kind("U", "yes, unless told")
def close(answer: Answer, fault: Fault) -> Script:
    """The connection is closed once the request is read, without an answer."""
    return Script(end="close")


@kind("U", "always", options={"seconds": 1.0}, waits_first=True)
def delay_request(answer: Answer, fault: Fault) -> Script:
    """The exchange gets the request after `seconds`, even if the client is gone."""
    return plainly(answer)


@kind("U", "always", options={"seconds": 1.0})
def delay_answer(answer: Answer, fault: Fault) -> Script:
    """The request is executed at once and answered after `seconds`."""
    return Script(steps=[Sleep(fault.seconds), Write(answer.render())])


@kind("R", "always", options={"offset_ms": REQUIRED})
def clock_offset(answer: Answer, fault: Fault) -> Script:
    """The request is checked by a clock `offset_ms` ahead, which the answer's Date shows."""
    offset = timedelta(milliseconds=fault.offset_ms)
    dates = [
        (name, format_datetime(parsedate_to_datetime(value) + offset, usegmt=True))
        for name, value in answer.headers
        if name.lower() == "date"
    ]
    return plainly(answer.with_headers(*dates))


@kind("success", "always")
def malformed_alone(answer: Answer, fault: Fault) -> Script:
    """A malformed action of the batch fails alone, and the others are executed; without this fault it
    refuses the whole batch."""
    return plainly(answer)


# -- on a connection that is kept ----------------------------------------------------------------


@kind("N", "always", options={"seconds": 0.0}, needs="reused connection")
def close_idle(answer: Answer, fault: Fault) -> Script:
    """The answer is whole; the connection is closed `seconds` later all the same. A request that
    comes in between is lost."""
    return Script(steps=[Write(answer.render()), Sleep(fault.seconds)], end="close")


@kind("U", "no, unless told", about_next=True, needs="reused connection")
def reset_next(answer: Answer, fault: Fault) -> Script:
    """The answer is whole; the next request of any operation on the connection meets a reset.
    `executed` is about that one."""
    return Script(
        steps=[Write(answer.render())], resets_next="executed" if fault.executed else "unread"
    )


@kind("success", "always", options={"seconds": 0.0, "body": None}, needs="reused connection")
def second_answer(answer: Answer, fault: Fault) -> Script:
    """After the answer, `seconds` later, comes one more: the same, or with `body`."""
    first = answer.render()
    second = first if fault.body is None else evolve(answer, body=fault.body).render()
    if fault.seconds == 0:
        # At once: between two writes the client might send its next request.
        return Script(steps=[Write(first + second)])
    return Script(steps=[Write(first), Sleep(fault.seconds), Write(second)])


# -- cut -----------------------------------------------------------------------------------------


@kind("D", "yes, unless told", options={"keep": None})
def reset_in_body(answer: Answer, fault: Fault) -> Script:
    """Half the body, or `keep` bytes, under the length of all; then a reset."""
    return Script(steps=[_short(answer, fault), _BEFORE_RESET], end="reset")


@kind("D", "yes, unless told", options={"keep": None})
def short_body(answer: Answer, fault: Fault) -> Script:
    """Half the body, or `keep` bytes, under the length of all; then a close."""
    return Script(steps=[_short(answer, fault)], end="close")


@kind("D", "yes, unless told", options={"keep": None})
def cut_chunks(answer: Answer, fault: Fault) -> Script:
    """Half the body, or `keep` bytes, in a chunk that says more; then a close."""
    sent = _cut(answer.body, fault.keep)
    size = b"%x\r\n" % max(len(answer.body), len(sent) + 1)
    head = answer.head(("transfer-encoding", "chunked"))
    return Script(steps=[Write(head + HEAD_END + size + sent)], end="close")


@kind("D", "yes, unless told", options={"keep": None})
def cut_headers(answer: Answer, fault: Fault) -> Script:
    """The headers up to Content-Length, or `keep` bytes of them; then a close."""
    # Cut at the end of a line, before Content-Length: a lenient client sees an empty answer.
    head = answer.head() + b"\r\n"
    return Script(steps=[Write(head if fault.keep is None else head[: fault.keep])], end="close")


@kind("D", "yes, unless told", options={"keep": None})
def cut_gzip(answer: Answer, fault: Fault) -> Script:
    """Half the body in gzip, or `keep` bytes, under its own matching length."""
    packed = _cut(gzip.compress(answer.body, mtime=0), fault.keep)
    return plainly(evolve(answer.with_headers(("content-encoding", "gzip")), body=packed))


@kind("D", "yes, unless told", options={"keep": None})
def no_length(answer: Answer, fault: Fault) -> Script:
    """All of the body, or `keep` bytes, under no length; then a close."""
    return Script(steps=[Write(answer.head() + HEAD_END + answer.body[: fault.keep])], end="close")


# -- whole, in odd words -------------------------------------------------------------------------


@kind("D", "yes, unless told")
def two_lengths(answer: Answer, fault: Fault) -> Script:
    """The body is whole and in chunks, with a Content-Length beside them."""
    length = ("content-length", str(len(answer.body)))
    head = answer.head(length, ("transfer-encoding", "chunked"))
    return Script(steps=[Write(head + HEAD_END + _chunk(answer.body) + _chunk(b""))])


@kind("success", "yes, unless told", options={"size": 1}, largest_size=1000)
def interim_answers(answer: Answer, fault: Fault) -> Script:
    """`size` interim answers (103) come before the answer."""
    early = b"HTTP/1.1 103 Early Hints" + HEAD_END
    return Script(steps=[Write(early * fault.size + answer.render())])


# -- slow, endless, large ------------------------------------------------------------------------


@kind("U", "yes, unless told", options={"seconds": 5.0})
def slow_headers(answer: Answer, fault: Fault) -> Script:
    """The headers drip, over `seconds`; the body follows at once."""
    head, _, body = answer.render().partition(HEAD_END)
    return Script(steps=[*_drip(head + HEAD_END, fault.seconds), Write(body)])


@kind("U", "yes, unless told", options={"seconds": 5.0})
def slow_body(answer: Answer, fault: Fault) -> Script:
    """The body drips, over `seconds`."""
    head, _, body = answer.render().partition(HEAD_END)
    return Script(steps=[Write(head + HEAD_END), *_drip(body, fault.seconds)])


@kind("D", "yes, unless told")
def endless_body(answer: Answer, fault: Fault) -> Script:
    """The body goes on until the client hangs up."""
    head = answer.head(("transfer-encoding", "chunked")) + HEAD_END
    return Script(steps=chain([Write(head + _chunk(b'{"padding":"'))], _forever()))


@kind("D", "yes, unless told", options={"size": 256 * 2**20})
def gzip_bomb(answer: Answer, fault: Fault) -> Script:
    """The body is in gzip, good, and `size` bytes long once unpacked."""
    spoiled = answer.with_headers(("content-encoding", "gzip"))
    return plainly(evolve(spoiled, body=_bomb(answer.body, fault.size)))


@kind("D", "yes, unless told", options={"size": 100_000}, largest_size=2**26)
def large_header(answer: Answer, fault: Fault) -> Script:
    """One header more, of `size` bytes."""
    return plainly(answer.with_headers(("x-padding", "0" * fault.size)))


@kind("D", "yes, unless told", options={"size": 200}, largest_size=2**20)
def many_headers(answer: Answer, fault: Fault) -> Script:
    """`size` headers more."""
    padding = ((f"x-padding-{number}", "0") for number in range(fault.size))
    return plainly(answer.with_headers(*padding))


# -- how they are made ---------------------------------------------------------------------------


def _short(answer: Answer, fault: Fault) -> Write:
    """Return the answer with a part of its body, under a length that promises more."""
    sent = _cut(answer.body, fault.keep)
    return Write(evolve(answer, body=sent).render(max(len(answer.body), len(sent) + 1)))


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
