"""JSON as the standard has it: no NaN, no number out of range, no endless nesting."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, NoReturn

_NAMES: dict[Any, str] = {
    int: "an integer",
    str: "a string",
    bool: "a boolean",
    list: "a list",
    dict: "an object",
}


def parse(body: bytes) -> Any:
    """Parse JSON in UTF-8. Of duplicate keys the last one wins.

    Raises:
        ValueError: it is not JSON, or holds a number that JSON does not have, or nests too deep.
    """
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_no_such_number, parse_float=_finite)
    except RecursionError:
        pass
    raise ValueError("nested too deep")


def _no_such_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text[:60]} is out of range")
    return number


def exactly(type_: type[Any]) -> Callable[..., Any]:
    """A hook that takes a JSON value as it is, where cattrs would convert it: "1" is no integer."""

    def hook(value: Any, _: Any = None) -> Any:
        if type(value) is not type_:
            found = "null" if value is None else _NAMES.get(type(value), "a fraction")
            raise ValueError(f"expected {_NAMES[type_]}, not {found}")
        return value

    return hook


as_object = exactly(dict)
