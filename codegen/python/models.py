"""The module of the enums and models: classes of attrs, of which datamodel-code-generator writes the bodies.

It reads JSON Schemas, and decides the types of all fields, the members of enums, and an order of the classes that
Python accepts. Our templates add what no schema says: how values are converted and checked, and the
docstrings of classes. The parser is used directly, because `generate` cannot leave out its own imports.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from datamodel_code_generator import DatetimeClassType, PythonVersion
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.model import get_data_model_types
from datamodel_code_generator.parser.openapi import OpenAPIParser

from codegen import ir
from codegen.packages import PACKAGE
from codegen.python import converters, docstrings, syntax
from codegen.python.converters import of_field
from codegen.read.load import Problem, SpecError

TEMPLATES = Path(__file__).parent / "templates" / PACKAGE / "models"
PYTHON = PythonVersion.PY_314
"""Annotations are deferred there, as in our modules, so that a class may name itself unquoted."""


def classes(api: ir.Api) -> dict[str, str]:
    """The class of every enum and model, by its name, in an order that Python accepts.

    Raises:
        SpecError: datamodel-code-generator would change the name of a class.
    """
    document = schemas(api)
    types = get_data_model_types(DataModelType.DataclassesDataclass, PYTHON)
    parser = OpenAPIParser(
        json.dumps(document),
        data_model_type=types.data_model,
        data_model_root_type=types.root_model,
        data_model_field_type=types.field_model,
        data_type_manager_type=types.data_type_manager,
        custom_template_dir=TEMPLATES,
        extra_template_data=_contexts(api),
        field_extra_keys={ASSIGNED},
        target_python_version=PYTHON,
        target_datetime_class=DatetimeClassType.Datetime,
        use_standard_primitive_types=True,
        use_tuple_for_fixed_items=True,
        strict_nullable=True,
        use_union_operator=True,
        use_standard_collections=True,
        use_generic_container_types=True,
    )
    changed = [
        f"#/components/schemas/{name}"
        for name in document["components"]["schemas"]
        if parser.model_resolver.get_class_name(name, unique=False).name != name
    ]
    if changed:
        raise SpecError([Problem(pointer, "cannot be the name of a class") for pointer in changed])
    text = str(parser.parse(with_import=False, format_=False))
    made = {each.class_name: each.render() for each in parser.results}
    return dict(sorted(made.items(), key=lambda each: text.index(each[1])))


def shared(api: ir.Api, stable: ir.Api) -> set[str]:
    """The names of the classes that the stable package has, too: of the same text, and of the same parts."""
    known = classes(stable)
    same = {name for name, text in classes(api).items() if known.get(name) == text}
    while apart := {name for name in same if not _parts(api.types[name]) <= same}:
        same -= apart
    return same


def aliases(api: ir.Api) -> dict[str, str]:
    """The name of the alias of what callers may give for a type, by the name of the type."""
    taken = converters.taken_types(api)
    return {name: f"{name}Like" for name in api.types if name in taken}


def defined(api: ir.Api, imported: Collection[str] = ()) -> Iterator[str]:
    """The classes and aliases that are not imported, and behind each how what callers give for it is converted."""
    functions = converters.functions(api, imported)
    known = aliases(api)
    for name, text in classes(api).items():
        if name not in imported:
            yield text
        if name in known and known[name] not in imported:
            yield converters.like(api.types[name])
        yield functions[name]


def _parts(type_: ir.Enum | ir.Model) -> set[str]:
    """The names of the enums and models in the fields of a model."""
    fields = type_.fields if isinstance(type_, ir.Model) else ()
    return {part.name for field in fields for part in field.type.parts() if part.name}


# -- what the templates read ------------------------------------------------------------------


def _contexts(api: ir.Api) -> defaultdict[str, dict[str, Any]]:
    """What the template of each class reads beside its schema, by the name of the class."""
    contexts: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    received = {name for each in api.models if each.role == "response" for name in _parts(each)}
    for name, each in api.types.items():
        contexts[name] = {
            "docstring": docstrings.docstring,
            "is_received": name in received,
            **(_enum(each) if isinstance(each, ir.Enum) else {}),
            **(_model(api, each) if isinstance(each, ir.Model) else {}),
        }
    return contexts


def _enum(enum: ir.Enum) -> dict[str, Any]:
    return {
        "doc": docstrings.enum_doc(enum),
        "values": [repr(value) for value in enum.values],
    }


_SEQUENCE = re.compile(r"Sequence\[((?:[^][]|\[[^][]*\])*)\]")


def received(hint: str) -> str:
    """The type of a received value: its lists are tuples, which msgspec makes and nobody changes."""
    while (tuples := _SEQUENCE.sub(r"tuple[\1, ...]", hint)) != hint:
        hint = tuples
    return hint


def _model(api: ir.Api, model: ir.Model) -> dict[str, Any]:
    return {
        "doc": docstrings.model_doc(model),
        "is_request": model.role == "request",
        "held": received if model.role == "response" else str,
        "body": model.body,
        "checks": _checks(model),
    }


def _checks(model: ir.Model) -> list[str]:
    """What is checked of the fields of a request together, as calls of the runtime."""
    attributes = {field.name: repr(syntax.name_of(field)) for field in model.fields}
    checks = [
        f"{name}(self, {', '.join(attributes[each] for each in fields)})"
        for name, fields in (
            ("exactly_one", model.exactly_one),
            ("at_least_one", model.at_least_one),
        )
        if fields
    ]
    for field in model.fields:
        if field.not_before:
            both = f"{attributes[field.name]}, {attributes[field.not_before]}"
            checks.append(f"not_before(self, {both})")
    return checks


# -- the schemas that datamodel-code-generator reads ----------------------------------------------

# They follow from the IR, not from the spec itself: of the spec it would make classes for signed bodies, envelopes
# and wrappers, a union for every `oneOf` of required fields, and none for queries.


Schema = dict[str, Any]

SCALARS: dict[str, Schema] = {
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "decimal": {"type": "string", "format": "decimal"},
    "uuid": {"type": "string", "format": "uuid"},
    "json": {},
}
NULL: Schema = {"type": "null"}
UNSET: Schema = {"customTypePath": "trading_runtime.Unset"}
ASSIGNED = "x-assigned"
"""The word of a property for what its attribute is assigned: no schema can say how a value is converted."""


def schemas(api: ir.Api) -> Schema:
    """A document of OpenAPI with the schema of every enum and model."""
    enums = {enum.name: _schema_of_enum(api, enum) for enum in api.enums}
    models = {model.name: _schema_of_model(api, model) for model in api.models}
    return {"openapi": "3.1.0", "components": {"schemas": {**enums, **models}}}


def _schema_of_enum(api: ir.Api, enum: ir.Enum) -> Schema:
    told = {each.name: each.description for each in api.reasons if each.enum == enum.name}
    return {
        "type": "string",
        "enum": list(enum.values),
        "x-enum-varnames": [syntax.member_of(enum, value) for value in enum.values],
        "x-enum-descriptions": [told.get(value) for value in enum.values],
    }


def _schema_of_model(api: ir.Api, model: ir.Model) -> Schema:
    told = docstrings.of_fields(api, model)
    return {
        "type": "object",
        "properties": {
            syntax.name_of(field): {
                **_field(field, model.role),
                "description": told[field.name],
                ASSIGNED: assigned(field, model.role),
            }
            for field in model.fields
        },
        "required": [syntax.name_of(each) for each in model.fields if _is_there(each, model.role)],
    }


def _is_there(field: ir.Field, role: ir.Role) -> bool:
    """Whether an object always has it. A list that a response leaves out is an empty one."""
    return field.required or (role == "response" and field.type.kind == "list")


def _field(field: ir.Field, role: ir.Role) -> Schema:
    type_ = _type(field.type, role)
    if field.cursor:
        return {"anyOf": [type_, UNSET], "nullable": False}
    if role == "request" and is_settable(field):
        return {"anyOf": [type_, UNSET, NULL]}
    return {"anyOf": [type_, NULL] if field.nullable else [type_]}


def _type(type_: ir.Type, role: ir.Role) -> Schema:
    held = [
        {"anyOf": [_type(part, role), *([NULL] if part.nullable else [])]} for part in type_.held
    ]
    if type_.kind == "list":
        return {"type": "array", "items": held[0]}
    if type_.kind == "tuple":
        return {"type": "array", "prefixItems": held, "minItems": len(held), "maxItems": len(held)}
    if type_.name is None:
        return SCALARS[type_.kind]
    return {"$ref": f"#/components/schemas/{type_.name}"}


# -- what attributes are assigned: defaults, converters and validators ----------------------------


LIMITS = {
    "pattern": "matches_re",
    "minimum": "ge",
    "maximum": "le",
    "min_length": "min_len",
    "min_items": "min_len",
    "max_length": "max_len",
    "max_items": "max_len",
}
"""The validator of each limit of a field."""


def assigned(field: ir.Field, role: ir.Role) -> str:
    """What follows the type of an attribute: a default, a call of attrs' `field`, or nothing."""
    given = _sent(field) if role == "request" else _received(field)
    if field.secret:
        given["repr"] = "False"
    if syntax.name_of(field) != field.name:
        given["metadata"] = repr({"json": field.name})
    if given.keys() <= {"default"}:
        return "".join(f" = {default}" for default in given.values())
    return f" = field({', '.join(f'{name}={text}' for name, text in given.items())})"


