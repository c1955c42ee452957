"""What each kind of case asks a program, and what its answer is compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from conformance.cases import Case
from conformance.checks import answers, outcomes, requests, scenarios, scripts, signing
from conformance.checks.asking import Ask
from conformance.compare import Difference

Check = Callable[[Case, Ask], Difference | None]

CHECKS: Mapping[str, Check] = {
    "signing": signing.signed,
    "signing-refused": signing.refused,
    "batch": signing.batch,
    "encode": requests.encoded,
    "explain": requests.explained,
    "decode": answers.decoded,
    "decide": outcomes.decided,
    "play": scripts.played,
    "pages": scripts.paged,
    "settle": scripts.settled,
    "scenario": scenarios.played_out,
}
"""The check of each kind of case."""
