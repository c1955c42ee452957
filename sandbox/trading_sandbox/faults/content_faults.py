"""Faults of content: answers that arrive whole, but with the wrong content."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from attrs import evolve

from trading_runtime import ListOperation, OpenEnum, Operation
from trading_sandbox.faults.answers import HTML_TYPE, JSON_TYPE, Answer
from trading_sandbox.faults.fault import REQUIRED, Fault, kind
from trading_sandbox.faults.playback import Script, plainly
from trading_sdk import models

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
    return _page(answer, fault, has_more=True, cursor=cursor_of(_operation(fault), answer.target))


@kind("success", "always", meets="list")
def empty_page(answer: Answer, fault: Fault) -> Script:
    """A page without records that leads on."""
    return _page(answer, fault, has_more=True, cursor=_ANY_CURSOR, empty=True)


@kind("D", "always", meets="list")
def missing_cursor(answer: Answer, fault: Fault) -> Script:
    """A page that says there is more, and not where."""
    return _page(answer, fault, has_more=True, cursor=None)


@kind("D", "always", meets="list")
def surplus_cursor(answer: Answer, fault: Fault) -> Script:
    """A page that says it is the last one, and leads on."""
    return _page(answer, fault, has_more=False, cursor=_ANY_CURSOR)


_ANY_CURSOR = "another-page"
"""Stands for the cursor of the page; it is sent where the page has none."""


def _page(
    answer: Answer, fault: Fault, *, has_more: bool, cursor: str | None, empty: bool = False
) -> Script:
    """Return the script that sends the page with other words on how it goes on."""
    operation, document = _operation(fault), document_of(answer)
    assert isinstance(operation, ListOperation)
    names = operation.pagination
    if cursor == _ANY_CURSOR:
        cursor = document.get(names.next_cursor) or _ANY_CURSOR
    items: Document = {names.items: []} if empty else {}
    return changed(answer, document | items | {names.next_cursor: cursor, names.has_more: has_more})


def _instead(answer: Answer, fault: Fault, body: bytes, *headers: tuple[str, str]) -> Script:
    other = evolve(answer, status=fault.status, body=body).with_headers(*headers)
    return plainly(other.with_headers(*fault.headers.items()))


def _with_value(answer: Answer, fault: Fault) -> Script:
    """Give a field another value: the one named, or else the first that holds an enum's value."""
    document = document_of(answer)
    place, name = place_in(document, fault, is_enum)
    place[name] = fault.value
    return changed(answer, document)


# -- the document of an answer ----------------------------------------------------------------------


Document = dict[str, Any]

RAW = "\x00raw\x00"
"""Placeholder in a document for text that no JSON encoder would write."""


class CannotSpoil(Exception):
    """The answer has nothing that the fault could change."""


def document_of(answer: Answer) -> Document:
    """Return the JSON object that an answer is."""
    try:
        document = json.loads(answer.body)
    except ValueError:
        raise CannotSpoil("the answer is no JSON") from None
    if not isinstance(document, dict):
        raise CannotSpoil("the answer is no JSON object")
    return document


def changed(answer: Answer, document: Document, raw: str = "") -> Script:
    """Return the script that sends the document instead of the answer's own, `raw` for RAW."""
    text = json.dumps(document, separators=(",", ":")).replace(json.dumps(RAW), raw)
    return plainly(evolve(answer, body=text.encode()))


def with_number(answer: Answer, fault: Fault, text: str) -> Script:
    """Return the script that sends a number in the place of an integer."""
    document = document_of(answer)
    try:
        place, name = place_in(document, fault, lambda value: type(value) is int)
    except CannotSpoil:
        if fault.field is not None:
            raise
        # Without an integer field, add one: the number breaks a parser wherever it is.
        place, name = document, "number"
    place[name] = RAW
    return changed(answer, document, text)


def record_in(document: Document, fault: Fault) -> Document:
    """Return the result of an answer, or the first record of a list; else the answer itself."""
    operation = _operation(fault)
    key = operation.result_key
    if isinstance(operation, ListOperation):
        key = operation.pagination.items
    found = document if key is None else document.get(key)
    if isinstance(found, list):
        found = found[0] if found else None
    return found if isinstance(found, dict) else document


def place_in(
    document: Document, fault: Fault, wanted: Callable[[Any], bool]
) -> tuple[Document, str]:
    """Return the field to change, as object and name: the field named, or the first one wanted."""
    for place in (record_in(document, fault), *_objects(document)):
        for name, value in place.items():
            if name == fault.field or (fault.field is None and wanted(value)):
                return place, name
    missing = "a field for it" if fault.field is None else f"the field {fault.field!r}"
    raise CannotSpoil(f"the answer lacks {missing}")


def _objects(value: Any) -> Iterator[Document]:
    if isinstance(value, dict):
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in inner:
        yield from _objects(child)


def cursor_of(operation: Operation[Any], target: str) -> str | None:
    """Return the cursor that a request for a page carries; None on the first page."""
    if not isinstance(operation, ListOperation):
        return None
    return parse_qs(urlsplit(target).query).get(operation.pagination.cursor, [None])[0]


def _operation(fault: Fault) -> Operation[Any]:
    assert fault.taken_by is not None
    return fault.taken_by


def anything(value: Any) -> bool:
    """Accept every value."""
    return True


def is_enum(value: Any) -> bool:
    """Whether it is a value of an enum of the interface."""
    return isinstance(value, str) and value in _ENUM_VALUES


def _enum_values() -> Iterator[str]:
    for model in vars(models).values():
        if isinstance(model, type) and issubclass(model, OpenEnum):
            yield from (str(member.value) for member in model)


_ENUM_VALUES = frozenset(_enum_values())
