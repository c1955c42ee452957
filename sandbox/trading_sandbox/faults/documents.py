"""Faults of content: functions that change the JSON document of an answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from attrs import evolve

from trading_runtime import ListOperation, OpenEnum, Pagination, is_integer
from trading_sandbox.faults.answer import Answer, Script
from trading_sandbox.faults.fault import Fault
from trading_sandbox.faults.spoil import JSON_TYPE, clean
from trading_sdk import models
from trading_sdk.operations import API

Document = dict[str, Any]

_RAW = "\x00raw\x00"
"""Placeholder in a document for text that no JSON encoder would write."""


class CannotSpoil(Exception):
    """The answer has nothing that the fault could change."""


def bad_json(answer: Answer, fault: Fault) -> Script:
    return _json(answer, fault, fault.body or b"")


def wrong_shape(answer: Answer, fault: Fault) -> Script:
    return _json(answer, fault, json.dumps(fault.value).encode())


def missing_field(answer: Answer, fault: Fault) -> Script:
    document = _document(answer)
    place, name = _place(document, fault, _anything)
    del place[name]
    return _changed(answer, fault, document)


def null_field(answer: Answer, fault: Fault) -> Script:
    document = _document(answer)
    place, name = _place(document, fault, lambda value: value is not None)
    place[name] = None
    return _changed(answer, fault, document)


def other_value(answer: Answer, fault: Fault) -> Script:
    """Give a field another value: the one named, or else the first that holds an enum's value."""
    document = _document(answer)
    place, name = _place(document, fault, _is_enum)
    place[name] = fault.value
    return _changed(answer, fault, document)


def new_field(answer: Answer, fault: Fault) -> Script:
    document = _document(answer)
    assert fault.field is not None
    for place in (document, _record(document, fault)):
        place[fault.field] = fault.value
    return _changed(answer, fault, document)


def duplicate_keys(answer: Answer, fault: Fault) -> Script:
    document = _document(answer)
    place, name = _place(document, fault, _anything)
    fields = dict(place)
    place.clear()
    place.update({_RAW: fault.value, **fields})
    return _changed(answer, fault, document, json.dumps(name))


def huge_integer(answer: Answer, fault: Fault) -> Script:
    return _with_number(answer, fault, "9" * fault.size)


def not_finite(answer: Answer, fault: Fault) -> Script:
    return _with_number(answer, fault, str(fault.value))


def deep_nesting(answer: Answer, fault: Fault) -> Script:
    document = _document(answer)
    document["nested"] = _RAW
    return _changed(answer, fault, document, "[" * fault.size + "]" * fault.size)


def repeated_cursor(answer: Answer, fault: Fault) -> Script:
    document, names = _document(answer), _pages(fault)
    document |= {names.next_cursor: cursor_of(fault.operation, answer.target), names.has_more: True}
    return _changed(answer, fault, document)


def empty_page(answer: Answer, fault: Fault) -> Script:
    document, names = _document(answer), _pages(fault)
    cursor = document.get(names.next_cursor) or "another-page"
    document |= {names.items: [], names.next_cursor: cursor, names.has_more: True}
    return _changed(answer, fault, document)


def missing_cursor(answer: Answer, fault: Fault) -> Script:
    document, names = _document(answer), _pages(fault)
    document |= {names.next_cursor: None, names.has_more: True}
    return _changed(answer, fault, document)


def surplus_cursor(answer: Answer, fault: Fault) -> Script:
    document, names = _document(answer), _pages(fault)
    cursor = document.get(names.next_cursor) or "another-page"
    document |= {names.next_cursor: cursor, names.has_more: False}
    return _changed(answer, fault, document)


def cursor_of(operation: str, target: str) -> str | None:
    """Return the cursor that a request for a page carries; None on the first page."""
    found = API.operations[operation]
    if not isinstance(found, ListOperation):
        return None
    return parse_qs(urlsplit(target).query).get(found.pagination.cursor, [None])[0]


def _json(answer: Answer, fault: Fault, body: bytes) -> Script:
    return clean(evolve(answer, body=body).with_headers(JSON_TYPE), fault)


def _changed(answer: Answer, fault: Fault, document: Document, raw: str = "") -> Script:
    text = json.dumps(document, separators=(",", ":")).replace(json.dumps(_RAW), raw)
    return clean(evolve(answer, body=text.encode()), fault)


def _with_number(answer: Answer, fault: Fault, text: str) -> Script:
    document = _document(answer)
    try:
        place, name = _place(document, fault, is_integer)
    except CannotSpoil:
        if fault.field is not None:
            raise
        # Without an integer field, add one: the number breaks a parser wherever it is.
        place, name = document, "number"
    place[name] = _RAW
    return _changed(answer, fault, document, text)


def _document(answer: Answer) -> Document:
    try:
        document = json.loads(answer.body)
    except ValueError:
        raise CannotSpoil("the answer is no JSON") from None
    if not isinstance(document, dict):
        raise CannotSpoil("the answer is no JSON object")
    return document


def _record(document: Document, fault: Fault) -> Document:
    """Return the result of an answer, or the first record of a list; else the answer itself."""
    operation = API.operations[fault.operation]
    key = operation.result_key
    if isinstance(operation, ListOperation):
        key = operation.pagination.items
    found = document if key is None else document.get(key)
    if isinstance(found, list):
        found = found[0] if found else None
    return found if isinstance(found, dict) else document


def _place(document: Document, fault: Fault, wanted: Callable[[Any], bool]) -> tuple[Document, str]:
    """Return the field to change, as object and name: the field named, or the first one wanted."""
    for place in (_record(document, fault), *_objects(document)):
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


def _pages(fault: Fault) -> Pagination:
    operation = API.operations[fault.operation]
    assert isinstance(operation, ListOperation)
    return operation.pagination


def _anything(value: Any) -> bool:
    return True


def _is_enum(value: Any) -> bool:
    return isinstance(value, str) and value in _ENUM_VALUES


def _enum_values() -> Iterator[str]:
    for model in vars(models).values():
        if isinstance(model, type) and issubclass(model, OpenEnum):
            yield from (str(member.value) for member in model)


_ENUM_VALUES = frozenset(_enum_values())
