"""Rules on what is sent: every field can be converted and checked, and callers can leave out what is deprecated."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.dialect import ACTING, LEARN, validator
from codegen.read.classes import models
from codegen.read.load import Node, Problem, walk
from codegen.read.operations import batch_actions, operations, own_fields
from codegen.read.schemas import (
    classes_in,
    known_type,
    parts,
    properties,
    required,
    without_null,
)
from codegen.rules.forms import holds_properties

MONEY = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?"
"""How a decimal stands in a text."""

RANGES = (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"))
"""The limits that belong together: the least value and the greatest."""

PLAIN = {"string", "enum", "integer", "boolean"}
"""The types of field that the SDK compares with a value."""


def _requests(root: Node) -> Iterator[Problem]:
    """Every field of a request can be converted and checked."""
    whole = {fields.schema_name for _, _, node in operations(root) if (fields := own_fields(node))}
    whole |= {action.schema_name for action in batch_actions(root)}
    for name, model in _sent(root).items():
        yield from _choices(model)
        for key, field in properties(model).items():
            if field.get("x-auto") == "account" and name not in whole:
                told = "account is filled in on the request itself, not below"
                yield Problem(f"{field.place}/x-auto", told)
            yield from sent(field, field.place, required=key in required(model))


def _sent(root: Node) -> dict[str, Node]:
    """The schemas of the objects that are sent, by the names of their classes."""
    return {name: each.node for name, each in models(root).items() if each.role == "request"}


def _choices(schema: Node) -> Iterator[Problem]:
    """`oneOf` and `anyOf` of a model say which of its optional fields must be given."""
    found = [(part, word) for part in parts(schema) for word in ("oneOf", "anyOf") if word in part]
    if len(found) > 1:
        told = "has more than one oneOf or anyOf, those of its allOf among them; leave one"
        yield Problem(schema.pointer, told)
    fields = properties(schema)
    optional = {name for name in fields if not _takes_null(fields[name])} - required(schema)
    for part, word in found:
        for choice in part[word].elements():
            given = choice.get("required", [])
            is_one = len(given) == 1 and given[0] in optional
            if not is_one or set(choice.value) != {"required"}:
                says = "must require one optional field that may not be null, and nothing else"
                yield Problem(choice.pointer, says)


def _takes_null(field: Node) -> bool:
    """Whether null may be given for a field, as it may for parsed JSON."""
    type_ = known_type(field)
    return without_null(field)[1] or (type_ is not None and type_.kind == "json")


def sent(field: Node, pointer: str, *, required: bool) -> Iterator[Problem]:
    """A field of a request. A type that the generator does not know is reported elsewhere."""
    given = {**without_null(field)[0].value, **field.value}
    if "deprecated" in given and "x-auto" in given:
        told = "the SDK fills it in, so nobody can do without; leave it out"
        yield Problem(f"{pointer}/deprecated", told)
    elif "deprecated" in given and required:
        advice = "nobody can leave it out; let it be optional, or deprecate the operation"
        yield Problem(f"{pointer}/deprecated", advice)
    if (type_ := known_type(field)) is None:
        return
    if any(part.kind == "tuple" for part in type_.parts()):
        told = "a list of members of different types is not supported in a request; leave out the type, and it is JSON"
        yield Problem(pointer, f"{told}; {LEARN}")
    words = {word: each for word, each in given.items() if type_.kind in ACTING.get(word, ())}
    for word, value in words.items():
        at = f"{pointer}/{word}"
        if word == "pattern":
            yield from _pattern(at, value)
        elif word != "default":
            if type(value) is not int:
                yield Problem(at, f"{value!r} is not an integer; write one")
        elif not may_be(field, value):
            yield Problem(at, f"{value!r} is no value of this field; write one that it may have")
    if required and "default" in words:
        advice = "leave out the default, or do not require the field"
        yield Problem(f"{pointer}/default", f"nobody can leave the field out; {advice}")
    limits = {word: value for word, value in words.items() if type(value) is int}
    for least, greatest in RANGES:
        if least in limits and limits[least] > limits.get(greatest, limits[least]):
            told = f"no value is within {least} {limits[least]} and {greatest} {limits[greatest]}"
            yield Problem(f"{pointer}/{least}", f"{told}; write a lower one, or leave one out")


def is_plain(field: Node) -> bool:
    """Whether the SDK compares a field with a value of the spec: a text, an integer, a boolean or an enum."""
    type_ = known_type(field)
    return type_ is not None and type_.kind in PLAIN


def may_be(field: Node, value: object) -> bool:
    """Whether a field with a single value may have this one."""
    type_, words = known_type(field), without_null(field)[0].value
    schema = {word: words[word] for word in ("type", "enum", *ACTING) if word in words}
    text = MONEY if type_ and type_.kind == "decimal" else ".*"
    return validator(schema).is_valid(value) and re.fullmatch(text, str(value), re.S) is not None


def _pattern(pointer: str, value: str) -> Iterator[Problem]:
    """A pattern matches the whole value, because the SDK checks the whole value."""
    try:
        re.compile(value)
    except re.error as error:
        yield Problem(pointer, f"is not a regular expression of Python: {error}")
    if class_ := re.search(r"(?<!\\)(?:\\\\)*(\\[dDwWsSbB])", value):
        told = "does not mean the same in every language; write a set, like [0-9]"
        yield Problem(pointer, f"{class_[1]} {told}")
    bare = _outermost(value)
    if not (bare.startswith("^") and bare.endswith("$")):
        yield Problem(pointer, "must begin with ^ and end with $")
    elif "|" in bare:
        # `^a|b$` matches what begins with a or ends with b.
        yield Problem(pointer, "must have its alternatives in a group, like ^(a|b)$")


def _outermost(pattern: str) -> str:
    """A pattern without its escapes, its character sets and its groups."""
    bare = re.sub(r"\\.|\[\^?\]?(\\.|[^\]\\])*\]", "", pattern, flags=re.DOTALL)
    groups = 1
    while groups:
        bare, groups = re.subn(r"\([^()]*\)", "", bare)
    return bare


ENDLESS = (
    "an object that holds itself is not supported: neither its converters nor its reader would come to an end; leave out the"
    f" type of the field that leads back to it, and it is parsed JSON, {LEARN}"
)


def _endless(root: Node) -> Iterator[Problem]:
    """No object holds itself, in itself or in what it holds."""
    known = models(root)
    holds = {
        name: {
            str(part.schema_name)
            for each in properties(model.node).values()
            for part in classes_in(each)
            if part.schema_name in known
        }
        for name, model in known.items()
    }
    for name, model in known.items():
        reached, waiting = set[str](), [*holds[name]]
        while waiting:
            if (held := waiting.pop()) not in reached:
                reached.add(held)
                waiting += holds[held]
        if name in reached:
            yield Problem(model.node.pointer, ENDLESS)


def _switches(root: Node) -> Iterator[Problem]:
    """What is not deprecated says nothing of it."""
    for node in walk(root):
        if node.get("deprecated") is False and not holds_properties(node.pointer):
            yield Problem(f"{node.pointer}/deprecated", "must be true; otherwise leave it out")


RULES = (_requests, _endless, _switches)
