"""Which schemas become classes: the objects that operations send or receive, and enums."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from codegen.ir import Role
from codegen.read.load import Node, Problem, kept
from codegen.read.operations import (
    action_of,
    known_content,
    operations,
    own_fields,
    parameter_field,
    parameters,
    wrappers,
)
from codegen.read.schemas import classes_in, properties


@frozen
class Class:
    """A component schema of an enum or of an object, and whether it is sent or received."""

    node: Node
    role: Role

    @property
    def is_model(self) -> bool:
        """Whether it is one object."""
        return "enum" not in self.node


def models(root: Node) -> dict[str, Class]:
    """The object schemas that operations send or receive, by the names of their classes."""
    return {name: each for name, each in classes(root)[0].items() if each.is_model}


def enums(root: Node) -> dict[str, Node]:
    """The enums by the names of their classes."""
    return {name: each.node for name, each in classes(root)[0].items() if "enum" in each.node}


@kept
def classes(root: Node) -> tuple[dict[str, Class], list[Problem]]:
    """What becomes a class, by its name, in the order of the spec; and objects that are both sent and received.

    A schema that no operation reaches becomes no class, but for enums.
    """
    # Without what stands beside references to them.
    components = dict(root["components"]["schemas"].items())
    found: dict[str, Class] = {}
    problems: list[Problem] = []

    def visit(node: Node, role: Role) -> None:
        name = node.schema_name
        assert name is not None, "what has no name has no type"
        is_new = name not in found
        known = found.setdefault(name, Class(components[name], role))
        if known.role != role and known.is_model:
            told = "is both sent and received; give each its own schema"
            problems.append(Problem(node.pointer, told))
        for part in _fields_of(known.node) if is_new and known.is_model else ():
            visit(part, role)

    for node in components.values():
        if "enum" in node:
            visit(node, "response")
    for node in (*sent(root), *_of_parameters(root)):
        visit(node, "request")
    for node in _received(root):
        visit(node, "response")
    return {name: found[name] for name in components if name in found}, problems


def _fields_of(model: Node) -> Iterator[Node]:
    """The enums and objects in the fields of a model."""
    for field in properties(model).values():
        yield from classes_in(field)


def sent(root: Node) -> Iterator[Node]:
    """The schemas of the own fields of requests and batch actions."""
    for _, _, operation in operations(root):
        bases = [own_fields(operation), *map(action_of, wrappers(operation))]
        yield from (base for base in bases if base and base.schema_name)


def _of_parameters(root: Node) -> Iterator[Node]:
    """The enums that parameters are, or hold."""
    for _, _, operation in operations(root):
        for parameter in parameters(operation):
            if isinstance(parameter.quiet.get("schema"), dict):
                yield from classes_in(parameter_field(parameter))


def _received(root: Node) -> Iterator[Node]:
    """The enums and objects in the results of operations."""
    for _, _, operation in operations(root):
        content = known_content(operation)
        yield from classes_in(content.schema) if content else ()
