"""Decode cases that port authors got wrong: successes that refuse, refusals that succeed, types, and grammar."""

from __future__ import annotations

import base64
from typing import Any

from tests.interface import samples
from tests.spec.vector_cases_base import Case
from tests.spec.vector_cases_decode import text
from tests.spec.vector_cases_records import SETTINGS, TRADE

ORDER, BATCH, TRADES = "orders.create", "orders.batch", "trades.history"
RESULTS = {
    ORDER: "order_placed",
    BATCH: "batch_results",
    TRADES: "trade_page",
    "subaccounts.transfer": "acknowledged",
    "account.settings": "account_settings",
    "orders.cancel_stop": "acknowledged",
    "spot.withdraw": "withdrawal_receipt",
}
DECODE = {"error": "decode", "status": 200}


def answer(
    name: str,
    rule: str,
    description: str,
    operation: str,
    body: Any,
    expect: Any,
    status: int = 200,
) -> Case:
    """An answer, and what it means."""
    written = body if isinstance(body, str) else text(body)
    given = {
        "operation": operation,
        "result": RESULTS[operation],
        "status": status,
        "body": written,
    }
    head = {"name": name, "kind": "decode", "description": description, "rule": rule}
    return {**head, "given": given, "expect": expect}


def unusable(
    name: str, rule: str, words: str, operation: str, body: Any, status: int = 200
) -> Case:
    """An answer that cannot be used."""
    expect = {"error": "decode", "status": status}
    return answer(f"answer-{name}", rule, words, operation, body, expect, status)


def value(name: str, rule: str, words: str, operation: str, body: Any, found: Any) -> Case:
    """A result."""
    return answer(f"answer-{name}", rule, words, operation, body, {"value": found})


def refusal(
    name: str,
    rule: str,
    words: str,
    operation: str,
    body: Any,
    message: str | None,
    code: Any = None,
    status: int = 400,
) -> Case:
    """A refusal, with its text and its code."""
    expect = {"error": "api", "status": status, "code": code, "message": message}
    return answer(f"answer-{name}", rule, words, operation, body, expect, status)


_AGAINST, _INNER = "decode-contradiction", "decode-refused-in-2xx"
_ENVELOPE, _BATCH, _CODE = "decode-envelope", "decode-batch", "decode-refused"
_CODE_2XX = "decode-code-in-2xx"
_RESULT = {"success": True, "order_id": 5}
_FAILED = {"success": False, "error": "no"}
CONTRADICTIONS = (
    *(unusable(f"success-under-{status}", _AGAINST, f"A whole result under {status}.", ORDER, {"success": True, "data": {"order_id": 1}}, status) for status in (400, 422, 500)),
    *(unusable(f"results-under-{status}", _AGAINST, f"Results of a batch under {status}.", BATCH, {"success": False, "data": {"results": [_RESULT]}}, status) for status in (400, 500)),
    unusable("failures-under-400", _AGAINST, "Results that all failed, under 400: the field of the result is there.", BATCH, {"success": False, "data": {"results": [_FAILED]}}, 400),
    unusable("ids-of-a-refused-batch", _AGAINST, "A refused batch that names orders, in the plural: a field of its results.", BATCH, {"success": False, "data": {"order_ids": [7]}}, 500),
    unusable("success-alone-under-400", _AGAINST, "Nothing but success under 400.", "subaccounts.transfer", {"success": True}, 400),
    refusal("read-success-under-400", _CODE, "Of a read a 400 is a refusal, whatever its body says.", "account.settings", {"success": True, "data": SETTINGS}, None),
    unusable("inner-failure-with-result", _AGAINST, "A failure inside, beside a result.", ORDER, {"success": True, "data": {"success": False, "order_id": 1}}),
    unusable("inner-error-beside-success", _AGAINST, "An error inside a success.", "subaccounts.transfer", {"success": True, "data": {"success": True, "error": "no"}}),
    unusable("inner-error-alone", _AGAINST, "An error inside, without a word of success there.", "subaccounts.transfer", {"success": True, "data": {"error": "no"}}),
    *(value(f"empty-error-{name}", _AGAINST, "An error that says nothing is none.", "subaccounts.transfer", {"success": True, "error": error, "data": {"success": True, "error": error}}, None) for name, error in (("text", ""), ("false", False), ("object", {}), ("list", []))),
    value("action-empty-error", _BATCH, "An error of an action that says nothing is none.", BATCH, {"success": True, "data": {"results": [{"success": True, "error": ""}, {"success": True, "error": False}]}}, [{"success": True}] * 2),
    unusable("error-alone", _AGAINST, "An error without a code and without a word of success.", ORDER, {"error": "no"}),
    unusable("error-and-code-beside-result", _AGAINST, "An error and a code beside a result.", ORDER, {"order_id": 1, "error": "no", "code": 400}),
    unusable("success-as-text", _AGAINST, "success as a text.", "subaccounts.transfer", {"success": "true"}),
    unusable("success-as-number", _AGAINST, "success as a number.", "subaccounts.transfer", {"success": 1}),
    unusable("action-success-with-error", _BATCH, "An action with success and an error.", BATCH, {"success": True, "data": {"results": [{"success": True, "error": "no"}]}}),
    unusable("action-without-success", _BATCH, "An action that says neither.", BATCH, {"success": True, "data": {"results": [{"order_id": 5}]}}),
    unusable("action-success-null", _BATCH, "An action whose success is null.", BATCH, {"success": True, "data": {"results": [{"success": None}]}}),
    unusable("action-id-text", _BATCH, "An order id as a text.", BATCH, {"success": True, "data": {"results": [{"success": True, "order_id": "5"}]}}),
    value("action-failed-without-words", _BATCH, "An action that failed without a word.", BATCH, {"success": True, "data": {"results": [{"success": False}]}}, [{"success": False}]),
    value("results-without-envelope", _ENVELOPE, "Results without an envelope.", BATCH, {"results": [{"success": True}]}, [{"success": True}]),
)  # fmt: skip

