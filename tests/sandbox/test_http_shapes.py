"""Requests of the wrong shape, unknown places, forged signatures: answered as documented."""

from __future__ import annotations

from typing import Any

import pytest
import requests

from tests.interface import OPERATIONS, READS, SIGNED, WRAPPED_ERROR
from tests.sandbox.raw import BATCH, CREATE, RawClient, limit_order
from trading_sandbox import Sandbox
from trading_sandbox.server import Server
from trading_sandbox.service import open_service
from trading_sandbox.web.app import make_app
from trading_sdk.operations import API

ID = "3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b"


def without(name: str) -> dict[str, Any]:
    order = limit_order()
    del order[name]
    return order


@pytest.mark.parametrize(
    ("order", "named"),
    [
        *((without(name), name) for name in limit_order()),
        (limit_order(side="buy"), "side"),
        (limit_order(side="BID"), "side"),
        (limit_order(tif="FOK"), "tif"),
        (limit_order(price=50000), "price"),
        (limit_order(price="5e4"), "price"),
        (limit_order(price=" 50000"), "price"),
        (limit_order(price="50_000"), "price"),
        (limit_order(price="-50000"), "price"),
        (limit_order(price="NaN"), "price"),
        (limit_order(price=None), "price"),
        (limit_order(amount="+1"), "amount"),
        (limit_order(amount=""), "amount"),
        (limit_order(reduce_only="false"), "reduce_only"),
        (limit_order(reduce_only=0), "reduce_only"),
        (limit_order(symbol=""), "symbol"),
        (limit_order(symbol=["BTC"]), "symbol"),
        (limit_order(client_order_id="1234"), "client_order_id"),
        (limit_order(client_order_id=ID.replace("-", "")), "client_order_id"),
        (limit_order(builder_code="a!"), "builder_code"),
        (limit_order(take_profit={}), "stop_price"),
        (limit_order(take_profit={"stop_price": "1e9"}), "take_profit.stop_price"),
        (limit_order(take_profit=[]), "take_profit"),
    ],
)
def test_an_order_of_the_wrong_shape_is_refused_naming_the_field(
    raw: RawClient, order: dict[str, Any], named: str
) -> None:
    response = raw.post(CREATE, raw.body("create_order", order))
    assert response.status_code == 400
    assert named in response.json()["error"]
    assert response.json()["code"] == 400


@pytest.mark.parametrize("price", ["-5", "1" * 60, "0." + "1" * 31, "1e5", "007"])
def test_a_decimal_that_is_not_taken_is_told_every_rule(raw: RawClient, price: str) -> None:
    error = raw.create(price=price).json()["error"]
    assert error == (
        "price: must be a plain decimal string like '100.5': zero or more, without sign, exponent "
        "or leading zeros, at most 30 digits on each side of the point"
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("account", None),
        ("account", 7),
        ("signature", 7),
        ("timestamp", "1"),
        ("timestamp", True),
        ("timestamp", 2**63),
        ("expiry_window", 2**63),
        ("expiry_window", None),
        ("agent_wallet", 7),
    ],
)
def test_a_signed_field_of_the_wrong_type_is_named(
    raw: RawClient, field: str, value: object
) -> None:
    response = raw.post(CREATE, {**raw.body("create_order", limit_order()), field: value})
    assert response.status_code == 400
    assert response.json()["error"].startswith(f"{field}: must be ")


@pytest.mark.parametrize("field", ["account", "signature", "timestamp"])
def test_a_missing_signed_field_is_named(raw: RawClient, field: str) -> None:
    body = raw.body("create_order", limit_order())
    del body[field]
    assert raw.post(CREATE, body).json() == {
        "error": f"{field}: required field missing",
        "code": 400,
    }


@pytest.mark.parametrize("ids", [{}, {"order_id": 1, "client_order_id": ID}])
def test_an_edit_needs_exactly_one_id_and_fails_in_its_own_shape(
    raw: RawClient, ids: dict[str, Any]
) -> None:
    response = raw.edit(symbol="BTC", price="50000", amount="0.001", **ids)
    assert response.status_code == 400
    answer = response.json()
    assert "exactly one of order_id and client_order_id" in answer["error"]
    assert answer == {"success": False, "error": answer["error"], "code": 400}


def test_what_the_exchange_refuses_is_400_in_the_words_of_the_exchange(raw: RawClient) -> None:
    assert raw.create(price="50000.5").json() == {
        "error": "Invalid price: 50000.5 is not a multiple of the tick size 1 of BTC",
        "code": 400,
    }
    assert raw.edit(symbol="BTC", price="50000", amount="0.001", order_id=1).status_code == 400


@pytest.mark.parametrize(
    ("order", "named"),
    [
        (limit_order(client_order_id=None), "client_order_id"),
        (limit_order(take_profit=None), "take_profit"),
        (
            limit_order(stop_loss={"stop_price": "40000", "limit_price": None}),
            "stop_loss.limit_price",
        ),
    ],
)
def test_null_is_refused_where_it_has_no_meaning(
    raw: RawClient, order: dict[str, Any], named: str
) -> None:
    response = raw.create(**order)
    assert response.status_code == 400
    assert response.json()["error"].startswith(f"{named}: must not be null")


def test_a_client_order_id_is_one_whatever_the_case_of_its_letters(raw: RawClient) -> None:
    assert raw.create(client_order_id=ID.upper()).status_code == 200
    assert "Duplicate client_order_id" in raw.create(client_order_id=ID).text


