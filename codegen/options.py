"""The command line of the generator: what to read, and where to write."""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from pathlib import Path
from typing import get_args

from codegen.changes import diff
from codegen.packages import GENERATED, PACKAGE, PORTS, SHIPPED, SPEC, Language, Package

TAKEN = {*sys.stdlib_module_names, "attrs", "trading_runtime", "trading_sandbox"}
"""Packages that the generated one imports, or stands beside."""

_ONE_PACKAGE = (
    f"the one package to write or compare; by default {' and '.join(SHIPPED)}, "
    f"with a --spec of your own {PACKAGE} alone"
)

COMMANDS = {
    "generate": "write the packages, whole",
    "check": "compare the folder with what would be written; exit 1 and a diff if it differs",
    "ir": "print the intermediate representation as JSON",
}


def parsed(arguments: list[str] | None, description: str | None) -> argparse.Namespace:
    """The options of one command. A combination that would overwrite what is not its own is refused."""
    parser = argparse.ArgumentParser(prog="python -m codegen", description=description)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, does in COMMANDS.items():
        command = commands.add_parser(name, help=does)
        _add_source(command)
        if name == "ir":
            _add_switch(command, "--schema", "print its JSON Schema instead")
        else:
            command.add_argument(
                "--out", type=Path, help="the folder that holds the packages; generated/ by default"
            )
            command.add_argument("--package", type=_package, help=_ONE_PACKAGE)
            command.add_argument(
                "--language",
                choices=get_args(Language),
                help="of the one package; python by default",
            )
    _add_diff(commands.add_parser("diff", help=diff.HELP, description=diff.DESCRIPTION))
    options = parser.parse_args(arguments)
    if "out" in options:
        _check_target(parser, options)
        options.targets = _targets(options)
    return options


def _targets(options: argparse.Namespace) -> dict[Path, list[Package]]:
    """What to write or compare, by the folder that holds it."""
    packages = _packages(options)
    is_all = options.out is None and packages == [*SHIPPED.values()]
    ports = {folder: [port] for folder, port in PORTS.items()} if is_all else {}
    return {options.out or GENERATED: packages, **ports}


def _packages(options: argparse.Namespace) -> list[Package]:
    """All that are shipped, unless the options speak of one."""
    if options.overlay or options.language:
        language: Language = options.language or "python"
        return [Package(options.package, tuple(options.overlay), language=language)]
    if options.package:
        return [SHIPPED.get(options.package) or Package(options.package)]
    own_spec = options.spec.resolve() != SPEC
    return [SHIPPED[PACKAGE]] if own_spec else [*SHIPPED.values()]


def _add_diff(command: argparse.ArgumentParser) -> None:
    command.add_argument("old", metavar="OLD", help=diff.SOURCE)
    command.add_argument("new", metavar="NEW", help="the same, of the newer one")
    _add_source(command)
    _add_switch(command, "--json", "print JSON instead of Markdown")


def _add_switch(command: argparse.ArgumentParser, name: str, does: str) -> None:
    command.add_argument(name, action="store_true", help=does)


def _add_source(command: argparse.ArgumentParser) -> None:
    """The options that say what to read, the same for every command."""
    command.add_argument(
        "--spec", type=Path, default=SPEC, help="the spec to read; spec/openapi.yaml by default"
    )
    command.add_argument(
        "--overlay",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="an OpenAPI Overlay to apply to the spec; repeat it for several, in their order",
    )


def _package(name: str) -> str:
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) or keyword.iskeyword(name):
        raise argparse.ArgumentTypeError(f"{name!r} is not an identifier")
    if name in TAKEN:
        raise argparse.ArgumentTypeError(f"{name!r} is the name of another package")
    return name


def _check_target(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """What an overlay of the user's makes stands apart from what is shipped, in place and in name."""
    word = "--overlay" if options.overlay else "--language"
    if not options.overlay and not options.language:
        return
    if options.out is None or options.package is None:
        parser.error(f"with {word}, --out and --package say where the package goes")
    if options.package in SHIPPED:
        parser.error(f"{options.package} is shipped; with {word} give another --package")
    for folder in (GENERATED, *PORTS):
        if options.out.resolve().is_relative_to(folder):
            parser.error(
                f"{folder} holds the shipped packages alone; with {word} give another --out"
            )
