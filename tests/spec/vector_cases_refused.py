"""Cases that must not be signed: keys that are no keys, messages with no canonical text."""

from __future__ import annotations

import base58

from tests.spec.vector_cases_base import (
    COUNTING,
    RFC_1,
    RFC_2,
    TIMESTAMP,
    WINDOW,
    ZERO,
    Case,
    Json,
)
from tests.spec.vector_cases_signing import LIMIT_ORDER


def special(name: str) -> Case:
    """A value that JSON cannot carry, spelled out."""
    return {"$special": name}


def encoded(raw: bytes) -> str:
    return base58.b58encode(raw).decode("ascii")


# Name, description, reason, private key text.
KEY_ROWS: tuple[tuple[str, str, str, str], ...] = (
    ("key-empty", "An empty key text.", "key-length", ""),
    ("key-31-bytes", "One byte less than a seed.", "key-length", encoded(bytes(range(31)))),
    ("key-33-bytes", "One byte more than a seed.", "key-length", encoded(bytes(range(33)))),
    (
        "key-address",
        "An address: taken for a seed, it would make a key that everybody knows.",
        "key-length",
        RFC_1.address,
    ),
    (
        "key-seed-alone",
        "A 32-byte seed alone, which looks like an address.",
        "key-length",
        COUNTING.seed_text,
    ),
    (
        "key-seed-alone-all-zero",
        "A seed of zero bytes alone, whose Base58 text is thirty-two times 1.",
        "key-length",
        ZERO.seed_text,
    ),
    (
        "key-63-bytes",
        "One byte less than seed and public half.",
        "key-length",
        encoded(bytes(COUNTING.pair)[:63]),
    ),
    (
        "key-65-bytes",
        "One byte more than seed and public half.",
        "key-length",
        encoded(bytes(RFC_1.pair) + b"\x01"),
    ),
    (
        "key-65-zero-bytes",
        "Sixty-five bytes in a text shorter than a valid key's.",
        "key-length",
        encoded(bytes(65)),
    ),
    (
        "key-leading-one-added",
        "A valid key with a 1 in front, which is one more zero byte.",
        "key-length",
        "1" + RFC_1.text,
    ),
    (
        "key-text-too-long",
        "A text of 4 096 Base58 digits, to be refused by its length before it is decoded.",
        "key-length",
        "z" * 4_096,
    ),
    (
        "key-public-half-of-another",
        "The seed of one key and the public half of another.",
        "seed-mismatch",
        encoded(RFC_1.seed + bytes(RFC_2.pair.pubkey())),
    ),
    (
        "key-halves-swapped",
        "The public half in front of the seed.",
        "seed-mismatch",
        encoded(bytes(RFC_1.pair.pubkey()) + RFC_1.seed),
    ),
    (
        "key-public-half-zero",
        "A seed followed by zero bytes.",
        "seed-mismatch",
        encoded(RFC_1.seed + bytes(32)),
    ),
    ("key-trailing-newline", "A newline at the end.", "key-not-base58", RFC_1.text + "\n"),
    ("key-trailing-space", "A space at the end.", "key-not-base58", RFC_1.text + " "),
    ("key-leading-space", "A space in front.", "key-not-base58", " " + RFC_1.text),
    ("key-digit-zero", "The digit 0.", "key-not-base58", RFC_1.text[:-1] + "0"),
    ("key-capital-o", "The capital letter O.", "key-not-base58", RFC_1.text[:-1] + "O"),
    ("key-capital-i", "The capital letter I.", "key-not-base58", RFC_1.text[:-1] + "I"),
    ("key-small-l", "The small letter l.", "key-not-base58", RFC_1.text[:-1] + "l"),
    (
        "key-non-ascii-digit",
        "A full-width digit one (U+FF11) for a 1.",
        "key-not-base58",
        RFC_1.text[:-1] + "\uff11",
    ),
    ("key-hexadecimal", "The seed in hexadecimal.", "key-not-base58", RFC_1.seed.hex()),
)

