"""The table of all kinds of faults. What they take, who meets them and how is told here alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from trading_sandbox.faults import documents, spoil
from trading_sandbox.faults.kind import REQUIRED, Kind

_unknown = partial(Kind, outcome="U", executed="yes, unless told")
_unusable = partial(Kind, outcome="D", executed="yes, unless told")
_cut = partial(_unusable, options={"keep": None})
_document = partial(Kind, outcome="D", executed="always")
"""What spoils a document needs the one that the exchange has made."""

_BEFORE = (
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
        meaning="The request is carried out at once and answered after `seconds`.",
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

_KEPT_CONNECTION = (
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

_FRAMING = (
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

_INSTEAD = (
    Kind(
        name="status",
        meaning="An answer with this status, these headers and this body; from 500 on the outcome "
        "of a POST is unknown.",
        outcome="R",
        spoil=spoil.status,
        options={"status": REQUIRED, "body": None, "headers": {}},
        executed="no, unless told",
    ),
    Kind(
        name="redirect",
        meaning="An answer that points to `location`; the outcome of a signed POST is unknown.",
        outcome="R",
        spoil=spoil.redirect,
        options={"location": REQUIRED, "status": 307, "headers": {}},
        executed="no, unless told",
        choices={"status": (301, 302, 303, 307, 308)},
    ),
    Kind(
        name="html",
        meaning="A page in HTML under this status, as a gateway sends it.",
        outcome="D",
        spoil=spoil.html,
        options={"status": 200, "body": None, "headers": {}},
        executed="no, unless told",
    ),
    _unusable(
        name="bad_json",
        meaning="`body`, which is no JSON, instead of the answer's own.",
        spoil=documents.bad_json,
        options={"body": b'{"success":true,"data":[{"order_id":1,'},
    ),
    _unusable(
        name="wrong_shape",
        meaning="`value`, good JSON of another shape, instead of the answer's own.",
        spoil=documents.wrong_shape,
        options={"value": []},
    ),
)

_FIELDS = (
    _document(
        name="missing_field",
        meaning="The field is left out; unless named, the first of the result.",
        spoil=documents.missing_field,
        options={"field": None},
    ),
    _document(
        name="null_field",
        meaning="The field is null; unless named, the first of the result.",
        spoil=documents.null_field,
        options={"field": None},
    ),
    _document(
        name="huge_integer",
        meaning="The field is an integer of `size` digits; unless named, the first integer.",
        spoil=documents.huge_integer,
        options={"field": None, "size": 5000},
        largest_size=2**24,
    ),
    _document(
        name="not_finite",
        meaning="The field is a number that JSON or a float cannot hold; unless named, the first "
        "integer.",
        spoil=documents.not_finite,
        options={"field": None, "value": "NaN"},
        choices={"value": ("NaN", "Infinity", "-Infinity", "1e400", "-1e400")},
    ),
    _document(
        name="deep_nesting",
        meaning="One field more, `nested`: lists in lists, `size` levels deep.",
        spoil=documents.deep_nesting,
        options={"size": 100_000},
        largest_size=2**24,
    ),
    Kind(
        name="duplicate_keys",
        meaning="The field stands twice, first with `value`, then as it should be; unless named, "
        "the first of the result.",
        outcome="success",
        spoil=documents.duplicate_keys,
        options={"field": None, "value": None},
        executed="always",
    ),
    Kind(
        name="unknown_enum",
        meaning="The field has a value that is not in the interface; unless named, the first one "
        "that holds an enum's value.",
        outcome="success",
        spoil=documents.unknown_enum,
        options={"field": None, "value": "added_later"},
        executed="always",
    ),
    Kind(
        name="new_field",
        meaning="One field more, in the answer and in its first record.",
        outcome="success",
        spoil=documents.new_field,
        options={"field": "added_later", "value": "new"},
        executed="always",
    ),
)

_PAGES = (
    _document(
        name="repeated_cursor",
        meaning="A page leads to itself. Waits for a request with a cursor.",
        spoil=documents.repeated_cursor,
        meets="next page",
    ),
    _document(
        name="empty_page",
        meaning="A page without records that leads on.",
        spoil=documents.empty_page,
        meets="list",
    ),
    _document(
        name="missing_cursor",
        meaning="A page that says there is more, and not where.",
        spoil=documents.missing_cursor,
        meets="list",
    ),
)

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for group in (_BEFORE, _KEPT_CONNECTION, _FRAMING, _INSTEAD, _FIELDS, _PAGES)
    for kind in group
}
