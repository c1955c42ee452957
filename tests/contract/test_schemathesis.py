"""Schemathesis, with all its checks, finds nothing in either dialect that its description denies.

Some of its checks ask for what the spec does not have: no operation deletes anything
(use_after_free, ensure_resource_availability), none must be given a header or an API key
(missing_required_header, ignored_auth). They are on all the same, for the day it does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

import trading_sdk_observed as observed
from tests.end_to_end.operations import EMPTY_ANSWERS
from trading_sandbox import Sandbox
from trading_sandbox.web.dialects import DIALECTS, DialectName, dialect_of
from trading_sandbox.web.dialects.dialect import Dialect
from trading_sdk import Client, Keypair
from trading_sdk_observed.operations import API as OBSERVED

pytestmark = pytest.mark.contract

ROOT = Path(__file__).parents[2]
CONFIG = Path(__file__).with_name("schemathesis.toml")
SYMBOLS = ("BTC", "ETH", "SOL")
WAITING = 40
# So few still carry out every operation; the session contract takes all of the file with `-- all`.
ALL, SOME = "100", "25"
ACCEPTED = 'expected-statuses = ["2xx", "400", "401", "403", "409"]'
"""What may answer a well-formed request, in schemathesis.toml."""


def known_things(sandbox: Sandbox, isolated: Sequence[str]) -> str:
    """Make one of everything that a request can name; tell names and keys as JSON."""
    owner = sandbox.create_account(usdc="100000000", spot={"BTC": "1000", "SOL": "1000000"})
    agent, stranger = sandbox.create_account(), sandbox.create_account()
    sandbox.bind_agent(owner, agent)
    creators = [(owner, True), (owner, False), (owner, False), (stranger, True)]
    vaults = [sandbox.create_vault(who, managed, SYMBOLS) for who, managed in creators]
    with Client(sandbox.url, signer=owner) as client:
        client.vaults.add_max_leverage(lake=vaults[0], symbols=SYMBOLS, max_leverage=3)
    orders, stops = waiting_orders(sandbox, owner)
    for symbol in isolated:
        hold_isolated(sandbox, owner, symbol)
    values: dict[str, list[Any]] = {
        "account": [owner.address],
        "to_account": [sandbox.create_subaccount(owner).address],
        "lake": vaults,
        "capped_lake": [vaults[0]],
        "order_id": [*orders, *stops],
        "stop_order_id": stops,
        "resting_order_id": orders,
        "resting_symbol": ["BTC"],
        "isolated_symbol": [*isolated],
        "resting_price": ["90", "110"],
        "resting_amount": ["0.2", "0.3"],
        "closing_side": ["ask"],
        "symbol": ["BTC", *SYMBOLS],
        "symbols": [["BTC"], ["ETH", "SOL"], [*SYMBOLS]],
        "client_order_id": [str(UUID(int=number)) for number in range(1, 100)],
        "price": ["100000", "3500", "150"],
        "stop_price": ["200000"],
        "stop_loss.stop_price": ["50", "50", "200000"],
        "limit_price": ["200000"],
        "amount": ["0.01", "1", "5"],
        "slippage_percent": ["5"],
        "max_leverage": ["5"],
        "deposit_amount": ["1000"],
        "interval": ["1m", "1h"],
        "leverage": [5, 20],
        "agent_wallet": [agent.address],
        "time_range": ["1d", "7d", "all"],
    }
    keys = {"owner": owner.export_base58(), "agent": agent.export_base58()}
    return json.dumps({**keys, "known": values})


def hold_isolated(sandbox: Sandbox, owner: Keypair, symbol: str) -> None:
    """An isolated position that no generated orders close."""
    order: dict[str, Any] = {"symbol": symbol, "side": "bid", "amount": 80, "slippage_percent": "5"}
    with observed.Client(sandbox.url, signer=owner) as client:
        client.account.update_margin_mode(symbol=symbol, is_isolated=True)
        client.orders.create_market(**order, reduce_only=False)


def waiting_orders(sandbox: Sandbox, owner: Keypair) -> tuple[list[int], list[int]]:
    """Orders and stop orders for BTC, so far off that no generated order trades with them."""
    new: dict[str, Any] = {"symbol": "BTC", "reduce_only": False}
    bid = {**new, "side": "bid"}
    with (
        Client(sandbox.url, signer=owner) as client,
        Client(sandbox.url, signer=sandbox.create_account(usdc="100000000")) as seller,
    ):
        # A position, to which a take-profit and a stop-loss can belong, and which no generated orders close.
        seller.orders.create(**new, side="ask", price="100000", amount=90, tif="GTC")
        client.orders.create_market(**bid, amount=80, slippage_percent="1")
        held = client.trades.history(symbol="BTC").to_list()
        assert sum(trade.amount for trade in held) > 50
        resting = [
            client.orders.create(**bid, price=100, amount="0.2", tif="ALO") for _ in range(WAITING)
        ]
        far: Any = {"stop_price": 500_000, "amount": "0.01"}
        stops = [client.orders.create_stop(**bid, stop_order=far) for _ in range(WAITING)]
    return [each.order_id for each in resting], [each.order_id for each in stops]


def not_modelled(dialect: Dialect) -> list[str]:
    """Arguments that leave out what the sandbox answers with 501."""
    operations = dialect.api.operations.items()
    left_out = [each.path for name, each in operations if name not in dialect.modelled]
    return [argument for path in left_out for argument in ("--exclude-path", path)]


def config(dialect: DialectName) -> str:
    """The configuration; in the live dialect what is well formed may be refused with more statuses."""
    text = CONFIG.read_text("utf-8")
    if os.environ.get("TRADING_CONTRACT") != "all":
        text = text.replace(f"examples = {ALL}", f"examples = {SOME}")
    if dialect == "documented":
        return text
    # A business rule, or a wrong tick or lot, which a check of ours judges.
    text = text.replace(ACCEPTED, with_statuses("422", "500"))
    text += "\n[checks.not_a_server_error]\nenabled = false\n"
    text += for_operation(
        "orders.history_by_id", f"positive_data_acceptance.{with_statuses('404', '422')}"
    )
    return text + "".join(
        for_operation(name, "response_schema_conformance.enabled = false")
        for name in sorted(EMPTY_ANSWERS)
    )


def with_statuses(*more: str) -> str:
    """The accepted statuses, and these."""
    return ACCEPTED.replace("]", "".join(f', "{status}"' for status in more) + "]")


def for_operation(name: str, check: str) -> str:
    """A table that configures a check of one operation."""
    path = OBSERVED.operations[name].path
    return f'\n[[operations]]\ninclude-path = "{path}"\nchecks.{check}\n'


@pytest.mark.parametrize("name", DIALECTS)
def test_given_requests_of_every_operation_then_no_check_fails(
    name: DialectName, tmp_path: Path
) -> None:
    dialect = dialect_of(name)
    # The spec itself, so that what its JSON leaves out is found, too.
    spec = ROOT / "spec" / "openapi.yaml" if name == "documented" else dialect.spec
    (tmp_path / "schemathesis.toml").write_text(config(name), "utf-8")
    with Sandbox(taker_delay=0, dialect=name) as sandbox:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "TRADING_CONTRACT_URL": sandbox.url,
            "TRADING_CONTRACT_SPEC": str(spec),
            "TRADING_CONTRACT_SETUP": known_things(sandbox, ["ETH"] if name == "live" else []),
        }
        schemathesis = (sys.executable, "-m", "schemathesis.cli")
        configured = ("--config-file", str(tmp_path / "schemathesis.toml"))
        shown = subprocess.run(
            [*schemathesis, *configured, "run", str(spec), "--no-color", *not_modelled(dialect)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    print(shown.stdout)
    assert shown.returncode == 0
