"""Turn a verified and decoded request into a command of the exchange.

The spec may grow: a new operation, a new field, parameter or header, and a new value of an enum are
refused with 501. To ignore them would execute something else than what was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from types import FunctionType
from typing import Any, TypeAlias, get_args, get_type_hints
from uuid import UUID

import attrs

import trading_sdk as sdk
from trading_runtime import Action, OpenEnum, Operation, Unset
from trading_sandbox.engine import commands
from trading_sandbox.engine.commands import Command, StopLeg, TimeInForce
from trading_sandbox.engine.exchange import COMMANDS
from trading_sandbox.web.refusals import not_modelled

Builder: TypeAlias = Callable[[str, Any], Command | None]
"""Makes the command of an account and a decoded request; None if it is to change nothing."""


_TAKING: frozenset[TimeInForce] = frozenset(("GTC", "IOC"))
_IGNORED = frozenset({"builder_code"})
"""Fields that are checked and otherwise ignored (docs/sandbox/model.md)."""


def check_fields(
    method: Operation[Any] | Action, answer: Callable[..., Any], data: Mapping[str, Any]
) -> None:
    """Refuse a request with a field of the spec that the function which answers it would ignore."""
    for path in unread(method, answer):
        found: Any = data
        for part in path:
            found = found.get(part) if isinstance(found, Mapping) else None
        if found is not None:
            raise not_modelled(f"The field {'.'.join(path)} of {method.name}")


def is_delayed(command: Command | None) -> bool:
    """Whether the taker delay applies: to GTC, IOC and market orders (interface section 8)."""
    return isinstance(command, commands.PlaceMarket) or (
        isinstance(command, commands.PlaceLimit) and command.tif in _TAKING
    )


# -- from request to command -----------------------------------------------------------------------

_OTHER_NAMES = {
    "agent": "agent_wallet",
    "vault": "lake",
    "deposit": "deposit_amount",
    "excluded": "unified_margin_excluded",
    "isolated": "is_isolated",
    "stop": "stop_order",
}
"""The fields of commands that have another name in requests."""


@attrs.frozen
class CommandOf:
    """Makes a command of the fields of a request that have the names of its own."""

    kind: type[Any]

    def __call__(self, account: str, model: Any) -> Command:
        """Return the command of an account."""
        command: Command = self.kind(account=account, **_taken(self.kind, model))
        return command


def _taken(kind: Any, model: Any) -> dict[str, Any]:
    given: Any = type(model)
    return {own: _value(getattr(model, name), words) for own, name, words in _shared(kind, given)}


@lru_cache
def _shared(kind: Any, model: Any) -> list[tuple[str, str, frozenset[str]]]:
    """Return the fields of a command that a model has."""
    if not attrs.has(model):
        return []
    names = attrs.fields_dict(model)
    return [field for field in _FIELDS[kind] if field[1] in names]


def _value(value: Any, words: frozenset[str]) -> Any:
    """Return the value of a request as commands have it; `words` are those that the exchange knows."""
    if value is None or isinstance(value, (Decimal, bool, int)):
        return value
    if isinstance(value, OpenEnum):
        if value.value not in words:
            raise not_modelled(f"{type(value).__name__} {value}")
        return value.value
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, (list, tuple)):
        return tuple(value)
    return StopLeg(**_taken(StopLeg, value)) if attrs.has(type(value)) else value


def _fields(kind: type[Any]) -> list[tuple[str, str, frozenset[str]]]:
    """Return the fields of a command: its own name, that of the request, and the words it may be."""
    types = get_type_hints(kind)
    names = attrs.fields_dict(kind)
    return [(own, _OTHER_NAMES.get(own, own), _words(types[own])) for own in names]


def _words(type_: Any) -> frozenset[str]:
    """Return the words of a type of literals, also inside of `| None`."""
    inner = get_args(type_)
    own = (each for each in inner if isinstance(each, str))
    return frozenset(own).union(*(_words(each) for each in inner if not isinstance(each, str)))


_FIELDS = {kind: _fields(kind) for kind in (*COMMANDS.values(), StopLeg)}


def _set_auto_lend(account: str, model: sdk.SetAutoLendDisabled) -> Command | None:
    if isinstance(model.disabled, Unset):
        return None
    return commands.SetAutoLend(account=account, disabled=model.disabled)


BUILDERS: dict[str, Builder] = {
    **{kind.operation: CommandOf(kind) for kind in COMMANDS.values() if kind.operation},
    "account.set_auto_lend_disabled": _set_auto_lend,
}
"""Makes the command of each operation and batch action that changes something, by its name."""


# -- fields that no answer is made of ------------------------------------------------------------


@lru_cache
def unread(
    method: Operation[Any] | Action, answer: Callable[..., Any]
) -> tuple[tuple[str, ...], ...]:
    """Return the paths of the fields of a request that its builder, or its `Read`, does not use."""
    if method.params is None:
        return ()
    if isinstance(answer, CommandOf):
        outer, inner = (_names_of(kind) | _IGNORED for kind in (answer.kind, StopLeg))
    else:
        outer = inner = _names_in(answer) | _IGNORED
    return tuple(
        path
        for path in _paths(method.params)
        if path[0] not in outer or not inner.issuperset(path[1:])
    )


def _names_of(kind: type[Any]) -> frozenset[str]:
    return frozenset(name for _, name, _ in _FIELDS[kind])


def _paths(model: type[Any]) -> Iterator[tuple[str, ...]]:
    for name, type_ in get_type_hints(model).items():
        yield (name,)
        for inner in filter(attrs.has, (type_, *get_args(type_))):
            yield from ((name, *path) for path in _paths(inner))


def _names_in(function: Any) -> frozenset[str]:
    """Return the names and texts that a function uses, and those that the helpers in its module use."""
    code = function.__code__
    names = frozenset((*code.co_names, *(each for each in code.co_consts if isinstance(each, str))))
    helpers = (function.__globals__.get(name) for name in names)
    inner = (_names_in(each) for each in helpers if isinstance(each, FunctionType))
    return names.union(*inner)
