"""The enums and models of a service as JSON Schemas, of which datamodel-code-generator makes classes.

They follow from the IR, not from the spec itself: of the spec it would make classes for signed bodies, envelopes
and wrappers, a union for every `oneOf` of required fields, and none for queries.
"""

from __future__ import annotations

from typing import Any

from codegen import ir
from codegen.python import attributes, docstrings, syntax

Schema = dict[str, Any]

SCALARS: dict[str, Schema] = {
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "decimal": {"type": "string", "format": "decimal"},
    "uuid": {"type": "string", "format": "uuid"},
    "date_time": {"type": "string", "format": "date-time"},
    "json": {},
}
NULL: Schema = {"type": "null"}
UNSET: Schema = {"customTypePath": "trading_runtime.Unset"}
INTEGER_TEXT: Schema = {"customTypePath": "trading_runtime.IntegerText"}
ASSIGNED = "x-assigned"
"""The word of a property for what its attribute is assigned: no schema can say how a value is converted."""


def document(api: ir.Api) -> Schema:
    """A document of OpenAPI with the schema of every enum and model."""
    enums = {enum.name: _enum(api, enum) for enum in api.enums}
    models = {model.name: _model(api, model) for model in api.models}
    return {"openapi": "3.1.0", "components": {"schemas": {**enums, **models}}}


def _enum(api: ir.Api, enum: ir.Enum) -> Schema:
    told = {each.name: each.description for each in api.reasons if each.enum == enum.name}
    return {
        "type": "integer" if syntax.is_of_integers(enum) else "string",
        "enum": list(enum.values),
        "x-enum-varnames": [syntax.member_of(enum, value) for value in enum.values],
        "x-enum-descriptions": [told.get(str(value)) for value in enum.values],
    }


def _model(api: ir.Api, model: ir.Model) -> Schema:
    told = docstrings.of_fields(api, model)
    return {
        "type": "object",
        "properties": {
            syntax.name_of(field): {
                **_field(field, model.role),
                "description": told[field.name],
                "deprecated": field.deprecated,
                ASSIGNED: attributes.assigned(field, model.role),
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
    if role == "request" and attributes.is_settable(field):
        return {"anyOf": [type_, UNSET, NULL]}
    return {"anyOf": [type_, NULL] if field.nullable else [type_]}


def _type(type_: ir.Type, role: ir.Role) -> Schema:
    held = [
        {"anyOf": [_type(part, role), *([NULL] if part.nullable else [])]} for part in type_.held
    ]
    if type_.kind == "list":
        return {"type": "array", "items": held[0]}
    if type_.kind == "map":
        return {"type": "object", "additionalProperties": held[0]}
    if type_.kind == "tuple":
        return {"type": "array", "prefixItems": held, "minItems": len(held), "maxItems": len(held)}
    if type_.kind == "union":
        # An alias of our own, behind the classes.
        return {"customTypePath": f"models.{type_.name}"}
    if type_.name is None:
        return INTEGER_TEXT if type_.as_text else SCALARS[type_.kind]
    named = {"$ref": f"#/components/schemas/{type_.name}"}
    if type_.kind == "model" or role == "request":
        return named
    # An unknown value of an enum survives as it was received.
    return {"anyOf": [named, SCALARS["string" if type_.kind == "enum" else "integer"]]}
