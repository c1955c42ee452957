"""Every reason that the SDK knows is one that the sandbox tells, but for those that are listed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

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


def texts() -> Iterator[str]:
    """Every text of a refusal, with holes where values stand."""
    for path in sorted([*ROOT.glob("engine/*.py"), *ROOT.glob("web/**/*.py")]):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in KINDS:
                for argument in node.args:
                    if isinstance(argument, ast.JoinedStr):
                        yield "".join(map(_part, argument.values))
                    elif isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield argument.value


def _part(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else HOLE


def test_every_reason_is_one_that_somebody_was_told() -> None:
    told = {refusal_reason(ORDERS_CREATE, text) for text in texts()}
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
