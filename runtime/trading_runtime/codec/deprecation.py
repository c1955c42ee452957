"""Warnings of what a caller gives: it is deprecated, or may be meant otherwise.

Those of what the spec calls deprecated name the line of the user, not one of the SDK.

Python shows a warning once for each line that causes it, unless a user asks for more or less.
"""

from __future__ import annotations

import sys
import warnings
from decimal import Decimal
from enum import Enum
from typing import Any, TypeVar

from trading_runtime.checks import warn

E = TypeVar("E", bound=Enum)
_FRACTION = Decimal("0.1")
"""Percentages below this one are rare, and as fractions they are not."""


def warn_if_given(instance: Any, attribute: Any, value: Any) -> None:
    """A validator: whoever gives the deprecated field of a request is warned."""
    model = type(instance)
    if value is not attribute.default:
        _warn(f"{model.__name__}.{attribute.name} is deprecated", model)


def warned(member: E, *deprecated: str | int) -> E:
    """The member of an enum that a caller gave. He is warned if its value is deprecated."""
    enum = type(member)
    if member.value in deprecated:
        _warn(f"{enum.__name__}.{member.name} is deprecated", enum)
    return member


def warn_of_fraction(instance: Any, attribute: Any, value: Decimal) -> None:
    """A validator: the log says of a small percentage that it may be meant as a fraction."""
    if 0 < value < _FRACTION:
        where, percent = f"{type(instance).__name__}.{attribute.name}", f"{value:f}"
        warn("%s: %s means %s %%; give a fraction times 100", where, percent, percent)


def _warn(message: str, class_: type) -> None:
    """Warn of a use of a class of the generated package, at the line that uses the package."""
    # A deprecated method is called by a wrapper, which stands in one of the last three.
    wrapped = ("typing_extensions", "warnings", "_py_warnings")
    ours = {_package(class_.__module__), _package(__name__), "attr", *wrapped}
    frame = sys._getframe()
    while frame.f_back and _package(frame.f_globals.get("__name__")) in ours:
        frame = frame.f_back
    warnings.warn_explicit(
        message,
        DeprecationWarning,
        filename=frame.f_code.co_filename,
        lineno=frame.f_lineno,
        module=frame.f_globals.get("__name__"),
        registry=frame.f_globals.setdefault("__warningregistry__", {}),
    )


def _package(module: str | None) -> str:
    return (module or "").partition(".")[0]
