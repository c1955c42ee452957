"""Positions and balance are one record, whichever client reads them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.doubles.orders import resting
from tests.toolkit.market import PACKAGES, Dialect, exchange, trade
from trading_toolkit import ToolkitError, account, portfolio


@pytest.mark.parametrize("dialect", PACKAGES)
@pytest.mark.parametrize("seed", [1, 2])
def test_positions_are_the_same_for_either_client(seed: int, dialect: Dialect) -> None:
    """What trades add up to is what the service lists, and closed markets come with size 0."""
    with exchange(dialect) as sandbox:
        key = sandbox.create_account(usdc="100000")
        trade(sandbox, key, times=12, seed=seed)
        with PACKAGES[dialect].Client(sandbox.url, signer=key) as client:
            listed = account.positions(client)
            every = account.positions(client, closed=True)
            trades = client.trades.history().to_list()
            if dialect == "documented":
                with pytest.raises(ToolkitError, match="trading_sdk_observed"):
                    account.balance(client)
    summed = portfolio.positions(trades)
    assert {each.symbol: each.size for each in every} == {
        each.symbol: each.size for each in summed.values()
    }
    assert {each.symbol for each in listed} == {each.symbol for each in every if each.size}
    assert every[: len(listed)] == listed
    for each in listed:
        exact = summed[each.symbol].entry_price
        assert each.entry_price == exact.quantize(each.entry_price)
        if dialect == "live":
            assert each.sure_since == each.opened_at
            assert each.liquidation_price is not None
    for each in every[len(listed) :]:
        of_market = [trade.created_at for trade in trades if trade.symbol == each.symbol]
        assert each.updated_at == max(of_market)


def test_the_balance_is_what_the_account_has() -> None:
    with exchange("live") as sandbox:
        key = sandbox.create_account(usdc="10000", spot={"SOL": "5"})
        with PACKAGES["live"].Client(sandbox.url, signer=key) as client:
            found = account.balance(client)
            assert found.balance == Decimal(10000)
            assert found.equity == found.balance + 5 * 150 * Decimal("0.9")
            assert found.pending == Decimal(0)
            assert found.spot == {"SOL": Decimal(5)}
            client.orders.create(**resting(price="50000"))
            after = account.balance(client)
            assert after.margin_used > 0
            assert after.available_to_spend < found.available_to_spend
