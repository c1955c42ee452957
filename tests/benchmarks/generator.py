"""Row 10: the generator, beside the one that its spec could be given to instead."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.measure import Comparison, Row, Way, cpu_of_child

SPEC = "spec/openapi.yaml"
GENERATE, CHECK, ALONE = "codegen generate", "codegen check", "datamodel-code-generator alone"


@contextmanager
def ways() -> Iterator[Sequence[Way]]:
    """Generate, check what was generated, and the models alone by the other generator."""
    with TemporaryDirectory() as folder:
        out, models = str(Path(folder, "ours")), str(Path(folder, "models.py"))
        source = ("--input", SPEC, "--input-file-type", "openapi")
        kind = ("--output-model-type", "dataclasses.dataclass")
        python = (sys.executable, "-m")
        # The other generator makes one package, too.
        one = ("--package", "trading_sdk")
        yield (
            cpu_of_child(GENERATE, *python, "codegen", "generate", *one, "--out", out),
            cpu_of_child(CHECK, *python, "codegen", "check", *one, "--out", out),
            cpu_of_child(
                ALONE, *python, "datamodel_code_generator", *source, *kind, "--output", models
            ),
        )


ROW_10 = Row(
    number=10,
    what="Generate the package from the spec, and check it",
    ways=ways,
    note="The other generator makes the models alone, as dataclasses.",
    rounds=7,
    comparisons=(
        Comparison(ours=GENERATE, reference=ALONE, at_most=2.0),
        Comparison(ours=CHECK, reference=ALONE, at_most=2.0),
    ),
)
