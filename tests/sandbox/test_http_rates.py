"""The request budget over the wire: headers, classes, 429 (field notes 15 and 16)."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
import requests

from tests.interface import OPERATIONS
from tests.sandbox.raw import BATCH, CREATE, RawClient, bare_refusal, limit_order, refusal
from trading_sandbox import Sandbox
from trading_sandbox.__main__ import _arguments, _parser
from trading_sandbox.rate_limits import RateLimits


def left(response: requests.Response) -> int:
    """Tenths of a credit that are left, as the header says."""
    found = re.fullmatch(r'"credits";r=([0-9]+);t=([0-9]+)', response.headers["ratelimit"])
    assert found
    assert 1 <= int(found[2]) <= 60
    return int(found[1])


def test_with_a_limit_every_answer_tells_what_is_left(user: RawClient, sandbox: Sandbox) -> None:
    assert not [name for name in user.create().headers if name.startswith("ratelimit")]
    sandbox.set_rate_limit("125")
    orders = OPERATIONS["orders.history"].path
    cancel = user.action("Cancel", {"symbol": "BTC", "order_id": 1})
    requests_and_costs: list[tuple[Callable[[], requests.Response], int]] = [
        (user.create, 10),
        (lambda: user.call("orders.cancel_stop", symbol="BTC", order_id=1), 5),
        (lambda: user.batch(user.action("Create", limit_order()), cancel), 15),
        (lambda: user.get(orders, account=user.address, limit=100), 10),
        (lambda: user.get(orders, account=user.address, limit=101), 50),
        (lambda: user.post(CREATE, {"account": 7}), 10),
        (lambda: user.post(BATCH, {"actions": [cancel] * 11}), 10),
        (lambda: requests.post(user.url + CREATE, data=b"{", timeout=10), 10),
    ]
    budget = 1250
    for send, cost in requests_and_costs:
        response = send()
        budget -= cost
        assert left(response) == budget
        assert response.headers["ratelimit-policy"] == '"credits";q=1250;w=60'
    # Controls cost nothing.
    response = user.post("/sandbox/v1/digest", {})
    assert response.status_code == 200
    assert "ratelimit" not in response.headers
    assert left(user.create()) == budget - 10


def test_what_is_beyond_the_budget_is_429_and_not_carried_out(
    user: RawClient, sandbox: Sandbox
) -> None:
    sandbox.set_rate_limit("2.5")
    assert [user.create().status_code for _ in range(2)] == [200, 200]
    third = user.create()
    assert bare_refusal(third, 429).startswith("Rate limit exceeded: 0.5 credits are left for this")
    assert left(third) == 5
    assert refusal(user.call("orders.history", account=user.address), 429)
    edited = user.edit(symbol="BTC", price="1", amount="1", order_id=1)
    assert (edited.status_code, edited.json()["success"]) == (429, False)
    # A smaller request still fits.
    assert user.call("orders.cancel_stop", symbol="BTC", order_id=1).status_code == 400
    sandbox.set_rate_limit(None)
    assert len(user.orders()) == 2


@pytest.mark.parametrize("credits", ["0", "-1", "0.05", "NaN", "Infinity", "1e12"])
def test_a_limit_that_cannot_be_told_is_refused(credits: str) -> None:
    with pytest.raises(ValueError, match="credits"):
        RateLimits().set_limit(Decimal(credits))


@pytest.mark.parametrize(("dialect", "with_key"), [("documented", 125), ("live", 300)])
def test_a_key_has_the_limit_of_an_address_unless_the_dialect_is_live_and_advance_refills_it(
    dialect: Any, with_key: int
) -> None:
    page = "/api/v1/funding_rate/history?symbol=BTC"
    with Sandbox(maker=False, taker_delay=0, dialect=dialect, rate_limited=True) as sandbox:
        user = RawClient.of(sandbox)
        for expected in (125, with_key):
            policy = user.get(page).headers["ratelimit-policy"]
            assert policy == f'"credits";q={expected * 10};w=60'
            key = user.call("api_keys.create").json()["data"]["api_key"]
            user.headers = {"PF-API-KEY": key}
        sandbox.set_rate_limit("1", with_key="2")
        for _ in range(2):
            assert [user.get(page).status_code for _ in range(3)] == [200, 200, 429]
            sandbox.advance(60_000)
        sandbox.reset()
        user.headers = {}
        assert user.get(page).headers["ratelimit-policy"].endswith("q=1250;w=60")


def test_the_command_limits_requests_in_the_live_dialect_unless_it_is_told_otherwise() -> None:
    def limited(*arguments: str) -> bool:
        return bool(_arguments(_parser().parse_args(arguments))["rate_limited"])

    assert [limited(), limited("--dialect", "live")] == [False, True]
    assert [limited("--rate-limits"), limited("--dialect", "live", "--no-rate-limits")] == [
        True,
        False,
    ]
