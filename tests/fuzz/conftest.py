"""The two profiles of the fuzz tests; tests/fuzz/__init__.py says how they are chosen."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

from tests.fuzz import FUZZ, ORDINARY

EXAMPLES = int(os.environ.get("TRADING_FUZZ_EXAMPLES", "100000"))
_ALIKE = settings(
    deadline=None,
    database=None,
    # How fast examples are made depends on the machine and on what else it does.
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)
settings.register_profile(ORDINARY, _ALIKE, max_examples=100, derandomize=True)
settings.register_profile(FUZZ, _ALIKE, max_examples=EXAMPLES, derandomize=False, print_blob=True)
