"""Enums and models, by datamodel-code-generator with our templates for attrs classes."""

from __future__ import annotations

import ast
import json
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

from datamodel_code_generator import InputFileType, PythonVersion, generate
from datamodel_code_generator.enums import DataModelType

from codegen import docstrings, ir, python
from codegen.load import Problem, SpecError

TEMPLATES = Path(__file__).parent / "templates" / "models"
SCALARS: dict[str, dict[str, Any]] = {
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "decimal": {"type": "string", "format": "decimal"},
    "uuid": {"type": "string", "customTypePath": "uuid.UUID"},
    "json": {},
}


def model_classes(api: ir.Api) -> str:
    """The classes of every enum and model of a service, in an order that Python accepts."""
    extra: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    extra.update({enum.name: _enum_context(api, enum) for enum in api.enums})
    extra.update({model.name: _model_context(api, model) for model in api.models})
    with warnings.catch_warnings():
        # Its version is pinned, so that it wants a newer Python one day is no news here.
        warnings.filterwarnings("ignore", "Running datamodel-code-generator", FutureWarning)
        written = generate(
            json.dumps(_schemas(api)),
            input_file_type=InputFileType.OpenAPI,
            output_model_type=DataModelType.DataclassesDataclass,
            custom_template_dir=TEMPLATES,
            extra_template_data=extra,
            target_python_version=PythonVersion.PY_310,
            use_union_operator=True,
            use_standard_collections=True,
            use_generic_container_types=True,
            capitalise_enum_members=True,
            formatters=[],
            disable_timestamp=True,
        )
    return _classes(str(written), api)


def _classes(written: str, api: ir.Api) -> str:
    """The generated text from its first class on, checked for what the IR asked for."""
    body = ast.parse(written).body
    names = [node.name for node in body if isinstance(node, ast.ClassDef)]
    wanted = api.type_names
    if sorted(names) != sorted(wanted):
        odd = sorted(set(names) ^ set(wanted))
        pointers = [f"#/components/schemas/{name}" for name in odd]
        raise SpecError([Problem(pointer, "cannot be the name of a class") for pointer in pointers])
    first = next(node for node in body if isinstance(node, ast.ClassDef))
    start = min([first.lineno, *(decorator.lineno for decorator in first.decorator_list)])
    return "\n".join(written.split("\n")[start - 1 :])


# -- the schemas that it is given -------------------------------------------------------------


def _schemas(api: ir.Api) -> dict[str, Any]:
    schemas: dict[str, Any] = {
        enum.name: {"type": "string", "enum": list(enum.values)} for enum in api.enums
    }
    for model in api.models:
        schemas[model.name] = {
            "type": "object",
            "properties": {field.name: _schema(field, model.role) for field in model.fields},
            "required": [field.name for field in model.fields if _always(field, model.role)],
        }
    return {
        "openapi": "3.1.0",
        "info": {"title": "models", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }


def _schema(field: ir.Field, role: str) -> dict[str, Any]:
    kind, name = field.type.kind, field.type.name
    schema = {"$ref": f"#/components/schemas/{name}"} if name else SCALARS[kind]
    if kind == "enum" and role == "response":
        schema = {"anyOf": [schema, {"type": "string"}]}
    if field.type.many:
        schema = {"type": "array", "items": schema}
    return {"anyOf": [schema, {"type": "null"}]} if field.nullable else schema


def _always(field: ir.Field, role: str) -> bool:
    """Whether a field always has a value: a received list that is left out is an empty one."""
    return field.required or (role == "response" and field.type.many)


# -- what the templates are given -------------------------------------------------------------


def _enum_context(api: ir.Api, enum: ir.Enum) -> dict[str, Any]:
    return {
        "doc": docstrings.docstring(enum.description, indent=4),
        "values": [repr(value) for value in enum.values],
        "converter": python.snake(enum.name),
        "variants": _variants(api, enum.name),
    }


def _model_context(api: ir.Api, model: ir.Model) -> dict[str, Any]:
    description, source = model.description, docstrings.shared_source(model.fields)
    if source != "documented":
        description += f"\n\nIts fields are not documented; {source}."
    if model.section:
        description += f"\n\nInterface: {model.section[0].lower()}{model.section[1:]}."
    return {
        "doc": docstrings.docstring(description, indent=4),
        "role": model.role,
        "attributes": {
            field.name: python.attribute(field, model.role, source) for field in model.fields
        },
        "exactly_one": model.exactly_one,
        "at_least_one": model.at_least_one,
        "converter": python.snake(model.name),
        "variants": _variants(api, model.name),
    }


def _variants(api: ir.Api, name: str) -> list[str]:
    """The converters to this enum or model that the fields of requests pass through."""
    return sorted(
        {
            python.converter(field).removeprefix("_to_").removesuffix(python.snake(name))
            for model in api.models
            if model.role == "request"
            for field in model.fields
            if field.type.name == name
        }
    )
