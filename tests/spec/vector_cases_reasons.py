"""Decode cases of refusals that have a reason: what a program branches on in the place of a text."""

from __future__ import annotations

import json

from tests.spec.vector_cases_base import Case
from tests.spec.vector_cases_decode import decode_case

CREATE, TRANSFER = "orders.create", "subaccounts.transfer"

# Name, description, operation, status, text, code, reason.
REASONS: tuple[tuple[str, str, str, int, str, int | None, str | None], ...] = (
    ("text", "The text begins so.", CREATE, 400, "Invalid price: 1.5", 400, "invalid_price"),
    ("any-case", "Case does not count.", CREATE, 422, "INVALID PRICE", None, "invalid_price"),
    (
        "longest-text",
        "Two texts fit, and the longer one counts.",
        CREATE,
        401,
        "Invalid message: it expired 5 ms ago",
        401,
        "expired_message",
    ),
    (
        "of-an-action",
        "A text names an action of a batch before it begins.",
        "orders.batch",
        400,
        "actions[1]: Verification failed",
        400,
        "invalid_signature",
    ),
    ("in-2xx", "A refusal under 200.", CREATE, 200, "Insufficient balance", 5, "insufficient_balance"),
    ("code", "The code of this operation.", TRANSFER, 400, "no", 5, "insufficient_balance"),
    ("code-elsewhere", "The code of another operation.", CREATE, 400, "no", 5, None),
    ("text-before-code", "The text counts first.", TRANSFER, 400, "Account not found", 5, "account_not_found"),
    ("status", "The status alone.", "spot.withdraw", 409, "used", None, "duplicate_idempotency_key"),
    ("status-elsewhere", "A status that shows it under another operation alone.", CREATE, 409, "used", None, None),
    ("no-longer-open", "A text that was seen live.", CREATE, 422, "Failed to cancel order", 5, "order_not_found"),
    ("no-history", "Another one.", CREATE, 404, "Order history not found for order ID: 7", 404, "order_not_found"),
    ("unused-id", "Another one.", CREATE, 422, "Unused client order id: 1", 37, "order_not_found"),
    ("over-withdrawal", "Another one.", "spot.withdraw", 422, "Over withdrawal: balance 1 amount 2", 9, "insufficient_balance"),
    ("no-book", "Another one.", CREATE, 422, "Book not found: DOGE", 3, "unknown_symbol"),
    ("tick-level", "Another one.", CREATE, 422, "Invalid tick level", None, "invalid_price"),
    ("stop-side", "Another one.", CREATE, 422, "Invalid stop order side", 17, "invalid_stop"),
    ("stop-tick", "Another one.", CREATE, 422, "Invalid stop tick: 1", 16, "invalid_stop"),
    ("transfer-relationship", "Another one.", TRANSFER, 422, "Invalid transfer relationship: no", 33, "invalid_recipient"),
    ("too-low", "Another one.", CREATE, 422, "Order amount too low for BTC: 5 < 10", 14, "order_too_small"),
    ("reduce-only-side", "Another one.", CREATE, 422, "Invalid reduce-only order side: must be opposite to position side", 21, "reduce_only"),
    ("reduce-only-position", "Another one.", CREATE, 422, "No position found for reduce-only order: 1", 23, "reduce_only"),
    ("duplicate-id", "Another one.", CREATE, 422, "Duplicate client order id: 1", 36, "duplicate_client_order_id"),
    ("agent", "Another one.", CREATE, 400, "Agent not authorized for account", 400, "agent_not_bound"),
    ("no-access", "Another one.", CREATE, 403, "Beta access required. Ask for it.", None, "access_required"),
    ("text-inside", "A text that begins with other words.", CREATE, 400, "Leg: Invalid price", 400, None),
    ("unknown", "Nobody knows this text.", CREATE, 400, "Price is invalid", 400, None),
)  # fmt: skip


def reason_case(
    name: str,
    description: str,
    operation: str,
    status: int,
    error: str,
    code: int | None,
    reason: str | None,
) -> Case:
    body = json.dumps({"success": False, "data": None, "error": error, "code": code})
    told = {"status": status, "code": code, "message": error, "reason": reason}
    case = decode_case(
        f"reason-{name}", description, operation, status, body, {"error": "api", **told}
    )
    return {**case, "rule": "decode-reason", "features": ["reasons"]}


CASES = tuple(reason_case(*row) for row in REASONS)
