"""What became of a message."""

from __future__ import annotations

from typing import Any, Literal

from attrs import field, frozen

State = Literal["executed", "not executed", "unsettled"]


@frozen(kw_only=True)
class Settlement:
    """What became of one message: of a call that is one, or of one action of a batch.

    Attributes:
        operation: Operation or action, like `orders.create`.
        client_id: Its client order id or idempotency key; None where it has none.
        state: `executed`: do not send it again. `not executed`: send it again if you still want it.
            `unsettled`: the histories cannot tell, so do what `reason` says. Of a cancel or an edit it is
            the state of the order, whoever brought it about.
        reason: Why it has this state, and what to do if it is `unsettled`, in a sentence.
        records: The records that show its state; if it is `unsettled`, those that may belong to it.
        rests_on: What has to be true for the state to be true; empty if it is `unsettled`.
    """

    operation: str
    """Operation or action, like `orders.create`."""

    client_id: str | None
    """The client order id or idempotency key that it was sent with; None where it has none."""

    state: State
    """`executed`; `not executed`, and never will be; or `unsettled`: the histories cannot tell."""

    reason: str
    """Why it has this state, in a sentence."""

    records: tuple[Any, ...] = field(default=())
    """The records that show its state; if it is `unsettled`, those that may belong to it."""

    rests_on: str = ""
    """What has to be true for the state to be true, in a sentence; empty if it is `unsettled`."""
