"""What reconciling a call tells of each of its messages."""

from __future__ import annotations

from typing import Any, Literal

from attrs import field, frozen

State = Literal["executed", "not executed", "unsettled"]


@frozen(kw_only=True)
class Settlement:
    """What became of one message: a call's own, or one action of a batch."""

    operation: str
    """Operation or action, like `orders.create`."""

    client_id: str | None
    """The id that it was sent with; None where it has none."""

    state: State
    """`executed`; `not executed`, and never will be; or `unsettled`: the histories cannot tell."""

    reason: str
    """What the state was told by."""

    records: tuple[Any, ...] = field(default=())
    """Records of the histories that show it, or, unsettled, that may be of it."""
