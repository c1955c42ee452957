"""Secrets against a whole exchange: each refusal, and what settles a call afterwards.

The fault matrix looks for them in whatever a fault brings about.
"""

from __future__ import annotations

import logging
import traceback
from pathlib import Path
from typing import Any

import pytest

from tests.doubles.orders import resting
from tests.end_to_end.operations import TAKE_ANYTHING, WRONG
from tests.end_to_end.trading import Connect
from tests.runtime.canaries import Wallet, holds, leaks, looks, prints, sends_on
from trading_sandbox import Sandbox
from trading_sdk import Client, OutcomeUnknownError, TradingError


@pytest.fixture
def wallet() -> Wallet:
    return Wallet()


@pytest.fixture
def account(sandbox: Sandbox, wallet: Wallet) -> str:
    """The address of an account that the wallet signs for."""
    found = sandbox.create_account("1000000").address
    sandbox.bind_agent(found, wallet.address)
    return found


@pytest.mark.parametrize("name", WRONG)
def test_no_refusal_brings_a_secret_to_light(
    connect: Connect, account: str, wallet: Wallet, name: str
) -> None:
    client = connect(wallet, account=account)
    try:
        WRONG[name](client)
    except TradingError as error:
        shown = prints(error) + holds(error) + sends_on(error)
        assert leaks(shown, wallet.signatures) == set()
    else:
        assert name in TAKE_ANYTHING


@pytest.mark.parametrize(
    "kind", ["reset", "short_body", "cut_chunks", "cut_gzip", "no_length", "status", "close"]
)
def test_a_new_api_key_whose_answer_is_lost_stays_in_the_body_of_the_answer(
    sandbox: Sandbox, client: Client, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    options: dict[str, Any] = {"status": 503, "executed": True} if kind == "status" else {}
    sandbox.faults.inject("api_keys.create", kind, **options)
    with pytest.raises(OutcomeUnknownError) as caught:
        client.api_keys.create()
    (made,) = client.api_keys.list()["api_keys"]
    error = caught.value
    shown = as_logged(error) + error.to_json() + caplog.text
    assert made not in shown and made[:20] not in shown


def as_logged(error: BaseException) -> str:
    """An exception as it is logged; its attributes are apart."""
    return f"{error} {error!r} {[error]}" + "".join(traceback.format_exception(error))


def test_neither_an_answer_nor_a_settlement_shows_a_secret(
    sandbox: Sandbox, connect: Connect, account: str, wallet: Wallet, tmp_path: Path
) -> None:
    path = tmp_path / "journal"
    client = connect(wallet, account=account, journal=path, expiry_window=5_000)
    batch: list[Any] = [{"type": "Create", "data": resting(amount="1")}] * 2
    sandbox.faults.inject("orders.batch", "reset")
    with pytest.raises(OutcomeUnknownError) as caught:
        client.orders.batch(batch)
    written = path.read_text()
    (left,) = client.unsettled()
    settlements = client.reconcile(left)
    assert [each.state for each in settlements] == ["executed", "executed"]
    assert client.unsettled() == []
    for shown in (written, path.read_text(), holds(left), caught.value.to_json()):
        assert leaks(shown, wallet.signatures) == set()
    for thing in (*settlements, *settlements[0].records, client, client.rate_budget):
        assert leaks(looks(thing), wallet.signatures) == set()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_key_to_be_revoked_is_not_written_down(
    sandbox: Sandbox, connect: Connect, tmp_path: Path
) -> None:
    path = tmp_path / "journal"
    client = connect(sandbox.create_account(), journal=path)
    made = client.api_keys.create().api_key
    sandbox.faults.inject("api_keys.revoke", "reset")
    with pytest.raises(OutcomeUnknownError) as caught:
        client.api_keys.revoke(api_key=made)
    shown = path.read_text() + caught.value.to_json() + holds(caught.value)
    assert "api_keys.revoke" in shown
    assert made not in shown
