"""Decode cases at the limits: what is JSON, how large numbers may be, and what an unknown field may hold."""

from __future__ import annotations

import base64
from typing import cast

from tests.spec.vector_cases_base import Case, Json
from tests.spec.vector_cases_decode import decode_case, text
from tests.spec.vector_cases_records import TRADE

DIGITS = "9" * 5_000


def lists(levels: int) -> str:
    """Lists in each other."""
    return "[" * levels + "]" * levels


# Name, description, and the JSON of a field that nobody knows: it is ignored.
IGNORED: tuple[tuple[str, str, str], ...] = (
    ("1e400", "A number that overflows.", "1e400"),
    ("5000-digits", "An integer of 5 000 digits.", DIGITS),
    ("5000-digits-fraction", "A fraction of 5 000 digits.", f"-0.{DIGITS}"),
    ("large-exponent", "An exponent of ten digits.", "-1E-9999999999"),
    ("brackets-in-text", "What opens in a text does not nest.", '"%s"' % ("[{" * 1_000)),
    ("side-by-side", "What stands side by side does not nest.", "[%s{}]" % ("[]," * 1_000)),
    ("surrogate-pair", "Both halves of a surrogate pair.", r'"\ud83d\ude80"'),
    ("escaped-control", "Control characters, escaped.", r'"\u0000\u001f\n"'),
    ("delete", "U+007F, which need not be escaped.", '"\x7f"'),
)

# Name, description, and the JSON of a field that nobody knows: it makes the answer unusable.
UNUSABLE: tuple[tuple[str, str, str], ...] = (
    ("5000-levels", "5 000 levels of lists.", lists(5_000)),
    ("5000-objects", "5 000 levels of objects.", '{"a":' * 5_000 + "1" + "}" * 5_000),
    ("half-surrogate", "The first half of a surrogate pair alone.", r'"\ud800"'),
    ("half-surrogate-low", "The second half of a surrogate pair alone.", r'"a\udc00"'),
    ("half-surrogate-name", "Half a surrogate pair in a name.", r'{"\ud800":1}'),
    ("control", "A control character that is not escaped.", '"\x01"'),
    ("line-break", "A line break in a text.", '"a\nb"'),
    ("leading-zero", "A number with a leading zero.", "01"),
    ("open-fraction", "A number that ends with its point.", "1."),
    ("escape", "An escape that JSON does not have.", r'"\x41"'),
    ("comma", "A comma behind the last item.", "[1,]"),
)

# Name, description, and the bytes in a field that nobody knows: it makes the answer unusable.
NOT_UTF_8: tuple[tuple[str, str, bytes], ...] = (
    ("latin-1", "Text that is not UTF-8.", b'"caf\xe9"'),
    ("surrogate", "A surrogate in the manner of UTF-8.", b'"\xed\xa0\x80"'),
    ("overlong", "A character in more bytes than it needs.", b'"\xc0\xaf"'),
)

# Name, description, the JSON of a decimal, and the value; None makes the answer unusable.
DECIMALS: tuple[tuple[str, str, str, str | None], ...] = (
    ("number", "A JSON number for a decimal, read from its own digits.", "1.1904", "1.1904"),
    (
        "number-beyond-double",
        "A JSON number with more digits than a double has.",
        "12345678901234567890.123456789012345678",
        "12345678901234567890.123456789012345678",
    ),
    ("integer", "A JSON integer for a decimal.", "-7", "-7"),
    ("exponent", "An exponent of three digits.", '"1.5e-999"', "1.5e-999"),
    ("100-digits", "A hundred digits.", '"%s.5"' % ("9" * 99), "9" * 99 + ".5"),
    ("101-digits", "More than a hundred digits.", '"%s.5"' % ("9" * 100), None),
    ("5000-digits", "A decimal of 5 000 digits.", f'"{DIGITS}"', None),
    ("1e1000", "An exponent of four digits.", '"1e1000"', None),
    ("1e-1000", "A negative exponent of four digits.", '"1e-1000"', None),
    ("zero-e9999", "A zero with an exponent of four digits.", '"0e9999"', None),
    ("nan", "The string NaN.", '"NaN"', None),
    ("snan", "The string sNaN.", '"sNaN"', None),
    ("infinity", "The string Infinity.", '"Infinity"', None),
    ("minus-infinity", "The string -Inf.", '"-Inf"', None),
    ("text", "Words.", '"market"', None),
    ("empty", "No digit.", '""', None),
)

