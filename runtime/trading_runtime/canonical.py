"""The canonical text of a message: the exact characters that are signed (section 5.1)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from trading_runtime.errors import SigningError

_INSTEAD = {
    "float": 'give a decimal string such as "0.1"; a float has no exact text',
    "Decimal": "give its plain decimal text",
    "bytes": "give ASCII text",
    "UUID": "give its text",
}
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_ASCII_ONLY = "languages escape anything else differently"


def canonical_text(value: object) -> str:
    """Return compact JSON of a value with the keys of every object sorted, pure ASCII.

    Takes ASCII strings (also subclasses such as enums, by their value), exact integers and
    booleans, None, lists, tuples, and mappings with such strings as keys. Raises SigningError
    naming the path of anything else, because services in other languages may write it otherwise.
    """
    try:
        return json.dumps(_plain(value, ""), sort_keys=True, separators=(",", ":"))
    except RecursionError:
        problem = "nested too deeply, or contains itself"
    except ValueError:
        problem = "an integer has more digits than Python writes (sys.set_int_max_str_digits)"
    raise SigningError(f"cannot sign the message: {problem}")


def _plain(value: Any, path: str) -> Any:
    """Copy a value into exact str, int, bool, None, list and dict, refusing everything else."""
    if isinstance(value, str):
        # An enum's own __str__ may give its name; str's gives the text that it is equal to.
        exact = str.__str__(value)
        if not exact.isascii():
            raise _refusal(path, "is not ASCII", _ASCII_ONLY)
        return exact
    if value is None or type(value) in (int, bool):
        return value
    if isinstance(value, Mapping):
        plain: dict[str, Any] = {}
        for key, item in value.items():
            name = _key(key, path)
            plain[name] = _plain(item, _under(path, name))
        return plain
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{path}[{index}]") for index, item in enumerate(value)]
    kind = type(value).__name__
    raise _refusal(path, f"is a {kind}", _INSTEAD.get(kind, "give text, a plain int or a bool"))


def _key(key: object, path: str) -> str:
    if not isinstance(key, str):
        raise _refusal(path, f"has a key of type {type(key).__name__}", "give an ASCII string")
    exact = str.__str__(key)
    if not exact.isascii():
        raise _refusal(path, f"has the key {exact!a}, which is not ASCII", _ASCII_ONLY)
    return exact


def _under(path: str, name: str) -> str:
    if not _NAME.fullmatch(name):
        return f"{path}[{name!a}]"
    return f"{path}.{name}" if path else name


def _refusal(path: str, problem: str, instead: str) -> SigningError:
    return SigningError(f"cannot sign the message: {path or 'it'} {problem}; {instead}")
