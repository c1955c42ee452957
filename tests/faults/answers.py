"""Rows of the matrix, part 2: an answer came, and this is what it says."""

from __future__ import annotations

from collections.abc import Iterable
from email.utils import formatdate

from tests.faults.rows import (
    ATTEMPTS,
    FAILS,
    LIMITED,
    LIMITED_ONCE,
    MOVED,
    REPEATED,
    STALE,
    SUCCESS,
    UNREADABLE,
    UNUSABLE,
    Before,
    Expected,
    Injected,
    Redirected,
    Row,
    every,
    once_and_always,
    refused,
    unknown,
)
from tests.generated.results import handed_over
from tests.interface import ENUMS, METHODS, Fields, Operation
from trading_sdk import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    InternalServerError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    UnprocessableEntityError,
)

FAR = 4_000_000_000
"""A time in 2096, in seconds."""


def _limited() -> Iterable[Row]:
    for name, text in (
        ("of a second", "1"),
        ("of nothing", "0"),
        ("negative", "-1"),
        ("NaN", "NaN"),
        ("a date that is past", formatdate(0, usegmt=True)),
    ):
        yield Row(
            name=f"429, Retry-After {name}",
            letter="R",
            way=_answer(429, {"Retry-After": text}),
            expects=LIMITED_ONCE,
        )
    yield Row(
        name="429, Retry-After of nothing, always",
        letter="R",
        way=_answer(429, {"Retry-After": "0"}),
        expects=LIMITED,
    )
    for name, text in (
        ("a date far away", formatdate(FAR, usegmt=True)),
        ("a thousand million seconds", "1000000000"),
        ("1e9", "1e9"),
    ):
        yield Row(
            name=f"429, Retry-After {name}",
            letter="R",
            way=_answer(429, {"Retry-After": text}),
            expects=refused(RateLimitError),
        )
    yield Row(
        name="429, Retry-After beyond the deadline",
        letter="R",
        way=_answer(429, {"Retry-After": "2"}),
        expects=refused(RateLimitError),
        timeout=1.0,
    )


def _answer(status: int, headers: dict[str, str] | None = None) -> Injected:
    return Injected("status", {"status": status, "headers": headers or {}})


def _refused() -> Iterable[Row]:
    errors: tuple[tuple[int, type[ApiError]], ...] = (
        (400, BadRequestError),
        (401, AuthenticationError),
        (403, PermissionDeniedError),
        (404, NotFoundError),
        (409, ConflictError),
        (422, UnprocessableEntityError),
        (501, InternalServerError),
    )
    for status, error in errors:
        # Of a read a 501 is one 5xx like all others: it may be repeated, and is not.
        yield Row(name=f"{status}", letter="R", way=_answer(status), expects=refused(error))


def _failed() -> Iterable[Row]:
    for status in (500, 502, 503, 504):
        row = Row(
            name=f"{status} with HTML",
            letter="U",
            way=Injected("html", {"status": status}),
            expects=REPEATED,
        )
        yield from once_and_always(row, FAILS)
    for status in (500, 504):
        yield Row(
            name=f"{status} with HTML, executed",
            letter="U",
            way=Injected("html", {"status": status, "executed": True}),
            expects=REPEATED,
            carried_out=True,
        )
    yield Row(
        name="503, Retry-After of nothing",
        letter="U",
        way=_answer(503, {"Retry-After": "0"}),
        expects=REPEATED,
    )
    yield Row(name="408, executed", letter="U", way=_gone(408), expects=REPEATED, carried_out=True)


def _gone(status: int) -> Injected:
    return Injected("status", {"status": status, "executed": True})


def _moved() -> Iterable[Row]:
    for status in (301, 302, 303, 307, 308):
        for where, base in (
            ("host", "http://localhost:{port}"),
            ("scheme", "https://127.0.0.1:{port}"),
        ):
            yield Row(
                name=f"{status} to another {where}",
                letter="R",
                way=Redirected(status, base),
                expects=MOVED,
            )


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


def _has_integer(fields: Fields) -> bool:
    return any(row.type == "integer" or _has_integer(row.fields) for row in fields)


_NO_NUMBER = {
    name: "it hands over no integer, so nobody reads the number"
    for name, each in METHODS.items()
    if not each.returns or not _has_integer((handed_over(each)[0],))
} | _NO_SHAPE


