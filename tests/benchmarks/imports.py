"""Row 7: importing in a new process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from tests.benchmarks.measure import Comparison, Figure, Row, Way, own_environment

OURS = "import trading_sdk and a Client"
STATEMENT = "import trading_sdk; trading_sdk.Client('http://127.0.0.1:1')"
REQUESTS = "import requests"
PEERS = (
    "import stripe",
    "from hyperliquid.exchange import Exchange",
    "import ccxt",
    "from alpaca.trading.client import TradingClient",
)
WHERE_IT_GOES = (
    "Of what comes on top of requests, attrs itself takes a quarter, the 75 attrs classes that it "
    "compiles at import two fifths, PyNaCl a twentieth. They share one repr and one comparison, which attrs would "
    "compile for each of them. msgspec, events, the types of mappings and all that reads answers are not "
    "among it. Less would take classes that are written out when they are generated, or made when they are first used."
)
MEASURED = """
from time import process_time
before = process_time()
{statement}
print(process_time() - before)
"""


def importing(name: str, statement: str) -> Way:
    """The processor time that a statement takes in a process that has not imported anything."""
    command = [sys.executable, "-c", MEASURED.format(statement=statement)]

    def way() -> Mapping[str, Figure]:
        # No pipe for what the packages warn of: a failure shows it.
        answer = subprocess.run(
            command, check=True, stdout=subprocess.PIPE, text=True, env=own_environment()
        )
        return {name: Figure(float(answer.stdout.split()[-1]))}

    return way


@contextmanager
def ways() -> Iterator[Sequence[Way]]:
    """Every statement; the warm-up writes the byte code."""
    yield [importing(OURS, STATEMENT), *(importing(each, each) for each in (REQUESTS, *PEERS))]


ROW_7 = Row(
    number=7,
    what="Import and construct a client, in a new process",
    ways=ways,
    note=(
        "Processor time from before the statement to after it, the byte code written before. What reads "
        "answers, with cattrs and msgspec, comes with the first call, before that sends anything: it is "
        "another 0.5 x import requests. Of the peers nothing is constructed."
    ),
    rounds=11,
    warm_up=2,
    comparisons=(
        Comparison(ours=OURS, reference=REQUESTS, at_most=1.7, reached=1.8, why=WHERE_IT_GOES),
        *(Comparison(ours=OURS, reference=each, at_most=1.0) for each in PEERS),
    ),
)