# Name, description, the JSON of an integer, and the value; None makes the answer unusable.
INTEGERS: tuple[tuple[str, str, str, int | None], ...] = (
    ("largest", "The largest integer of 64 bits.", str(2**63 - 1), 2**63 - 1),
    ("smallest", "The smallest integer of 64 bits.", str(-(2**63)), -(2**63)),
    ("minus-zero", "-0 is 0.", "-0", 0),
    ("too-large", "An integer of more than 64 bits.", str(2**63), None),
    ("too-small", "A negative integer of more than 64 bits.", str(-(2**63) - 1), None),
    ("5000-digits", "An integer of 5 000 digits.", DIGITS, None),
    ("1e400", "A number that overflows.", "1e400", None),
    ("fraction", "A fraction of zero.", "1.0", None),
    ("exponent", "An integer with an exponent.", "1e0", None),
)

PAGE = text({"success": True, "data": [TRADE, {**TRADE, "price": "2"}], "has_more": False})


def outcome(value: Json) -> Json:
    return {"error": "decode", "status": 200} if value is None else {"value": value}


def page_with(field: str, json: str, description: str, name: str, price: str | None) -> Case:
    """A page of two trades, with a field of the second one as given."""
    body = PAGE.replace('"price":"2"', field % json)
    items: list[Json] = [TRADE, {**TRADE, "price": price}]
    value: Json = None if price is None else {"items": items, "has_more": False}
    return decode_case(name, description, "trades.history", 200, body, outcome(value))


def placed_with(json: str, description: str, name: str, value: int | None) -> Case:
    body = f'{{"order_id":{json}}}'
    expect = outcome(None if value is None else {"order_id": value})
    return decode_case(name, description, "orders.create", 200, body, expect)


def noted(json: str, description: str, name: str, is_read: bool) -> list[Case]:
    """An answer to an order, and a page, with a field that nobody knows."""
    value: Json = {"order_id": 42069} if is_read else None
    body = f'{{"order_id":42069,"note":{json}}}'
    return [
        decode_case(name, description, "orders.create", 200, body, outcome(value)),
        page_with(
            '"price":"2","note":%s', json, description, f"{name}-page", "2" if is_read else None
        ),
    ]


def bytes_noted(name: str, description: str, inside: bytes) -> list[Case]:
    """As `noted`, with a body that is no text: its bytes in Base64."""
    found = []
    for case in noted("null", description, f"unusable-bytes-{name}", is_read=False):
        given = cast(dict[str, Json], case["given"])
        body = str(given.pop("body")).encode().replace(b"null", inside)
        found.append({**case, "given": {**given, "body_base64": base64.b64encode(body).decode()}})
    return found


HUNDRED, MORE = "The answer nests 100 levels deep.", "The answer nests 101 levels deep."

CASES = (
    noted(lists(99), HUNDRED, "ignored-100-levels", is_read=True)[0],
    noted(lists(97), HUNDRED, "ignored-100-levels", is_read=True)[1],
    noted(lists(100), MORE, "unusable-101-levels", is_read=False)[0],
    noted(lists(98), MORE, "unusable-101-levels", is_read=False)[1],
    *(c for name, words, json in IGNORED for c in noted(json, words, f"ignored-{name}", True)),
    *(c for name, words, json in UNUSABLE for c in noted(json, words, f"unusable-{name}", False)),
    *(case for row in NOT_UTF_8 for case in bytes_noted(*row)),
    *(
        page_with('"price":%s', json, words, f"decimal-{name}", price)
        for name, words, json, price in DECIMALS
    ),
    *(placed_with(json, words, f"integer-{name}", value) for name, words, json, value in INTEGERS),
    decode_case(
        "unusable-byte-order-mark",
        "A byte order mark in front.",
        "orders.create",
        200,
        '\ufeff{"order_id":42069}',
        outcome(None),
    ),
    decode_case(
        "unusable-byte-order-mark-page",
        "A byte order mark in front of a page.",
        "trades.history",
        200,
        f"\ufeff{PAGE}",
        outcome(None),
    ),
    decode_case(
        "order-placed-escaped-name",
        "The name of a field, escaped.",
        "orders.create",
        200,
        r'{"\u006frder_id":42069}',
        outcome({"order_id": 42069}),
    ),
    page_with(
        '"price":null,"price":%s',
        '"2"',
        "Of duplicate keys in a record the last one wins, whatever the first one holds.",
        "trade-page-duplicate-key",
        "2",
    ),
    page_with(
        '"price":"2","price":%s',
        "null",
        "A duplicate key whose last value cannot be used.",
        "unusable-duplicate-key-page",
        None,
    ),
)
