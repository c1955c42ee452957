"""What holds after any sequence of commands whatever."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import attrs
from hypothesis import given, settings, strategies as st

from tests.sandbox.desk import Desk, money_of
from trading_sandbox.engine import commands as c, margin
from trading_sandbox.engine.commands import (
    Advance,
    Deposit,
    ForceOutcome,
    Liquidate,
    OpenVault,
    SetMaker,
    SetMargin,
    SetMarkPrice,
)
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import Changes, Order, Refused
from trading_sandbox.engine.state import BACKSTOP, FIRST_ORDER_ID, FUNDS, MAKER, Account
from trading_sandbox.store.codec import decode_state, encode_state

SIDES: tuple[c.Side, ...] = ("bid", "ask")
IDS: tuple[str, ...] = ("one", "two", "three")
NAMES: tuple[str, ...] = ("alice", "bob", "carol", "sub")
DEPOSIT = Decimal(5000)
FINAL = {"filled", "cancelled", "rejected"}
MOVES = {
    "open": {"open", "partially_filled", "filled", "cancelled"},
    "partially_filled": {"partially_filled", "filled", "cancelled"},
}

names = st.sampled_from(NAMES)
sides = st.sampled_from(SIDES)
symbols = st.sampled_from(("ETH", "ETH", "ETH", "ETH", "SOL"))
# A narrow range of odd prices, so that orders meet and averages do not come out even.
prices = st.integers(34970, 35030).map(lambda n: Decimal(n) / 10)
far_prices = st.integers(34000, 36000).map(lambda n: Decimal(n) / 10)
gaps = st.sampled_from(("0.1", "1750", "3300", "3700", "7000")).map(Decimal)
amounts = st.one_of(
    st.integers(1, 30).map(lambda n: Decimal(n) * Decimal("0.07")),
    st.sampled_from((Decimal(20), Decimal(50))),
)
money = st.integers(1, 3_000_000_000).map(lambda n: Decimal(n) / 1_000_000)
client_ids = st.sampled_from((None, None, None, *IDS))
order_ids = st.integers(FIRST_ORDER_ID, FIRST_ORDER_ID + 25)
common: dict[str, Any] = {"account": names, "symbol": symbols}
references = ({"order_id": order_ids}, {"client_order_id": st.sampled_from(IDS)})
legs = st.builds(
    c.StopLeg,
    stop_price=far_prices,
    limit_price=st.none() | far_prices,
    client_order_id=client_ids,
    trigger_price_type=st.sampled_from((None, "last_trade_price", "mid_price")),
)
some_legs = st.sampled_from((False,) * 9 + (True,)).flatmap(
    lambda some: legs if some else st.none()
)

limits = st.builds(
    c.PlaceLimit,
    **common,
    side=sides,
    price=prices,
    amount=amounts,
    tif=st.sampled_from(("GTC", "GTC", "IOC", "ALO", "TOB")),
    reduce_only=st.sampled_from((False, False, False, False, True)),
    client_order_id=client_ids,
    take_profit=some_legs,
    stop_loss=some_legs,
)
markets = st.builds(
    c.PlaceMarket,
    **common,
    side=sides,
    amount=amounts,
    slippage_percent=st.sampled_from((Decimal(0), Decimal("0.1"), Decimal(5))),
    reduce_only=st.sampled_from((False, False, False, True)),
    client_order_id=client_ids,
    stop_loss=some_legs,
)
stops = st.one_of(
    st.builds(
        c.PlaceStop,
        **common,
        side=sides,
        stop=legs | st.builds(c.StopLeg, stop_price=far_prices, amount=amounts),
        reduce_only=st.booleans(),
    ),
    st.builds(c.SetPositionTpsl, **common, side=sides, take_profit=some_legs, stop_loss=some_legs),
)
changes_of_orders = st.one_of(
    *(st.builds(c.Edit, **common, price=prices, amount=amounts, **ref) for ref in references),
    *(st.builds(c.Cancel, **common, **ref) for ref in references),
    *(st.builds(c.CancelStop, **common, **ref) for ref in references),
)
marks = st.builds(SetMarkPrice, symbol=symbols, price=st.one_of(prices, far_prices, gaps))
controls = st.one_of(
    st.builds(
        SetMargin, **common, isolated=st.booleans(), leverage=st.sampled_from((None, 20, 7, 3))
    ),
    st.builds(
        ForceOutcome,
        client_order_id=st.sampled_from(IDS),
        status=st.sampled_from(("filled", "partially_filled", "cancelled", "rejected", "refused")),
    ),
    st.builds(
        Liquidate,
        account=names,
        symbol=st.none() | symbols,
        cause=st.sampled_from(("market_liquidation", "backstop_liquidation", "settlement")),
    ),
)
transfers = st.one_of(
    st.builds(Deposit, account=names, usdc=money),
    st.builds(c.Transfer, account=names, to_account=names, amount=money),
    st.builds(c.ClaimManager, account=names, vault=st.just("vault"), deposit=money),
    st.builds(c.Withdraw, account=names, symbol=st.just("SOL"), amount=st.just(Decimal("0.3"))),
    st.builds(c.WithdrawUsdc, account=names, amount=money),
    st.builds(c.SetSpotExcluded, account=names, symbol=st.just("SOL"), excluded=st.booleans()),
)


def weighted(*kinds: tuple[int, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """Return a strategy that chooses each kind as often as its weight says."""
    return st.sampled_from([kind for weight, kind in kinds for _ in range(weight)]).flatmap(
        lambda kind: kind
    )


# Closes a position far from the mark price, which may cost more than its account has.
ruins = st.tuples(
    st.just(ForceOutcome(client_order_id="ruin", status="filled")),
    st.builds(
        c.PlaceLimit,
        **common,
        side=sides,
        price=gaps,
        amount=st.just(Decimal(500)),
        tif=st.just("GTC"),
        reduce_only=st.just(True),
        client_order_id=st.just("ruin"),
    ),
)


def _secured(account: str, symbol: str, side: c.Side, amount: Decimal) -> tuple[c.Command, ...]:
    """Return commands that open an isolated position and add to its margin."""
    common: dict[str, Any] = {"account": account, "symbol": symbol}
    order: dict[str, Any] = {
        "side": side,
        "price": Decimal(3500),
        "amount": Decimal("0.7"),
        "tif": "GTC",
    }
    return (
        SetMargin(**common, isolated=True, leverage=7),
        ForceOutcome(client_order_id="secured", status="filled"),
        c.PlaceLimit(**common, **order, client_order_id="secured"),
        c.AddIsolatedMargin(**common, amount=amount),
    )


secured = st.builds(_secured, names, symbols, sides, money)
trading = weighted(
    (12, limits),
    *((3, markets), (3, marks), (3, changes_of_orders)),
    *((2, stops), (2, controls), (1, ruins), (1, secured)),
)


def sequences_of(*kinds: tuple[int, st.SearchStrategy[Any]]) -> st.SearchStrategy[list[c.Command]]:
    """Return a strategy of long sequences; what is a tuple stands for the commands in it."""
    drawn = st.lists(weighted(*kinds), min_size=50, max_size=80)
    return drawn.map(
        lambda made: [one for each in made for one in (each if type(each) is tuple else (each,))]
    )


sequences = sequences_of((12, trading), (1, transfers))
of_time = st.one_of(st.just(Advance()), st.builds(SetMaker, on=st.booleans()))
sequences_in_time = sequences_of((12, trading), (1, transfers), (2, of_time))
quickly = settings(max_examples=25)


class Run(Desk):
    """An exchange that sequences of commands are tried on, and what they came to."""

    def __init__(self, backstop: Decimal = FUNDS) -> None:
        super().__init__(str(DEPOSIT))
        self.paid_in = dict.fromkeys(NAMES, DEPOSIT)
        self.open("sub", str(DEPOSIT), main="alice")
        self.deposit("bob", SOL="1")
        # Both markets at about one price, so that every order could trade in either.
        self.mark("3500", "SOL")
        # What the backstop lacks to carry positions is the maker's.
        self.account(BACKSTOP).balance = backstop
        self.account(MAKER).balance += FUNDS - backstop
        self.run(OpenVault(vault="vault", creator="alice", managed=False))

    def aimed(self, command: c.Command) -> c.Command:
        """Let most commands that name an order or a position name one that there is."""
        if isinstance(command, (c.Cancel, c.CancelStop, c.Edit)):
            orders = [order for a in self.customers() for order in a.open_orders.values()]
            if isinstance(command, c.CancelStop):
                orders = [order for order in orders if order.in_trigger_book]
            if command.order_id and command.order_id % 4 and orders:
                order = orders[command.order_id % len(orders)]
                return attrs.evolve(
                    command, account=order.account, symbol=order.symbol, order_id=order.order_id
                )
        if isinstance(command, c.SetPositionTpsl) or (
            isinstance(command, c.PlaceLimit) and command.client_order_id == "ruin"
        ):
            for account in self.customers():
                if account.position(command.symbol).closable(command.side):
                    return attrs.evolve(command, account=account.address)
        return command

    def attempt(self, command: c.Command, after: int = 1) -> Changes | None:
        """Carry a command out; return None where it is refused."""
        command = self.aimed(command)
        try:
            self.run(command, after)
        except Refused:
            return None
        if isinstance(command, Deposit):
            self.paid_in[command.account] += command.usdc
        elif isinstance(command, c.Transfer):
            self.paid_in[command.account] -= command.amount
            self.paid_in[command.to_account] += command.amount
        elif isinstance(command, c.ClaimManager):
            self.paid_in[command.account] -= command.deposit
        elif isinstance(command, c.WithdrawUsdc):
            self.paid_in[command.account] -= command.amount
        return self.latest

    def customers(self) -> list[Account]:
        return [
            account
            for account in self.exchange.state.accounts.values()
            if not account.is_house_account
        ]


def check_books(run: Run) -> None:
    for book in run.exchange.venue.books.values():
        bid, ask = book.best_price("bid"), book.best_price("ask")
        assert bid is None or ask is None or bid < ask


def check_money(run: Run) -> None:
    state = run.exchange.state
    vaults = sum(vault.balance for vault in state.vaults.values())
    assert money_of(state) == sum(run.paid_in.values()) + vaults + 2 * FUNDS
    for symbol in MARKETS:
        assert sum(a.position(symbol).size for a in state.accounts.values()) == 0
    for account in run.customers():
        for symbol, position in account.positions.items():
            assert position.added_margin >= 0
            assert not position.added_margin or (position.size and account.is_isolated(symbol))


def check_ledgers(run: Run) -> None:
    for account in run.customers():
        trades = [trade for trade in run.trades if trade.account == account.address]
        earned = sum(trade.pnl - trade.fee for trade in trades)
        assert account.balance == run.paid_in[account.address] + earned + account.debt_paid


def check_margins(run: Run) -> None:
    """Whoever is below the maintenance margin holds nothing any more, and owes nothing."""
    venue = run.exchange.venue
    for account in run.customers():
        held = [symbol for symbol in MARKETS if account.position(symbol).size]
        if any(not account.is_isolated(symbol) for symbol in held):
            assert margin.cross_equity(venue, account) >= margin.cross_maintenance(account)
        for symbol in filter(account.is_isolated, held):
            needed = margin.maintenance_margin(account, symbol)
            assert margin.isolated_equity(venue, account, symbol) >= needed
        assert held or margin.funds(venue, account) >= 0


def check_orders(run: Run) -> None:
    for order in run.orders.values():
        account = run.exchange.state.accounts[order.account]
        traded = [trade.amount for trade in run.trades if trade.order_id == order.order_id]
        assert sum(traded) == order.filled <= order.amount
        assert (order.status == "filled") == (order.filled == order.amount)
        assert (order.order_id in account.open_orders) == (order.status not in FINAL)
        assert (order.reason is None) == (order.status not in {"cancelled", "rejected"})
    for account in run.customers():
        assert set(account.open_orders) <= set(run.orders)


def check_legs(run: Run) -> None:
    """No take-profit or stop-loss waits that can never close anything any more."""
    for account in run.customers():
        for order in account.open_orders.values():
            stop = order.stop
            if stop is None or stop.kind == "stop" or not stop.untriggered:
                continue
            if stop.parent not in run.exchange.state.orders:
                assert account.position(order.symbol).closable(order.side)


def read_back(exchange: Exchange) -> Exchange:
    """Return an exchange of a state that was written down and read back."""
    state = decode_state(encode_state(exchange.state))
    assert state == exchange.state
    return Exchange(state)


def check_moves(run: Run, seen: dict[int, Order], changes: Changes) -> None:
    """An order moves along its states, and once final never changes again."""
    for order in changes.orders.values():
        before = seen.get(order.order_id)
        assert before is None or order.status in MOVES[before.status]
    for order_id, before in seen.items():
        if before.status in FINAL:
            assert run.orders[order_id] == before


@settings(quickly, max_examples=60)
@given(
    sequences | sequences_in_time,
    # With the longest of them a full hour passes, at which funding is settled.
    st.sampled_from((1, 1, 1000, 61_000)),
    st.sampled_from((0, 2000, 1_000_000_000)),
)
def test_what_holds_after_every_command(
    sequence: list[c.Command], after: int, backstop: int
) -> None:
    run = Run(Decimal(backstop))
    started = run.exchange.state.settled_at
    seen: dict[int, Order] = {}
    with exact_arithmetic():
        before = repr(run.exchange.state)
        for command in sequence:
            changes = run.attempt(command, after)
            now = repr(run.exchange.state)
            if changes is None:
                assert now == before
                continue
            before = now
            check_books(run)
            check_money(run)
            check_margins(run)
            check_legs(run)
            check_moves(run, seen, changes)
            seen = {order_id: attrs.evolve(order) for order_id, order in run.orders.items()}
        if run.exchange.state.settled_at == started:
            check_ledgers(run)
    check_orders(run)


@quickly
@given(sequences_in_time, st.integers(0, 50))
def test_the_same_commands_at_the_same_times_give_the_same_state_even_when_read_back_on_the_way(
    sequence: list[c.Command], stopped_after: int
) -> None:
    run, other, restarted = Run(), Run(), Run()
    for number, command in enumerate(sequence):
        if number == stopped_after:
            restarted.exchange = read_back(restarted.exchange)
        for one in (run, other, restarted):
            one.attempt(command)
    for one in (other, restarted):
        assert one.exchange.state == run.exchange.state
        assert encode_state(one.exchange.state) == encode_state(run.exchange.state)
        assert one.trades == run.trades
