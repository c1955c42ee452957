"""From `x-reconcile` to the trace of an operation or an action."""

from __future__ import annotations

from typing import Any

from codegen import ir
from codegen.load import Node
from codegen.spec import operations


def trace(root: Node, node: Node) -> ir.Trace | None:
    """How the lists show that a call was executed, or None if the spec does not say."""
    given = node.get("x-reconcile")
    if given is None:
        return None
    places = {
        each.get("operationId"): f"{each.get('x-group')}.{each.get('x-method')}"
        for _, _, each in operations(root)
    }
    return ir.Trace(
        lists=tuple(places[name] for name in given["lists"]),
        made_at=given["made_at"],
        id=given.get("id"),
        agrees=given.get("agrees", {}),
        at_most=given.get("at_most", {}),
        target=_target(given["target"]) if "target" in given else None,
    )


def _target(given: dict[str, Any]) -> ir.Target:
    return ir.Target(**{**given, "inherits": tuple(given.get("inherits", ()))})
