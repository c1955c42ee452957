"""Positions and balance are one record, whichever client reads them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.toolkit.market import PACKAGES, exchange, trade
from trading_toolkit import ToolkitError, account, portfolio

pytestmark = pytest.mark.toolkit


def test_positions_are_the_same_for_either_client() -> None:
    """What trades add up to is what the service lists, and closed markets come with size 0."""
    for seed in (1, 2):
        with exchange("live") as sandbox:
            key = sandbox.create_account(usdc="100000")
            trade(sandbox, key, times=12, seed=seed)
            with PACKAGES["live"].Client(sandbox.url, signer=key) as client:
                listed = account.positions(client)
                every = account.positions(client, closed=True)
                # Without the list the same client adds up its trades.
                trades = client.trades.history().to_list()
                summed = portfolio.positions(trades)
            assert {each.symbol: each.size for each in every} == {
                each.symbol: each.size for each in summed.values()
            }
            assert {each.symbol for each in listed} == {each.symbol for each in every if each.size}
            assert every[: len(listed)] == listed
            for each in listed:
                assert each.entry_price == summed[each.symbol].entry_price.quantize(
                    each.entry_price
                )
                assert each.sure_since == each.opened_at
                assert each.liquidation_price is not None
            for each in every[len(listed) :]:
                assert each.updated_at == max(
                    trade.created_at for trade in trades if trade.symbol == each.symbol
                )


def test_positions_of_the_documented_client_are_added_up() -> None:
    with exchange() as sandbox:
        key = sandbox.create_account(usdc="100000")
        trade(sandbox, key, times=6)
        with PACKAGES["documented"].Client(sandbox.url, signer=key) as client:
            summed = portfolio.positions(client.trades.history())
            found = account.positions(client, closed=True)
            assert {each.symbol: each.size for each in found} == {
                symbol: each.size for symbol, each in summed.items()
            }
            assert {each.symbol for each in account.positions(client)} == {
                symbol for symbol, each in summed.items() if each.size
            }
            with pytest.raises(ToolkitError, match="trading_sdk_observed"):
                account.balance(client)


def test_the_balance_is_what_the_account_has() -> None:
    with exchange("live") as sandbox:
        key = sandbox.create_account(usdc="10000", spot={"SOL": "5"})
        with PACKAGES["live"].Client(sandbox.url, signer=key) as client:
            found = account.balance(client)
            assert found.balance == Decimal(10000)
            assert found.equity == found.balance + 5 * 150 * Decimal("0.9")
            assert found.pending == Decimal(0)
            assert found.spot == {"SOL": Decimal(5)}
            client.orders.create(
                symbol="BTC",
                side="bid",
                price="50000",
                amount="0.1",
                tif="ALO",
                reduce_only=False,
            )
            after = account.balance(client)
            assert after.margin_used > 0
            assert after.available_to_spend < found.available_to_spend
