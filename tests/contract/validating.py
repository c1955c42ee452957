"""A pytest plugin that puts Prism between every sandbox and its clients: `-p` names this module.

The `url` of a sandbox becomes that of a proxy which holds each request and each answer against
spec/openapi.yaml. A test during which the spec is violated fails and says how; a run in which
nothing went through the proxy fails as well. Tests that break the spec on purpose carry the marker
`off_contract` and are left out. Not for parallel runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.relay import Validator
from trading_sandbox import Sandbox

SPEC = Path(__file__).parents[2] / "spec" / "openapi.yaml"
VALIDATOR = pytest.StashKey[Validator]()


def pytest_configure(config: pytest.Config) -> None:
    """Let every sandbox of this process name its entrance for its URL."""
    validator = config.stash[VALIDATOR] = Validator(SPEC)
    served: property = vars(Sandbox)["url"]

    def url(sandbox: Sandbox) -> str:
        return validator.entrance(served.__get__(sandbox))

    # The tests make sandboxes in several ways, and ask each of them for its URL.
    patch = pytest.MonkeyPatch()
    patch.setattr(Sandbox, "url", property(url))
    config.add_cleanup(patch.undo)
    config.add_cleanup(validator.close)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what breaks the spec on purpose."""
    left_out = [item for item in items if item.get_closest_marker("off_contract")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(autouse=True)
def no_violation(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test, once its fixtures are done, when Prism found a violation during it."""
    passed = request.config.stash[VALIDATOR].passed
    before = len(passed)
    yield
    wrong = [each for each in passed[before:] if each.violations]
    if wrong:
        told = "\n".join(map(str, wrong))
        pytest.fail(f"spec/openapi.yaml is violated:\n{told}", pytrace=False)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run in which nothing was held against the spec, or something between two tests."""
    passed = session.config.stash[VALIDATOR].passed
    if session.exitstatus == pytest.ExitCode.OK and (
        not passed or any(each.violations for each in passed)
    ):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Tell how much went through Prism."""
    passed = config.stash[VALIDATOR].passed
    wrong = [each for each in passed if each.violations]
    terminalreporter.write_line(
        f"{len(passed)} requests went through Prism, {len(wrong)} of them violated the spec"
    )
    for each in wrong:
        terminalreporter.write_line(str(each))
