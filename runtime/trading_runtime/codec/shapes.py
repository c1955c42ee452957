"""The types that msgspec reads in place of those of the models, where it can read them.

A received model is annotated for its users: `Side | str`, `Sequence[Order]`. msgspec knows no union of an
enum and `str`, and must be told that an integer has 64 bits and that a sequence is a tuple. It takes the
types of a class from its annotations alone. So a model has a shape, a subclass with other annotations, of
which each instance becomes one of the model as soon as msgspec has made it.

Each type goes one of three ways:

| type | way |
|---|---|
| integer, text, boolean, decimal, UUID, enum, each with null or without | msgspec |
| model of plain fields; sequence, tuple, of what msgspec reads or of parts | msgspec |
| map, as a field, an item or a result | a part; its values are read by msgspec, if it can |
| date-time, integer in a text, union with a discriminator, any JSON, field that tells null from absent | a part |
| model with a renamed field, a default factory, a converter, a validator or code of its own | a part |
| type that holds itself, enum without members, and all that holds one of them | the explaining way |
| part that is a result, or the item of a page, but for maps as results | the explaining way |

A part is read by a function of the runtime, inside of what msgspec reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from enum import Enum
from functools import cache
from itertools import chain
from operator import attrgetter, itemgetter, methodcaller
from types import GenericAlias, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    NamedTuple,
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

from trading_runtime.codec.enums import OpenEnum, OpenIntEnum
from trading_runtime.codec.fields import json_name
from trading_runtime.codec.json_numbers import MAX_INTEGER, MIN_INTEGER

_SCALARS: dict[Any, Any] = {
    int: Annotated[int, msgspec.Meta(ge=MIN_INTEGER, le=MAX_INTEGER)],
    str: str,
    bool: bool,
    UUID: UUID,
}
_OF_OTHERS = ("__attrs_pre_init__", "__attrs_post_init__", "__attrs_init__", "_attrs_cached_hash")
"""Attributes of a class whose instances are not made by setting their fields alone."""

Decimals: TypeAlias = Callable[[Iterable[Any]], Iterable[Decimal]]
"""Gets the decimals in values of one type, a field of all of them at a time: that runs in C."""


class Shape(NamedTuple):
    """How values of a type are read."""

    reads: Any
    """The type that msgspec reads in its place."""

    decimals: Decimals | None = None
    """Gets the decimals that are still to be checked; None if there are none."""


class Part(type):
    """The metaclass of types that msgspec does not know: it asks a hook for their values."""

    of: Any
    """The type of the values."""

    def __instancecheck__(cls, instance: object) -> bool:
        return True  # msgspec asks whether what the hook made is one.


def part(type_: Any) -> Shape:
    """The shape of a type that msgspec cannot read."""
    return Shape(Part("Part", (), {"of": type_}))


def shape(type_: Any) -> Shape:
    """The shape of a type.

    Raises:
        RecursionError: the type holds itself.
    """
    if type_ in _SCALARS:
        return Shape(_SCALARS[type_])
    if type_ is Decimal:
        return Shape(Decimal, iter)
    if isinstance(type_, type) and attrs.has(type_):
        return _of_model(type_)
    arguments, origin = get_args(type_), get_origin(type_)
    if origin in (Union, UnionType):
        return _of_union(type_)
    if origin is Sequence:
        items = shape(arguments[0])
        return Shape(
            GenericAlias(tuple, (items.reads, ...)), _in_all([(chain.from_iterable, items)])
        )
    if origin is tuple:
        members = [*map(shape, arguments)]
        found = [(_each(itemgetter(index)), member) for index, member in enumerate(members)]
        return Shape(GenericAlias(tuple, tuple(m.reads for m in members)), _in_all(found))
    return part(type_)


def _of_union(type_: Any) -> Shape:
    types = [each for each in get_args(type_) if each is not NoneType]
    enum = open_enum(type_)
    if len(types) != (1 if enum is None else 2):
        return part(type_)
    one = Shape(_lenient(enum)) if enum else shape(types[0])
    if NoneType not in get_args(type_):
        return one
    return Shape(one.reads | None, _in_all([(_given, one)]))


@cache
def _of_model(model: type[Any]) -> Shape:
    """The shape of a model.

    msgspec sets the fields, and knows no other names for them, so a model that wants more is a part.
    """
    if any(hasattr(model, name) for name in _OF_OTHERS):
        return part(model)
    for field in attrs.fields(model):
        is_minted = isinstance(field.default, cast(Any, attrs.Factory))
        is_renamed = json_name(field) != field.name or field.name.startswith("_")
        if is_minted or is_renamed or field.converter or field.validator or not field.init:
            return part(model)
    types = get_type_hints(model, include_extras=True)
    fields = {name: shape(type_) for name, type_ in types.items()}
    body: dict[str, Any] = {
        "__slots__": (),
        "__annotations__": {name: field.reads for name, field in fields.items()},
        # msgspec looks which attributes there are, and calls the second with each finished instance. In C,
        # because there are thousands, and so that no Ctrl-C comes in between.
        "__getattr__": object.__getattribute__,
        "__attrs_post_init__": methodcaller("__setattr__", "__class__", model),
        "__setattr__": object.__setattr__,
    }
    found = [(_each(attrgetter(name)), field) for name, field in fields.items()]
    return Shape(type(model.__name__, (model,), body), _in_all(found))


def open_enum(type_: Any) -> type[OpenEnum | OpenIntEnum] | None:
    """The enum of a type like `Side | str` or `Level | int`, which keeps unknown values; else None.

    That an enum is open is read here from the annotation, which is generated from the spec and is the only
    place that says it.
    """
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

_Inside: TypeAlias = Callable[[Iterable[Any]], Iterable[Any]]
"""From values to what is inside each of them."""


def _each(get: Callable[[Any], Any]) -> _Inside:
    return lambda values: map(get, values)


def _given(values: Iterable[Any]) -> Iterable[Any]:
    return [value for value in values if value is not None]


def _in_all(parts: Iterable[tuple[_Inside, Shape]]) -> Decimals | None:
    """The decimals in several parts of each value."""
    found = [(inside, each.decimals) for inside, each in parts if each.decimals]

    def decimals(values: Iterable[Any]) -> Iterable[Decimal]:
        all_values = [*values]
        return chain.from_iterable(get(inside(all_values)) for inside, get in found)

    return decimals if found else None
