"""Hypothesis against what reads foreign input: a hundred examples, or as many as a profile says.

`pytest tests/fuzz --hypothesis-profile=fuzz --hypothesis-seed=N` runs 100,000 examples of each
target, the same ones for the same N; TRADING_FUZZ_EXAMPLES asks for another number of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import settings

FUZZ = "fuzz"

F = TypeVar("F", bound=Callable[..., Any])


def fuzzed_by(*, ordinary: float, long: float) -> Callable[[F], F]:
    """Give a test these parts of the examples of a profile: for what takes far more time, or less, than the rest."""
    share = long if settings.get_current_profile_name() == FUZZ else ordinary
    return settings(max_examples=max(1, round(settings().max_examples * share)))
