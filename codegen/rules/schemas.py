"""House rules on schemas: names, enums, the fields of what is sent and received."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from typing import Any

from codegen import ir, python
from codegen.load import Node, Problem
from codegen.roles import roles
from codegen.rule_parts import identifier, section, type_of
from codegen.schemas import (
    field_type,
    is_batch_list,
    merged,
    operations,
    parameter_field,
    query_name,
    signed_base,
    without_null,
)

LIMITS = {"pattern": "string", "minLength": "string", "minimum": "integer", "maximum": "integer"}
LIST_LIMITS = {"minItems", "maxItems"}
FIELD_WORDS = {
    *("type", "format", "enum", "properties", "required", "items", "oneOf", "anyOf", "default"),
    *("title", "description", "deprecated", "example", "examples", "externalDocs", "readOnly"),
    *("writeOnly", "$comment"),
}


def _schemas(root: Node) -> Iterator[Problem]:
    taken = _taken(root)
    seen: dict[str, str] = {}
    for name, schema in root["components"]["schemas"].items():
        if not re.fullmatch("[A-Z][A-Za-z0-9]*", name) or keyword.iskeyword(name):
            yield Problem(schema.pointer, f"{name!r} is not a name in PascalCase")
        if seen.setdefault(name.lower(), name) != name:
            other = seen[name.lower()]
            yield Problem(schema.pointer, f"{name!r} differs from {other!r} by case only")
        if not schema.get("description"):
            yield Problem(schema.pointer, "has no description")
        if not isinstance(schema.get("properties", {}), dict):
            yield Problem(f"{schema.pointer}/properties", "is not a mapping")
            continue
        if "allOf" in schema and signed_base(schema) is None:
            yield Problem(schema.pointer, "allOf is for the body of a signed request only")
        for required in schema.get("required", []):
            if required not in merged(schema):
                yield Problem(f"{schema.pointer}/required", f"there is no property {required!r}")
        if "externalDocs" in schema:
            yield from section(schema)
        if "enum" in schema:
            yield from _enum(schema)
        for field_name, field in schema["properties"].items() if "properties" in schema else ():
            pointer = f"{schema.pointer}/properties/{field_name}"
            yield from _field(field_name, field, pointer, taken)


def _enum(schema: Node) -> Iterator[Problem]:
    members: set[str] = set()
    if not schema.get("enum"):
        yield Problem(f"{schema.pointer}/enum", "has no member")
    for index, value in enumerate(schema.get("enum")):
        pointer = f"{schema.pointer}/enum/{index}"
        if not isinstance(value, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", value):
            yield Problem(pointer, f"{value!r} cannot be the name of a member")
        elif python.snake(value) in members:
            yield Problem(pointer, f"{value!r} stands there twice")
        else:
            members.add(python.snake(value))


# -- names ------------------------------------------------------------------------------------


def _taken(root: Node) -> set[str]:
    """What no field may be called: it would hide what the class or the method around it uses."""
    schemas = root["components"]["schemas"].value
    constants = {
        python.constant(str(node.get("x-group")), str(node.get("x-method")))
        for _, _, node in operations(root)
    }
    return {"self", *python.taken_names(), *schemas, *_queries(root), *constants}


def _queries(root: Node) -> set[str]:
    return {name for _, _, node in operations(root) if (name := query_name(node))}


def _classes(root: Node) -> Iterator[Problem]:
    """The classes of the generated package have names of their own."""
    schemas = root["components"]["schemas"]
    enums = {name for name, schema in schemas.items() if "enum" in schema}
    models, problems = roles(root)
    yield from problems
    taken = {
        *python.taken_names(),
        *dir(builtins),
        *_queries(root),
        *(python.pascal(str(node.get("x-group"))) for _, _, node in operations(root)),
        *(f"{name}Like" for name in enums),
        *(f"{variant}{name}" for name in schemas.value for variant in ("Optional", "Nullable")),
    }
    for name in sorted((enums | models.keys()) & taken):
        yield Problem(schemas[name].pointer, f"{name!r} is a name that is taken")


# -- fields -----------------------------------------------------------------------------------


def _field(name: Any, field: Node, pointer: str, taken: set[str]) -> Iterator[Problem]:
    yield from identifier(pointer, name)
    if name in taken:
        yield Problem(pointer, f"{name!r} is a name that is taken")
    if not field.get("description") and field.schema_name is None:
        yield Problem(pointer, "has no description")
    if is_batch_list(field) or signed_base(field):
        return
    try:
        kind = field_type(field)
    except ValueError as error:
        yield Problem(pointer, str(error))
        return
    if kind.kind == "decimal" and "x-unit" not in field:
        yield Problem(pointer, "a decimal needs its x-unit")


def _requests(root: Node) -> Iterator[Problem]:
    """What is sent can be converted and checked."""
    for name, role in roles(root)[0].items():
        schema = root["components"]["schemas"][name]
        if role == "request":
            yield from _choices(schema)
            required = schema.get("required", [])
            for key, field in merged(schema).items():
                pointer = f"{schema.pointer}/properties/{key}"
                yield from _sent(field, pointer, required=key in required)


def _choices(schema: Node) -> Iterator[Problem]:
    """`oneOf` and `anyOf` on a model say which of its optional fields must be there."""
    words = [word for word in ("oneOf", "anyOf") if word in schema]
    if len(words) == 2:
        yield Problem(schema.pointer, "oneOf and anyOf cannot stand together")
    optional = merged(schema).keys() - set(schema.get("required", []))
    for word in words:
        for choice in schema[word].elements():
            names = choice.get("required", [])
            if len(names) != 1 or set(choice.value) != {"required"} or names[0] not in optional:
                yield Problem(choice.pointer, "must require one of the optional fields, no more")


def _parameters(root: Node) -> Iterator[Problem]:
    taken = _taken(root)
    for _, _, operation in operations(root):
        for parameter in operation["parameters"].elements() if "parameters" in operation else ():
            field = parameter_field(parameter)
            yield from _field(parameter.get("name"), field, parameter.pointer, taken)
            required = bool(parameter.get("required"))
            yield from _sent(field, parameter.pointer, required=required)
            type_, is_nullable = type_of(field), without_null(field)[1]
            if type_ and (type_.many or type_.kind == "model" or is_nullable):
                yield Problem(parameter.pointer, "a query holds single values only, and no null")


def _sent(field: Node, pointer: str, *, required: bool) -> Iterator[Problem]:
    type_ = type_of(field)
    if type_ is None:
        return
    inner, is_nullable = without_null(field)
    auto = field.get("x-auto", inner.get("x-auto"))
    sent = ir.Field(
        name="", type=type_, required=required, nullable=is_nullable, description="", auto=auto
    )
    if not python.can_be_sent(sent):
        null = " or null" if is_nullable else ""
        need = "required" if required else "optional"
        kind = f"list of {type_.kind}" if type_.many else type_.kind
        minted = f" with x-auto: {auto}" if auto else ""
        yield Problem(pointer, f"no request can hold this: {need} {kind}{null}{minted}")
    for word, value in {**inner.value, **field.value}.items():
        yield from _limit(f"{pointer}/{word}", word, value, type_)
    for word in inner.get("items", {}) if type_.many else ():
        if word in LIMITS:
            yield Problem(f"{pointer}/items/{word}", "the items of a list cannot be limited")


def _limit(pointer: str, word: str, value: Any, type_: ir.Type) -> Iterator[Problem]:
    """A limit is one that is checked before sending; none is left out in silence."""
    if word in LIST_LIMITS or word in LIMITS:
        kind = "list" if type_.many else type_.kind
        if kind != LIMITS.get(word, "list"):
            yield Problem(pointer, f"cannot limit a field of the kind {kind}")
        elif word == "pattern":
            yield from _pattern(pointer, value)
        elif type(value) is not int:
            yield Problem(pointer, f"{value!r} is not an integer")
    elif word not in FIELD_WORDS and not word.startswith("x-"):
        yield Problem(pointer, "a request does not know this word")


def _pattern(pointer: str, value: str) -> Iterator[Problem]:
    """A pattern is a whole one, because that is how it is checked."""
    try:
        re.compile(value)
    except re.error as error:
        yield Problem(pointer, f"is no pattern of Python: {error}")
    bare = _outermost(value)
    if not (bare.startswith("^") and bare.endswith("$")):
        yield Problem(pointer, "must begin with ^ and end with $")
    elif "|" in bare:
        # `^a|b$` begins with a or ends with b.
        yield Problem(pointer, "must hold its alternatives in a group, like ^(a|b)$")


def _outermost(pattern: str) -> str:
    """A pattern without its escapes, its character sets and its groups."""
    bare = re.sub(r"\\.|\[\^?\]?(\\.|[^\]\\])*\]", "", pattern, flags=re.DOTALL)
    groups = 1
    while groups:
        bare, groups = re.subn(r"\([^()]*\)", "", bare)
    return bare


RULES = (_schemas, _classes, _requests, _parameters)
