"""What `client.reconcile` can find out of a call, by its operation."""

from __future__ import annotations

from tests.faults.subjects import Subject
from trading_runtime.recovery.settlement import State

_MESSAGES = {"orders.batch": 2}


def expected_states(subject: Subject, *, executed: bool, waited: bool) -> tuple[State, ...]:
    """The state of each message; `waited` if it was waited until none can be accepted any more."""
    return (_state(subject, executed, waited),) * _MESSAGES.get(subject.name, 1)


def _state(subject: Subject, executed: bool, waited: bool) -> State:
    trace = subject.operation.trace
    # The actions of the batch that is sent are orders.
    listed = subject.name in _MESSAGES or (trace is not None and "orders.history" in trace.lists)
    if executed:
        # The histories show withdrawals without their ids, so another one may look the same.
        return "executed" if listed else "unsettled"
    return "not executed" if waited and (listed or trace is not None) else "unsettled"
