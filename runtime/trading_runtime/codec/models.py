"""The base class of generated models: how they are compared, and how they name what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from trading_runtime.checks import meant_by, no_attribute
from trading_runtime.shown import Result, Shown, fields_of

_TO_DICT = dict.fromkeys(
    ("dict", "get", "items", "json", "keys", "model_dump", "to_dict", "to_json", "values"),
    "to_dict(record)",
)
"""Methods that records of other libraries have -> what to write instead."""


class BaseModel(Shown, Result):
    """The base class of every generated model: shown, compared and hashed by its fields."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash(_values(self))

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


def _values(instance: object) -> tuple[Any, ...]:
    return tuple([getattr(instance, each.name) for each in fields_of(instance)])
