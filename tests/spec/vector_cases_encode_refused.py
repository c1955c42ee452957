"""Encode cases that are refused before anything is sent, and `explain`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.interface import METHODS, samples
from tests.spec.vector_cases_base import COUNTING, TIMESTAMP, WINDOW, Case, Json, canonical_text
from tests.spec.vector_cases_encode import LIMIT, client, given, signed_data

CANCEL = {"symbol": "BTC", "order_id": 7}


def refused(
    name: str,
    rule: str,
    description: str,
    operation: str,
    arguments: Any,
    *features: str,
    class_: str = "request",
    **more: Any,
) -> Case:
    """A call that is refused."""
    needed: dict[str, Json] = {"features": list(features)} if features else {}
    return {
        "name": f"refused-{name}",
        "kind": "encode",
        "description": description,
        "rule": rule,
        **needed,
        "given": given(operation, arguments, **more),
        "expect": {"error": {"class": class_}},
    }


def _order(name: str, rule: str, description: str, *features: str, **more: Any) -> Case:
    return refused(name, rule, description, "orders.create", {**LIMIT, **more}, *features)


def _decimal(name: str, value: Any, *features: str) -> Case:
    words = f"{name}: not a plain decimal like 100.5, so it is refused."
    return _order(f"decimal-{name}", "encode-decimal-grammar", words, *features, amount=value)


def _without(name: str, **more: Any) -> dict[str, Any]:
    return {key: value for key, value in {**LIMIT, **more}.items() if key != name}


_FLOAT, _TYPES = "float", "wrong-types"
DECIMALS = (
    _decimal("leading-zero", "01"),
    _decimal("exponent", "1e5"),
    _decimal("plus", "+1"),
    _decimal("empty", ""),
    _decimal("point-last", "1."),
    _decimal("point-first", ".5"),
    _decimal("space", " 1"),
    _decimal("newline", "1\n"),
    _decimal("underscore", "1_000"),
    _decimal("comma", "1,5"),
    _decimal("nan", "NaN"),
    _decimal("infinity", "Infinity"),
    _decimal("hexadecimal", "0x10"),
    _decimal("full-width-digit", "\uff11"),
    _decimal("arabic-digit", "\u0661"),
    _decimal("two-signs", "--1"),
    _decimal("words", "market"),
    _decimal("101-characters", "9" * 101),
    _decimal("float", {"$float": "1.5"}, _FLOAT),
    _decimal("float-nan", {"$float": "nan"}, _FLOAT),
    _decimal("float-infinity", {"$float": "infinity"}, _FLOAT),
    _decimal("boolean", True, _TYPES),
    _decimal("list", ["1"], _TYPES),
    _decimal("null", None),
)

VALUES = (
    _order("enum", "encode-enum", "A value that the enum does not have.", side="buy"),
    _order("enum-case", "encode-enum", "Capitals make it another value.", side="BID"),
    _order("enum-empty", "encode-enum", "An empty text.", tif=""),
    _order("enum-prototype", "encode-enum", "A name that objects have anyway.", tif="constructor"),
    _order(
        "enum-nested",
        "encode-enum",
        "An enum inside of a nested object.",
        stop_loss={"stop_price": "1", "trigger_price_type": "index"},
    ),
    _order("pattern-short", "encode-pattern", "Two characters.", builder_code="ab"),
    _order("pattern-long", "encode-pattern", "Seventeen characters.", builder_code="a" * 17),
    _order("pattern-other", "encode-pattern", "A character outside of it.", builder_code="ab-c"),
    _order("pattern-newline", "encode-pattern", "A newline behind it.", builder_code="abc\n"),
    _order(
        "pattern-non-ascii",
        "encode-pattern",
        "A letter outside of ASCII.",
        builder_code="abc\u00e9",
    ),
    _order(
        "uuid-plain",
        "encode-uuid",
        "Without hyphens.",
        client_order_id=samples.ID_A.replace("-", ""),
    ),
    _order("uuid-braces", "encode-uuid", "In braces.", client_order_id=f"{{{samples.ID_A}}}"),
    _order("uuid-urn", "encode-uuid", "As a URN.", client_order_id=f"urn:uuid:{samples.ID_A}"),
    _order("uuid-short", "encode-uuid", "A digit is missing.", client_order_id=samples.ID_A[:-1]),
    _order(
        "uuid-letter",
        "encode-uuid",
        "A letter that is no digit.",
        client_order_id=f"g{samples.ID_A[1:]}",
    ),
    _order(
        "uuid-newline", "encode-uuid", "A newline behind it.", client_order_id=f"{samples.ID_A}\n"
    ),
    _order("uuid-empty", "encode-uuid", "An empty text.", client_order_id=""),
    _order("text-empty", "encode-text", "The symbol has one character at least.", symbol=""),
    _order("text-number", "encode-text", "A number for a text.", _TYPES, symbol=5),
    _order("text-null", "encode-text", "null for a text that must be there.", symbol=None),
    refused(
        "null-cursor",
        "encode-null-cursor",
        "The next cursor of a last page, passed back.",
        "trades.history",
        {"symbol": "BTC", "cursor": None},
    ),
    _order("boolean-text", "encode-boolean", "A text for a boolean.", _TYPES, reduce_only="false"),
    _order("boolean-number", "encode-boolean", "A number for a boolean.", _TYPES, reduce_only=0),
    _order("boolean-null", "encode-boolean", "null for a boolean.", reduce_only=None),
    _order("object-text", "encode-object", "A text for an object.", _TYPES, stop_loss="90000"),
    _order("object-list", "encode-object", "A list for an object.", _TYPES, stop_loss=[]),
    _order(
        "nested-unknown",
        "encode-unknown",
        "An unknown key in a nested object.",
        stop_loss={"stop_price": "1", "price": "1"},
    ),
    _order(
        "nested-missing",
        "encode-required",
        "A key that must be there is missing in a nested object.",
        stop_loss={},
    ),
    _order("unknown", "encode-unknown", "An argument that there is not.", post_only=True),
    refused(
        "no-arguments",
        "encode-unknown",
        "An argument of an operation that takes none.",
        "api_keys.create",
        {"symbol": "BTC"},
    ),
    _order(
        "unknown-reserved",
        "encode-unknown",
        "What the SDK writes itself cannot be given.",
        signature="x",
    ),
    _order(
        "unknown-prototype",
        "encode-unknown",
        "A name that objects have anyway.",
        __proto__={"a": "b"},
    ),
    refused(
        "missing", "encode-required", "The price is missing.", "orders.create", _without("price")
    ),
    refused(
        "list-text",
        "encode-text",
        "A text for a list of texts.",
        "vaults.remove_blacklist",
        {"lake": samples.LAKE, "symbols": "BTC"},
        _TYPES,
    ),
    refused(
        "list-item",
        "encode-text",
        "A number in a list of texts.",
        "vaults.remove_blacklist",
        {"lake": samples.LAKE, "symbols": ["BTC", 5]},
        _TYPES,
    ),
)

NUMBERS = (
    refused(
        "integer-too-large",
        "encode-int64",
        "More than 64 bits.",
        "orders.cancel",
        {**CANCEL, "order_id": 2**63},
    ),
    refused(
        "integer-too-small",
        "encode-int64",
        "Fewer than the least of 64 bits.",
        "orders.cancel",
        {**CANCEL, "order_id": -(2**63) - 1},
    ),
    refused(
        "integer-fraction",
        "encode-int64",
        "A fraction for an integer.",
        "orders.cancel",
        {**CANCEL, "order_id": {"$float": "7.5"}},
        _FLOAT,
    ),
    refused(
        "integer-whole-float",
        "encode-int64",
        "7.0 for an integer.",
        "orders.cancel",
        {**CANCEL, "order_id": {"$float": "7.0"}},
        _FLOAT,
    ),
    refused(
        "integer-text",
        "encode-int64",
        "A text for an integer.",
        "orders.cancel",
        {**CANCEL, "order_id": "7"},
        _TYPES,
    ),
    refused(
        "integer-boolean",
        "encode-int64",
        "A boolean for an integer.",
        "orders.cancel",
        {**CANCEL, "order_id": True},
        _TYPES,
    ),
    *(
        refused(
            f"order-id-{word}",
            "encode-minimum",
            "No order has such an id.",
            operation,
            {**arguments, "order_id": value},
        )
        for word, value in (("zero", 0), ("negative", -1))
        for operation, arguments in (("orders.cancel", CANCEL),)
    ),
    refused(
        "limit-zero",
        "encode-minimum",
        "A page of nothing.",
        "orders.history",
        {"limit": 0},
    ),
    refused(
        "limit-too-large",
        "encode-maximum",
        "One more than is documented.",
        "funding.history",
        {"symbol": "BTC", "limit": 4001},
    ),
    *(
        refused(
            f"time-in-seconds-{word}",
            "encode-times",
            f"The {word} one that can only be seconds.",
            "trades.history",
            {"start_time": time},
        )
        for word, time in (("smallest", 10**8), ("largest", 10**11))
    ),
    *(
        refused(
            f"time-in-{word}",
            "encode-times",
            f"A time that can only be {word}.",
            "trades.history",
            {"start_time": time},
        )
        for word, time in (
            ("microseconds", TIMESTAMP * 1_000),
            ("microseconds-smallest", 10**14),
            ("microseconds-largest", 10**17 - 1),
            ("nanoseconds", TIMESTAMP * 10**6),
            ("nanoseconds-smallest", 10**17),
        )
    ),
    refused(
        "time-in-seconds",
        "encode-times",
        "A time that can only be seconds.",
        "trades.history",
        {"start_time": TIMESTAMP // 1000},
    ),
)

CONDITIONS = (
    refused(
        "range-reversed",
        "encode-not-before",
        "The end of a range is before its start, so no record is in between.",
        "trades.history",
        {"start_time": TIMESTAMP, "end_time": TIMESTAMP - 1},
    ),
    refused(
        "neither-id",
        "encode-exactly-one",
        "Neither of the two ids.",
        "orders.cancel",
        {"symbol": "BTC"},
    ),
    refused(
        "both-ids",
        "encode-exactly-one",
        "Both ids, where one is asked for.",
        "orders.cancel",
        {**CANCEL, "client_order_id": samples.ID_A},
    ),
    refused(
        "neither-id-edit",
        "encode-exactly-one",
        "Neither id of the order to edit.",
        "orders.edit",
        {"symbol": "BTC", "price": "1", "amount": "1"},
    ),
    refused(
        "both-ids-edit",
        "encode-exactly-one",
        "Both ids of the order to edit.",
        "orders.edit",
        {**CANCEL, "price": "1", "amount": "1", "client_order_id": samples.ID_A},
    ),
    refused(
        "null-ids",
        "encode-exactly-one",
        "null counts as not given.",
        "orders.cancel",
        {"symbol": "BTC", "order_id": None, "client_order_id": None},
    ),
    refused(
        "no-leg",
        "encode-at-least-one",
        "Neither a take-profit nor a stop-loss.",
        "orders.set_position_tpsl",
        {"symbol": "BTC", "side": "ask"},
    ),
    refused(
        "no-id-stop",
        "encode-at-least-one",
        "Neither id of the stop order.",
        "orders.cancel_stop",
        {"symbol": "BTC"},
    ),
)


def _actions(*actions: tuple[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {"actions": [{"type": type_, "arguments": dict(each)} for type_, each in actions]}


_AGAIN = ("Create", {**LIMIT, "client_order_id": samples.ID_A})
BATCHES = (
    refused(
        "batch-empty", "encode-batch", "A batch without actions.", "orders.batch", {"actions": []}
    ),
    refused(
        "batch-eleven",
        "encode-batch",
        "Eleven actions.",
        "orders.batch",
        _actions(*[("Cancel", CANCEL)] * 11),
    ),
    refused(
        "batch-one-wrong",
        "encode-batch",
        "One action of two is wrong: nothing is sent.",
        "orders.batch",
        _actions(("Cancel", CANCEL), ("Cancel", {"symbol": "BTC"})),
    ),
    refused(
        "batch-same-id",
        "encode-batch",
        "Two actions with one id: no list could tell them apart.",
        "orders.batch",
        _actions(*[_AGAIN] * 2),
    ),
    refused(
        "batch-same-id-edited",
        "encode-batch",
        "An edit between them keeps the id in use.",
        "orders.batch",
        _actions(
            _AGAIN,
            (
                "Edit",
                {"symbol": "BTC", "client_order_id": samples.ID_A, "price": "1", "amount": "1"},
            ),
            _AGAIN,
        ),
    ),
)

HALF = {"$utf16": [{"$int": str(0xD800)}]}
TEXTS = (
    refused(
        "half-surrogate-signed",
        "encode-surrogates",
        "Half a surrogate pair in what is signed.",
        "orders.cancel",
        {**CANCEL, "symbol": HALF},
        "half-surrogates",
        class_="signing",
    ),
    refused(
        "half-surrogate-query",
        "encode-surrogates",
        "Half a surrogate pair in a query.",
        "trades.history",
        {"symbol": HALF},
        "half-surrogates",
    ),
    refused(
        "non-ascii-signed",
        "encode-ascii",
        "Text outside ASCII is not signed.",
        "orders.cancel",
        {**CANCEL, "symbol": "caf\u00e9"},
        class_="signing",
    ),
    refused(
        "non-ascii-signed-emoji",
        "encode-ascii",
        "Nor is a whole surrogate pair.",
        "orders.cancel",
        {**CANCEL, "symbol": "\U0001f680"},
        class_="signing",
    ),
)

_ELSEWHERE = "http://exchange.example"
CLIENTS = (
    refused(
        "no-signer",
        "encode-signer",
        "Without a signer nothing is signed.",
        "orders.cancel",
        CANCEL,
        client=client(None, account=COUNTING.address),
    ),
    refused(
        "no-account",
        "encode-account",
        "Nobody said whose settings to read.",
        "account.settings",
        {},
        client=client(None),
    ),
    refused(
        "account-not-address",
        "encode-account",
        "An account that is no address.",
        "account.settings",
        {"account": "me"},
    ),
    refused(
        "account-short",
        "encode-account",
        "Base58 of 31 bytes is no address.",
        "account.settings",
        {},
        client=client(None, account="1" * 31),
    ),
    refused(
        "signing-type-documented",
        "encode-signing-type",
        "A documented signing type is not replaced.",
        "orders.create",
        LIMIT,
        client=client(signing_types={"orders.create": "x"}),
    ),
    refused(
        "signing-type-unknown",
        "encode-signing-type",
        "There is no such operation.",
        "orders.create",
        LIMIT,
        client=client(signing_types={"orders.make": "x"}),
    ),
    refused(
        "window-zero",
        "encode-window",
        "A window of nothing.",
        "orders.cancel",
        CANCEL,
        client=client(expiry_window=0),
    ),
    refused(
        "window-in-seconds",
        "encode-window",
        "A window of less than 100 ms, which is 99 in seconds.",
        "orders.cancel",
        CANCEL,
        client=client(expiry_window=99),
    ),
    refused(
        "window-beyond-a-day",
        "encode-window",
        "A window of more than a day.",
        "orders.cancel",
        CANCEL,
        client=client(expiry_window=86_400_001),
    ),
    refused(
        "window-negative",
        "encode-window",
        "A negative window.",
        "orders.cancel",
        CANCEL,
        client=client(expiry_window=-1),
    ),
    refused(
        "timeout-zero",
        "encode-options",
        "A timeout of nothing.",
        "orders.cancel",
        CANCEL,
        client=client(timeout={"$float": "0"}),
    ),
    refused(
        "timeout-endless",
        "encode-options",
        "A timeout without an end.",
        "orders.cancel",
        CANCEL,
        client=client(timeout={"$float": "infinity"}),
    ),
    refused(
        "attempts-zero",
        "encode-options",
        "No attempt at all.",
        "orders.cancel",
        CANCEL,
        client=client(retry={"max_attempts": 0}),
    ),
    refused(
        "clock-unknown",
        "encode-options",
        "A clock that there is not.",
        "orders.cancel",
        CANCEL,
        client=client(clock="atomic"),
    ),
    refused(
        "api-key-newline",
        "encode-api-key",
        "A line break in the API key would be another header.",
        "account.settings",
        {},
        client=client(api_key="a\r\nX-Evil: 1"),
    ),
    refused(
        "api-key-space",
        "encode-api-key",
        "White space around the API key.",
        "account.settings",
        {},
        client=client(api_key=" Key1"),
    ),
    refused(
        "api-key-empty",
        "encode-api-key",
        "An empty API key.",
        "account.settings",
        {},
        client=client(api_key=""),
    ),
    refused(
        "plain-http",
        "encode-base-url",
        "Plain HTTP leaves this machine.",
        "account.settings",
        {},
        client=client(base_url=_ELSEWHERE),
    ),
    refused(
        "plain-http-lookalike",
        "encode-base-url",
        "A host that begins like this machine.",
        "account.settings",
        {},
        client=client(base_url="http://localhost.evil.example"),
    ),
    refused(
        "plain-http-any",
        "encode-base-url",
        "0.0.0.0 is not this machine alone.",
        "account.settings",
        {},
        client=client(base_url="http://0.0.0.0:1"),
    ),
    refused(
        "url-user",
        "encode-base-url",
        "A user in the URL.",
        "account.settings",
        {},
        client=client(base_url="https://user:secret@exchange.example"),
    ),
    refused(
        "url-query",
        "encode-base-url",
        "A query in the URL.",
        "account.settings",
        {},
        client=client(base_url="https://exchange.example/?a=b"),
    ),
    refused(
        "url-fragment",
        "encode-base-url",
        "A fragment in the URL.",
        "account.settings",
        {},
        client=client(base_url="https://exchange.example/#a"),
    ),
    refused(
        "url-backslash",
        "encode-base-url",
        "A backslash, which parsers read in different ways.",
        "account.settings",
        {},
        client=client(base_url="https://exchange.example\\@evil.example"),
    ),
    refused(
        "url-scheme",
        "encode-base-url",
        "Another scheme.",
        "account.settings",
        {},
        client=client(base_url="ftp://exchange.example"),
    ),
    refused(
        "url-none",
        "encode-base-url",
        "No URL.",
        "account.settings",
        {},
        client=client(base_url="exchange"),
    ),
)


def _explained(
    name: str, description: str, operation: str, arguments: dict[str, Any], sent: dict[str, Any]
) -> Case:
    body = signed_data(METHODS[operation], sent)
    text = canonical_text(METHODS[operation].signing_type or "", sent, TIMESTAMP, WINDOW)
    told: dict[str, Json] = {
        "address": COUNTING.address,
        "canonical": text,
        "signature": body["signature"],
        "body": body,
    }
    return {
        "name": f"explain-{name}",
        "kind": "explain",
        "description": description,
        "rule": "encode-explain",
        "features": ["explain"],
        "given": given(operation, arguments),
        "expect": {"result": told},
    }


def _not_explained(
    name: str, description: str, operation: str, arguments: dict[str, Any], **more: Any
) -> Case:
    found = refused(name, "encode-explain", description, operation, arguments, "explain", **more)
    return {**found, "name": f"explain-{name}", "kind": "explain"}


EXPLAINED = (
    _explained(
        "order",
        "A limit order, with the id that is made.",
        "orders.create",
        LIMIT,
        {**LIMIT, "client_order_id": samples.ID_A},
    ),
    _explained("action", "An action that only a batch has.", "orders.cancel", CANCEL, CANCEL),
    _explained("no-fields", "An operation without own fields.", "subaccounts.list", {}, {}),
    _not_explained("read", "A read is not signed.", "account.settings", {}),
    _not_explained(
        "batch", "A batch is not signed as a whole.", "orders.batch", _actions(("Cancel", CANCEL))
    ),
    _not_explained("unknown", "There is no such operation.", "orders.make", {}),
    _not_explained("wrong", "Arguments are checked.", "orders.cancel", {"symbol": "BTC"}),
    _not_explained("no-arguments", "It takes no argument.", "subaccounts.list", {"symbol": "BTC"}),
    _not_explained(
        "no-signer",
        "Without a signer nothing is signed.",
        "orders.cancel",
        CANCEL,
        client=client(None, account=COUNTING.address),
    ),
)

CASES: tuple[Case, ...] = (
    *DECIMALS,
    *VALUES,
    *NUMBERS,
    *CONDITIONS,
    *BATCHES,
    *TEXTS,
    *CLIENTS,
    *EXPLAINED,
)
