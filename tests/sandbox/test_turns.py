"""Long work is done in slices, and the requests of others have their turn between two of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import requests

from tests.sandbox.test_service import left_by
from tests.sandbox.trading import NOW, Market, opened
from trading_sandbox import Sandbox
from trading_sandbox.engine.commands import AddHistory, OpenAccount
from trading_sandbox.engine.records import Refused
from trading_sandbox.service import Service
from trading_sandbox.turns import Slices, whole
from trading_sandbox.web.dialects import live

MINUTE = 60_000
DAY = 24 * 60 * MINUTE


def slices_of(work: Slices[Any]) -> tuple[int, Any]:
    """How many slices there are, and their result."""
    count = 1
    while True:
        try:
            next(work)
        except StopIteration as end:
            return count, end.value
        count += 1


# -- the loop ------------------------------------------------------------------------------------


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Is set once an advance has begun that goes on after it has ended, in slices that do nothing."""
    begun = Event()
    real = Service.advancing

    def advancing(service: Service, ms: int) -> Slices[None]:
        yield from real(service, ms)
        begun.set()
        while True:
            yield

    monkeypatch.setattr(Service, "advancing", advancing)
    return begun


def test_an_advance_that_is_under_way_when_the_sandbox_stops_is_broken_off(endless: Event) -> None:
    with ThreadPoolExecutor() as pool:
        with Sandbox() as sandbox:
            advancing = pool.submit(sandbox.advance, DAY)
            assert endless.wait(60)
        with pytest.raises(RuntimeError, match="with block"):
            advancing.result(60)


def test_requests_are_answered_and_controls_carried_out_between_the_slices_of_an_advance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every slice waits for an answer: if one kept the loop, or a lock, there would be none."""
    advance, slices = Service.advancing, Event()
    seen: list[int] = []

    def advancing(service: Service, ms: int) -> Slices[None]:
        for _ in advance(service, ms):
            known = len(seen)
            slices.set()
            while len(seen) == known and known < 5:
                yield

    monkeypatch.setattr(Service, "advancing", advancing)
    with Sandbox(dialect="live", frozen_at=NOW) as sandbox, ThreadPoolExecutor() as pool:
        account = sandbox.create_account().address
        advancing_ = pool.submit(sandbox.advance, 4 * DAY)
        assert slices.wait(60)
        for number in range(5):
            prices = requests.get(f"{sandbox.url}/api/v1/info/prices", timeout=60).json()["data"]
            requests.get(f"{sandbox.url}/health", timeout=60).raise_for_status()
            sandbox.deposit(account, str(number + 1))
            # The exchange is at one moment: prices are those of the path then.
            [told] = {price["timestamp"] for price in prices}
            seen.append(told)
        advancing_.result(60)
        assert sandbox.account(account).balance == 10_015
        assert NOW < seen[0] < seen[-1] < NOW + 4 * DAY
        assert seen == sorted(seen)


# -- what an advance in slices leaves behind ---------------------------------------------------------


def test_what_others_do_between_two_slices_is_there_after_a_restart_and_so_is_the_time(
    tmp_path: Path,
) -> None:
    service = opened(tmp_path / "state", maker=True)
    market = Market(service)
    work = service.advancing(4 * DAY)
    for number in range(5):
        next(work)
        market.bid(str(90_000 + number))
    now, digest = service.now(), service.digest()
    assert NOW < now < NOW + 4 * DAY

    killed = opened(left_by(tmp_path))
    assert (killed.now(), killed.digest()) == (now, digest)
    killed.close()

    whole(work)
    assert service.now() == NOW + 4 * DAY
    digest = service.digest()
    service.close()
    service = opened(tmp_path / "state")
    assert (service.now(), service.digest()) == (NOW + 4 * DAY, digest)
    service.close()


def test_what_was_under_way_before_a_reset_does_not_go_on_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service = opened(maker=True)
    work = service.advancing(30 * DAY)
    next(work)
    service.reset()
    with pytest.raises(Refused, match="reset meanwhile"):
        next(work)
    assert service.now() < NOW + DAY
    service.close()

    with Sandbox(maker=False, frozen_at=NOW) as sandbox:
        account, execute = sandbox.create_account(), Service.execute

        def executing(service: Service, command: Any) -> Any:
            reply = execute(service, command)
            if isinstance(command, AddHistory):
                service.reset()
                execute(service, OpenAccount(account=command.account, usdc=Decimal(1)))
            return reply

        monkeypatch.setattr(Service, "execute", executing)
        with pytest.raises(Refused, match="reset meanwhile"):
            sandbox.add_history(account, "BTC", 250)


# -- long answers --------------------------------------------------------------------------------


def test_the_portfolio_of_many_events_is_read_in_slices_and_of_one_moment(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_EVENTS", 2)
    market = Market(service)
    other = Market(service, "bob")
    for price in ("100000", "100001", "100002"):
        other.ask(price)
        market.bid(price)
    asked = {"account": "alice", "time_range": "1d"}
    slices, answer = slices_of(live._portfolio(service, asked))
    # A deposit and three fees, then the equity of now.
    assert (len(answer["data"]), slices) == (5, 3)

    interrupted = live._portfolio(service, asked)
    next(interrupted)
    other.ask("100003")
    market.bid("100003")
    assert whole(interrupted) == answer
