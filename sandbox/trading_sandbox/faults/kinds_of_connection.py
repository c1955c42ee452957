"""Kinds of faults of the connection: resets, delays, and wrong framing of the answer."""

from __future__ import annotations

from functools import partial

from trading_sandbox.faults import spoil
from trading_sandbox.faults.kind import REQUIRED, Kind

_unknown = partial(Kind, outcome="U", executed="yes, unless told")
_unusable = partial(Kind, outcome="D", executed="yes, unless told")
_cut = partial(_unusable, options={"keep": None})

BEFORE = (
    Kind(
        name="connect_refused",
        meaning="At once and for `seconds` nothing listens: idle connections are closed, new ones "
        "refused. Takes no `times`.",
        outcome="N",
        spoil=None,
        options={"seconds": 1.0},
        executed="never",
    ),
    Kind(
        name="reset_before_read",
        meaning="The connection is reset on the head of the request, before its body is read.",
        outcome="U",
        spoil=spoil.reset,
        executed="never",
        on_head=True,
    ),
    _unknown(
        name="reset",
        meaning="The connection is reset once the request is read, without an answer.",
        spoil=spoil.reset,
    ),
    _unknown(
        name="close",
        meaning="The connection is closed once the request is read, without an answer.",
        spoil=spoil.close,
    ),
    Kind(
        name="delay_request",
        meaning="The exchange gets the request after `seconds`, even if the client is gone.",
        outcome="U",
        spoil=spoil.clean,
        options={"seconds": 1.0},
        executed="always",
        waits_first=True,
    ),
    Kind(
        name="delay_answer",
        meaning="The request is executed at once and answered after `seconds`.",
        outcome="U",
        spoil=spoil.delayed,
        options={"seconds": 1.0},
        executed="always",
    ),
    Kind(
        name="clock_offset",
        meaning="The request is checked by a clock `offset_ms` ahead, which the answer's Date shows.",
        outcome="R",
        spoil=spoil.clock_offset,
        options={"offset_ms": REQUIRED},
        executed="always",
    ),
)

KEPT_CONNECTION = (
    Kind(
        name="close_idle",
        meaning="The answer is whole; the connection is closed `seconds` later all the same. A "
        "request that comes in between is lost.",
        outcome="N",
        spoil=spoil.close_idle,
        options={"seconds": 0.0},
        executed="always",
    ),
    Kind(
        name="reset_next",
        meaning="The answer is whole; the next request of any operation on the connection meets a "
        "reset. `executed` is about that one.",
        outcome="U",
        spoil=spoil.reset_next,
        executed="no, unless told",
        about_next=True,
    ),
    Kind(
        name="second_answer",
        meaning="After the answer, `seconds` later, comes one more: the same, or with `body`.",
        outcome="success",
        spoil=spoil.second_answer,
        options={"seconds": 0.0, "body": None},
        executed="always",
    ),
)

FRAMING = (
    _cut(
        name="reset_in_body",
        meaning="Half the body, or `keep` bytes, under the length of all; then a reset.",
        spoil=spoil.reset_in_body,
    ),
    _cut(
        name="short_body",
        meaning="Half the body, or `keep` bytes, under the length of all; then a close.",
        spoil=spoil.short_body,
    ),
    _cut(
        name="cut_chunks",
        meaning="Half the body, or `keep` bytes, in a chunk that says more; then a close.",
        spoil=spoil.cut_chunks,
    ),
    _cut(
        name="cut_headers",
        meaning="The headers up to Content-Length, or `keep` bytes of them; then a close.",
        spoil=spoil.cut_headers,
    ),
    _cut(
        name="cut_gzip",
        meaning="Half the body in gzip, or `keep` bytes, under its own matching length.",
        spoil=spoil.cut_gzip,
    ),
    _cut(
        name="no_length",
        meaning="All of the body, or `keep` bytes, under no length; then a close.",
        spoil=spoil.no_length,
    ),
    _unknown(
        name="slow_headers",
        meaning="The headers drip, over `seconds`; the body follows at once.",
        spoil=spoil.slow_headers,
        options={"seconds": 5.0},
    ),
    _unknown(
        name="slow_body",
        meaning="The body drips, over `seconds`.",
        spoil=spoil.slow_body,
        options={"seconds": 5.0},
    ),
    _unusable(
        name="endless_body",
        meaning="The body goes on until the client hangs up.",
        spoil=spoil.endless_body,
    ),
    _unusable(
        name="gzip_bomb",
        meaning="The body is in gzip, good, and `size` bytes long once unpacked.",
        spoil=spoil.gzip_bomb,
        options={"size": 256 * 2**20},
    ),
    _unusable(
        name="large_header",
        meaning="One header more, of `size` bytes.",
        spoil=spoil.large_header,
        options={"size": 100_000},
        largest_size=2**26,
    ),
    _unusable(
        name="many_headers",
        meaning="`size` headers more.",
        spoil=spoil.many_headers,
        options={"size": 200},
        largest_size=2**20,
    ),
)
