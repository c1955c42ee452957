"""Rules on what shows whether a message was executed (x-reconcile)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from codegen.read.load import Node, Problem, walk
from codegen.read.operations import (
    batch_actions,
    content,
    operations,
    own_fields,
    parameter_field,
    parameter_name,
    parameters,
    parameters_of_message,
    standalone_actions,
    wrappers,
)
from codegen.read.schemas import known_type, properties, without_null
from codegen.rules import names
from codegen.rules.forms import has_form, holds_properties, meant
from codegen.rules.requests import is_plain, may_be

WORD = "x-reconcile"


@frozen
class _Sides:
    """What is compared: the fields of the message, and those of the records of each list."""

    message: Fields
    records: Mapping[str, Fields]

    def field(self, pointer: str, name: str) -> Iterator[Problem]:
        """The records of every list have the field."""
        for operation, fields in self.records.items():
            if name not in fields:
                yield Problem(
                    pointer,
                    f"the records of {operation} have no {name!r}; name a field that the records of every list have",
                )
            else:
                yield from names.kept(pointer, name, fields[name])

    def same(self, pairs: Node | None, kind: str | None = None) -> Iterator[Problem]:
        """Fields of the records and fields of the message that are compared have the same type."""
        for name, field in pairs.items() if pairs else ():
            yield from self.field(field.pointer, name)
            if field.value not in self.message:
                yield Problem(
                    field.pointer, f"the message has no {field.value!r}; name a field that is sent"
                )
                continue
            sent = known_type(self.message[field.value])
            records = [each for each in self.records.values() if name in each]
            if any(known_type(each[name]) != sent for each in records):
                yield Problem(
                    field.pointer,
                    f"{name!r} and {field.value!r} differ in type; compare fields of one type",
                )
            if kind is not None and (sent is None or sent.kind != kind):
                yield Problem(field.pointer, f"{field.value!r} is not a {kind}; name one that is")

    def time(self, given: Node) -> Iterator[Problem]:
        """The records of every list have the field, and it is a time in ms."""
        yield from self.field(given.pointer, given.value)
        for operation, fields in self.records.items():
            if given.value in fields and fields[given.value].get("x-unit") != "ms":
                yield Problem(given.pointer, f"{given.value!r} of {operation} needs x-unit: ms")


def _evidence(root: Node) -> Iterator[Problem]:
    """The word stands on a message of which it can say something."""
    called = {str(n.get("operationId")): n for _, _, n in operations(root)}
    sent, results, standalone = messages(root), _results(root), standalone_actions(root)
    # What is not signed never expires, so that no list can show that it was not executed.
    unsigned = {
        n.pointer for _, _, n in operations(root) if "x-signing-type" not in n and not wrappers(n)
    }
    for node in walk(root):
        if WORD not in node or node.pointer in standalone:
            continue
        # An x-source names words. What an action says beside its operation is a rule on batches.
        if holds_properties(node.pointer) or node.pointer.endswith("/x-source"):
            continue
        pointer = f"{node.pointer}/{WORD}"
        if node.pointer not in sent or node.pointer in unsigned:
            yield Problem(
                pointer, "belongs on a signed operation, or on an action that only batches offer"
            )
        elif node.get("x-retry") == "safe":
            yield Problem(
                pointer, "a call that is safe to repeat needs no reconciling; leave it out"
            )
        elif has_form(node, WORD):
            yield from _trace(node, sent[node.pointer], called, results)


def messages(root: Node) -> dict[str, Fields]:
    """The fields of every message, by the pointer where its words stand.

    That is an operation, or the schema of an action that only batches offer.
    """
    sent = [(node, own_fields(node)) for _, _, node in operations(root)]
    alone = {fields.pointer for _, fields in sent if fields is not None}
    return {
        **{node.pointer: _message(node, fields) for node, fields in sent},
        **{
            each.pointer: properties(each)
            for each in batch_actions(root)
            if each.pointer not in alone
        },
    }


def _message(node: Node, fields: Node | None) -> Fields:
    """The fields of a message: those of its body, and its parameters."""
    outside = {
        parameter_name(each): parameter_field(each)
        for each in parameters_of_message(node)
        if isinstance(each.get("schema"), dict)
    }
    return {**(properties(fields) if fields else {}), **outside}


def _trace(
    node: Node, message: Fields, called: Mapping[str, Node], results: Mapping[str, Sequence[Fields]]
) -> Iterator[Problem]:
    given = node[WORD]
    target = given.child("target")
    # An offset moves while records are added, so that such a list may hide a record.
    lists = {
        name: each
        for name, each in called.items()
        if "x-pagination" in each and "offset" not in each["x-pagination"]
    }
    yield from _lists(given["lists"], lists, called)
    named = [name for name in given.get("lists") if name in lists]
    records = {name: each for name in named for each in results[lists[name].pointer]}
    sides = _Sides(message, records)
    yield from sides.time(given["made_at"])
    yield from sides.same(given.child("agrees"))
    yield from sides.same(given.child("at_most"), kind="decimal")
    if "id" in given:
        yield from _id(node, given["id"], sides)
    if target is not None:
        yield from _target(target, sides)
    if not given.value.keys() & {"id", "agrees", "target"}:
        yield Problem(
            given.pointer, "needs id, agrees or target; a time alone identifies no record"
        )
    if "id" in given and target is not None:
        yield Problem(
            given.pointer,
            "has id or target, not both; leave out id if the message changes a record, else target",
        )


def _lists(names: Node, lists: Mapping[str, Node], called: Mapping[str, Node]) -> Iterator[Problem]:
    """The lists have pages, and need no argument but the account."""
    for name in names.elements():
        if name.value not in lists:
            # The name of another operation is not misspelt: a list with a like name shows other records.
            question = "" if name.value in called else meant(name.value, lists)
            told = f"{name.value!r} is not an operation with x-pagination by cursor"
            yield Problem(name.pointer, f"{told}; {question or 'name one that is'}")
            continue
        for parameter in parameters(lists[name.value]):
            if parameter.get("required") and not _is_account(parameter):
                needed = parameter.get("name")
                yield Problem(name.pointer, f"needs {needed!r}, which reconciling cannot fill in")


def _is_account(parameter: Node) -> bool:
    """Whether the SDK fills the parameter in. One without a schema is reported elsewhere."""
    has_schema = isinstance(parameter.get("schema"), dict)
    return has_schema and parameter_field(parameter).get("x-auto") == "account"


def _id(node: Node, given: Node, sides: _Sides) -> Iterator[Problem]:
    yield from sides.field(given.pointer, given.value)
    if "x-retry" in node and not isinstance(node.get("x-retry"), dict):
        yield Problem(given.pointer, "needs x-retry: { by-key: FIELD }, because it holds that id")
    for operation, fields in sides.records.items():
        if given.value in fields and without_null(fields[given.value])[0].get("format") != "uuid":
            yield Problem(
                given.pointer, f"{given.value!r} of {operation} is not a uuid; name one that is"
            )


def _target(target: Node, sides: _Sides) -> Iterator[Problem]:
    yield from sides.same(target["names"])
    yield from sides.time(target["changed_at"])
    for name, value in target["becomes"].items():
        yield from sides.field(value.pointer, name)
        for fields in sides.records.values():
            field = fields.get(name)
            if field and not (is_plain(field) and may_be(field, value.value)):
                yield Problem(
                    value.pointer,
                    f"{name!r} cannot be {value.value!r}; write a value that it may have",
                )
    inherits = target.child("inherits")
    for each in inherits.elements() if inherits else ():
        yield from sides.field(each.pointer, each.value)
    parent = target.child("parent")
    for name, own in parent.items() if parent else ():
        yield from sides.field(own.pointer, name)
        yield from sides.field(own.pointer, own.value)


Fields = Mapping[str, Node]


def _results(root: Node) -> dict[str, list[Fields]]:
    """The fields of the result, or of each record of a list, by the pointer of its operation.

    A batch has none. One that the generator does not support is reported elsewhere.
    """
    found: dict[str, list[Fields]] = {}
    for _, _, node in operations(root):
        if wrappers(node):
            continue
        results = found.setdefault(node.pointer, [])
        try:
            answer = content(node)
        except ValueError:
            continue
        schema = answer.schema if answer else None
        listed = schema.child("items") if schema else None
        results.append(properties(listed or schema) if schema else {})
    return found


RULES = (_evidence,)