@pytest.mark.parametrize("name", SIGNED)
def test_every_signed_operation_refuses_a_signature_for_something_else(
    raw: RawClient, name: str
) -> None:
    operation = OPERATIONS[name]
    response = raw.post(operation.path, raw.body("forged", operation.most))
    lists_401 = "401" in (*operation.statuses, *operation.assumed_statuses)
    assert response.status_code == (401 if lists_401 else 400)
    assert response.json()["error"].startswith("Verification failed")
    fields = {row.name for row in operation.errors.get("400", WRAPPED_ERROR)}
    assert response.json().keys() == fields


@pytest.mark.parametrize("name", [name for name, each in SIGNED.items() if each.request])
def test_every_signed_operation_names_a_field_of_the_wrong_type(raw: RawClient, name: str) -> None:
    sample = OPERATIONS[name].most
    for field in sample:
        response = raw.call(name, **{**sample, field: 1.0 if field == "disabled" else {}})
        assert response.status_code == 400
        assert field in response.json()["error"]


def test_every_operation_of_the_spec_is_tried_by_these_tests() -> None:
    assert {"orders.batch", *SIGNED, *READS} == set(API.operations)


NEEDED = {name: [row.name for row in each.query if row.required] for name, each in READS.items()}


@pytest.mark.parametrize("name", [name for name, needed in NEEDED.items() if needed])
def test_every_read_needs_what_it_is_about(raw: RawClient, name: str) -> None:
    response = raw.call(name)
    error = response.json()["error"]
    assert any(needed in error for needed in NEEDED[name])
    assert response.status_code == 400
    assert response.json() == {"success": False, "data": None, "error": error, "code": 400}


@pytest.mark.parametrize(
    "path", ["/nothing", "/api/v1/orders", CREATE + "/", "/api/v2/orders/create"]
)
def test_an_unknown_path_is_404(raw: RawClient, shared: Sandbox, path: str) -> None:
    response = raw.post(path, {})
    assert response.status_code == 404
    assert response.json()["code"] == 404
    assert (shared.requests[-1].operation, shared.requests[-1].path) == (None, path)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", CREATE),
        ("PUT", CREATE),
        ("OPTIONS", BATCH),
        ("POST", "/api/v1/orders/history"),
        ("HEAD", "/api/v1/orders/history"),
    ],
)
def test_a_wrong_method_is_405(shared: Sandbox, method: str, path: str) -> None:
    response = requests.request(method, shared.url + path, timeout=10)
    assert response.status_code == 405
    assert response.headers["allow"] in ("GET", "POST")


def test_what_cannot_be_kept_is_500_and_logged_with_its_cause_left_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    service = open_service(None, seed=7, maker=False, taker_delay=0)
    server = Server(make_app(service), 0)
    server.start()
    try:
        service.close()
        response = RawClient(server.url).create()
    finally:
        server.stop()
    assert response.status_code == 500
    assert response.json() == {"error": "Internal server error", "code": 500}
    assert [entry.status for entry in service.log.entries()] == [500]
    assert caplog.records


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (None, "actions: must be a list of 1 to 10 actions"),
        ([], "actions: must be a list of 1 to 10 actions"),
        ({}, "actions: must be a list of 1 to 10 actions"),
        ([7], "actions[0]: must be an object"),
        ([{"type": "Create"}], "actions[0]: must be an object"),
        ([{"type": "create", "data": {}}], "actions[0].type: must be one of Create, "),
        ([{"type": ["Create"], "data": {}}], "actions[0].type: must be one of Create, "),
        ([{"type": "Create", "data": {}}], "actions[0]: account: required field missing"),
    ],
)
def test_a_batch_of_the_wrong_shape_is_refused(raw: RawClient, actions: Any, words: str) -> None:
    response = raw.post(BATCH, {"actions": actions})
    assert response.status_code == 400
    assert response.json()["error"].startswith(words)


def test_more_than_ten_actions_are_refused_and_none_runs(raw: RawClient) -> None:
    action = raw.action("Create", limit_order())
    assert raw.batch(*[action] * 11).status_code == 400
    assert raw.orders() == []
    assert raw.batch(*[action] * 10).status_code == 200


def test_an_action_of_the_wrong_shape_refuses_the_whole_batch(raw: RawClient) -> None:
    response = raw.batch(
        raw.action("Create", limit_order()), raw.action("Create", limit_order(side="buy"))
    )
    assert response.status_code == 400
    assert response.json()["error"].startswith("actions[1]: ")
    assert "side" in response.json()["error"]
    assert raw.orders() == []


def test_a_malformed_action_fails_alone_if_that_is_asked_for(
    shared: Sandbox, raw: RawClient
) -> None:
    good = raw.action("Create", limit_order())
    wrong = raw.action("Create", limit_order(side="buy"))
    forged = raw.action("Create", limit_order())
    forged["data"]["signature"] = "1" * 64
    shared.faults.inject("orders.batch", "malformed_alone", times=2)
    first, failed, last = raw.batch(good, wrong, good).json()["data"]["results"]
    assert (first["success"], failed["success"], last["success"]) == (True, False, True)
    assert "side" in failed["error"]
    assert len(raw.orders()) == 2
    # All signatures must be valid all the same.
    assert raw.batch(good, wrong, forged).status_code == 400
    assert len(raw.orders()) == 2
    assert raw.batch(good, wrong).status_code == 400
