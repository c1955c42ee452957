"""What OpenAPI itself demands: the JSON Schema of OpenAPI 3.1, of which each part of a spec is checked once.

The published schema leaves open what a schema is, by dynamic references into a family of others. To follow them takes ten times as
long as all else, so that here one schema says both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
from openapi_spec_validator.schemas import schema_v31

from codegen.read.load import Node, Problem, escaped

SCHEMA = "json-schema"
"""The definition of a schema, beside those of OpenAPI."""
IDENTITY = {"$id", "$schema", "$dynamicAnchor"}


@cache
def _validator() -> Any:
    meta = Draft202012Validator.META_SCHEMA
    base = meta["$id"].rpartition("/")[0]
    parts = [meta, *(REGISTRY[f"{base}/{each['$ref']}"].contents for each in meta["allOf"])]
    words = {name: each for part in parts for name, each in part.get("properties", {}).items()}
    definitions = {name: each for part in parts for name, each in part.get("$defs", {}).items()}
    one = {"type": ["object", "boolean"], "properties": words}
    document = dict(schema_v31.items())
    document["$defs"] = {**document["$defs"], **definitions, SCHEMA: one}
    return Draft202012Validator(_static(document))


def _static(value: Any) -> Any:
    """A schema that refers to the definition of a schema where it did so dynamically."""
    if isinstance(value, list):
        return [_static(each) for each in value]
    if not isinstance(value, Mapping):
        return value
    if isinstance(value.get("$dynamicRef"), str):
        return {"$ref": f"#/$defs/{SCHEMA}"}
    kept = {
        name: each
        for name, each in value.items()
        if not (name in IDENTITY and isinstance(each, str))
    }
    return {name: _static(each) for name, each in kept.items()}


def valid(root: Node) -> Iterator[Problem]:
    """The spec fits the JSON Schema of OpenAPI 3.1. What its parts mean together is for the other rules."""
    for error in _validator().iter_errors(root.value):
        at = "".join(f"/{escaped(step)}" for step in error.absolute_path)
        yield Problem(f"#{at}", error.message.partition("\n")[0][:300])
