"""Cases of `outcome/` that ask for the retry decision alone."""

from __future__ import annotations

from conformance.cases import Case
from conformance.checks.asking import Ask, compare
from conformance.compare import Difference


def decided(case: Case, ask: Ask) -> Difference | None:
    """A failed attempt leads to this delay, or to this error, for this reason."""
    return compare(case.expect, ask("decide", **case.given))
