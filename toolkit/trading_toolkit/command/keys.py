"""`keys`: make a key, show its address, write it in another form."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trading_runtime import Keypair
from trading_toolkit.command.options import Group
from trading_toolkit.command.settings import key_of, settings
from trading_toolkit.command.show import record, say

_SECRET = click.option("--show-secret", is_flag=True, help="Print the private key, in Base58.")


@click.group(cls=Group)
def keys() -> None:
    """Make keys, and look at them. A secret is shown only with --show-secret."""


@keys.command()
@click.argument("file", type=click.Path(path_type=Path))
@_SECRET
def new(file: Path, *, show_secret: bool) -> None:
    """Make a key, write it to FILE (mode 0600), and print its address.

    A file that exists is not overwritten. Nobody can make this key again: keep a copy.
    """
    key = Keypair.generate()
    key.write_file(file)
    _print(key, file, secret=show_secret)


@keys.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@_SECRET
def address(file: Path | None, *, show_secret: bool) -> None:
    """Print the address of the key in FILE, or of the configured one."""
    if file is not None:
        _print(Keypair.from_file(file), file, secret=show_secret)
        return
    key = key_of(settings())
    if key is None:
        raise click.UsageError("no key is configured: name a FILE, or set TRADING_KEY_FILE")
    _print(key, None, secret=show_secret)


@keys.command()
@click.argument("source", type=click.Path(path_type=Path, allow_dash=True))
@click.argument("target", type=click.Path(path_type=Path))
@click.option(
    "--to",
    type=click.Choice(["json", "base58"]),
    default="json",
    help="A JSON array of 64 integers (json), or text.",
)
def convert(source: Path, target: Path, to: str) -> None:
    """Write the key of SOURCE to a new file TARGET (mode 0600), in another form.

    SOURCE is a wallet file, or `-` for Base58 of 64 bytes from stdin; on a terminal it is asked for, and not echoed.
    """
    if str(source) != "-":
        key = Keypair.from_file(source)
    elif sys.stdin.isatty():
        key = Keypair.from_base58(click.prompt("Private key", hide_input=True, err=True).strip())
    else:
        key = Keypair.from_base58(sys.stdin.readline().strip())
    key.write_file(target, form="base58" if to == "base58" else "json")
    _print(key, target, secret=False)


def _print(key: Keypair, file: Path | None, *, secret: bool) -> None:
    found = {"address": key.address, "file": None if file is None else str(file)}
    record({**found, "private_key": key.export_base58()} if secret else found)
    if secret:
        say("whoever sees this private key can move all money of the account")
