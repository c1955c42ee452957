"""Positions and profit are exact: they are what the exchange itself has."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import attrs
import pytest
from attrs import frozen
from hypothesis import given, strategies as st

from tests.toolkit.market import HOUR, exchange, trade
from tests.toolkit.records import record
from trading_sandbox import Sandbox
from trading_sdk_observed import Client, Trade
from trading_toolkit import ToolkitError, history, portfolio


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
        payments = client.funding.payments().to_list()
        held = {each.symbol: each for each in client.positions.list()}
        gained = client.account.info().balance - 100_000

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
    rows = portfolio.pnl(trades, payments)
    assert portfolio.total(rows).net == sum(each.net for each in rows) == gained
    assert sum(each.trades for each in rows) == len(trades)
    assert sum(each.fees for each in rows) == sum(each.fee for each in trades)
    # A ledger knows after each trade what the whole list says.
    ledger, by_id = portfolio.Ledger(), sorted(trades, key=lambda each: each.history_id)
    for number, each in enumerate(by_id, 1):
        ledger.add(each)
        assert ledger.positions() == portfolio.positions(by_id[:number])
        assert ledger.pnl() == portfolio.pnl(by_id[:number])
    for payment in payments:
        ledger.add_funding(payment)
    assert ledger.pnl() == rows


def test_rows_of_a_folder_are_as_good_as_records(sandbox: Sandbox, tmp_path: Path) -> None:
    with traded(sandbox, 5) as client:
        history.sync(client, "trades", tmp_path)
        trades = client.trades.history().to_list()
    kept = history.read(tmp_path)
    rows = kept.to_table().to_pylist()
    assert portfolio.positions(kept) == portfolio.positions(trades)
    assert portfolio.positions(kept.to_table()) == portfolio.positions(rows)
    assert portfolio.positions(rows) == portfolio.positions(reversed([*trades, *trades]))
    assert portfolio.pnl(kept) == portfolio.pnl(trades)
    assert str(portfolio.pnl(rows)) == str(portfolio.pnl(trades))
    with pytest.raises(ToolkitError, match="is not a trade: it needs amount, price"):
        portfolio.pnl(kept.to_table(columns=["history_id", "amount"]))


START = 20_000 * 24 * HOUR


def a_trade(
    number: int, side: str, amount: str, price: str = "100", entry: str = "", **more: Any
) -> Trade:
    texts = {"amount": amount, "price": price, "entry_price": entry or price, "fee": "0.1"}
    money: dict[str, Any] = {name: Decimal(text) for name, text in texts.items()}
    ids = {"history_id": number, "order_id": number, "created_at": START + number * HOUR}
    return record(Trade, **{**ids, **money, "side": side, **more})


TURNED = [a_trade(1, "open_long", "5", entry="90"), a_trade(2, "open_short", "3")]


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
        ([*TURNED, a_trade(3, "close_short", "1")], "-2", 2),
    ],
)
def test_it_says_from_when_on_it_is_sure(
    trades: list[Trade], size: str, sure_since: int | None
) -> None:
    found = portfolio.positions(trades)["BTC"]
    assert found.size == Decimal(size)
    assert found.sure_since == (None if sure_since is None else START + sure_since * HOUR)


def test_profit_that_is_net_of_fees_is_taken_apart_and_a_closed_position_has_no_cost() -> None:
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
    # The profit is stated after its fee, and the cost rests on it.
    trades = [
        a_trade(1, "open_long", "1", "100"),
        a_trade(2, "close_long", "1", "110", pnl=Decimal("9.95")),
        a_trade(3, "open_long", "0.001", "110"),
    ]
    closed = portfolio.positions(trades[:2])["BTC"]
    assert [closed.size, closed.cost, closed.opened_at] == [0, 0, None]
    assert portfolio.positions(trades)["BTC"].entry_price == 110


def test_a_trade_that_comes_late_makes_a_ledger_say_so() -> None:
    ledger = portfolio.Ledger()
    for number, side in (1, "open_long"), (3, "open_short"), (2, "close_long"):
        ledger.add(a_trade(number, side, "1"))
    with pytest.raises(ToolkitError, match="trade 2 came after a later one: make the ledger anew"):
        ledger.positions()
    assert sum(each.trades for each in ledger.pnl()) == 3


@frozen
class Walk:
    """What a trader did: trades in their order, the size after each, and what it had cost."""

    trades: list[Trade]
    sizes: list[Fraction]
    costs: list[Fraction]


def decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / number.denominator


@st.composite
def walks(draw: st.DrawFn) -> Walk:
    """Opens, partial closes, flips, several in one ms, with ids that are in order only between two ms."""
    size, cost, price, at, ids = Fraction(0), Fraction(0), 100, START, 0
    made: list[list[dict[str, Any]]] = [[]]
    sizes, costs = [], []
    for _ in range(draw(st.integers(1, 14))):
        if draw(st.booleans()):
            at += draw(st.integers(1, 3))
            made.append([])
        price += 1  # so that no average is the price of a fill
        amount = Fraction(draw(st.integers(1, 4)), 4)
        is_closing = bool(size) and draw(st.booleans())
        direction = (1 if size > 0 else -1) if size else draw(st.sampled_from([1, -1]))
        pnl = Decimal(0)
        if is_closing:
            amount = min(amount, abs(size)) if draw(st.booleans()) else abs(size)
            pnl = round(decimal(direction * amount * (price - cost / size)), 12)  # as it is stated
            cost -= cost / size * direction * amount
            size -= direction * amount
        else:
            size += direction * amount
            cost += direction * amount * price
        average = cost / size if size else Fraction(price)
        verb, kind = "close" if is_closing else "open", "long" if direction > 0 else "short"
        fill = {"side": f"{verb}_{kind}", "amount": str(decimal(amount)), "price": str(price)}
        made[-1].append({**fill, "entry": str(decimal(average)), "pnl": pnl, "created_at": at})
        sizes.append(size)
        costs.append(cost)
    trades = []
    for of_one_ms in made:
        numbers = draw(st.permutations(range(ids, ids + len(of_one_ms))))
        trades += [a_trade(number, **each) for number, each in zip(numbers, of_one_ms, strict=True)]
        ids += len(of_one_ms)
    return Walk(trades, sizes, costs)


@given(walks())
def test_sizes_are_exact_whatever_the_ids_of_one_ms(walk: Walk) -> None:
    found = portfolio.positions(walk.trades)["BTC"]
    ledger = portfolio.Ledger()
    for each in walk.trades:
        ledger.add(each)
    assert ledger.positions()["BTC"] == found
    of_first_ms = [each for each in walk.trades if each.created_at == walk.trades[0].created_at]
    if all(each.side.startswith("open") for each in of_first_ms):
        assert found.sure_since == walk.trades[0].created_at
    if found.sure_since is not None:
        assert Fraction(found.size) == walk.sizes[-1]
        assert abs(Fraction(found.cost) - walk.costs[-1]) < Fraction(1, 10**10)
        assert bool(found.size) == bool(found.cost) == (found.opened_at is not None)


@given(walks(), st.data())
def test_a_list_that_begins_late_is_never_sure_of_a_false_size(walk: Walk, data: Any) -> None:
    begins = data.draw(st.integers(0, len(walk.trades) - 1))
    found = portfolio.positions(walk.trades[begins:])["BTC"]
    if found.sure_since is not None:
        assert Fraction(found.size) == walk.sizes[-1]


def test_amounts_are_not_rounded_whatever_the_decimal_context_of_the_program() -> None:
    large, small = "12345678901234567890", "0.000000000000000001"
    trades = [a_trade(1, "open_long", large), a_trade(2, "open_long", small)]
    assert portfolio.positions(trades)["BTC"].size == Decimal(large + small[1:])
    trades = [
        a_trade(1, "open_short", "1.23456789", "101.5"),
        a_trade(2, "close_short", "1.23456788", "101.5"),
    ]
    with localcontext(Context(prec=3)):
        found = portfolio.positions(trades)["BTC"]
        [day] = portfolio.pnl(trades)
    assert (found.size, found.cost) == (Decimal("-0.00000001"), Decimal("-0.000001015"))
    assert day.volume == Decimal("250.617280655")


def test_records_of_another_kind_are_told() -> None:
    for wrong, words in (
        (a_trade(7, "flip", "1"), "trade 7: what a 'flip' does to a position is not known"),
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
    assert (portfolio.positions([]), portfolio.pnl(())) == ({}, ())


def test_two_trades_of_one_id_are_no_silent_choice() -> None:
    trades = [a_trade(7, "open_long", "1"), a_trade(7, "open_long", "1", symbol="ETH")]
    assert portfolio.positions([trades[0], trades[0]])["BTC"].size == 1
    for call in (portfolio.pnl, portfolio.positions):
        with pytest.raises(ToolkitError, match=r"two trades have the id 7: .*BTC.*; and .*ETH"):
            call(trades)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"created_at": START * 1000}, rf"created_at: {START * 1000} is a time in microseconds"),
        ({"created_at": START // 1000}, rf"created_at: {START // 1000} is a time in seconds"),
        ({"created_at": 1_830_000_000_000_000}, "created_at: .* is a time in microseconds"),
        ({"created_at": -(10**15)}, "created_at: .* is out of the range of datetimes"),
        ({"created_at": None}, "created_at: "),
        ({"created_at": datetime(2026, 11, 23)}, "created_at: .* has no time zone"),
        ({"fee": Decimal("1." + "3" * 60)}, "fee 1.3333.* is no number of at most 38 digits"),
        ({"pnl": Decimal("1E+400")}, r"pnl 1E\+400 is no number of at most 38 digits"),
        ({"price": Decimal("NaN")}, "price NaN is no number"),
        ({"amount": 1}, "amount 1 is no Decimal"),
        ({"amount": None}, "amount None is no Decimal"),
    ],
)
def test_a_record_that_cannot_be_counted_is_named(wrong: dict[str, Any], words: str) -> None:
    row = {**attrs.asdict(a_trade(7, "open_long", "1")), **wrong}
    for call in (portfolio.pnl, portfolio.positions, lambda rows: portfolio.Ledger().add(*rows)):
        with pytest.raises(ToolkitError, match=f"^trade 7: {words}"):
            call([row])
