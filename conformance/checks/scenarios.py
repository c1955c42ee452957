"""Cases of `scenarios/`: whole stories at a sandbox."""

from __future__ import annotations

from conformance.cases import Case
from conformance.checks.asking import Ask
from conformance.compare import Difference


def played_out(case: Case, ask: Ask) -> Difference | None:
    """A story at a sandbox goes as it is told."""
    raise NotImplementedError
