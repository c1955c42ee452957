"""The package of the invented spec, generated once for all tests of a process."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.load import Node, Problem
from codegen.rules import document
from tests.codegen.invented import FRAGMENTS, USERS, changed_spec
from tests.codegen.specs import written


@pytest.fixture(scope="session", autouse=True)
def validated_once() -> Iterator[None]:
    """Validate each spec once: it takes 1.5 s, and many tests read the same one."""
    validate, known = document.openapi, dict[str, list[Problem]]()

    def remembered(root: Node) -> Iterator[Problem]:
        key = json.dumps(root.value, default=repr)
        if key not in known:
            known[key] = [*validate(root)]
        return iter(known[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document, "openapi", remembered)
        yield


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
