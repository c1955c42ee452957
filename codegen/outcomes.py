"""`x-returns: action`: an operation that was an action of a batch returns what the action returned."""

from __future__ import annotations

from codegen.load import Node
from codegen.spec import known_content, operations, own_fields, signed_base, wrappers

WORD = "x-returns"


def outcome(root: Node, operation: Node) -> Node | None:
    """The schema of the result of the action in a batch, or None if no batch has the action."""
    own = own_fields(operation)
    for _, _, batch in operations(root):
        found = known_content(batch) if own is not None else None
        if own is None or found is None or "items" not in found.schema:
            continue
        for wrapper in wrappers(batch):
            data = wrapper["properties"].child("data")
            base = signed_base(data) if data else None
            if base is not None and base.pointer == own.pointer:
                return found.schema["items"]
    return None
