"""How the properties of all tests are tried; tests/fuzz has a profile of its own for long runs."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The same examples in every run: no test rests on chance. How long one takes, or is made, says
# nothing on a machine that is busy elsewhere.
settings.register_profile(
    "alike", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("alike")
