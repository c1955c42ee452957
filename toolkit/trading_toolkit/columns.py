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

from trading_runtime import TradingError, to_datetime, to_dict
from trading_toolkit.arrow import pa
from trading_toolkit.errors import ToolkitError

_IDS = ("history_id", "order_id")
MONEY = pa.decimal128(38, 18)
TIME = pa.timestamp("ms", "UTC")
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
        ToolkitError: a value does not fit its column, like a price with more than 18 decimals.
    """
    columns, rows = schema(model), list(records)
    check_times(model, rows)
    arrays = [_array(field, rows) for field in columns]
    return pa.table(arrays, schema=columns)


def check_times(model: type[Any], records: Sequence[Any]) -> None:
    """Refuse records with a time that is none in ms.

    Raises:
        ToolkitError: a time is out of range; the text names the record, the field and the unit.
    """
    for name in _times(model):
        held = [each for each in records if getattr(each, name) is not None]
        for each in {min, max} if held else ():
            record = each(held, key=attrgetter(name))
            try:
                to_datetime(getattr(record, name))
            except TradingError as error:
                raise ToolkitError(f"{name} of {_named(record)}: {error}") from None


def _named(record: Any) -> str:
    """A record as an error names it: by its id, or else whole."""
    kind = type(record).__name__
    ids = (f"{kind} {name} {getattr(record, name)}" for name in _IDS if hasattr(record, name))
    return next(ids, repr(record))


def _array(field: pa.Field, records: Sequence[Any]) -> pa.Array:
    values = list(map(attrgetter(field.name), records))
    kinds = set(map(type, values))
    if pa.types.is_string(field.type) and not all(issubclass(each, str) for each in kinds):
        values = [_text(each) for each in values]  # an enum of strings needs none of it
    try:
        return pa.array(values, field.type)
    except (pa.ArrowException, OverflowError, ValueError) as error:
        wrong = next((at for at, each in enumerate(values) if not _fits(each, field.type)), 0)
        raise ToolkitError(
            f"{field.name} of {_named(records[wrong])} is {values[wrong]}, which does not fit {field.type}: {error}"
        ) from None


def _fits(value: Any, type_: pa.DataType) -> bool:
    try:
        pa.array([value], type_)
    except (pa.ArrowException, OverflowError, ValueError):
        return False
    return True


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
