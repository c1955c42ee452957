"""Kinds of faults of the content: an answer that arrives whole, but with the wrong content."""

from __future__ import annotations

from functools import partial

from trading_sandbox.faults import documents, spoil
from trading_sandbox.faults.kind import REQUIRED, Kind

_document = partial(Kind, outcome="D", executed="always")
"""A fault that changes the exchange's own document: the request must be executed for it."""

INSTEAD = (
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
    Kind(
        name="bad_json",
        meaning="`body`, which is no JSON, instead of the answer's own.",
        outcome="D",
        spoil=documents.bad_json,
        options={"body": b'{"success":true,"data":[{"order_id":1,'},
        executed="yes, unless told",
    ),
    Kind(
        name="wrong_shape",
        meaning="`value`, good JSON of another shape, instead of the answer's own.",
        outcome="D",
        spoil=documents.wrong_shape,
        options={"value": []},
        executed="yes, unless told",
    ),
)

FIELDS = (
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
        name="other_value",
        meaning="The field is `value`, as in the answer to another message.",
        spoil=documents.other_value,
        options={"field": REQUIRED, "value": REQUIRED},
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
        spoil=documents.other_value,
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

PAGES = (
    _document(
        name="repeated_cursor",
        meaning="A page leads to itself. Waits for a request with a cursor.",
        spoil=documents.repeated_cursor,
        meets="next page",
    ),
    Kind(
        name="empty_page",
        meaning="A page without records that leads on.",
        outcome="success",
        executed="always",
        spoil=documents.empty_page,
        meets="list",
    ),
    _document(
        name="missing_cursor",
        meaning="A page that says there is more, and not where.",
        spoil=documents.missing_cursor,
        meets="list",
    ),
    _document(
        name="surplus_cursor",
        meaning="A page that says it is the last one, and leads on.",
        spoil=documents.surplus_cursor,
        meets="list",
    ),
)
