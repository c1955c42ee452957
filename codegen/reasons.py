"""Why a service refuses, as the enum with `x-reasons` has it: each reason, and how it is recognised."""

from __future__ import annotations

from collections.abc import Iterator

from codegen import ir
from codegen.document import text
from codegen.load import Node
from codegen.spec import operations
from codegen.spec_classes import enums

WORD = "x-reasons"


def reasons(root: Node) -> Iterator[ir.Reason]:
    """The reasons of the one enum that tells them, in the order of its values."""
    names = {
        node.get("operationId"): f"{node.get('x-group')}.{node.get('x-method')}"
        for _, _, node in operations(root)
    }
    for enum, schema in enums(root)[0].items():
        for value in schema.get("enum") if WORD in schema else ():
            node = schema[WORD][value]
            yield ir.Reason(
                name=value,
                enum=enum,
                description=text(node),
                texts=tuple(node.get("texts", ())),
                codes={names[key]: code for key, code in node.get("codes", {}).items()},
                statuses=tuple(node.get("statuses", ())),
                operations=tuple(names[key] for key in node.get("operations", ())),
                as_status=node.get("as-status"),
            )
