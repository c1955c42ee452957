"""Values of Python and the JSON that they stand for: arguments from JSON, and results beside JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

import attrs

from codegen import ir
from codegen.python.syntax import name_of
from tests.spec_fuzz.values import Values
from trading_runtime.codec.fields import json_name


def arguments(api: ir.Api, model: str | None, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a message as arguments of the method that sends it."""
    known = {each.name: each for each in api.fields_of(model)}
    return {name_of(known[name]): value for name, value in fields.items()}


def is_read(read: Any, answered: Any) -> bool:
    """Whether a result holds what was answered. What no model has is left out of it."""
    if read is None or answered is None:
        return read is answered
    if attrs.has(type(read)):
        return isinstance(answered, dict) and all(
            _is_member(getattr(read, field.name), answered.get(json_name(field)))
            for field in attrs.fields(type(read))
        )
    if isinstance(read, str):
        return isinstance(answered, str) and str.__str__(read) == answered
    if isinstance(answered, str):
        return _is_text_of(read, answered)
    if isinstance(read, Mapping):
        return isinstance(answered, dict) and (
            read.keys() == answered.keys() and all(is_read(read[k], answered[k]) for k in read)
        )
    if isinstance(read, Sequence):
        return len(read) == len(answered) and all(map(is_read, read, answered))
    return isinstance(read, bool) is isinstance(answered, bool) and bool(read == answered)


FORMATS: dict[object, type[Any]] = {"decimal": Decimal, "uuid": UUID}
"""The class of a text in a result, by its format."""


def is_typed(read: Any, schema: Any, values: Values) -> bool:
    """Whether a result and what it holds are of the classes that stand for their formats."""
    plain = values.plain(schema)
    choices = [each for word in ("oneOf", "anyOf") for each in plain.get(word, ())]
    if read is None or choices:
        return read is None or any(is_typed(read, each, values) for each in choices)
    if attrs.has(type(read)):
        fields = {json_name(each): getattr(read, each.name) for each in attrs.fields(type(read))}
        properties = plain.get("properties", {})
        return fields.keys() <= properties.keys() and all(
            is_typed(fields[name], properties[name], values) for name in fields
        )
    if isinstance(read, Sequence) and not isinstance(read, str):
        items = [*plain.get("prefixItems", ()), *[plain.get("items", {})] * len(read)]
        return all(is_typed(each, item, values) for each, item in zip(read, items, strict=False))
    if plain.get("type") in ("string", ["string", "null"]):
        return isinstance(read, FORMATS.get(plain.get("format"), object))
    return True


def _is_member(read: Any, answered: Any) -> bool:
    """As `is_read`. A list that is not there is read as an empty one."""
    return is_read(read, answered) or (answered is None and read == ())


def _is_text_of(read: Any, answered: str) -> bool:
    """Whether a value that is no text was read from this one."""
    if isinstance(read, Decimal):
        return read.as_tuple() == Decimal(answered).as_tuple()
    return isinstance(read, UUID) and read == UUID(answered)


def as_text(value: Any) -> str:
    """A value in a query or a path."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def in_path(template: str, fields: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The path of a request, decoded, and the fields that it does not hold."""
    left = dict(fields)
    for name in [each for each in fields if f"{{{each}}}" in template]:
        template = template.replace(f"{{{name}}}", as_text(left.pop(name)))
    return template, left
