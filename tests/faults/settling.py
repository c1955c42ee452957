"""What `client.reconcile` can find out of a call, by its operation."""

from __future__ import annotations

from tests.faults.subjects import Subject
from trading_runtime.recovery.settlement import State

_MESSAGES = {"orders.batch": 2}
_IN_THE_ORDER_HISTORY = frozenset(
    {
        "orders.create",
        "orders.create_stop",
        "orders.create_market",
        "orders.edit",
        "orders.cancel",
        "orders.cancel_stop",
        "orders.batch",
    }
)


def expected_states(subject: Subject, *, executed: bool, waited: bool) -> tuple[State, ...]:
    """The state of each message; `waited` if it was waited until none can be accepted any more."""
    return (_state(subject, executed, waited),) * _MESSAGES.get(subject.name, 1)


def _state(subject: Subject, executed: bool, waited: bool) -> State:
    listed = subject.name in _IN_THE_ORDER_HISTORY
    if executed:
        # The histories show withdrawals without their ids, so another one may look the same.
        return "executed" if listed else "unsettled"
    return "not executed" if waited and (listed or subject.name == "spot.withdraw") else "unsettled"
