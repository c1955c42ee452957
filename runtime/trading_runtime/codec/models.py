"""The base classes of generated models and enums, which also name what was meant."""

from __future__ import annotations

import warnings
from collections.abc import Generator
from enum import Enum, EnumMeta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

import attrs

from trading_runtime.checks import did_you_mean, meant_by, no_attribute

_TO_DICT: dict[str, str] = dict.fromkeys(
    ("dict", "get", "items", "json", "keys", "model_dump", "to_dict", "to_json", "values"),
    "to_dict(record)",
)
"""Methods that records of other libraries have -> what to write instead."""


class Synchronous:
    """The base class of what calls return. Awaiting a result by mistake warns, and returns the result.

    An error in place of it would hide an order that was placed, and helpers that await whatever they can
    would raise it.
    """

    __slots__ = ()

    # Hidden from type checkers, which would take calls for coroutines.
    if not TYPE_CHECKING:  # pragma: no branch

        def __await__(self) -> Generator[None, None, Synchronous]:
            warnings.warn(
                f"{type(self).__name__} was awaited, and needs no await: this SDK is synchronous, so the call "
                "was carried out before, and the event loop stood still meanwhile; docs/asyncio.md shows "
                "asyncio.to_thread",
                RuntimeWarning,
                stacklevel=2,
            )
            yield from ()  # nothing to wait for
            return self


@lru_cache(maxsize=1024)
def _lacks(owner: type[Any], name: str) -> str:
    """What is said of an attribute that a model lacks. Programs ask all records for what some have."""
    return str(no_attribute(owner, name, _TO_DICT))


class BaseModel(Synchronous):
    """The base class of every generated model."""

    __slots__ = ()

    # Hidden from type checkers, which would accept any name and any key.
    if not TYPE_CHECKING:  # pragma: no branch

        def __getattr__(self, name: str) -> Any:
            """Raise an error that names the attribute that was meant, like `order_status` for `status`."""
            if name in vars(type(self)):  # msgspec asks whether a field has its value yet
                raise AttributeError(name)
            raise AttributeError(_lacks(type(self), name), name=name, obj=None)

        __iter__ = None  # else Python would iterate by __getitem__

        def __getitem__(self, name: object) -> NoReturn:
            names = [field.name for field in attrs.fields(type(self))]
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
    """A string enum: closed where it is sent, open where it is received.

    A received value that this version does not know is a member without a name of its own. It equals its text, and
    is hashed and pickled as it; `is_known` is False, and nothing sends it.
    """

    @classmethod
    def _missing_(cls, value: object) -> OpenEnum | None:
        if not isinstance(value, str):
            return None
        text = str.__str__(value)
        unknown = str.__new__(cls, text)
        unknown._name_, unknown._value_ = "_UNKNOWN", text
        return unknown

    @property
    def is_known(self) -> bool:
        """Whether this version knows the value."""
        return self._value_ in type(self)._value2member_map_

    def __str__(self) -> str:
        return str.__str__(self)

    def __format__(self, spec: str) -> str:
        return str.__format__(self, spec)


def is_unknown(value: object) -> bool:
    """Whether a received value is a member of an enum that this version does not know."""
    return isinstance(value, OpenEnum) and not value.is_known
