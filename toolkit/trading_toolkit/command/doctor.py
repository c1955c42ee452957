"""`doctor`: is everything as it must be to trade? A line for each check, and what to do. Nothing is changed."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from tempfile import TemporaryDirectory
from typing import Any

import click
from attrs import frozen

from trading_runtime import (
    ApiError,
    BaseClient,
    InternalServerError,
    Keypair,
    RateLimitError,
    TradingError,
    __version__,
)
from trading_toolkit.command.options import Command, options
from trading_toolkit.command.settings import Settings, journal_of, key_of, made, settings
from trading_toolkit.command.show import Ended, line, records

_SKEW = 2_000
"""A difference of the clocks that the `Date` of an answer can show, in ms."""
_EXPIRY = 30_000
"""How long a signature is accepted, in ms, unless a client says otherwise."""


@frozen
class Check:
    """One line."""

    check: str
    state: str
    """ok, warn or fail."""

    found: str
    advice: str | None = None


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"no {package}"


@click.command(cls=Command)
def doctor() -> None:
    """Check settings, key, network, clock, rate limit and journal. Nothing is changed.

    It sends two reads. The status is 1 if a check fails.
    """
    checks = list(_checks())
    if options().json or options().csv:
        records(checks)
    else:
        for each in checks:
            line(each, f"{each.state:5} {each.check:11} {each.found}")
            if each.advice:
                line(each, f"      do this:    {each.advice}")
    if any(each.state == "fail" for each in checks):
        raise Ended(1, "something has to be mended first")


def _checks() -> Iterator[Check]:
    found, extras = settings(), map(_version, ("click", "pyarrow", "rich"))
    text = f"trading-service-sdk {__version__}, Python {platform.python_version()}"
    yield Check("versions", "ok", ", ".join([text, *extras]))
    try:
        key, client = key_of(found), made(found)
    except (TradingError, click.UsageError) as error:
        yield Check("settings", "fail", str(error), "mend it; nothing else can be checked")
        return
    with client:
        yield Check("settings", "ok", f"{found.where}: {client.service_url}")
        yield _key(found, key)
        yield _account(key, client)
        network = _network(client)
        yield network
        if network.state == "ok":
            yield _clock(client)
            yield _signature(key, client)
            yield _budget(found, client)
        yield _journal(found, client)


def _key(found: Settings, key: Keypair | None) -> Check:
    if key is None:
        advice = "set TRADING_KEY_FILE to sign; `trading-sdk keys new FILE` makes a key"
        return Check("key", "warn", "none: reads only", advice)
    if path := found.variables.get("TRADING_KEY_FILE"):
        return Check("key", "ok", f"{path}, its owner's alone")
    advice = "a file is safer: trading-sdk keys convert - FILE"
    return Check("key", "warn", f"in {found.where} itself", advice)


def _account(key: Keypair | None, client: BaseClient) -> Check:
    account = client.account_address
    if account is None:
        return Check("account", "warn", "none: most reads need one", "set TRADING_ACCOUNT or a key")
    if key is None:
        how = "to read"
    elif key.address == account:
        how = "signed with its own key"
    else:
        how = f"signed by its agent wallet {key.address}"
    return Check("account", "ok", f"{account}, {how}")


def _network(client: Any) -> Check:
    try:
        if client.account_address is None:
            client.funding.history(symbol="BTC", limit=1).first()
        else:
            client.account.settings()
    except TradingError as error:
        advice = "look at the address, the network and the clock; --verbose shows each attempt"
        return Check("network", "fail", str(error), advice)
    over = "http, on this machine" if client.service_url.startswith("http:") else "TLS"
    return Check("network", "ok", f"it answers, over {over}")


def _clock(client: BaseClient) -> Check:
    skew, advice = client.clock_skew, "synchronise this machine by NTP"
    if skew is None:
        return Check("clock", "warn", "the service does not tell its time", advice)
    text = f"the service is {abs(skew) / 1000:g} s {'ahead' if skew > 0 else 'behind'}"
    if abs(skew) <= _SKEW:
        return Check("clock", "ok", f"{text}, as far as its answers show")
    state = "fail" if abs(skew) > _EXPIRY else "warn"
    return Check("clock", state, text, f"{advice}; what is signed may be refused as expired")


def _signature(key: Keypair | None, client: Any) -> Check:
    if key is None:
        return Check("signature", "warn", "not tried, without a key")
    try:
        client.subaccounts.list()  # the signed read that agent wallets may make, too
    except (RateLimitError, InternalServerError) as error:
        return Check("signature", "warn", str(error), "try again later")
    except TradingError as error:
        advice = "is it the key of an account that has a deposit, or an agent wallet bound to TRADING_ACCOUNT?"
        state = "fail" if isinstance(error, ApiError) else "warn"
        return Check("signature", state, str(error), advice)
    return Check("signature", "ok", "a signed read was accepted")


def _budget(found: Settings, client: BaseClient) -> Check:
    key = "with an API key" if found.variables.get("TRADING_API_KEY") else "without an API key"
    budget = client.rate_budget
    if budget is None:
        return Check("rate limit", "ok", f"the service tells none, {key}")
    quota = budget.quota or 0
    text = f"{budget.remaining:f} of {quota:f} credits left, whole again in {budget.resets_in} s, {key}"
    if budget.remaining * 10 > quota:
        return Check("rate limit", "ok", text)
    return Check("rate limit", "warn", text, "wait, or ask less often")


def _journal(found: Settings, client: BaseClient) -> Check:
    """The journal is copied and read there, because a client that opens it may write to it."""
    path = journal_of(found, client)
    if not path.exists():
        return Check("journal", "ok", f"{path}, which the first change makes")
    with TemporaryDirectory() as folder:
        try:
            with made(found, journal=shutil.copy(path, folder)) as reader:
                open_calls = reader.unsettled()
        except (OSError, TradingError) as error:
            text = str(error).replace(folder, str(path.parent))
            return Check("journal", "fail", text, "settle what it names, and begin a new one")
    if not open_calls:
        return Check("journal", "ok", f"{path}: no call is open")
    advice = "trading-sdk unsettled --reconcile, if no program is calling now"
    return Check("journal", "warn", f"{path}: {len(open_calls)} calls without an outcome", advice)
