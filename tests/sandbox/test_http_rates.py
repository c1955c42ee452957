"""The request budget over the wire: headers, classes, 429 (field notes 15 and 16)."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
import requests

from tests.interface import OPERATIONS
from tests.sandbox.raw import BATCH, CREATE, RawClient, limit_order
from trading_sandbox import Sandbox
from trading_sandbox.rate_limits import RateLimits


@pytest.fixture
def user(sandbox: Sandbox) -> RawClient:
    return RawClient(sandbox.url, sandbox.create_account().export_base58())


def left(response: requests.Response) -> int:
    """Tenths of a credit that are left, as the header says."""
    found = re.fullmatch(r'"credits";r=([0-9]+);t=([0-9]+)', response.headers["ratelimit"])
    assert found
    assert 1 <= int(found[2]) <= 60
    return int(found[1])


def test_without_a_limit_there_are_no_headers(user: RawClient) -> None:
    assert not [name for name in user.create().headers if name.startswith("ratelimit")]


def test_with_a_limit_every_answer_tells_what_is_left(user: RawClient, sandbox: Sandbox) -> None:
    sandbox.set_rate_limit("125")
    orders = OPERATIONS["orders.history"].path
    cancel = user.action("Cancel", {"symbol": "BTC", "order_id": 1})
    requests_and_costs: list[tuple[Callable[[], requests.Response], int]] = [
        (user.create, 10),
        (lambda: user.call("orders.cancel_stop", symbol="BTC", order_id=1), 5),
        (lambda: user.batch(user.action("Create", limit_order()), cancel), 15),
        (lambda: user.get(orders, account=user.address, limit=100), 10),
        (lambda: user.get(orders, account=user.address, limit=101), 50),
        (lambda: user.get(orders, account=user.address, limit="9" * 30), 50),
        (lambda: user.get(orders), 10),
        (lambda: user.post(CREATE, {"account": 7}), 10),
        (lambda: user.post(BATCH, {"actions": [7]}), 10),
        (lambda: user.post(BATCH, {"actions": [cancel] * 11}), 10),
        (lambda: requests.post(user.url + CREATE, data=b"{", timeout=10), 10),
    ]
    budget = 1250
    for send, cost in requests_and_costs:
        response = send()
        budget -= cost
        assert left(response) == budget
        assert response.headers["ratelimit-policy"] == '"credits";q=1250;w=60'


def test_what_is_beyond_the_budget_is_429_and_not_carried_out(
    user: RawClient, sandbox: Sandbox
) -> None:
    sandbox.set_rate_limit("2")
    assert [user.create().status_code for _ in range(2)] == [200, 200]
    third = user.create()
    assert third.status_code == 429
    assert third.json() == {"error": third.json()["error"], "code": 429}
    assert third.json()["error"].startswith("Rate limit exceeded")
    assert left(third) == 0
    listed = user.call("orders.history", account=user.address)
    error = listed.json()["error"]
    assert listed.status_code == 429
    assert listed.json() == {"success": False, "data": None, "error": error, "code": 429}
    edited = user.edit(symbol="BTC", price="1", amount="1", order_id=1)
    assert (edited.status_code, edited.json()["success"]) == (429, False)
    sandbox.set_rate_limit(None)
    assert len(user.orders()) == 2


def test_a_smaller_request_still_fits_where_a_larger_does_not(
    user: RawClient, sandbox: Sandbox
) -> None:
    sandbox.set_rate_limit("0.5")
    assert user.create().status_code == 429
    assert user.call("orders.cancel_stop", symbol="BTC", order_id=1).status_code == 400


def test_an_api_key_has_a_budget_of_its_own(user: RawClient, sandbox: Sandbox) -> None:
    key = user.data("api_keys.create")["api_key"]
    sandbox.set_rate_limit("1")
    assert user.create().status_code == 200
    assert user.create().status_code == 429
    user.headers = {"PF-API-KEY": key}
    first, second = user.create(), user.create()
    assert (first.status_code, second.status_code) == (200, 429)


def test_an_unknown_key_is_charged_to_the_address(user: RawClient, sandbox: Sandbox) -> None:
    sandbox.set_rate_limit("1")
    user.headers = {"PF-API-KEY": "unknown"}
    assert [user.create().status_code for _ in range(2)] == [400, 429]


def test_controls_cost_nothing(user: RawClient, sandbox: Sandbox) -> None:
    sandbox.set_rate_limit("1")
    for _ in range(3):
        response = user.post("/sandbox/v1/digest", {})
        assert response.status_code == 200
        assert "ratelimit" not in response.headers
    assert user.create().status_code == 200


def test_the_budget_is_back_once_its_window_is_over() -> None:
    now = [1000.0]
    rates = RateLimits(clock=lambda: now[0])
    rates.set_limit(Decimal("1.5"), window_s=10)
    seen: list[Any] = []
    for moment in (1000.0, 1003.5, 1009.9, 1010.0):
        now[0] = moment
        budget = rates.charge("a", 10)
        assert budget is not None
        seen.append((budget.allowed, budget.left, budget.refresh_s))
    assert seen == [(True, 5, 10), (False, 5, 7), (False, 5, 1), (True, 5, 10)]


@pytest.mark.parametrize("credits", ["0", "-1", "0.05", "NaN", "Infinity", "1e12"])
def test_a_limit_that_cannot_be_told_is_refused(credits: str) -> None:
    with pytest.raises(ValueError, match="credits"):
        RateLimits().set_limit(Decimal(credits))
