"""The sandbox that the soak of the client trades on, and what its processes are told of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from time import sleep
from typing import TypeVar

from attrs import field, frozen

from tests.benchmarks import servers
from trading_sandbox import RemoteSandbox

T = TypeVar("T")
USDC, SOL = 1_000_000, 1_000
PAUSE = 0.05
"""Seconds between two attempts."""
PATIENCE = 200
"""Attempts, each of which may meet a fault."""


@frozen(kw_only=True)
class Owner:
    """An account with a subaccount."""

    key: str = field(repr=False)
    address: str
    sub: str

    @classmethod
    def opened(cls, sandbox: RemoteSandbox) -> Owner:
        """Open both."""
        main = sandbox.create_account(str(USDC), {"SOL": str(SOL)})
        sub = sandbox.create_subaccount(main)
        return cls(key=main.export_base58(), address=main.address, sub=sub.address)


@frozen(kw_only=True)
class World:
    """Where the processes trade, and what the plan of all of them is made of."""

    url: str
    folder: Path
    seed: int
    threads: int
    calls: int
    """Of each thread."""
    owners: tuple[Owner, ...]

    def journal(self, account: int) -> Path:
        """The journal of an account."""
        return self.folder / f"journal-{account}"


def persistently(call: Callable[[], T], *failed: type[Exception]) -> T:
    """Do something until it does not fail any more."""
    for _ in range(PATIENCE):
        try:
            return call()
        except failed:
            sleep(PAUSE)
    raise TimeoutError(f"{call} always failed")


def serving(seed: int) -> AbstractContextManager[str]:
    """Run a sandbox in a process of its own; yield its URL."""
    return servers.serving(*servers.SANDBOX, "--seed", str(seed), "--taker-delay", "0.03")
