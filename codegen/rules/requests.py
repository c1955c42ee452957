"""Rules on what is sent: every field can be converted and checked, conditions name fields that are there, and callers can
leave out what is deprecated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from codegen import ir
from codegen.ir.words import SAY_IT
from codegen.read.classes import enums, models
from codegen.read.field_types import classes_in, known_type, label, without_null
from codegen.read.load import Node, Problem, escaped, walk
from codegen.read.operations import batch_actions, operations, own_fields, standalone_actions
from codegen.read.parameters import parameter_field, parameters
from codegen.read.schemas import class_name, own_properties, parts, properties, required
from codegen.rules.forms import has_form, holds_properties, is_one_of

LIMITS = {each.name: each.of for each in ir.KEYWORDS if each.of and each.name != "default"}
"""Each limit of a value, with the types of field that it can limit."""

TEXTS = {
    "decimal": r"-?(0|[1-9][0-9]*)(\.[0-9]+)?",
    "integer as text": "-?[0-9]{1,19}",
    "date_time": r"[0-9-]{10}T[0-9:]{8}(\.[0-9]+)?(Z|[-+][0-9:]{5})",
}
"""The default of what stands in a text, by its type: money as the SDK takes it, and others."""

RANGES = (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"))
"""The limits that belong together: the least value and the greatest."""

FILLED = {
    "uuid": "the SDK makes only a text of `format: uuid`, not null",
    "account": "the SDK writes the account only into a text without a format",
}
"""What the SDK can fill in, by the value of x-auto."""

IF = "must be {required: [FIELD], properties: {FIELD: {const: VALUE}}}"
THEN = "must be {required: [FIELD, ...]}"
KINDS: dict[str, type] = {
    **dict.fromkeys(("string", "enum"), str),
    **dict.fromkeys(("integer", "integer_enum"), int),
    "boolean": bool,
}
"""The types of field that a condition may compare with a value."""


def _requests(root: Node) -> Iterator[Problem]:
    """Every field of a request can be converted and checked."""
    whole = {fields.schema_name for _, _, node in operations(root) if (fields := own_fields(node))}
    whole |= {action.schema_name for action in batch_actions(root)}
    for name, model in models(root)[0].items():
        if model.role == "request":
            yield from _choices(model.node)
            always = required(model.node)
            for part in parts(model.node):
                for key, field in own_properties(part).items():
                    pointer = f"{part.pointer}/properties/{escaped(key)}"
                    if field.get("x-auto") == "account" and name not in whole:
                        told = "account is filled in on the request itself, not below"
                        yield Problem(f"{pointer}/x-auto", told)
                    yield from sent(field, pointer, required=key in always)


def _choices(schema: Node) -> Iterator[Problem]:
    """`oneOf` and `anyOf` of a model say which of its optional fields must be given."""
    found = [(part, word) for part in parts(schema) for word in ("oneOf", "anyOf") if word in part]
    if len({word for _, word in found}) == 2:
        yield Problem(schema.pointer, "a schema has oneOf or anyOf, not both; leave one out")
    fields = properties(schema)
    optional = {name for name in fields if not without_null(fields[name])[1]}
    optional -= required(schema)
    for part, word in found:
        for choice in part[word].elements():
            given = choice.get("required", [])
            is_one = len(given) == 1 and given[0] in optional
            if not is_one or set(choice.value) != {"required"}:
                says = "must require one optional field that may not be null, and nothing else"
                yield Problem(choice.pointer, says)


def sent(field: Node, pointer: str, *, required: bool) -> Iterator[Problem]:
    """A field of a request. A type that the generator does not know is reported elsewhere."""
    type_ = known_type(field)
    if type_ is None:
        return
    inner, is_nullable = without_null(field)
    auto = field.get("x-auto", inner.get("x-auto"))
    if not _can_fill(auto, type_, is_nullable):
        null = " or null" if is_nullable else ""
        need = "required" if required else "optional"
        kind = f"list of {type_.items.kind}" if type_.items and type_.kind == "list" else type_.kind
        told = f"a request does not support this: {need} {kind}{null} with x-auto: {auto}"
        able = FILLED["account" if auto == "account" else "uuid"]
        yield Problem(pointer, f"{told}; {able}; write that, or leave out the x-auto")
    yield from _default(field, inner, pointer, type_)
    if required and "default" in {**inner.value, **field.value}:
        advice = (
            "nobody can leave the field out; leave out the default, or do not require the field"
        )
        yield Problem(f"{pointer}/default", advice)
    yield from _order({**inner.value, **field.value}, pointer)
    for word, value in {**inner.value, **field.value}.items():
        yield from _limit(f"{pointer}/{word}", word, value, type_)
    for word in inner.get("items", {}) if type_.kind == "list" else ():
        if word in LIMITS and "list" not in LIMITS[word]:
            yield Problem(
                f"{pointer}/items/{word}", f"the items of a list cannot be limited; {SAY_IT}"
            )


def _can_fill(auto: object, type_: ir.Type, is_nullable: bool) -> bool:
    """Whether the SDK can fill a field in by itself, if it is to: a value must be of its type."""
    if auto == "account":
        return type_.kind == "string"
    return auto is None or (type_.kind == "uuid" and not is_nullable)


def _default(field: Node, inner: Node, pointer: str, type_: ir.Type) -> Iterator[Problem]:
    """A default is a value that the field may have."""
    given = {**inner.value, **field.value}
    if "default" not in given:
        return
    value = given["default"]
    text = value if isinstance(value, str) else ""
    fits = {"integer": type(value) is int, "boolean": type(value) is bool}
    fits |= dict.fromkeys(("enum", "integer_enum"), is_one_of(value, inner.get("enum", ())))
    fits |= {name: re.fullmatch(form, text) is not None for name, form in TEXTS.items()}
    if not fits.get(label(type_), isinstance(value, str)):
        yield Problem(
            f"{pointer}/default", f"{value!r} is no value of this field; write one that it may have"
        )


def _limit(pointer: str, word: str, value: Any, type_: ir.Type) -> Iterator[Problem]:
    """Every limit is one that the SDK checks before it sends a value of this type."""
    if word in LIMITS:
        if type_.kind not in LIMITS[word]:
            yield Problem(pointer, f"cannot limit a field of type {type_.kind}; {SAY_IT}")
        elif word == "pattern":
            yield from _pattern(pointer, value)
        elif type(value) is not int:
            yield Problem(pointer, f"{value!r} is not an integer; write one")


def _order(words: dict[str, Any], pointer: str) -> Iterator[Problem]:
    """Some value is within the limits."""
    found = {word: value for word, value in words.items() if type(value) is int}
    for least, greatest in RANGES:
        if least in found and greatest in found and found[greatest] < found[least]:
            told = f"no value is within {least} {found[least]} and {greatest} {found[greatest]}"
            yield Problem(f"{pointer}/{least}", f"{told}; write a lower one, or leave one out")


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


def _endless(root: Node) -> Iterator[Problem]:
    """No request holds itself: its converters would need each other before they are defined."""
    found, _ = models(root)
    sent = {name: model.node for name, model in found.items() if model.role == "request"}
    holds = {
        name: {
            str(name_)
            for each in properties(schema).values()
            for part in classes_in(each)
            if (name_ := class_name(part)) in sent
        }
        for name, schema in sent.items()
    }
    for name, schema in sent.items():
        reached, waiting = set[str](), [*holds[name]]
        while waiting:
            if (held := waiting.pop()) not in reached:
                reached.add(held)
                waiting += holds[held]
        if name in reached:
            yield Problem(schema.pointer, "a request cannot hold itself; leave the field out")


# -- conditions ---------------------------------------------------------------------------------


def _conditions(root: Node) -> Iterator[Problem]:
    for model in models(root)[0].values():
        if model.role == "request":
            yield from _dependent(model.node)
            yield from _if(model.node)


def _dependent(schema: Node) -> Iterator[Problem]:
    pointer = f"{schema.pointer}/dependentRequired"
    given = schema.get("dependentRequired", {})
    if not isinstance(given, dict) or (not given and "dependentRequired" in schema):
        yield Problem(pointer, "must name fields, and the fields that each of them needs")
        return
    for name, needed in given.items():
        yield from _required(schema, f"{pointer}/{name}", needed, {name})
        if name not in properties(schema):
            yield Problem(f"{pointer}/{name}", f"there is no property {name!r}; name one")


def _if(schema: Node) -> Iterator[Problem]:
    if "if" not in schema and "then" not in schema:
        return
    given, then = schema.get("if"), schema.get("then")
    names = list(given.get("properties") or ()) if isinstance(given, dict) else []
    value = given["properties"][names[0]] if len(names) == 1 else None
    is_const = isinstance(value, dict) and value.keys() == {"const"}
    if not is_const or given != {"required": names, "properties": given["properties"]}:
        yield Problem(f"{schema.pointer}/if", IF)
    else:
        assert isinstance(value, dict), "it has a const"
        yield from _constant(schema, names[0], value["const"])
    if not isinstance(then, dict) or then.keys() != {"required"}:
        yield Problem(f"{schema.pointer}/then", THEN)
    else:
        yield from _required(
            schema, f"{schema.pointer}/then/required", then["required"], set(names)
        )


def _constant(schema: Node, name: str, value: Any) -> Iterator[Problem]:
    """The value is one that the field may have."""
    pointer = f"{schema.pointer}/if/properties/{name}"
    field = properties(schema).get(name)
    type_ = known_type(field) if field else None
    if field is None:
        yield Problem(pointer, f"there is no property {name!r}; name one")
    elif type_ is None or type_.as_text or type(value) is not KINDS.get(type_.kind):
        yield Problem(
            pointer,
            "a condition compares a text, an enum, an integer or a boolean; say it in the description",
        )
    elif value not in field.get("enum", [value]):
        yield Problem(pointer, f"{value!r} is no value of {name!r}; write one of its values")


def _required(schema: Node, pointer: str, needed: object, given: set[str]) -> Iterator[Problem]:
    """The fields that are needed are optional ones: the others are always there."""
    fields = properties(schema)
    optional = fields.keys() - required(schema) - given
    if not isinstance(needed, list) or not needed or not set(map(str, needed)) <= optional:
        yield Problem(pointer, "must name optional fields of the schema")
    elif any(without_null(fields[name])[1] for name in [*needed, *given] if name in fields):
        yield Problem(
            pointer,
            "a field of a condition cannot be null, which would be given or not; leave null out",
        )


# -- what is deprecated: a caller who is warned can do without it -----------------------------------


DEPRECATED, OF_ENUM = "deprecated", "x-enum-deprecated"


def _switches(root: Node) -> Iterator[Problem]:
    """The word is there, and true, or it is not there."""
    for node in walk(root):
        is_word = DEPRECATED in node and not holds_properties(node.pointer)
        if is_word and node.get(DEPRECATED) is False:
            yield Problem(f"{node.pointer}/{DEPRECATED}", "must be true; otherwise leave it out")


def _values(root: Node) -> Iterator[Problem]:
    """The values of an enum that are deprecated are values of it."""
    for schema in enums(root)[0].values():
        if OF_ENUM not in schema:
            continue
        given, known = schema.get(OF_ENUM), schema.get("enum", [])
        pointer = f"{schema.pointer}/{OF_ENUM}"
        for index, value in enumerate(given if has_form(schema, OF_ENUM) else ()):
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
            if DEPRECATED in parameter and isinstance(parameter.get("schema"), dict):
                always = bool(parameter.get("required"))
                yield from _avoided(parameter_field(parameter), parameter.pointer, required=always)
    sent = (model.node for model in models(root)[0].values() if model.role == "request")
    for schema, part in [(whole, part) for whole in sent for part in parts(whole)]:
        for key, field in own_properties(part).items():
            if DEPRECATED in field or DEPRECATED in without_null(field)[0]:
                pointer = f"{part.pointer}/properties/{escaped(key)}"
                yield from _avoided(field, pointer, required=key in required(schema))


def _avoided(field: Node, pointer: str, *, required: bool) -> Iterator[Problem]:
    if "x-auto" in field or "x-auto" in without_null(field)[0]:
        yield Problem(
            f"{pointer}/{DEPRECATED}", "the SDK fills it in, so nobody can do without; leave it out"
        )
    elif required:
        advice = "nobody can leave it out; let it be optional, or deprecate the operation"
        yield Problem(f"{pointer}/{DEPRECATED}", advice)


def _actions(root: Node) -> Iterator[Problem]:
    """An action that has an operation is deprecated there: it has no method of its own."""
    for pointer in standalone_actions(root):
        _, _, name = pointer.rpartition("/")
        if DEPRECATED in root["components"]["schemas"][name]:
            yield Problem(f"{pointer}/{DEPRECATED}", "write it on the operation of the action")


RULES = (_requests, _endless, _conditions, _switches, _values, _avoidable, _actions)
