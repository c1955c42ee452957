"""The shipped package of the spec and the overlay of observed endpoints."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

import trading_sdk_observed

OVERLAY = Path(__file__).parents[2] / "spec" / "overlays" / "observed.yaml"


@pytest.fixture(scope="session")
def sdk() -> ModuleType:
    """The package itself."""
    return trading_sdk_observed
