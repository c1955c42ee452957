"""Parsed JSON to typed values by cattrs: all that the fast path leaves, and what is wrong with it.

It is strict where cattrs would convert, and open where a service may grow: "1" is no integer,
an unknown field is ignored, an unknown value of an enum is kept as the string that it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Union, cast, get_args, get_origin
from uuid import UUID

import attrs
import cattrs
from cattrs import IterableValidationError, IterableValidationNote
from cattrs.gen import make_dict_structure_fn, override

from trading_runtime.codec.fields import IntegerText, Unset, integer_in, json_name
from trading_runtime.codec.json_numbers import (
    MAX_INTEGER,
    MIN_INTEGER,
    Number,
    check_decimals,
    plain_json,
)
from trading_runtime.codec.json_types import (
    Discriminator,
    FrozenMap,
    HiddenJson,
    UnknownObject,
    discriminator_of,
    hidden,
)
from trading_runtime.codec.shapes import open_enum
from trading_runtime.codec.times import moment_in

_JSON_NAMES: dict[Any, str] = {
    int: "an integer",
    str: "a string",
    bool: "a boolean",
    list: "a list",
    dict: "an object",
    float: "another number",
    Number: "another number",
}
MAX_ERRORS = 3
"""Bad items of a list that are looked for: enough to tell what is wrong."""
_REASONS_SHOWN = 3


def explained(value: object, type_: Any, path: str = "$") -> Any:
    """Build a typed value from the parsed JSON that stands at `path`.

    Raises:
        ValueError: it does not fit; the text names the first places that do not.
    """
    try:
        return converter.structure(value, type_)
    except Exception as error:
        reasons = cattrs.transform_error(
            error,
            path,
            lambda e, _: "required field missing" if isinstance(e, KeyError) else str(e),
        )
    more = len(reasons) - _REASONS_SHOWN
    words = "; ".join(reasons[:_REASONS_SHOWN])
    raise ValueError(f"{words}; and {more} more" if more > 0 else words)


def exactly(type_: type[Any]) -> Callable[..., Any]:
    """A hook that takes a JSON value as it is, where cattrs would convert it: "1" is no integer."""

    def hook(value: Any, _: Any = None) -> Any:
        if type(value) is not type_:
            found = "null" if value is None else _JSON_NAMES.get(type(value), "another value")
            raise ValueError(f"expected {_JSON_NAMES[type_]}, not {found}")
        return value

    return hook


as_object, _text, _list, _any_integer = map(exactly, (dict, str, list, int))


def _integer(value: Any, _: Any = None) -> int:
    found: int = _any_integer(value)
    if not MIN_INTEGER <= found <= MAX_INTEGER:
        raise ValueError("expected an integer of 64 bits")
    return found


def _decimal(value: Any, _: Any) -> Decimal:
    """A decimal from its text, or from a number as it is written."""
    text = (
        value.text
        if isinstance(value, Number)
        else str(value)
        if type(value) is int
        else _text(value)
    )
    try:
        found = Decimal(text)
        check_decimals([found])
    except (ValueError, ArithmeticError):
        raise ValueError(f"{text[:60]!r} is not a decimal") from None
    return found


def _uuid(value: Any, _: Any) -> UUID:
    return UUID(_text(value))


def _open_enum_hook(type_: Any) -> Callable[[Any, Any], Any]:
    enum: Any = open_enum(type_)
    members = {member.value: member for member in enum}
    exact = _text if issubclass(enum, str) else _integer
    optional = type(None) in get_args(type_)

    def hook(value: Any, _: Any) -> Any:
        if value is None and optional:
            return None
        return members.get(exact(value), value)

    return hook


def _model_hook(model: type[Any]) -> Callable[[Any, Any], Any]:
    """Like cattrs' own, for objects only; a received id that is absent is None, never a new one."""
    fields = attrs.fields(model)
    renamed: Any = {f.name: override(rename=json_name(f)) for f in fields if f.metadata}
    convert = make_dict_structure_fn(model, converter, **renamed)
    absent = {json_name(f): None for f in fields if isinstance(f.default, cast(Any, attrs.Factory))}
    return lambda value, type_: convert({**absent, **as_object(value)}, type_)


