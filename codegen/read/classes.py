"""Which schemas become classes: the objects that operations send or receive, enums and unions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from codegen.ir import Role
from codegen.read.field_types import classes_in
from codegen.read.load import Node, Problem, kept
from codegen.read.operations import known_content, operations, own_fields, signed_base, wrappers
from codegen.read.parameters import parameter_field, parameters
from codegen.read.schemas import choices, class_name, is_union, properties


@frozen
class Model:
    """A schema of an object or of a union, and whether it is sent or received."""

    node: Node
    role: Role


@kept
def models(root: Node) -> tuple[dict[str, Model], list[Problem]]:
    """The object schemas that operations send or receive, by the names of their classes, and problems.

    They have the order of the spec; one that is written out comes after the component that holds it.
    A schema that no operation reaches becomes no model. One that is sent and received is a problem.
    """
    components = _components(root)
    found: dict[str, Model] = {}
    problems: list[Problem] = []

    def visit(node: Node, role: Role) -> None:
        name = class_name(node)
        if is_union(node):
            for choice in choices(node):
                visit(choice, role)
        if name is None or "enum" in node or is_union(node):
            return
        own = components.get(node.pointer, node)
        known = found.get(name)
        if known is None:
            found[name] = Model(own, role)
            for part in _fields_of(own):
                visit(part, role)
        elif known.node.pointer != node.pointer:
            problems.append(_same_name(name, known.node, node))
        elif known.role != role:
            problem = "is both sent and received; give each its own schema"
            problems.append(Problem(node.pointer, problem))

    for node in _sorted(root, sent(root)):
        visit(node, "request")
    for node in _sorted(root, _received(root)):
        visit(node, "response")
    order = {node.pointer: place for place, node in enumerate(_sorted(root, _nodes(found)))}
    in_order = sorted(found, key=lambda name: order[found[name].node.pointer])
    return {name: found[name] for name in in_order}, problems


@kept
def enums(root: Node) -> tuple[dict[str, Node], list[Problem]]:
    """The enums by the names of their classes, those of components first, and problems."""
    schemas = root["components"]["schemas"].items()
    found = {name: schema for name, schema in schemas if "enum" in schema}
    problems: list[Problem] = []
    for node in _reached(root):
        name = class_name(node) if "enum" in node else None
        if name is not None and found.setdefault(name, node).pointer != node.pointer:
            problems.append(_same_name(name, found[name], node))
    return found, problems


@kept
def unions(root: Node) -> tuple[dict[str, Model], list[Problem]]:
    """The unions by the names of their types, with the role of what they may be, and problems."""
    components = _components(root)
    roles: dict[str, Role] = {name: model.role for name, model in models(root)[0].items()}
    found: dict[str, Model] = {}
    problems: list[Problem] = []
    for node in _reached(root):
        name = class_name(node) if is_union(node) else None
        if name is None:
            continue
        # What has no role is no object, which a rule refuses.
        chosen: list[Role] = [
            roles[each] for c in choices(node) if (each := c.schema_name) in roles
        ]
        role = chosen[0] if chosen else "response"
        model = Model(components.get(node.pointer, node), role)
        if found.setdefault(name, model).node.pointer != node.pointer:
            problems.append(_same_name(name, found[name].node, node))
    return found, problems


def _components(root: Node) -> dict[str, Node]:
    """The component schemas by their pointers, without what stands beside references to them."""
    return {each.pointer: each for _, each in root["components"]["schemas"].items()}


@kept
def _reached(root: Node) -> list[Node]:
    """The schemas that are fields, parameters or results, or stand in one."""
    found = [each for model in models(root)[0].values() for each in _fields_of(model.node)]
    for _, _, operation in operations(root):
        for parameter in parameters(operation):
            if isinstance(parameter.quiet.get("schema"), dict):
                found += classes_in(parameter_field(parameter))
    return [*found, *_received(root)]


def _fields_of(model: Node) -> Iterator[Node]:
    """The enums and objects in the fields of a model."""
    for field in properties(model).values():
        yield from classes_in(field)


def _same_name(name: str, first: Node, second: Node) -> Problem:
    advice = f"its class would be {name}, like that of {first.pointer}; write it as a component"
    return Problem(second.pointer, advice)


def _nodes(found: dict[str, Model]) -> list[Node]:
    return [model.node for model in found.values()]


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
        bases = [own_fields(operation)]
        bases += [signed_base(wrapper["properties"]["data"]) for wrapper in wrappers(operation)]
        yield from (base for base in bases if base and base.schema_name)


@kept
def _received(root: Node) -> list[Node]:
    """The enums and objects in the results of operations."""
    contents = (known_content(operation) for _, _, operation in operations(root))
    return [each for content in contents if content for each in classes_in(content.schema)]
