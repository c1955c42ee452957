"""Rules on batch actions: each agrees with its wrapper in a batch, with its operation, and with what that returns."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.dialect import WORDS
from codegen.read.load import Node, Problem
from codegen.read.methods import RETURNS, outcome
from codegen.read.operations import (
    action_of,
    batch_actions,
    known_content,
    operations,
    standalone_actions,
    wrappers,
)
from codegen.read.schemas import known_type, properties, required
from codegen.rules import names
from codegen.rules.forms import SOURCE, has_form, has_source, one_line, section
from codegen.rules.operations import retry


def _actions(root: Node) -> Iterator[Problem]:
    wrapped: dict[str, object] = {}
    for _, _, operation in operations(root):
        yield from _wrapped(operation, wrapped)
    alone = standalone_actions(root)
    for schema in batch_actions(root):
        pointer = schema.pointer
        own = alone.get(pointer)
        type_ = own.get("x-signing-type") if own else None
        yield from _action(schema, wrapped.pop(pointer, None), type_)
        if own is not None:
            yield from _agrees(schema, own)
        else:
            # No operation says these for an action that only batches offer.
            yield from names.place(schema)
            yield from section(schema)
            yield from retry(schema)
    for pointer in wrapped:
        yield Problem(
            pointer,
            "is wrapped in a batch but has no x-batch-action; write x-batch-action: { type: TYPE, signing-type: TYPE }",
        )


def _agrees(schema: Node, operation: Node) -> Iterator[Problem]:
    """An action that became an operation may keep its words, if they say the same as the operation."""
    for word in WORDS.values():
        if not any(member.startswith("Method.") for member in word.becomes):
            continue
        if word.name in schema and schema.get(word.name) != operation.get(word.name):
            yield Problem(
                f"{schema.pointer}/{word.name}", "its operation has another one; leave it out here"
            )


def _wrapped(operation: Node, wrapped: dict[str, object]) -> Iterator[Problem]:
    """Add the type of each action that an operation wraps, by the pointer of its own fields."""
    for wrapper in wrappers(operation):
        yield from one_line(wrapper, "description")
        fields, base = properties(wrapper), action_of(wrapper)
        if base is None or fields.keys() != {"type", "data"}:
            yield Problem(
                wrapper.pointer,
                "an action consists of its type and its signed data; write these two properties",
            )
        elif base.pointer in wrapped:
            yield Problem(wrapper.pointer, "another wrapper wraps the same action; leave one out")
        else:
            wrapped[base.pointer] = fields["type"].get("const")


def _action(schema: Node, type_: object, signing_type: object) -> Iterator[Problem]:
    """One action. `type_` is that of its wrapper, `signing_type` that of its operation."""
    given, pointer = schema.get("x-batch-action"), f"{schema.pointer}/x-batch-action"
    if not has_form(schema, "x-batch-action"):
        return
    if type_ != given["type"]:
        yield Problem(
            pointer, f"no batch wraps it as {given['type']!r}; write the type of its wrapper"
        )
    if signing_type not in (None, given["signing-type"]):
        yield Problem(pointer, "its operation has another signing type; write the same")
    if not has_source(schema, "x-batch-action"):
        yield Problem(f"{schema.pointer}/x-source", f"a signing type needs its source; {SOURCE}")


def _returns(root: Node) -> Iterator[Problem]:
    for _, _, operation in operations(root):
        if RETURNS not in operation:
            continue
        pointer = f"{operation.pointer}/{RETURNS}"
        result = outcome(root, operation)
        if operation.get(RETURNS) != "action" or result is None:
            advice = "must be action, on an operation whose body is also an action of a batch"
            yield Problem(pointer, advice)
        else:
            yield from _same_outcome(pointer, operation, result)


def _same_outcome(pointer: str, operation: Node, result: Node) -> Iterator[Problem]:
    """The answer tells nothing that the result has not, and all that it must have."""
    found = known_content(operation)
    if found is not None and (found.type.kind != "model" or found.key or found.nullable):
        yield Problem(pointer, "the answer must hold one object, or no result")
        return
    fields = properties(found.schema) if found else {}
    known = {name: each for name, each in properties(result).items() if name != "success"}
    for name, field in fields.items():
        if name not in known or known_type(field) != known_type(known[name]):
            yield Problem(pointer, f"the result of the action has no such {name!r}; leave it out")
    told = required(found.schema) if found else set()
    for name in sorted(required(result)):
        if name in known and name not in told:
            yield Problem(
                pointer,
                f"the action always returns {name!r}, which the answer may lack; require it there",
            )


RULES = (_actions, _returns)
