"""Converters of fields that hold other values, composed from those of what they hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from trading_runtime.checks import as_integer
from trading_runtime.codec.fields import UNSET, expected, located_error, to_text
from trading_runtime.codec.integers import to_integer
from trading_runtime.errors import RequestError

T = TypeVar("T")
V = TypeVar("V")


def to_list(value: Sequence[V], convert: Callable[[V], T]) -> tuple[T, ...]:
    """Several values. A single string is refused: it would be taken for a list of letters."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise TypeError(expected("a list", value))
    return tuple(_at(f"item {index}", convert, item) for index, item in enumerate(value))


def to_tuple(value: Sequence[Any], *converters: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Values that each have a type of their own: as many as there are types."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise TypeError(expected(f"a list of {len(converters)}", value))
    if len(value) != len(converters):
        raise RequestError(f"expected {len(converters)} members, not {len(value)}")
    pairs = enumerate(zip(converters, value, strict=True))
    return tuple(_at(f"item {index}", convert, item) for index, (convert, item) in pairs)


def to_json(value: Any) -> Any:
    """Parsed JSON: a copy of it, so that nobody changes what will be sent.

    A float is refused, because it has no exact text.
    """
    try:
        return _copied(value)
    except RecursionError:
        pass
    raise RequestError("it is nested too deep, or contains itself")


def _copied(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return to_text(value)
    if isinstance(value, Mapping):
        return to_map(value, _copied)
    if isinstance(value, list | tuple):
        return to_list(value, _copied)
    if as_integer(value) is not None:
        return to_integer(value)
    if isinstance(value, float):
        raise TypeError(f"a float like {value!r} is not exact; give a string, like '{value}'")
    raise TypeError(expected("parsed JSON", value))


def to_map(value: Mapping[str, V], convert: Callable[[V], T]) -> dict[str, T]:
    """Values by their names."""
    if not isinstance(value, Mapping):
        raise TypeError(expected("a mapping", value))
    return {to_text(key): _at(repr(key), convert, item) for key, item in value.items()}


def _at(where: str, convert: Callable[[V], T], value: V) -> T:
    try:
        return convert(value)
    except (TypeError, ValueError) as error:
        raise located_error(where, error) from None


def if_given(*validators: Callable[[Any, Any, Any], Any]) -> Callable[[Any, Any, Any], None]:
    """A validator of a field that may be left out or be null: nothing else is looked at."""

    def checked(instance: Any, attribute: Any, value: Any) -> None:
        for validate in () if value is None or value is UNSET else validators:
            validate(instance, attribute, value)

    return checked
