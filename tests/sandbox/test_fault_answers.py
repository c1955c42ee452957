"""What is answered instead, or late, by which clock, and what is made of the document in an answer."""

from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from tests.sandbox.served import HISTORY, SETTINGS, Served
from trading_sandbox.faults import KINDS
from trading_sandbox.faults.answers import AnswerReader

RECORD = {"order_id": 1, "symbol": "BTC", "side": "bid", "price": "1", "reason": None}
PAGE = {"success": True, "data": [RECORD], "next_cursor": "second", "has_more": True}


# -- another answer ------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [200, 204, 400, 429, 500, 503, 599])
def test_any_status_can_be_answered(served: Served, status: int) -> None:
    with served.ordered("status", status=status) as wire:
        answer = wire.answer()
        body = answer.read()
        assert answer.status == status
        assert status == 204 or json.loads(body) == {
            "success": False,
            "data": None,
            "error": "A fault of the sandbox",
            "code": status,
        }
        wire.order()
        assert wire.json() == {"order_id": 1}


@pytest.mark.parametrize("wait", ["3", "-1", "NaN", "1e9", "Wed, 21 Oct 2026 07:28:00 GMT", ""])
def test_a_status_brings_its_own_headers_and_body(served: Served, wait: str) -> None:
    headers = {"Retry-After": wait, "Content-Type": "text/plain"}
    with served.ordered("status", status=429, headers=headers, body=b"Slow down") as wire:
        answer = wire.answer()
        assert answer.status == 429
        assert answer.headers["retry-after"] == wait
        assert answer.headers.get_all("content-type") == ["text/plain"]
        assert answer.read() == b"Slow down"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_points_elsewhere(served: Served, status: int) -> None:
    with served.ordered("redirect", status=status, location="https://x.invalid/a?b") as wire:
        answer = wire.answer()
        assert answer.read() == b""
        assert (answer.status, answer.headers["location"]) == (status, "https://x.invalid/a?b")


@pytest.mark.parametrize(
    ("head", "sent", "body"),
    [
        (
            "200 OK\r\nTransfer-Encoding: chunked",
            b"14;a=b\r\ntwenty bytes of data\r\n1\r\n!\r\n0\r\n\r\n",
            b"twenty bytes of data!",
        ),
        ("204 No Content", b"", b""),
    ],
)
def test_an_answer_ends_where_its_framing_says_though_it_comes_byte_by_byte(
    head: str, sent: bytes, body: bytes
) -> None:
    reader = AnswerReader("/", without_body=False, collect=True)
    data = f"HTTP/1.1 {head}\r\nX-Y: z\r\n\r\n".encode() + sent
    fed = [reader.feed(bytes([byte])) for byte in data]
    # The last chunk is the end; the line after it is of no interest.
    assert fed[-1] and fed.index(True) >= len(fed) - 2
    answer = reader.answer()
    assert (answer.status, answer.headers, answer.body) == (int(head[:3]), (("X-Y", "z"),), body)


# -- late, or by another clock -------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["delay_request", "delay_answer"])
def test_the_exchange_is_told_late_or_the_answer_comes_late(served: Served, kind: str) -> None:
    sent = time.monotonic()
    with served.ordered(kind, seconds=0.1) as wire:
        assert wire.json() == {"order_id": 1}
        answered, executed = time.monotonic(), served.exchange.latest_at
    late = executed - sent if kind == "delay_request" else answered - executed
    assert late >= 0.1


@pytest.mark.parametrize("offset", [60_000, -60_000])
def test_the_clock_is_off_for_the_exchange_and_in_the_date(served: Served, offset: int) -> None:
    before = int(time.time())
    with served.ordered("clock_offset", offset_ms=offset) as wire:
        answer = wire.answer()
        answer.read()
        shown = parsedate_to_datetime(answer.headers["date"]).timestamp() - offset / 1000
        wire.order()
        assert wire.json() == {"order_id": 2}
    assert before <= shown <= time.time()
    met, after = served.exchange.faults_seen
    assert met.offset_ms == offset
    assert after is None


# -- another document ----------------------------------------------------------------------------


def page(served: Served, kind: str, **options: Any) -> bytes:
    """The body of a page that meets a fault; the connection serves on afterwards."""
    served.faults.inject("orders.history", kind, **options)
    with served.connect() as wire:
        wire.get()
        answer = wire.answer()
        body = answer.read()
        assert answer.status == 200, body
        assert answer.headers["content-type"] == "application/json"
        wire.get()
        assert wire.json() == PAGE
    return body


