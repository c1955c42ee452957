"""What a caller may pass to the fields of a request: converters and validators of attrs classes.

Each converter is a named function, because mypy and pyright read from it which types a field accepts.
`located`, given to `attrs.frozen`, puts the class and the field in front of every error.
"""

from __future__ import annotations

import builtins
import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from functools import cache, partial, wraps
from logging import WARNING
from numbers import Rational, Real
from typing import Any, Final, SupportsIndex, TypeAlias, TypeVar, cast
from uuid import UUID

import attrs

from trading_runtime.checks import (
    as_integer,
    did_you_mean,
    float_in,
)
from trading_runtime.errors import RequestError
from trading_runtime.log import note


class Unset(Enum):
    """The type of `UNSET`."""

    UNSET = "UNSET"

    def __repr__(self) -> str:
        return self.value


UNSET: Final = Unset.UNSET
"""Stands for an argument that was not given, where None has a meaning of its own (null)."""

IntegerLike: TypeAlias = SupportsIndex
"""An integer: an int, or what stands for one by its `__index__`, like those of numpy. Never a bool."""

DecimalLike: TypeAlias = Decimal | str | IntegerLike
"""Money: a Decimal, a plain decimal string, or an integer. Never a float."""

UUIDLike: TypeAlias = UUID | str
"""A UUID, or the text of one."""


class MintedUUID(UUID):
    """A random UUID that was made here for one model. A copy of it is a plain UUID, as if the caller gave it."""

    is_new: bool
    """Whether its model is still to take it over. Whoever makes it sets it past the lock of a UUID."""

    def take_first_sending(self) -> bool:
        """Take the first sending of its model: True once, whatever threads ask. From then on the id counts as given."""
        return bool(vars(self).pop("is_unsent", False))

    def __reduce__(self) -> tuple[Any, ...]:
        self.take_first_sending()  # Two may have the id now.
        return UUID, (str(self),)

    def __repr__(self) -> str:
        return f"UUID({str(self)!r})"


E = TypeVar("E", bound=Enum)
T = TypeVar("T")
V = TypeVar("V")

_LEFT_OUT: Any = object()
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_PLAIN_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_MAX_DIGITS = 100
_MOST_COMPUTED = 28
"""The most digits of a Decimal that was computed. The binary form of a float has more."""
_FRACTION = Decimal("0.1")
"""A percentage below this one is rare; as a fraction it is usual."""


# -- decimals, integers, ids, texts, booleans, enums ------------------------------------------


def to_decimal(value: DecimalLike) -> Decimal:
    """Money as a Decimal; a string keeps its digits, so it is sent as given."""
    if isinstance(value, Decimal):
        return _finite(Decimal(value))  # a subclass may have a text of its own
    if isinstance(value, str):
        if len(value) > _MAX_DIGITS or not _PLAIN_DECIMAL.fullmatch(value):
            raise RequestError(f"{_cut(value)} is not a plain decimal like '100.5'")
        return Decimal(value)
    if (integer := as_integer(value)) is not None:
        return _finite(Decimal(integer))
    # Floats of numpy, too, most of which are no `float` of Python.
    if isinstance(value, Real) and not isinstance(value, Rational):
        raise TypeError(
            f"a float like {value!r} is not exact; give a Decimal or a string, like '{value}'"
        )
    raise TypeError(expected("a Decimal, a string or an integer", value))


def _finite(value: Decimal) -> Decimal:
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise RequestError(f"{value} is not a finite number")
    if len(digits) > _MOST_COMPUTED and (meant := float_in(value)):
        raise RequestError(
            f"a Decimal made of the float {meant} is not exact; give Decimal({meant!r}), of its text"
        )
    if exponent < -_MAX_DIGITS or value.adjusted() > _MAX_DIGITS:
        raise RequestError(f"a number of more than {_MAX_DIGITS} digits cannot be sent")
    return value


def to_optional_decimal(value: DecimalLike | None) -> Decimal | None:
    """Like `to_decimal`; None stands for omitted."""
    return None if value is None else to_decimal(value)


def decimal_text(value: Decimal) -> str:
    """A decimal as text, never with an exponent."""
    return format(value, "f")


def to_integer(value: IntegerLike) -> int:
    """An integer of 64 bits."""
    found = as_integer(value)
    if found is None:
        raise TypeError(expected("an integer", value))
    if not -(2**63) <= found < 2**63:
        raise RequestError("an integer of more than 64 bits cannot be sent")
    return found


def to_optional_integer(value: IntegerLike | None) -> int | None:
    """An integer; None stands for omitted."""
    return None if value is None else to_integer(value)


