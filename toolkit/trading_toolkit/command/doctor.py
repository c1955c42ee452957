"""`doctor`: is everything as it must be to trade? A line for each check, and what to do. Nothing is changed."""

from __future__ import annotations

import os
import platform
import shutil
import stat
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from attrs import frozen

from trading_runtime import AuthenticationError, BaseClient, TradingError, __version__
from trading_toolkit.command.options import Command, options
from trading_toolkit.command.settings import PROFILES, Settings, journal_of, made, settings
from trading_toolkit.command.show import Ended, line, records

_SKEW = 2_000
"""A difference of the clocks that the `Date` of an answer can show, in ms."""


@frozen
class Check:
    """One line."""

    check: str
    state: str
    """ok, warn or fail."""

    found: str
    advice: str | None = None


@click.command(cls=Command)
def doctor() -> None:
    """Check settings, key, network, clock, rate limit and journal. Nothing is changed.

    It sends two reads. The status is 1 if a check fails.
    """
    checks = list(_checks())
    if options().json:
        records(checks)
    else:
        for each in checks:
            line(each, f"{each.state:5} {each.check:11} {each.found}")
            if each.advice:
                line(each, f"      do this:    {each.advice}")
    if any(each.state == "fail" for each in checks):
        raise Ended(1, "something has to be mended first")


def _checks() -> Iterator[Check]:
    extras = ", ".join(f"{name} {version(name)}" for name in ("click", "pyarrow", "rich"))
    yield Check(
        "versions",
        "ok",
        f"trading-service-sdk {__version__}, Python {platform.python_version()}, {extras}",
    )
    found = settings()
    if not found.variables.get("TRADING_BASE_URL"):
        advice = f"set TRADING_BASE_URL, or write {PROFILES}; `trading-sdk sandbox` is an exchange to try"
        yield Check("settings", "warn", f"nothing is configured in {found.where}", advice)
        return
    yield _key(found)
    try:
        client = made(found, timeout=10.0)
    except TradingError as error:
        yield Check("settings", "fail", str(error), "mend it; nothing else can be checked")
        return
    with client:
        yield Check("settings", "ok", f"{found.where}: {client.service_url}")
        yield _account(found, client)
        network = _network(client)
        yield network
        if network.state != "fail":
            yield _clock(client)
            yield _signature(found, client)
            yield from _budget(found, client)
        yield _journal(found, client)


def _key(found: Settings) -> Check:
    path = found.variables.get("TRADING_KEY_FILE")
    if not path:
        if not found.variables.get("TRADING_PRIVATE_KEY"):
            advice = "set TRADING_KEY_FILE to sign; `trading-sdk keys new FILE` makes a key"
            return Check("key", "warn", "none: reads only", advice)
        advice = "a file is safer: trading-sdk keys convert - FILE"
        return Check("key", "warn", f"in {found.where} itself", advice)
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode)
    except OSError as error:
        return Check(
            "key", "fail", f"{path}: {error.strerror}", "set TRADING_KEY_FILE to a wallet file"
        )
    if os.name == "posix" and mode & 0o077:
        return Check("key", "fail", f"{path} has mode {mode:04o}", f"chmod 600 {path}")
    return Check("key", "ok", f"{path}, mode {mode:04o}")


def _account(found: Settings, client: BaseClient) -> Check:
    own, account = _address(found), client.account_address
    if account is None:
        return Check("account", "warn", "none: most reads need one", "set TRADING_ACCOUNT or a key")
    if own is None:
        return Check("account", "ok", f"{account}, to read")
    if own == account:
        return Check("account", "ok", f"{account}, signed with its own key")
    return Check("account", "ok", f"{account}, signed by its agent wallet {own}")


def _address(found: Settings) -> str | None:
    """The address of the key, as a message would show it."""
    with made(found) as client:
        try:
            return client.explain("api_keys.list").address
        except TradingError:
            return None


def _network(client: Any) -> Check:
    try:
        if client.account_address is None:
            client.funding.history(symbol="BTC", limit=1).first()
        else:
            client.account.settings()
    except TradingError as error:
        advice = "look at the address, the network and proxies; --verbose shows each attempt"
        return Check("network", "fail", str(error), advice)
    plain = client.service_url.startswith("http:")
    return Check(
        "network", "ok", "it answers, over " + ("http, on this machine" if plain else "TLS")
    )


def _clock(client: BaseClient) -> Check:
    skew = client.clock_skew
    if skew is None:
        return Check(
            "clock", "warn", "the service does not tell its time", "synchronise this machine by NTP"
        )
    text = f"the service is {abs(skew) / 1000:g} s {'ahead' if skew > 0 else 'behind'}"
    if abs(skew) <= _SKEW:
        return Check("clock", "ok", f"{text}, as far as its answers show")
    advice = "synchronise this machine by NTP; what is signed may be refused as expired"
    return Check("clock", "fail" if abs(skew) > 30_000 else "warn", text, advice)


def _signature(found: Settings, client: Any) -> Check:
    if _address(found) is None:
        return Check("signature", "warn", "not tried, without a key")
    try:
        client.api_keys.list()
    except AuthenticationError as error:
        advice = "is it the key of this account, or an agent wallet that is bound to it?"
        return Check("signature", "fail", str(error), advice)
    except TradingError as error:
        return Check(
            "signature", "warn", str(error), "the service did not say whether it takes the key"
        )
    return Check("signature", "ok", "a signed read was accepted")


def _budget(found: Settings, client: BaseClient) -> Iterator[Check]:
    has_key = bool(found.variables.get("TRADING_API_KEY"))
    what = "sent with every request" if has_key else "none: the rate limit of the account counts"
    yield Check("API key", "ok", what)
    budget = client.rate_budget
    if budget is None:
        yield Check("rate limit", "ok", "the service tells none")
        return
    text = f"{budget.remaining:f} of {budget.quota or 0:f} credits left, whole again in {budget.resets_in} s"
    low = budget.remaining * 10 <= (budget.quota or 0)
    yield Check("rate limit", "warn" if low else "ok", text, "wait" if low else None)


def _journal(found: Settings, client: BaseClient) -> Check:
    """The journal is copied and read there, because a client that opens it may write to it."""
    path = journal_of(found, client)
    if not path.exists():
        return Check("journal", "ok", f"{path}, which the first change makes")
    with TemporaryDirectory() as folder:
        try:
            copied = Path(shutil.copy(path, folder))
            with made(found, journal=copied) as reader:
                open_calls = reader.unsettled()
        except (OSError, TradingError) as error:
            text = str(error).replace(folder, str(path.parent))
            return Check(
                "journal", "fail", text, "settle by hand what it names, and begin a new one"
            )
    if not open_calls:
        return Check("journal", "ok", f"{path}: no call is open")
    advice = "trading-sdk unsettled --reconcile, if no program is calling now"
    return Check("journal", "warn", f"{path}: {len(open_calls)} calls without an outcome", advice)
