"""The fast path: plain records, from parsed JSON or from the bytes of a page, by msgspec.

A record is plain if it holds integers, texts, booleans, decimals, UUIDs and enums, each with null or
without, in fields that are named as in JSON. Any other record, and a list or page with anything unexpected
in it, is for `decoder`, which also says what is wrong.

A model is annotated for its users, like `Side | str`; msgspec knows no such union, and takes the types of a
class from its annotations alone. So it reads a subclass with other annotations, whose instances become
those of the model when all of a list are made and checked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from enum import Enum
from functools import cache
from itertools import chain, repeat
from operator import attrgetter
from types import GenericAlias, NoneType
from typing import Annotated, Any, Protocol, cast, get_args, get_type_hints
from uuid import UUID

import attrs
import msgspec

from trading_runtime.codec.fields import json_name
from trading_runtime.codec.models import OpenEnum, OpenIntEnum, open_enum
from trading_runtime.codec.parser import (
    MAX_INTEGER,
    MIN_INTEGER,
    Number,
    check_decimals,
    nests_too_deep,
)
from trading_runtime.operation import ListOperation

_SCALARS: dict[Any, Any] = {
    int: Annotated[int, msgspec.Meta(ge=MIN_INTEGER, le=MAX_INTEGER)],
    **{each: each for each in (str, bool, Decimal, UUID)},
}
_MADE_OTHERWISE = (
    "__attrs_pre_init__",
    "__attrs_post_init__",
    "__attrs_init__",
    "_attrs_cached_hash",
)
"""Attributes of a class whose instances are not made by setting their fields alone."""
_UNEXPECTED = (msgspec.MsgspecError, ValueError, ArithmeticError, RecursionError)


class NotPlainError(Exception):
    """A page or a record that msgspec cannot read as `decoder` does."""


_NOT_PLAIN = (NotPlainError, TypeError, ValueError)
"""msgspec raises the others, of an enum without members and of two fields of the same name."""


class PageContent(Protocol):
    """What a page holds. Of a list whose cursor is an offset, the items alone."""

    items: tuple[Any, ...]
    next_cursor: str | None
    has_more: bool


@cache
def list_reader(type_: Any) -> Callable[[list[Any]], tuple[Any, ...] | None]:
    """What reads lists of a type from parsed JSON; it returns None for a list that is not as expected."""
    try:
        records = _records(type_)
        msgspec.json.Decoder(records)  # raises what each conversion would
    except _NOT_PLAIN:
        return lambda _: None
    check = _decimal_check(type_)

    def read(items: list[Any]) -> tuple[Any, ...] | None:
        try:
            found: tuple[Any, ...] = msgspec.convert(items, records)
            check(found)
            _become(type_, found)
        except _UNEXPECTED:
            return None
        return found

    return read


@cache
def page_reader(operation: ListOperation[Any]) -> Callable[[bytes], PageContent | None]:
    """What reads the pages of a list from bytes; it returns None for a page that is not as expected."""
    try:
        decoder = msgspec.json.Decoder(_page(operation), float_hook=Number)
    except _NOT_PLAIN:
        return lambda _: None
    check = _decimal_check(operation.result)

    def read(body: bytes) -> PageContent | None:
        try:
            page = decoder.decode(body.decode())
            check(page.items)
            _become(operation.result, page.items)
        except _UNEXPECTED:
            return None
        # The items stand beside each other, so all but one do not count as nested.
        is_usable = page.success and not nests_too_deep(body, beside=len(page.items) - 1)
        return cast(PageContent, page) if is_usable else None

    return read


def _page(operation: ListOperation[Any]) -> Any:
    """A class that holds a page and its envelope. What its fields do not take is not as expected."""
    names = operation.pagination
    is_nested = "." in f"{names.items}{names.next_cursor}{names.has_more}"
    if names.integers or is_nested or bool(names.next_cursor) != bool(names.has_more):
        raise NotPlainError
    fields: list[Any] = [
        ("items", _records(operation.result)),
        ("success", bool) if names.says_success else ("success", bool, True),
        ("error", None, None),
    ]
    renamed = {"items": names.items}
    if names.next_cursor:
        fields += [("next_cursor", str | None, None), ("has_more", bool)]
        renamed |= {"next_cursor": names.next_cursor, "has_more": names.has_more}
    if names.items != "data":
        fields.append(("data", None, None))  # An object in it could contradict the rest.
    return msgspec.defstruct("Page", fields, rename=renamed, kw_only=True)


def _records(model: Any) -> Any:
    """The type of a tuple of records as msgspec reads them."""
    if not attrs.has(model) or any(hasattr(model, name) for name in _MADE_OTHERWISE):
        raise NotPlainError
    for field in attrs.fields(model):
        is_minted = isinstance(field.default, cast(Any, attrs.Factory))
        is_renamed = json_name(field) != field.name or field.name.startswith("_")
        if is_minted or is_renamed or field.converter or field.validator or not field.init:
            raise NotPlainError
    types = get_type_hints(model, include_extras=True)
    body: dict[str, Any] = {
        "__slots__": (),
        "__annotations__": {name: _scalar(type_) for name, type_ in types.items()},
        # For `_become`: models are frozen. Python sets attributes in C only if it also deletes them in C.
        "__setattr__": object.__setattr__,
        "__delattr__": object.__delattr__,
    }
    return GenericAlias(tuple, (_Read(model.__name__, (model,), body), ...))


class _Read(type):
    """The metaclass of the classes that msgspec reads: their attributes are looked up without `__getattr__`.

    That of a model says which name was meant, and makes each look-up slower. A page takes thousands of them.
    """

    def mro(cls) -> list[type]:
        return [each for each in super().mro() if "__getattr__" not in vars(each)]


def _become(model: Any, records: Sequence[Any]) -> None:
    """Make instances of a model of what msgspec read. A deque that keeps nothing does it in C."""
    deque(map(setattr, records, repeat("__class__"), repeat(model)), maxlen=0)


def _scalar(type_: Any) -> Any:
    """The type that msgspec reads in place of the type of a field."""
    if type_ in _SCALARS:
        return _SCALARS[type_]
    types = [each for each in get_args(type_) if each is not NoneType]
    if enum := open_enum(type_):
        one = _lenient(enum)
    elif len(types) == 1 and types[0] in _SCALARS and NoneType in get_args(type_):
        one = _SCALARS[types[0]]
    else:
        raise NotPlainError
    return one | None if NoneType in get_args(type_) else one


class _Lenient(Enum):
    """An enum that takes any value. msgspec asks it for the member of a value that it does not know."""

    @classmethod
    def _missing_(cls, value: object) -> Any:
        is_too_large = isinstance(value, int) and not MIN_INTEGER <= value <= MAX_INTEGER
        return None if is_too_large else value


def _lenient(enum: type[OpenEnum | OpenIntEnum]) -> Any:
    """An enum to msgspec, which reads the members of another one, and an unknown value as it is."""
    made: Any = _Lenient
    made = made(enum.__name__, [(member.name, member.value) for member in enum])
    made._value2member_map_ = {member.value: member for member in enum}
    return made


def _decimal_check(model: Any) -> Callable[[Sequence[Any]], None]:
    """What checks the decimals of records. Most of it runs in C."""
    types = get_type_hints(model).items()
    required = [attrgetter(name) for name, type_ in types if type_ is Decimal]
    optional = [attrgetter(name) for name, type_ in types if Decimal in get_args(type_)]

    def check(records: Sequence[Any]) -> None:
        check_decimals(_each(required, records))
        check_decimals([value for value in _each(optional, records) if value is not None])

    return check


def _each(getters: Sequence[attrgetter[Any]], records: Sequence[Any]) -> Iterator[Any]:
    """The values of several fields, record by record: a page does not fit into the cache of a processor."""
    return chain.from_iterable(zip(*[map(get, records) for get in getters], strict=True))
