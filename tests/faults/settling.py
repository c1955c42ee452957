"""What `client.reconcile` can find out of a call, by its operation."""

from __future__ import annotations

from tests.faults.subjects import Subject
from tests.interface import METHODS
from trading_runtime.recovery.settlement import State

_PARTS = {"orders.batch": ("orders.create", "orders.cancel")}


def expected_states(subject: Subject, *, executed: bool, waited: bool) -> tuple[State, ...]:
    """The state of each message; `waited` if it was waited until none can be accepted any more."""
    names = _PARTS.get(subject.name, (subject.name,))
    return tuple(_state(name, executed, waited) for name in names)


def _state(name: str, executed: bool, waited: bool) -> State:
    trace = METHODS[name].trace
    # The histories show withdrawals without their ids, so they settle none.
    if trace is None or (trace.id is None and trace.change is None):
        return "unsettled"
    if executed:
        # An order that was changed may have been replaced, by one that is listed later.
        return "executed" if trace.id is not None or waited else "unsettled"
    return "not executed" if waited else "unsettled"
