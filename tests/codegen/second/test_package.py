"""What a user's tools say of the package of the second spec: type checkers, ruff and help."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.codegen.specs import ROOT
from tests.conformance.second import generated

USER = "use_garden.py"


SAID = {
    "models.py": ("From above. Each holds: Depth (m), Share of water (percent), Soil.",),
    "METHODS.md": ("`valves.list` (deprecated)",),
    "groups/plans.py": (
        "with status any 4xx or any other",
        "starts_at: When it starts. An integer, or an aware datetime. Unit: ms.",
    ),
    "client.py": ("`main`, `trial`, or a URL. A URL holds the prefix",),
}


@pytest.mark.parametrize("path", SAID)
def test_help_tells_what_a_type_does_not_say(path: str) -> None:
    text = (generated() / "garden" / path).read_text("utf-8")

    assert [
        each for each in SAID[path] if " ".join(each.split()) not in " ".join(text.split())
    ] == []


OLDEST = "3.10"
"""The Python whose types are checked, as in pyproject.toml."""
CHECKERS = {
    "mypy": ["mypy", "--strict", "--no-error-summary", "--python-version", OLDEST, "."],
    "pyright": ["pyright"],
}


@pytest.fixture(scope="module")
def user() -> Path:
    """A program that uses the package. It is kept as text, because the package is made by the tests."""
    return Path(shutil.copy(Path(__file__).parent / f"{USER}.txt", generated().parent / USER))


@pytest.mark.types
@pytest.mark.parametrize("tool", CHECKERS)
def test_type_checkers_find_nothing(tool: str, user: Path) -> None:
    """`nox -s types` asks them about the shipped packages."""
    config = {"pythonPlatform": "Linux", "pythonVersion": OLDEST}
    (user.parent / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    roots = os.pathsep.join([str(generated()), str(ROOT / "runtime")])
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
def test_ruff_finds_nothing(command: list[str], user: Path) -> None:
    config = ["--no-cache", "--config", str(ROOT / "pyproject.toml")]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, *config, generated() / "garden", user],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
