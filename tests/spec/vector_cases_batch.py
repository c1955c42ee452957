"""Batch cases: every action signed on its own, in the order given, and batches refused."""

from __future__ import annotations

from dataclasses import dataclass

from tests.interface import ACTIONS
from tests.spec.vector_cases_base import (
    COUNTING,
    ORDER_UUID,
    RFC_1,
    RFC_2,
    TIMESTAMP,
    WINDOW,
    Case,
    Json,
    Key,
    Object,
    canonical_text,
    flat_body,
)
from tests.spec.vector_cases_refused import special
from tests.spec.vector_cases_signing import LIMIT_ORDER, ORDER_EXTRAS

SIGNING_TYPES = {kind: each.signing_type or "" for kind, each in ACTIONS.items()}

MARKET_ORDER: Object = {
    "symbol": "ETH",
    "amount": "1",
    "side": "ask",
    "slippage_percent": "0.5",
    "reduce_only": True,
}
EDIT: Object = {"symbol": "BTC", "price": "100001", "amount": "0.2", "client_order_id": ORDER_UUID}
PROTECT: Object = {"symbol": "BTC", "side": "ask", "stop_loss": {"stop_price": "90000"}}

Action = tuple[str, Object]


def cancel(order_id: int) -> Action:
    return "Cancel", {"symbol": "BTC", "order_id": order_id}


ALL_KINDS: tuple[Action, ...] = (
    ("Create", LIMIT_ORDER),
    ("CreateMarket", MARKET_ORDER),
    cancel(42069),
    ("Edit", EDIT),
    ("SetPositionTpsl", PROTECT),
    ("CancelStopOrder", {"symbol": "BTC", "order_id": 5}),
)


@dataclass(frozen=True)
class Batch:
    """One batch; `reason` set means that it is refused before anything is signed."""

    name: str
    description: str
    actions: tuple[Action, ...]
    key: Key = COUNTING
    owner: Key | None = None
    window: int = WINDOW
    reason: str | None = None

    @property
    def account(self) -> str:
        return (self.owner or self.key).address

    @property
    def agent_wallet(self) -> str | None:
        return self.key.address if self.owner else None

    def given(self) -> Case:
        actions: list[Json] = [
            {"type": kind, "signing_type": SIGNING_TYPES[kind], "data": data}
            for kind, data in self.actions
        ]
        return {
            "private_key": self.key.text,
            "account": self.account,
            "agent_wallet": self.agent_wallet,
            "timestamp": TIMESTAMP,
            "expiry_window": self.window,
            "actions": actions,
        }

    def signed(self, action: Action) -> Case:
        kind, data = action
        canonical = canonical_text(SIGNING_TYPES[kind], data, TIMESTAMP, self.window)
        header = (TIMESTAMP, self.window)
        body = flat_body(self.key, self.account, self.agent_wallet, canonical, header, data)
        return {"type": kind, "data": body}

    def case(self) -> Case:
        head: Case = {
            "name": self.name,
            "kind": "batch",
            "description": self.description,
            "given": self.given(),
        }
        if self.reason is not None:
            return {**head, "refused": {"reason": self.reason}}
        signed: list[Json] = [self.signed(action) for action in self.actions]
        return {**head, "expect": {"body": {"actions": signed}}}


BATCHES = (
    Batch("batch-one-action", "A batch of one.", (cancel(1),)),
    Batch("batch-all-kinds", "All six kinds of action, each with its signing type.", ALL_KINDS),
    Batch(
        "batch-order-kept",
        "The same kinds the other way round: actions are never sorted or grouped.",
        tuple(reversed(ALL_KINDS)),
    ),
    Batch(
        "batch-ten-actions",
        "Ten actions, the most a batch may hold.",
        tuple(cancel(order_id) for order_id in range(10, 0, -1)),
    ),
    Batch(
        "batch-identical-actions",
        "Two equal actions are both sent, with equal signatures.",
        (cancel(7), cancel(7)),
    ),
    Batch(
        "batch-agent",
        "Every action carries the owner's account and the agent that signed it.",
        (("Create", LIMIT_ORDER), cancel(7)),
        key=RFC_1,
        owner=RFC_2,
    ),
    Batch(
        "batch-custom-window",
        "The window of the batch stands in every header and every action.",
        (("Create", {**LIMIT_ORDER, **ORDER_EXTRAS}), ("Edit", EDIT)),
        window=5_000,
    ),
    Batch(
        "batch-refused-eleven-actions",
        "One action too many: nothing is signed.",
        tuple(cancel(order_id) for order_id in range(1, 12)),
        reason="too-many-actions",
    ),
    Batch("batch-refused-no-actions", "An empty batch.", (), reason="no-actions"),
    Batch(
        "batch-refused-float-in-one-action",
        "One action that cannot be signed refuses the whole batch.",
        (cancel(7), ("Create", {**LIMIT_ORDER, "price": special("float:1.5")}), cancel(8)),
        reason="float",
    ),
)
