"""`python -m tests.mutation [MODULE ...]`: fails if the tests miss a mutant that is not listed.

A mutant is a module of the runtime with one small change. Those that no test can notice are listed,
each with the reason, in survivors.md.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutation.mutants import Mutant, Outcome, run

MODULES: Mapping[str, Sequence[str]] = {
    "signing.canonical": ("signing/test_canonical", "test_vectors"),
    "signing.request": ("signing/test_request", "test_vectors", "signing/test_published"),
    "codec.requests": (
        *("codec/test_requests", "test_client_ids", "test_intent", "call/test_failures"),
        "test_vectors",
    ),
    "codec.answers": (
        *("codec/test_answers", "codec/test_values", "call/test_results"),
        *("call/test_own_answers", "test_vectors"),
    ),
    "codec.decoder": ("codec/test_*", "../codegen/second/test_[ar]*"),
    "codec.fast_path": ("codec/test_fast_path", "codec/test_values", "codec/test_records"),
    "codec.parser": ("codec/test_parser", "codec/test_fast_path", "codec/test_values"),
    "codec.page_answers": ("codec/test_fast_path", "codec/test_values", "codec/test_records"),
    "codec.fields": ("codec/test_fields", "../codegen/second/test_[ar]*"),
    "codec.json_types": ("codec/test_*", "test_secrets", "../codegen/second/test_[ar]*"),
    "codec.refusals": (
        "call/test_results",
        "codec/test_answers",
        "call/test_failures",
        "test_vectors",
    ),
    "call.retry": ("call/test_retry", "test_vectors"),
    "call.failures": (
        *("call/test_failures", "call/test_waits", "test_client_clock"),
        *("recovery/test_reconcile_refusals", "test_vectors"),
    ),
    "http.fault": ("http/test_fault", "test_vectors"),
    "http.transport": (
        *("http/test_transport", "http/test_body", "http/test_pool", "http/test_sharing"),
        *("test_config", "call/test_own_answers"),
    ),
    "http.body": ("http/test_body", "http/test_transport"),
    "recovery.settlement": (
        "recovery/test_left_open",
        "recovery/test_reconcile_*",
        "recovery/test_resend",
    ),
    "recovery.evidence": ("recovery/test_evidence*", "recovery/test_reconcile_*"),
    "recovery.reconcile": ("recovery/test_reconcile_*", "test_client_ids"),
    "recovery.lists": ("recovery/test_reconcile_*",),
    "recovery.history_scan": ("recovery/test_reconcile_*", "recovery/test_history_scan"),
}
"""Modules of the runtime, and the tests of each that must notice its mutants.

Not those of test_deadline.py, which measure time too closely for a machine that is busy.
"""

ENOUGH = 90
"""Per cent of the mutants of each module that a test must notice."""

SURVIVORS = Path(__file__).with_name("survivors.md")
_ENTRY = re.compile(r"^## (\S+)\n+```diff\n(.*?)\n```\n+(.*?)(?=^## |\Z)", re.M | re.S)


def listed(text: str) -> dict[Mutant, str]:
    """The mutants of a list like survivors.md, each with the reason why it survives."""
    return {Mutant(where, diff): reason.strip() for where, diff, reason in _ENTRY.findall(text)}


def problems(outcomes: Sequence[Outcome], known: Mapping[Mutant, str]) -> list[str]:
    """What is not as it should be, in the words for whoever has to mend it."""
    found = []
    for outcome in outcomes:
        if outcome.score < ENOUGH:
            found.append(f"{outcome.module}: tests must notice {ENOUGH} % of the mutants")
        for mutant in dict.fromkeys(outcome.survivors):
            if not known.get(mutant):
                found.append(f"not in survivors.md:\n\n{entry(mutant)}")
    return found


def gone(outcomes: Sequence[Outcome], known: Mapping[Mutant, str]) -> list[Mutant]:
    """The listed mutants of these modules that do not survive, or are not made, any more."""
    modules = {outcome.module for outcome in outcomes}
    survivors = {mutant for outcome in outcomes for mutant in outcome.survivors}
    return [m for m in known if m.module in modules and m not in survivors]


def entry(mutant: Mutant) -> str:
    """A mutant as survivors.md lists it, without the reason."""
    return f"## {mutant.function}\n\n```diff\n{mutant.diff}\n```\n"


def main(*modules: str) -> int:
    """Try the mutants of some modules, print those that survive, and return the exit code."""
    known = listed(SURVIVORS.read_text("utf-8"))
    outcomes = []
    for module in modules or MODULES:
        with TemporaryDirectory() as folder:
            outcome = run(module, MODULES[module], Path(folder))
        outcomes.append(outcome)
        print(f"{module}: {outcome.score:.1f} %\n", flush=True)
        for mutant in outcome.survivors:
            print(f"{entry(mutant)}\n{known.get(mutant, 'NOT LISTED')}\n", flush=True)
    found = problems(outcomes, known)
    print(f"{'module':18} {'mutants':>8} {'survived':>9} {'score':>8}")
    for outcome in outcomes:
        survived = len(outcome.survivors)
        print(f"{outcome.module:18} {outcome.mutants:8} {survived:9} {outcome.score:6.1f} %")
    for mutant in gone(outcomes, known):
        print(f"\nsurvives no more, take it off survivors.md:\n\n{entry(mutant)}")
    for problem in found:
        print(f"\n{problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
