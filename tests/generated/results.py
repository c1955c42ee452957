"""What the caller gets for each answer of the table in tests/interface, by its rows.

Slow and plain, and without the decoder of the runtime: of the package it takes the models alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, get_args, get_type_hints
from uuid import UUID

import attrs

import trading_sdk
from tests.interface import ENUMS, OPERATIONS, Field, Fields, Json, Operation
from trading_runtime.codec.decoder import parse
from trading_runtime.codec.json_types import hidden

TEXTS: Mapping[str, Callable[[str], Any]] = {
    "decimal": Decimal,
    "uuid": UUID,
    **{name: getattr(trading_sdk, name) for name in ENUMS},
}
"""What a text on the wire becomes, by the type of its row."""


def handed_over(operation: Operation) -> tuple[Field, Any]:
    """The part of the answer that the caller gets, as a row and as it is on the wire.

    It stands under `data`, if there is such a field. A list may be the only field of an object.
    """
    row, value = Field("", "object", fields=operation.result), operation.answer
    found = [each for each in row.fields if each.name == "data"]
    if found:
        row, value = found[0], value["data"]
    if operation.returns.endswith("[]") and row.type == "object":
        (row,) = row.fields
        value = value[row.name]
    return row, value


def returned(operation: Operation) -> Any:
    """What the caller gets for the answer of the table; of a list with pages, its records."""
    if not operation.returns:
        return None
    row, value = handed_over(operation)
    if operation.returns == "hidden":
        return hidden(parse(json.dumps(value).encode()))
    model = getattr(trading_sdk, operation.returns.removesuffix("[]"))
    if row.type == "object":
        return _record(model, row.fields, value)
    records = [_record(model, row.fields, each) for each in value]
    return records if operation.is_paginated else tuple(records)


def _record(model: type[Any], rows: Fields, values: Json) -> Any:
    hints = get_type_hints(model)
    return model(**{row.name: _value(row, hints[row.name], values.get(row.name)) for row in rows})


def _value(row: Field, hint: Any, value: Any) -> Any:
    if value is None:
        return None
    if row.type == "object":
        return _record(_model_in(hint), row.fields, value)
    if row.type == "array":
        return tuple(_record(_model_in(hint), row.fields, each) for each in value)
    return TEXTS[row.type](value) if row.type in TEXTS else value


def _model_in(hint: Any) -> type[Any]:
    """The model that a field holds, or that its list is of; the table does not name it."""
    if attrs.has(hint):
        return hint
    (model,) = {_model_in(each) for each in get_args(hint) if get_args(each) or attrs.has(each)}
    return model


RESULTS: Mapping[str, Any] = {
    name: returned(each) for name, each in OPERATIONS.items() if name != "orders.batch"
}
"""Of what has an endpoint, all but the batch: its results are those of its actions."""