ENVELOPES = (
    value("data-beside-a-bare-result", _ENVELOPE, "Without success, a field of the result shows that data is no envelope.", ORDER, {"order_id": 1, "data": {}}, {"order_id": 1}),
    unusable("page-of-html-under-201", "json-grammar", "HTML under 201.", "account.settings", "<html>", 201),
    value("success-inside-data", _ENVELOPE, "success stands inside of data alone.", ORDER, {"data": {"success": True, "order_id": 1}}, {"order_id": 1}),
    unusable("success-and-empty-data", "decode-shape", "success beside an empty data, where an order id must be.", ORDER, {"success": True, "data": {}}),
    unusable("id-beside-empty-data", "decode-shape", "The id beside an empty data: the result is in the envelope if there is one.", ORDER, {"success": True, "order_id": 1, "data": {}}),
    unusable("id-beside-null-data", "decode-shape", "The id beside a data that is null.", ORDER, {"success": True, "order_id": 1, "data": None}),
    unusable("data-as-number", "decode-acknowledged", "data that is neither an object nor null.", "subaccounts.transfer", {"success": True, "data": 5}),
    answer("answer-created", _ENVELOPE, "Any 2xx is a success.", ORDER, {"order_id": 1}, {"value": {"order_id": 1}}, 201),
    unusable("no-content", "json-grammar", "A 204 has no body.", "subaccounts.transfer", "", 204),
    refusal("outer-error-first", _INNER, "The outer error comes before the inner one.", ORDER, {"success": False, "error": "outer", "data": {"success": False, "error": "inner"}}, "outer", status=200),
    refusal("inner-error", _INNER, "The inner error and code, where the outer ones are null.", ORDER, {"success": False, "error": None, "data": {"success": False, "error": "inner", "code": 3}}, "inner", 3, 200),
    refusal("inner-code", _CODE, "Text and code are looked for on their own.", ORDER, {"error": "outer", "data": {"error": "inner", "code": 3}}, "outer", 3),
)  # fmt: skip

