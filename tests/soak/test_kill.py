"""A short run of what the nox session `soak` does with hundreds of kills."""

from __future__ import annotations

from pathlib import Path

from tests.soak.kill import soak


def test_a_sandbox_that_is_killed_loses_nothing_and_does_nothing_twice(tmp_path: Path) -> None:
    assert "4 kills" in soak(kills=4, seed=2, folder=tmp_path)
