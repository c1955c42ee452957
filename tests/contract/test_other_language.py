"""A small client in another language, written from the field notes alone, trades on the live dialect."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.spec.prism import node_binary
from trading_sandbox import Sandbox

pytestmark = pytest.mark.contract

CLIENT = Path(__file__).with_name("live_client.mjs")


def test_given_its_own_signatures_and_readings_then_it_opens_and_closes_a_position() -> None:
    with Sandbox(dialect="live", taker_delay=0, frozen_at=1_800_000_000_000) as sandbox:
        key = sandbox.create_account(usdc="10000").export_base58()
        command = [str(node_binary()), str(CLIENT), sandbox.url, key]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert done.returncode == 0, done.stderr
    saw = json.loads(done.stdout)
    position = saw.pop("position")
    # 0.1 x 100,010 with leverage 10; half of the margin must be left of 10,000 - 4.0004 - 1 USDC.
    assert (position["entry_price"], position["isolated"]) == ("100010", False)
    assert position["liquidation_price"] == "5050.504"
    assert saw == {
        "tick_size": "1",
        "mark": "100000",
        "touch": ["99990", "100010"],
        "open": ["limit", "stop_loss_market"],
        "cancelled_count": 1,
        "refused": "Error: 422: Cannot switch between cross and isolated margin: the account has "
        "a position in BTC; cancel the orders and close the position first",
        "positions_count": 0,
        # 10,000 - 2 for the spread - 0.04 % of 10,001 and of 9,999.
        "balance": "9990",
        "trades": [["close_long", "99990"], ["open_long", "100010"]],
        "events": ["filled", "open"],
    }
