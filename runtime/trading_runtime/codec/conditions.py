"""What is checked of the fields of a request together: which must be given, and which comes first."""

from __future__ import annotations

from typing import Any

from trading_runtime.errors import RequestError


def exactly_one(instance: object, *names: str) -> None:
    """Refuse a model unless exactly one of the named fields is given."""
    given = [name for name in names if getattr(instance, name) is not None]
    if len(given) != 1:
        what = "both were given" if given else "none was given"
        raise RequestError(
            f"{type(instance).__name__}: exactly one of {' and '.join(names)} is needed, {what}"
        )


def at_least_one(instance: object, *names: str) -> None:
    """Refuse a model if none of the named fields is given."""
    if all(getattr(instance, name) is None for name in names):
        raise RequestError(f"{type(instance).__name__}: {' or '.join(names)} is needed")


def needs(instance: object, name: str, value: Any, *needed: str) -> None:
    """Refuse a model that lacks what a field needs: one that is given, or has a value."""
    given = getattr(instance, name)
    if given is None or (value is not None and given != value):
        return
    if missing := [each for each in needed if getattr(instance, each) is None]:
        case = f"{name} is given" if value is None else f"{name} is {value!r}"
        raise RequestError(
            f"{type(instance).__name__}: {' and '.join(missing)} must be given if {case}"
        )


def not_before(instance: object, name: str, earlier: str) -> None:
    """Refuse a model whose one moment is before another one: no record is in between."""
    first, last = getattr(instance, earlier), getattr(instance, name)
    if first is not None and last is not None and last < first:
        raise RequestError(
            f"{type(instance).__name__}: {name} {last} is before {earlier} {first}; exchange the two"
        )
