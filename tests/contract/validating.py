"""A pytest plugin that puts Prism between every sandbox and its clients: `-p` names this module.

The `url` of a sandbox becomes that of a proxy which holds each request and each answer against the
spec of the sandbox's dialect. A test during which the spec is violated fails and says how; a run in
which nothing went through the proxy fails as well. Tests that break the spec on purpose carry the
marker `off_contract` and are left out. Not for parallel runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.relay import Passed, Validator
from trading_sandbox import Sandbox
from trading_sandbox.web.dialects.dialect import Dialect
from trading_sandbox.web.dialects.documented import DIALECT as DOCUMENTED
from trading_sandbox.web.dialects.live import DIALECT as LIVE

SPECS = {
    DOCUMENTED: Path(__file__).parents[2] / "spec" / "openapi.yaml",
    LIVE: LIVE.spec,
}
VALIDATORS = pytest.StashKey[dict[Dialect, Validator]]()


def pytest_configure(config: pytest.Config) -> None:
    """Let every sandbox of this process name its entrance for its URL."""
    validators = {dialect: Validator(spec) for dialect, spec in SPECS.items()}
    config.stash[VALIDATORS] = validators
    served: property = vars(Sandbox)["url"]

    def url(sandbox: Sandbox) -> str:
        return validators[sandbox._dialect].entrance(served.__get__(sandbox))

    # The tests make sandboxes in several ways, and ask each of them for its URL.
    patch = pytest.MonkeyPatch()
    patch.setattr(Sandbox, "url", property(url))
    config.add_cleanup(patch.undo)
    for validator in validators.values():
        config.add_cleanup(validator.close)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what breaks the spec on purpose."""
    left_out = [item for item in items if item.get_closest_marker("off_contract")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(autouse=True)
def no_violation(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test, once its fixtures are done, when Prism found a violation during it."""
    validators = request.config.stash[VALIDATORS].values()
    before = {validator: len(validator.passed) for validator in validators}
    yield
    new = (each for validator in validators for each in validator.passed[before[validator] :])
    wrong = [each for each in new if each.violations]
    if wrong:
        told = "\n".join(map(str, wrong))
        pytest.fail(f"the spec is violated:\n{told}", pytrace=False)


def passed(config: pytest.Config) -> list[Passed]:
    """What went through, of all dialects."""
    return [each for validator in config.stash[VALIDATORS].values() for each in validator.passed]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run in which nothing was held against the spec, or something between two tests."""
    through = passed(session.config)
    if session.exitstatus == pytest.ExitCode.OK and (
        not through or any(each.violations for each in through)
    ):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Tell how much went through Prism."""
    wrong = [each for each in passed(config) if each.violations]
    terminalreporter.write_line(
        f"{len(passed(config))} requests went through Prism, {len(wrong)} of them violated the spec"
    )
    for each in wrong:
        terminalreporter.write_line(str(each))
