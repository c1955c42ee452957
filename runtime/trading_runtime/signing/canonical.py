"""The canonical text of a message: the exact characters that are signed (section 5.1)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from trading_runtime.errors import SigningError

_INSTEAD = {
    "float": 'give a decimal string such as "0.1"; a float has no exact text',
    "Decimal": "give its plain decimal text",
    "bytes": "give ASCII text",
    "UUID": "give its text",
}
_EXACT = frozenset({int, bool, type(None)})
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-]+")
_ASCII_ONLY = "languages escape anything else differently"
_write = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False).encode

_Place: TypeAlias = "tuple[_Place, str | int] | None"
"""Where a value stands: the place of its container, and its key or index there."""


def canonical_text(value: object) -> str:
    """Compact JSON of a value with the keys of every object sorted, in pure ASCII.

    Raises:
        SigningError: it holds something that `canonical_value` refuses.
    """
    return json_text(canonical_value(value))


def canonical_value(value: object) -> Any:
    """The same value in plain dicts, lists and strings, the keys of every dict sorted.

    Takes ASCII strings (also subclasses such as enums, by their value), exact integers and
    booleans, None, lists, tuples, and mappings with such strings as keys.

    Raises:
        SigningError: names the path of anything else; other languages may write it differently.
    """
    try:
        return _plain(value, None)
    except RecursionError:
        pass
    raise SigningError("cannot sign the message: nested too deeply, or contains itself")


def json_text(value: object) -> str:
    """Compact JSON of a plain value, its keys in the order that they have, in pure ASCII.

    Raises:
        SigningError: an integer has more digits than Python writes.
    """
    try:
        return _write(value)
    except ValueError:
        problem = "an integer has more digits than Python writes (sys.set_int_max_str_digits)"
    raise SigningError(f"cannot sign the message: {problem}")


def _plain(value: Any, place: _Place) -> Any:
    kind = type(value)
    if kind in _EXACT or (kind is str and value.isascii()):
        return value
    if kind is dict or isinstance(value, Mapping):
        return _object(value, place)
    if isinstance(value, (list, tuple)):
        return [_plain(item, (place, index)) for index, item in enumerate(value)]
    if isinstance(value, str):
        # str's own __str__: an enum's may give the member's name.
        text = str.__str__(value)
        if text.isascii():
            return text
        raise _refusal(place, "is not ASCII", _ASCII_ONLY)
    instead = _INSTEAD.get(kind.__name__, "give text, a plain int or a bool")
    raise _refusal(place, f"is a {kind.__name__}", instead)


def _object(value: Mapping[Any, Any], place: _Place) -> dict[str, Any]:
    # By the plain name: two subclasses of str with the same text must not be written twice.
    members: dict[str, Any] = {}
    for key, item in value.items():
        name = key if type(key) is str and key.isascii() else _name(key, place)
        members[name] = _plain(item, (place, key))
    return {name: members[name] for name in sorted(members)}


def _name(key: object, place: _Place) -> str:
    """The plain text of a key that is no plain ASCII string."""
    if not isinstance(key, str):
        raise _refusal(place, f"has a key of type {type(key).__name__}", "give an ASCII string")
    name = str.__str__(key)
    if not name.isascii():
        raise _refusal(place, f"has the key {name!a}, which is not ASCII", _ASCII_ONLY)
    return name


def _path(place: _Place) -> str:
    if place is None:
        return ""
    before, step = _path(place[0]), place[1]
    if isinstance(step, int):
        return f"{before}[{step}]"
    name = str.__str__(step)
    if not _PLAIN_NAME.fullmatch(name):
        return f"{before}[{name!a}]"
    return f"{before}.{name}" if before else name


def _refusal(place: _Place, problem: str, instead: str) -> SigningError:
    return SigningError(f"cannot sign the message: {_path(place) or 'it'} {problem}; {instead}")
