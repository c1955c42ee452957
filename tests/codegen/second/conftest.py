"""The package that is generated from the second spec, a client of it, and the service that it calls."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from tests.codegen.second.garden import Garden
from tests.codegen.specs import SECOND
from tests.doubles.server import Server
from tests.doubles.signer import KEY


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the package `garden`."""
    out = tmp_path_factory.mktemp("second") / "generated"
    assert main(["generate", "--spec", str(SECOND), "--out", str(out), "--package", "garden"]) == 0
    return out


@pytest.fixture(scope="session")
def package(generated: Path) -> Iterator[Any]:
    """The package, imported."""
    sys.path.insert(0, str(generated))
    try:
        yield importlib.import_module("garden")
    finally:
        sys.path.remove(str(generated))


@pytest.fixture
def garden(package: Any) -> Iterator[Garden]:
    """A client of the package, and the service that it calls."""
    retry = package.Retry(base_delay=0)
    with Server() as service, package.Client(service.url, signer=KEY, retry=retry) as client:
        yield Garden(package, client, service)
