"""Walks through what was read from JSON or YAML."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def everything(tree: Any) -> Iterator[Any]:
    """A value and all that it holds, from the outside to the inside."""
    yield tree
    if isinstance(tree, (dict, list)):
        for each in tree.values() if isinstance(tree, dict) else tree:
            yield from everything(each)


def objects(tree: Any) -> Iterator[dict[str, Any]]:
    """Every object in a value, itself included."""
    return (each for each in everything(tree) if isinstance(each, dict))


def unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def at(tree: Any, pointer: str) -> Any:
    """What stands at a JSON pointer."""
    value = tree
    for step in pointer.split("/")[1:]:
        value = value[int(step) if isinstance(value, list) else unescaped(step)]
    return value


def followed(tree: Any, value: dict[str, Any]) -> dict[str, Any]:
    """An object of a tree without its reference: what it refers to, and what stands beside the reference."""
    while "$ref" in value:
        value = {**at(tree, value["$ref"]), **{k: v for k, v in value.items() if k != "$ref"}}
    return value
