"""What is deprecated: callers, type checkers, ports and readers of the documentation are told."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from solders.keypair import Keypair

from tests.codegen.exchange import exchange
from tests.codegen.invented import environment, warned_of

SEED = str(Keypair.from_seed(bytes(range(32))))
BASKET = "/api/v2/alerts/basket"
VENUE = {"name": "a", "code": "b", "24h-rank": 3}
ANSWERS: dict[str, list[Any]] = {
    "/api/v2/venues": [{"success": True, "data": [VENUE] * 5}] * 2,
    "/api/v2/venue": [{"success": True, "data": VENUE}] * 4,
    BASKET: [(204, None)] * 2,
}


def test_what_is_deprecated_works_and_warns_once_where_it_is_used(generated: Path) -> None:
    program = generated.parent / "use_deprecated.py"
    with exchange(ANSWERS) as server:
        done = subprocess.run(
            [sys.executable, str(program), server.url, SEED],
            env=environment(generated),
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )

    assert done.returncode == 0, done.stderr
    shown = "Venue(name='a', _code='b', _field_24h_rank=3)"
    assert done.stdout == f"b\nb\n3 a {shown}\n"
    told = re.findall(r"use_deprecated.py:(\d+): DeprecationWarning: (.*)", done.stderr)
    assert [int(line) for line, _ in told] == warned_of(generated.parent, "# warns")
    assert [text for _, text in told] == [
        "venues.list is deprecated",
        "Venue.code is deprecated",
        "VenueQuery.code is deprecated",
        "AlertKind.INDEX is deprecated",
        "Venue.field_24h_rank is deprecated",
        "SetBasket.note is deprecated",
        "SetBasket.source is deprecated",
    ]
    sent = [each.body for each in server.received if each.path == BASKET]
    assert [body.get("note") for body in sent] == [None, "short"]
