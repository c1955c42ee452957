"""The package that is generated from the second spec, a client of it, and the service that it calls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.second.garden import Garden
from tests.conformance import second
from tests.doubles.server import Server
from tests.doubles.signer import KEY


@pytest.fixture(scope="session")
def generated() -> Path:
    """The folder that holds the package `garden`."""
    return second.generated()


@pytest.fixture(scope="session")
def package() -> Any:
    """The package, imported."""
    return second.package()


@pytest.fixture
def garden(package: Any) -> Iterator[Garden]:
    """A client of the package, and the service that it calls."""
    retry = package.Retry(base_delay=0)
    with Server() as service, package.Client(service.url, signer=KEY, retry=retry) as client:
        yield Garden(package, client, service)
