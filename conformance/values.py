"""The values of the protocol: tags in JSON stand for what JSON numbers and texts would lose."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn, TypeAlias

Value: TypeAlias = Any
"""None, bool, int, Decimal, float, str, and lists and dicts of them."""


class BadValue(ValueError):
    """A line, or a part of it, is not what the protocol says."""


def tagged(value: Value) -> Any:
    """A value as it stands in a command: numbers in tags. Tags that are there stay as they are."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return value if _is_whole(value) else {"$utf16": [tagged(unit) for unit in _units(value)]}
    if isinstance(value, int):
        return {"$int": str(value)}
    if isinstance(value, Decimal):
        return {"$decimal": str(value)}
    if isinstance(value, float):
        return {"$float": _float_text(value)}
    if isinstance(value, Mapping):
        return {name: tagged(each) for name, each in value.items()}
    return [tagged(each) for each in value]


def untagged(value: Any) -> Value:
    """What stands for a value of a result.

    Raises:
        BadValue: a bare number, or a tag that is none.
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, list):
        return [untagged(each) for each in value]
    if not isinstance(value, dict):
        raise BadValue(f"a bare number, {str(value)[:40]}: give it a tag, like $int")
    (name, *others) = value or ("",)
    if others or not name.startswith("$"):
        return {key: untagged(each) for key, each in value.items()}
    read = _TAGS.get(name)
    if read is None:
        raise BadValue(f"unknown tag {name}")
    try:
        return read(value[name])
    except (ValueError, TypeError, InvalidOperation) as error:
        raise BadValue(f"{name} {str(value[name])[:40]!r} is not readable") from error


def exact_json(text: str | bytes) -> Value:
    """JSON in which no name comes twice, and integers have neither a point nor an exponent.

    Raises:
        ValueError: the text is something else.
    """
    return json.loads(text, object_pairs_hook=once, parse_float=_refused, parse_constant=_refused)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these members, for a reader of JSON.

    Raises:
        ValueError: a name comes twice.
    """
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name comes twice in an object")
    return found


def read_line(line: bytes) -> dict[str, Any]:
    """The object of a line of a program.

    Raises:
        BadValue: the line is no JSON object in ASCII, or has a bare number beside `id`.
    """
    try:
        found = json.loads(line.decode("ascii"), object_pairs_hook=once, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise BadValue(f"no JSON in ASCII: {error}") from error
    if not isinstance(found, dict):
        raise BadValue("no object")
    number = found.pop("id", None)
    return {"id": number, **{name: untagged(each) for name, each in found.items()}}


def _refused(text: str) -> NoReturn:
    raise ValueError(f"the number {text[:40]}")


def _is_whole(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _units(text: str) -> list[int]:
    raw = text.encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(raw[at : at + 2], "little") for at in range(0, len(raw), 2)]


def _text(units: list[Any]) -> str:
    raw = b"".join(int(untagged(unit)).to_bytes(2, "little") for unit in units)
    return raw.decode("utf-16-le", "surrogatepass")


def _float_text(value: float) -> str:
    text = repr(value)
    return {"inf": "infinity", "-inf": "-infinity"}.get(text, text)


def _decimal(text: str) -> Decimal:
    if not isinstance(text, str):
        raise TypeError
    return Decimal(text)


def _integer(text: str) -> int:
    if not isinstance(text, str) or not text.removeprefix("-").isdecimal() or not text.isascii():
        raise TypeError
    return int(text)


_TAGS: Mapping[str, Callable[[Any], Value]] = {
    "$int": _integer,
    "$decimal": _decimal,
    "$float": float,
    "$utf16": _text,
    "$time": lambda text: {"$time": str(_integer(text))},
}
