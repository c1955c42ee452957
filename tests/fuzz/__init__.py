"""Hypothesis against what reads foreign input: a few hundred examples, or as many as a profile says.

`pytest tests/fuzz --hypothesis-profile=fuzz --hypothesis-seed=N` runs 100,000 examples of each
target, the same ones for the same N; TRADING_FUZZ_EXAMPLES asks for another number of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import settings

ORDINARY = "ordinary"
FUZZ = "fuzz"

F = TypeVar("F", bound=Callable[..., Any])


def fuzzed(test: F) -> F:
    """Give a test the ordinary profile of this folder, unless the run asked for the long one."""
    return fuzzed_by(ordinary=1, long=1)(test)


def fuzzed_by(*, ordinary: float, long: float) -> Callable[[F], F]:
    """Like `fuzzed`, with these parts of the examples: for what takes far more time than the rest."""

    def give(test: F) -> F:
        # Not loaded but given test by test: a loaded profile would count for all other tests.
        is_long = settings.get_current_profile_name() == FUZZ
        profile = settings.get_profile(FUZZ if is_long else ORDINARY)
        examples = max(1, round(profile.max_examples * (long if is_long else ordinary)))
        return settings(profile, max_examples=examples)(test)

    return give
