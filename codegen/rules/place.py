"""A place: an object of a spec at its own JSON pointer, whatever it refers to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from codegen.read.load import Node, escaped
from codegen.read.operations import HTTP_METHODS


@frozen
class Place:
    """An object or a list of the spec. `$ref` is followed; what stands beside it is laid over it."""

    node: Node
    pointer: str
    beside: frozenset[str] | None = None
    """The words beside its `$ref`. None if it is no reference."""

    def at(self, word: str | int) -> str:
        """The pointer to one of its words."""
        here = self.beside is None or word in self.beside
        return f"{self.pointer if here else self.node.pointer}/{escaped(word)}"

    def child(self, key: str | int) -> Place:
        """The place under one of its words."""
        return self._of(key, self.node[key])

    def _of(self, key: str | int, node: Node) -> Place:
        raw = self.node.value[key]
        refers = isinstance(raw, dict) and "$ref" in raw
        beside = frozenset(map(str, raw)) - {"$ref"} if refers else None
        return Place(node, self.at(key), beside)

    def below(self, *keys: str) -> Place | None:
        """The place under several words, one after the other, or None if one of them is missing."""
        place = self
        for key in keys:
            if key not in place.node:
                return None
            place = place.child(key)
        return place

    def named(self, word: str) -> dict[str, Place]:
        """The places under a word, by their names."""
        holder = self.below(word)
        if holder is None or not is_map(holder.node.value):
            return {}
        return {key: holder._of(key, node) for key, node in holder.node.items()}

    def each(self, word: str) -> list[Place]:
        """The places in the list under a word."""
        holder = self.below(word)
        if holder is None or not isinstance(holder.node.value, list):
            return []
        return [holder.child(index) for index in range(len(holder.node.value))]


def is_map(value: Any) -> bool:
    """Whether a value is a mapping."""
    return isinstance(value, dict)


def schema_of(place: Place | None) -> Place | None:
    """The schema of a request body or a response."""
    return place.below("content", "application/json", "schema") if place else None


def parts(place: Place) -> Iterator[Place]:
    """An object schema and the parts of its allOf."""
    yield place
    for part in place.each("allOf"):
        yield from parts(part)


def members(schema: Place) -> dict[str, Place]:
    """The properties of an object schema, including those of its allOf."""
    found: dict[str, Place] = {}
    for part in schema.each("allOf"):
        found |= members(part)
    return found | schema.named("properties")


def operation_places(document: Place) -> Iterator[Place]:
    """The place of every operation."""
    for item in document.named("paths").values():
        for method in sorted(HTTP_METHODS):
            operation = item.below(method)
            if operation and is_map(operation.node.value):
                yield operation
