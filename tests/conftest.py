"""How the properties of all tests are tried; tests/fuzz has a profile of its own for long runs."""

from __future__ import annotations

import sys

from hypothesis import HealthCheck, settings

# A release is checked by tools that need Python 3.11, as nox does here.
collect_ignore = ["release"] if sys.version_info < (3, 11) else []

# The same examples in every run: no test rests on chance. How long one takes, or is made, says
# nothing on a machine that is busy elsewhere.
settings.register_profile(
    "alike", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("alike")
