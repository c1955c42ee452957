"""Parsed JSON to typed values, or what is wrong with it.

It is strict where Python would convert, and open where a service may grow: "1" is no integer, an unknown
field is ignored, an unknown value of an enum is kept as the string or integer that it is.

`fast_path` reads plain records; what it reads is equal to what is read here, and of the same types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import EnumMeta
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, cast, get_args, get_origin, get_type_hints
from uuid import UUID

import attrs

from trading_runtime.codec.enums import OpenEnum, OpenIntEnum, open_enum
from trading_runtime.codec.fast_path import list_reader
from trading_runtime.codec.fields import IntegerText, Unset, integer_in, json_name
from trading_runtime.codec.json_types import (
    Discriminator,
    FrozenMap,
    HiddenJson,
    UnknownObject,
    discriminator_of,
    hidden,
)
from trading_runtime.codec.parser import (
    MAX_INTEGER,
    MIN_INTEGER,
    Number,
    check_decimals,
    plain_json,
)
from trading_runtime.codec.times import moment_in

Reader: TypeAlias = Callable[[Any], Any]
"""From a JSON value to a typed one. What it raises says what is wrong."""

MAX_ERRORS = 3
"""Bad items of a list that are looked for: enough to tell what is wrong, also of a page of nonsense."""
_REASONS_SHOWN = 3
_REQUIRED, _LEFT_OUT = object(), object()
_JSON_NAMES: dict[Any, str] = {
    int: "an integer",
    str: "a string",
    bool: "a boolean",
    list: "a list",
    dict: "an object",
    float: "another number",
    Number: "another number",
    NoneType: "null",
}


class MisfitError(ValueError):
    """Parts of a value do not fit its type."""

    def __init__(self, wrong: Sequence[tuple[str, str]]) -> None:
        """Keep where each part stands below the value, like `.legs[2]`, and what is wrong with it."""
        self.wrong = wrong


def structure(value: object, type_: Any, path: str = "$") -> Any:
    """Build a typed value from the parsed JSON that stands at `path`.

    Raises:
        ValueError: it does not fit; the text names the first places that do not.
    """
    try:
        return reader(type_)(value)
    except Exception as error:
        reasons = [f"{words} @ {place}" for place, words in _wrong(path, error)]
    more = len(reasons) - _REASONS_SHOWN
    words = "; ".join(reasons[:_REASONS_SHOWN])
    raise ValueError(f"{words}; and {more} more" if more > 0 else words)


def _wrong(place: str, error: Exception) -> list[tuple[str, str]]:
    """What is wrong with the part at a place, and with the parts inside of it."""
    if isinstance(error, MisfitError):
        return [(f"{place}{inside}", words) for inside, words in error.wrong]
    return [(place, str(error))]


@cache
def reader(type_: Any) -> Reader:
    """What reads the values of a type."""
    arguments, origin = get_args(type_), cast(Any, get_origin(type_))
    if type_ in _SCALARS:
        return _SCALARS[type_]
    if told := discriminator_of(type_):
        return _kind_reader(told)
    if attrs.has(type_):
        return _model_reader(type_)
    if origin in (Union, UnionType):
        return _union_reader(type_)
    if origin is Sequence:
        return _list_reader(arguments[0])
    if origin is Mapping:
        return _map_reader(arguments[1])
    if origin is tuple:
        return _tuple_reader(arguments)
    if isinstance(type_, EnumMeta):
        return cast(Reader, type_)  # of a request, where an enum is closed
    raise TypeError(f"no answer holds a {type_}")


# -- scalars ----------------------------------------------------------------------------------


def _exactly(type_: type[Any]) -> Reader:
    """A reader that converts nothing."""

    def read(value: Any) -> Any:
        if type(value) is not type_:
            found = _JSON_NAMES.get(type(value), "another value")
            raise ValueError(f"expected {_JSON_NAMES[type_]}, not {found}")
        return value

    return read


as_object, _as_list, _as_text, _as_integer = map(_exactly, (dict, list, str, int))


def _integer(value: Any) -> int:
    found: int = _as_integer(value)
    if not MIN_INTEGER <= found <= MAX_INTEGER:
        raise ValueError("expected an integer of 64 bits")
    return found


def _decimal(value: Any) -> Decimal:
    """A decimal from its text, or from a number as it is written."""
    if isinstance(value, Number):
        text = value.text
    else:
        text = str(value) if type(value) is int else _as_text(value)
    try:
        found = Decimal(text)
        check_decimals([found])
    except (ValueError, ArithmeticError):
        raise ValueError(f"{text[:60]!r} is not a decimal") from None
    return found


_SCALARS: dict[Any, Reader] = {
    int: _integer,
    str: _as_text,
    bool: _exactly(bool),
    Decimal: _decimal,
    UUID: lambda value: UUID(_as_text(value)),
    datetime: lambda value: moment_in(_as_text(value)),
    IntegerText: lambda value: integer_in(_as_text(value)),
    HiddenJson: lambda value: hidden(plain_json(value)),
    Any: plain_json,
}


def _enum_reader(enum: type[OpenEnum | OpenIntEnum]) -> Reader:
    exact = _as_text if issubclass(enum, str) else _integer
    members: dict[Any, Any] = {member.value: member for member in enum}
    return lambda value: members.get(exact(value), value)


def _union_reader(type_: Any) -> Reader:
    """Of values that may be null, and of enums. No received value is UNSET, which stands for an absent one."""
    types = [each for each in get_args(type_) if each not in (NoneType, Unset)]
    enum = open_enum(type_)
    read = _enum_reader(enum) if enum else reader(types[0])
    if NoneType not in get_args(type_):
        return read
    return lambda value: None if value is None else read(value)


# -- objects and lists ------------------------------------------------------------------------


def _model_reader(model: type[Any]) -> Reader:
    """Of objects with the fields of a model. A received id that is absent is None, never a new one."""

    @cache  # found out when a first value is read, because a model may hold itself
    def fields() -> list[tuple[str, str, str, Reader, Any]]:
        types = get_type_hints(model, include_extras=True)
        return [
            (json_name(each), each.name, each.alias, reader(types[each.name]), _absent(each))
            for each in attrs.fields(model)
            if each.init
        ]

    def read(value: Any) -> Any:
        members = as_object(value)
        given: dict[str, Any] = {}
        wrong: list[tuple[str, str]] = []
        for name, attribute, argument, read_field, absent in fields():
            found = members.get(name, absent)
            if found is _REQUIRED:
                wrong.append((f".{attribute}", "required field missing"))
            elif found is not _LEFT_OUT:
                try:
                    given[argument] = read_field(found)
                except Exception as error:
                    wrong += _wrong(f".{attribute}", error)
        if wrong:
            raise MisfitError(wrong)
        return model(**given)

    return read


def _absent(field: Any) -> Any:
    """What stands for a field that is absent in JSON."""
    if field.default is attrs.NOTHING:
        return _REQUIRED
    return None if isinstance(field.default, cast(Any, attrs.Factory)) else _LEFT_OUT


def _kind_reader(told: Discriminator) -> Reader:
    """Of objects of several kinds. An object of an unknown kind is kept as it was received."""

    def read(value: Any) -> Any:
        if told.field not in as_object(value):
            raise ValueError(f"required field missing: {told.field}, which tells what it is")
        model = told.models.get(_as_text(value[told.field]))
        return reader(model)(value) if model else UnknownObject(plain_json(value))

    return read


def _list_reader(type_: Any) -> Reader:
    read_item, read_fast = reader(type_), list_reader(type_)

    def read(value: Any) -> tuple[Any, ...]:
        if (records := read_fast(_as_list(value))) is not None:
            return records
        found, wrong, bad = [], [], 0
        for index, item in enumerate(value):
            try:
                found.append(read_item(item))
            except Exception as error:
                wrong += _wrong(f"[{index}]", error)
                bad += 1
                if bad == MAX_ERRORS:
                    break
        if wrong:
            raise MisfitError(wrong)
        return tuple(found)

    return read


def _map_reader(type_: Any) -> Reader:
    read = reader(type_)
    return lambda value: FrozenMap(
        {name: _read_at(name, read, each) for name, each in as_object(value).items()}
    )


def _tuple_reader(types: Sequence[Any]) -> Reader:
    """Of lists whose members each have a type of their own. A service may add more at the end."""
    readers = [reader(each) for each in types]

    def read(value: Any) -> tuple[Any, ...]:
        if len(_as_list(value)) < len(types):
            raise ValueError(f"expected {len(types)} members, not {len(value)}")
        pairs = enumerate(zip(readers, value, strict=False))
        return tuple(_read_at(index, read_one, each) for index, (read_one, each) in pairs)

    return read


def _read_at(where: str | int, read: Reader, value: Any) -> Any:
    try:
        return read(value)
    except Exception as error:
        raise MisfitError(_wrong(f"[{where!r}]", error)) from None
