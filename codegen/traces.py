"""From `x-reconcile` to the trace of an operation or an action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codegen import ir
from codegen.load import Node


def trace(names: Mapping[str, str], node: Node) -> ir.Trace | None:
    """How the lists show that a call was executed, or None if the spec does not say.

    `names` has the names of all methods, like `orders.history`, by their operationId.
    """
    given = node.get("x-reconcile")
    if given is None:
        return None
    return ir.Trace(
        lists=tuple(names[name] for name in given["lists"]),
        made_at=given["made_at"],
        id=given.get("id"),
        agrees=given.get("agrees", {}),
        at_most=given.get("at_most", {}),
        target=_target(given["target"]) if "target" in given else None,
    )


def _target(given: dict[str, Any]) -> ir.Target:
    return ir.Target(**{**given, "inherits": tuple(given.get("inherits", ()))})
