"""Signing cases on the edges of the canonical text, of keys and of the header.

Most carry fields that no endpoint has: what is tested is the text, not the endpoint.
"""

from __future__ import annotations

from tests.spec.vector_cases_base import (
    LEADING_ONE,
    RFC_1,
    RFC_2,
    RFC_3,
    TIMESTAMP,
    ZERO,
    Json,
    Object,
)
from tests.spec.vector_cases_signing import Signing

CANCEL: Object = {"symbol": "BTC", "order_id": 7}

SORTING: tuple[tuple[str, str, Object], ...] = (
    (
        "sort-byte-order",
        "Keys sort by byte: capitals before underscore before small letters.",
        {"symbol": 1, "Symbol": 2, "_symbol": 3, "SYMBOL": 4, "sYmbol": 5, "Zeta": 6, "alpha": 7},
    ),
    (
        "sort-underscore-and-prefix",
        "A prefix sorts before its extensions, and an underscore after digits and capitals.",
        {"ab": 1, "a_b": 2, "aB": 3, "a": 4, "a1": 5, "aa": 6, "a-b": 7, "a b": 8},
    ),
    (
        "sort-digit-keys",
        "Keys that look like numbers sort as text, whatever order the language gives them.",
        {"10": "ten", "9": "nine", "2": "two", "1": "one", "01": "zero one", "-1": "minus one"},
    ),
    (
        "sort-escaped-keys",
        "Keys sort as they are, before escaping, and are escaped like any string.",
        {"a": 1, '"': 2, "\\": 3, "\n": 4, "/": 5, "": 6, "\u0001": 7, "]": 8},
    ),
    (
        "sort-objects-in-lists",
        "Objects inside lists are sorted too, and the list keeps its order.",
        {
            "legs": [{"side": "bid", "amount": "2"}, {"side": "ask", "amount": "1"}, {}],
            "groups": [[{"z": 1, "a": [{"y": True, "b": None}]}], []],
        },
    ),
    (
        "sort-deep-nesting",
        "Keys are sorted at every depth.",
        {"z": {"y": {"x": {"w": {"v": {"u": 1, "a": 2}, "b": 3}, "c": 4}, "d": 5}, "e": 6}, "f": 7},
    ),
    (
        "own-fields-named-like-header",
        "Own fields named type and data are signed inside data and sent at top level.",
        {"type": "own", "data": {"type": "inner", "data": None}},
    ),
    (
        "nested-fields-named-like-body",
        "Names that the body reserves are free below the top level.",
        {
            "stop_order": {"timestamp": 1, "signature": "s", "account": "a", "expiry_window": 2},
            "legs": [{"timestamp": 3, "agent_wallet": None}],
        },
    ),
)

VALUES: tuple[tuple[str, str, Json], ...] = (
    (
        "integers-beyond-double",
        "Integers that a 64-bit float would round are written digit for digit.",
        [9007199254740993, -9007199254740993, 9223372036854775807, -9223372036854775808],
    ),
    (
        "integers-beyond-64-bits",
        "Integers of more than 64 bits are written digit for digit, too.",
        [2**63, 2**64, -(2**63) - 1, 10**30, -(10**99)],
    ),
    (
        "own-key-proto",
        "__proto__ is a key like any other, at every depth.",
        [{"__proto__": {"__proto__": 1, "a": 2}, "constructor": 3}],
    ),
    ("integers-small", "Zero and negative integers carry no plus sign.", [0, -1, 1, -42]),
    (
        "booleans-and-nulls",
        "Booleans are true and false, never 1, 0 or a word with a capital.",
        [True, False, None, 1, 0, "true", "null", {"on": True, "none": None, "active": False}],
    ),
    (
        "empty-values",
        "Empty strings, lists and objects are kept and hold no white space.",
        ["", [], {}, [[]], [{}], {"list": [], "text": "", "object": {}}],
    ),
    (
        "text-quotes-and-backslash",
        "A quote and a backslash are escaped; an apostrophe is not.",
        ['say "BTC"', "C:\\keys\\", '\\"', "it's", "\\u0041", "\\n"],
    ),
    (
        "text-slash-and-markup",
        "A slash, < > & and = are not escaped.",
        ["BTC/USDC", "</script>", "a<b>c&d=e", "//"],
    ),
    (
        "text-control-characters",
        "Control characters: five short escapes, the rest as four small hexadecimal digits.",
        "".join(chr(code) for code in range(0x20)),
    ),
    (
        "text-del",
        "DEL (0x7f) is escaped as \\u007f, which many JSON writers do not do by themselves.",
        ["\x7f", "a\x7fb"],
    ),
    (
        "text-all-printable",
        "Every printable ASCII character; only quote and backslash are escaped.",
        "".join(chr(code) for code in range(0x20, 0x7F)),
    ),
    (
        "text-white-space",
        "White space inside strings is kept.",
        [" ", "  two  spaces  ", "tab\there", "line\r\nline", ": , {} []"],
    ),
    (
        "text-decimal-strings",
        "Decimal strings are sent and signed as given, never made shorter.",
        ["1.50", "0.10000000", "100000.0", "-0", "007", "1e-7", "0.000000000000000001"],
    ),
)

KEYS = (
    Signing(
        "key-all-zero-seed",
        "A seed of zero bytes: the Base58 text of the key begins with thirty-two times 1.",
        "cancel_order",
        CANCEL,
        key=ZERO,
    ),
    Signing(
        "key-zero-bytes-in-front",
        "A 64-byte key that begins with zero bytes: each is one leading 1 in Base58.",
        "cancel_order",
        CANCEL,
        key=LEADING_ONE,
    ),
    Signing(
        "address-with-leading-one",
        "A public key that begins with a zero byte: the address begins with 1.",
        "cancel_order",
        CANCEL,
        key=LEADING_ONE,
    ),
    Signing("key-rfc-8032-test-1", "The key of RFC 8032, test 1.", "cancel_order", CANCEL, RFC_1),
    Signing("key-rfc-8032-test-2", "The key of RFC 8032, test 2.", "cancel_order", CANCEL, RFC_2),
    Signing(
        "key-rfc-8032-test-3",
        "The key of RFC 8032, test 3.",
        "cancel_order",
        CANCEL,
        RFC_3,
    ),
)

HEADERS = (
    Signing(
        "header-timestamp-zero",
        "A timestamp of zero is written, not taken for absent.",
        "cancel_order",
        CANCEL,
        timestamp=0,
    ),
    Signing(
        "header-timestamp-large",
        "A timestamp of sixteen digits.",
        "cancel_order",
        CANCEL,
        timestamp=9007199254740993,
    ),
    Signing(
        "header-window-smallest",
        "A window of one millisecond.",
        "cancel_order",
        CANCEL,
        window=1,
    ),
    Signing(
        "signature-with-leading-one",
        "A signature that begins with a zero byte: its Base58 text begins with 1.",
        "cancel_order",
        CANCEL,
        # Found by trying one timestamp after another.
        timestamp=TIMESTAMP + 10,
    ),
)

CASES = (
    *(Signing(name, text, "create_order", data) for name, text, data in SORTING),
    *(Signing(name, text, "create_order", {"value": value}) for name, text, value in VALUES),
    *KEYS,
    *HEADERS,
)
