"""A pytest plugin that puts Prism between every sandbox and its clients: `-p` names this module.

The `url` of a sandbox becomes that of a proxy which holds each request and each answer against the
spec of the sandbox's dialect. A test during which the spec is violated fails and says how. A run fails
unless every operation went through the proxy and was carried out and, where the document lists a
refusal that the SDK can bring about, refused. Tests that break the spec on purpose carry the marker
`off_contract` and are left out. Not for parallel runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.relay import Passed, Validator
from tests.end_to_end.operations import EMPTY_ANSWERS, REFUSED
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


def missing(config: pytest.Config) -> list[str]:
    """What did not go through Prism: the operations of each dialect that were not carried out or refused."""
    told = []
    for dialect, validator in config.stash[VALIDATORS].items():
        through = {(each.method, each.path, each.status) for each in validator.passed}
        # What is an action only goes in a batch, whose status is 200 even if the action is refused.
        operations = dialect.api.operations
        carried_out = dialect.modelled & operations.keys()
        if dialect is DOCUMENTED:
            wanted = {200: carried_out, 400: operations.keys() & REFUSED}
        else:
            wanted = {200: carried_out - EMPTY_ANSWERS}
        for status, names in wanted.items():
            for name in sorted(names):
                operation = operations[name]
                if (operation.method, operation.path, status) not in through:
                    told.append(f"{name}: no answer of status {status} went through Prism")
    return told


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run in which too little was held against the spec, or something wrong between two tests."""
    wrong = any(each.violations for each in passed(session.config))
    if session.exitstatus == pytest.ExitCode.OK and (wrong or missing(session.config)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Tell how much went through Prism."""
    wrong = [each for each in passed(config) if each.violations]
    terminalreporter.write_line(
        f"{len(passed(config))} requests went through Prism, {len(wrong)} of them violated the spec"
    )
    for each in (*map(str, wrong), *missing(config)):
        terminalreporter.write_line(each)
