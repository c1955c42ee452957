"""The short form of `nox -s spec-fuzz`: forty mutations, the same ones in every run."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.spec_fuzz.judge import judged
from tests.spec_fuzz.mutate import Mutation, mutations


@pytest.mark.parametrize("seed", range(4))
def test_every_mutation_is_refused_or_has_an_effect(seed: int) -> None:
    for mutation in islice(mutations(seed), 10):
        verdict = judged(mutation)
        assert verdict.outcome != "failure", f"seed {seed}: {mutation}: {verdict.why}"


@pytest.mark.parametrize(
    ("pointer", "word", "value", "outcome"),
    [
        ("#/components/schemas/Loan/properties/at", "x-unit", "s", "refused"),
        ("#/components/schemas/Cover/properties/price", "x-unit", "USD", "effect"),
        ("#/components/schemas/Loan", "x-source", "assumed", "effect"),
        ("#/components/schemas/Several", "description", "Other words.", "note"),
        ("#/components/schemas/Loan/properties/at", "format", "int64", "said again"),
        ("#", "openapi", "3.1.0", "said again"),
    ],
)
def test_the_judge_tells_the_outcomes_apart(
    pointer: str, word: str, value: str, outcome: str
) -> None:
    assert judged(Mutation("small", pointer, word, value)).outcome == outcome
