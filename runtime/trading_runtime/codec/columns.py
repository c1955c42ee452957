"""The fast path for lists of records: field by field (a column), in loops that run in C.

It takes only data that is exactly as expected. For anything else the caller falls back to cattrs, which
says what is wrong.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, InvalidOperation
from functools import partial
from itertools import repeat
from operator import itemgetter
from types import MemberDescriptorType, NoneType, UnionType
from typing import Any, TypeAlias, Union, cast, get_args, get_origin
from uuid import UUID, SafeUUID

import attrs

from trading_runtime.codec.fields import OpenEnum, json_name

# An exponent of more digits would make a number too long to be written plainly.
DECIMAL = r"[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?"
_DECIMALS = re.compile(rf"{DECIMAL}(?:,{DECIMAL})*")
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]{32}(?:,[0-9a-fA-F]{32})*")
# Faster than `Decimal`, with the same results under any context of the caller: no digit is rounded.
_decimal = Context(
    prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX, clamp=0, traps=[InvalidOperation]
).create_decimal

_OF_OTHERS = ("__attrs_pre_init__", "__attrs_post_init__", "__attrs_init__", "_attrs_cached_hash")
"""Attributes of a class whose instances are not made by filling slots alone."""

_Read: TypeAlias = Callable[[list[Any]], list[Any]]
"""Turns the JSON values of a column into as many Python values."""


class _Unexpected(ValueError):
    """A column holds a value that the fast path does not take."""


def open_enum(type_: Any) -> type[OpenEnum] | None:
    """The enum of a type like `Side | str`, which keeps unknown values; None for any other type."""
    arguments = get_args(type_) if get_origin(type_) in (Union, UnionType) else ()
    enums = [a for a in arguments if isinstance(a, type) and issubclass(a, OpenEnum)]
    return enums[0] if enums and str in arguments else None


def reader(model: Any) -> Callable[[list[Any]], list[Any] | None]:
    """Make the function that reads a list of parsed JSON objects as instances of a model.

    That function returns None where the fast path does not apply; always, if the model is not fit for it.
    """
    flat = attrs.has(model) and _is_only_filled(model)
    fields = attrs.fields(attrs.resolve_types(model)) if flat else ()
    columns: dict[str, Any] = {field.name: _column(field) for field in fields}
    if not columns or None in columns.values():
        return lambda _: None

    def read(records: list[Any]) -> list[Any] | None:
        try:
            _all(dict, records)
            return _fill(model, {name: column(records) for name, column in columns.items()})
        except (KeyError, TypeError, ValueError, InvalidOperation):
            return None

    return read


def _is_only_filled(model: Any) -> bool:
    """Whether an instance can be made by filling its slots: no converter, no validator, no hook."""
    return not any(hasattr(model, name) for name in _OF_OTHERS) and all(
        isinstance(getattr(model, field.name, None), MemberDescriptorType)
        and field.init
        and field.converter is None
        and field.validator is None
        for field in attrs.fields(model)
    )


def _fill(model: Any, columns: Mapping[str, list[Any]]) -> list[Any]:
    """Instances of a class from the values of its slots. Their being frozen is bypassed here."""
    made = list(map(object.__new__, repeat(model, len(next(iter(columns.values()))))))
    for name, column in columns.items():
        deque(map(getattr(model, name).__set__, made, column), maxlen=0)
    return made


# -- columns --------------------------------------------------------------------------------------


def _column(field: attrs.Attribute[Any]) -> _Read | None:
    """Reads one field of every record; None if the field has an unusual type or default."""
    read = _reader(field.type)
    if read is None:
        return None
    if field.default is attrs.NOTHING:
        pick = itemgetter(json_name(field))
        return lambda records: read(list(map(pick, records)))
    if field.default is None or isinstance(field.default, cast(Any, attrs.Factory)):
        # A received id that is absent is None, never a new one.
        return lambda records: read(list(map(dict.get, records, repeat(json_name(field)))))
    return None


def _reader(type_: Any) -> _Read | None:
    if get_origin(type_) not in (Union, UnionType):
        return _READERS.get(type_)
    kinds = set(get_args(type_)) - {NoneType}
    enum = open_enum(type_)
    read: _Read | None = None
    if enum and kinds == {enum, str}:
        read = partial(_open, {member.value: member for member in cast(Any, enum)})
    elif len(kinds) == 1:
        read = _READERS.get(kinds.pop())
    return partial(_optional, read) if read and NoneType in get_args(type_) else read


def _all(type_: type[Any], column: list[Any]) -> list[Any]:
    """Values of a type that needs no conversion."""
    if set(map(type, column)) != {type_}:
        raise _Unexpected
    return column


def _open(members: Mapping[Any, OpenEnum], column: list[Any]) -> list[Any]:
    try:
        return list(map(members.__getitem__, column))
    except KeyError:
        return list(map(members.get, _all(str, column), column))


def _optional(read: _Read, column: list[Any]) -> list[Any]:
    kinds = set(map(type, column))
    if NoneType not in kinds:
        return read(column)
    if kinds == {NoneType}:
        return column
    given = iter(read([value for value in column if value is not None]))
    return [None if value is None else next(given) for value in column]


def _decimals(column: list[Any]) -> list[Any]:
    text = f",{_joined(column)},"
    # Of these characters Decimal refuses all that the pattern refuses, but for a point without a
    # digit on each side; to look for that is faster than to match.
    usual = not text.encode().translate(None, b"0123456789.-,")
    if not usual or ",." in text or "-." in text or ".," in text:
        _match(_DECIMALS, text[1:-1])
    return list(map(_decimal, column))


def _uuids(column: list[Any]) -> list[Any]:
    """UUIDs from their hexadecimal digits, in a third of the time that `UUID` takes."""
    digits = _match(_HEXADECIMAL, _joined(column).replace("-", "")).split(",")
    numbers = list(map(int, digits, repeat(16)))
    return _fill(UUID, {"int": numbers, "is_safe": [SafeUUID.unknown] * len(numbers)})


def _joined(column: list[Any]) -> str:
    """The texts of a column with commas between them, and nowhere else."""
    joined = ",".join(column)
    if joined.count(",") != len(column) - 1:
        raise _Unexpected
    return joined


def _match(pattern: re.Pattern[str], text: str) -> str:
    if not pattern.fullmatch(text):
        raise _Unexpected
    return text


_READERS: dict[Any, _Read] = {
    int: partial(_all, int),
    str: partial(_all, str),
    bool: partial(_all, bool),
    Decimal: _decimals,
    UUID: _uuids,
}
