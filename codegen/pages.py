"""From `x-pagination` to the names that a list uses for its pages."""

from __future__ import annotations

from codegen import ir
from codegen.load import Node
from codegen.parameters import parameters


def pagination(node: Node) -> ir.Pagination | None:
    """How the pages of a list follow each other, or None if it has none."""
    pages = node.get("x-pagination")
    if pages is None:
        return None
    if "offset" in pages:
        return ir.Pagination(items=pages["items"], cursor=pages["offset"])
    limits = [each["schema"] for each in parameters(node) if each.get("name") == pages.get("limit")]
    return ir.Pagination(**pages, max_limit=limits[0].get("maximum") if limits else None)