CODES = (
    refusal("code-boolean", _CODE, "A boolean is no code.", ORDER, {"error": "no", "code": True}, "no"),
    refusal("code-empty", _CODE, "Nor is an empty text.", ORDER, {"error": "no", "code": ""}, "no"),
    refusal("echo-of-a-refusal", _AGAINST, "A refusal may repeat what was sent.", "spot.withdraw", {"error": "no", "symbol": "SOL"}, "no"),
    refusal("code-fraction", _CODE, "Nor is a fraction.", ORDER, {"error": "no", "code": 1.5}, "no"),
    refusal("code-object", _CODE, "Nor is an object.", ORDER, {"error": "no", "code": {"a": 1}}, "no"),
    refusal("code-large", _CODE, "A code of 31 digits is told exactly.", ORDER, {"error": "no", "code": 10**30}, "no", 10**30),
    refusal("error-object", _CODE, "An error that is no text is none.", ORDER, {"error": {"message": "no"}, "code": 3}, None, 3),
    refusal("error-number", _CODE, "Nor is a number.", ORDER, {"error": 5}, None),
    refusal("error-text-alone", _CODE, "A text alone.", ORDER, '"no"', None),
    refusal("error-twice", _CODE, "Of a name that comes twice the last value counts, in a refusal, too.", ORDER, '{"error":"a","error":"b"}', "b"),
    refusal("error-half-surrogate", _CODE, "A body that is not JSON has neither text nor code.", ORDER, r'{"error":"\ud800","code":1}', None),
    refusal("error-prototype", _CODE, "A name that objects have anyway.", ORDER, '{"__proto__":{"error":"no"},"code":4}', None, 4),
)  # fmt: skip


def _trade(
    name: str, rule: str, words: str, json: str, found: Any = ..., field: str = "price"
) -> Case:
    """A trade with a field as it is written in JSON; without `found` the page cannot be used."""
    record = text({**TRADE, field: "\0"}).replace('"\\u0000"', json)
    body = f'{{"success":true,"data":[{record}],"has_more":false}}'
    if found is ...:
        return unusable(name, rule, words, TRADES, body)
    page = {"items": [{**TRADE, field: found}], "has_more": False}
    return value(name, rule, words, TRADES, body, page)


def _without(field: str, found: bool) -> Case:
    record = {key: each for key, each in TRADE.items() if key != field}
    body, page = (
        {"success": True, "data": [record], "has_more": False},
        {"items": [record], "has_more": False},
    )
    name = f"absent-{field.replace('_', '-')}"
    if found:
        return value(
            name, "decode-absent", f"{field} is nullable, so it may be absent.", TRADES, body, page
        )
    return unusable(name, "decode-absent", f"{field} must be there.", TRADES, body)


_TYPES, _DECIMAL, _UUID = "decode-types", "decode-decimal-text", "decode-uuid"
_UPPER = samples.ID_A.upper()
TYPES = (
    _trade("decimal-boolean", _TYPES, "A boolean for a decimal.", "true"),
    _trade("decimal-null", _TYPES, "null for a decimal.", "null"),
    _trade("decimal-list", _TYPES, "A list for a decimal.", "[]"),
    _trade("text-null", _TYPES, "null for a text.", "null", field="symbol"),
    _trade("text-number", _TYPES, "A number for a text.", "5", field="symbol"),
    _trade("text-empty", _TYPES, "An empty text is a text.", '""', "", "symbol"),
    _trade("integer-text", _TYPES, "A text for an integer.", '"1"', field="history_id"),
    _trade("integer-boolean", _TYPES, "A boolean for an integer.", "true", field="history_id"),
    _trade("integer-null", _TYPES, "null for an integer.", "null", field="history_id"),
    _trade("integer-negative", _TYPES, "A negative time is an integer.", "-1", -1, "created_at"),
    _trade("time-text", _TYPES, "A text for a time.", '"1"', field="created_at"),
    _trade("enum-null", _TYPES, "null for an enum.", "null", field="event_type"),
    _trade("enum-number", _TYPES, "A number for an enum of texts.", "5", field="event_type"),
    _trade("enum-empty", "decode-open-enums", "An empty text is a value that the enum does not know.", '""', "", "event_type"),
    _trade("enum-prototype", "decode-open-enums", "A name that objects have anyway.", '"constructor"', "constructor", "event_type"),
    _trade("nullable-null", "decode-absent", "null where it may be.", "null", None, "client_order_id"),
    *(_without(field, field == "client_order_id") for field in ("client_order_id", "symbol", "price", "event_type", "history_id")),
    _trade("uuid-upper-case", _UUID, "A UUID in capitals is the same UUID.", f'"{_UPPER}"', samples.ID_A, "client_order_id"),
    _trade("uuid-short", _UUID, "A UUID that lacks a digit.", f'"{samples.ID_A[:-1]}"', field="client_order_id"),
    _trade("uuid-empty", _UUID, "An empty text is no UUID.", '""', field="client_order_id"),
    _trade("uuid-words", _UUID, "Words.", '"mine"', field="client_order_id"),
    _trade("uuid-number", _UUID, "A number.", "5", field="client_order_id"),
    _trade("decimal-plus", _DECIMAL, "A plus.", '"+1"', "1"),
    _trade("decimal-point-first", _DECIMAL, "A point first.", '".5"', "0.5"),
    _trade("decimal-point-last", _DECIMAL, "A point last.", '"1."', "1"),
    _trade("decimal-exponent-large", _DECIMAL, "An exponent.", '"1E+2"', "100"),
    _trade("decimal-leading-zeros", _DECIMAL, "Leading zeros.", '"007"', "7"),
    _trade("decimal-minus-zero", _DECIMAL, "-0 is zero.", '"-0"', "0"),
    _trade("decimal-zeros-behind", _DECIMAL, "Zeros behind the point change no number.", '"1.500"', "1.5"),
    _trade("decimal-hexadecimal", _DECIMAL, "Hexadecimal digits.", '"0x1"'),
    _trade("decimal-no-exponent", _DECIMAL, "An exponent without digits.", '"1e"'),
    _trade("decimal-only-exponent", _DECIMAL, "An exponent alone.", '"e5"'),
    _trade("decimal-only-point", _DECIMAL, "A point alone.", '"."'),
    _trade("decimal-only-sign", _DECIMAL, "A sign alone.", '"-"'),
    _trade("decimal-comma", _DECIMAL, "A comma.", '"1,5"'),
    _trade("decimal-two-points", _DECIMAL, "Two points.", '"1.2.3"'),
)  # fmt: skip


