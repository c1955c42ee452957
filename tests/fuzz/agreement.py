"""Whether a decoded value says what the JSON said, judged by its type hints without cattrs."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints
from uuid import UUID

import attrs

from trading_runtime import HiddenJson
from trading_runtime.codec.refusals import says_something


@cache
def _hints(model: type[Any]) -> dict[str, Any]:
    return get_type_hints(model)


def agrees(value: Any, told: Any, type_: Any) -> bool:
    """Whether a value is of a type, through and through, and is what stands in the JSON."""
    if type_ is HiddenJson:
        # Of the same JSON, whose repr tells nothing.
        return json.dumps(value) == json.dumps(told) and (
            isinstance(value, HiddenJson) or not isinstance(told, (dict, list, str))
        )
    if type_ is Any:
        return same(value, told)
    if attrs.has(type_):
        return type(value) is type_ and isinstance(told, dict) and _fields_agree(value, told)
    if get_origin(type_) is tuple:
        of = get_args(type_)[0]
        return (
            type(value) is tuple
            and isinstance(told, list)
            and len(value) == len(told)
            and all(agrees(one, said, of) for one, said in zip(value, told, strict=True))
        )
    if arguments := get_args(type_):
        return any(agrees(value, told, argument) for argument in arguments)
    return _scalar_agrees(value, told, type_)


def _fields_agree(model: Any, told: dict[str, Any]) -> bool:
    class_: Any = type(model)
    for name, type_ in _hints(class_).items():
        value = getattr(model, name)
        if name not in told:
            if value not in (None, ()):
                return False
        elif name == "error" and value is None and not says_something(told[name]):
            continue  # null, false or empty, it is none
        elif not agrees(value, told[name], type_):
            return False
    return True


def _scalar_agrees(value: Any, told: Any, type_: Any) -> bool:
    if type_ in (int, bool, type(None)):
        return type(value) is type_ and type(told) is type_ and value == told
    if type_ is Decimal and type(told) in (str, int, float):
        # A number counts by its own digits.
        text = told if isinstance(told, str) else json.dumps(told)
        return type(value) is Decimal and value.is_finite() and value == Decimal(text)
    if not isinstance(told, str):
        return False
    if type_ is UUID:
        return type(value) is UUID and value.int == UUID(told).int
    return type(value) is type_ and value == told


def same(one: Any, other: Any) -> bool:
    """Equal as JSON: True is not 1, 1 is not 1.0."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
