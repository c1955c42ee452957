"""Whatever the sandbox refuses has a reason, or stands below with why it has none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import trading_sandbox
from trading_runtime.codec.refusals import refusal_reason
from trading_sdk import RefusalReason
from trading_sdk.operations import ORDERS_CREATE

ROOT = Path(trading_sandbox.__file__).parent
KINDS = {
    *("Refused", "InsufficientBalance", "DuplicateKey", "NotTheCreator"),
    *("Refusal", "PlainRefusal", "bad_request", "unauthorized"),
}
HOLE = "…"
NAMED = "a name stands in front, and each of the texts is tried below"
MALFORMED = "the SDK never sends such a request"
CONTROL = "a control of the sandbox, which the service does not have"
LIVE = "an endpoint beside the contract"
OWN = "the sandbox as a program, which the service is not"

WITHOUT = {
    "… not found: …": NAMED,
    "Invalid …: …": NAMED,
    "No …": "nothing was removed; the text has the symbols that are not on the list",
    "Order … waits for its stop price": "the order is there, and of a kind that has no edit",
    "Cannot switch between cross": LIVE,
    "Account … has not approved": LIVE,
    "interval: must be": LIVE,
    "source: ": LIVE,
    "account: must be": LIVE,
    "method: ": LIVE,
    "time_range: must be": LIVE,
    "symbol: required field": LIVE,
    "At least one of": MALFORMED,
    "Content-Type": MALFORMED,
    "The body ": MALFORMED,
    "The connection was closed": MALFORMED,
    "cursor: ": "a cursor of another query; the text says of which",
    "… of order_id and client_order_id is needed": MALFORMED,
    "….type: must be": MALFORMED,
    "…: must": MALFORMED,
    "…: given twice": MALFORMED,
    "…: nested too deep": MALFORMED,
    "…: required field missing": MALFORMED,
    "…: … is not allowed": MALFORMED,
    "Invalid request: …": MALFORMED,
    "…: …": "a refusal with the action that it is about",
    "… is not modelled by this sandbox": "it has a status of its own, 501, which tells it",
    "Internal server error": "the class of the error tells it",
    "Invalid Host header": OWN,
    "Foreign Origin header": OWN,
    "The sandbox was reset": OWN,
    "Account … belongs to": CONTROL,
    "Account … exists already": CONTROL,
    "Invalid agent: ": CONTROL,
    "Invalid deposit: ": CONTROL,
    "Invalid main account: ": CONTROL,
    "Invalid reason: ": CONTROL,
    "Vault … exists already": CONTROL,
}
"""How a text begins -> why it has no reason."""


def texts() -> Iterator[tuple[str, str]]:
    """Every text of a refusal, with holes where values stand, and its module."""
    for path in sorted([*ROOT.glob("engine/*.py"), *ROOT.glob("web/**/*.py")]):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in KINDS:
                for argument in node.args:
                    if isinstance(argument, ast.JoinedStr):
                        yield "".join(map(_part, argument.values)), path.stem
                    elif isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield argument.value, path.stem


def _part(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else HOLE


FOUND = sorted(set(texts()))


@pytest.mark.parametrize(("text", "module"), FOUND)
def test_what_the_sandbox_refuses_has_a_reason_or_is_listed(text: str, module: str) -> None:
    listed = [begin for begin in WITHOUT if text.startswith(begin.removesuffix("…"))]
    assert (refusal_reason(ORDERS_CREATE, text) is None) == bool(listed), module


def test_what_is_listed_is_there() -> None:
    found = [text for text, _ in FOUND]
    assert len(found) > 90
    stale = [
        each for each in WITHOUT if not any(t.startswith(each.removesuffix("…")) for t in found)
    ]
    assert stale == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Order not found: 7", RefusalReason.ORDER_NOT_FOUND),
        ("Stop order not found: 7", RefusalReason.ORDER_NOT_FOUND),
        ("Invalid price: 1", RefusalReason.INVALID_PRICE),
        ("Invalid limit_price: 1", RefusalReason.INVALID_PRICE),
        ("Invalid stop_price: 1", RefusalReason.INVALID_STOP),
        ("Invalid take_profit: 1", RefusalReason.INVALID_STOP),
        ("Invalid stop_loss: 1", RefusalReason.INVALID_STOP),
        ("Invalid amount: 1", RefusalReason.INVALID_AMOUNT),
        ("Invalid deposit_amount: 1", RefusalReason.INVALID_AMOUNT),
        ("Invalid leverage: 1", RefusalReason.INVALID_LEVERAGE),
        ("Invalid max_leverage: 1", RefusalReason.INVALID_LEVERAGE),
        ("Invalid symbols: 1", RefusalReason.INVALID_SYMBOLS),
    ],
)
def test_a_text_with_a_name_in_it_has_the_reason_of_that_name(
    text: str, reason: RefusalReason
) -> None:
    assert refusal_reason(ORDERS_CREATE, text) is reason


def test_every_reason_is_one_that_somebody_was_told() -> None:
    told = {refusal_reason(ORDERS_CREATE, text) for text, _ in FOUND}
    by_name = {
        "order_not_found",
        "invalid_price",
        "invalid_stop",
        "invalid_leverage",
        "invalid_symbols",
    }
    by_status = {"not_implemented"}
    seen_live = {"access_required"}  # note 38; the sandbox is open to everybody
    assert {*RefusalReason} == (told | by_name | by_status | seen_live) - {None}
