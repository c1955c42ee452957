"""The base classes of generated enums, and the conversion of what callers give for a member."""

from __future__ import annotations

from enum import Enum, EnumMeta, IntEnum
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from trading_runtime.checks import as_integer, did_you_mean
from trading_runtime.codec.fields import IntegerLike, cut
from trading_runtime.errors import RequestError

E = TypeVar("E", bound=Enum)


class _Named(EnumMeta):
    """Names the member that was meant, like `Side.BID` for `Side.BUY`."""

    # Type checkers would take any name for one that is there.
    if not TYPE_CHECKING:  # pragma: no branch

        def __getattr__(cls, name: str) -> Any:
            members = vars(cls).get("_member_map_", {})
            if name not in members:
                it_has = f"; it has {', '.join(members)}"
                hint = "" if name.startswith("_") else did_you_mean(name, members) or it_has
                raise AttributeError(f"{cls.__name__} has no member {name!r}{hint}")
            return members[name]  # pragma: no cover  (Python 3.10 finds members only here)


class OpenEnum(str, Enum, metaclass=_Named):
    """A string enum: closed where it is sent, open where it is received."""

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise RequestError(_no_member(cls, value))

    def __str__(self) -> str:
        return str.__str__(self)

    def __format__(self, spec: str) -> str:
        return str.__format__(self, spec)


class OpenIntEnum(IntEnum, metaclass=_Named):
    """An integer enum: closed where it is sent, open where it is received."""

    def __str__(self) -> str:
        return int.__repr__(self)


def to_member(enum: type[E], value: E | str | IntegerLike) -> E:
    """The enum member of a value; an unknown value is refused."""
    if type(value) is enum:
        return value
    key = value if isinstance(value, str) else as_integer(value)
    found = None if key is None else _members(enum).get(key)
    if found is None:
        raise RequestError(_no_member(enum, value))
    return cast(E, found)


def _no_member(enum: type[Enum], value: object) -> str:
    allowed = ", ".join(repr(member.value) for member in enum)
    near = did_you_mean(value, map(str, _members(enum))) if isinstance(value, str) else ""
    return f"{cut(value)} is not one of {allowed}{near}"


@cache
def _members(enum: type[Enum]) -> dict[str | int, Enum]:
    """The members by their values: calling the enum takes several times as long."""
    return {member.value: member for member in enum}
