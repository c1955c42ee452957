"""The time of the market: it passes with the machine's, by itself, or stands still."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from threading import Event

import pytest

from tests.sandbox.raw import CREATE, RawClient, limit_order
from tests.sandbox.trading import NOW, Clock, Market
from trading_sandbox import clock as ticking
from trading_sandbox.engine.commands import SetMaker
from trading_sandbox.server import Server
from trading_sandbox.service import Service
from trading_sandbox.web.app import make_app

HOUR_MS = 3_600_000


def test_time_passes_with_the_machine_and_never_backwards(service: Service, clock: Clock) -> None:
    clock.ms += 500
    Market(service)
    clock.ms -= 10_000

    assert service.now() == NOW + 500


def test_what_is_due_happens_before_it_is_asked_about(service: Service, clock: Clock) -> None:
    service.execute(SetMaker(on=True))
    with service.reading() as exchange:
        before = exchange.state.markets["BTC"].mark_price
    clock.ms += HOUR_MS

    assert len(service.page("fundings", "BTC", limit=10)[0]) == 1
    with service.reading() as exchange:
        assert exchange.state.markets["BTC"].mark_price != before


def test_frozen_time_stands_still_and_goes_on_from_there(service: Service, clock: Clock) -> None:
    service.freeze()
    clock.ms += 5000
    assert service.now() == NOW
    service.advance(100)
    assert service.now() == NOW + 100

    service.unfreeze()
    clock.ms += 7

    assert service.now() == NOW + 107


def test_time_is_frozen_ahead_but_not_in_the_past(service: Service) -> None:
    service.freeze(NOW + HOUR_MS)

    assert service.now() == NOW + HOUR_MS
    assert len(service.page("fundings", "BTC", limit=10)[0]) == 1
    for at in (NOW, NOW + 20 * 365 * 24 * HOUR_MS):
        with pytest.raises(ValueError, match="time"):
            service.freeze(at)
    with pytest.raises(ValueError, match="forwards only"):
        service.advance(-1)


def test_date_signatures_and_records_come_from_one_clock(service: Service) -> None:
    server = Server(make_app(service), 0, wall=service.clock.wall)
    server.start()
    try:
        user = RawClient(server.url)
        Market(service, user.address)
        service.advance(HOUR_MS)
        answer = user.post(CREATE, user.body("create_order", limit_order(), timestamp=NOW))
        # The order is made in market time, and signed and answered in wall time.
        assert answer.status_code == 200
        assert parsedate_to_datetime(answer.headers["date"]).timestamp() * 1000 == NOW
        assert [order["created_at"] for order in user.orders()] == [NOW + HOUR_MS]
        assert user.create().status_code == 400
    finally:
        server.stop()


def test_time_passes_by_itself_until_it_is_stopped(
    service: Service, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticking, "TICK", 0.001)
    service.ticker.start()
    service.ticker.start()
    clock.ms += HOUR_MS
    while not service.exchange.state.settled_at > NOW:
        pass
    service.ticker.stop()
    service.ticker.stop()


def test_what_goes_wrong_while_time_passes_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(ticking, "TICK", 0.001)
    tried = Event()

    def fail() -> None:
        tried.set()
        raise OSError("disk full")

    ticker = ticking.Ticker(fail)
    ticker.start()
    tried.wait()

    with pytest.raises(OSError, match="disk full"):
        ticker.stop()
    ticker.stop()
    assert "time of the sandbox did not pass" in caplog.text
