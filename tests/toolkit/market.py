"""An exchange with a past: what the tests of the toolkit read."""

from __future__ import annotations

from random import Random
from typing import Any, Literal, TypeAlias

import trading_sdk
import trading_sdk_observed
from tests.doubles.clock import leave_the_hour_behind
from trading_sandbox import Sandbox
from trading_sdk import Client, Keypair, Side

HOUR = 3_600_000
Dialect: TypeAlias = Literal["documented", "live"]
PACKAGES: dict[Dialect, Any] = {
    "documented": trading_sdk,
    "live": trading_sdk_observed,
}
"""The package whose client speaks a dialect."""


def exchange(dialect: Dialect = "documented") -> Sandbox:
    leave_the_hour_behind()
    return Sandbox(seed=7, maker=False, taker_delay=0, dialect=dialect)


def trade(sandbox: Sandbox, key: Keypair, times: int, seed: int = 1) -> None:
    """Trade at random with another account, hours apart: partial closes and reversals."""
    random, prices = Random(seed), {"BTC": 50_000, "ETH": 2_000}
    other = sandbox.create_account(usdc="10000000")
    with Client(sandbox.url, signer=key) as taker, Client(sandbox.url, signer=other) as maker:
        for _ in range(times):
            symbol = random.choice(["BTC", "ETH"])
            side, against = random.choice([(Side.BID, Side.ASK), (Side.ASK, Side.BID)])
            prices[symbol] += random.randrange(-20, 20)
            order: dict[str, Any] = {
                "symbol": symbol,
                "price": str(prices[symbol]),
                "amount": random.choice(["0.01", "0.02", "0.05"]),
                "tif": "GTC",
                "reduce_only": False,
            }
            maker.orders.create(**order, side=against)
            taker.orders.create(**order, side=side)
            sandbox.advance(random.choice([1, 1, 13 * HOUR]))