def _sequence_hook(type_: Any) -> Callable[[Any, Any], Any]:
    """Like cattrs' own, for lists only, and it stops after a few bad items.

    cattrs would take an empty object for an empty list, and minutes for a page of nonsense.
    """
    item_type = get_args(type_)[0]
    convert = converter.get_structure_hook(item_type)

    def one_by_one(items: list[Any]) -> list[Any]:
        found: list[Any] = []
        errors: list[Exception] = []
        for index, item in enumerate(items):
            try:
                found.append(convert(item, item_type))
            except Exception as error:
                bad: Any = error
                note = IterableValidationNote(f"at index {index}", index, item_type)
                bad.__notes__ = [*getattr(error, "__notes__", ()), note]
                errors.append(bad)
                if len(errors) == MAX_ERRORS:
                    break
        if errors:
            raise IterableValidationError("items of a list", errors, type_)
        return found

    def hook(value: Any, _: Any) -> Any:
        return tuple(one_by_one(_list(value)))

    return hook


def _map_hook(type_: Any) -> Callable[[Any, Any], Any]:
    """A map from names to values."""
    one = get_args(type_)[1]
    convert = converter.get_structure_hook(one)

    def hook(value: Any, _: Any) -> Any:
        items = as_object(value).items()
        return FrozenMap({name: _located(name, convert, item, one) for name, item in items})

    return hook


def _tuple_hook(type_: Any) -> Callable[[Any, Any], Any]:
    """A list whose members each have their own type. A service may add more at its end."""
    types = get_args(type_)
    convert = [converter.get_structure_hook(each) for each in types]

    def hook(value: Any, _: Any) -> Any:
        if len(_list(value)) < len(types):
            raise ValueError(f"expected {len(types)} members, not {len(value)}")
        pairs = enumerate(zip(convert, value, types, strict=False))
        return tuple(_located(index, read, item, one) for index, (read, item, one) in pairs)

    return hook


def _located(where: Any, convert: Callable[[Any, Any], Any], value: Any, type_: Any) -> Any:
    """A part of a map or a tuple. Its errors say where it stands."""
    try:
        return convert(value, type_)
    except Exception as error:
        bad: Any = error
        note = IterableValidationNote(f"at {where!r}", where, type_)
        bad.__notes__ = [*getattr(error, "__notes__", ()), note]
        raise IterableValidationError("part", [bad], type_) from None


def _union_hook(type_: Any) -> Callable[[Any, Any], Any]:
    """An object of one of several kinds. One of a kind that is not known survives as received."""
    told = cast(Discriminator, discriminator_of(type_))

    def hook(value: Any, _: Any) -> Any:
        if told.field not in as_object(value):
            raise ValueError(f"required field missing: {told.field}, which tells what it is")
        model = told.models.get(_text(value[told.field]))
        return converter.structure(value, model) if model else UnknownObject(plain_json(value))

    return hook


def _settable_hook(type_: Any) -> Callable[[Any, Any], Any]:
    """A received value is never UNSET, which stands for an absent one."""
    known = cast(Any, Union)[tuple(a for a in get_args(type_) if a is not Unset)]
    return lambda value, _: converter.structure(value, known)


def _make_converter() -> cattrs.Converter:
    made = cattrs.Converter()
    made.register_structure_hook(Decimal, _decimal)
    made.register_structure_hook(UUID, _uuid)
    made.register_structure_hook(datetime, lambda value, _: moment_in(_text(value)))
    made.register_structure_hook(IntegerText, lambda value, _: integer_in(_text(value)))
    made.register_structure_hook(int, _integer)
    made.register_structure_hook(HiddenJson, lambda value, _: hidden(plain_json(value)))
    made.register_structure_hook_func(lambda t: t is Any, lambda value, _: plain_json(value))
    for type_ in (str, bool):
        made.register_structure_hook(type_, exactly(type_))
    made.register_structure_hook_factory(lambda t: open_enum(t) is not None, _open_enum_hook)
    made.register_structure_hook_factory(attrs.has, _model_hook)
    made.register_structure_hook_factory(
        lambda t: cast(Any, get_origin(t)) is Sequence, _sequence_hook
    )
    made.register_structure_hook_factory(lambda t: cast(Any, get_origin(t)) is Mapping, _map_hook)
    made.register_structure_hook_factory(lambda t: cast(Any, get_origin(t)) is tuple, _tuple_hook)
    made.register_structure_hook_factory(lambda t: Unset in get_args(t), _settable_hook)
    made.register_structure_hook_factory(lambda t: discriminator_of(t) is not None, _union_hook)
    return made


converter = _make_converter()