def _page(name: str, words: str, found: Any = ..., **members: Any) -> Case:
    body = {"success": True, "data": [], "has_more": False, **members}
    body = {key: each for key, each in body.items() if each is not ...}
    if found is ...:
        return unusable(f"page-{name}", "decode-pages", words, TRADES, body)
    return value(f"page-{name}", "decode-pages", words, TRADES, body, found)


_EMPTY = {"items": [], "has_more": False}
PAGES = (
    _page("has-more-absent", "has_more must be there.", has_more=...),
    _page("has-more-null", "has_more is a boolean.", has_more=None),
    _page("has-more-text", "has_more as a text.", has_more="false"),
    _page("has-more-number", "has_more as a number.", has_more=0),
    _page("cursor-number", "A cursor that is a number.", has_more=True, next_cursor=5),
    _page("cursor-empty", "An empty cursor is handed over as it is.", {**_EMPTY, "next_cursor": ""}, next_cursor=""),
    _page("data-null", "data that is null.", data=None),
    _page("data-text", "data that is a text.", data="x"),
    _page("data-nested", "A page inside of data.", data={"data": [], "has_more": False}),
    _page("record-null", "A record that is null.", data=[None]),
    _page("record-list", "A record that is a list.", data=[[]]),
    _page("success-absent", "A page without success.", success=...),
    _page("success-absent-with-records", "Records without success.", success=..., data=[TRADE]),
    _page("success-absent-and-code", "A code where success must be.", success=..., code=503),
    answer("answer-page-part", "decode-part", "A 206 is a part of a page.", TRADES, {"success": True, "data": [], "has_more": False}, {"error": "decode", "status": 206}, 206),
    answer("answer-part", "decode-part", "A 206 is a part of an answer, whatever its body holds.", ORDER, {"order_id": 1}, {"error": "decode", "status": 206}, 206),
    answer("answer-part-refused", "decode-part", "A refusal, too.", ORDER, {"success": False, "error": "no"}, {"error": "decode", "status": 206}, 206),
    *(unusable(f"refused-under-{status}", _INNER, "Of a change success: false refuses under a 200 alone.", ORDER, {"success": False, "error": "no"}, status) for status in (201, 202, 299)),
    refusal("read-refused-under-202", _INNER, "Of a read it refuses under any 2xx.", "account.settings", {"success": False, "error": "no"}, "no", status=202),
    unusable("code-true-in-2xx", _CODE_2XX, "A boolean is no code of a refusal.", ORDER, {"success": False, "error": "no", "code": True}),
    unusable("code-list-in-2xx", _CODE_2XX, "Nor is a list.", ORDER, {"success": False, "error": "no", "code": [503]}),
    unusable("code-fraction-in-2xx", _CODE_2XX, "Nor is a fraction.", ORDER, '{"success":false,"error":"no","code":503.0}'),
    unusable("code-elsewhere-in-2xx", _CODE_2XX, "A code deep inside, where none is told.", ORDER, {"success": False, "error": {"code": 5}}),
    unusable("codes-two-in-2xx", _CODE_2XX, "Two codes.", ORDER, {"success": False, "code": 5, "data": {"code": 6}}),
    refusal("error-and-code", _INNER, "An error and a code, the document's own refusal, refuse under a 200, too.", ORDER, {"error": "no", "code": 400}, "no", 400, 200),
    refusal("error-and-code-of-a-read", _INNER, "So they do for a read.", "account.settings", {"error": "no", "code": 5}, "no", 5, 200),
    refusal("refused-with-unknown-members", _INNER, "Members that nobody knows change nothing.", ORDER, {"success": False, "error": "no", "request_id": "r-1", "timestamp": 1, "data": {"message_id": 7}}, "no", status=200),
    refusal("code-of-a-read", _CODE_2XX, "Of a read it is none.", "account.settings", {"success": False, "error": "no", "code": [503]}, "no", status=200),
    _page("error-beside", "An error beside a page.", error="no"),
    refusal("page-refused", _INNER, "A page that is called a failure.", TRADES, {"success": False, "data": [], "has_more": False}, None, status=200),
)  # fmt: skip

