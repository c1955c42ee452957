"""A stand-in for the slow part of rendering that is not ours: our templates are those of the product.

The work of datamodel-code-generator is done as far as our templates of enums and models need it.
"""

from __future__ import annotations

import json
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from jinja2 import Environment, FileSystemLoader

from codegen.ir import Api
from codegen.packages import PACKAGE
from codegen.python import models, render

_HINTS = {
    "string": "str",
    "integer": "int",
    "boolean": "bool",
    "null": "None",
    "decimal": "Decimal",
    "uuid": "UUID",
    "date-time": "datetime",
}


def quickly(api: Api, package: str = PACKAGE) -> dict[str, str]:
    """The modules, without what takes most of the time and is not ours."""
    with patch.object(models, "OpenAPIParser", Parser):
        return render.unformatted(api, package)


@cache
def _of_models() -> Environment:
    return Environment(loader=FileSystemLoader(models.TEMPLATES))


class Parser:
    """The classes of the schemas of a document, by our templates."""

    def __init__(self, document: str, *, extra_template_data: Any, **_: Any) -> None:
        self._schemas = json.loads(document)["components"]["schemas"]
        self._contexts = extra_template_data
        self.model_resolver = self

    def get_class_name(self, name: str, **_: Any) -> SimpleNamespace:
        return SimpleNamespace(name=name)

    def parse(self, **_: Any) -> str:
        return "\n\n\n".join(map(self._class, self._schemas))

    def _class(self, name: str) -> str:
        schema = self._schemas[name]
        is_enum = "enum" in schema
        template = _of_models().get_template("Enum.jinja2" if is_enum else "dataclass.jinja2")
        fields = _members(schema) if is_enum else _fields(schema)
        return template.render(class_name=name, fields=fields, **self._contexts[name])


def _members(schema: dict[str, Any]) -> list[dict[str, Any]]:
    told = zip(schema["x-enum-varnames"], schema["x-enum-descriptions"], strict=True)
    return [{"name": name, "extras": {"description": text}} for name, text in told]


def _fields(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "original_name": name,
            "type_hint": _hint(inner) + ("" if _is_there(name, schema) else " | None"),
            "extras": {**inner, "x_assigned": inner["x-assigned"]},
        }
        for name, inner in schema["properties"].items()
    ]


def _is_there(name: str, schema: dict[str, Any]) -> bool:
    """Whether a field has a value, or its type says that it may be None."""
    inner = schema["properties"][name]
    return name in schema["required"] or "nullable" in inner or {"type": "null"} in inner["anyOf"]


def _hint(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "customTypePath" in schema:
        return str(schema["customTypePath"]).rpartition(".")[2]
    if "anyOf" in schema:
        return " | ".join(map(_hint, schema["anyOf"]))
    if "prefixItems" in schema:
        return f"tuple[{', '.join(map(_hint, schema['prefixItems']))}]"
    if schema.get("type") == "array":
        return f"Sequence[{_hint(schema['items'])}]"
    if schema.get("type") == "object":
        return f"Mapping[str, {_hint(schema['additionalProperties'])}]"
    return _HINTS.get(schema.get("format") or schema.get("type", ""), "Any")
