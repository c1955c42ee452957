"""The canonical text of a message: the exact characters that are signed (section 5.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any, TypeAlias

from trading_runtime.errors import SigningError

_INSTEAD = {
    "float": 'give a decimal string such as "0.1"; a float has no exact text',
    "Decimal": "give its plain decimal text",
    "bytes": "give ASCII text",
    "UUID": "give its text",
}
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-]+")
_ASCII_ONLY = "languages escape anything else differently"

_Place: TypeAlias = "tuple[_Place, str | int] | None"
"""Where a value stands: the place of what holds it, and its key or index there."""


def canonical_text(value: object, name: str | None = None) -> str:
    """Return compact JSON of a value with the keys of every object sorted, pure ASCII.

    Takes ASCII strings (also subclasses such as enums, by their value), exact integers and
    booleans, None, lists, tuples, and mappings with such strings as keys. Raises SigningError
    naming the path of anything else, because services in other languages may write it otherwise.
    The path starts at `name`, that of the value itself where it is part of a greater one.
    """
    try:
        return _text(value, None if name is None else (None, name))
    except RecursionError:
        problem = "nested too deeply, or contains itself"
    except ValueError:
        problem = "an integer has more digits than Python writes (sys.set_int_max_str_digits)"
    raise SigningError(f"cannot sign the message: {problem}")


def _text(value: Any, place: _Place) -> str:
    kind = type(value)
    if kind is str and value.isascii():
        return _quoted(value)
    if kind is int:
        return str(value)
    if kind is bool:
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        # Looked up by what is written, so that no name can be written twice.
        members = {_name(key, place): _text(item, (place, key)) for key, item in value.items()}
        texts = [f"{_quoted(name)}:{members[name]}" for name in sorted(members)]
        return "{" + ",".join(texts) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([_text(item, (place, i)) for i, item in enumerate(value)]) + "]"
    if isinstance(value, str):
        # An enum's own __str__ may give its name; str's gives the text that it is equal to.
        exact = str.__str__(value)
        if exact.isascii():
            return _quoted(exact)
        raise _refusal(place, "is not ASCII", _ASCII_ONLY)
    instead = _INSTEAD.get(kind.__name__, "give text, a plain int or a bool")
    raise _refusal(place, f"is a {kind.__name__}", instead)


def _name(key: object, place: _Place) -> str:
    if type(key) is str and key.isascii():
        return key
    if not isinstance(key, str):
        raise _refusal(place, f"has a key of type {type(key).__name__}", "give an ASCII string")
    exact = str.__str__(key)
    if not exact.isascii():
        raise _refusal(place, f"has the key {exact!a}, which is not ASCII", _ASCII_ONLY)
    return exact


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
