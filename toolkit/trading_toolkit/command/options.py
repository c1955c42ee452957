"""The options that every command takes, at any place behind `trading-sdk`."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from typing import Any

import click
from attrs import define


@define
class Options:
    """What was given of them."""

    profile: str | None = None
    observed: bool = False
    journal: str | None = None
    json: bool = False
    verbose: bool = False


def options(context: click.Context | None = None) -> Options:
    """Those of the command that runs, or is completed."""
    return (context or click.get_current_context()).ensure_object(Options)


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value:
        setattr(context.ensure_object(Options), str(parameter.name), value)


_FLAG: Mapping[str, Any] = {"is_flag": True}
_COMMON: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
    ("json", "One JSON document, or JSON lines of a stream; money is text.", _FLAG),
    ("profile", "Take the settings from this profile.", {"metavar": "NAME"}),
    ("observed", "Use trading_sdk_observed: more endpoints, no promises.", _FLAG),
    ("journal", "Write changes to this journal.", {"metavar": "FILE"}),
    ("verbose", "Log every attempt on stderr.", _FLAG),
)


def _common() -> list[click.Parameter]:
    return [
        click.Option([f"--{name}"], callback=_keep, expose_value=False, help=text, **more)
        for name, text, more in _COMMON
    ]


def _market(text: str) -> str:
    if not text.strip():
        raise click.UsageError(f"--symbol must name a market, like BTC, not {text!r}")
    return text


SYMBOL = click.option("--symbol", type=_market, metavar="SYMBOL", help="Of this market alone.")

_HELP = {"help_option_names": ["-h", "--help"]}


class Command(click.Command):
    """A command with these options."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **{"context_settings": _HELP, **more})
        self.params += _common()

    def invoke(self, ctx: click.Context) -> Any:
        """Run, and log, if that was asked for."""
        if options().verbose:
            logging.basicConfig(format="%(message)s", stream=sys.stderr)
            logging.getLogger("trading_sdk").setLevel(logging.DEBUG)
        return super().invoke(ctx)


class Group(click.Group):
    """A group of commands with these options."""

    command_class = Command
    group_class = type

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, context_settings=_HELP, **more)
        self.params += _common()
