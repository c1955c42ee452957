"""The module of the enums, models and unions: classes of attrs, of which datamodel-code-generator writes the bodies.

It reads the schemas of `schemas`, and decides the types of all fields, the members of enums, and an order of the
classes that Python accepts. Our templates add what no schema says: how values are converted and checked, and the
docstrings of classes. Unions are aliases behind the classes. The parser is used directly, because `generate`
cannot leave out its own imports.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from datamodel_code_generator import DatetimeClassType, PythonVersion
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.model import get_data_model_types
from datamodel_code_generator.parser.openapi import OpenAPIParser

from codegen import ir
from codegen.packages import PACKAGE
from codegen.python import converters, docstrings, schemas, syntax
from codegen.read.load import Problem, SpecError

TEMPLATES = Path(__file__).parent / "templates" / PACKAGE / "models"
PYTHON = PythonVersion.PY_314
"""Annotations are deferred there, as in our modules, so that a class may name itself unquoted."""


def classes(api: ir.Api) -> str:
    """The class of every enum and model, with what callers may give for it and how that is converted.

    Raises:
        SpecError: datamodel-code-generator would change the name of a class.
    """
    document = schemas.document(api)
    types = get_data_model_types(DataModelType.DataclassesDataclass, PYTHON)
    parser = OpenAPIParser(
        json.dumps(document),
        data_model_type=types.data_model,
        data_model_root_type=types.root_model,
        data_model_field_type=types.field_model,
        data_type_manager_type=types.data_type_manager,
        custom_template_dir=TEMPLATES,
        extra_template_data=_contexts(api),
        field_extra_keys={schemas.ASSIGNED},
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
    return str(parser.parse(with_import=False, format_=False))


# -- what the templates read ------------------------------------------------------------------


def _contexts(api: ir.Api) -> defaultdict[str, dict[str, Any]]:
    """What the template of each class reads beside its schema, by the name of the class."""
    contexts: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    taken = converters.taken_types(api)
    functions = converters.functions(api)
    for name, each in api.types.items():
        contexts[name] = {
            "docstring": docstrings.docstring,
            "behind": f"{converters.like(each)}\n\n{functions[name]}" if name in taken else "",
            **(_enum(each) if isinstance(each, ir.Enum) else {}),
            **(_model(api, each) if isinstance(each, ir.Model) else {}),
        }
    return contexts


def _enum(enum: ir.Enum) -> dict[str, Any]:
    return {
        "doc": docstrings.enum_doc(enum),
        "values": [repr(value) for value in enum.values],
        "base": "OpenIntEnum" if syntax.is_of_integers(enum) else "OpenEnum",
    }


def _model(api: ir.Api, model: ir.Model) -> dict[str, Any]:
    return {
        "doc": docstrings.model_doc(api, model),
        "is_request": model.role == "request",
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
    for each in model.conditions:
        needed = ", ".join(attributes[name] for name in each.needs)
        checks.append(f"needs(self, {attributes[each.field]}, {each.equals!r}, {needed})")
    for field in model.fields:
        if field.not_before:
            both = f"{attributes[field.name]}, {attributes[field.not_before]}"
            checks.append(f"not_before(self, {both})")
    return checks


# -- unions -----------------------------------------------------------------------------------


def alias(union: ir.Union) -> str:
    """The type that a union stands for. It holds what tells the objects apart, where they are received."""
    type_ = " | ".join(union.models)
    if union.role == "request":
        return type_
    discriminator = f"Discriminator({union.discriminator!r}, {syntax.variants(union)})"
    return f"Annotated[{type_} | UnknownObject, {discriminator}]"
