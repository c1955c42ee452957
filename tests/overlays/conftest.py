"""The larger package, generated once."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from codegen.__main__ import main

OVERLAY = Path(__file__).parents[2] / "spec" / "overlays" / "observed.yaml"
PACKAGE = "observed_sdk"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the package."""
    out = tmp_path_factory.mktemp("larger")
    given = ["--overlay", str(OVERLAY), "--out", str(out), "--package", PACKAGE]
    assert main(["generate", *given]) == 0
    return out


@pytest.fixture(scope="session")
def sdk(folder: Path) -> Iterator[ModuleType]:
    """The package itself."""
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module(PACKAGE)
    finally:
        sys.path.remove(str(folder))
