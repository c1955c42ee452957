"""The options that every command takes, at any place behind `trading-sdk`."""

from __future__ import annotations

import logging
import sys
from typing import Any

import click
from attrs import define

_HELP = {"help_option_names": ["-h", "--help"]}


@define
class Options:
    """What was given of them, and whose data the command reads."""

    profile: str | None = None
    observed: bool = False
    journal: str | None = None
    json: bool = False
    csv: bool = False
    verbose: bool = False
    show_secret: bool = False

    is_named: bool = False
    """Whether a stream has printed the names of its fields."""

    whose: str = ""
    """The account and the service, as the end of a sentence; empty before there is a client."""


def options(context: click.Context | None = None) -> Options:
    """Those of the command that runs, or is completed."""
    return (context or click.get_current_context()).ensure_object(Options)


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value:
        setattr(context.ensure_object(Options), str(parameter.name), value)


def _kept(name: str, text: str, **more: Any) -> click.Option:
    return click.Option([f"--{name}"], callback=_keep, expose_value=False, help=text, **more)


def _common() -> list[click.Parameter]:
    return [
        _kept("json", "One JSON document, or JSON lines of a stream; money is text.", is_flag=True),
        _kept("csv", "CSV with a line of names; money as text, times in ms.", is_flag=True),
        _kept("profile", "Take the settings from this profile.", metavar="NAME"),
        _kept("observed", "Use trading_sdk_observed: more endpoints, no promises.", is_flag=True),
        _kept("journal", "Write changes to this journal.", metavar="FILE"),
        _kept("verbose", "Log every attempt on stderr.", is_flag=True),
    ]


def _market(text: str) -> str:
    if not text.strip():
        raise click.UsageError(f"--symbol must name a market, like BTC, not {text!r}")
    return text


SYMBOL = click.option("--symbol", type=_market, metavar="SYMBOL", help="Of this market alone.")
YES = click.option("--yes", is_flag=True, help="Do not ask.")


def show_secret(text: str) -> click.Option:
    """The option `--show-secret` of a command that has one."""
    return _kept("show-secret", text, is_flag=True)


def show_log(level: int) -> None:
    """Show the log of the SDK on stderr: every attempt (DEBUG), or what it waits for (INFO)."""
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    logging.getLogger("trading_sdk").setLevel(level)


class Command(click.Command):
    """A command with these options."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **{"context_settings": _HELP, **more})
        self.params += _common()

    def invoke(self, ctx: click.Context) -> Any:
        """Run, and log, if that was asked for."""
        if options().json and options().csv:
            raise click.UsageError("the output is --json or --csv, not both")
        if options().verbose:
            show_log(logging.DEBUG)
        return super().invoke(ctx)


class Group(click.Group):
    """A group of commands with these options."""

    command_class = Command
    group_class = type

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, context_settings=_HELP, **more)
        self.params += _common()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of a name. If a group below has it, the error says which."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            groups = {name: each for name, each in self.commands.items() if isinstance(each, Group)}
            meant = next((name for name, each in groups.items() if args[0] in each.commands), None)
            if meant is None:
                raise
            text = f"{error.format_message()} Did you mean '{meant} {args[0]}'?"
            raise click.UsageError(text, ctx) from None