def to_uuid(value: UUIDLike) -> UUID:
    """A UUID, from itself or from its full text with hyphens."""
    if type(value) is UUID:
        return value
    if isinstance(value, UUID):
        return UUID(int=value.int)  # a subclass may have a text of its own
    if not isinstance(value, str):
        raise TypeError(expected("a UUID or its text", value))
    if not _UUID.fullmatch(value):
        raise RequestError(
            f"{_cut(value)} is not a full UUID like '3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b'"
        )
    return UUID(value)


def to_optional_uuid(value: UUIDLike | None) -> UUID | None:
    """Like `to_uuid`; None stands for omitted."""
    return None if value is None else to_uuid(value)


def to_minted_uuid(value: UUIDLike | Unset | None = _LEFT_OUT) -> UUID | None:
    """Like `to_uuid`; UNSET and a field that is left out stand for a new random UUID, None for no id.

    attrs calls this function twice for a field that is left out: as factory and as converter of the id. An id
    that was made for another model counts as given for both.
    """
    if value is UNSET or value is _LEFT_OUT:
        made = MintedUUID(bytes=os.urandom(16), version=4)
        # A UUID lets nobody set its attributes.
        vars(made).update(is_new=value is _LEFT_OUT, is_unsent=True)
        return made
    if type(value) is MintedUUID:
        if value.is_new:
            object.__setattr__(value, "is_new", False)
            return value
        value.take_first_sending()
    return to_optional_uuid(value)


