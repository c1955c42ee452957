"""The matrix over a session of requests: which cells, and where it differs from the usual transport."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from tests.faults.rows import SUCCESS, Expectations, Expected, Row, every
from trading_runtime import Fault
from trading_sdk import NotSentError


@frozen(kw_only=True)
class Difference:
    """What is not as with the usual transport, and why."""

    reason: str
    fault: Fault | None = None
    """Which fault it is instead, if it is another one."""
    instead: Expectations | None = None
    """How a call ends; None where the table tells it."""
    tried: bool = True
    late: float = 0.0
    """Seconds after the deadline at which it may end."""


_ATTEMPTS = Difference(
    reason="an attempt may connect for half of the time that is left, so there is time for another one",
    instead=every(Expected(NotSentError, meets=None)),
)
DIFFERENCES: Mapping[str, Difference] = {
    "connection never made": _ATTEMPTS,
    "TLS: handshake hangs": _ATTEMPTS,
    "look-up hangs": Difference(
        reason="no timeout of requests ends the look-up of a host", tried=False
    ),
    "interim answers": Difference(
        reason="http.client passes over a 100 alone, and takes a 103 for an answer",
        fault=Fault.MAYBE_SENT,
    ),
    "headers drip": Difference(
        reason="each part of the headers begins the wait anew; an answer that is there at last is taken",
        instead=every(SUCCESS),
        late=2.0,
    ),
}
"""By the name of the row."""


def over_session(row: Row) -> Row:
    """What is expected of a fault over a session."""
    difference = DIFFERENCES.get(row.name)
    if difference is None:
        return row
    if not difference.tried:
        return evolve(row, only=frozenset(), lacks={"*": f"session: {difference.reason}"})
    return evolve(
        row,
        fault=difference.fault or row.fault,
        instead=difference.instead or row.instead,
        late=difference.late,
    )
