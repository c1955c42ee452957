"""Schemathesis, with all its checks, finds nothing in the sandbox that spec/openapi.yaml denies.

Some of its checks ask for what the spec does not have: no operation deletes anything
(use_after_free, ensure_resource_availability), none must be given a header or an API key
(missing_required_header, ignored_auth). They are on all the same, for the day it does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from tests.interface import OPERATIONS
from trading_sandbox import Sandbox
from trading_sandbox.web.dispatch import MODELLED
from trading_sdk import Client, Keypair, Side, StopOrderConfig, TimeInForce

pytestmark = pytest.mark.contract

ROOT = Path(__file__).parents[2]
CONFIG = Path(__file__).with_name("schemathesis.toml")
SYMBOLS = ("BTC", "ETH", "SOL")
WAITING = 50


def known_things(sandbox: Sandbox) -> str:
    """Make one of everything that a request can name; tell names and keys as JSON."""
    owner = sandbox.create_account(usdc="100000000", spot={"BTC": "1000", "SOL": "1000000"})
    agent, stranger = sandbox.create_account(), sandbox.create_account()
    sandbox.bind_agent(owner, agent)
    creators = [(owner, True), (owner, False), (owner, False), (stranger, True)]
    values: dict[str, list[Any]] = {
        "account": [owner.address],
        "to_account": [sandbox.create_subaccount(owner).address],
        "lake": [sandbox.create_vault(who, managed, SYMBOLS) for who, managed in creators],
        "order_id": waiting_orders(sandbox, owner),
        "symbol": ["BTC", *SYMBOLS],
        "symbols": [["BTC"], ["ETH", "SOL"], [*SYMBOLS]],
        "client_order_id": [str(UUID(int=number)) for number in range(1, 100)],
        "price": ["100000", "3500", "150"],
        "stop_price": ["200000"],
        "amount": ["0.01", "1", "5"],
        "slippage_percent": ["5"],
        "max_leverage": ["5"],
        "deposit_amount": ["1000"],
    }
    keys = {"owner": owner.export_base58(), "agent": agent.export_base58()}
    return json.dumps({**keys, "known": values})


def waiting_orders(sandbox: Sandbox, owner: Keypair) -> list[int]:
    """Orders and stop orders for BTC, so far off that no generated order trades with them."""
    ids = []
    with Client(sandbox.url, signer=owner) as client:
        for _ in range(WAITING):
            order = client.orders.create(
                symbol="BTC",
                side=Side.BID,
                price=100,
                amount="0.2",
                tif=TimeInForce.ALO,
                reduce_only=False,
            )
            stop = client.orders.create_stop(
                symbol="BTC",
                side=Side.BID,
                reduce_only=False,
                stop_order=StopOrderConfig(stop_price=500_000, amount="0.01"),
            )
            ids += [order.order_id, stop.order_id]
    return ids


def not_modelled() -> list[str]:
    """Arguments that leave out what the sandbox answers with 501."""
    left_out = [each.path for name, each in OPERATIONS.items() if name not in MODELLED]
    return [argument for path in left_out for argument in ("--exclude-path", path)]


def test_given_requests_of_every_operation_then_no_check_fails() -> None:
    with Sandbox(taker_delay=0) as sandbox:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "TRADING_CONTRACT_URL": sandbox.url,
            "TRADING_CONTRACT_SETUP": known_things(sandbox),
        }
        command = ("--config-file", str(CONFIG), "run", "spec/openapi.yaml", "--no-color")
        shown = subprocess.run(
            [
                sys.executable,
                "-m",
                "schemathesis.cli",
                *command,
                "--checks",
                "all",
                *not_modelled(),
            ],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    print(shown.stdout)
    assert shown.returncode == 0
