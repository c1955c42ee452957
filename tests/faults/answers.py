"""Rows of the matrix, part 2: an answer came, and this is what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from email.utils import formatdate
from itertools import chain

from attrs import evolve

from tests.faults.rows import (
    PATIENT,
    SUCCESS,
    Before,
    Expectations,
    Expected,
    Injected,
    Redirected,
    Row,
    every,
    once_and_always,
)
from tests.generated.results import handed_over
from tests.interface import ENUMS, METHODS, Field, Fields, Operation
from trading_runtime import Fault
from trading_sdk import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    InternalServerError,
    NotFoundError,
    PermissionDeniedError,
    UnprocessableEntityError,
)

FAR = 4_000_000_000
"""A time in 2096, in seconds."""
MAYBE_SENT, RATE_LIMITED, REFUSED = Fault.MAYBE_SENT, Fault.RATE_LIMITED, Fault.REFUSED
UNREADABLE, UNUSABLE = Fault.UNREADABLE, Fault.UNUSABLE


def _limited() -> Iterable[Row]:
    for name, text in (
        ("of a second", "1"),
        ("of nothing", "0"),
        ("negative", "-1"),
        ("NaN", "NaN"),
        ("a date that is past", formatdate(0, usegmt=True)),
    ):
        yield Row(f"429, Retry-After {name}", _wait(text), RATE_LIMITED)
    yield Row("429, Retry-After of nothing, always", _wait("0"), RATE_LIMITED, times="always")
    for name, text, timeout in (
        ("a date far away", formatdate(FAR, usegmt=True), PATIENT),
        ("a thousand million seconds", "1000000000", PATIENT),
        ("1e9", "1e9", PATIENT),
        ("beyond the deadline", "2", 1.0),
    ):
        row = Row(f"429, Retry-After {name}", _wait(text), RATE_LIMITED, times="at the end")
        yield evolve(row, timeout=timeout)


def _wait(text: str) -> Injected:
    return _status(429, headers={"Retry-After": text})


def _status(status: int, **options: object) -> Injected:
    return Injected("status", {"status": status, **options})


_ERRORS: dict[int, type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableEntityError,
    501: InternalServerError,
}


def _refused() -> Iterable[Row]:
    for status, error in _ERRORS.items():
        yield Row(f"{status}", _status(status), REFUSED, raises=error)


def _failed() -> Iterable[Row]:
    for status in (500, 502, 503, 504):
        html = Injected("html", {"status": status})
        row = Row(f"{status} with HTML", html, MAYBE_SENT, raises=InternalServerError)
        yield from once_and_always(row)
    for status in (500, 504):
        html = Injected("html", {"status": status, "executed": True})
        yield Row(f"{status} with HTML, executed", html, MAYBE_SENT, carried_out=True)
    soon = _status(503, headers={"Retry-After": "0"})
    yield Row("503, Retry-After of nothing", soon, MAYBE_SENT)
    yield Row("408, executed", _status(408, executed=True), MAYBE_SENT, carried_out=True)


def _moved() -> Iterable[Row]:
    for status in (301, 302, 303, 307, 308):
        for where, base in (
            ("host", "http://localhost:{port}"),
            ("scheme", "https://127.0.0.1:{port}"),
        ):
            way = Redirected(status, base)
            yield Row(f"{status} to another {where}", way, UNUSABLE, raises=ApiError)


_NO_SHAPE = {"api_keys.list": "the interface shows no answer of it, so none is of a wrong shape"}
_NO_FIELD = {
    **_NO_SHAPE,
    "api_keys.revoke": "its answer may lack the key",
}
_BARE_LIST = {
    # With or without its envelope.
    name: "a list without records is a right answer of it"
    for name, each in METHODS.items()
    if each.returns and handed_over(each)[0].name == "data" and not each.is_paginated
    if handed_over(each)[0].type == "array"
}


def _needed(operation: Operation) -> str | None:
    """The first field of a result that must be there; None where the table has none."""
    if operation.sent_as == "orders.batch":
        return "results"
    if not operation.returns:
        return "success"
    needed = (row for row in handed_over(operation)[0].fields if row.required and not row.nullable)
    return next((row.name for row in needed), None)


_NEEDED = {name: _needed(each) for name, each in METHODS.items()}
_FIELDS = {name: field for name, field in _NEEDED.items() if field is not None}
_FIELDS["account.settings"] = "symbol"
"""A field that the answer must have, by operation; of settings, those of a market."""


def _holds(fields: Fields, is_it: Callable[[Field], bool]) -> bool:
    return any(is_it(row) or _holds(row.fields, is_it) for row in fields)


def _is_integer(row: Field) -> bool:
    return row.type == "integer"


_NO_NUMBER = {
    name: "it hands over no integer, so nobody reads the number"
    for name, each in METHODS.items()
    if not each.returns or not _holds((handed_over(each)[0],), _is_integer)
} | _NO_SHAPE


_UNREADABLE = (
    ("200 with HTML", Injected("html"), False),
    ("200 with HTML, executed", Injected("html", {"executed": True}), True),
    ("bad JSON", Injected("bad_json"), True),
    ("no JSON at all", Injected("bad_json", {"body": b"\xff\x00"}), True),
    ("nesting 100,000 deep", Injected("deep_nesting"), True),
    ("NaN", Injected("not_finite", {"value": "NaN"}), True),
    ("Infinity", Injected("not_finite", {"value": "Infinity"}), True),
)
"""Each with whether the service carries the request out."""
_EMPTY = Injected("wrong_shape", {"value": {"success": True, "data": []}})
_UNUSABLE = (
    # Both are JSON, and of the wrong shape where an integer is read. Elsewhere nobody reads them.
    ("integer of 5,000 digits", Injected("huge_integer"), _NO_NUMBER),
    ("1e400", Injected("not_finite", {"value": "1e400"}), _NO_NUMBER),
    ("wrong shape: a list", Injected("wrong_shape"), {**_NO_SHAPE, **_BARE_LIST}),
    ("wrong shape: null", Injected("wrong_shape", {"value": None}), _NO_SHAPE),
    ("wrong shape: nothing in it", _EMPTY, {**_NO_FIELD, **_BARE_LIST}),
    ("missing field", Injected("missing_field", fields=_FIELDS), _NO_FIELD),
    ("null field", Injected("null_field", fields=_FIELDS), _NO_FIELD),
)
"""Each with why it does not apply, by operation."""


def _of_no_use() -> Iterable[Row]:
    for name, way, executed in _UNREADABLE:
        yield from once_and_always(Row(name, way, UNREADABLE, carried_out=executed))
    for name, way, lacks in _UNUSABLE:
        yield Row(name, way, UNUSABLE, carried_out=True, lacks=lacks)


_HAVE_ENUMS = frozenset(
    name for name, each in METHODS.items() if _holds(each.result, lambda row: row.type in ENUMS)
)


def _usable() -> Iterable[Row]:
    duplicate = Injected("duplicate_keys", {"value": 666})
    yield Row("duplicate keys", duplicate, carried_out=True)
    yield Row("unknown field", Injected("new_field"), carried_out=True)
    yield Row(
        "unknown enum value",
        Injected("unknown_enum"),
        carried_out=True,
        only=_HAVE_ENUMS,
        lacks={"*": "its answer holds no enum"},
    )


_STALE: Expectations = {**every(Expected((BadRequestError, AuthenticationError))), "GET": SUCCESS}
"""What is signed is refused, and nothing else."""


def _clocks() -> Iterable[Row]:
    for where, by in (("ahead", {"offset_ms": 60_000}), ("behind", {"offset_ms": -60_000})):
        name, way = f"the service's clock a minute {where}", Injected("clock_offset", by)
        yield Row(name, way, REFUSED, instead=_STALE)
        yield Row(
            f"{name}, and known to be",
            Before("clock_offset", by, clock=True),
            carried_out=True,
            client={"clock": "server"},
        )
    late, short = Injected("delay_request", {"seconds": 0.2}), {"expiry_window": 100}
    yield Row("message expired on its way", late, REFUSED, instead=_STALE, client=short)


ANSWERS: tuple[Row, ...] = tuple(
    chain(
        _limited(),
        _refused(),
        _failed(),
        _moved(),
        _of_no_use(),
        _usable(),
        _clocks(),
    )
)
