"""An exchange that breaks the spec is told apart from one that keeps it."""

from __future__ import annotations

import json

import pytest

from tests.contract.held import Exchange, violations
from tests.spec.test_interface import SPEC

EMPTY = json.dumps({"success": True, "data": [], "has_more": False}).encode()
PAGE = Exchange("GET", "/api/v1/funding_rate/history", "symbol=BTC&limit=2", b"", 200, EMPTY)
EDIT = {"account": "a", "signature": "s", "timestamp": 1, "symbol": "B", "price": "1"}
EDITED = Exchange("POST", "/api/v1/orders/edit", "", b"", 200, b'{"order_id": 7}')
IDS = {"order_id": 1, "client_order_id": "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"}


def edited(**fields: object) -> Exchange:
    return EDITED._replace(body=json.dumps({**EDIT, "amount": "1", **fields}).encode())


@pytest.mark.parametrize("exchange", [PAGE, edited(order_id=1)], ids=["a list", "a message"])
def test_what_the_spec_says_is_no_violation(exchange: Exchange) -> None:
    assert list(violations(SPEC, exchange)) == []


@pytest.mark.parametrize(
    ("exchange", "told"),
    [
        (PAGE._replace(query="limit=2"), "request.query: symbol is missing"),
        (PAGE._replace(query="symbol=BTC&limit=many"), "request.query.limit: 'many' is not of"),
        (PAGE._replace(body=b"{}"), "request.body: there is one"),
        (PAGE._replace(status=418), "response: the status 418 is not documented"),
        (PAGE._replace(answer=EMPTY.replace(b"false", b'"no"')), "response.body.has_more: 'no'"),
        (PAGE._replace(answer=b"{"), "response.body: b'{' is no JSON"),
        (PAGE._replace(path="/api/v1/no"), "no operation: GET /api/v1/no"),
        (edited(order_id=1, amount=2), "request.body.amount: 2 is not of type 'string'"),
        (edited(**IDS), "request.body: "),
        (edited(client_order_id="me"), "request.body.client_order_id: 'me' is not a 'uuid'"),
    ],
)
def test_a_violation_names_its_place(exchange: Exchange, told: str) -> None:
    assert [each for each in violations(SPEC, exchange) if each.startswith(told)]
