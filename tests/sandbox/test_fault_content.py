"""What the faults of content make of the document in an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.sandbox.fault_desk import HISTORY, SETTINGS, Desk, desk, running
from trading_sandbox.faults import KINDS

__all__ = ["desk", "running"]

RECORD = {"order_id": 1, "symbol": "BTC", "side": "bid", "price": "1", "reason": None}
PAGE = {"success": True, "data": [RECORD], "next_cursor": "second", "has_more": True}


def page(desk: Desk, kind: str, target: str = HISTORY, **options: Any) -> bytes:
    """The body of a page that meets a fault; the connection serves on afterwards."""
    desk.faults.inject("orders.history", kind, **options)
    with desk.connect() as wire:
        wire.get(target)
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


@pytest.mark.parametrize("options", [{}, {"body": "{'not': json}"}])
def test_bad_json_is_no_json(desk: Desk, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        json.loads(page(desk, "bad_json", **options))


@pytest.mark.parametrize(("options", "shape"), [({}, []), ({"value": None}, None)])
def test_a_wrong_shape_is_good_json(desk: Desk, options: dict[str, Any], shape: Any) -> None:
    assert json.loads(page(desk, "wrong_shape", **options)) == shape


def test_the_first_field_of_the_first_record_is_missing(desk: Desk) -> None:
    assert json.loads(page(desk, "missing_field")) == without("order_id")


def test_a_named_field_is_missing(desk: Desk) -> None:
    assert json.loads(page(desk, "missing_field", field="price")) == without("price")


def test_a_field_beside_the_records_is_missing(desk: Desk) -> None:
    body = json.loads(page(desk, "missing_field", field="has_more"))
    assert body == {key: value for key, value in PAGE.items() if key != "has_more"}


def test_a_field_is_null(desk: Desk) -> None:
    assert json.loads(page(desk, "null_field")) == changed(order_id=None)
    assert json.loads(page(desk, "null_field", field="side")) == changed(side=None)


def test_a_field_is_that_of_another_answer(desk: Desk) -> None:
    assert json.loads(page(desk, "other_value", field="order_id", value=7)) == changed(order_id=7)


def test_an_integer_has_more_digits_than_python_reads(desk: Desk) -> None:
    body = page(desk, "huge_integer")
    assert b'"order_id":' + b"9" * 5000 + b"," in body
    with pytest.raises(ValueError, match="4300"):
        json.loads(body)


def test_a_named_field_is_an_integer_of_so_many_digits(desk: Desk) -> None:
    assert json.loads(page(desk, "huge_integer", field="price", size=3)) == changed(price=999)


def test_nesting_is_deeper_than_python_reads(desk: Desk) -> None:
    body = page(desk, "deep_nesting")
    assert body.count(b"[") == 100_001
    with pytest.raises(RecursionError):
        json.loads(body)


@pytest.mark.parametrize("value", KINDS["not_finite"].choices["value"])
def test_a_number_is_not_finite(desk: Desk, value: str) -> None:
    body = page(desk, "not_finite", value=value, field="price")
    assert f'"price":{value},'.encode() in body


def test_a_key_stands_twice_and_the_last_is_right(desk: Desk) -> None:
    body = page(desk, "duplicate_keys", field="symbol", value="ETH")
    assert b'"symbol":"ETH"' in body and b'"symbol":"BTC"' in body
    assert json.loads(body) == PAGE


def test_an_enum_has_an_unknown_value(desk: Desk) -> None:
    assert json.loads(page(desk, "unknown_enum")) == changed(side="added_later")
    named = page(desk, "unknown_enum", field="symbol", value="DOGE")
    assert json.loads(named) == changed(symbol="DOGE")


def test_a_new_field_comes_with_the_answer_and_its_first_record(desk: Desk) -> None:
    body = json.loads(page(desk, "new_field", field="fresh", value={"a": 1}))
    assert body == {**changed(fresh={"a": 1}), "fresh": {"a": 1}}


def test_a_page_leads_to_itself(desk: Desk) -> None:
    desk.faults.inject("orders.history", "repeated_cursor")
    with desk.connect() as wire:
        wire.get(HISTORY + "?account=x")
        assert wire.json() == PAGE
        wire.get(HISTORY + "?account=x&cursor=a%20b")
        assert wire.json() == {**PAGE, "next_cursor": "a b", "has_more": True}
    assert desk.faults.pending() == []


def test_an_empty_page_leads_on(desk: Desk) -> None:
    assert json.loads(page(desk, "empty_page")) == {**PAGE, "data": []}


def test_a_page_says_there_is_more_and_not_where(desk: Desk) -> None:
    assert json.loads(page(desk, "missing_cursor")) == {**PAGE, "next_cursor": None}


def test_the_last_page_leads_on(desk: Desk) -> None:
    assert json.loads(page(desk, "surplus_cursor")) == {**PAGE, "has_more": False}


def test_the_result_itself_is_changed_where_there_are_no_records(desk: Desk) -> None:
    desk.faults.inject("orders.create", "missing_field")
    with desk.connect() as wire:
        wire.order()
        assert wire.json() == {}
    assert desk.executed == 1


@pytest.mark.parametrize(
    ("kind", "options", "missing"),
    [
        ("unknown_enum", {}, "the answer lacks a field for it"),
        ("null_field", {"field": "price"}, "the answer lacks the field 'price'"),
        ("huge_integer", {"field": "price"}, "the answer lacks the field 'price'"),
    ],
)
def test_a_fault_that_cannot_happen_says_so(
    desk: Desk, kind: str, options: dict[str, Any], missing: str
) -> None:
    desk.faults.inject("account.settings", kind, **options)
    with desk.connect() as wire:
        wire.get(SETTINGS)
        answer = wire.answer()
        assert answer.status == 500
        assert json.loads(answer.read())["error"] == f"The fault {kind} could not happen: {missing}"


def test_a_number_finds_a_place_where_the_answer_has_none(desk: Desk) -> None:
    desk.faults.inject("account.settings", "not_finite", value="Infinity")
    with desk.connect() as wire:
        wire.get(SETTINGS)
        assert wire.answer().read().endswith(b'"number":Infinity}')
