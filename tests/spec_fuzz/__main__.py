"""`python -m tests.spec_fuzz`: many mutations; prints what became of them. Exit 1 on a failure."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from itertools import islice

from tests.spec_fuzz.judge import judged
from tests.spec_fuzz.mutate import mutations
from tests.spec_fuzz.wire import SERVED


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.spec_fuzz", description=__doc__)
    parser.add_argument("--mutations", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for mutation in islice(mutations(options.seed), options.mutations):
        verdict = judged(mutation)
        counts[verdict.outcome] += 1
        if verdict.outcome == "failure":
            print(f"FAILURE {mutation}: {verdict.why}", flush=True)
    print(f"seed {options.seed}: {dict(counts)}; at the socket: {dict(SERVED)}")
    return 1 if counts["failure"] else 0


if __name__ == "__main__":
    sys.exit(main())
