"""Rules on what is deprecated: it is warned of when a caller uses it, so that he can do without."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.read.classes import enums, models
from codegen.read.field_types import without_null
from codegen.read.load import Node, Problem, escaped, walk
from codegen.read.operations import operations, standalone_actions
from codegen.read.parameters import parameter_field, parameters
from codegen.read.schemas import own_properties, parts, required
from codegen.rules.forms import has_form
from codegen.rules.parts import holds_properties

WORD, VALUES = "deprecated", "x-enum-deprecated"


def _switches(root: Node) -> Iterator[Problem]:
    """The word is there, and true, or it is not there."""
    for node in walk(root):
        is_word = WORD in node and not holds_properties(node.pointer)
        if is_word and node.get(WORD) is False:
            yield Problem(f"{node.pointer}/{WORD}", "must be true; otherwise leave it out")


def _values(root: Node) -> Iterator[Problem]:
    """The values of an enum that are deprecated are values of it."""
    for schema in enums(root)[0].values():
        if VALUES not in schema:
            continue
        given, known = schema.get(VALUES), schema.get("enum", [])
        pointer = f"{schema.pointer}/{VALUES}"
        for index, value in enumerate(given if has_form(schema, VALUES) else ()):
            if value not in known:
                yield Problem(
                    f"{pointer}/{index}", f"the enum has no value {value!r}; leave it out"
                )
            elif value in given[:index]:
                yield Problem(f"{pointer}/{index}", f"{value!r} is listed twice; leave one out")


def _avoidable(root: Node) -> Iterator[Problem]:
    """Callers can leave out whatever is deprecated of what they send."""
    for _, _, operation in operations(root):
        for parameter in parameters(operation):
            if WORD in parameter and isinstance(parameter.get("schema"), dict):
                always = bool(parameter.get("required"))
                yield from _sent(parameter_field(parameter), parameter.pointer, required=always)
    sent = (model.node for model in models(root)[0].values() if model.role == "request")
    for schema, part in [(whole, part) for whole in sent for part in parts(whole)]:
        for key, field in own_properties(part).items():
            if WORD in field or WORD in without_null(field)[0]:
                pointer = f"{part.pointer}/properties/{escaped(key)}"
                yield from _sent(field, pointer, required=key in required(schema))


def _sent(field: Node, pointer: str, *, required: bool) -> Iterator[Problem]:
    if "x-auto" in field or "x-auto" in without_null(field)[0]:
        yield Problem(
            f"{pointer}/{WORD}", "the SDK fills it in, so nobody can do without; leave it out"
        )
    elif required:
        advice = "nobody can leave it out; let it be optional, or deprecate the operation"
        yield Problem(f"{pointer}/{WORD}", advice)


def _actions(root: Node) -> Iterator[Problem]:
    """An action that has an operation is deprecated there: it has no method of its own."""
    for pointer in standalone_actions(root):
        _, _, name = pointer.rpartition("/")
        if WORD in root["components"]["schemas"][name]:
            yield Problem(f"{pointer}/{WORD}", "write it on the operation of the action")


RULES = (_switches, _values, _avoidable, _actions)
