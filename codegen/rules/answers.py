"""Rules on x-echo and x-new-id: what in a result shows that it belongs to the message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from codegen.read.field_types import known_type, label, without_null
from codegen.read.load import Node, Problem, walk
from codegen.read.operations import content, operations, signed_base, standalone_actions, wrappers
from codegen.read.schemas import properties
from codegen.rules import names
from codegen.rules.forms import has_form
from codegen.rules.parts import holds_properties
from codegen.rules.reconcile import messages

COMPARED = {"string", "integer", "boolean", "decimal", "uuid", "enum", "integer_enum"}
NUMBERED = {"string", "integer", "uuid"}

Fields = Mapping[str, Node]


def _answers(root: Node) -> Iterator[Problem]:
    sent, results, standalone = messages(root), _results(root), standalone_actions(root)
    for node in walk(root):
        if node.pointer.endswith("/x-source"):
            continue  # it names the words that it speaks of
        for word, check in (("x-echo", _echo), ("x-new-id", _new_id)):
            if word not in node or holds_properties(node.pointer):
                continue
            if node.pointer in standalone:
                continue  # it says the same as its operation: a rule on batches
            if node.pointer not in sent or node.pointer not in results:
                where = "belongs on an operation, or on an action that only batches offer"
                yield Problem(f"{node.pointer}/{word}", where)
                continue
            if has_form(node, word):
                yield from check(node[word], sent[node.pointer], results[node.pointer])
            if word == "x-new-id" and node.get("x-retry") == "safe":
                yield Problem(
                    node[word].pointer,
                    "a call that is safe to repeat makes nothing new; leave it out",
                )


def _results(root: Node) -> dict[str, list[Fields]]:
    """The fields of the result, or of each record of a list, by the pointer of its message.

    The result of an action is that of each batch that wraps it. A batch itself has none. One that the
    generator does not support is reported elsewhere.
    """
    found: dict[str, list[Fields]] = {}
    for _, _, node in operations(root):
        for message in _sent_by(node):
            results = found.setdefault(message, [])
            try:
                answer = content(node)
            except ValueError:
                continue
            schema = answer.schema if answer else None
            listed = schema.child("items") if schema else None
            results.append(properties(listed or schema) if schema else {})
    return found


def _sent_by(operation: Node) -> list[str]:
    """The pointers of the messages that an operation sends: its own, or its actions'."""
    actions = [
        base
        for wrapper in wrappers(operation)
        if "data" in properties(wrapper) and (base := signed_base(properties(wrapper)["data"]))
    ]
    return [base.pointer for base in actions] if wrappers(operation) else [operation.pointer]


def _echo(given: Node, message: Fields, results: Sequence[Fields]) -> Iterator[Problem]:
    """Each field of the result and the field that it repeats have the same type."""
    for name, field in given.value.items():
        pointer = f"{given.pointer}/{name}"
        if field not in message:
            yield Problem(pointer, f"the message has no {field!r}; name a field that is sent")
            continue
        for fields in results:
            yield from _comparable(pointer, name, fields, COMPARED)
            if name in fields and known_type(fields[name]) != known_type(message[field]):
                yield Problem(
                    pointer, f"{name!r} and {field!r} differ in type; compare fields of one type"
                )


def _new_id(given: Node, message: Fields, results: Sequence[Fields]) -> Iterator[Problem]:
    for fields in results:
        yield from _comparable(given.pointer, given.value, fields, NUMBERED)


def _comparable(pointer: str, name: str, fields: Fields, kinds: set[str]) -> Iterator[Problem]:
    """The result has the field, it is a single value, and no secret that an error would show."""
    if name not in fields:
        yield Problem(pointer, f"the result has no {name!r}; name a field that it has")
        return
    yield from names.kept(pointer, name, fields[name])
    type_ = known_type(fields[name])
    if type_ is None or label(type_) not in kinds:
        yield Problem(
            pointer, f"{name!r} is none of {', '.join(sorted(kinds))}; name a field that is"
        )
    if without_null(fields[name])[0].get("format") == "password":
        yield Problem(pointer, f"{name!r} is a secret, which an error would show; leave it out")


RULES = (_answers,)
