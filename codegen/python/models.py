"""The module of the enums and models: classes of attrs, of which datamodel-code-generator writes the bodies.

It reads the nodes of the spec that the IR calls enums and models, and decides the types of all fields and an order of
the classes that Python accepts. `Field` and our templates add what no schema says in Python: how values are converted
and checked, what is UNSET, and the docstrings. The parser is used directly, because `generate` cannot leave out its own imports.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from datamodel_code_generator import PythonVersion
from datamodel_code_generator.model.dataclass import DataClass, DataModelField, DataTypeManager
from datamodel_code_generator.parser.openapi import OpenAPIParser

from codegen import ir
from codegen.packages import PACKAGE
from codegen.python import converters, docstrings, syntax
from codegen.python.converters import of_field
from codegen.read.load import Problem, SpecError
from codegen.read.models import Schemas

TEMPLATES = Path(__file__).parent / "templates" / PACKAGE / "models"
PYTHON = PythonVersion.PY_314
"""Annotations are deferred there, as in our modules, so that a class may name itself unquoted."""


def classes(api: ir.Api, schemas: Schemas) -> dict[str, str]:
    """The class of every enum and model, by its name, in an order that Python accepts.

    Raises:
        SpecError: datamodel-code-generator would change the name of a class.
    """
    parser = _parser(api, schemas)
    changed = [
        f"#/components/schemas/{name}"
        for name in api.types
        if parser.model_resolver.get_class_name(name, unique=False).name != name
    ]
    if changed:
        raise SpecError([Problem(pointer, "cannot be the name of a class") for pointer in changed])
    text = str(parser.parse(with_import=False, format_=False))
    made = {each.class_name: each.render() for each in parser.results}
    return dict(sorted(made.items(), key=lambda each: text.index(each[1])))


def _parser(api: ir.Api, schemas: Schemas) -> OpenAPIParser:
    """The parser of the schemas that become classes."""
    handed = {name: schemas[name] for name in api.types}
    return OpenAPIParser(
        json.dumps({"openapi": "3.1.0", "components": {"schemas": handed}}),
        data_model_type=DataClass,
        data_model_field_type=Field,
        data_type_manager_type=DataTypeManager,
        custom_template_dir=TEMPLATES,
        extra_template_data=_contexts(api),
        target_python_version=PYTHON,
        use_standard_primitive_types=True,
        use_tuple_for_fixed_items=True,
        strict_nullable=True,
        use_union_operator=True,
        use_standard_collections=True,
        use_generic_container_types=True,
    )


def shared(api: ir.Api, made: Mapping[str, str], known: Mapping[str, str]) -> set[str]:
    """The names of the classes that the stable package has, too: of the same text, and of the same parts."""
    same = {name for name, text in made.items() if known.get(name) == text}
    while apart := {name for name in same if not _parts(api.types[name]) <= same}:
        same -= apart
    return same


def aliases(api: ir.Api) -> dict[str, str]:
    """The name of the alias of what callers may give for a type, by the name of the type."""
    taken = converters.taken_types(api)
    return {name: f"{name}Like" for name in api.types if name in taken}


def defined(api: ir.Api, made: Mapping[str, str], imported: Collection[str] = ()) -> Iterator[str]:
    """The classes and aliases that are not imported, and behind each how what callers give for it is converted."""
    functions = converters.functions(api, imported)
    known = aliases(api)
    for name, text in made.items():
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
            **(_enum(api, each) if isinstance(each, ir.Enum) else {}),
            **(_model(api, each) if isinstance(each, ir.Model) else {}),
        }
    return contexts


def _enum(api: ir.Api, enum: ir.Enum) -> dict[str, Any]:
    told = {each.name: each.description for each in api.reasons if each.enum == enum.name}
    return {
        "doc": docstrings.enum_doc(enum),
        "members": [
            (syntax.member_of(enum, value), repr(value), told.get(value)) for value in enum.values
        ],
    }


def _model(api: ir.Api, model: ir.Model) -> dict[str, Any]:
    return {
        "doc": docstrings.model_doc(model),
        "is_request": model.role == "request",
        "told": docstrings.of_fields(api, model),
        "members": {field.name: field for field in model.fields},
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


# -- what datamodel-code-generator is told beside the schemas --------------------------------------


_SEQUENCE = re.compile(r"Sequence\[((?:[^][]|\[[^][]*\])*)\]")


def received(hint: str) -> str:
    """The type of a received value: its lists are tuples, which msgspec makes and nobody changes."""
    while (tuples := _SEQUENCE.sub(r"tuple[\1, ...]", hint)) != hint:
        hint = tuples
    return hint


class Field(DataModelField):
    """A field. Its schema decides the type, and whether it is optional; the IR says how it is converted and checked."""

    @property
    def origin(self) -> ir.Field:
        """The field of the IR."""
        assert self.parent, "it belongs to a class"
        found: ir.Field = self.parent.extra_template_data["members"][self.original_name]
        return found

    @property
    def attribute(self) -> str:
        """Its name in Python."""
        return syntax.name_of(self.origin)

    @property
    def is_sent(self) -> bool:
        """Whether callers give it."""
        return bool(self.parent and self.parent.extra_template_data["is_request"])

    @property
    def type_hint(self) -> str:
        """Its annotation."""
        plain = self.data_type.type_hint.removesuffix(" | None")
        may_lack = self.type_has_null or not self.required
        if not self.is_sent:
            if not self.type_has_null and plain.startswith("Sequence["):
                may_lack = False  # an absent list is an empty one
            return received(plain) + (" | None" if may_lack else "")
        if self.origin.cursor:
            return f"{plain} | Unset"
        # Null is JSON, too.
        if (self.type_has_null or plain == "Any") and not self.required and not self.origin.auto:
            return f"{plain} | Unset | None"
        return plain + (" | None" if may_lack or plain == "Any" else "")

    @property
    def assigned(self) -> str:
        """What follows the annotation."""
        return assigned(self.origin, "request" if self.is_sent else "response")


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
