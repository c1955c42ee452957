"""Parsed JSON to typed values by cattrs, or what is wrong with it.

It is strict where cattrs would convert, and open where a service may grow: "1" is no integer, an unknown
field is ignored, an unknown value of an enum is kept as the string or integer that it is.

`fast_path` reads plain records; what it reads is equal to what is read here, and of the same types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from types import NoneType
from typing import Any, TypeAlias, Union, cast, get_args, get_origin
from uuid import UUID

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, override

from trading_runtime.codec.fast_path import list_reader
from trading_runtime.codec.fields import IntegerText, Unset, integer_in, json_name
from trading_runtime.codec.json_types import (
    FrozenMap,
    HiddenJson,
    UnknownObject,
    discriminator_of,
    hidden,
)
from trading_runtime.codec.models import OpenEnum, OpenIntEnum, open_enum
from trading_runtime.codec.parser import (
    MAX_INTEGER,
    MIN_INTEGER,
    Number,
    check_decimals,
    plain_json,
)
from trading_runtime.codec.times import moment_in

Reader: TypeAlias = Callable[[Any, Any], Any]
"""A hook of cattrs: from a JSON value and its type to a typed value. What it raises says what is wrong."""

MAX_ERRORS = 3
"""Bad items of a list that are looked for: enough to tell what is wrong, also of a page of nonsense."""
_REASONS_SHOWN = 3
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


def structure(value: object, type_: Any, path: str = "$") -> Any:
    """Build a typed value from the parsed JSON that stands at `path`.

    Raises:
        ValueError: it does not fit; the text names the first places that do not.
    """
    try:
        return _converter.structure(value, type_)
    except Exception as error:
        reasons = cattrs.transform_error(error, path, _words)
    more = len(reasons) - _REASONS_SHOWN
    words = "; ".join(reasons[:_REASONS_SHOWN])
    raise ValueError(f"{words}; and {more} more" if more > 0 else words)


def _words(error: BaseException, _: Any) -> str:
    return "required field missing" if isinstance(error, KeyError) else str(error)


# -- scalars ----------------------------------------------------------------------------------


def _exactly(type_: type[Any]) -> Callable[..., Any]:
    """A reader that converts nothing."""

    def read(value: Any, _: Any = None) -> Any:
        if type(value) is not type_:
            found = _JSON_NAMES.get(type(value), "another value")
            raise ValueError(f"expected {_JSON_NAMES[type_]}, not {found}")
        return value

    return read


as_object, _as_list, _as_text, _as_integer = map(_exactly, (dict, list, str, int))


def _integer(value: Any, _: Any) -> int:
    found: int = _as_integer(value)
    if not MIN_INTEGER <= found <= MAX_INTEGER:
        raise ValueError("expected an integer of 64 bits")
    return found


def _decimal(value: Any, _: Any) -> Decimal:
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
    UUID: lambda value, _: UUID(_as_text(value)),
    datetime: lambda value, _: moment_in(_as_text(value)),
    IntegerText: lambda value, _: integer_in(_as_text(value)),
    HiddenJson: lambda value, _: hidden(plain_json(value)),
    # Of a request, where an enum is closed.
    **dict.fromkeys((OpenEnum, OpenIntEnum), lambda value, enum: enum(value)),
}


def _enum_reader(type_: Any) -> Reader:
    """Of an enum that keeps unknown values, and may be null."""
    enum: Any = open_enum(type_)
    members: dict[Any, Any] = {member.value: member for member in enum}
    exact = _as_text if issubclass(enum, str) else _integer
    is_optional = NoneType in get_args(type_)

    def read(value: Any, _: Any) -> Any:
        return None if value is None and is_optional else members.get(exact(value, None), value)

    return read


# -- objects and lists ------------------------------------------------------------------------


def _model_reader(model: type[Any]) -> Reader:
    """Of objects with the fields of a model. A received id that is absent is None, never a new one."""
    fields = attrs.fields(model)
    names: Any = {each.name: override(rename=json_name(each)) for each in fields}
    read = make_dict_structure_fn(model, _converter, **names)
    absent = {json_name(f): None for f in fields if isinstance(f.default, cast(Any, attrs.Factory))}
    return lambda value, type_: read({**absent, **as_object(value)}, type_)


def _kind_reader(type_: Any) -> Reader:
    """Of objects of several kinds. An object of an unknown kind is kept as it was received."""
    told: Any = discriminator_of(type_)

    def read(value: Any, _: Any) -> Any:
        if told.field not in as_object(value):
            raise ValueError(f"required field missing: {told.field}, which tells what it is")
        model = told.models.get(_as_text(value[told.field]))
        return _converter.structure(value, model) if model else UnknownObject(plain_json(value))

    return read


def _settable_reader(type_: Any) -> Reader:
    """Of a field that may be UNSET. No received value is: it stands for an absent one."""
    known = cast(Any, Union)[tuple(each for each in get_args(type_) if each is not Unset)]
    return lambda value, _: _converter.structure(value, known)


def _list_reader(type_: Any) -> Reader:
    (item_type,) = get_args(type_)
    read_item, read_fast = _converter.get_structure_hook(item_type), list_reader(item_type)

    def read(value: Any, _: Any) -> tuple[Any, ...]:
        records = read_fast(_as_list(value))
        if records is None:
            parts = ((index, read_item, each, item_type) for index, each in enumerate(value))
            records = _read_all(parts, MAX_ERRORS)
        return records

    return read


def _map_reader(type_: Any) -> Reader:
    _, item_type = get_args(type_)
    read_item = _converter.get_structure_hook(item_type)

    def read(value: Any, _: Any) -> FrozenMap[Any]:
        parts = ((name, read_item, each, item_type) for name, each in as_object(value).items())
        return FrozenMap(dict(zip(value, _read_all(parts), strict=True)))

    return read


def _tuple_reader(type_: Any) -> Reader:
    """Of lists whose members each have a type of their own. A service may add more at the end."""
    types = get_args(type_)
    readers = [_converter.get_structure_hook(each) for each in types]

    def read(value: Any, _: Any) -> tuple[Any, ...]:
        if len(_as_list(value)) < len(types):
            raise ValueError(f"expected {len(types)} members, not {len(value)}")
        return _read_all(zip(range(len(types)), readers, value, types, strict=False))

    return read


def _read_all(
    parts: Iterable[tuple[int | str, Reader, Any, Any]], max_errors: int = 1
) -> tuple[Any, ...]:
    """Read what stands in a list or a map: its place, its reader, its value and its type.

    cattrs itself would read a page of nonsense to its end.
    """
    found: list[Any] = []
    wrong: list[Any] = []
    for where, read, value, type_ in parts:
        try:
            found.append(read(value, type_))
        except Exception as error:
            wrong.append(error)
            note = cattrs.IterableValidationNote(f"at {where!r}", where, type_)
            wrong[-1].__notes__ = [*getattr(error, "__notes__", ()), note]
            if len(wrong) == max_errors:
                break
    if wrong:
        raise cattrs.IterableValidationError("parts do not fit", wrong, tuple)
    return tuple(found)


_CONTAINERS: dict[Any, Callable[[Any], Reader]] = {
    Sequence: _list_reader,
    Mapping: _map_reader,
    tuple: _tuple_reader,
}
_converter = cattrs.Converter()
for _type, _reader in _SCALARS.items():
    _converter.register_structure_hook(_type, _reader)
for _fits, _reader_of in (
    (lambda type_: type_ is Any, lambda _: lambda value, _: plain_json(value)),
    (attrs.has, _model_reader),
    (
        lambda type_: get_origin(type_) in _CONTAINERS,
        lambda type_: _CONTAINERS[get_origin(type_)](type_),
    ),
    (lambda type_: Unset in get_args(type_), _settable_reader),
    # These two come last, so they are asked first.
    (lambda type_: open_enum(type_) is not None, _enum_reader),
    (lambda type_: discriminator_of(type_) is not None, _kind_reader),
):
    _converter.register_structure_hook_factory(_fits, _reader_of)
