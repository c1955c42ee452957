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
from codegen.python import classes, render

_HINTS = {"string": "str", "integer": "int", "boolean": "bool", "null": "None"}


def quickly(api: Api, package: str = PACKAGE) -> dict[str, str]:
    """The modules, without what takes most of the time and is not ours."""
    with patch.object(classes, "OpenAPIParser", Parser):
        return render.unformatted(api, package)


@cache
def _of_models() -> Environment:
    return Environment(loader=FileSystemLoader(classes.TEMPLATES))


class Parser:
    """The classes of the schemas of a document, by our templates."""

    def __init__(self, document: str, *, extra_template_data: Any, **_: Any) -> None:
        self._schemas = json.loads(document)["components"]["schemas"]
        self._contexts = extra_template_data
        self.results = [SimpleNamespace(class_name=name) for name in self._schemas]

    def parse(self, **_: Any) -> str:
        return "\n\n\n".join(map(self._class, self._schemas))

    def _class(self, name: str) -> str:
        schema = self._schemas[name]
        is_enum = "enum" in schema
        template = _of_models().get_template("Enum.jinja2" if is_enum else "dataclass.jinja2")
        fields = (
            [{"name": value.upper(), "default": repr(value)} for value in schema["enum"]]
            if is_enum
            else [
                {"name": field, "type_hint": _hint(inner)}
                for field, inner in schema["properties"].items()
            ]
        )
        return template.render(class_name=name, fields=fields, **self._contexts[name])


def _hint(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(map(_hint, schema["anyOf"]))
    if schema.get("type") == "array":
        return f"Sequence[{_hint(schema['items'])}]"
    if "customTypePath" in schema:
        return "UUID"
    return "Decimal" if "format" in schema else _HINTS.get(schema.get("type", ""), "Any")