def _unusable() -> Iterable[Row]:
    for name, way, carried_out in (
        ("200 with HTML", Injected("html"), False),
        ("200 with HTML, executed", Injected("html", {"executed": True}), True),
        ("bad JSON", Injected("bad_json"), True),
        ("no JSON at all", Injected("bad_json", {"body": b"\xff\x00"}), True),
        ("nesting 100,000 deep", Injected("deep_nesting"), True),
        ("NaN", Injected("not_finite", {"value": "NaN"}), True),
        ("Infinity", Injected("not_finite", {"value": "Infinity"}), True),
    ):
        row = Row(name=name, letter="D", way=way, expects=REPEATED, carried_out=carried_out)
        yield from once_and_always(row, UNREADABLE)
    empty = {"success": True, "data": []}
    for name, way, lacks in (
        # Both are JSON, and of the wrong shape where an integer is read. Elsewhere nobody reads them.
        ("integer of 5,000 digits", Injected("huge_integer"), _NO_NUMBER),
        ("1e400", Injected("not_finite", {"value": "1e400"}), _NO_NUMBER),
        ("wrong shape: a list", Injected("wrong_shape"), {**_NO_SHAPE, **_BARE_LIST}),
        ("wrong shape: null", Injected("wrong_shape", {"value": None}), _NO_SHAPE),
        (
            "wrong shape: nothing in it",
            Injected("wrong_shape", {"value": empty}),
            {**_NO_FIELD, **_BARE_LIST},
        ),
        ("missing field", Injected("missing_field", fields=_FIELDS), _NO_FIELD),
        ("null field", Injected("null_field", fields=_FIELDS), _NO_FIELD),
    ):
        yield Row(
            name=name,
            letter="D",
            way=way,
            expects=UNUSABLE,
            carried_out=True,
            lacks=lacks,
        )


_CHANGES = frozenset(name for name, each in METHODS.items() if each.retry != "safe")


def _refused_in_words() -> Iterable[Row]:
    """A refusal in a 200, of which only the words tell that nothing was executed."""
    refusal = {"success": False, "data": None, "error": "gateway timeout"}
    row = Row(
        name="200 with the code of a 504",
        letter="U",
        way=_said({**refusal, "code": 504}),
        expects=REPEATED,
        carried_out=True,
    )
    yield from once_and_always(row, unknown(Expected(BadRequestError, ATTEMPTS)))
    makers = frozenset(name for name in _CHANGES if _has_order_id(METHODS[name].result))
    for name, said, only in (
        ("an order id", {"order_id": 9}, makers),
        ("results that say success", {"data": [{"success": True}, {"success": False}]}, _CHANGES),
        ("a state", {"status": "queued"}, _CHANGES),
    ):
        yield Row(
            name=f"200 with a refusal and {name}",
            letter="D",
            way=_said({**refusal, **said}),
            expects=UNUSABLE,
            carried_out=True,
            only=only,
            lacks={
                "*": "a read changed nothing, whatever else it says; or its result has no order id"
            },
        )


def _has_order_id(fields: Fields) -> bool:
    return any(row.name == "order_id" or _has_order_id(row.fields) for row in fields)


def _said(payload: dict[str, object]) -> Injected:
    return Injected("wrong_shape", {"value": payload})


def _has_enum(fields: Fields) -> bool:
    return any(row.type in ENUMS or _has_enum(row.fields) for row in fields)


_HAVE_ENUMS = frozenset(name for name, each in METHODS.items() if _has_enum(each.result))


def _of_others() -> Iterable[Row]:
    """What a result repeats of its message is that of another one."""
    for name, value in (("symbol", "BTC"), ("requested_amount", "9.0")):
        posts = (each for each in METHODS.values() if each.verb == "POST")
        yield Row(
            name=f"an answer to another message, by its {name}",
            letter="D",
            way=Injected("other_value", {"field": name, "value": value}),
            expects=UNUSABLE,
            carried_out=True,
            only=frozenset(each.name for each in posts if name in each.echoes),
            lacks={"*": "its result repeats no such field of what the call sends"},
        )


def _usable() -> Iterable[Row]:
    for name, way in (
        ("duplicate keys", Injected("duplicate_keys", {"value": 666})),
        ("unknown field", Injected("new_field")),
    ):
        yield Row(name=name, letter="ok", way=way, expects=every(SUCCESS), carried_out=True)
    yield Row(
        name="unknown enum value",
        letter="ok",
        way=Injected("unknown_enum"),
        expects=every(SUCCESS),
        carried_out=True,
        only=_HAVE_ENUMS,
        lacks={"*": "its answer holds no enum"},
    )


def _clocks() -> Iterable[Row]:
    for name, offset in (("ahead", 60_000), ("behind", -60_000)):
        yield Row(
            name=f"the service's clock a minute {name}",
            letter="R",
            way=Injected("clock_offset", {"offset_ms": offset}),
            expects=STALE,
        )
        yield Row(
            name=f"the service's clock a minute {name}, and known to be",
            letter="ok",
            way=Before("clock_offset", {"offset_ms": offset}, clock=True),
            expects=every(SUCCESS),
            carried_out=True,
            client={"clock": "server"},
        )
    yield Row(
        name="message expired on its way",
        letter="R",
        way=Injected("delay_request", {"seconds": 0.2}),
        expects=STALE,
        client={"expiry_window": 100},
    )


ANSWERS: tuple[Row, ...] = (
    *_limited(),
    *_refused(),
    *_failed(),
    *_moved(),
    *_unusable(),
    *_of_others(),
    *_refused_in_words(),
    *_usable(),
    *_clocks(),
)