# Name, description, reason, path, fields that replace or join those of a limit order.
DATA_ROWS: tuple[tuple[str, str, str, str, Case], ...] = (
    (
        "float-value",
        "A float, even for a price: money is a decimal string.",
        "float",
        "data.price",
        {"price": special("float:100000.5")},
    ),
    (
        "float-whole",
        "A float without a fraction is still a float.",
        "float",
        "data.amount",
        {"amount": special("float:1.0")},
    ),
    (
        "float-nested",
        "A float inside an object.",
        "float",
        "data.take_profit.stop_price",
        {"take_profit": {"stop_price": special("float:1.5")}},
    ),
    (
        "float-in-list",
        "A float in an object in a list.",
        "float",
        "data.legs[1].amount",
        {"legs": [{"amount": "1"}, {"amount": special("float:-0.0")}]},
    ),
    (
        "float-in-list-fraction",
        "A fraction in a list, where some languages have no other number for 1.0.",
        "float",
        "data.legs[1].amount",
        {"legs": [{"amount": "1"}, {"amount": special("float:1.5")}]},
    ),
    (
        "float-minus-zero",
        "Minus zero is a float.",
        "float",
        "data.price",
        {"price": special("float:-0.0")},
    ),
    (
        "half-surrogate-value",
        "The first half of a surrogate pair alone.",
        "non-ascii",
        "data.symbol",
        {"symbol": "BTC\ud800"},
    ),
    (
        "half-surrogate-second",
        "The second half of a surrogate pair alone, in a list.",
        "non-ascii",
        "data.symbols[0]",
        {"symbols": ["\udc00"]},
    ),
    ("nan-value", "Not a number.", "nan", "data.price", {"price": special("nan")}),
    (
        "infinity-value",
        "Positive infinity.",
        "infinity",
        "data.price",
        {"price": special("infinity")},
    ),
    (
        "infinity-negative",
        "Negative infinity, in a list.",
        "infinity",
        "data.prices[0]",
        {"prices": [special("-infinity")]},
    ),
    (
        "non-ascii-value",
        "A letter outside ASCII.",
        "non-ascii",
        "data.symbol",
        {"symbol": "BTC\u00e9"},
    ),
    (
        "non-ascii-value-in-list",
        "A character beyond the basic plane, in a list.",
        "non-ascii",
        "data.symbols[1]",
        {"symbols": ["BTC", "\U0001f680"]},
    ),
    (
        "non-ascii-c1-control",
        "U+0080, the first character after DEL.",
        "non-ascii",
        "data.note",
        {"note": "\x80"},
    ),
    (
        "non-ascii-key",
        "A key outside ASCII; the path names the object that holds it.",
        "non-ascii",
        "data",
        {"pre\u00e7o": "1"},
    ),
    (
        "non-ascii-key-nested",
        "A key outside ASCII inside an object; the path names the object that holds it.",
        "non-ascii",
        "data.stop_loss",
        {"stop_loss": {"stop_price": "1", "\u00fcber": "2"}},
    ),
)

# Fields that the flat body carries already.
RESERVED: Case = {
    "account": RFC_2.address,
    "agent_wallet": None,
    "signature": "1",
    "timestamp": 1,
    "expiry_window": 1,
}


def refused_case(name: str, description: str, given: Json, refused: Json) -> Case:
    return {
        "name": name,
        "kind": "signing-refused",
        "description": description,
        "given": given,
        "refused": refused,
    }


def key_case(name: str, description: str, reason: str, text: str) -> Case:
    return refused_case(name, description, {"private_key": text}, {"reason": reason})


def data_case(name: str, description: str, reason: str, path: str, fields: Case) -> Case:
    given: Case = {
        "private_key": COUNTING.text,
        "account": COUNTING.address,
        "agent_wallet": None,
        "signing_type": "create_order",
        "timestamp": TIMESTAMP,
        "expiry_window": WINDOW,
        "data": {**LIMIT_ORDER, **fields},
    }
    return refused_case(name, description, given, {"reason": reason, "path": path})


def reserved_case(field: str, value: Json) -> Case:
    return data_case(
        f"reserved-field-{field.replace('_', '-')}",
        f"An own field named {field} would overwrite the one the body carries.",
        "reserved-field",
        f"data.{field}",
        {field: value},
    )


CASES = (
    *(key_case(*row) for row in KEY_ROWS),
    *(data_case(*row) for row in DATA_ROWS),
    *(reserved_case(field, value) for field, value in RESERVED.items()),
)
