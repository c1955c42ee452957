"""The package that is generated from the second spec. What it sends and reads is told by spec/vectors/second."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conformance import second


@pytest.fixture(scope="session")
def generated() -> Path:
    """The folder that holds the package `garden`."""
    return second.generated()


@pytest.fixture(scope="session")
def package() -> Any:
    """The package, imported."""
    return second.package()
