"""The columns of a kind of record: they come from its class and from the spec, never from the data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from functools import cache
from importlib.resources import files
from operator import attrgetter
from types import NoneType
from typing import Any, get_args, get_type_hints
from uuid import UUID

import attrs

from trading_runtime import to_datetime, to_dict
from trading_toolkit.arrow import pa
from trading_toolkit.errors import ToolkitError

MONEY = pa.decimal128(38, 18)
TIME = pa.timestamp("ms", "UTC")
_UNFIT = (pa.ArrowException, OverflowError, ValueError, TypeError)
_SCALARS: dict[type, pa.DataType] = {
    bool: pa.bool_(),
    int: pa.int64(),
    Decimal: MONEY,
    UUID: pa.string(),
    datetime: TIME,
}


def schema(model: type[Any]) -> pa.Schema:
    """The columns of records: money is decimal128(38, 18), times are timestamp(ms, UTC), enums are text.

    What is neither a scalar nor an enum, like a list of legs, is JSON text. Every column may be null, because
    a newer service may leave out what an older one had.
    """
    types, times = get_type_hints(model), _times(model)
    return pa.schema(
        [
            pa.field(each.name, TIME if each.name in times else _type(types[each.name]))
            for each in attrs.fields(model)
        ]
    )


def is_record(kind: Any) -> bool:
    """Whether it is a class of records that the spec of its package describes."""
    if not isinstance(kind, type) or not attrs.has(kind):
        return False
    return files(kind.__module__.partition(".")[0]).joinpath("openapi.json").is_file()


def named(type_: str) -> pa.DataType:
    """The type of a column from its name, as `str` gives it."""
    return next(
        each for each in {MONEY, TIME, pa.string(), *_SCALARS.values()} if str(each) == type_
    )


def table(model: type[Any], records: Iterable[Any]) -> pa.Table:
    """The records as a table with the columns of their class.

    Raises:
        ToolkitError: a value does not fit its column, like a price with more than 18 decimals, or a time in
            microseconds. The text names the record.
    """
    columns, rows = schema(model), list(records)
    return pa.table([_array(field, rows) for field in columns], schema=columns)


def _array(field: pa.Field, rows: Sequence[Any]) -> pa.Array:
    values = list(map(attrgetter(field.name), rows))
    kinds = set(map(type, values))
    if pa.types.is_string(field.type) and not all(issubclass(each, str) for each in kinds):
        values = [_text(each) for each in values]  # an enum of strings needs none of it
    try:
        return _fitted(field.type, values)
    except _UNFIT as error:
        for row, value in zip(rows, values, strict=True):
            try:
                _fitted(field.type, [value])
            except _UNFIT as why:
                said = f"{_named(row)}: {field.name} {str(value)[:60]} does not fit {field.type}: {why}"
                raise ToolkitError(said) from None
        raise ToolkitError(f"{field.name} does not fit {field.type}: {error}") from None


def _fitted(type_: pa.DataType, values: Sequence[Any]) -> pa.Array:
    if type_ == TIME:
        for value in values:
            if value is not None:
                to_datetime(value)  # an integer of another unit fits, too, and is another time
    return pa.array(values, type_)


def _named(record: Any) -> str:
    """A record by its first id, or else by its first time."""
    names = [
        each.name
        for each in attrs.fields(type(record))
        if getattr(record, each.name) not in (None, "")
    ]
    name = next(name for end in ("_id", "_at", "") for name in names if name.endswith(end))
    return f"{type(record).__name__} with {name} {getattr(record, name)}"


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, UUID):
        return str(value)
    return json.dumps(to_dict(value) if attrs.has(type(value)) else value, default=_plain)


def _plain(value: Any) -> Any:
    return to_dict(value) if attrs.has(type(value)) else str(value)


def _type(type_: Any) -> pa.DataType:
    """The column of an annotation like `Decimal | None`."""
    kinds = [each for each in get_args(type_) or (type_,) if each is not NoneType]
    return _SCALARS.get(kinds[0], pa.string()) if len(kinds) == 1 else pa.string()


def _times(model: type[Any]) -> frozenset[str]:
    """The fields that hold a time in ms, as the spec says that the package of the class brings."""
    package = model.__module__.partition(".")[0]
    found = _schemas(package).get(model.__name__, {}).get("properties", {})
    return frozenset(
        name for name, each in found.items() if each.get("x-unit") == "ms" and name.endswith("_at")
    )


@cache
def _schemas(package: str) -> dict[str, Any]:
    spec = json.loads(files(package).joinpath("openapi.json").read_text("utf-8"))
    found: dict[str, Any] = spec["components"]["schemas"]
    return found
