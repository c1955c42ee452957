"""Converters of the fields of request models: what a caller may pass -> what the model holds.

Each is a named function, because mypy and pyright read the type that a field accepts from its
converter. `located`, given to `attrs.frozen`, puts the class and the field in front of every error.
"""

from __future__ import annotations

import builtins
import os
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from functools import cache, wraps
from numbers import Rational, Real
from typing import Any, Final, SupportsIndex, TypeAlias, TypeVar, cast, get_type_hints
from uuid import UUID

import attrs

from trading_runtime.checks import as_integer, did_you_mean, float_in, refuse_unknown_arguments
from trading_runtime.errors import RequestError
from trading_runtime.minted import MintedUUID


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


E = TypeVar("E", bound=Enum)
T = TypeVar("T")
M = TypeVar("M", bound=attrs.AttrsInstance)

_LEFT_OUT: Any = object()
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_PLAIN_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_MAX_DIGITS = 100
_MOST_COMPUTED = 28
"""Digits that a Decimal has at most if it was computed; the binary form of a float has more."""


def to_decimal(value: DecimalLike) -> Decimal:
    """Money as a Decimal; a string keeps its digits, so it is sent as given."""
    if isinstance(value, Decimal):
        return _bounded(Decimal(value))  # a subclass may have a text of its own
    if isinstance(value, str):
        if len(value) > _MAX_DIGITS or not _PLAIN_DECIMAL.fullmatch(value):
            raise RequestError(f"{_cut(value)} is not a plain decimal like '100.5'")
        return Decimal(value)
    if (integer := as_integer(value)) is not None:
        return _bounded(Decimal(integer))
    # Those of numpy, too, most of which are no float in Python.
    if isinstance(value, Real) and not isinstance(value, Rational):
        raise TypeError(
            f"a float like {value!r} is not exact; give a Decimal or a string, like '{value}'"
        )
    raise TypeError(expected("a Decimal, a string or an integer", value))


def _bounded(value: Decimal) -> Decimal:
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
    """Like `to_uuid`; a new random UUID when unset or left out, none at all when None.

    A model converts also what is made where the field is left out. An id of another model is a given one.
    """
    if value is UNSET or value is _LEFT_OUT:
        made = MintedUUID(bytes=os.urandom(16), version=4)
        object.__setattr__(
            made, "is_new", value is _LEFT_OUT
        )  # a UUID lets nobody set its attributes
        return made
    if type(value) is MintedUUID and value.is_new:
        object.__setattr__(value, "is_new", False)
        return value
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


def to_member(enum: type[E], value: E | str | IntegerLike) -> E:
    """The enum member of a value; an unknown value is refused."""
    if type(value) is enum:
        return value
    key = value if isinstance(value, str) else as_integer(value)
    found = None if key is None else _members(enum).get(key)
    if found is None:
        raise RequestError(no_member(enum, value))
    return cast(E, found)


def no_member(enum: type[Enum], value: object) -> str:
    """The words of an error: a value that no member has."""
    allowed = ", ".join(repr(member.value) for member in enum)
    near = did_you_mean(value, map(str, _members(enum))) if isinstance(value, str) else ""
    return f"{_cut(value)} is not one of {allowed}{near}"


@cache
def _members(enum: type[Enum]) -> dict[str | int, Enum]:
    """The members by their values: calling the enum takes several times as long."""
    return {member.value: member for member in enum}


def to_model(model: type[M], value: M | Mapping[str, Any]) -> M:
    """A nested object: the model itself, or a mapping with its keys."""
    if isinstance(value, model):
        return value
    if not isinstance(value, Mapping):
        raise TypeError(expected(f"a {model.__name__} or a mapping with its keys", value))
    fields = {json_name(a): a for a in attrs.fields(model)}
    if unknown := [key for key in value if key not in fields]:
        near = did_you_mean(unknown[0], fields)
        raise RequestError(
            f"unknown key {unknown[0]!r}; a {model.__name__} has {', '.join(fields)}{near}"
        )
    required = [name for name, a in fields.items() if a.default is attrs.NOTHING]
    if missing := [name for name in required if name not in value]:
        raise RequestError(
            f"{missing[0]!r} is missing; a {model.__name__} needs it{_choice(model, fields[missing[0]])}"
        )
    return model(**{fields[name].name: given for name, given in value.items()})


def _choice(model: type[Any], field: attrs.Attribute[Any]) -> str:
    """The values that a field may have, where it has an enum."""
    enum = get_type_hints(model)[field.name]
    if not (isinstance(enum, type) and issubclass(enum, Enum)):
        return ""
    return f": one of {', '.join(repr(member.value) for member in enum)}"


def json_name(field: attrs.Attribute[Any]) -> str:
    """The name of a field in JSON, which its metadata hold if that is no name in Python."""
    return cast(str, field.metadata.get("json", field.name))


def located(cls: type, fields: list[attrs.Attribute[Any]]) -> list[attrs.Attribute[Any]]:
    """An attrs field transformer: errors of converters and validators name the class and the field."""
    return [
        field.evolve(
            converter=_converter(f"{cls.__name__}.{field.name}", field.converter),
            validator=_validator(cls.__name__, field.validator),
        )
        for field in fields
    ]


def _converter(where: str, convert: Any) -> Callable[[Any], Any] | None:
    if convert is None:
        return None

    @wraps(convert)  # attrs and help() read the type that a field takes from the converter
    def checked(value: Any) -> Any:
        try:
            return convert(value)
        except (TypeError, ValueError) as error:
            raise located_error(where, error) from None

    return checked


def _validator(where: str, validate: Any) -> Callable[[Any, Any, Any], None] | None:
    if validate is None:
        return None

    def checked(instance: Any, attribute: Any, value: Any) -> None:
        try:
            validate(instance, attribute, value)
        except (TypeError, ValueError) as error:
            raise located_error(where, error) from None

    return checked


def located_error(where: str, error: TypeError | ValueError) -> TypeError | RequestError:
    """The error of a converter, with the place of the value in front."""
    if isinstance(error, TypeError):
        return TypeError(f"{where}: {error}")
    return RequestError(f"{where}: {error.args[0]}")


def expected(what: str, value: object) -> str:
    """The words of a TypeError. A class of the same name as a built-in or expected one is told apart."""
    kind = type(value)
    known = hasattr(builtins, kind.__name__) or kind.__name__ in what.split()
    module = f"{kind.__module__}." if known and kind.__module__ != "builtins" else ""
    return f"expected {what}, not {_cut(value)} ({module}{kind.__name__})"


def _cut(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def names_arguments(method: Callable[..., Any]) -> Callable[..., Any]:
    """Let a method name the argument that was meant, where one is unknown, in the words of Python."""

    @wraps(method)
    def told(*positional: Any, **given: Any) -> Any:
        try:
            return method(*positional, **given)
        except TypeError:
            refuse_unknown_arguments(method, given)
            raise

    return told
