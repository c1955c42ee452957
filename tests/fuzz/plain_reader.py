"""Reads an answer in the plainest way: with json and the type hints, and nothing of the runtime's decoder."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from enum import Enum
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints
from uuid import UUID

import attrs

from trading_runtime import Discriminator, IntegerText, UnknownObject, Unset
from trading_runtime.codec.json_types import FrozenMap

_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_DECIMAL = re.compile(r"[-+]?([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?", re.ASCII)
_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(?:\.(\d+))?([Zz]|[-+]\d\d:\d\d)", re.ASCII
)
_UNDEFINED = re.compile(r"[_\s]|[^\x00-\x7f]")


class RefusedError(Exception):
    """The answer cannot be used."""


class UndefinedError(Exception):
    """Nobody says what such a text means as a decimal."""


class Written(str):
    """A number as it is written."""

    __slots__ = ()


def refuse_unless(fits: object) -> None:
    if not fits:
        raise RefusedError


# -- bytes to JSON ----------------------------------------------------------------------------


def parsed(body: bytes) -> Any:
    """The JSON in a body."""
    try:
        text = body.decode("utf-8")
        refuse_unless(_depth(text) <= 100)
        found = json.loads(text, parse_int=_whole, parse_float=Written, parse_constant=_none)
    except (ValueError, RecursionError):
        raise RefusedError from None
    refuse_unless(not any(map(_has_half_a_pair, _TOKENS.findall(text))))
    return found


def _whole(text: str) -> object:
    return int(text) if len(text) < 40 else Written(text)


def _none(text: str) -> object:
    raise ValueError(text)


def _depth(text: str) -> int:
    depth = deepest = 0
    for token in _TOKENS.findall(text):
        depth += token in "[{"
        depth -= token in "]}"
        deepest = max(deepest, depth)
    return deepest


def _has_half_a_pair(token: str) -> bool:
    inside = json.loads(token) if token[0] == '"' else ""
    return any("\ud800" <= letter <= "\udfff" for letter in inside)


# -- JSON to values ---------------------------------------------------------------------------


def read(value: Any, type_: Any) -> Any:
    """The value of a type that JSON holds."""
    origin, types = get_origin(type_), get_args(type_)
    if origin is Annotated:
        return _read_kind(value, types[1])
    if origin in (Union, UnionType):
        return _read_union(value, types)
    if origin is not None:
        return _read_many(value, origin, types)
    if attrs.has(type_):
        return _read_model(value, type_)
    if type_ is Decimal:
        refuse_unless(isinstance(value, (str, int)) and not isinstance(value, bool))
        return _decimal(str(value))
    refuse_unless(type(value) is (str if type_ in (UUID, IntegerText, datetime) else type_))
    if type_ is UUID:
        return _uuid(value)
    if type_ is datetime:
        return _moment(value)
    if type_ is IntegerText:
        refuse_unless(re.fullmatch("[-+]?[0-9]{1,100}", value))
        return IntegerText(_of_64_bits(int(value)))
    return _of_64_bits(value) if type_ is int else value


def _read_union(value: Any, types: Sequence[Any]) -> Any:
    if value is None and NoneType in types:
        return None
    types = [each for each in types if each is not Unset]
    enums = [each for each in types if isinstance(each, type) and issubclass(each, Enum)]
    others = [each for each in types if each is not NoneType and each not in enums]
    found = read(value, others[0])
    for member in enums[0] if enums else ():
        if member.value == found:
            return member
    return found


def _read_many(value: Any, origin: Any, types: Sequence[Any]) -> Any:
    if origin is Mapping:
        refuse_unless(isinstance(value, dict))
        return FrozenMap({name: read(each, types[1]) for name, each in value.items()})
    refuse_unless(isinstance(value, list))
    if origin is Sequence:
        return tuple(read(each, types[0]) for each in value)
    refuse_unless(len(value) >= len(types))
    return tuple(read(each, type_) for each, type_ in zip(value, types, strict=False))


def _read_kind(value: Any, told: Discriminator) -> Any:
    refuse_unless(isinstance(value, dict) and type(value.get(told.field)) is str)
    model = told.models.get(value[told.field])
    return read(value, model) if model else UnknownObject(_plain(value))


def _plain(value: Any) -> Any:
    if isinstance(value, (dict, list)):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        found = {name: _plain(each) for name, each in pairs}
        return found if isinstance(value, dict) else [*found.values()]
    if isinstance(value, Written):
        refuse_unless(isfinite(float(value)))
        return float(value)
    return value


def _read_model(value: Any, model: Any) -> Any:
    refuse_unless(isinstance(value, dict))
    hints, given = get_type_hints(model, include_extras=True), {}
    for field in attrs.fields(model):
        name = field.metadata.get("json", field.name)
        if name in value:
            given[field.name] = read(value[name], hints[field.name])
        else:
            refuse_unless(field.default is not attrs.NOTHING)
    return model(**given)


def _of_64_bits(value: int) -> int:
    refuse_unless(-(2**63) <= value < 2**63)
    return value


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise RefusedError from None


def _moment(text: str) -> datetime:
    found = _MOMENT.fullmatch(text)
    refuse_unless(found)
    assert found is not None
    seconds, micros = int(found[3]), int((found[4] or "")[:6].ljust(6, "0"))
    refuse_unless(seconds <= 60)
    try:
        zone = "+0000" if found[5] in "zZ" else found[5]
        start = datetime.strptime(f"{found[1]} {found[2]} {zone}", "%Y-%m-%d %H:%M %z")
        return start + timedelta(seconds=seconds, microseconds=micros)
    except (ValueError, OverflowError):
        raise RefusedError from None


def _decimal(text: str) -> Decimal:
    if _UNDEFINED.search(text):
        raise UndefinedError
    found = _DECIMAL.fullmatch(text)
    refuse_unless(found)
    assert found is not None
    whole, fraction = found[1], found[2] or ""
    exponent, digits = int((found[3] or "0")[:50]) - len(fraction), (whole + fraction).lstrip("0")
    refuse_unless(whole + fraction)
    if digits:
        refuse_unless(len(digits) <= 100 and abs(exponent + len(digits) - 1) <= 999)
    else:
        refuse_unless(-1098 <= exponent <= 999)
    return Decimal(text)
