"""Check the arguments of `Faults.inject` against the table of kinds, and make the fault."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from trading_runtime import UNSET, ListOperation, is_integer
from trading_sandbox.faults.fault import Fault
from trading_sandbox.faults.kind import REQUIRED, Kind
from trading_sandbox.faults.kinds import KINDS
from trading_sandbox.faults.options import OPTIONS
from trading_sdk.operations import API

ANY = "*"
"""Matches any operation."""


def make_fault(
    operation: str, kind: str, times: int, executed: bool | None, given: Mapping[str, Any]
) -> Fault:
    """Return a fault with the given options and the defaults of its kind.

    Args:
        operation: Name of an operation, or `*`.
        kind: Name of a kind.
        times: How many requests it applies to.
        executed: Whether the exchange executes them; None: the default of the kind.
        given: Options by name. None and UNSET mean "not given", except that None is a valid
            `value`.

    Raises:
        ValueError: a name is unknown; or an option is out of range, missing, or not one of this
            kind.
        TypeError: a value has the wrong type.
    """
    for name, text in (("operation", operation), ("kind", kind)):
        if not isinstance(text, str):
            raise TypeError(f"{name} must be a string, not {text!r}")
    found = _kind(kind)
    _check_operation(operation, found)
    told = {
        name: option
        for name, option in given.items()
        if option is not UNSET and (option is not None or name == "value")
    }
    return Fault(
        operation=operation,
        kind=kind,
        times=_times(times, found),
        executed=_executed(executed, found),
        **_options(told, found),
    )


def _kind(name: str) -> Kind:
    if name in KINDS:
        return KINDS[name]
    raise ValueError(f"there is no fault {name!r}{_nearest(name, KINDS)}; there are: {_all(KINDS)}")


def _check_operation(name: str, kind: Kind) -> None:
    if kind.spoil is None:
        if name != ANY:
            raise ValueError(f"{kind.name} is no matter of one operation; it is injected for '*'")
    elif name not in (ANY, *API.operations):
        if name in API.actions:
            raise ValueError(f"{name} is sent as an action of orders.batch; inject it there")
        near = _nearest(name, API.operations)
        raise ValueError(
            f"there is no operation {name!r}{near}; there are: *, {_all(API.operations)}"
        )
    elif name != ANY and kind.meets != "any" and not _lists(name):
        raise ValueError(f"{kind.name} is for operations that list pages; {name} lists none")


def _lists(operation: str) -> bool:
    return isinstance(API.operations[operation], ListOperation)


def _times(times: int, kind: Kind) -> int:
    if not is_integer(times):
        raise TypeError(f"times must be an integer, not {times!r}")
    if times < 1:
        raise ValueError(f"times must be 1 or more, not {times}")
    if kind.spoil is None and times != 1:
        raise ValueError(f"{kind.name} happens at once; it takes no times")
    return times


def _executed(executed: bool | None, kind: Kind) -> bool:
    if executed is None:
        return kind.executed_by_default
    if not isinstance(executed, bool):
        raise TypeError(f"executed must be True, False or None, not {executed!r}")
    if executed != kind.executed_by_default and not kind.executed_may_be_told:
        raise ValueError(f"{kind.name} cannot have executed={executed}: it is {kind.executed} so")
    return executed


def _options(given: Mapping[str, Any], kind: Kind) -> dict[str, Any]:
    for name in given.keys() - kind.options.keys():
        raise ValueError(
            f"{kind.name} takes no {name}; it takes: {_all(kind.options) or 'nothing'}"
        )
    checked = dict(kind.options)
    for name, value in given.items():
        checked[name] = _checked(name, value, kind)
    for name, value in checked.items():
        if value is REQUIRED:
            raise ValueError(f"{kind.name} needs {name}: {OPTIONS[name].meaning}")
    return checked


def _checked(name: str, value: Any, kind: Kind) -> Any:
    try:
        checked = OPTIONS[name].check(value)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if name in kind.choices and checked not in kind.choices[name]:
        raise ValueError(f"{name} of {kind.name} must be one of {_all(kind.choices[name])}")
    if name == "size" and checked > kind.largest_size:
        raise ValueError(f"size of {kind.name} must be at most {kind.largest_size}")
    return checked


def _all(names: Iterable[Any]) -> str:
    return ", ".join(str(name) for name in names)


def _nearest(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(str(name), names, 1)
    return f" (did you mean {near[0]}?)" if near else ""
