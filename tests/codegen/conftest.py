"""The package of the invented spec, generated once for all tests of a process."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from codegen.__main__ import main
from tests.codegen.invented import FRAGMENTS, USERS, changed_spec
from tests.codegen.specs import written


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the package. The programs that use it stand beside the folder."""
    folder = tmp_path_factory.mktemp("changed")
    spec = written(changed_spec(), folder)
    out = folder / "generated"
    for name in USERS:
        shutil.copy(FRAGMENTS / f"{name}.txt", folder / name)
    assert main(["generate", "--spec", str(spec), "--out", str(out)]) == 0
    return out
