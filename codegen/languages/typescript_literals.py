"""TypeScript: data as literals, in the form that Biome gives them, so that no formatter has to run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from codegen.languages.typescript import property_name

WIDTH = 100


class Name(str):
    """An identifier that stands among data as it is."""


def literal(value: Any, *, column: int = 0, indent: int = 0) -> str:
    """A value as a literal: on one line where that has room, else one member a line.

    Args:
        column: Where the literal begins in its line.
        indent: How far the line that it begins in is indented.
    """
    if column + len(flat := _flat(value)) + 1 <= WIDTH and not _breaks(value):
        return flat
    inner = indent + 2
    if isinstance(value, Mapping):
        lines = [_member(key, each, inner) for key, each in value.items()]
        return "\n".join(["{", *lines, f"{' ' * indent}}}"])
    if _is_list(value):
        lines = [f"{' ' * inner}{literal(each, column=inner, indent=inner)}," for each in value]
        return "\n".join(["[", *lines, f"{' ' * indent}]"])
    return flat


def _member(key: str, value: Any, indent: int) -> str:
    name = property_name(key)
    text = literal(value, column=indent + len(name) + 2, indent=indent)
    return f"{' ' * indent}{name}: {text},"


def _breaks(value: Any) -> bool:
    """Whether a formatter writes it on several lines, whatever the room."""
    if isinstance(value, Mapping):
        return any(map(_breaks, value.values()))
    if not _is_list(value):
        return False
    objects = [each for each in value if isinstance(each, Mapping) and len(each) > 1]
    return any(map(_breaks, value)) or len(objects) == len(value) > 1


def _flat(value: Any) -> str:
    if isinstance(value, Mapping):
        members = ", ".join(f"{property_name(key)}: {_flat(each)}" for key, each in value.items())
        return f"{{ {members} }}" if members else "{}"
    if _is_list(value):
        return f"[{', '.join(map(_flat, value))}]"
    return value if isinstance(value, Name) else json.dumps(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
