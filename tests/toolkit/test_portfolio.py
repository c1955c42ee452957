"""Positions and profit are exact: they are what the exchange itself has."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context, Decimal, localcontext
from typing import Any

import attrs
import pytest

from tests.toolkit.market import HOUR, exchange, trade
from trading_sandbox import Sandbox
from trading_sdk_observed import Client, Trade
from trading_toolkit import ToolkitError, history, portfolio

pytestmark = pytest.mark.toolkit


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with exchange("live") as sandbox:
        yield sandbox


def traded(sandbox: Sandbox, seed: int) -> Client:
    key = sandbox.create_account(usdc="100000")
    trade(sandbox, key, 30, seed)
    return Client(sandbox.url, signer=key)


@pytest.mark.parametrize("seed", range(4))
def test_positions_and_profit_are_those_of_the_exchange(sandbox: Sandbox, seed: int) -> None:
    with traded(sandbox, seed) as client:
        trades = client.trades.history().to_list()
        held = {each.symbol: each for each in client.positions.list()}

        found = portfolio.positions(trades)

        assert {each for each, position in found.items() if position.size} == set(held)
        for symbol, position in held.items():
            mine = found[symbol]
            assert abs(mine.size) == position.amount
            assert (mine.size > 0) == (position.side == "bid")
            # The exchange rounds it.
            assert round(mine.entry_price, 8) == position.entry_price
            assert (mine.opened_at, mine.updated_at) == (position.created_at, position.updated_at)
            assert mine.sure_since is not None
        rows = portfolio.pnl(trades, client.funding.payments())
        assert sum(each.net for each in rows) == client.account.info().balance - 100_000
        assert sum(each.trades for each in rows) == len(trades)
        assert sum(each.fees for each in rows) == sum(each.fee for each in trades)


def test_liquidations_are_trades_like_others(sandbox: Sandbox) -> None:
    with traded(sandbox, 9) as client:
        assert client.account_address is not None
        sandbox.liquidate(client.account_address, cause="backstop_liquidation")
        trades = client.trades.history().to_list()
        assert {each.cause for each in trades} == {"normal", "backstop_liquidation"}
        assert all(each.size == 0 == each.cost for each in portfolio.positions(trades).values())
        rows = portfolio.pnl(trades, client.funding.payments())
        assert sum(each.net for each in rows) == client.account.info().balance - 100_000


def test_a_ledger_knows_after_each_trade_what_the_whole_list_says(sandbox: Sandbox) -> None:
    with traded(sandbox, 6) as client:
        trades = sorted(client.trades.history(), key=lambda each: each.history_id)
        payments = client.funding.payments().to_list()
        gained = client.account.info().balance - 100_000
    ledger = portfolio.Ledger()
    for number, each in enumerate(trades, 1):
        ledger.add(each)
        assert ledger.positions() == portfolio.positions(trades[:number])
        assert ledger.pnl() == portfolio.pnl(trades[:number])
    for payment in payments:
        ledger.add_funding(payment)
    assert ledger.pnl() == portfolio.pnl(trades, payments)
    assert portfolio.total(ledger.pnl()).net == gained


def test_rows_of_a_folder_are_as_good_as_records(sandbox: Sandbox, tmp_path: Any) -> None:
    with traded(sandbox, 5) as client:
        history.sync(client, "trades", tmp_path / "t")
        rows = history.read(tmp_path / "t").to_table().to_pylist()
        trades = client.trades.history().to_list()
        assert portfolio.positions(history.read(tmp_path / "t")) == portfolio.positions(trades)
        assert portfolio.positions(rows) == portfolio.positions(reversed([*trades, *trades]))
        assert str(portfolio.pnl(rows)) == str(portfolio.pnl(trades))


def a_trade(
    number: int,
    side: str,
    amount: str,
    price: str = "100",
    *,
    entry: str | None = None,
    **more: Any,
) -> Trade:
    values: dict[str, Any] = {
        "history_id": number,
        "order_id": number,
        "symbol": "BTC",
        "amount": Decimal(amount),
        "price": Decimal(price),
        "entry_price": Decimal(entry or price),
        "fee": Decimal("0.1"),
        "pnl": Decimal(0),
        "event_type": "fulfill_maker",
        "side": side,
        "created_at": number * HOUR,
        "cause": "normal",
    }
    return Trade(**{**values, **more})


@pytest.mark.parametrize(
    ("trades", "size", "sure_since"),
    [
        # The first trade is the opening.
        ([a_trade(1, "open_long", "1")], "1", 1),
        ([a_trade(1, "open_long", "1"), a_trade(2, "close_long", "0.4")], "0.6", 1),
        # The first trade closes, or its entry price is that of an older position.
        ([a_trade(1, "close_long", "1")], "0", None),
        ([a_trade(1, "open_short", "1", entry="90")], "-1", None),
        # More is closed than was opened.
        ([a_trade(1, "open_long", "1"), a_trade(2, "close_long", "2")], "0", None),
        # It turned: nothing was left of the older position.
        ([a_trade(1, "close_long", "1"), a_trade(2, "open_short", "3")], "-3", 2),
        (
            [
                a_trade(1, "open_long", "5", entry="90"),
                a_trade(2, "open_short", "3"),
                a_trade(3, "close_short", "1"),
            ],
            "-2",
            2,
        ),
    ],
)
def test_it_says_from_when_on_it_is_sure(
    trades: list[Trade], size: str, sure_since: int | None
) -> None:
    found = portfolio.positions(trades)["BTC"]
    assert found.size == Decimal(size)
    assert found.sure_since == (None if sure_since is None else sure_since * HOUR)


def test_profit_that_is_net_of_fees_is_taken_apart() -> None:
    trades = [
        a_trade(1, "open_long", "2", "100", pnl=Decimal("-0.1")),
        a_trade(2, "close_long", "1", "110", entry="100", pnl=Decimal("9.9")),
    ]
    [day] = portfolio.pnl(trades, pnl_includes_fees=True)
    assert (day.realised, day.fees, day.net) == (Decimal(10), Decimal("0.2"), Decimal("9.8"))
    assert day.volume == 310
    position = portfolio.positions(trades, pnl_includes_fees=True)["BTC"]
    assert position.entry_price == 100
    assert position.unrealised(Decimal(90)) == -10


def test_amounts_are_not_rounded() -> None:
    small = "0.000000000000000001"
    trades = [a_trade(1, "open_long", "12345678901234567890"), a_trade(2, "open_long", small)]
    assert portfolio.positions(trades)["BTC"].size == Decimal(
        "12345678901234567890.000000000000000001"
    )


def test_the_decimal_context_of_the_program_rounds_nothing() -> None:
    trades = [
        a_trade(1, "open_short", "1.23456789", "101.5"),
        a_trade(2, "close_short", "1.23456788", "101.5"),
    ]
    with localcontext(Context(prec=3)):
        found = portfolio.positions(trades)["BTC"]
        [day] = portfolio.pnl(trades)
    assert (found.size, found.cost) == (Decimal("-0.00000001"), Decimal("-0.000001015"))
    assert day.volume == Decimal("250.617280655")


def test_an_unknown_side_is_told() -> None:
    with pytest.raises(
        ToolkitError, match="trade 7: what a 'flip' does to a position is not known"
    ):
        portfolio.positions([a_trade(7, "flip", "1")])


def test_records_of_another_kind_are_told() -> None:
    for wrong, words in (
        ({"history_id": 1, "symbol": "BTC"}, "is not a trade: it needs amount, price"),
        ("BTC", "BTC is not a trade"),
        ({**attrs.asdict(a_trade(1, "open_long", "1")), "fee": 0.1}, "fee 0.1 is no Decimal"),
    ):
        with pytest.raises(ToolkitError, match=words):
            portfolio.positions([wrong])
    with pytest.raises(ToolkitError, match="is not a funding payment: it needs payout"):
        portfolio.pnl([], [a_trade(1, "open_long", "1")])
    flag: Any = "no"
    for call in (portfolio.pnl, portfolio.positions):
        with pytest.raises(ToolkitError, match="pnl_includes_fees must be True or False, not 'no'"):
            call([], pnl_includes_fees=flag)


def test_nothing_is_nothing() -> None:
    assert portfolio.positions([]) == {}
    assert portfolio.pnl(()) == ()
