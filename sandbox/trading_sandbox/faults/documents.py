"""The JSON document of an answer, and the places in it that a fault may change."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from attrs import evolve

from trading_runtime import ListOperation, OpenEnum, Operation, Pagination, is_integer
from trading_sandbox.faults.answers import Answer
from trading_sandbox.faults.fault import Fault
from trading_sandbox.faults.playback import Script, plainly
from trading_sdk import models

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
        place, name = place_in(document, fault, is_integer)
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


def page_names(fault: Fault) -> Pagination:
    """Return the names that the list of a fault uses for its pages."""
    operation = _operation(fault)
    assert isinstance(operation, ListOperation)
    return operation.pagination


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
