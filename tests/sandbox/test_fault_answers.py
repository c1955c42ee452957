"""What faults make of the document in an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.sandbox.served import HISTORY, SETTINGS, Served

RECORD = {"order_id": 1, "symbol": "BTC", "side": "bid", "price": "1", "reason": None}
PAGE = {"success": True, "data": [RECORD], "next_cursor": "second", "has_more": True}


@pytest.mark.parametrize("status", [204, 599])
def test_a_status_may_have_no_body_or_no_name(served: Served, status: int) -> None:
    with served.ordered("status", status=status) as wire:
        answer = wire.answer()
        assert (answer.status, answer.read() == b"") == (status, status == 204)
        wire.order()
        assert wire.json() == {"order_id": 1}


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
        ("huge_integer", {}, b'"order_id":' + b"9" * 5000 + b",", ValueError),
        ("not_finite", {"value": "1e400", "field": "price"}, b'"price":1e400,', None),
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
