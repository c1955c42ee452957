"""The types that msgspec reads in place of those of the models, where it can read them.

A received model is annotated for its users: `Side | str`, `Sequence[Order]`. msgspec knows no union of an
enum and `str`, and must be told that an integer has 64 bits and that a sequence is a tuple. It takes the
types of a class from its annotations alone. So a model has a shape, a subclass with other annotations, of
which each instance becomes one of the model as soon as msgspec has made it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from functools import cache, partial
from itertools import chain
from operator import attrgetter, is_not, methodcaller
from types import GenericAlias, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    TypeAlias,
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
from trading_runtime.codec.json_numbers import MAX_INTEGER, MIN_INTEGER, check_decimals

_SCALARS: dict[Any, Any] = {
    int: Annotated[int, msgspec.Meta(ge=MIN_INTEGER, le=MAX_INTEGER)],
    str: str,
    bool: bool,
    Decimal: Decimal,
    UUID: UUID,
}
_OF_OTHERS = ("__attrs_pre_init__", "__attrs_post_init__", "__attrs_init__", "_attrs_cached_hash")
"""Attributes of a class whose instances are not made by setting their fields alone."""
_is_given = partial(is_not, None)
Check: TypeAlias = Callable[[Any], None]
"""Raises a ValueError or an ArithmeticError for a value that must not be used."""
_Found: TypeAlias = Callable[[Any], Iterable[Any]]
"""Finds some of what is in a value."""


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
    body = {
        "__slots__": (),
        "__annotations__": {name: shape(type_) for name, type_ in get_type_hints(model).items()},
        "__setattr__": object.__setattr__,
        # Called by msgspec with each new instance. In C, because there are thousands.
        "__attrs_pre_init__": methodcaller("__setattr__", "__class__", model),
    }
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


def checker(type_: Any) -> Check | None:
    """What checks the decimals in a value of a type; None if it has none."""
    always, perhaps = _decimals(type_, Decimal), _decimals(type_, Decimal | None)
    if not always and not perhaps:
        return None

    def check(value: Any) -> None:
        if always:
            check_decimals(always(value))
        if perhaps:
            check_decimals(filter(_is_given, perhaps(value)))

    return check


def _decimals(type_: Any, wanted: Any) -> _Found | None:
    """Finds the values in a type that are of the type `wanted`; None if there are none."""
    if type_ in (Decimal, Decimal | None):
        return (lambda value: (value,)) if type_ == wanted else None
    if isinstance(type_, type) and attrs.has(type_):
        return _in_fields(get_type_hints(type_), wanted)
    found = [_decimals(each, wanted) for each in get_args(type_)]
    parts = [(place, find) for place, find in enumerate(found) if find]
    if not parts:
        return None
    (_, find), origin = parts[0], cast(Any, get_origin(type_))
    if origin is Sequence:
        return lambda values: chain.from_iterable(map(find, values))
    if origin is Mapping:
        return lambda values: chain.from_iterable(map(find, values.values()))
    if origin is tuple:
        return lambda values: chain(*(find(values[place]) for place, find in parts))
    return lambda value: () if value is None else find(value)


def _in_fields(types: Mapping[str, Any], wanted: Any) -> _Found | None:
    names = [name for name, type_ in types.items() if type_ == wanted]
    inside = {name: _decimals(type_, wanted) for name, type_ in types.items() if name not in names}
    parts = [(name, find) for name, find in inside.items() if find]
    if len(names) > 1 and not parts:
        return attrgetter(*names)  # The fields of a record of a long list, most often.
    if not names and not parts:
        return None
    return lambda value: chain(
        (getattr(value, name) for name in names),
        *(find(getattr(value, name)) for name, find in parts),
    )
