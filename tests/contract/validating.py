"""A pytest plugin that holds what each sandbox is asked and answers against its spec: `-p` names this module.

A test during which the spec of the sandbox's dialect is violated fails and says how. A run fails
unless every operation was asked for and carried out and, where the document lists a refusal that the
SDK can bring about, refused. Tests that break the spec on purpose carry the marker `off_contract` and
are left out. Not for parallel runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from codegen.read.load import load
from tests.contract.held import Exchange, violations
from tests.end_to_end.operations import EMPTY_ANSWERS, REFUSED
from trading_sandbox.web.app import _App
from trading_sandbox.web.dialects.dialect import Dialect
from trading_sandbox.web.dialects.documented import DIALECT as DOCUMENTED
from trading_sandbox.web.dialects.live import DIALECT as LIVE

PATHS = {
    DOCUMENTED: Path(__file__).parents[2] / "spec" / "openapi.yaml",
    LIVE: LIVE.spec,
}
SPECS = {dialect: load(path)[0].value for dialect, path in PATHS.items()}


class Held(NamedTuple):
    """An exchange with a sandbox, and what of it the spec does not allow."""

    dialect: Dialect
    exchange: Exchange
    violations: list[str]

    def __str__(self) -> str:
        method, path, *_, status, _ = self.exchange
        return "\n    ".join([f"{method} {path} -> {status}", *self.violations])


HELD: list[Held] = []
"""What went on in this process."""


def pytest_configure(config: pytest.Config) -> None:
    """Let every sandbox of this process hold what it is asked and answers against the spec."""
    serve = _App.__call__

    async def held(app: _App, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await serve(app, scope, receive, send)
            return
        # Whole, for a refusal may come before the application reads it.
        messages = [await receive()]
        while messages[-1].get("more_body"):
            messages.append(await receive())
        body = b"".join(each.get("body", b"") for each in messages)
        status = [0]

        async def receiving() -> Any:
            return messages.pop(0) if messages else await receive()

        async def sending(message: Any) -> None:
            if "body" in message:
                where = (scope["method"], scope["path"], scope["query_string"].decode())
                exchange = Exchange(*where, body, status[0], message["body"])
                found = list(violations(SPECS[app._dialect], exchange))
                HELD.append(Held(app._dialect, exchange, found))
            else:
                status[0] = message["status"]
            await send(message)

        await serve(app, scope, receiving, sending)

    patch = pytest.MonkeyPatch()
    patch.setattr(_App, "__call__", held)
    config.add_cleanup(patch.undo)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what breaks the spec on purpose."""
    left_out = [item for item in items if item.get_closest_marker("off_contract")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(autouse=True)
def no_violation() -> Iterator[None]:
    """Fail a test, once its fixtures are done, when the spec was violated during it."""
    before = len(HELD)
    yield
    if wrong := [each for each in HELD[before:] if each.violations]:
        told = "\n".join(map(str, wrong))
        pytest.fail(f"the spec is violated:\n{told}", pytrace=False)


def missing() -> Iterator[str]:
    """The operations of each dialect that were not carried out or refused."""
    for dialect in SPECS:
        done = {each.exchange for each in HELD if each.dialect is dialect}
        through = {(each.method, each.path, each.status) for each in done}
        # What is an action only goes in a batch, whose status is 200 even if the action is refused.
        operations = dialect.api.operations
        carried_out = dialect.modelled & operations.keys()
        if dialect is DOCUMENTED:
            wanted = {200: carried_out, 400: operations.keys() & REFUSED}
        else:
            wanted = {200: carried_out - EMPTY_ANSWERS}
        for status, names in wanted.items():
            for name in sorted(names):
                if (operations[name].method, operations[name].path, status) not in through:
                    yield f"{name}: no answer of status {status} was seen"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run in which too little was held against the spec, or something wrong between two tests."""
    wrong = any(each.violations for each in HELD)
    if session.exitstatus == pytest.ExitCode.OK and (wrong or [*missing()]):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell how much was held against the spec."""
    wrong = [each for each in HELD if each.violations]
    terminalreporter.write_line(f"{len(HELD)} exchanges, {len(wrong)} of them violated the spec")
    for each in (*map(str, wrong), *missing()):
        terminalreporter.write_line(each)
