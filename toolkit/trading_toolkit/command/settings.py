"""Which service, key and account: the variables that `Client.from_env` reads, or a profile.

A profile is a table of `profiles.toml` in the configuration folder of the platform:

    [live]
    base_url = "https://exchange.example"
    key_file = "~/keys/agent.json"
    account = "..."
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click
from attrs import field, frozen

import trading_sdk
from trading_runtime import BaseClient, Keypair, TradingError
from trading_toolkit.command.options import options
from trading_toolkit.command.show import Ended

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(click.get_app_dir("trading-sdk"))
PROFILES = FOLDER / "profiles.toml"
_FILES = ("key_file", "journal")
_TEXTS = ("base_url", "private_key", "address", "account", "api_key", *_FILES)


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
    return Settings(
        f"profile {given.profile} of {PROFILES}",
        {f"TRADING_{name.upper()}": found[name] for name in _TEXTS if name in found},
        given.observed or found.get("observed", False),
        given.journal or found.get("journal"),
    )


@contextmanager
def connected(*, journal: bool = False, **more: Any) -> Iterator[Any]:
    """A client of these settings; with a journal for what changes something. `more` are options of it."""
    found = settings()
    with made(found, **more) as client:
        options().whose = f" of {client.account_address or 'no account'} at {client.service_url}"
        if not journal:
            yield client
            return
        path = journal_of(found, client)
    if found.journal is None:
        with suppress(OSError):  # the client says that there is no folder
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        with made(found, journal=path, **more) as client:
            yield client
    except KeyboardInterrupt:
        text = "interrupted: what was under way may have been executed if `trading-sdk unsettled`"
        raise Ended(130, f"{text} lists it now; with --reconcile that looks for it") from None


def made(found: Settings, **more: Any) -> BaseClient:
    """A client.

    Raises:
        UsageError: no service is named.
        TradingError: a key or another setting cannot be used; the text says where it stands.
    """
    if not found.variables.get("TRADING_BASE_URL"):
        text = f"{found.where} names no service: set TRADING_BASE_URL, or base_url in a profile"
        raise click.UsageError(f"{text}; `trading-sdk sandbox` starts an exchange to try")
    try:
        return package(found.observed).Client.from_env(found.variables, **more)  # type: ignore[no-any-return]
    except TradingError as error:
        raise type(error)(f"{found.where}: {error}") from None


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
        with PROFILES.open("rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                raise click.UsageError(f"{PROFILES} is open to other users: chmod 600 it")
            tables = tomllib.load(file)
    except FileNotFoundError:
        text = f"there is no {PROFILES}, which would hold the profile: docs/command.md shows one"
        raise click.UsageError(text) from None
    except OSError as error:
        raise click.UsageError(f"{PROFILES} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise click.UsageError(f"{PROFILES} is no TOML: {error}") from None
    found = tables.get(name)
    if not isinstance(found, dict):
        known = ", ".join(tables) or "none"
        raise click.UsageError(f"{PROFILES} has no profile {name!r}; it has {known}")
    for key, value in found.items():
        if not isinstance(value, bool if key == "observed" else str) or key not in (
            *_TEXTS,
            "observed",
        ):
            known = f"observed, which is true or false, and the texts {', '.join(_TEXTS)}"
            raise click.UsageError(f"{PROFILES}: {key} of {name} is wrong; a profile has {known}")
    paths = {
        key: str(PROFILES.parent / Path(found[key]).expanduser()) for key in _FILES if key in found
    }
    return {**found, **paths}
