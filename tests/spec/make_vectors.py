"""Writes the conformance cases under ``spec/vectors/``; with ``--check``, compares only.

Run from the repository root: ``python -m tests.spec.make_vectors [--check]``. The three case
folders are written whole, so a file without a case is removed. ``schema.json`` and
``README.md`` beside them are written by hand.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.spec import (
    vector_cases_accounts,
    vector_cases_actions,
    vector_cases_answers,
    vector_cases_batch,
    vector_cases_believed,
    vector_cases_canonical,
    vector_cases_decide,
    vector_cases_decode,
    vector_cases_decode_errors,
    vector_cases_encode,
    vector_cases_encode_refused,
    vector_cases_faults,
    vector_cases_limits,
    vector_cases_pages,
    vector_cases_play,
    vector_cases_promised,
    vector_cases_reasons,
    vector_cases_refused,
    vector_cases_retries,
    vector_cases_scenarios,
    vector_cases_settle,
    vector_cases_signing,
    vector_cases_stories,
)
from tests.spec.vector_cases_base import Case
from tests.spec.vector_rules import rule_of

VECTORS = Path(__file__).resolve().parents[2] / "spec" / "vectors"
FOLDERS = (
    "signing",
    "batch",
    "encode",
    "decode",
    "json",
    "outcome",
    "pages",
    "settle",
    "scenarios",
)


def cases() -> Iterator[tuple[str, Case]]:
    """Every case with the folder it stands in."""
    for signing in (
        *vector_cases_signing.ORDER_CASES,
        *vector_cases_accounts.CASES,
        *vector_cases_canonical.CASES,
    ):
        yield "signing", signing.case()
    for refused in vector_cases_refused.CASES:
        yield "signing", refused
    for batch in vector_cases_batch.BATCHES:
        yield "batch", batch.case()
    for encode in (*vector_cases_encode.CASES, *vector_cases_encode_refused.CASES):
        yield "encode", encode
    for decode in (
        *vector_cases_decode.CASES,
        *vector_cases_decode_errors.CASES,
        *vector_cases_limits.CASES,
        *vector_cases_answers.CASES,
        *vector_cases_reasons.CASES,
    ):
        yield "decode", decode
    for json_case in vector_cases_answers.JSON:
        yield "json", json_case
    for outcome in (
        *vector_cases_decide.CASES,
        *vector_cases_play.CASES,
        *vector_cases_believed.CASES,
        *vector_cases_actions.CASES,
        *vector_cases_retries.CASES,
        *vector_cases_promised.CASES,
    ):
        yield "outcome", outcome
    for pages in vector_cases_pages.CASES:
        yield "pages", pages
    for settle in vector_cases_settle.CASES:
        yield "settle", settle
    for scenario in (
        *vector_cases_scenarios.CASES,
        *vector_cases_faults.CASES,
        *vector_cases_stories.CASES,
    ):
        yield "scenarios", scenario


def expected_files() -> dict[Path, bytes]:
    """The bytes of every case file; two cases of one name are a ValueError."""
    files: dict[Path, bytes] = {}
    for folder, case in cases():
        path = VECTORS / folder / f"{case['name']}.json"
        if path in files:
            raise ValueError(f"two cases are named {case['name']}")
        whole = with_rule(folder, case)
        files[path] = (json.dumps(whole, indent=2) + "\n").encode("ascii")
    return files


def with_rule(folder: str, case: Case) -> Case:
    """A case with the rule that it tests, and the features that a port needs for it."""
    name, kind, description, *rest = case
    head = {each: case[each] for each in (name, kind, description)}
    rule = case.get("rule") or rule_of(f"{folder}/{case['name']}")
    needed = {"features": ["float"]} if "$special" in json.dumps(case) else {}
    if folder == "signing" and str(case["name"]).startswith("half-surrogate"):
        needed = {"features": ["half-surrogates"]}
    return {**head, "rule": rule, **needed, **{each: case[each] for each in rest if each != "rule"}}


def existing_files() -> set[Path]:
    return {path for folder in FOLDERS for path in (VECTORS / folder).glob("*") if path.is_file()}


def drift() -> list[str]:
    """What differs between the cases and the folder, one line a file; empty when nothing does."""
    expected, existing = expected_files(), existing_files()
    lines = [f"missing: {path}" for path in expected.keys() - existing]
    lines += [f"without a case: {path}" for path in existing - expected.keys()]
    lines += [
        f"differs: {path}"
        for path in existing & expected.keys()
        if path.read_bytes() != expected[path]
    ]
    return sorted(lines)


def write() -> None:
    expected = expected_files()
    for path in existing_files() - expected.keys():
        path.unlink()
    for path, content in expected.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def main(arguments: Sequence[str]) -> int:
    if arguments == ["--check"]:
        lines = drift()
        print("\n".join(lines) or "spec/vectors is up to date")
        return 1 if lines else 0
    if arguments:
        print("usage: python -m tests.spec.make_vectors [--check]", file=sys.stderr)
        return 2
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
