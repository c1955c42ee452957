"""A short run of what the nox session `soak` does for an hour of the exchange's time."""

from __future__ import annotations

import pytest

from tests.soak.streaming import soak


@pytest.mark.toolkit
def test_a_stream_that_is_cut_ends_where_the_history_and_the_exchange_are() -> None:
    assert soak(minutes=2, seed=1).startswith("2 minutes and cuts")