def changed(**fields: Any) -> dict[str, Any]:
    return {**PAGE, "data": [{**RECORD, **fields}]}


def without(name: str) -> dict[str, Any]:
    return {**PAGE, "data": [{key: value for key, value in RECORD.items() if key != name}]}


@pytest.mark.parametrize(
    ("kind", "options", "document"),
    [
        ("wrong_shape", {}, []),
        ("wrong_shape", {"value": None}, None),
        # Unless a field is named, the first of the first record is meant.
        ("missing_field", {}, without("order_id")),
        ("missing_field", {"field": "price"}, without("price")),
        (
            *("missing_field", {"field": "has_more"}),
            {key: value for key, value in PAGE.items() if key != "has_more"},
        ),
        ("null_field", {}, changed(order_id=None)),
        ("null_field", {"field": "side"}, changed(side=None)),
        ("other_value", {"field": "order_id", "value": 7}, changed(order_id=7)),
        ("huge_integer", {"field": "price", "size": 3}, changed(price=999)),
        ("unknown_enum", {}, changed(side="added_later")),
        ("unknown_enum", {"field": "symbol", "value": "DOGE"}, changed(symbol="DOGE")),
        (
            *("new_field", {"field": "fresh", "value": {"a": 1}}),
            {**changed(fresh={"a": 1}), "fresh": {"a": 1}},
        ),
        ("duplicate_keys", {"field": "symbol", "value": "ETH"}, PAGE),
        ("empty_page", {}, {**PAGE, "data": []}),
        ("missing_cursor", {}, {**PAGE, "next_cursor": None}),
        ("surplus_cursor", {}, {**PAGE, "has_more": False}),
    ],
)
def test_the_document_is_changed_in_one_place(
    served: Served, kind: str, options: dict[str, Any], document: Any
) -> None:
    assert json.loads(page(served, kind, **options)) == document


@pytest.mark.parametrize(
    ("kind", "options", "held", "error"),
    [
        ("bad_json", {}, b'{"success":true,"data":[{', ValueError),
        ("bad_json", {"body": b"{'not': json}"}, b"{'not': json}", ValueError),
        ("huge_integer", {}, b'"order_id":' + b"9" * 5000 + b",", ValueError),
        ("deep_nesting", {}, b'"nested":' + b"[" * 100_000 + b"]", RecursionError),
        *(
            ("not_finite", {"value": value, "field": "price"}, f'"price":{value},'.encode(), None)
            for value in KINDS["not_finite"].choices["value"]
        ),
        ("duplicate_keys", {"field": "symbol", "value": "ETH"}, b'"symbol":"ETH"', None),
        ("duplicate_keys", {"field": "symbol", "value": "ETH"}, b'"symbol":"BTC"', None),
    ],
)
def test_the_text_holds_what_no_encoder_would_write(
    served: Served, kind: str, options: dict[str, Any], held: bytes, error: type[Exception] | None
) -> None:
    body = page(served, kind, **options)
    assert held in body
    if error is not None:
        with pytest.raises(error):
            json.loads(body)


def test_a_page_leads_to_itself(served: Served) -> None:
    served.faults.inject("orders.history", "repeated_cursor")
    with served.connect() as wire:
        wire.get(HISTORY + "?account=x")
        assert wire.json() == PAGE
        wire.get(HISTORY + "?account=x&cursor=a%20b")
        assert wire.json() == {**PAGE, "next_cursor": "a b", "has_more": True}
    assert served.faults.pending() == []


def test_the_result_itself_is_changed_where_there_are_no_records(served: Served) -> None:
    with served.ordered("missing_field") as wire:
        assert wire.json() == {}
    assert served.executed == 1


@pytest.mark.parametrize(
    ("kind", "options", "missing"),
    [
        ("unknown_enum", {}, "a field for it"),
        ("null_field", {"field": "price"}, "the field 'price'"),
        ("huge_integer", {"field": "price"}, "the field 'price'"),
        # A number finds a place where the answer has none.
        ("not_finite", {"value": "Infinity"}, None),
    ],
)
def test_a_fault_that_cannot_happen_says_so(
    served: Served, kind: str, options: dict[str, Any], missing: str | None
) -> None:
    served.faults.inject("account.settings", kind, **options)
    with served.connect() as wire:
        wire.get(SETTINGS)
        answer = wire.answer()
        body = answer.read()
    if missing is None:
        assert body.endswith(b'"number":Infinity}')
        return
    assert answer.status == 500
    told = f"The fault {kind} could not happen: the answer lacks {missing}"
    assert json.loads(body)["error"] == told
