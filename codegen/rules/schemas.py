"""Rules on schemas: enums, the fields of every model, and what a request can hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from codegen import ir
from codegen.read.classes import enums, models
from codegen.read.field_types import classes_in, field_type, known_type, label, without_null
from codegen.read.load import Node, Problem, escaped
from codegen.read.operations import (
    batch_actions,
    is_batch_list,
    operations,
    own_fields,
    signed_base,
)
from codegen.read.parameters import parameter_field, parameter_name, parameters
from codegen.read.schemas import class_name, own_properties, parts, properties, required
from codegen.rules import names
from codegen.rules.parts import is_one_of, section

LIMITS = {
    **dict.fromkeys(("pattern", "minLength", "maxLength"), "string"),
    **dict.fromkeys(("minimum", "maximum", "multipleOf"), "integer"),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), "integer"),
}
"""Each limit of a value, by the type of field that it can limit."""

TEXTS = {
    "decimal": r"-?(0|[1-9][0-9]*)(\.[0-9]+)?",
    "integer as text": "-?[0-9]{1,19}",
    "date_time": r"[0-9-]{10}T[0-9:]{8}(\.[0-9]+)?(Z|[-+][0-9:]{5})",
}
"""The default of what stands in a text, by its type: money as the SDK takes it, and others."""

NO_TEXT = {"list", "map", "tuple", "model", "union", "json"}
"""The types whose values are no single text, which a URL could hold."""

RANGES = (
    *(("minimum", "maximum"), ("exclusiveMinimum", "maximum"), ("minimum", "exclusiveMaximum")),
    *(
        ("exclusiveMinimum", "exclusiveMaximum"),
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
    ),
)
"""The limits that belong together: the least value and the greatest."""

LIST_LIMITS = {"minItems", "maxItems"}
FIELD_WORDS = {
    *("type", "format", "enum", "properties", "required", "items", "oneOf", "anyOf", "default"),
    *("title", "description", "deprecated", "example", "examples", "externalDocs", "readOnly"),
    *("writeOnly", "$comment", "additionalProperties", "prefixItems", "allOf", "discriminator"),
}
"""The other words of JSON Schema that a field of a request may have."""


def _schemas(root: Node) -> Iterator[Problem]:
    taken = names.taken_by_fields(root)
    found, _ = models(root)
    seen: dict[str, str] = {}
    for name, schema in root["components"]["schemas"].items():
        if not re.fullmatch("[A-Z][A-Za-z0-9]*", name) or name in names.keywords():
            yield Problem(schema.pointer, f"{name!r} is not a name in PascalCase")
        if seen.setdefault(name.lower(), name) != name:
            other = seen[name.lower()]
            yield Problem(schema.pointer, f"{name!r} differs from {other!r} by case only")
        if not schema.get("description"):
            yield Problem(schema.pointer, "has no description")
        if not isinstance(schema.get("properties", {}), dict):
            yield Problem(f"{schema.pointer}/properties", "is not a mapping")
            continue
        for name_ in schema.get("required", []):
            if name_ not in properties(schema):
                yield Problem(f"{schema.pointer}/required", f"there is no property {name_!r}")
        if "externalDocs" in schema:
            yield from section(schema)
        yield from _properties(schema, taken, is_model=name in found)
    for model in found.values():
        yield from _parts(model.node)
        if model.node.schema_name is None:
            yield from _properties(model.node, taken, is_model=True)
            if not model.node.get("description"):
                yield Problem(model.node.pointer, "has no description")
    for schema in enums(root)[0].values():
        if not schema.get("enum"):
            yield Problem(f"{schema.pointer}/enum", "has no members")
        yield from names.members(schema)


def _properties(schema: Node, taken: set[str], *, is_model: bool) -> Iterator[Problem]:
    """The properties that stand in a schema itself."""
    own = own_properties(schema)
    pointers = {key: f"{schema.pointer}/properties/{escaped(key)}" for key in own}
    yield from names.fields({key: (pointers[key], own[key].get("x-name")) for key in own})
    for name, field in own.items():
        yield from names.field(pointers[name], name, field.get("x-name"), taken)
        if is_model or not (is_batch_list(field) or signed_base(field)):
            yield from _field(field, pointers[name])


def _parts(model: Node) -> Iterator[Problem]:
    """No property stands in two parts of an allOf: which of them holds would be a guess."""
    seen: dict[str, str] = {}
    for part in parts(model):
        for name in own_properties(part):
            if seen.setdefault(name, part.pointer) != part.pointer:
                yield Problem(model.pointer, f"two parts of its allOf have {name!r}; leave one out")
    all_ = {name: (field.pointer, field.get("x-name")) for name, field in properties(model).items()}
    yield from names.fields(all_) if "allOf" in model else ()
    for word in ("oneOf", "anyOf"):
        if sum(word in part for part in parts(model)) > 1:
            yield Problem(model.pointer, f"two parts of its allOf have {word}; leave one out")


def _field(field: Node, pointer: str) -> Iterator[Problem]:
    if not field.get("description") and field.schema_name is None:
        yield Problem(pointer, "has no description")
    try:
        kind = field_type(field)
    except ValueError as error:
        yield Problem(pointer, str(error))
        return
    known = "x-unit" in field
    if any(_lacks_unit(part) for part in _amounts(kind, has_unit=known)):
        yield Problem(pointer, "a decimal needs its x-unit")


def _amounts(type_: ir.Type, *, has_unit: bool) -> Iterator[ir.Type]:
    """The types that need a unit of their own: the unit of a field is that of its items, too."""
    inside = [type_.items] if type_.items and has_unit and type_.items.kind == "decimal" else []
    own = [type_] if has_unit and type_.kind == "decimal" else []
    return (part for part in type_.parts() if part not in (*inside, *own))


def _lacks_unit(type_: ir.Type) -> bool:
    return type_.kind == "decimal" and type_.unit is None


# -- requests ---------------------------------------------------------------------------------


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
                    yield from _sent(field, pointer, required=key in always)


def _choices(schema: Node) -> Iterator[Problem]:
    """`oneOf` and `anyOf` of a model say which of its optional fields must be given."""
    found = [(part, word) for part in parts(schema) for word in ("oneOf", "anyOf") if word in part]
    if len({word for _, word in found}) == 2:
        yield Problem(schema.pointer, "a schema has oneOf or anyOf, not both")
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


def _parameters(root: Node) -> Iterator[Problem]:
    """Every parameter is a value that can be converted and checked; in a query also a list."""
    taken = names.taken_by_fields(root)
    for _, _, operation in operations(root):
        own = own_fields(operation)
        held = {**(properties(own) if own else {})}
        held |= {parameter_name(each): each for each in parameters(operation)}
        yield from names.fields({n: (p.pointer, p.get("x-name")) for n, p in held.items()})
        for parameter in parameters(operation):
            field, x_name = parameter_field(parameter), parameter.get("x-name")
            yield from names.field(parameter.pointer, parameter_name(parameter), x_name, taken)
            yield from _field(field, parameter.pointer)
            always = bool(parameter.get("required"))
            yield from _sent(field, parameter.pointer, required=always)
            type_, is_nullable = known_type(field), without_null(field)[1]
            one = type_.items if type_ and type_.items and type_.kind == "list" else type_
            if one and (one.kind in NO_TEXT or one.nullable or is_nullable):
                advice = "a parameter is a single value or a list of them, and no null"
                yield Problem(parameter.pointer, advice)
            elif one is not type_ and parameter.get("in") != "query":
                yield Problem(parameter.pointer, "only a query has lists")


def _sent(field: Node, pointer: str, *, required: bool) -> Iterator[Problem]:
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
        filled = f" with x-auto: {auto}" if auto else ""
        yield Problem(pointer, f"a request does not support this: {need} {kind}{null}{filled}")
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
        if word in LIMITS:
            yield Problem(f"{pointer}/items/{word}", "the items of a list cannot be limited")


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
        yield Problem(f"{pointer}/default", f"{value!r} is no value of this field")


def _limit(pointer: str, word: str, value: Any, type_: ir.Type) -> Iterator[Problem]:
    """Every limit is one that the SDK checks before sending. None is ignored in silence."""
    if word in LIST_LIMITS or word in LIMITS:
        if type_.kind != LIMITS.get(word, "list"):
            yield Problem(pointer, f"cannot limit a field of type {type_.kind}")
        elif word == "pattern":
            yield from _pattern(pointer, value)
        elif type(value) is not int:
            yield Problem(pointer, f"{value!r} is not an integer")
        elif word == "multipleOf" and value < 1:
            yield Problem(pointer, f"{value!r} is not an integer of 1 or more")
    elif word not in FIELD_WORDS and not word.startswith("x-"):
        yield Problem(pointer, "is not supported in a request")


def _order(words: dict[str, Any], pointer: str) -> Iterator[Problem]:
    """Some value is within the limits."""
    found = {word: value for word, value in words.items() if type(value) is int}
    for least, greatest in RANGES:
        if least in found and greatest in found:
            gap = ("exclusive" in least) + ("exclusive" in greatest)
            if found[greatest] - found[least] < gap:
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


def _types(root: Node) -> Iterator[Problem]:
    """An enum has the type of its values, and the object of a class is one. A part may leave it out."""
    for schema in enums(root)[0].values():
        if schema.get("type") not in ("string", "integer"):
            yield Problem(schema.at("type"), "must be string or integer")
    for model in models(root)[0].values():
        for part in parts(model.node):
            given = part.get("type")
            is_part = part is not model.node or "allOf" in part
            if given != "object" and not (given is None and is_part):
                yield Problem(part.at("type"), "must be object")


TYPES = (_types,)
RULES = (_types, _schemas, _requests, _parameters, _endless)
