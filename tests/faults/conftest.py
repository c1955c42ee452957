"""What all cells of a process share, and the report of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults import report
from tests.faults.cell import Bench
from tests.faults.dialling import Authorities, BlackHole
from tests.faults.matrix import Cell
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
) -> Bench:
    return Bench(
        sandbox=exchange,
        authorities=authorities,
        black_hole=black_hole,
        printed=lambda: "".join(capfd.readouterr()),
    )


_OUTCOMES = {
    "passed": report.PASSED,
    "failed": report.FAILED,
    "error": report.FAILED,
    "skipped": report.NOT_APPLICABLE,
}


def pytest_itemcollected(item: pytest.Item) -> None:
    """Write on each test which cell it is, for the report of a process that did not run it."""
    call = getattr(item, "callspec", None)
    cell = None if call is None else call.params.get("cell")
    if isinstance(cell, Cell):
        item.user_properties.append(report.as_property(cell))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what became of every cell."""
    cells = [
        told
        for category, outcome in _OUTCOMES.items()
        for each in terminalreporter.stats.get(category, ())
        for told in report.told(outcome, getattr(each, "user_properties", ()))
    ]
    if cells:
        terminalreporter.section("fault matrix")
        for line in report.lines(cells):
            terminalreporter.write_line(line)
