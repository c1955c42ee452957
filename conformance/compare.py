"""The first difference between what a case expects and what a program answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from math import isclose, isnan
from typing import Any

from attrs import frozen

from conformance.values import Value

ABSENT = "nothing"
_SECONDS = 1e-6
_LONGEST = 2_000
"""How many characters of a value are shown."""
_BEFORE = 500
"""How many of them stand before the first character that differs, where a value is cut."""


@frozen
class Difference:
    """Where two values differ, and what stands there."""

    path: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.path or 'the answer'}: expected {self.expected}, got {self.got}"


def differ(path: str, expected: object, got: object) -> Difference:
    """A difference, its values whole; of very long ones, the part where they differ."""
    one, other = _text(expected), _text(got)
    start = max(0, _first_place(one, other) - _BEFORE)
    return Difference(path, _part(one, start), _part(other, start))


def _text(value: object) -> str:
    return value if isinstance(value, str) and value == ABSENT else repr(value)


def _first_place(one: str, other: str) -> int:
    """Where two texts differ first; the end of the shorter one if it begins the other."""
    for place, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return place
    return min(len(one), len(other))


def _part(text: str, start: int) -> str:
    """A text that is short enough, else what stands in it from a place on, marked where it is cut."""
    if len(text) <= _LONGEST:
        return text
    end = start + _LONGEST
    return ("… " if start else "") + text[start:end] + (" …" if end < len(text) else "")


def difference(
    expected: Value, got: Value, *, path: str = "", part: bool = False
) -> Difference | None:
    """The first difference between an expected result and another one.

    Args:
        path: Where the two stand.
        part: Whether fields that are not expected may be there.
    """
    if isinstance(expected, Mapping):
        (tag, *others) = expected or ("",)
        if not others and tag in _PATTERNS:
            return None if _PATTERNS[tag](expected[tag], got) else differ(path, expected, got)
        return _of_objects(expected, got, path, part)
    if isinstance(expected, list):
        return _of_lists(expected, got, path, part)
    return None if _same(expected, got) else differ(path, expected, got)


def exact_difference(expected: Value, got: Value, path: str = "") -> Difference | None:
    """The first difference between two JSON texts, once read: nothing may be absent, or more."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        for name in (*expected, *got):
            if name not in expected or name not in got:
                return differ(_at(path, name), expected.get(name, ABSENT), got.get(name, ABSENT))
            found = exact_difference(expected[name], got[name], _at(path, name))
            if found:
                return found
        return None
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        pairs = enumerate(zip(expected, got, strict=True))
        found_in = (exact_difference(*each, path=f"{path}[{index}]") for index, each in pairs)
        return next(filter(None, found_in), None)
    same = type(expected) is type(got) and expected == got
    return None if same else differ(path, expected, got)


def _of_objects(
    expected: Mapping[str, Value], got: Value, path: str, part: bool
) -> Difference | None:
    if not isinstance(got, Mapping):
        return differ(path, expected, got)
    for name, value in expected.items():
        at = _at(path, name)
        if name not in got and not _is_nothing(value):
            return differ(at, value, ABSENT)
        found = difference(value, got.get(name), path=at, part=part)
        if found:
            return found
    more = [] if part else [name for name in got if name not in expected]
    for name in more:
        if not _is_nothing(got[name]):
            return differ(_at(path, name), ABSENT, got[name])
    return None


def _of_lists(expected: list[Value], got: Value, path: str, part: bool) -> Difference | None:
    if got is None and not expected:
        return None
    if not isinstance(got, list):
        return differ(path, expected, got)
    for index, (one, other) in enumerate(zip(expected, got, strict=False)):
        found = difference(one, other, path=f"{path}[{index}]", part=part)
        if found:
            return found
    if len(expected) != len(got):
        return differ(f"{path}.length", len(expected), len(got))
    return None


def _is_nothing(value: Value) -> bool:
    return value is None or value == []


def _same(expected: Value, got: Value) -> bool:
    if isinstance(expected, float) and not isinstance(got, (bool, str)) and got is not None:
        return _close(expected, got)
    if isinstance(expected, Decimal) or isinstance(got, Decimal):
        return _same_number(expected, got)
    return type(expected) is type(got) and bool(expected == got)


def _same_number(expected: Value, got: Value) -> bool:
    """Whether two are the same exact number, each of them a decimal or the text of one."""
    if not (isinstance(expected, (Decimal, str)) and isinstance(got, (Decimal, str))):
        return False
    try:
        return Decimal(expected) == Decimal(got)
    except InvalidOperation:
        return False


def _close(expected: float, got: Value) -> bool:
    if not isinstance(got, (int, float, Decimal)):
        return False
    return isclose(expected, float(got), abs_tol=_SECONDS) or (
        isnan(expected) and isnan(float(got))
    )


def _between(bounds: Sequence[Any], got: Value) -> bool:
    low, high = bounds
    return isinstance(got, (int, float, Decimal)) and low <= got <= high


def _anything(_: object, got: Value) -> bool:
    return not _is_nothing(got)


def _number(text: str, got: Value) -> bool:
    return _same(float(text), got)


_PATTERNS: Mapping[str, Callable[[Any, Value], bool]] = {
    "$any": _anything,
    "$between": _between,
    "$float": _number,
}
"""What may stand in the place of an expected value: anything, a number in bounds, seconds."""


def _at(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
