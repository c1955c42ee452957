"""What a spec may say at which place: the JSON Schema of OpenAPI 3.1, with the parts of the dialect laid over it.

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

from codegen.dialect import DIALECT, advice
from codegen.read.load import Node, Problem, escaped

SCHEMA = "json-schema"
"""The definition of a schema, beside those of OpenAPI."""
IDENTITY = {"$id", "$schema", "$dynamicAnchor"}


@cache
def _validator() -> Any:
    meta = Draft202012Validator.META_SCHEMA
    base = meta["$id"].rpartition("/")[0]
    vocabularies = [meta, *(REGISTRY[f"{base}/{each['$ref']}"].contents for each in meta["allOf"])]
    words = {
        name: each for part in vocabularies for name, each in part.get("properties", {}).items()
    }
    definitions = {
        name: each for part in vocabularies for name, each in part.get("$defs", {}).items()
    }
    definitions = {**schema_v31["$defs"], **definitions, SCHEMA: {"properties": words}}
    for name, part in DIALECT["parts"].items():
        known = definitions[name]
        definitions[name] = {**known, "allOf": [*known.get("allOf", ()), part]}
    document = {**schema_v31, "$defs": definitions}
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


def _valid(root: Node) -> Iterator[Problem]:
    """The spec fits the JSON Schema. What its parts mean together is for the other rules."""
    found: dict[str, list[Any]] = {}
    for error in _validator().iter_errors(root.value):
        if error.validator == "unevaluatedProperties":
            continue  # the rule on words without an effect says what to write instead
        names = [error.instance] if "propertyNames" in error.schema_path else []
        steps = (escaped(step) for step in [*error.absolute_path, *names])
        found.setdefault("/".join(["#", *steps]), []).append(error)
    for pointer, errors in found.items():
        advised = [each for each in errors if "x-advice" in each.schema]
        for error in advised or errors:
            said = error.schema["x-advice"] if advised else error.message.partition("\n")[0][:300]
            yield Problem(pointer, advice(said, error.instance) if advised else said)


RULES = (_valid,)
