"""A short run of what the nox session `soak` does with hundreds of kills."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.kill import soak


@pytest.mark.parametrize(("mode", "kills"), [("pipe", 5), ("http", 2)])
def test_a_sandbox_that_is_killed_loses_nothing_and_does_nothing_twice(
    mode: str, kills: int, tmp_path: Path
) -> None:
    words = soak(mode, kills, seed=2, folder=tmp_path)

    assert f"{kills} kills" in words