def is_settable(field: ir.Field) -> bool:
    """Whether null means something else than leaving the field out."""
    return field.nullable and not field.required and field.auto is None


def _received(field: ir.Field) -> dict[str, str]:
    if field.type.kind == "list" and not field.required:
        return {"default": "()"}
    return {"default": "None"} if field.nullable or not field.required else {}


def _sent(field: ir.Field) -> dict[str, str]:
    converter = of_field(field).name
    given = {}
    if field.auto == "uuid":
        # The converter mints the id, whether it is left out here or passed on as UNSET.
        given["factory"] = converter
    elif field.cursor or is_settable(field):
        given["default"] = "UNSET"
    elif not field.required:
        given["default"] = "None"
    given["converter"] = converter
    if validator := _validator(field):
        given["validator"] = validator
    return given


def _validator(field: ir.Field) -> str:
    """What checks the value. Empty if nothing does."""
    checks = list(_limits(field))
    if checks and (field.cursor or is_settable(field)):
        checks = [f"if_given({', '.join(checks)})"]
    elif checks and (field.nullable or not field.required):
        checks = [f"optional({_all(checks)})"]
    return _all(checks)


def _limits(field: ir.Field) -> Iterator[str]:
    """The validators of the limits, as calls."""
    for limit, validator in LIMITS.items():
        if (value := getattr(field, limit)) is not None:
            yield f"{validator}({value!r})"
    if field.unit == syntax.PERCENT and field.type.kind == "decimal":
        yield "warn_of_fraction"


def _all(validators: list[str]) -> str:
    """Several validators as one. Empty without any."""
    return (
        validators[0]
        if len(validators) == 1
        else f"[{', '.join(validators)}]"
        if validators
        else ""
    )
