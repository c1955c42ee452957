"""The taker delay, in virtual time: who waits, who does not, and that effects come in that order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from tests.sandbox.raw import RawClient, limit_order, market_order, stop_order
from tests.sandbox.served import wait_until
from trading_sandbox import Sandbox
from trading_sandbox.web import signed

DELAY = 0.8


class Delays:
    """Requests wait here instead of sleeping, until the test lets the delay pass."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        """How long each request was to wait, in seconds."""
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def sleep(self, seconds: float) -> None:
        over = asyncio.Event()
        self._waiting.append((asyncio.get_running_loop(), over))
        self.asked.append(seconds)
        await over.wait()

    def pass_(self) -> None:
        waiting, self._waiting = self._waiting, []
        for loop, over in waiting:
            loop.call_soon_threadsafe(over.set)

    def wait_for(self, requests: int) -> None:
        """Wait until so many requests wait."""
        wait_until(lambda: len(self.asked) == requests)


@pytest.fixture
def delays(monkeypatch: pytest.MonkeyPatch) -> Delays:
    made = Delays()
    monkeypatch.setattr(signed, "asyncio", SimpleNamespace(sleep=made.sleep))
    return made


@pytest.fixture
def sandbox(delays: Delays) -> Iterator[Sandbox]:
    with Sandbox(maker=False, taker_delay=DELAY) as running:
        yield running


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as made:
        yield made


Send = Callable[[RawClient], Any]
WAIT: list[Send] = [
    lambda user: user.create(tif="GTC"),
    lambda user: user.create(tif="IOC"),
    lambda user: user.batch(user.action("CreateMarket", market_order())),
    lambda user: user.batch(user.action("Create", limit_order(tif="GTC"))),
    lambda user: user.batch(
        user.action("Create", limit_order()), user.action("Create", limit_order(tif="IOC"))
    ),
]
CHANGE = {"symbol": "BTC", "price": "41000", "amount": "0.001"}


def test_gtc_ioc_and_market_orders_take_effect_after_what_was_sent_later(
    sandbox: Sandbox, delays: Delays, pool: ThreadPoolExecutor
) -> None:
    slow, quick = RawClient.of(sandbox), RawClient.of(sandbox)
    waiting = [pool.submit(send, slow) for send in WAIT]
    delays.wait_for(len(WAIT))

    placed = [quick.create(tif=tif).json()["order_id"] for tif in ("ALO", "TOB", "ALO")]
    stops = [quick.call("orders.create_stop", **stop_order()).json()["order_id"] for _ in range(2)]
    legs = {"take_profit": {"stop_price": "60000"}}
    answers = [
        quick.edit(**CHANGE, order_id=placed[0]),
        quick.call("orders.cancel_stop", symbol="BTC", order_id=stops[0]),
        quick.create(**legs),
        quick.batch(
            quick.action("Create", limit_order(tif="TOB")),
            quick.action("Cancel", {"symbol": "BTC", "order_id": placed[1]}),
            quick.action("Edit", {**CHANGE, "order_id": placed[2]}),
            quick.action("CancelStopOrder", {"symbol": "BTC", "order_id": stops[1]}),
        ),
    ]
    assert [answer.status_code for answer in answers] == [200] * 4
    assert all(result["success"] for result in answers[-1].json()["data"]["results"])

    assert delays.asked == [DELAY] * len(WAIT)
    assert not any(each.done() for each in waiting)
    assert slow.orders() == []
    delays.pass_()
    assert [each.result().status_code for each in waiting] == [200] * len(WAIT)
    assert len(slow.orders()) == 6
    # An order meets the book as it is after the delay, and has an id of that time.
    newest = max(order["order_id"] for order in quick.orders())
    assert min(order["order_id"] for order in slow.orders()) > newest


def test_what_waits_when_the_sandbox_is_reset_does_not_stray_into_the_next_test(
    sandbox: Sandbox, delays: Delays, pool: ThreadPoolExecutor
) -> None:
    before = RawClient.of(sandbox)
    waiting = [pool.submit(send, before) for send in (WAIT[0], WAIT[3])]
    delays.wait_for(2)
    sandbox.reset()
    after = RawClient.of(sandbox)
    delays.pass_()
    assert after.address == before.address
    for answer in (each.result() for each in waiting):
        assert answer.status_code == 400
        assert "was reset while this request waited" in answer.json()["error"]
    assert after.orders() == []


def test_what_waits_is_answered_before_the_sandbox_stops(
    delays: Delays, pool: ThreadPoolExecutor
) -> None:
    running = Sandbox(maker=False, taker_delay=DELAY)
    with running:
        waiting = pool.submit(WAIT[0], RawClient.of(running))
        delays.wait_for(1)
        server: Any = running._server
        stopping = pool.submit(running.__exit__, None, None, None)
        wait_until(lambda: server._leaving.is_set())
        delays.pass_()
        assert waiting.result().json()["order_id"]
        stopping.result()
