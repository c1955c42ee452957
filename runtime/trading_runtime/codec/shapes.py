"""The types that msgspec reads in place of those of the models, where it can read them.

A received model is annotated for its users: `Side | str`, `Sequence[Order]`. msgspec knows no union of an
enum and `str`, and must be told that an integer has 64 bits and that a sequence is a tuple. It takes the
types of a class from its annotations alone. So a model has a shape, a subclass with other annotations, of
which each instance becomes one of the model as soon as msgspec has made it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from functools import cache
from operator import attrgetter, methodcaller
from types import GenericAlias, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)
from uuid import UUID

import attrs
import msgspec

from trading_runtime.codec.fields import OpenEnum, OpenIntEnum, json_name
from trading_runtime.codec.json_numbers import MAX_INTEGER, MIN_INTEGER, bounded, check_decimals

_SCALARS: dict[Any, Any] = {
    int: Annotated[int, msgspec.Meta(ge=MIN_INTEGER, le=MAX_INTEGER)],
    str: str,
    bool: bool,
    Decimal: Decimal,
    UUID: UUID,
}
_OF_OTHERS = ("__attrs_pre_init__", "__attrs_post_init__", "__attrs_init__", "_attrs_cached_hash")
"""Attributes of a class whose instances are not made by setting their fields alone."""


_is_finite = Decimal.is_finite


class UnreadableError(Exception):
    """A type that msgspec cannot read as the runtime does."""


def shape(type_: Any) -> Any:
    """What msgspec reads in place of a type.

    Raises:
        UnreadableError: there is no such type.
        RecursionError: the type holds itself.
    """
    if type_ in _SCALARS:
        return _SCALARS[type_]
    if isinstance(type_, type) and attrs.has(type_):
        return _of_model(type_)
    types, origin = [each for each in get_args(type_) if each is not NoneType], get_origin(type_)
    if origin in (Union, UnionType):
        enum = open_enum(type_)
        is_plain = len(types) == 1 or (enum is not None and len(types) == 2)
        if not is_plain:
            raise UnreadableError(type_)
        one = _lenient(enum) if enum else shape(types[0])
        return one | None if NoneType in get_args(type_) else one
    parts = tuple(map(shape, get_args(type_)))
    if origin is Sequence:
        return GenericAlias(tuple, (*parts, ...))
    if origin in (tuple, Mapping):
        return GenericAlias(tuple if origin is tuple else dict, parts)
    raise UnreadableError(type_)


@cache
def _of_model(model: type[Any]) -> type[Any]:
    """The shape of a model.

    msgspec sets the fields, and knows no other names for them, so a model that wants more has none.
    """
    if any(hasattr(model, name) for name in _OF_OTHERS):
        raise UnreadableError(model)
    for field in attrs.fields(model):
        is_minted = isinstance(field.default, cast(Any, attrs.Factory))
        is_renamed = json_name(field) != field.name or field.name.startswith("_")
        if is_minted or is_renamed or field.converter or field.validator or not field.init:
            raise UnreadableError(field)
    types = get_type_hints(model)
    body: dict[str, Any] = {
        "__slots__": (),
        "__annotations__": {name: shape(type_) for name, type_ in types.items()},
        # msgspec calls this with each new instance. In C, because there are thousands.
        "__attrs_pre_init__": methodcaller("__setattr__", "__class__", model),
        "__setattr__": object.__setattr__,
    }
    if any(map(holds_decimals, types.values())):
        body["__attrs_post_init__"] = _check_of(types)
    return type(model.__name__, (model,), body)


def open_enum(type_: Any) -> type[OpenEnum | OpenIntEnum] | None:
    """The enum of a type like `Side | str` or `Level | int`, which keeps unknown values; else None."""
    arguments = get_args(type_) if get_origin(type_) in (Union, UnionType) else ()
    for plain, kind in ((str, OpenEnum), (int, OpenIntEnum)):
        enums = [a for a in arguments if isinstance(a, type) and issubclass(a, kind)]
        if enums and plain in arguments:
            return enums[0]
    return None


class _Lenient(Enum):
    """An enum that takes any value. msgspec asks it for the member of a value that it does not know."""

    @classmethod
    def _missing_(cls, value: object) -> Any:
        is_too_large = isinstance(value, int) and not MIN_INTEGER <= value <= MAX_INTEGER
        return None if is_too_large else value


@cache
def _lenient(enum: type[OpenEnum | OpenIntEnum]) -> Any:
    """An enum to msgspec, which reads the members of another one, and an unknown value as it is."""
    made: Any = _Lenient
    made = made(enum.__name__, [(member.name, member.value) for member in enum])
    made._value2member_map_ = {member.value: member for member in enum}
    return made


# -- decimals ---------------------------------------------------------------------------------


def holds_decimals(type_: Any) -> bool:
    """Whether a type has decimals, not counting those of models, which have their own check."""
    return type_ is Decimal or any(map(holds_decimals, get_args(type_)))


def decimals_in(value: Any) -> Iterator[Decimal]:
    """The decimals in a list, a map or a tuple, at any depth."""
    if isinstance(value, Decimal):
        yield value
    elif isinstance(value, tuple | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from decimals_in(each)


def _check_of(types: Mapping[str, Any]) -> Callable[[Any], None]:
    """What checks the decimals in the fields of an instance, right after it is made."""
    always = [name for name, type_ in types.items() if type_ is Decimal]
    optional = [name for name, type_ in types.items() if type_ == Decimal | None]
    rest = types.keys() - {*always, *optional}
    others = [name for name in rest if holds_decimals(types[name])]
    required = _values_of(always)

    def check(made: Any) -> None:
        # Most decimals are required ones; these loops run in C.
        if not all(map(_is_finite, map(bounded, required(made)))):
            raise ValueError("not finite")
        for name in optional:
            value = getattr(made, name)
            if value is not None and not _is_finite(bounded(value)):
                raise ValueError("not finite")
        for name in others:
            check_decimals(decimals_in(getattr(made, name)))

    return check


def _values_of(names: Sequence[str]) -> Callable[[Any], Iterable[Any]]:
    """What gets the values of these attributes of an instance."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda made: [getattr(made, name) for name in names]
