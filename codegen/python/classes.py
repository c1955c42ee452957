"""Enums and models as classes of attrs, written by datamodel-code-generator with our templates.

It finds an order of the classes that Python accepts. It
reads a document of schemas that follow from the IR, not the spec itself: of the spec it would make
classes for signed bodies, envelopes and wrappers, a union for every `oneOf` of required fields, and
none for queries. The parser is used directly, because `generate` cannot leave out its own imports.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from datamodel_code_generator import PythonVersion
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.model import get_data_model_types
from datamodel_code_generator.parser.openapi import OpenAPIParser

from codegen import ir
from codegen.ir.names import mapping_name, snake
from codegen.packages import PACKAGE
from codegen.python import docstrings, syntax
from codegen.python.argument_notes import notes
from codegen.python.attributes import attribute
from codegen.python.converters import composed, needed
from codegen.python.mappings import stand_ins
from codegen.python.unions import aliases
from codegen.read.load import Problem, SpecError

TEMPLATES = Path(__file__).parent / "templates" / PACKAGE / "models"
PYTHON = PythonVersion.PY_314
"""Annotations are deferred there, as in our modules, so that a class may name itself unquoted."""


def classes(api: ir.Api, package: str) -> str:
    """The class of every enum and model of a service, for the module of the models of a package.

    Raises:
        SpecError: datamodel-code-generator would change the name of a class.
    """
    types = get_data_model_types(DataModelType.DataclassesDataclass, PYTHON)
    parser = OpenAPIParser(
        json.dumps(_document(api)),
        data_model_type=types.data_model,
        data_model_root_type=types.root_model,
        data_model_field_type=types.field_model,
        data_type_manager_type=types.data_type_manager,
        custom_template_dir=TEMPLATES,
        extra_template_data=_contexts(api),
        target_python_version=PYTHON,
        use_union_operator=True,
        use_standard_collections=True,
        use_generic_container_types=True,
        capitalise_enum_members=True,
    )
    text = parser.parse(with_import=False, format_=False)
    made = {model.class_name for model in parser.results}
    if changed := made ^ set(api.class_names):
        pointers = [f"#/components/schemas/{name}" for name in sorted(changed)]
        raise SpecError([Problem(pointer, "cannot be the name of a class") for pointer in pointers])
    return f"{stand_ins(api, package)}{composed(api)}{text}\n{aliases(api)}"


# -- the schemas that it reads ----------------------------------------------------------------


def _document(api: ir.Api) -> dict[str, Any]:
    schemas: dict[str, Any] = {
        enum.name: {"type": syntax.enum_base(enum)[0], "enum": list(enum.values)}
        for enum in api.enums
    }
    for model in api.models:
        schemas[model.name] = {
            "type": "object",
            "properties": {field.name: _schema(field) for field in model.fields},
            "required": [field.name for field in model.fields if _has_value(field, model.role)],
        }
    return {"openapi": "3.1.0", "components": {"schemas": schemas}}


def _schema(field: ir.Field) -> dict[str, Any]:
    """The classes that a field needs, and whether it may be null. Our templates write its type."""
    names = [part.name for part in field.type.parts() if part.name and part.kind != "union"]
    choices = [{"$ref": f"#/components/schemas/{name}"} for name in names] or [{"type": "string"}]
    return {"anyOf": [*choices, {"type": "null"}] if field.nullable else choices}


def _has_value(field: ir.Field, role: ir.Role) -> bool:
    """Whether a field is never left out. A list that a response leaves out is an empty one."""
    return field.required or (role == "response" and field.type.kind == "list")


# -- what the templates read ------------------------------------------------------------------


def _contexts(api: ir.Api) -> defaultdict[str, dict[str, Any]]:
    """What the template of each class reads, by the name of the class."""
    variants = _variants(api)
    contexts: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for enum in api.enums:
        contexts[enum.name] = {**_enum_context(api, enum), "variants": variants[enum.name]}
    for model in api.models:
        contexts[model.name] = {**_model_context(api, model), "variants": variants[model.name]}
    return contexts


def _enum_context(api: ir.Api, enum: ir.Enum) -> dict[str, Any]:
    docs = {
        each.name: docstrings.docstring(each.description, indent=4)
        for each in api.reasons
        if each.enum == enum.name
    }
    return {
        "doc": docstrings.docstring(docstrings.enum_doc(enum), indent=4),
        "values": [repr(value) for value in enum.values],
        "base": syntax.enum_base(enum)[1],
        "members": [
            (syntax.member_of(enum, value), repr(value), docs.get(str(value), ""))
            for value in enum.values
        ],
        "converter": snake(enum.name),
        "convert": syntax.to_member(enum),
    }


def _model_context(api: ir.Api, model: ir.Model) -> dict[str, Any]:
    told = notes(api, model.name)
    source = docstrings.shared_source(model.fields)
    names = {field.name: syntax.name_of(field) for field in model.fields}
    attributes = {field.name: attribute(field, model.role) for field in model.fields}
    return {
        "doc": docstrings.docstring(docstrings.model_doc(model, told), indent=4),
        "role": model.role,
        "attributes": attributes,
        "docs": {
            field.name: docstrings.docstring(
                docstrings.described(field, source, told.get(field.name, "")),
                indent=8 if attributes[field.name].warns_as else 4,
            )
            for field in model.fields
        },
        "checks": _checks(model, names),
        "converter": snake(model.name),
        "mapping": mapping_name(model.name),
    }


def _checks(model: ir.Model, attributes: Mapping[str, str]) -> list[str]:
    """What is checked of the fields of a request together, as calls of the runtime."""
    checks = [
        f"{name}(self, {', '.join(repr(attributes[each]) for each in fields)})"
        for name, fields in (
            ("exactly_one", model.exactly_one),
            ("at_least_one", model.at_least_one),
        )
        if fields
    ]
    for each in model.conditions:
        needed = ", ".join(repr(attributes[name]) for name in each.needs)
        checks.append(f"needs(self, {attributes[each.field]!r}, {each.equals!r}, {needed})")
    for field in model.fields:
        if field.not_before:
            both = f"{attributes[field.name]!r}, {attributes[field.not_before]!r}"
            checks.append(f"not_before(self, {both})")
    return checks


def _variants(api: ir.Api) -> defaultdict[str, list[str]]:
    """The variants of converters that fields of requests use, in order, by the enum or model."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for each in needed(api):
        found[each.type.name or ""].append(each.variant)
    return defaultdict(list, {name: sorted({*variants}) for name, variants in found.items()})