def to_text(value: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise TypeError(expected("a string", value))
    return str.__str__(value)


def to_optional_text(value: str | None) -> str | None:
    """A string; None stands for omitted."""
    return None if value is None else to_text(value)


def to_texts(value: Sequence[str]) -> tuple[str, ...]:
    """Several strings. A single string is refused: it would be taken for a list of letters."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError(expected("a list of strings", value))
    return tuple(to_text(item) for item in value)


def to_boolean(value: bool) -> bool:
    """True or False; not 0, 1 or None."""
    if not isinstance(value, bool):
        raise TypeError(expected("True or False", value))
    return value


def to_optional_boolean(value: bool | None) -> bool | None:
    """True or False; None stands for omitted."""
    return None if value is None else to_boolean(value)


def to_nullable_boolean(value: bool | Unset | None) -> bool | Unset | None:
    """True, False, or None, which is sent as null; UNSET stands for omitted."""
    return value if value is UNSET else to_optional_boolean(value)


def to_member(enum: type[E], value: E | str) -> E:
    """The enum member of a value; an unknown value is refused."""
    member = _members(enum).get(value) if isinstance(value, str) else None
    if member is not None:
        return cast(E, member)
    allowed = ", ".join(repr(known) for known in _members(enum))
    near = did_you_mean(value, _members(enum)) if isinstance(value, str) else ""
    text = str.__str__(value) if isinstance(value, str) else value
    raise RequestError(f"{_cut(text)} is not one of {allowed}{near}")


@cache
def _members(enum: type[Enum]) -> dict[str, Enum]:
    """The members by their values: calling the enum takes several times as long."""
    return {member.value: member for member in enum}


# -- lists, JSON --------------------------------------------------------------------------------


def to_list(value: Sequence[V], convert: Callable[[V], T]) -> tuple[T, ...]:
    """Several values. A single string is refused: it would be taken for a list of letters."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise TypeError(expected("a list", value))
    return tuple(_at(f"item {index}", convert, item) for index, item in enumerate(value))


def to_json(value: Any) -> Any:
    """A copy of parsed JSON, so that nobody changes what will be sent.

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
        return {to_text(key): _at(repr(key), _copied, item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return to_list(value, _copied)
    if as_integer(value) is not None:
        return to_integer(value)
    if isinstance(value, float):
        raise TypeError(f"a float like {value!r} is not exact; give a string, like '{value}'")
    raise TypeError(expected("parsed JSON", value))


def _at(where: str, convert: Callable[[V], T], value: V) -> T:
    try:
        return convert(value)
    except (TypeError, ValueError) as error:
        raise located_error(where, error) from None


# -- validators -------------------------------------------------------------------------------


def if_given(*validators: Callable[[Any, Any, Any], Any]) -> Callable[[Any, Any, Any], None]:
    """A validator that runs others, unless the field was left out or is null."""

    def checked(instance: Any, attribute: Any, value: Any) -> None:
        for validate in () if value is None or value is UNSET else validators:
            validate(instance, attribute, value)

    return checked


def exactly_one(instance: object, *names: str) -> None:
    """Refuse a model unless exactly one of the named fields is given."""
    given = [name for name in names if getattr(instance, name) is not None]
    if len(given) != 1:
        what = "both were given" if given else "none was given"
        raise RequestError(
            f"{called(type(instance))}: exactly one of {' and '.join(names)} is needed, {what}"
        )


def at_least_one(instance: object, *names: str) -> None:
    """Refuse a model if none of the named fields is given."""
    if all(getattr(instance, name) is None for name in names):
        raise RequestError(f"{called(type(instance))}: {' or '.join(names)} is needed")


def not_before(instance: object, name: str, earlier: str) -> None:
    """Refuse a range of times whose end is before its start: no record is in it."""
    first, last = getattr(instance, earlier), getattr(instance, name)
    if first is not None and last is not None and last < first:
        raise RequestError(
            f"{called(type(instance))}: {name} {last} is before {earlier} {first}; exchange the two"
        )


def warn_of_fraction(instance: Any, attribute: Any, value: Decimal) -> None:
    """A validator that writes into the log that a small percentage may be meant as a fraction."""
    if 0 < value < _FRACTION:
        where, percent = f"{called(type(instance))}.{attribute.name}", f"{value:f}"
        text = "%s: %s means %s %%; give a fraction times 100"
        note(WARNING, text, where, percent, percent)


# -- errors -----------------------------------------------------------------------------------


def json_name(field: attrs.Attribute[Any]) -> str:
    """The name of a field in JSON. Its metadata hold a name that Python cannot have."""
    return cast(str, field.metadata.get("json", field.name))


def called(model: type) -> str:
    """The name of a model in texts. One with parameters beside the fields of a body is called as that body."""
    return cast(str, getattr(model, "__body__", model.__name__))


def located(cls: type, fields: list[attrs.Attribute[Any]]) -> list[attrs.Attribute[Any]]:
    """An attrs field transformer: errors of converters and validators name the class and the field."""
    return [
        field.evolve(
            converter=_converter(f"{called(cls)}.{field.name}", field.converter),
            validator=_validator(called(cls), field.validator),
        )
        for field in fields
    ]


def _converter(where: str, convert: Any) -> Callable[[Any], Any] | None:
    if convert is None:
        return None

    @wraps(convert)
    def checked(value: Any) -> Any:
        try:
            return convert(value)
        except (TypeError, ValueError) as error:
            raise located_error(where, error) from None

    # attrs and help() read the type that a field takes from it.
    vars(checked)["__signature__"] = _signature(convert)
    return checked


_signature = cache(partial(inspect.signature, eval_str=True))
"""The signature of a converter, which many fields share: to find it out takes as long as all else here."""


def _validator(where: str, validate: Any) -> Callable[[Any, Any, Any], None] | None:
    if validate is None:
        return None

    def checked(instance: Any, attribute: Any, value: Any) -> None:
        try:
            validate(instance, attribute, value)
        except (TypeError, ValueError) as error:
            raise located_error(where, _in_words(error, value)) from None

    return checked


def _in_words(error: TypeError | ValueError, value: Any) -> TypeError | ValueError:
    """The error of a validator of attrs; that of a bound, `Length of 'symbol' must be >= 1: 0`, as a sentence."""
    found = _BOUND.fullmatch(str(error.args[0]))
    if found is None:
        return error
    length, name, sign, bound, given = found.groups()
    unit = "" if not length else " character" if isinstance(value, str) else " item"
    limit = f"{_SIGNS[sign]} {bound}{unit}{'s' if unit and bound != '1' else ''}"
    return ValueError(f"{name} must {'have' if length else 'be'} {limit}, not {given}")


_BOUND = re.compile(r"(Length of )?'(\w+)' must be ([<>]=?|=>) (\S+): (\S+)")
_SIGNS = {">=": "at least", "=>": "at least", "<=": "at most", ">": "above", "<": "below"}
"""`=>` is how attrs 23 writes the least length."""


def located_error(where: str, error: TypeError | ValueError) -> TypeError | RequestError:
    """The error of a converter, with the place of the value in front."""
    if isinstance(error, TypeError):
        return TypeError(f"{where}: {error}")
    return RequestError(f"{where}: {error.args[0]}")


def expected(what: str, value: object) -> str:
    """The words of a TypeError. A class that is called like a built-in or expected one is shown with its module."""
    kind = type(value)
    known = hasattr(builtins, kind.__name__) or kind.__name__ in what.split()
    module = f"{kind.__module__}." if known and kind.__module__ != "builtins" else ""
    return f"expected {what}, not {_cut(value)} ({module}{kind.__name__})"


def _cut(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
