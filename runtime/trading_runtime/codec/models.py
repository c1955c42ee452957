"""The base classes of generated models and enums, which also name what was meant."""

from __future__ import annotations

from enum import Enum, EnumMeta, IntEnum
from types import UnionType
from typing import TYPE_CHECKING, Any, NoReturn, Union, get_args, get_origin

from trading_runtime.checks import did_you_mean, meant_by, no_attribute
from trading_runtime.codec.fields import no_member
from trading_runtime.errors import RequestError
from trading_runtime.shown import Compared, Result, fields_of

_TO_DICT = dict.fromkeys(
    ("dict", "get", "items", "json", "keys", "model_dump", "to_dict", "to_json", "values"),
    "to_dict(record)",
)
"""Methods that records of other libraries have -> what to write instead."""


class BaseModel(Compared, Result):
    """The base class of every generated model: shown, compared and hashed by its fields."""

    __slots__ = ()

    # Hidden from type checkers, which would accept any name and any key.
    if not TYPE_CHECKING:  # pragma: no branch

        def __getattr__(self, name: str) -> Any:
            """Raise an error that names the attribute that was meant, like `order_status` for `status`."""
            raise no_attribute(self, name, _TO_DICT)

        __iter__ = None  # else Python would iterate by __getitem__

        def __getitem__(self, name: object) -> NoReturn:
            names = [each.name for each in fields_of(self)]
            near = meant_by(name, names)
            hint = f"write .{near}" if near else f"it has {', '.join(names)}"
            what = type(self).__name__
            raise TypeError(f"{what} has attributes, not keys: {hint}; to_dict(record) has keys")


# -- enums ------------------------------------------------------------------------------------


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
