"""What a user's tools say of the package of the second spec: warnings, type checkers and help."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.second.garden import LEAST, PLAN, Garden
from tests.codegen.specs import ROOT
from tests.doubles.transport import response

VALVE = {"name": "a", "code": "b", "24h-rank": 3}
ANSWERS: dict[str, Any] = {
    "/v1/valves": [VALVE],
    "/v2/valves": VALVE,
    "/v2/plans": {"success": True, "data": PLAN},
}
USER = "use_garden.py"


def one(garden: Garden, **given: Any) -> Any:
    return garden.client.valves.one(name="a", **given)


USES: list[tuple[Callable[[Garden], Any], list[str]]] = [
    (lambda g: one(g), []),
    (lambda g: one(g, soil="sand"), []),
    (lambda g: one(g, code="b"), ["ValveQuery.code is deprecated"]),
    (lambda g: one(g, soil="peat"), ["Soil.PEAT is deprecated"]),
    (lambda g: one(g).code, ["Valve.code is deprecated"]),
    (lambda g: one(g).field_24h_rank, ["Valve.field_24h_rank is deprecated"]),
    (lambda g: repr(one(g)), []),
    (lambda g: g.client.valves.list(), ["valves.list is deprecated"]),
    (lambda g: g.package.CreatePlan(**LEAST, remark="a"), ["CreatePlan.remark is deprecated"]),
    (lambda g: g.package.CreatePlan(**LEAST, remark=None), []),
    (lambda g: g.package.CreatePlan(**LEAST, source=None), ["CreatePlan.source is deprecated"]),
    (lambda g: g.package.CreatePlan(**{**LEAST, "soils": ["peat"]}), ["Soil.PEAT is deprecated"]),
    (
        lambda g: g.client.plans.create(**LEAST, source="a", soil="peat"),
        ["CreatePlan.source is deprecated", "Soil.PEAT is deprecated"],
    ),
]


@pytest.mark.parametrize(("use", "told"), USES)
def test_what_is_deprecated_works_and_warns_at_the_line_that_uses_it(
    garden: Garden, use: Callable[[Garden], Any], told: list[str]
) -> None:
    garden.service.respond = lambda asked: response(200, ANSWERS[asked.path])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        use(garden)

    assert sorted(str(each.message) for each in caught) == told
    assert {(each.category, each.filename) for each in caught} <= {(DeprecationWarning, __file__)}


def test_a_warning_is_shown_once_for_each_line(garden: Garden) -> None:
    garden.answers(VALVE)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            garden.client.valves.one(name="a", soil="peat")
        garden.client.valves.one(name="a", soil="peat")

    first, second = [each.lineno for each in caught]
    assert second - first == 1


def test_help_and_the_list_of_methods_tell_what_is_deprecated(generated: Path) -> None:
    models = (generated / "garden" / "models.py").read_text("utf-8")
    methods = (generated / "garden" / "METHODS.md").read_text("utf-8")

    for text in (
        "What a plot is made of.\n\n    Deprecated: `peat`.",
        "Its code. Deprecated.",
        "A remark. Deprecated. At most 5 characters.",
    ):
        assert text in models
    assert "`valves.list` (deprecated)" in methods


def test_help_tells_what_a_type_does_not(generated: Path) -> None:
    plans = (generated / "garden" / "groups" / "plans.py").read_text("utf-8")
    models = (generated / "garden" / "models.py").read_text("utf-8")
    client = (generated / "garden" / "client.py").read_text("utf-8")

    for text in (
        "starts_at: When it starts. With a time zone.",
        "number: Its number. A text in JSON.",
        "range: How much. Holds: At least (litres), At most (litres).",
        "ladder: Its steps. Each holds: Amount (litres), How urgent.",
        "contact: Whom to tell. Format: email. At most 20 characters.",
    ):
        assert text in plans
    assert '"""A condition that is waited for.\n\nTold apart by `by`.\n"""' in models
    assert '"""What starts it.' not in models.split("Trigger: TypeAlias")[1]
    assert "`main`, `trial`, or a URL. A URL holds the prefix" in " ".join(client.split())


CHECKERS = {
    "mypy": ["mypy", "--strict", "--no-error-summary", "--enable-error-code=deprecated", "."],
    "pyright": ["pyright"],
}


@pytest.fixture(scope="module")
def user(generated: Path) -> Path:
    """A program that uses the package. It is kept as text, because the package is made by the tests."""
    return Path(shutil.copy(Path(__file__).parent / f"{USER}.txt", generated.parent / USER))


@pytest.mark.parametrize("tool", CHECKERS)
def test_type_checkers_find_what_is_deprecated_and_nothing_else(
    tool: str, generated: Path, user: Path
) -> None:
    """`nox -s types` asks them about the shipped packages."""
    config = {"reportDeprecated": "error", "pythonPlatform": "Linux"}
    (user.parent / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    roots = os.pathsep.join([str(generated), str(ROOT / "runtime")])
    # Pyright would ask PyPI for a newer version of itself.
    own = {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1", "PYTHONPATH": roots, "MYPYPATH": roots}
    done = subprocess.run(
        [sys.executable, "-m", *CHECKERS[tool]],
        cwd=user.parent,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=False,
    )

    told = re.findall(r"(\w+\.py):(\d+):.* error: (.*deprecated)?", done.stdout)
    lines = user.read_text("utf-8").splitlines()
    meant = [number for number, line in enumerate(lines, start=1) if "# deprecated" in line]
    assert [(name, int(line)) for name, line, _ in told] == [(USER, each) for each in meant]
    assert all(deprecated for _, _, deprecated in told), done.stdout


@pytest.mark.parametrize("command", [["check"], ["format", "--check", "--line-length", "100"]])
def test_ruff_finds_nothing(command: list[str], generated: Path, user: Path) -> None:
    config = ["--no-cache", "--config", str(ROOT / "pyproject.toml")]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, *config, generated / "garden", user],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
