"""Received objects whose names are data: maps that nobody can change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from attrs.exceptions import FrozenInstanceError

V_co = TypeVar("V_co", covariant=True)


class FrozenMap(Mapping[str, V_co]):
    """A received map. It equals a dict with the same items, and is hashable if they are.

    It is no `dict`, so `json.dumps` needs `dict(it)`, or a model that holds it, unstructured.
    """

    __slots__ = ("_items",)
    _items: Mapping[str, V_co]

    def __init__(self, items: Mapping[str, V_co]) -> None:
        """Keep a copy of the items."""
        object.__setattr__(self, "_items", dict(items))

    def __getitem__(self, name: str) -> V_co:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._items})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError

    def __reduce__(self) -> tuple[Any, ...]:
        # To copy and to unpickle would set the slot.
        return type(self), (dict(self._items),)
