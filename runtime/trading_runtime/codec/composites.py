"""Converters of fields that hold other values, composed from those of what they hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from trading_runtime.codec.fields import UNSET, expected, located_error, to_text

T = TypeVar("T")
V = TypeVar("V")


def to_list(value: Sequence[V], convert: Callable[[V], T]) -> tuple[T, ...]:
    """Several values. A single string is refused: it would be taken for a list of letters."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise TypeError(expected("a list", value))
    return tuple(_at(f"item {index}", convert, item) for index, item in enumerate(value))


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
