"""The conditions of a model: which fields another field demands (`dependentRequired`, `if`/`then`)."""

from __future__ import annotations

from collections.abc import Iterator

from codegen import ir
from codegen.load import Node

WORDS = ("dependentRequired", "if", "then")


def conditions(schema: Node, role: ir.Role) -> Iterator[ir.Condition]:
    """The conditions of a model. The rules have checked those of requests."""
    for name, needed in schema.get("dependentRequired", {}).items():
        yield ir.Condition(field=name, needs=tuple(needed))
    if "if" in schema and role == "request":
        ((name, value),) = schema.get("if")["properties"].items()
        needed = tuple(schema.get("then")["required"])
        yield ir.Condition(field=name, equals=value["const"], needs=needed)
