"""The base classes of generated enums."""

from __future__ import annotations

from enum import Enum, EnumMeta, IntEnum
from types import UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

from trading_runtime.checks import did_you_mean
from trading_runtime.codec.fields import no_member
from trading_runtime.errors import RequestError


class _Named(EnumMeta):
    """The metaclass of enums, whose errors name the member that was meant: `Side.BID` for `Side.BUY`."""

    # Hidden from type checkers, which would accept any name.
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
        raise RequestError(no_member(cls, value))

    def __str__(self) -> str:
        return str.__str__(self)

    def __format__(self, spec: str) -> str:
        return str.__format__(self, spec)


class OpenIntEnum(IntEnum, metaclass=_Named):
    """An integer enum: closed where it is sent, open where it is received."""

    def __str__(self) -> str:
        return int.__repr__(self)


def open_enum(type_: Any) -> type[OpenEnum | OpenIntEnum] | None:
    """The enum of a type like `Side | str` or `Level | int`, which keeps unknown values; None for other types.

    Only the annotation says that an enum is open; it is generated from the spec.
    """
    arguments = get_args(type_) if get_origin(type_) in (Union, UnionType) else ()
    for plain, kind in ((str, OpenEnum), (int, OpenIntEnum)):
        enums = [a for a in arguments if isinstance(a, type) and issubclass(a, kind)]
        if enums and plain in arguments:
            return enums[0]
    return None
