"""The options of faults, with their meanings and the checks of their values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from trading_runtime import is_integer, is_number

LONGEST_SECONDS = 3600
LARGEST_OFFSET_MS = 365 * 24 * 3_600_000

_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\xa0-\xff]*")


@frozen
class Option:
    """The meaning of one option, the check of its values, and their JSON Schema."""

    meaning: str
    check: Callable[[Any], Any]
    """Returns the value as it is stored, or raises TypeError or ValueError."""
    schema: Mapping[str, Any]


def _integer(meaning: str, low: int, high: int) -> Option:
    def check(value: Any) -> int:
        if not is_integer(value):
            raise TypeError(f"must be an integer, not {value!r}")
        if not low <= value <= high:
            raise ValueError(f"must be from {low} to {high}, not {value}")
        return value

    return Option(meaning, check, {"type": "integer", "minimum": low, "maximum": high})


def _seconds(value: Any) -> float:
    if not is_number(value):
        raise TypeError(f"must be a number of seconds, not {value!r}")
    if not 0 <= value <= LONGEST_SECONDS:
        raise ValueError(f"must be from 0 to {LONGEST_SECONDS} seconds, not {value}")
    return float(value)


def _body(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if not isinstance(value, bytes):
        raise TypeError(f"must be a string or bytes, not {value!r}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"must be a string, not {value!r}")
    if not value:
        raise ValueError("must not be empty")
    return value


def _header_text(value: Any) -> str:
    if not _VALUE.fullmatch(_text(value)):
        raise ValueError(f"must be printable Latin-1 on one line, not {value!r}")
    return str(value)


def _headers(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise TypeError(f"must map names to values, not {value!r}")
    for name, text in value.items():
        if not (isinstance(name, str) and isinstance(text, str)):
            raise TypeError(f"must map strings to strings, not {name!r} to {text!r}")
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a header")
        if not _VALUE.fullmatch(text):
            raise ValueError(f"{name} must be printable Latin-1 on one line, not {text!r}")
    return dict(value)


def _json_value(value: Any) -> Any:
    json.dumps(value, allow_nan=False)
    return value


_TEXT: Mapping[str, Any] = {"type": "string"}

OPTIONS: Mapping[str, Option] = {
    "status": _integer("status of the answer", 200, 599),
    "body": Option("body of the answer, a string or bytes", _body, _TEXT),
    "headers": Option(
        "headers that the answer has besides, or instead of its own",
        _headers,
        {"type": "object", "additionalProperties": _TEXT},
    ),
    "seconds": Option(
        "how long it takes, in seconds",
        _seconds,
        {"type": "number", "minimum": 0, "maximum": LONGEST_SECONDS},
    ),
    "offset_ms": _integer(
        "how far the clock is ahead, in ms; negative: behind",
        -LARGEST_OFFSET_MS,
        LARGEST_OFFSET_MS,
    ),
    "field": Option("name of the field that is changed, wherever it stands first", _text, _TEXT),
    "value": Option("JSON value that is sent instead", _json_value, {}),
    "location": Option("URL that the answer points to", _header_text, _TEXT),
    "keep": _integer("how many bytes are sent of what is cut", 0, 2**30),
    "size": _integer("how large it is: bytes, digits, levels or headers", 1, 2**30),
}
