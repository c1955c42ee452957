"""Rules on names: every language can have each of them, and none hides or repeats another.

Which names a language cannot have stands in its names.json, beside its generator.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from codegen.ir.names import (
    action_name,
    attribute_name,
    batch_name,
    constant,
    mapping_name,
    member_name,
    pascal,
)
from codegen.packages import ROOT
from codegen.read.classes import classes
from codegen.read.load import Node, Problem, escaped
from codegen.read.operations import batch_actions, is_of_one, operations, own_fields, query_name
from codegen.rules.forms import has_form, meant, needed

BY_X_NAME = "give it a name in code by x-name"
OF_VALUES = ("x-enum-names", "x-enum-deprecated", "x-reasons")
"""The words of an enum that speak of some of its values."""
BY_X_ENUM_NAMES = "give it a name in code by x-enum-names: { VALUE: NAME }"


@cache
def _languages() -> tuple[dict[str, Any], ...]:
    """What each language says of names: those that it cannot have, of each kind by their reasons."""
    files = [*ROOT.glob("codegen/*/names.json"), *ROOT.glob("ports/*/generator/names.json")]
    return tuple(json.loads(file.read_text(encoding="utf-8")) for file in files)


@cache
def taken_by(kind: str) -> frozenset[str]:
    """The names that some language cannot give to its `groups`, `methods`, `fields` or `types`.

    What its modules import is taken for fields and types alike.
    """
    lists = [names for each in _languages() for names in each.get(kind, {}).values()]
    if kind in ("fields", "types"):
        lists += [names for each in _languages() for names in each.get("imports", {}).values()]
        lists += [each.get("exported", []) for each in _languages()]
    return frozenset(name for names in lists for name in names)


@cache
def keywords() -> frozenset[str]:
    """The words that some language keeps for itself."""
    return frozenset(name for each in _languages() for name in each.get("keywords", ()))


def identifier(pointer: str, name: object) -> Iterator[Problem]:
    """A name that is kept as it is in Python."""
    if name is None:
        yield Problem(pointer, "is missing; write a name of letters, digits and _")
    elif not isinstance(name, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
        yield Problem(pointer, f"{name!r} is not an identifier; write letters, digits and _")
    elif name in keywords():
        yield Problem(pointer, f"{name!r} is a keyword; write another name")


def place(node: Node) -> Iterator[Problem]:
    """x-group and x-method of an operation or an action: `client.GROUP.METHOD`."""
    for word, kind in (("x-group", "groups"), ("x-method", "methods")):
        value = node.get(word)
        yield from needed(node, word)
        if value in keywords() | taken_by(kind):
            yield _taken(f"{node.pointer}/{word}", value)


def field(pointer: str, name: object, given: object, taken: set[str]) -> Iterator[Problem]:
    """A field, which becomes an attribute and an argument. Its x-name is `given`, if it has one."""
    if not isinstance(name, str) or not re.fullmatch("[A-Za-z0-9_.:$@-]+", name):
        yield Problem(pointer, f"{name!r} is no name of letters, digits and _ . : $ @ -")
    elif given is None and (name[0] == "_" or not re.search("[A-Za-z0-9]", name)):
        yield Problem(pointer, f"{name!r} makes no identifier; {BY_X_NAME}")
    elif given is None and attribute_name(name) in taken:
        yield _taken(pointer, attribute_name(name), BY_X_NAME)
    elif given is not None and str(given) in taken | keywords():
        yield _taken(f"{pointer}/x-name", given)


def fields(nodes: Mapping[str, Node]) -> Iterator[Problem]:
    """The fields of one class, by their names in JSON. Each has an attribute of its own."""
    seen: dict[str, str] = {}
    for name, node in nodes.items():
        given = node.get("x-name")
        attribute = given if isinstance(given, str) else attribute_name(name)
        if seen.setdefault(attribute, name) != name:
            yield Problem(
                node.place, f"{name!r} and {seen[attribute]!r} are both {attribute}; {BY_X_NAME}"
            )


def kept(pointer: str, name: str, field: Node) -> Iterator[Problem]:
    """A field that the runtime looks for by its name in JSON: its attribute has the same name."""
    if field.get("deprecated"):
        yield Problem(
            pointer, f"{name!r} is deprecated, so the SDK does not rely on it; name another field"
        )
    if (field.get("x-name") or attribute_name(name)) != name:
        yield Problem(
            pointer,
            f"{name!r} has another name in code, where the SDK would not find it; leave out its x-name",
        )


def members(schema: Node) -> Iterator[Problem]:
    """The members of an enum. Each has a name of its own, and its words speak of no other."""
    for word in OF_VALUES:
        told = schema.get(word) if has_form(schema, word) else ()
        is_list = isinstance(told, list)
        for step, value in enumerate(told) if is_list else zip(told, told, strict=True):
            if value not in (schema.get("enum") if is_list else map(str, schema.get("enum"))):
                at = f"{schema.pointer}/{word}/{escaped(step)}"
                yield Problem(at, f"the enum has no value {value!r}; leave it out")
    given = schema.get("x-enum-names") if has_form(schema, "x-enum-names") else {}
    seen: dict[str, str] = {}
    for index, value in enumerate(schema.get("enum")):
        pointer, name = f"{schema.pointer}/enum/{index}", str(value)
        if type(value) is not str:
            yield Problem(pointer, f"{value!r} is not a string")
        elif value in schema.get("enum")[:index]:
            yield Problem(pointer, f"{value!r} is listed twice; leave one out")
        elif name not in given and not re.search("[A-Za-z0-9]", name):
            yield Problem(pointer, f"{value!r} makes no identifier; {BY_X_ENUM_NAMES}")
        elif (member := str(given.get(name, member_name(value)))) in seen:
            also = seen[member]
            yield Problem(pointer, f"{value!r} and {also!r} are both {member}; {BY_X_ENUM_NAMES}")
        else:
            seen[member] = value


def taken_by_fields(root: Node) -> set[str]:
    """What no field may be called: it would hide a name that its class or method uses."""
    schemas = root["components"]["schemas"].value
    constants = {
        constant(str(node.get("x-group")), str(node.get("x-method")))
        for _, _, node in operations(root)
    }
    return {*taken_by("fields"), *schemas, *_of_operations(root), *constants}


def _taken(pointer: str, name: object, advice: str = "write another one") -> Problem:
    return Problem(pointer, f"the name {name!r} is taken; {advice}")


def _derived(names: Iterable[str]) -> set[str]:
    """The types of what callers may give for enums and models."""
    makers = (mapping_name, action_name, "{}Like".format)
    return {make(each) for each in names for make in makers}


def _of_operations(root: Node) -> set[str]:
    """The classes of queries, and the types of the actions of batches."""
    found = [node for _, _, node in operations(root)]
    bodies = [body.schema_name for node in found if (body := own_fields(node)) and is_of_one(body)]
    places = [(str(node.get("x-group")), str(node.get("x-method"))) for node in found]
    # A query with the name of the body of its operation is the class of that component.
    queries = {name for node in found if (name := query_name(node))} - {*bodies}
    return queries | {batch_name(*place) for place in places}


# -- rules ------------------------------------------------------------------------------------


def _places(root: Node) -> Iterator[Problem]:
    """Every operation and action has a place of its own, and so a constant of its own."""
    placed = [operation for _, _, operation in operations(root)]
    bodies = {fields.pointer for node in placed if (fields := own_fields(node)) is not None}
    # An action that has an endpoint of its own, too, stands where that stands; batches.py compares.
    actions = [
        action
        for action in batch_actions(root)
        if "x-group" in action and action.pointer not in bodies
    ]
    groups = {str(node.get("x-group")) for node in placed}
    taken = taken_by("types") | _of_operations(root) | _derived(classes(root)[0])
    constants: dict[str, str] = {}
    named: dict[str, str] = {}
    for node in [*placed, *actions]:
        group, method = node.get("x-group"), str(node.get("x-method"))
        if not isinstance(group, str):
            continue  # a rule on operations says that it is missing
        if constants.setdefault(constant(group, method), node.pointer) != node.pointer:
            yield Problem(
                node.pointer, f"client.{group}.{method} is defined twice; give one another x-method"
            )
        pointer = f"{node.pointer}/x-group"
        if named.setdefault(pascal(group), group) != group:
            yield Problem(
                pointer,
                f"{group!r} gives the same class name as another x-group; write another name",
            )
        if pascal(group) in taken:
            yield _taken(pointer, group)
        if group not in groups:
            hint = meant(group, groups) or f"write that of one: {', '.join(sorted(groups))}"
            yield Problem(pointer, f"no operation has this x-group; {hint}")


def _tags(root: Node) -> Iterator[Problem]:
    """Every operation has one declared tag: that of its group, which no other group has."""
    declared = [str(tag.get("name")) for tag in root.each("tags")]
    tagged: list[tuple[Node, str, str]] = []
    for _, _, node in operations(root):
        given, group = node.get("tags"), node.get("x-group")
        if not isinstance(group, str):
            continue
        if not isinstance(given, list) or len(given) != 1:
            like = f"tags: [{next((tag for tag in declared if tag.lower() == group), 'TAG')}]"
            advice = (
                f"needs exactly one tag, declared in #/tags; write that of its x-group, like {like}"
            )
            yield Problem(f"{node.pointer}/tags", advice)
        elif given[0] not in declared:
            tag = f"{{ name: {given[0]}, description: TEXT }}"
            advice = f"{meant(str(given[0]), declared)} if not, declare it there: {tag}".lstrip()
            yield Problem(f"{node.pointer}/tags", f"#/tags has no {given[0]!r}; {advice}")
        else:
            tagged.append((node, group, given[0]))
    yield from _tags_of_groups(tagged)


def _tags_of_groups(tagged: Sequence[tuple[Node, str, str]]) -> Iterator[Problem]:
    """A tag belongs to the group that has it most. Another group that has it is misspelt, or has no tag."""
    size = Counter(group for _, group, _ in tagged)
    both = Counter((group, tag) for _, group, tag in tagged)
    owner: dict[str, str] = {}
    for group, tag in sorted(both, key=lambda each: (both[each] / size[each[0]], both[each])):
        owner[tag] = group
    own: dict[str, str] = {}
    for group, tag in sorted(both, key=lambda each: (both[each], owner[each[1]] == each[0])):
        own[group] = tag
    for node, group, tag in tagged:
        if own[group] != tag:
            told = f"x-group {group} has another tag elsewhere; write tags: [{own[group]}]"
            told += f", or the x-group of {tag}, {owner[tag]}" if owner[tag] != group else ""
            yield Problem(f"{node.pointer}/tags", told)
        elif owner[tag] != group:
            told = f"{tag} is the tag of x-group {owner[tag]}; write x-group: {owner[tag]}, or give"
            yield Problem(f"{node.pointer}/x-group", f"{told} {group} a tag of its own in #/tags")


def _query_models(root: Node) -> Iterator[Problem]:
    """Every query has a model of its own."""
    seen: dict[str, str] = {}
    for _, _, node in operations(root):
        name = query_name(node)
        if name and seen.setdefault(name, node.pointer) != node.pointer:
            yield Problem(f"{node.pointer}/operationId", f"another operation has {name}, too")


def _classes(root: Node) -> Iterator[Problem]:
    """The enums and models of the generated package have names of their own."""
    found, problems = classes(root)
    yield from problems
    groups = {pascal(group): group for _, _, n in operations(root) if (group := n.get("x-group"))}
    taken = {
        *taken_by("types"),
        *_of_operations(root),
        *groups,
        *_derived(found),
        *(f"{variant}{name}" for name in found for variant in ("Optional", "Nullable")),
    }
    for name in sorted(found.keys() & taken):
        other = f", or another x-group than {groups[name]}" if name in groups else ""
        yield _taken(found[name].node.pointer, name, f"write another one{other}")


RULES = (_places, _tags, _query_models, _classes)
