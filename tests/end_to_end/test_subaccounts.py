"""Subaccounts and the funds that move between them (sections 2.6, 4.12, 4.13)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.end_to_end.trading import Connect
from trading_sandbox import Sandbox
from trading_sdk import AuthenticationError, BadRequestError, Client, Keypair, Subaccount


@pytest.fixture
def main(sandbox: Sandbox) -> Keypair:
    return sandbox.create_account("1000")


@pytest.fixture
def sub(sandbox: Sandbox, main: Keypair) -> Keypair:
    return sandbox.create_subaccount(main, usdc="50")


def listed(client: Client) -> Subaccount:
    [found] = client.subaccounts.list()
    return found


def test_a_main_account_lists_its_subaccounts(
    sandbox: Sandbox, connect: Connect, main: Keypair
) -> None:
    sandbox.freeze()
    first = sandbox.create_subaccount(main, usdc="50")
    sandbox.advance(5_000)
    second = sandbox.create_subaccount(main, use_ltp_for_stop_orders=True)

    one, other = connect(main).subaccounts.list()

    assert (one.address, other.address) == (first.address, second.address)
    assert (one.balance, one.pending_balance) == (Decimal(50), Decimal(0))
    assert (one.fee_level, one.fee_mode) == (1, "auto")
    assert (one.use_ltp_for_stop_orders, other.use_ltp_for_stop_orders) == (False, True)
    assert other.created_at == one.created_at + 5_000


def test_funds_move_both_ways(connect: Connect, main: Keypair, sub: Keypair) -> None:
    owner, under = connect(main), connect(sub)

    owner.subaccounts.transfer(to_account=sub.address, amount="100.5")
    assert listed(owner).balance == Decimal("150.5")
    under.subaccounts.transfer(to_account=main.address, amount="150.5")

    assert listed(owner).balance == 0
    owner.subaccounts.transfer(to_account=sub.address, amount="1000")


def test_more_than_there_is_cannot_move_and_that_has_code_5(
    connect: Connect, main: Keypair, sub: Keypair
) -> None:
    owner = connect(main)

    with pytest.raises(BadRequestError, match="Insufficient balance") as refused:
        owner.subaccounts.transfer(to_account=sub.address, amount="1000.01")

    assert (refused.value.status, refused.value.code) == (400, 5)
    assert listed(owner).balance == 50


def test_the_signing_type_of_an_older_page_is_refused_here(
    connect: Connect, main: Keypair, sub: Keypair
) -> None:
    older = connect(main, signing_types={"subaccounts.transfer": "subaccount_transfer"})

    with pytest.raises(AuthenticationError, match="Verification failed"):
        older.subaccounts.transfer(to_account=sub.address, amount="1")
