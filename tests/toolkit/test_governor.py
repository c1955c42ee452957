"""The readers of a service share one rate budget, and leave a share of it to trading."""

from __future__ import annotations

import logging
from decimal import Decimal
from typing import Any

import pytest

from trading_runtime import RateBudget, RateLimitError
from trading_sdk import Client
from trading_toolkit import governor as module
from trading_toolkit.governor import Governor, governor

PAGE, ORDER = 5, 1
QUOTA, WINDOW = 40, 20


class Exchange:
    """A budget of 40 credits in 20 s, a clock, and a trader who places an order every two seconds."""

    def __init__(self, first_order: float = 100.0) -> None:
        self.now = self.began = 100.0
        self.left = QUOTA
        self.orders = [0, 0]
        """Those that were sent, and those that were refused."""

        self._next = first_order

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        ends = self.now + seconds
        while self._next <= ends:
            self.now = self._next
            self._next += 2.0
            self.orders[0] += 1
            self.orders[1] += not self.charge(ORDER)
        self.now = ends

    def charge(self, credits: int) -> bool:
        if self.now >= self.began + WINDOW:
            self.began, self.left = self.now, QUOTA
        if credits > self.left:
            return False
        self.left -= credits
        return True

    def budget(self) -> RateBudget:
        return RateBudget(
            remaining=Decimal(self.left),
            resets_in=-int(-(self.began + WINDOW - self.now) // 1),
            quota=Decimal(QUOTA),
            window=WINDOW,
        )


class Reader:
    """A client that reads pages of 5 credits, each in 50 ms."""

    def __init__(self, exchange: Exchange, shared: Governor) -> None:
        self.exchange, self.shared = exchange, shared
        self.rate_budget: RateBudget | None = None

    def page(self) -> bool:
        allowed = self.exchange.charge(PAGE)
        self.exchange.sleep(0.05)
        self.rate_budget = self.exchange.budget()
        if not allowed:
            raise RateLimitError("trades.history", 429, None, "too many", b"")
        return allowed

    def read(self, request: Any = None) -> Any:
        client: Any = self
        return self.shared.carry_out(client, request or self.page, self.exchange.sleep, "trades")


@pytest.fixture
def exchange(monkeypatch: pytest.MonkeyPatch) -> Exchange:
    made = Exchange()
    monkeypatch.setattr(module, "time", made)
    return made


def test_no_order_is_refused_beside_three_readers(exchange: Exchange) -> None:
    shared = Governor()
    readers = [Reader(exchange, shared) for _ in range(3)]
    began = exchange.now
    for _ in range(20):
        for reader in readers:
            reader.read()
    assert exchange.orders[0] > 100
    assert exchange.orders[1] == 0
    assert exchange.now - began < 60 * PAGE / (QUOTA / WINDOW) * 2  # half of the budget at least


def test_requests_under_way_count(exchange: Exchange) -> None:
    shared = Governor()
    one, other, third = (Reader(exchange, shared) for _ in range(3))
    for _ in range(3):
        one.read()
    assert exchange.left == QUOTA - 3 * PAGE - 1  # and an order

    def crowd() -> bool:
        # The budget has room for one more page, and `one` is under way.
        before = exchange.now
        other.read(lambda: third.read() and other.page())
        assert exchange.now - before > 10
        return one.page()

    one.read(crowd)
    assert exchange.orders[1] == 0


def test_a_refusal_is_waited_out_and_a_service_that_always_refuses_is_an_error(
    exchange: Exchange, caplog: pytest.LogCaptureFixture
) -> None:
    reader, times = Reader(exchange, Governor()), 0
    exchange.left = 3
    with caplog.at_level(logging.INFO, "trading_sdk"):
        reader.read()
    assert exchange.now > 120
    assert [each.split("; ")[0] for each in caplog.messages] == ["trades: waits for the rate limit"]

    def refused() -> None:
        nonlocal times
        times += 1
        raise RateLimitError("trades.history", 429, None, "too many", b"")

    began, other = exchange.now, Reader(exchange, Governor())
    with pytest.raises(RateLimitError):
        other.read(refused)
    assert times == 10
    assert 9 * 60 < exchange.now - began < 10 * 62


def test_a_page_that_costs_more_than_the_share_of_readers_is_read_from_a_whole_budget(
    exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.toolkit.test_governor.PAGE", 30)
    exchange.__init__(first_order=float("inf"))  # type: ignore[misc]
    reader = Reader(exchange, Governor())
    for _ in range(3):
        reader.read()
    assert 2 * WINDOW < exchange.now - 100 < 2 * (WINDOW + 3)


def test_clients_of_one_rate_class_share_a_governor() -> None:
    with (
        Client("https://exchange.example") as one,
        Client("https://exchange.example") as same,
        Client("https://test.exchange.example") as elsewhere,
    ):
        shared = governor(one)
        assert governor(same) is shared
        assert governor(elsewhere) is not shared
