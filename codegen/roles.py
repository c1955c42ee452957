"""Which schemas become models: those that the operations send or receive."""

from __future__ import annotations

from codegen import ir
from codegen.load import Node, Problem
from codegen.schemas import (
    answer,
    field_type,
    is_batch_list,
    merged,
    operations,
    own_fields,
    signed_base,
    wrappers,
)


def roles(root: Node) -> tuple[dict[str, ir.Role], list[Problem]]:
    """The object schemas that are sent or received, nested ones included, and what is wrong there.

    They stand in the order of the spec.
    """
    schemas = dict(root["components"]["schemas"].items())
    found: dict[str, ir.Role] = {}
    problems: list[Problem] = []

    def visit(name: str | None, role: ir.Role) -> None:
        if name not in schemas or "enum" in schemas[name] or found.get(name) == role:
            return
        if name in found:
            problem = "is both sent and received; give each its own schema"
            problems.append(Problem(schemas[name].pointer, problem))
            return
        found[name] = role
        for field in merged(schemas[name]).values():
            visit(_named(field), role)

    for name in sorted(_sent(root)):
        visit(name, "request")
    for name in sorted(_received(root)):
        visit(name, "response")
    return {name: found[name] for name in schemas if name in found}, problems


def _sent(root: Node) -> set[str]:
    """The schemas of own fields of requests and of batch actions."""
    bases = [own_fields(operation) for _, _, operation in operations(root)]
    for _, _, operation in operations(root):
        bases += [signed_base(wrapper["properties"]["data"]) for wrapper in wrappers(operation)]
    return {base.schema_name for base in bases if base and base.schema_name}


def _received(root: Node) -> set[str]:
    names = set()
    for _, _, operation in operations(root):
        try:
            found = answer(operation)
        except ValueError:
            continue
        if found and found.type.name:
            names.add(found.type.name)
    return names


def _named(field: Node) -> str | None:
    """The schema that a field refers to; what cannot be a field is reported where it stands."""
    try:
        return None if is_batch_list(field) or signed_base(field) else field_type(field).name
    except ValueError:
        return None
