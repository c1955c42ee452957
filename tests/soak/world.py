"""The sandbox that the soak of the client trades on, and what its processes are told of it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from time import sleep
from typing import Any

import requests
from attrs import field, frozen

from tests.benchmarks import servers

USDC, SOL = 1_000_000, 1_000
_PATIENCE = 400
"""Attempts at a control, which a fault may shut out; 25 ms apart."""


@frozen(kw_only=True)
class Owner:
    """An account with a subaccount."""

    key: str = field(repr=False)
    address: str
    sub: str


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


class Control:
    """The controls of a sandbox in another process."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._session = requests.Session()
        self._session.trust_env = False

    def __call__(self, name: str, **arguments: Any) -> Any:
        """Call a control; return its result."""
        for _ in range(_PATIENCE):
            try:
                response = self._session.post(
                    f"{self._url}/sandbox/v1/{name}", json=arguments, timeout=60
                )
            except requests.ConnectionError:
                # `connect_refused` shuts the controls out as well.
                sleep(0.025)
                continue
            assert response.status_code == 200, response.text
            return response.json()["result"]
        raise TimeoutError(f"the control {name} cannot be reached")

    def close(self) -> None:
        """Close its connections."""
        self._session.close()


def serving(seed: int) -> AbstractContextManager[str]:
    """Run a sandbox in a process of its own; yield its URL."""
    return servers.serving(*servers.SANDBOX, "--seed", str(seed), "--taker-delay", "0.03")


def opened_world(
    control: Control, url: str, folder: Path, *, seed: int, threads: int, calls: int, accounts: int
) -> World:
    """Open the accounts of a run."""
    owners = tuple(_opened(control) for _ in range(accounts))
    return World(url=url, folder=folder, seed=seed, threads=threads, calls=calls, owners=owners)


def _opened(control: Control) -> Owner:
    main = control("create_account", usdc=str(USDC), spot={"SOL": str(SOL)})
    sub = control("create_subaccount", main=main["address"])
    return Owner(key=main["private_key"], address=main["address"], sub=sub["address"])
