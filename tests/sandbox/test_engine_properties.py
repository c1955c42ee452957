"""What holds after any sequence of commands whatever."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trading_sandbox.engine.accounts import Account
from trading_sandbox.engine.commands import (
    Cancel,
    Command,
    Edit,
    OpenAccount,
    PlaceLimit,
    PlaceMarket,
    SetMarkPrice,
)
from trading_sandbox.engine.exchange import FIRST_ORDER_ID, Exchange
from trading_sandbox.engine.records import Refused

IDS = ("one", "two", "three")
NAMES = ("alice", "bob", "carol")
DEPOSIT = Decimal(5000)
FINAL = {"filled", "cancelled", "rejected"}

names = st.sampled_from(NAMES)
sides = st.sampled_from(("bid", "ask"))
# A narrow range of odd prices, so that orders meet and averages do not come out even.
prices = st.integers(34970, 35030).map(lambda n: Decimal(n) / 10)
amounts = st.integers(1, 30).map(lambda n: Decimal(n) * Decimal("0.0517")) | st.just(Decimal(50))
client_ids = st.sampled_from((None, None, *IDS))
order_ids = st.integers(FIRST_ORDER_ID, FIRST_ORDER_ID + 20)
common: dict[str, Any] = {"account": names, "symbol": st.just("ETH")}

limits = st.builds(
    PlaceLimit,
    **common,
    side=sides,
    price=prices,
    amount=amounts,
    tif=st.sampled_from(("GTC", "GTC", "IOC", "ALO", "TOB")),
    reduce_only=st.sampled_from((False, False, True)),
    client_order_id=client_ids,
)
commands: st.SearchStrategy[list[Command]] = st.lists(
    st.one_of(
        limits,
        limits,
        limits,
        st.builds(
            PlaceMarket,
            **common,
            side=sides,
            amount=amounts,
            slippage_percent=st.sampled_from((Decimal(0), Decimal("0.1"), Decimal(5))),
            reduce_only=st.sampled_from((False, False, False, True)),
        ),
        st.builds(Edit, **common, price=prices, amount=amounts, order_id=order_ids),
        st.builds(
            Edit, **common, price=prices, amount=amounts, client_order_id=st.sampled_from(IDS)
        ),
        st.builds(Cancel, **common, order_id=order_ids),
        st.builds(Cancel, **common, client_order_id=st.sampled_from(IDS)),
        st.builds(SetMarkPrice, symbol=st.just("ETH"), price=prices),
    ),
    min_size=40,
    max_size=60,
)
quickly = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def opened() -> Exchange:
    exchange = Exchange()
    for name in NAMES:
        exchange.execute(OpenAccount(account=name, usdc=DEPOSIT), 1)
    return exchange


def attempt(exchange: Exchange, command: Command, now: int) -> None:
    with suppress(Refused):
        exchange.execute(command, now)


def check_books(exchange: Exchange) -> None:
    book = exchange.books["ETH"]
    bid, ask = book.best_price("bid"), book.best_price("ask")
    assert bid is None or ask is None or bid < ask


def check_money(exchange: Exchange) -> None:
    accounts = exchange.accounts.values()
    costs = sum(p.cost for a in accounts for p in a.positions.values())
    assert sum(a.balance for a in accounts) - costs + exchange.fees_collected == DEPOSIT * 3
    assert sum(a.position("ETH").size for a in accounts) == 0
    for account in accounts:
        paid = sum(t.fee for t in account.trades)
        assert account.balance == DEPOSIT + sum(t.pnl for t in account.trades) - paid


def check_orders(account: Account) -> None:
    for order in account.orders:
        traded = [t.amount for t in account.trades if t.order_id == order.order_id]
        assert sum(traded) == order.filled <= order.amount
        assert (order.status == "filled") == (order.filled == order.amount)
        assert (order.order_id in account.open_orders) == (order.status not in FINAL)
        assert (order.reason is None) == (order.status not in {"cancelled", "rejected"})
    ids = [o.client_order_id for o in account.open_orders.values() if o.client_order_id]
    assert sorted(ids) == sorted(account.open_by_client_id)


def check_resting(account: Account) -> None:
    for side in ("bid", "ask"):
        counted = [o for o in account.open_orders.values() if o.side == side and not o.reduce_only]
        resting = account.resting("ETH", side)
        assert resting.amount == sum(o.remaining for o in counted)
        assert resting.notional == sum(o.remaining * o.price for o in counted)


@quickly
@given(commands)
def test_after_every_command_the_book_is_not_crossed_and_the_money_is_all_there(
    sequence: list[Command],
) -> None:
    exchange = opened()
    for now, command in enumerate(sequence, start=2):
        attempt(exchange, command, now)
        check_books(exchange)
        check_money(exchange)
    for account in exchange.accounts.values():
        check_orders(account)
        check_resting(account)


@quickly
@given(commands)
def test_a_refused_command_changes_nothing(sequence: list[Command]) -> None:
    exchange = opened()
    for now, command in enumerate(sequence, start=2):
        before = repr(exchange.accounts)
        try:
            exchange.execute(command, now)
        except Refused:
            assert repr(exchange.accounts) == before


@quickly
@given(commands)
def test_the_same_commands_at_the_same_times_give_the_same_state(
    sequence: list[Command],
) -> None:
    one, other = opened(), opened()
    for exchange in (one, other):
        for now, command in enumerate(sequence, start=2):
            attempt(exchange, command, now)
    assert one.accounts == other.accounts
    assert one.mark_prices == other.mark_prices


@quickly
@given(commands)
def test_an_order_once_final_never_changes_again(sequence: list[Command]) -> None:
    exchange = opened()
    final: dict[int, str] = {}
    for now, command in enumerate(sequence, start=2):
        attempt(exchange, command, now)
        for account in exchange.accounts.values():
            for order in account.orders:
                if order.order_id in final:
                    assert final[order.order_id] == repr(order)
                elif order.status in FINAL:
                    final[order.order_id] = repr(order)
