"""No result depends on the decimal context of the thread that uses the sandbox."""

from __future__ import annotations

import decimal
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from attrs import asdict

from trading_sandbox import Sandbox
from trading_sdk import Client, Keypair, TpslConfigDict

OPENED = 1_800_000_000_000


@contextmanager
def hostile(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Six digits, and an exception for everything inexact, in this thread and in all new ones."""
    for name, value in {"prec": 6, "capitals": 0, "rounding": decimal.ROUND_UP}.items():
        monkeypatch.setattr(decimal.DefaultContext, name, value)
    traps = decimal.DefaultContext.traps
    for signal in (decimal.Inexact, decimal.Rounded, decimal.Subnormal):
        monkeypatch.setitem(traps, signal, True)
    with decimal.localcontext(decimal.DefaultContext):
        yield


def told(state: Path) -> dict[str, Any]:
    """What a day of trading comes to, as the controls, the histories and the state file tell it."""
    with Sandbox(seed=11, taker_delay=0, state=state, frozen_at=OPENED) as sandbox:
        trader = sandbox.create_account(usdc="123456.789012", spot={"SOL": "5.12345678"})
        other = sandbox.create_subaccount(trader, usdc="0.000001")
        with Client(sandbox.url, signer=trader) as client:
            found = trade(sandbox, client, trader, other)
            sandbox.deposit(trader, usdc="1234567.654321", spot={"SOL": "0.00000001"})
            sandbox.set_mark_price("SOL", Decimal("1.5E+2"))
            taken = sandbox.snapshot()
            before = sandbox.digest()
            sandbox.liquidate(trader)
            sandbox.restore(taken)
            found["restored"] = sandbox.digest() == before
            found["account"] = sandbox.account(trader)
            sandbox.set_rate_limit("1234567.8")
            found["trades"] = [asdict(each) for each in client.trades.history()]
    with Sandbox(seed=11, state=state) as sandbox:
        return {**found, "read back": sandbox.digest() == before, "digest": before}


def trade(sandbox: Sandbox, client: Client, trader: Keypair, other: Keypair) -> dict[str, Any]:
    """Trade in odd numbers, let time pass, and withdraw and transfer what is left."""
    order: dict[str, Any] = {"symbol": "ETH", "reduce_only": False, "client_order_id": None}
    stop: TpslConfigDict = {"stop_price": "2987.6", "client_order_id": None}
    client.orders.create_market(
        side="bid", amount="7.1234", slippage_percent="1.5", stop_loss=stop, **order
    )
    client.orders.create(side="ask", price="3712.3", amount="0.1234", tif="ALO", **order)
    client.orders.create_market(side="ask", amount="1.1111", slippage_percent="2", **order)
    sandbox.advance(3_600_000)
    view = sandbox.account(trader)
    sandbox.set_mark_price("ETH", "2901.1")  # the stop-loss closes what it opened
    client.orders.create_market(side="bid", amount="3.3333", slippage_percent="1", **order)
    client.subaccounts.transfer(to_account=other.address, amount="1234.567891")
    receipt = client.spot.withdraw(symbol="SOL", amount="1.23456789", idempotency_key=None)
    return {
        "after an hour": view,
        "market": sandbox.market("ETH"),
        "withdrawn": asdict(receipt),
        "orders": [asdict(each) for each in client.orders.history()],
        "fundings": [asdict(each) for each in islice(client.funding.history(symbol="ETH"), 5)],
        "subaccounts": [asdict(each) for each in client.subaccounts.list()],
    }


def test_a_day_of_trading_is_the_same_under_six_digits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = told(tmp_path / "usual")

    with hostile(monkeypatch):
        found = told(tmp_path / "hostile")

    assert found == usual
    assert found["restored"] and found["read back"]
    # The scenario has numbers that six digits cannot hold.
    assert len(str(found["account"].balance)) > 10
    assert {each["side"] for each in found["trades"]} == {"open_long", "close_long"}
