"""Faults of content: answers that arrive whole, but with the wrong content."""

from __future__ import annotations

import json

from attrs import evolve

from trading_sandbox.faults.answers import HTML_TYPE, JSON_TYPE, Answer
from trading_sandbox.faults.documents import (
    RAW,
    anything,
    changed,
    cursor_of,
    document_of,
    is_enum,
    page_names,
    place_in,
    record_in,
    with_number,
)
from trading_sandbox.faults.fault import REQUIRED, Fault, kind
from trading_sandbox.faults.playback import Script, plainly

_REDIRECTS = (301, 302, 303, 307, 308)
_NUMBERS = ("NaN", "Infinity", "-Infinity", "1e400", "-1e400")


# -- another answer ------------------------------------------------------------------------------


@kind("R", "no, unless told", options={"status": REQUIRED, "body": None, "headers": {}})
def status(answer: Answer, fault: Fault) -> Script:
    """An answer with this status, these headers and this body; from 500 on the outcome of a POST
    is unknown."""
    words = b'{"success":false,"data":null,"error":"A fault of the sandbox","code":%d}'
    body = words % fault.status if fault.body is None else fault.body
    return _instead(answer, fault, body, JSON_TYPE)


@kind(
    "R",
    "no, unless told",
    options={"location": REQUIRED, "status": 307, "headers": {}},
    choices={"status": _REDIRECTS},
    outcome_of_post="U",
)
def redirect(answer: Answer, fault: Fault) -> Script:
    """An answer that points to `location`; the outcome of a signed POST is unknown."""
    return _instead(answer, fault, b"", JSON_TYPE, ("location", fault.location))


@kind("D", "no, unless told", options={"status": 200, "body": None, "headers": {}})
def html(answer: Answer, fault: Fault) -> Script:
    """A page in HTML under this status, as a gateway sends it."""
    page = b"<!DOCTYPE html>\n<html><body><h1>It is not JSON that you get</h1></body></html>\n"
    return _instead(answer, fault, page if fault.body is None else fault.body, HTML_TYPE)


@kind("D", "yes, unless told", options={"body": b'{"success":true,"data":[{"order_id":1,'})
def bad_json(answer: Answer, fault: Fault) -> Script:
    """`body`, which is no JSON, instead of the answer's own."""
    return plainly(evolve(answer, body=fault.body or b"").with_headers(JSON_TYPE))


@kind("D", "yes, unless told", options={"value": []})
def wrong_shape(answer: Answer, fault: Fault) -> Script:
    """`value`, good JSON of another shape, instead of the answer's own."""
    body = json.dumps(fault.value).encode()
    return plainly(evolve(answer, body=body).with_headers(JSON_TYPE))


# -- another field; the exchange's own answer is changed, so the request must be executed ----------


@kind("D", "always", options={"field": None})
def missing_field(answer: Answer, fault: Fault) -> Script:
    """The field is left out; unless named, the first of the result."""
    document = document_of(answer)
    place, name = place_in(document, fault, anything)
    del place[name]
    return changed(answer, document)


@kind("D", "always", options={"field": None})
def null_field(answer: Answer, fault: Fault) -> Script:
    """The field is null; unless named, the first of the result."""
    document = document_of(answer)
    place, name = place_in(document, fault, lambda value: value is not None)
    place[name] = None
    return changed(answer, document)


@kind("D", "always", options={"field": REQUIRED, "value": REQUIRED})
def other_value(answer: Answer, fault: Fault) -> Script:
    """The field is `value`, as in the answer to another message."""
    return _with_value(answer, fault)


@kind("D", "always", options={"field": None, "size": 5000}, largest_size=2**24)
def huge_integer(answer: Answer, fault: Fault) -> Script:
    """The field is an integer of `size` digits; unless named, the first integer."""
    return with_number(answer, fault, "9" * fault.size)


@kind("D", "always", options={"field": None, "value": "NaN"}, choices={"value": _NUMBERS})
def not_finite(answer: Answer, fault: Fault) -> Script:
    """The field is a number that JSON or a float cannot hold; unless named, the first integer."""
    return with_number(answer, fault, str(fault.value))


@kind("D", "always", options={"size": 100_000}, largest_size=2**24)
def deep_nesting(answer: Answer, fault: Fault) -> Script:
    """One field more, `nested`: lists in lists, `size` levels deep."""
    document = document_of(answer)
    document["nested"] = RAW
    return changed(answer, document, "[" * fault.size + "]" * fault.size)


@kind("success", "always", options={"field": None, "value": None})
def duplicate_keys(answer: Answer, fault: Fault) -> Script:
    """The field stands twice, first with `value`, then as it should be; unless named, the first of
    the result."""
    document = document_of(answer)
    place, name = place_in(document, fault, anything)
    fields = dict(place)
    place.clear()
    place.update({RAW: fault.value, **fields})
    return changed(answer, document, json.dumps(name))


@kind("success", "always", options={"field": None, "value": "added_later"})
def unknown_enum(answer: Answer, fault: Fault) -> Script:
    """The field has a value that is not in the interface; unless named, the first one that holds an
    enum's value."""
    return _with_value(answer, fault)


@kind("success", "always", options={"field": "added_later", "value": "new"})
def new_field(answer: Answer, fault: Fault) -> Script:
    """One field more, in the answer and in its first record."""
    document = document_of(answer)
    assert fault.field is not None
    for place in (document, record_in(document, fault)):
        place[fault.field] = fault.value
    return changed(answer, document)


# -- another page --------------------------------------------------------------------------------


@kind("D", "always", meets="next page")
def repeated_cursor(answer: Answer, fault: Fault) -> Script:
    """A page leads to itself. Waits for a request with a cursor."""
    document, names = document_of(answer), page_names(fault)
    assert fault.taken_by is not None
    cursor = cursor_of(fault.taken_by, answer.target)
    document |= {names.next_cursor: cursor, names.has_more: True}
    return changed(answer, document)


@kind("success", "always", meets="list")
def empty_page(answer: Answer, fault: Fault) -> Script:
    """A page without records that leads on."""
    document, names = document_of(answer), page_names(fault)
    cursor = document.get(names.next_cursor) or "another-page"
    document |= {names.items: [], names.next_cursor: cursor, names.has_more: True}
    return changed(answer, document)


@kind("D", "always", meets="list")
def missing_cursor(answer: Answer, fault: Fault) -> Script:
    """A page that says there is more, and not where."""
    document, names = document_of(answer), page_names(fault)
    document |= {names.next_cursor: None, names.has_more: True}
    return changed(answer, document)


@kind("D", "always", meets="list")
def surplus_cursor(answer: Answer, fault: Fault) -> Script:
    """A page that says it is the last one, and leads on."""
    document, names = document_of(answer), page_names(fault)
    cursor = document.get(names.next_cursor) or "another-page"
    document |= {names.next_cursor: cursor, names.has_more: False}
    return changed(answer, document)


def _instead(answer: Answer, fault: Fault, body: bytes, *headers: tuple[str, str]) -> Script:
    other = evolve(answer, status=fault.status, body=body).with_headers(*headers)
    return plainly(other.with_headers(*fault.headers.items()))


def _with_value(answer: Answer, fault: Fault) -> Script:
    """Give a field another value: the one named, or else the first that holds an enum's value."""
    document = document_of(answer)
    place, name = place_in(document, fault, is_enum)
    place[name] = fault.value
    return changed(answer, document)
