"""The canonical text of a message: the exact characters that are signed (section 5.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
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
_NOT_PRINTABLE = "is not printable ASCII"
_ONE_FORM = "languages escape anything else differently"

_Place: TypeAlias = "tuple[_Place, str | int] | None"
"""Where a value stands: the place of its container, and its key or index there."""


def canonical_text(value: object) -> str:
    """Compact JSON of a value with the keys of every object sorted, in printable ASCII.

    Raises:
        SigningError: it holds something that `plain_value` refuses.
    """
    return json_bytes(plain_value(value)).decode()


def plain_value(value: object) -> Any:
    """The same value in plain dicts, lists and strings.

    Takes strings of printable ASCII (also subclasses such as enums, by their value), exact integers and
    booleans, None, lists, tuples, and mappings with such strings as keys.

    Raises:
        SigningError: names the path of anything else; other languages may write it differently.
    """
    try:
        return _plain(value, None)
    except RecursionError:
        pass
    raise SigningError("cannot sign the message: nested too deeply, or contains itself")


def json_bytes(value: object) -> bytes:
    """Compact JSON of a plain value, the keys of every object sorted: what is signed, and what is sent.

    Raises:
        SigningError: an integer has more digits than Python writes, or a text has no UTF-8 form.
    """
    try:
        return _writer()(value)
    except ValueError as error:
        problem = str(error)
    raise SigningError(f"cannot sign the message: {problem}")


@cache
def _writer() -> Callable[[object], bytes]:
    import msgspec  # late: it takes a quarter of the time that importing requests takes

    return msgspec.json.Encoder(order="sorted").encode


def _plain(value: Any, place: _Place) -> Any:
    kind = type(value)
    if kind in _EXACT or (kind is str and _is_printable(value)):
        return value
    if kind is dict or isinstance(value, Mapping):
        return {
            name if type(name) is str and _is_printable(name) else _name(name, place): _plain(
                item, (place, name)
            )
            for name, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_plain(item, (place, index)) for index, item in enumerate(value)]
    if isinstance(value, str):
        # str's own __str__: an enum's may give the member's name.
        text = str.__str__(value)
        if _is_printable(text):
            return text
        raise _refusal(place, _NOT_PRINTABLE, _ONE_FORM)
    instead = _INSTEAD.get(kind.__name__, "give text, a plain int or a bool")
    raise _refusal(place, f"is a {kind.__name__}", instead)


def _is_printable(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _name(key: object, place: _Place) -> str:
    """The plain text of a key that is no plain string."""
    if not isinstance(key, str):
        raise _refusal(place, f"has a key of type {type(key).__name__}", "give an ASCII string")
    name = str.__str__(key)
    if not _is_printable(name):
        raise _refusal(place, f"has the key {name!a}, which {_NOT_PRINTABLE}", _ONE_FORM)
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
