"""The built site, for the tests that read it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site that was built before, or one that is built now."""
    if "TRADING_SITE" in os.environ:
        return Path(os.environ["TRADING_SITE"])
    from docs.site.__main__ import main

    built = tmp_path_factory.mktemp("site")
    assert main(built) == 0
    return built
