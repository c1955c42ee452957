"""What a control is: its name, arguments, result and text, read from its declaration.

A control is declared once, as a method without a body: its signature names the arguments, with types,
bounds and defaults, and its docstring tells what it does. Everything else follows from the definition:
the method itself, the HTTP route, the row in the docs and the schema.
"""

from __future__ import annotations

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property, wraps
from typing import Annotated, Any, ParamSpec, TypeVar, cast, get_args, get_origin, get_type_hints

import attrs

from trading_runtime import UNSET
from trading_sandbox.controls.argument_types import ArgumentType
from trading_sandbox.engine.commands import Command
from trading_sandbox.engine.views import OrderView, View
from trading_sandbox.faults import REQUIRED

P = ParamSpec("P")
R = TypeVar("R")

_ARGUMENT = re.compile(r"    (\w+): (.*)")


@attrs.frozen(kw_only=True)
class Argument:
    """One argument of a control."""

    name: str
    type: ArgumentType
    nullable: bool
    default: Any
    """REQUIRED where it must be given; UNSET where leaving it out differs from None."""
    text: str

    def check(self, value: Any) -> Any:
        """Return the value as the sandbox uses it; TypeError and ValueError name the argument."""
        if value is UNSET or (value is None and self.nullable):
            return value
        try:
            return self.type.check(value)
        except TypeError as error:
            raise TypeError(f"{self.name}: {error}") from None
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None


@attrs.frozen(kw_only=True, eq=False, slots=False)
class Control:
    """One control."""

    name: str
    """Its name, in Python and in the path of its route: `advance`, `faults.inject`."""
    declared: Callable[..., Any]
    command: type[Command] | None = None
    """The command that has its arguments, and that it executes; None if it does more, or no command."""
    view: Callable[..., View | list[OrderView]] | None = None
    """What it shows: a function of the venue that has its arguments; None if it does something."""

    @property
    def group(self) -> str:
        """What it is about, by the class that declares it: `Account`, `Market`; empty for the whole sandbox."""
        return self.declared.__qualname__.partition(".")[0].removesuffix("Controls")

    @cached_property
    def text(self) -> str:
        """What it does: the docstring up to the meaning of its arguments, on one line."""
        before, _, _ = (inspect.getdoc(self.declared) or "").partition("\n\nArgs:\n")
        return " ".join(before.split())

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """Its arguments, in order."""
        meanings, types = self._meanings(), get_type_hints(self.declared, include_extras=True)
        return tuple(
            Argument(
                name=name,
                type=_argument_type(types[name]),
                nullable=type(None) in get_args(types[name]),
                default=parameter.default,
                text=meanings.get(name, ""),
            )
            for name, parameter in self._signature.parameters.items()
        )

    @cached_property
    def result(self) -> Any:
        """The type of its result."""
        return get_type_hints(self.declared)["return"]

    @cached_property
    def call(self) -> str:
        """How it is called: `create_account(usdc="10000", spot=None)`."""
        told = (
            each.name if each.default is REQUIRED else f"{each.name}={_shown(each.default)}"
            for each in self.arguments
        )
        return f"{self.name}({', '.join(told)})"

    def checked(self, *given: Any, **named: Any) -> dict[str, Any]:
        """Return all arguments as the sandbox uses them.

        Raises:
            TypeError: an argument is missing, unknown or of the wrong type.
            ValueError: an argument is out of range.
        """
        try:
            bound = self._signature.bind(*given, **named)
        except TypeError as error:
            raise TypeError(f"{error}; it is {self.call}") from None
        bound.apply_defaults()
        return {each.name: each.check(bound.arguments[each.name]) for each in self.arguments}

    @cached_property
    def _signature(self) -> inspect.Signature:
        _, *parameters = inspect.signature(self.declared).parameters.values()
        return inspect.Signature(parameters)

    def _meanings(self) -> dict[str, str]:
        """Return the meaning of each argument, from the section Args of the docstring."""
        _, _, section = (inspect.getdoc(self.declared) or "").partition("\n\nArgs:\n")
        found: dict[str, str] = {}
        name = ""
        for line in section.split("\n\n")[0].splitlines():
            begins = _ARGUMENT.fullmatch(line)
            if begins:
                name = begins[1]
            found[name] = begins[2] if begins else f"{found[name]} {line.strip()}"
        return found


class Controlled(ABC):
    """A sandbox with controls, in this process or in another."""

    @abstractmethod
    def _invoke(self, control: Control, arguments: Mapping[str, Any]) -> Any:
        """Carry out a control whose arguments are checked, and return its result."""


def control(name: str | None = None, **does: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a declaration a control; its name is that of the method, unless another is given.

    Args:
        name: Another name.
        **does: Its `command` or `view`.
    """

    def decorate(declared: Callable[P, R]) -> Callable[P, R]:
        definition = Control(name=name or declared.__name__, declared=declared, **does)

        @wraps(declared)
        def method(owner: Controlled, *given: Any, **named: Any) -> Any:
            return owner._invoke(definition, definition.checked(*given, **named))

        vars(method)["control"] = definition
        return cast(Callable[P, R], method)

    return decorate


def checked(declared: Callable[P, None]) -> Callable[P, None]:
    """Check the arguments of a constructor as those of a control."""
    definition = Control(name=declared.__qualname__.partition(".")[0], declared=declared)

    @wraps(declared)
    def construct(owner: Any, *given: Any, **named: Any) -> None:
        cast(Any, declared)(owner, **definition.checked(*given, **named))

    return cast(Callable[P, None], construct)


def controls_of(owner: type) -> dict[str, Control]:
    """Return the controls that a class and its bases declare, by name, in order of declaration."""
    found = (
        getattr(member, "control", None)
        for base in reversed(owner.__mro__)
        for member in vars(base).values()
    )
    return {each.name: each for each in found if isinstance(each, Control)}


def _argument_type(hint: Any) -> ArgumentType:
    """Return the annotation of a type hint, also inside of `| None`."""
    if get_origin(hint) is Annotated:
        [found] = [each for each in hint.__metadata__ if isinstance(each, ArgumentType)]
        return found
    [found] = [_argument_type(each) for each in get_args(hint) if get_origin(each) is Annotated]
    return found


def _shown(default: Any) -> str:
    if default is UNSET:
        return "..."
    return f'"{default}"' if isinstance(default, str) else repr(default)
