"""What is said of a message that stays unsettled."""

from __future__ import annotations

import pytest

from trading_runtime.clock import Skew
from trading_runtime.recovery.left_open import LeftOpen

DAY = 86_400_000


@pytest.mark.parametrize(
    ("until", "skew", "text"),
    [
        (DAY, None, "86400000 ms (1970-01-02 00:00:00 UTC);"),
        (DAY, Skew(-1_000, 1_000), "86400000 ms (1970-01-02 00:00:00 UTC);"),
        (DAY, Skew(-1_999, -1_999), "86400000 ms (1970-01-02 00:00:00 UTC);"),
        (DAY, Skew(-300_500, -299_500), "UTC) by its clock, which is 300 s behind this machine's;"),
        (DAY, Skew(2_000, 2_000), "UTC) by its clock, which is 2 s ahead of this machine's;"),
        (10**18, None, "1000000000000000000 ms (in a year that no calendar has);"),
    ],
)
def test_when_a_message_expires_is_said_in_utc_and_by_whose_clock(
    until: int, skew: Skew | None, text: str
) -> None:
    said = LeftOpen(until=until, skew=skew, history_lag=15.0).too_early()

    assert f"until {text}" in said or text in said
    assert said.endswith("; call client.reconcile(error) again 15 s after that")
