"""The one cattrs converter: every type that is sent or received, and how it looks in JSON.

It is strict where cattrs would convert, and open where a service may grow: "1" is no integer, an
unknown field is ignored, an unknown value of an enum is kept as the string that it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, Union, cast, get_args, get_origin
from uuid import UUID

import attrs
import cattrs
from cattrs import IterableValidationError, IterableValidationNote
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn

from trading_runtime.convert import UNSET, OpenEnum, Unset

# An exponent of more digits would make a number too long to be written plainly.
_DECIMAL = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?")
MOST_ERRORS = 3
"""Bad items of a list that are looked for: enough to tell what is wrong."""
_JSON_NAMES: dict[Any, str] = {
    int: "an integer",
    str: "a string",
    bool: "a boolean",
    list: "a list",
    dict: "an object",
}


# -- Python to JSON ---------------------------------------------------------------------------


def plain(value: Decimal) -> str:
    """A decimal as text, never with an exponent."""
    return format(value, "f")


def _unstructure_hook(model: type[Any]) -> Callable[[Any], dict[str, Any]]:
    """Like cattrs' own, less what was not given: UNSET, and None where null has no meaning."""
    convert = make_dict_unstructure_fn(model, converter)
    nullable = {field.name for field in attrs.fields(model) if field.default is UNSET}

    def hook(instance: Any) -> dict[str, Any]:
        return {
            name: value
            for name, value in convert(instance).items()
            if getattr(instance, name) is not UNSET and (value is not None or name in nullable)
        }

    return hook


# -- JSON to Python ---------------------------------------------------------------------------


def _exactly(type_: type[Any]) -> Callable[..., Any]:
    """A hook that takes a JSON value as it is, where cattrs would convert it: "1" is no integer."""

    def hook(value: Any, _: Any = None) -> Any:
        if type(value) is not type_:
            found = "null" if value is None else _JSON_NAMES.get(type(value), "a fraction")
            raise ValueError(f"expected {_JSON_NAMES[type_]}, not {found}")
        return value

    return hook


_text, _list, as_object = _exactly(str), _exactly(list), _exactly(dict)


def _decimal(value: Any, _: Any) -> Decimal:
    if not _DECIMAL.fullmatch(_text(value)):
        raise ValueError(f"{value[:60]!r} is not a decimal")
    return Decimal(value)


def _uuid(value: Any, _: Any) -> UUID:
    return UUID(_text(value))


def _open_enum(type_: Any) -> type[OpenEnum] | None:
    """The enum of a type like `Side | str`, which keeps values that it does not know."""
    arguments = get_args(type_)
    enums = [a for a in arguments if isinstance(a, type) and issubclass(a, OpenEnum)]
    return enums[0] if enums and str in arguments else None


def _open_enum_hook(type_: Any) -> Callable[[Any, Any], Any]:
    members = {member.value: member for member in cast(Any, _open_enum(type_))}
    optional = type(None) in get_args(type_)

    def hook(value: Any, _: Any) -> Any:
        if value is None and optional:
            return None
        return members.get(_text(value), value)

    return hook


def _structure_hook(model: type[Any]) -> Callable[[Any, Any], Any]:
    """Like cattrs' own, for objects only; what the sender did not mint is not minted here."""
    convert = make_dict_structure_fn(model, converter)
    fields = attrs.fields(model)
    unminted = {f.name: None for f in fields if isinstance(f.default, cast(Any, attrs.Factory))}
    return lambda value, type_: convert({**unminted, **as_object(value)}, type_)


def _sequence_hook(type_: Any) -> Callable[[Any, Any], Any]:
    """Like cattrs' own, for lists only, which it ends after a few bad items.

    cattrs would take an empty object for an empty list, and minutes for a page of nonsense.
    """
    item_type = get_args(type_)[0]
    convert = converter.get_structure_hook(item_type)

    def hook(value: Any, _: Any) -> Any:
        found: list[Any] = []
        errors: list[Exception] = []
        for index, item in enumerate(_list(value)):
            try:
                found.append(convert(item, item_type))
            except Exception as error:
                bad: Any = error
                note = IterableValidationNote(f"at index {index}", index, item_type)
                bad.__notes__ = [*getattr(error, "__notes__", ()), note]
                errors.append(bad)
                if len(errors) == MOST_ERRORS:
                    break
        if errors:
            raise IterableValidationError("items of a list", errors, type_)
        return tuple(found)

    return hook


def _settable_hook(type_: Any) -> Callable[[Any, Any], Any]:
    """What is received is never UNSET: that stands for what is absent."""
    known = cast(Any, Union)[tuple(a for a in get_args(type_) if a is not Unset)]
    return lambda value, _: converter.structure(value, known)


def _make_converter() -> cattrs.Converter:
    made = cattrs.Converter()
    made.register_structure_hook(Decimal, _decimal)
    made.register_structure_hook(UUID, _uuid)
    for type_ in (int, str, bool):
        made.register_structure_hook(type_, _exactly(type_))
    made.register_structure_hook_factory(lambda t: _open_enum(t) is not None, _open_enum_hook)
    made.register_structure_hook_factory(attrs.has, _structure_hook)
    made.register_structure_hook_factory(
        lambda t: cast(Any, get_origin(t)) is Sequence, _sequence_hook
    )
    made.register_structure_hook_factory(lambda t: Unset in get_args(t), _settable_hook)
    made.register_unstructure_hook(Decimal, plain)
    made.register_unstructure_hook(UUID, str)
    made.register_unstructure_hook(OpenEnum, str)
    made.register_unstructure_hook_factory(attrs.has, _unstructure_hook)
    return made


converter = _make_converter()
