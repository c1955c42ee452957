"""Pages of the histories, snapshots of everything, and the time of the market."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.sandbox.trading import NOW, Clock, Market, opened, trade
from trading_sandbox import clock as ticking
from trading_sandbox.engine.commands import Deposit, SetMaker, Withdraw
from trading_sandbox.service import Service
from trading_sandbox.store.records import History

HOUR_MS = 3_600_000

# -- pages ----------------------------------------------------------------------------------------


def test_a_page_holds_only_what_was_asked_for(service: Service) -> None:
    market = Market(service)
    times = []
    for symbol in ("BTC", "ETH", "BTC", "ETH"):
        market.bid("3000", symbol=symbol)
        times.append(service.now())
        service.advance(1000)

    def found(**filters: Any) -> list[str]:
        records, _ = service.page("orders", "alice", limit=10, **filters)
        return [json.loads(record)["symbol"] for _, record in records]

    assert found(symbol="ETH") == ["ETH", "ETH"]
    assert found(start=times[1], end=times[2]) == ["BTC", "ETH"]
    assert found(symbol="BTC", end=times[1]) == ["BTC"]
    assert found(start=10**30) == []
    assert market.history() == sorted(market.history(), reverse=True)


# -- going back -----------------------------------------------------------------------------------


def test_a_snapshot_brings_back_state_and_histories(service: Service) -> None:
    trade(service, seed=1, requests=80)
    digest, minutes = service.digest(), service.minutes("ETH").between(0, 2**62)
    snapshot = service.snapshot()
    trade(service, seed=2, requests=80)
    assert service.digest() != digest

    service.restore(snapshot)

    assert service.digest() == digest
    # The same happens again, but for the ids, which are new.
    again = []
    for _ in range(2):
        trade(service, seed=2, requests=80)
        accounts = service.exchange.state.accounts.values()
        again.append([(each.balance, each.positions, each.spot) for each in accounts])
        service.restore(snapshot)
        assert service.digest() == digest
    assert again[0] == again[1]
    assert service.minutes("ETH").between(0, 2**62) == minutes != []
    service.reset()
    assert service.minutes("ETH").between(0, 2**62) == []


def _ids(service: Service) -> set[tuple[str, int]]:
    """The ids of all that a trader's histories show, each with its history."""
    histories: tuple[History, ...] = ("orders", "trades", "spot_balances", "withdrawals")
    return {
        (history, number)
        for history in histories
        for owner in ("alice", "bob")
        for number, _ in service.page(history, owner, limit=1000)[0]
    }


def _withdrawn(service: Service) -> None:
    Market(service).bid("90000")
    Market(service, "bob").ask("90000")
    service.execute(Deposit(account="alice", usdc=Decimal(0), spot={"SOL": Decimal(2)}))
    service.execute(Withdraw(account="alice", symbol="SOL", amount=Decimal(1)))


def test_no_id_is_given_twice_however_often_the_exchange_goes_back(tmp_path: Path) -> None:
    service = opened(tmp_path / "state")
    _withdrawn(service)
    kept, snapshot = _ids(service), service.snapshot()
    given = [kept]
    for _ in range(2):
        _withdrawn(service)
        given.append(_ids(service) - kept)
        service.restore(snapshot)
        assert _ids(service) == kept
        service.close()
        service = opened(tmp_path / "state")
    _withdrawn(service)
    given.append(_ids(service) - kept)
    service.reset()
    _withdrawn(service)
    given.append(_ids(service))
    service.close()

    assert [len(each) for each in given] == [len(kept)] * 5
    assert len(set().union(*given)) == 5 * len(kept)


def test_later_snapshots_are_gone_once_an_earlier_one_is_restored(service: Service) -> None:
    first = service.snapshot()
    Market(service)
    second = service.snapshot()

    service.restore(first)

    for gone in (second, 99, 10**30):
        with pytest.raises(ValueError, match="there is no snapshot"):
            service.restore(gone)
    service.restore(first)


def test_an_old_file_is_opened_as_it_was_and_a_reset_opens_the_exchange_now(
    tmp_path: Path, clock: Clock
) -> None:
    opened(tmp_path / "state", maker=True, clock=clock).close()
    clock.ms += 200 * 24 * HOUR_MS

    service = opened(tmp_path / "state", clock=clock)
    assert service.exchange.state.now == NOW
    service.reset()
    fundings, _ = service.page("fundings", "BTC", limit=10)
    with service.reading() as exchange:
        state = exchange.state

    # Nothing is due on the way from the first opening to now; those 4,800 hours would take seconds.
    assert (state.started_at, state.now, fundings) == (clock.ms, clock.ms, [])
    assert state.maker_on
    service.close()


# -- time -----------------------------------------------------------------------------------------


def test_time_passes_with_the_machine_and_never_backwards(service: Service, clock: Clock) -> None:
    clock.ms += 500
    Market(service)
    clock.ms -= 10_000

    assert service.now() == NOW + 500


def test_what_is_due_happens_before_it_is_asked_about(service: Service, clock: Clock) -> None:
    clock.ms += HOUR_MS - 5000
    service.execute(SetMaker(on=True))
    with service.reading() as exchange:
        before = exchange.state.markets["BTC"].mark_price
    clock.ms += 5000

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
