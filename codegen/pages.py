"""From `x-pagination` to the names that a list uses for its pages."""

from __future__ import annotations

from codegen import ir
from codegen.load import Node
from codegen.objects import required
from codegen.parameters import parameters
from codegen.spec import json_schema, success


def pagination(node: Node) -> ir.Pagination | None:
    """How the pages of a list follow each other, or None if it has none."""
    pages = node.get("x-pagination")
    if pages is None:
        return None
    schema = json_schema(success(node))
    says_success = schema is not None and "success" in required(schema)
    if "offset" in pages:
        return ir.Pagination(
            items=pages["items"], cursor=pages["offset"], says_success=says_success
        )
    limits = [each["schema"] for each in parameters(node) if each.get("name") == pages.get("limit")]
    return ir.Pagination(
        **pages,
        says_success=says_success,
        max_limit=limits[0].get("maximum") if limits else None,
        integers=has_integer_cursor(node),
    )


def has_integer_cursor(operation: Node) -> bool:
    """Whether the cursors of a list are integers on the wire."""
    pages = operation.get("x-pagination")
    name = pages.get("cursor") if isinstance(pages, dict) else None
    return any(
        each.get("name") == name and each["schema"].get("type") == "integer"
        for each in parameters(operation)
    )