# -- json/: what is JSON, in a field that nobody knows ---------------------------------------------

_GRAMMAR, _UTF, _LAST, _DEPTH = "json-grammar", "json-utf-8", "json-last-name", "json-depth"


def _noted(name: str, rule: str, words: str, json: str, *, read: bool = False) -> Case:
    expect: Any = {"value": {"order_id": 1}} if read else DECODE
    body = f'{{"order_id":1,"note":{json}}}'
    return answer(f"json-{name}", rule, words, ORDER, body, expect)


def _whole(name: str, rule: str, words: str, body: str | bytes, *, read: bool = False) -> Case:
    found = answer(
        f"json-{name}", rule, words, ORDER, "", {"value": {"order_id": 1}} if read else DECODE
    )
    if isinstance(body, str):
        return {**found, "given": {**_given(found), "body": body}}
    given = {key: each for key, each in _given(found).items() if key != "body"}
    return {**found, "given": {**given, "body_base64": base64.b64encode(body).decode()}}


def _given(case: Case) -> dict[str, Any]:
    given: Any = case["given"]
    return dict(given)


_NOT_JSON = (
    *(("number-" + name, words, json) for name, words, json in (
        ("plus", "A plus.", "+1"), ("point-first", "A point first.", ".5"), ("minus", "A sign alone.", "-"),
        ("exponent", "An exponent without digits.", "1e"), ("exponent-sign", "An exponent that is a sign.", "1e+"),
        ("hexadecimal", "Hexadecimal digits.", "0x1"), ("zeros", "Two zeros.", "00"),
        ("minus-leading-zero", "A leading zero behind a sign.", "-01"), ("point-exponent", "Nothing behind the point.", "1.e5"),
        ("underscore", "An underscore.", "1_0"), ("nan-lower", "nan.", "nan"), ("infinity-lower", "-inf.", "-inf"),
    )),
    ("true-capital", "True with a capital.", "True"),
    ("null-cut", "A word that ends early.", "nul"),
    ("undefined", "A word of another language.", "undefined"),
    ("trailing-comma-object", "A comma behind the last member.", '{"a":1,}'),
    ("two-commas", "Two commas.", "[1,,2]"),
    ("no-colon", "A member without a colon.", '{"a" 1}'),
    ("no-value", "A member without a value.", '{"a":}'),
    ("name-unquoted", "A name without quotes.", "{a:1}"),
    ("name-number", "A number for a name.", "{1:1}"),
    ("comment-line", "A comment.", "1 // one\n"),
    ("comment", "A comment between stars.", "/* one */ 1"),
    ("mixed-brackets", "Brackets that do not match.", "[1}"),
    ("open-list", "A list that is not closed.", "[1"),
    ("escape-short", "An escape of three digits.", r'"\u123"'),
    ("escape-letters", "An escape of other letters.", r'"\u00zz"'),
    ("escape-quote", "An apostrophe that is escaped.", '"\\\'"'),
    ("tab-in-text", "A tab in a text.", '"a\tb"'),
    ("nul-in-text", "A NUL in a text.", '"a\0b"'),
    ("form-feed", "A form feed between.", "\f1"),
    ("vertical-tab", "A vertical tab between.", "\v1"),
    ("no-break-space", "A space that is none of JSON's.", "\u00a01"),
    ("line-separator", "A line separator between.", "\u20281"),
)  # fmt: skip
_JSON = (
    ("white-space", "All white space that JSON has.", " \t\r\n1 \t\r\n"),
    ("name-empty", "An empty name.", '{"":1}'),
    ("line-separator-in-text", "U+2028 in a text.", '"\u2028\u2029"'),
    ("escapes", "All escapes that JSON has.", r'"\"\\\/\b\f\n\r\t\u00e9"'),
    ("exponents", "Exponents in all forms.", "[1e5,1E5,1e+5,1E-5,-0.0e-0]"),
    ("minus-zero", "Zeros with a sign.", "[-0,-0.0]"),
    ("non-character", "U+FFFF is a character to JSON.", r'"\uffff"'),
)
JSON = (
    *(_noted(name, _GRAMMAR, words, json) for name, words, json in _NOT_JSON),
    *(_noted(name, _GRAMMAR, words, json, read=True) for name, words, json in _JSON),
    _noted("proto", "json-names", "__proto__ is a name like any other.", '{"__proto__":{"order_id":2}}', read=True),
    _whole("proto-outside", "json-names", "It brings no order id.", '{"__proto__":{"order_id":1}}'),
    _whole("proto-beside", "json-names", "Nor does it change one.", '{"order_id":1,"__proto__":{"order_id":2}}', read=True),
    _whole("constructor", "json-names", "A name that objects have anyway.", '{"order_id":1,"constructor":{"name":"x"},"toString":1}', read=True),
    _whole("name-case", "json-names", "Names have a case.", '{"Order_Id":1}'),
    _whole("name-space", "json-names", "And their spaces.", '{"order_id ":1}'),
    _noted("last-name-nested", _LAST, "The last value counts at any depth.", '{"a":1,"a":[1e400]}', read=True),
    _whole("last-name-null", _LAST, "A last value of null counts.", '{"order_id":1,"order_id":null}'),
    _whole("last-name-escaped", _LAST, "An escaped name is the same name.", '{"order_id":2,"order_i\\u0064":1}', read=True),
    _whole("last-success", _LAST, "The last success counts.", '{"success":false,"order_id":1,"success":true}', read=True),
    _noted("objects-100", _DEPTH, "A hundred levels, the answer included.", '{"a":' * 98 + "{}" + "}" * 98, read=True),
    _noted("objects-101", _DEPTH, "A hundred and one.", '{"a":' * 99 + "{}" + "}" * 99),
    _whole("utf-16", _UTF, "UTF-16.", '{"order_id":1}'.encode("utf-16-le")),
    _whole("utf-16-mark", _UTF, "UTF-16 with a byte order mark.", '{"order_id":1}'.encode("utf-16")),
    _whole("nul-behind", _GRAMMAR, "A NUL behind it.", b'{"order_id":1}\0'),
    _whole("cut-character", _UTF, "A character that ends early.", b'{"order_id":1,"note":"\xc3"}'),
    _whole("five-bytes", _UTF, "A character beyond U+10FFFF.", b'{"order_id":1,"note":"\xf4\x90\x80\x80"}'),
    _whole("continuation", _UTF, "A byte that only continues.", b'{"order_id":1,"note":"\x80"}'),
    _whole("emoji", _UTF, "Four bytes are a character.", '{"order_id":1,"note":"\U0001f680"}', read=True),
    _whole("two-values", _GRAMMAR, "Two values.", '{"order_id":1}{"order_id":2}'),
    _whole("only-space", _GRAMMAR, "White space alone.", " \n"),
    _whole("lines", _GRAMMAR, "White space before and behind.", '\r\n {"order_id":1}\n\n', read=True),
)  # fmt: skip

CASES: tuple[Case, ...] = (*CONTRADICTIONS, *ENVELOPES, *CODES, *TYPES, *PAGES)
