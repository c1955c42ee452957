"""What a user's tools say of the package of the second spec: warnings, type checkers and help."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tests.codegen.second.garden import LEAST, PLAN, Garden
from tests.codegen.specs import ROOT

USER = "use_garden.py"


def test_what_is_deprecated_works_as_ever_and_warns_nobody(garden: Garden) -> None:
    garden.answers([{"name": "a", "mark": "b", "rank": 3}], (201, {"success": True, "data": PLAN}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (valve,) = garden.client.valves.list()
        garden.client.plans.create(**LEAST, remark="a", soil="peat")

    assert (valve.mark, valve.rank) == ("b", 3)


def test_help_and_the_list_of_methods_tell_what_is_deprecated(generated: Path) -> None:
    models = (generated / "garden" / "models.py").read_text("utf-8")
    methods = (generated / "garden" / "METHODS.md").read_text("utf-8")

    for text in (
        "What a plot is made of.\n\n    Deprecated: `peat`.",
        "Its mark. Deprecated.",
        "A remark. Deprecated. At most 5 characters.",
    ):
        assert text in models
    assert "`valves.list` (deprecated)" in methods


def test_help_tells_of_any_status(garden: Garden) -> None:
    assert "with status any 4xx or any other" in garden.client.plans.change.__doc__


def test_help_tells_what_a_type_does_not(generated: Path) -> None:
    plans = (generated / "garden" / "groups" / "plans.py").read_text("utf-8")
    models = (generated / "garden" / "models.py").read_text("utf-8")
    client = (generated / "garden" / "client.py").read_text("utf-8")

    for text in (
        "starts_at: When it starts. An integer, or an aware datetime. Unit: ms.",
        "contact: Whom to tell.",
    ):
        assert text in plans
    assert '"""Whom to tell. Format: email. At most 20 characters."""' in models
    assert "From above. Each holds: Depth (m), Share of water (percent), Soil." in models
    assert "`main`, `trial`, or a URL. A URL holds the prefix" in " ".join(client.split())


OLDEST = "3.10"
"""The Python whose types are checked, as in pyproject.toml."""
CHECKERS = {
    "mypy": ["mypy", "--strict", "--no-error-summary", "--python-version", OLDEST, "."],
    "pyright": ["pyright"],
}


@pytest.fixture(scope="module")
def user(generated: Path) -> Path:
    """A program that uses the package. It is kept as text, because the package is made by the tests."""
    return Path(shutil.copy(Path(__file__).parent / f"{USER}.txt", generated.parent / USER))


@pytest.mark.types
@pytest.mark.parametrize("tool", CHECKERS)
def test_type_checkers_find_nothing(tool: str, generated: Path, user: Path) -> None:
    """`nox -s types` asks them about the shipped packages."""
    config = {"pythonPlatform": "Linux", "pythonVersion": OLDEST}
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

    assert done.returncode == 0, done.stdout


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
