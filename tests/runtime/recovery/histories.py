"""What tests of `reconcile` ask of a client, and the words with which it answers.

A message is signed a minute ago unless a test says otherwise, so it has expired; its clock agrees with this
machine's. The service only answers lists: `ListsTransport`.
"""

from __future__ import annotations

from tests.doubles.orders import HERE, MINUTE, message
from trading_runtime.clock import now_ms
from trading_runtime.errors import ApiError, OutcomeUnknownError
from trading_runtime.intent import Message
from trading_sdk import Client, Settlement

__all__ = ["HERE"]
LAG = 15_000
"""The `history_lag` of every client, in ms, unless a test says otherwise."""
EXECUTED = ("executed", "a list shows its id")
NOT_EXECUTED = ("not executed", "no list shows its id")
GIVEN = ("unsettled", "a list shows its id, but perhaps of another message that used it")
"""What is said of an order whose id its caller gave."""

Failed = OutcomeUnknownError | ApiError


def soon_after_signing() -> int:
    """The time of a record that was made a second after a message was signed."""
    return now_ms() - MINUTE + 1_000


def cancel(order_id: int = 1) -> Message:
    return message("orders.cancel", None, order_id=order_id)


def settled(client: Client, error: Failed, timeout: float | None = None) -> Settlement:
    """The settlement of a call of one message."""
    (settlement,) = client.reconcile(error, timeout=timeout)
    return settlement


def state(client: Client, error: Failed, timeout: float | None = None) -> tuple[str, str]:
    """The state of a call of one message, and the reason for it."""
    settlement = settled(client, error, timeout)
    return settlement.state, settlement.reason


def order_ids(settlement: Settlement) -> list[int]:
    return [record.order_id for record in settlement.records]
