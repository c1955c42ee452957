"""The profile of long runs; all others have that of all tests."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

from tests.fuzz import FUZZ

settings.register_profile(
    FUZZ,
    max_examples=int(os.environ.get("TRADING_FUZZ_EXAMPLES", "100000")),
    deadline=None,
    database=None,
    derandomize=False,
    print_blob=True,
    # How fast examples are made depends on the machine and on what else it does.
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)
