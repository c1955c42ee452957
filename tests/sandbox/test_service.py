"""The service: what it acknowledged is there after a restart, and nothing else is."""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox.trading import Market, opened, trade
from trading_sandbox.engine.commands import Command
from trading_sandbox.engine.records import Refused
from trading_sandbox.service import Service, open_service

# -- restarts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("checkpoint_after", [0, 0.02, 1000])
def test_a_restart_brings_back_everything(tmp_path: Path, checkpoint_after: float) -> None:
    live, restarted = opened(maker=True), tmp_path / "state"
    for seed in range(2):
        trade(live, seed, 60)
        service = opened(restarted, maker=True, checkpoint_after=checkpoint_after)
        trade(service, seed, 60)
        assert service.digest() == live.digest()
        service.close()

    service = opened(restarted)

    assert service.digest() == live.digest()
    assert len(Market(service).history()) > 20
    service.close()
    live.close()


def left_by(folder: Path) -> Path:
    """What a kill leaves behind: the file and its log, but no lock."""
    left = folder / "left"
    left.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(f"{folder / 'state'}{suffix}", left)
    return left / "state"


def test_a_new_start_goes_on_with_the_maker_as_it_was(tmp_path: Path) -> None:
    open_service(tmp_path / "state", 7, maker=False, taker_delay=0).close()

    service = open_service(tmp_path / "state", 7, maker=True, taker_delay=0.5)

    assert not service.exchange.state.maker_on
    assert service.taker_delay == 0.5
    service.close()


# -- commands -------------------------------------------------------------------------------------


def test_a_refused_command_leaves_nothing_behind_and_does_not_stop_the_next(
    service: Service,
) -> None:
    market = Market(service)
    digest = service.digest()
    with pytest.raises(Refused, match="not a multiple of the tick size"):
        market.bid("99000.5")
    assert service.digest() == digest

    bad, good = market.order("bid", "99000.5"), market.order("bid", "99000")
    first, second, third = service.execute_all([bad, good, bad])
    assert isinstance(first, Refused) and isinstance(third, Refused)
    assert market.history() == [second]


# -- what cannot be kept --------------------------------------------------------------------------


@contextmanager
def full_disk(bytes_left: int, file: Path) -> Iterator[None]:
    """Let no file grow beyond so many bytes more than the log of a state file has."""
    size = os.path.getsize(f"{file}-wal") + bytes_left
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("bytes_left", [0, 1000, 5000, 9000])
def test_what_the_disk_does_not_take_has_not_happened(tmp_path: Path, bytes_left: int) -> None:
    file = tmp_path / "state"
    service = opened(file)
    trade(service, seed=1, requests=20)
    market = Market(service, "carol")
    digest, placed = service.digest(), market.history()
    batch: list[Command] = [market.order("bid", "90000")] * 40

    with full_disk(bytes_left, file):
        for _ in range(2):
            with pytest.raises(sqlite3.OperationalError):
                service.execute_all(batch)

    assert service.digest() == digest
    assert market.history() == placed
    service.execute_all(batch)
    assert len(market.history()) == 40
    after = service.digest()
    service.close()
    service = opened(file)
    assert service.digest() == after
    service.close()


def test_a_failure_in_the_middle_of_a_batch_undoes_all_of_it(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    market = Market(service)
    digest = service.digest()
    unknown: Any = object()

    with pytest.raises(KeyError):
        service.execute_all([market.order("bid", "90000"), unknown])

    assert service.digest() == digest
    assert market.history() == []


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "state"
    opened(file).close()
    content = bytearray(file.read_bytes())
    content[4096:] = bytes(byte ^ 0x5A for byte in content[4096:])
    file.write_bytes(content)

    with pytest.raises(ValueError, match="state is damaged: "):
        open_service(file, seed=7, maker=False, taker_delay=0)


DAMAGE: list[tuple[Callable[[Any], object], str]] = [
    (lambda state: state["markets"].pop("SOL"), "the markets are BTC, ETH, not BTC, ETH, SOL"),
    (lambda state: state["accounts"].pop("alice"), "there is no account of order .* named alice"),
    (lambda state: first(state["orders"]).update(symbol="DOGE"), "there is no symbol of order"),
    (lambda state: state.pop("seed"), "KeyError.'seed'"),
    (lambda state: state["accounts"]["alice"].update(balance="much"), "InvalidOperation"),
    (lambda state: state["accounts"]["alice"].update(address="bob"), "alice has the address bob"),
    (lambda state: state.update(orders={"1": first(state["orders"])}), "order 1 has the id 10000"),
    (
        lambda state: state["accounts"]["alice"]["positions"].pop("SOL"),
        "the positions of account alice are BTC, ETH, not BTC, ETH, SOL",
    ),
]


def first(records: dict[str, Any]) -> Any:
    return next(iter(records.values()))


@pytest.mark.parametrize(("damage", "words"), DAMAGE)
def test_a_damaged_state_is_named_when_the_file_is_opened(
    tmp_path: Path, damage: Callable[[Any], object], words: str
) -> None:
    file = tmp_path / "state"
    service = opened(file)
    Market(service).bid("90000")
    service.close()
    with closing(sqlite3.connect(file)) as connection:
        [text] = connection.execute("SELECT state FROM checkpoint").fetchone()
        state = json.loads(text)
        damage(state)
        connection.execute("UPDATE checkpoint SET state = ?", (json.dumps(state),))
        connection.commit()

    with pytest.raises(ValueError, match=f"state is damaged: .*{words}"):
        open_service(file, seed=7, maker=False, taker_delay=0)


@pytest.mark.parametrize(("on_disk", "error"), [(True, PermissionError), (False, KeyError)])
def test_what_is_no_damage_of_a_file_is_not_called_so(
    tmp_path: Path, on_disk: bool, error: type[Exception]
) -> None:
    def failing() -> int:
        raise error("no")

    file = tmp_path / "state" if on_disk else None
    with pytest.raises(error, match="no"):
        open_service(file, seed=7, maker=False, taker_delay=0, now=failing)


@pytest.mark.parametrize("of", ["commands", "snapshots"])
def test_a_damaged_command_or_snapshot_is_named_when_it_is_read(tmp_path: Path, of: str) -> None:
    service = opened(tmp_path / "state")
    Market(service).bid("90000")
    snapshot = service.snapshot()
    file = left_by(tmp_path)
    service.close()
    damage = {"commands": "kind = 'Rob'", "snapshots": "state = '{}'"}
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"UPDATE {of} SET {damage[of]}")
        connection.commit()

    with (
        pytest.raises(ValueError, match=r"state is damaged: KeyError"),
        closing(open_service(file, seed=7, maker=False, taker_delay=0)) as again,
    ):
        again.restore(snapshot)
