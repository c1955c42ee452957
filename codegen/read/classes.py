"""Which schemas become classes: the objects that operations send or receive, enums and unions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
from codegen.read.schemas import choices, class_name, classes_in, is_union, properties


@frozen
class Class:
    """A schema of an enum, of an object or of a union, and whether it is sent or received."""

    node: Node
    role: Role

    @property
    def is_model(self) -> bool:
        """Whether it is one object."""
        return "enum" not in self.node and not is_union(self.node)


def models(root: Node) -> dict[str, Class]:
    """The object schemas that operations send or receive, by the names of their classes."""
    return {name: each for name, each in classes(root)[0].items() if each.is_model}


def enums(root: Node) -> dict[str, Node]:
    """The enums by the names of their classes, those of components first."""
    found = {name: each.node for name, each in classes(root)[0].items() if "enum" in each.node}
    return dict(sorted(found.items(), key=lambda item: item[1].schema_name is None))


def unions(root: Node) -> dict[str, Class]:
    """The unions by the names of their types."""
    return {name: each for name, each in classes(root)[0].items() if is_union(each.node)}


@kept
def classes(root: Node) -> tuple[dict[str, Class], list[Problem]]:
    """What becomes a class, by its name, and problems: two that share a name, an object sent and received.

    They have the order of the spec; one that is written out comes after the component that holds it. A schema that no
    operation reaches becomes no class, but for the enums of components.
    """
    # Without what stands beside references to them.
    components = {each.pointer: each for _, each in root["components"]["schemas"].items()}
    found: dict[str, Class] = {}
    problems: list[Problem] = []

    def visit(node: Node, role: Role) -> None:
        known = Class(components.get(node.pointer, node), role)
        if name := class_name(node):
            is_new, known = name not in found, found.setdefault(name, known)
            if known.node.pointer != node.pointer:
                own, other = sorted((node, known.node), key=lambda each: bool(each.schema_name))
                told = f"its class would be {name}, like that of {other.pointer}"
                problems.append(Problem(own.pointer, f"{told}; write it as a component"))
            elif known.role != role and known.is_model:
                told = "is both sent and received; give each its own schema"
                problems.append(Problem(node.pointer, told))
            for part in _fields_of(known.node) if is_new and known.is_model else ():
                visit(part, role)
        for choice in choices(node) if is_union(node) else ():
            visit(choice, role)

    for node in components.values():
        if "enum" in node:
            visit(node, "response")
    for node in _sorted(root, sent(root)):
        visit(node, "request")
    for node in _of_parameters(root):
        visit(node, "request")
    for node in _sorted(root, _received(root)):
        visit(node, "response")
    names = {each.node.pointer: name for name, each in found.items()}
    in_order = _sorted(root, (each.node for each in found.values()))
    return {name: found[name] for name in (names[node.pointer] for node in in_order)}, problems


def _fields_of(model: Node) -> Iterator[Node]:
    """The enums, objects and unions in the fields of a model."""
    for field in properties(model).values():
        yield from classes_in(field)


def _sorted(root: Node, nodes: Iterable[Node]) -> list[Node]:
    """Schemas in the order of the components that they are, or stand in; then those of operations."""
    places = {name: place for place, name in enumerate(root["components"]["schemas"].value)}

    def place(node: Node) -> int:
        steps = node.pointer.split("/")
        return places.get(steps[3], len(places)) if steps[2] == "schemas" else len(places)

    return sorted(nodes, key=place)


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
    """The enums, objects and unions in the results of operations."""
    for _, _, operation in operations(root):
        content = known_content(operation)
        yield from classes_in(content.schema) if content else ()
