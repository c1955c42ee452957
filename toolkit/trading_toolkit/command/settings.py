"""Which service, key and account: the variables that `Client.from_env` reads, or a profile.

A profile is a table of `profiles.toml` in the configuration folder of the platform:

    [live]
    base_url = "https://exchange.example"
    key_file = "~/keys/agent.json"
    account = "..."
    api_key_file = "~/keys/api-key"
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from attrs import field, frozen

import trading_sdk
from trading_runtime import BaseClient, JournalError, Keypair, TradingError
from trading_toolkit.command.options import options

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(click.get_app_dir("trading-sdk"))
PROFILES = FOLDER / "profiles.toml"
_PREFIX = "TRADING_"
_SECRETS = {"private_key", "api_key"}
_FILES = {"key_file", "api_key_file", "journal"}
_TEXTS = {*_SECRETS, *_FILES, "base_url", "address", "account"}


@frozen
class Settings:
    """What a client is made of."""

    where: str
    """Where they stand: the environment, or a profile."""

    variables: Mapping[str, str] = field(repr=False)
    """As `Client.from_env` takes them."""

    observed: bool
    journal: str | None


def settings(context: click.Context | None = None) -> Settings:
    """Those of the profile that was asked for, else of the environment.

    Raises:
        UsageError: the profile cannot be used.
    """
    given = options(context)
    if given.profile is None:
        return Settings("the environment", os.environ, given.observed, given.journal)
    found = _profile(given.profile)
    variables = {
        f"{_PREFIX}{name.upper()}": value
        for name, value in found.items()
        if isinstance(value, str) and name not in ("journal", "api_key_file")
    }
    if "api_key_file" in found:
        variables["TRADING_API_KEY"] = _read(Path(found["api_key_file"]), secret=True).strip()
    return Settings(
        f"profile {given.profile} of {PROFILES}",
        variables,
        given.observed or found.get("observed", False),
        given.journal or found.get("journal"),
    )


@contextmanager
def connected(*, journal: bool = False, **more: Any) -> Iterator[Any]:
    """A client of these settings; with a journal for what changes something."""
    found = settings()
    with made(found, **more) as client:
        if not journal:
            yield client
            return
        path = journal_of(found, client)
        if found.journal is not None and not path.parent.is_dir():
            raise click.UsageError(
                f"there is no folder {path.parent} for the journal that was named"
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            text = (
                f"nothing was sent: {path} cannot be made: {error.strerror}; name another --journal"
            )
            raise JournalError(text) from None
    with made(found, journal=path, **more) as client:
        yield client


def made(found: Settings, **more: Any) -> BaseClient:
    """A client. Its errors name the entries of a profile as they stand there."""
    try:
        return package(found.observed).Client.from_env(found.variables, **more)  # type: ignore[no-any-return]
    except TradingError as error:
        kind, text = type(error), str(error)
    if found.variables is not os.environ:
        text = f"{found.where}: {re.sub('TRADING_([A-Z_]+)', lambda each: each[1].lower(), text)}"
    elif "TRADING_BASE_URL is not set" in text:
        text += ", or --profile NAME; `trading-sdk sandbox` starts an exchange to try"
    raise kind(text)


def key_of(found: Settings) -> Keypair | None:
    """The key of these settings; None where there is none."""
    path = found.variables.get("TRADING_KEY_FILE")
    text = found.variables.get("TRADING_PRIVATE_KEY")
    return Keypair.from_file(path) if path else Keypair.from_base58(text) if text else None


def package(observed: bool) -> Any:
    """The package that the client comes from."""
    if not observed:
        return trading_sdk
    import trading_sdk_observed

    return trading_sdk_observed


def journal_of(found: Settings, client: BaseClient) -> Path:
    """The journal that was named, else one for each account of a service in the configuration folder."""
    if found.journal is not None:
        return Path(found.journal)
    service, account = client.service_url.partition("://")[2], client.account_address or ""
    # In two parts, because errors leave out what looks like a key.
    name = re.sub(r"\W+", "-", f"{service}-{account[:22]}-{account[22:]}")
    return FOLDER / "journals" / f"{name}.jsonl"


def _profile(name: str) -> dict[str, Any]:
    """The entries of a profile, with the paths of its files made absolute."""
    try:
        every = tomllib.loads(_read(PROFILES))
    except tomllib.TOMLDecodeError as error:
        raise click.UsageError(f"{PROFILES} is no TOML: {error}") from None
    tables = {key: table for key, table in every.items() if isinstance(table, dict)}
    if any(_SECRETS & table.keys() for table in tables.values()):
        _read(PROFILES, secret=True)
    if name not in tables:
        known = ", ".join(tables) or "none"
        raise click.UsageError(f"{PROFILES} has no profile {name!r}; it has {known}")
    found = tables[name]
    for key, value in found.items():
        kind = bool if key == "observed" else str
        if key not in (*_TEXTS, "observed") or not isinstance(value, kind):
            known = f"observed, which is true or false, and the texts {', '.join(sorted(_TEXTS))}"
            raise click.UsageError(f"{PROFILES}: {key} of {name} is wrong; a profile has {known}")
        if key in _FILES:
            found[key] = str(PROFILES.parent / Path(str(value)).expanduser())
    return found


def _read(path: Path, *, secret: bool = False) -> str:
    """A file of settings; one with a secret must be its owner's alone."""
    try:
        with path.open(encoding="utf-8") as file:
            mode = os.fstat(file.fileno()).st_mode
            if secret and os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise click.UsageError(
                    f"{path} holds a secret and is open to other users: chmod 600 it"
                )
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no UTF-8"
        raise click.UsageError(f"{path} cannot be read: {why}") from None
