"""`keys`: make a key, show its address, write it in another form."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trading_runtime import Keypair
from trading_toolkit.command.options import Group, options, show_secret
from trading_toolkit.command.settings import key_of, settings
from trading_toolkit.command.show import record, say

_SECRET = show_secret("Print the private key, in Base58.")


def _new_file(text: str) -> Path:
    if text == "-":
        raise click.UsageError("a key is written to a file of its owner alone, never to stdout")
    return Path(text)


@click.group(cls=Group)
def keys() -> None:
    """Make keys, and look at them. A secret is shown only with --show-secret."""


@keys.command(params=[_SECRET])
@click.argument("file", type=_new_file)
def new(file: Path) -> None:
    """Make a key, write it to FILE (mode 0600), and print its address.

    A file that exists is not overwritten. Nobody can make this key again: keep a copy.
    """
    key = Keypair.generate()
    key.write_file(file)
    _print(key, file)


@keys.command(params=[_SECRET])
@click.argument("file", required=False, type=Path)
def address(file: Path | None) -> None:
    """Print the address of the key in FILE, or of the configured one."""
    key = key_of(settings()) if file is None else Keypair.from_file(file)
    if key is None:
        raise click.UsageError("no key is configured: name a FILE, or set TRADING_KEY_FILE")
    _print(key, file)


@keys.command()
@click.argument("source")
@click.argument("target", type=_new_file)
@click.option(
    "--to",
    type=click.Choice(["json", "base58"]),
    default="json",
    help="A JSON array of 64 integers (json), or text.",
)
def convert(source: str, target: Path, to: str) -> None:
    """Write the key of SOURCE to a new file TARGET (mode 0600), in another form.

    SOURCE is a wallet file, or `-` for Base58 of 64 bytes from stdin; on a terminal it is asked for, and not echoed.
    """
    if source != "-":
        key = Keypair.from_file(source)
    elif sys.stdin.isatty():
        key = Keypair.from_base58(click.prompt("Private key", hide_input=True, err=True).strip())
    else:
        key = Keypair.from_base58(sys.stdin.readline().strip())
    key.write_file(target, form="base58" if to == "base58" else "json")
    _print(key, target)


def _print(key: Keypair, file: Path | None) -> None:
    found = {"address": key.address, "file": None if file is None else str(file)}
    if options().show_secret:
        say("whoever sees this private key can move all money of the account")
        found["private_key"] = key.export_base58()
    record(found)
