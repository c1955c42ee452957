"""What all cells of a process share."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from tests.faults.cell import Bench
from tests.faults.dialling import Authorities, BlackHole
from tests.pulse import Pulse
from trading_sandbox import Sandbox


@pytest.fixture(scope="session")
def authorities(tmp_path_factory: pytest.TempPathFactory) -> Authorities:
    return Authorities(tmp_path_factory.mktemp("authorities"))


@pytest.fixture(scope="session")
def black_hole() -> Iterator[BlackHole]:
    hole = BlackHole()
    yield hole
    hole.close()


@pytest.fixture(scope="session")
def pulse() -> Iterator[Pulse]:
    watch = Pulse()
    yield watch
    watch.stop()


@pytest.fixture(scope="session")
def exchange() -> Iterator[Sandbox]:
    """One exchange for all cells of a process."""
    with Sandbox(maker=False, taker_delay=0.01) as running:
        yield running


@pytest.fixture
def bench(
    exchange: Sandbox,
    authorities: Authorities,
    black_hole: BlackHole,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> Bench:
    caplog.set_level(logging.DEBUG)  # of every logger
    return Bench(
        sandbox=exchange,
        authorities=authorities,
        black_hole=black_hole,
        printed=lambda: "".join((*capfd.readouterr(), caplog.text)),
    )
