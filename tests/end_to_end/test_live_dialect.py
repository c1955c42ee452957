"""The client of the observed endpoints trades on a sandbox of the live dialect.

Nobody else trades, and time stands still unless it is advanced: every number is computed by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from itertools import count, pairwise
from typing import Any, Literal

import pytest
import requests

from tests.doubles.orders import stop_order
from trading_runtime import now_ms
from trading_runtime.signing.request import countersign
from trading_sandbox import Sandbox
from trading_sdk_observed import (
    BadRequestError,
    Client,
    InternalServerError,
    Keypair,
    OrderStatus,
    OutcomeUnknownError,
    UnprocessableEntityError,
)
from trading_sdk_observed.operations import SUBACCOUNTS_CREATE

OPENED = 1_800_000_000_000
"""A full hour."""
HOUR = 3_600_000
D = Decimal


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    with Sandbox(dialect="live", maker=False, taker_delay=0, frozen_at=OPENED) as sandbox:
        yield sandbox


@pytest.fixture
def sandbox(running: Sandbox) -> Sandbox:
    running.reset()
    return running


@pytest.fixture
def alice(sandbox: Sandbox) -> Iterator[Client]:
    with Client(sandbox.url, signer=sandbox.create_account(usdc="10000")) as client:
        yield client


@pytest.fixture
def bob(sandbox: Sandbox) -> Iterator[Client]:
    with Client(sandbox.url, signer=sandbox.create_account(usdc="100000")) as client:
        yield client


def place(who: Client, side: Literal["bid", "ask"], price: str, amount: str, **more: Any) -> int:
    order = {"symbol": "BTC", "tif": "GTC", "reduce_only": False, **more}
    return who.orders.create(side=side, price=price, amount=amount, **order).order_id


def trade(buyer: Client, seller: Client, price: str, amount: str) -> int:
    """Let one buy from the other; return the id of the buyer's order."""
    place(seller, "ask", price, amount)
    return place(buyer, "bid", price, amount)


def test_a_position_after_fills_and_funding(sandbox: Sandbox, alice: Client, bob: Client) -> None:
    trade(alice, bob, "100000", "0.1")
    sandbox.advance(60_000)
    trade(alice, bob, "101000", "0.3")
    sandbox.advance(HOUR - 60_000)

    # The rate of an empty book: 0.01 % / 8. Longs pay 0.4 x 100,000 x 0.0000125 = 0.5 USDC.
    (long,) = alice.positions.list()
    (short,) = bob.positions.list(symbol="BTC")
    assert (long.side, long.amount, long.entry_price) == ("bid", D("0.4"), D("100750"))
    assert (short.side, short.amount, short.entry_price) == ("ask", D("0.4"), D("100750"))
    assert (long.funding, short.funding) == (D("0.5"), D("-0.5"))
    assert (long.created_at, long.updated_at) == (OPENED, OPENED + 60_000)
    # Alice has 10,000 - 16.12 - 0.5 - 300, and needs 40,300 / 50 / 2 = 403.
    assert long.liquidation_price == D("100000") - (D("9683.38") - 403) / D("0.4")
    # Bob has 100,000 - 6.045 + 0.5 + 300.
    assert short.liquidation_price == D("100000") + (D("100294.455") - 403) / D("0.4")

    (paid,) = alice.funding.payments()
    (received,) = bob.funding.payments(symbol="BTC")
    assert (paid.symbol, paid.side, paid.amount) == ("BTC", "bid", D("0.4"))
    assert (paid.payout, paid.rate, paid.created_at) == (D("-0.5"), D("0.0000125"), OPENED + HOUR)
    assert (received.side, received.payout) == ("ask", D("0.5"))
    assert list(alice.funding.payments(symbol="ETH")) == []


def test_a_turned_position_is_a_new_one(sandbox: Sandbox, alice: Client, bob: Client) -> None:
    trade(alice, bob, "100000", "0.1")
    sandbox.advance(HOUR)
    trade(bob, alice, "100000", "0.3")

    (position,) = alice.positions.list()
    assert (position.side, position.amount) == ("ask", D("0.2"))
    assert (position.created_at, position.funding) == (OPENED + HOUR, D(0))
    # Bob took, and closed his short before he opened a long.
    trades = alice.markets.trades(symbol="BTC")
    sides = [(each.side, str(each.amount)) for each in trades]
    assert sides == [("open_long", "0.2"), ("close_short", "0.1"), ("open_long", "0.1")]
    told = {(each.price, each.event_type, each.cause) for each in trades}
    assert told == {(D(100_000), "fulfill_taker", "normal")}
    assert [each.created_at - OPENED for each in trades] == [HOUR, HOUR, 0]
    assert alice.markets.trades(symbol="BTC", limit=2) == trades[:2]


def test_an_account_with_some_of_everything(sandbox: Sandbox, alice: Client, bob: Client) -> None:
    trade(alice, bob, "100000", "0.1")
    sandbox.deposit(alice.account_address or "", spot={"SOL": "10"})
    alice.orders.set_position_tpsl(symbol="BTC", side="ask", take_profit={"stop_price": "120000"})
    place(alice, "bid", "90000", "0.1")
    sandbox.set_mark_price("BTC", "101000")

    info = alice.account.info()
    assert (info.positions_count, info.orders_count, info.stop_orders_count) == (1, 1, 1)
    assert info.balance == D("9996")
    # 0.1 x 1,000 of profit, and 10 SOL at 150, of which 90 % count.
    assert info.account_equity == D("9996") + 100 + 1350
    assert (info.spot_market_value, info.spot_collateral) == (D("1500"), D("1350"))
    assert info.total_margin_used == D("10000") / 50 + D("9000") / 50
    assert info.available_to_spend == info.account_equity - info.total_margin_used
    assert info.available_to_withdraw == D("9996")
    assert info.cross_mmr == D("100")
    assert info.cross_account_equity == info.account_equity
    assert (info.fee_level, info.maker_fee, info.taker_fee) == (0, D("0.00015"), D("0.0004"))
    assert info.pending_balance == info.pending_interest == 0
    assert (info.use_ltp_for_stop_orders, info.updated_at) == (False, OPENED)
    (held,) = info.spot_balances
    assert (held.symbol, held.amount) == ("SOL", D("10"))


def test_open_orders_and_what_becomes_of_them(sandbox: Sandbox, alice: Client, bob: Client) -> None:
    order_id = place(alice, "bid", "99000", "0.5")
    leg = {"stop_price": "110000", "limit_price": "111000", "amount": "0.1"}
    stop = alice.orders.create_stop(**stop_order(stop_order=leg))
    sandbox.advance(1000)
    place(bob, "ask", "99000", "0.2")
    first, second = alice.orders.list()

    assert (first.order_id, second.order_id) == (order_id, stop.order_id)
    assert (first.initial_amount, first.filled_amount) == (D("0.5"), D("0.2"))
    assert (first.created_at, first.updated_at) == (OPENED, OPENED + 1000)
    assert (first.stop_price, second.stop_price, second.price) == (None, D("110000"), D("111000"))
    assert second.order_type == "stop_limit"
    assert alice.orders.list(symbol="ETH") == ()

    sandbox.advance(1000)
    alice.orders.cancel(symbol="BTC", order_id=order_id)
    events = alice.orders.history_by_id(order_id=order_id)
    kinds = [(e.event_type, e.order_status, e.created_at - OPENED) for e in events]
    assert kinds == [
        ("cancel", OrderStatus.CANCELLED, 2000),
        ("fulfill_limit", OrderStatus.PARTIALLY_FILLED, 1000),
        ("make", OrderStatus.OPEN, 0),
    ]
    assert [e.filled_amount for e in events] == [D("0.2"), D("0.2"), 0]
    assert [e.cancelled_amount for e in events] == [D("0.3"), 0, 0]
    assert all(one.history_id > next_.history_id for one, next_ in pairwise(events))
    filled = bob.orders.history_by_id(order_id=stop.order_id + 1)
    assert [each.order_status for each in filled] == ["filled", "open"]
    (waiting,) = alice.orders.history_by_id(order_id=stop.order_id)
    assert (waiting.stop_price, waiting.order_status) == (D("110000"), "open")
    assert waiting.event_type == "stop_created"
    sandbox.set_mark_price("BTC", "110000")
    place(bob, "ask", "111000", "0.1")
    events = alice.orders.history_by_id(order_id=stop.order_id)
    assert [e.event_type for e in events] == ["fulfill_limit", "stop_triggered", "stop_created"]


def test_cancel_all_counts_what_it_cancels(alice: Client, bob: Client) -> None:
    trade(alice, bob, "100000", "0.1")
    for symbol, price in (("BTC", "90000"), ("BTC", "91000"), ("ETH", "3000")):
        place(alice, "bid", price, "0.01", symbol=symbol)
    place(alice, "ask", "120000", "0.1", reduce_only=True)

    def cancel(**which: Any) -> int:
        return alice.orders.cancel_all(**{"exclude_reduce_only": False, **which}).cancelled_count

    assert cancel(all_symbols=False, symbol="ETH") == 1
    assert cancel(all_symbols=True, exclude_reduce_only=True) == 2
    assert [each.reduce_only for each in alice.orders.list()] == [True]
    assert cancel(all_symbols=True, symbol="ETH") == 1
    assert cancel(all_symbols=True) == 0


def test_a_book_by_levels(sandbox: Sandbox, alice: Client, bob: Client) -> None:
    for who, price, amount in ((alice, "99000", "0.01"), (bob, "99000", "0.02")):
        place(who, "bid", price, amount)
    place(bob, "bid", "98999", "1")
    place(alice, "ask", "100001", "0.05")
    place(bob, "ask", "101000", "0.1")
    place(alice, "bid", "100001", "0.01", tif="IOC")  # against her own ask, which is cancelled
    place(alice, "ask", "100002", "0.05")

    passed = count(1)

    def read(**options: int) -> list[list[tuple[Decimal, Decimal, int]]]:
        sandbox.advance(1)
        book = alice.markets.book(symbol="BTC", **options)
        assert (book.s, book.t) == ("BTC", OPENED + next(passed))
        return [[(level.p, level.a, level.n) for level in side] for side in book.l]

    bids = [(D("99000"), D("0.03"), 2), (D("98999"), D("1"), 1)]
    asks = [(D("100002"), D("0.05"), 1), (D("101000"), D("0.1"), 1)]
    assert read() == [bids, asks]
    assert read(depth=1) == [bids[:1], asks[:1]]
    assert read(agg_level=1000) == [
        [(D("99000"), D("0.03"), 2), (D("98000"), D("1"), 1)],
        [(D("101000"), D("0.15"), 2)],
    ]


def test_candles_of_known_trades(sandbox: Sandbox, alice: Client, bob: Client) -> None:
    sandbox.advance(60_000)
    for price, amount in (("100000", "0.01"), ("100500", "0.02"), ("99500", "0.03")):
        trade(alice, bob, price, amount)
    sandbox.advance(120_000)
    trade(alice, bob, "99800", "0.04")

    def read(interval: str, **more: int) -> list[tuple[Any, ...]]:
        times = {"start_time": OPENED, **more}
        found = alice.markets.candles(symbol="BTC", interval=interval, **times)
        assert {(each.s, each.i) for each in found} <= {("BTC", interval)}
        return [(c.t - OPENED, c.T - c.t, c.o, c.h, c.l, c.c, c.v, c.n) for c in found]

    first, high, low = D(100000), D(100500), D(99500)
    minutes = [
        (60_000, 60_000, first, high, low, low, D("0.06"), 3),
        (180_000, 60_000, D(99800), D(99800), D(99800), D(99800), D("0.04"), 1),
    ]
    assert read("1m") == minutes
    assert read("1m", limit=1) == minutes[:1]
    assert read("1m", start_time=OPENED + 60_001) == minutes[1:]
    assert read("1m", end_time=OPENED + 120_000) == minutes[:1]
    assert read("1m", start_time=OPENED + 240_000) == []
    assert alice.markets.candles(symbol="NONE", interval="1m", start_time=0) == ()
    assert read("5m") == [(0, 300_000, first, high, low, D(99800), D("0.1"), 4)]


def test_mark_candles_show_a_price_that_was_set_also_when_it_is_left(sandbox: Sandbox) -> None:
    def read(client: Client, **more: int) -> list[tuple[int, Decimal, Decimal, Decimal, Decimal]]:
        times = {"start_time": OPENED, **more}
        found = client.markets.mark_candles(symbol="BTC", interval="1m", **times)
        assert {(c.v, c.n) for c in found} <= {(D(0), 0)}
        return [(c.t - OPENED, c.o, c.h, c.l, c.c) for c in found]

    with Client(sandbox.url) as client:
        sandbox.set_mark_price("BTC", "90000")
        sandbox.advance(90_000)
        flat = (D(90000),) * 4
        assert read(client) == [(0, *flat), (60_000, *flat)]
        assert read(client, start_time=OPENED + 1, end_time=OPENED + 60_000) == [(60_000, *flat)]
        assert read(client, limit=1) == [(0, *flat)]
        assert client.markets.mark_candles(symbol="NONE", interval="1m", start_time=0) == ()
        sandbox.set_mark_price("BTC", None)
        sandbox.set_maker(True)
        mark = sandbox.market("BTC").mark_price
        # The price stays where it was set until now, and has left it since.
        assert read(client) == [(0, *flat), (60_000, D(90000), mark, D(90000), mark)]
        sandbox.advance(60_000)
        assert read(client, end_time=OPENED) == [(0, *flat)]
        (moved,) = read(client, start_time=OPENED + 120_000)
        assert moved[-1] == sandbox.market("BTC").mark_price != mark
        sandbox.set_maker(False)


def test_the_balance_history_tells_it_all(sandbox: Sandbox, alice: Client, bob: Client) -> None:
    sub = sandbox.create_subaccount(alice.account_address or "")
    alice.subaccounts.transfer(to_account=sub.address, amount="100")
    sandbox.advance(60_000)
    trade(alice, bob, "100000", "0.1")
    sandbox.advance(HOUR - 60_000)
    sandbox.set_mark_price("BTC", "110000")

    told = [(e.event_type, e.amount, e.balance) for e in alice.account.balance_history()]
    # Fee 4 USDC, funding 0.1 x 100,000 x 0.0000125.
    assert told == [
        ("funding", D("-0.125"), D("9895.875")),
        ("trade", D("-4"), D("9896")),
        ("subaccount_transfer", D("-100"), D("9900")),
        ("deposit", D("10000"), D("10000")),
    ]
    assert {e.pending_balance for e in alice.account.balance_history(limit=2)} == {D(0)}
    points = alice.account.portfolio(time_range="1d")
    assert [(p.account_equity, p.pnl, p.timestamp - OPENED) for p in points] == [
        (D(10000), D(0), 0),
        (D(9900), D(0), 0),
        (D(9896), D(-4), 60_000),
        (D("9895.875"), D("-4.125"), HOUR),
        (D("10895.875"), D("995.875"), HOUR),
    ]
    assert alice.account.portfolio(time_range="all", limit=1) == points[-1:]
    hourly = alice.account.portfolio(time_range="1d", granularity_in_minutes=60)
    assert hourly == (points[2], points[4])
    within: Any = {"start_time": OPENED + 1, "end_time": OPENED + HOUR - 1}
    assert alice.account.portfolio(time_range="7d", **within) == points[2:3]
    with pytest.raises(BadRequestError, match="time_range: must be one of 1d, 7d, 14d, 30d, all"):
        alice.account.portfolio(time_range="2d")
    assert alice.account.portfolio(account=sub.address, time_range="1d")[-1].account_equity == 100


def test_prices_and_limits_of_the_markets(sandbox: Sandbox, alice: Client, bob: Client) -> None:
    trade(alice, bob, "99000", "0.1")
    sandbox.advance(24 * HOUR + 1)
    trade(alice, bob, "101000", "0.2")
    place(bob, "bid", "100000", "0.1")
    place(bob, "ask", "103000", "0.1")
    sandbox.set_mark_price("BTC", "100500")

    btc, eth, sol = alice.markets.prices()
    assert (btc.mark, btc.oracle, btc.mid) == (D(100500), D(100500), D(101500))
    assert (btc.open_interest, btc.volume_24h) == (D("0.3"), D("20200"))
    assert btc.yesterday_price == D(99000)
    # 10,000 USD of each side: the average ask is 103,000 and the average bid 100,000, so no premium.
    assert (btc.funding, btc.next_funding) == (D("0.0000125"), D("0.0000125"))
    assert btc.timestamp == OPENED + 24 * HOUR + 1
    assert (eth.mid, eth.volume_24h, sol.yesterday_price) == (D(3500), D(0), D(150))

    limits = {each.symbol: each for each in alice.markets.info()}
    assert (limits["ETH"].tick_size, limits["ETH"].lot_size) == (D("0.1"), D("0.0001"))
    assert (limits["SOL"].max_leverage, limits["BTC"].min_order_size) == (20, D(10))
    assert (limits["SOL"].max_tick, limits["BTC"].created_at) == (D("999999999999.99"), OPENED)


def test_a_premium_is_predicted_before_it_is_settled(sandbox: Sandbox, bob: Client) -> None:
    place(bob, "bid", "101000", "1")
    (info,) = [each for each in bob.markets.info() if each.symbol == "BTC"]
    # Premium 1 %: (0.01 + clamp(0.0001 - 0.01, 0.0005)) / 8.
    assert info.next_funding_rate == D("0.0011875")
    sandbox.advance(HOUR)
    (settled, *_) = bob.markets.prices()
    assert settled.funding == D("0.0011875")


def test_a_wrong_tick_leaves_the_outcome_open_as_on_the_live_service(alice: Client) -> None:
    """Field note 17: a 500 does not tell whether the order was executed."""
    with pytest.raises(OutcomeUnknownError) as caught:
        place(alice, "bid", "90000.5", "0.01")
    assert isinstance(caught.value.__cause__, InternalServerError)
    assert "not a multiple of the tick size" in str(caught.value.__cause__)
    assert alice.orders.list() == ()


# -- what clients call beside trading --------------------------------------------------------------


def test_usdc_that_no_margin_needs_can_leave(sandbox: Sandbox, alice: Client, bob: Client) -> None:
    trade(alice, bob, "100000", "0.1")
    # 10,000 - 4 of fee - 200 of margin.
    with pytest.raises(UnprocessableEntityError, match="Insufficient balance") as refused:
        alice.account.withdraw(amount="9796.000001")
    assert refused.value.code == 5
    alice.account.withdraw(amount="9796")

    info = alice.account.info()
    assert (info.balance, info.available_to_withdraw) == (D(200), D(0))
    event = alice.account.balance_history().first()
    assert event is not None
    assert (event.event_type, event.amount, event.balance) == ("withdraw", D(-9796), D(200))
    assert alice.account.portfolio(time_range="1d")[-1].pnl == D(-4)


def test_margin_that_is_added_can_be_lost(sandbox: Sandbox, alice: Client, bob: Client) -> None:
    def position() -> tuple[Decimal, Decimal | None]:
        (found,) = alice.positions.list()
        return found.margin, found.liquidation_price

    def add(amount: str) -> None:
        alice.positions.add_isolated_margin(symbol="BTC", amount=amount)

    alice.account.update_margin_mode(symbol="BTC", is_isolated=True)
    with pytest.raises(UnprocessableEntityError, match="Position not found for BTC") as refused:
        add("1")
    assert refused.value.code == 13
    trade(alice, bob, "100000", "0.2")
    # 400 of margin, and liquidated with less than 200: 1,000 below for 0.2 BTC.
    assert position() == (D(400), D(99000))
    free = alice.account.info().available_to_spend
    with pytest.raises(UnprocessableEntityError, match="Insufficient balance"):
        add(str(free + D("0.000001")))
    add("800")
    assert position() == (D(1200), D(95000))
    assert alice.account.info().available_to_spend == free - 800

    trade(bob, alice, "100000", "0.1")
    assert position() == (D(600), D(95000))
    before = alice.account.info().balance
    sandbox.set_mark_price("BTC", "95000")
    assert position() == (D(600), D(95000))
    sandbox.set_mark_price("BTC", "94999")
    assert alice.positions.list() == ()
    assert alice.account.info().balance == before - 600
    with pytest.raises(UnprocessableEntityError, match="Position not found"):
        bob.positions.add_isolated_margin(symbol="BTC", amount="1")  # its margin is cross


def test_both_keys_make_a_subaccount(sandbox: Sandbox, alice: Client, bob: Client) -> None:
    key = Keypair.generate()
    alice.subaccounts.create(subaccount=key)
    (sub,) = alice.subaccounts.list()
    assert (sub.address, sub.balance) == (key.address, D(0))
    alice.subaccounts.transfer(to_account=key.address, amount="100")
    assert alice.account.info(account=key.address).balance == 100

    for main, other in ((alice, key), (bob, key)):
        with pytest.raises(UnprocessableEntityError, match="exists already"):
            main.subaccounts.create(subaccount=other)
    with (
        Client(sandbox.url, signer=key) as client,
        pytest.raises(UnprocessableEntityError, match="is a subaccount of"),
    ):
        client.subaccounts.create(subaccount=Keypair.generate())


@pytest.mark.parametrize("spoiled", ["main_signature", "sub_signature", "subaccount"])
def test_a_subaccount_needs_both_signatures(sandbox: Sandbox, alice: Client, spoiled: str) -> None:
    main, sub = sandbox.create_account(), Keypair.generate()
    # Signatures are checked against the time of this machine.
    signed = partial(countersign, SUBACCOUNTS_CREATE.scheme)
    body, other = (
        signed(each, main, "subaccount_confirm", now_ms(), 30_000).body
        for each in (sub, Keypair.generate())
    )
    url = sandbox.url + SUBACCOUNTS_CREATE.path
    answer = requests.post(url, json={**body, spoiled: other[spoiled]}, timeout=10)
    assert answer.status_code == 400
    assert answer.json()["error_id"] == "signature_verification_failed"
    missing = {name: value for name, value in body.items() if name != spoiled}
    answer = requests.post(url, json=missing, timeout=10)
    assert answer.json()["error"] == f"{spoiled}: required field missing"
    assert requests.post(url, json=body, timeout=10).json()["success"]


def test_another_site_reads_what_is_public_and_controls_nothing(
    sandbox: Sandbox, alice: Client
) -> None:
    def grants(method: str, path: str) -> str | None:
        origin = {"Origin": "http://localhost:3000", "Access-Control-Request-Method": "GET"}
        answer = requests.request(method, sandbox.url + path, headers=origin, timeout=10)
        return answer.headers.get("access-control-allow-origin")

    reads = ("/api/v1/info", "/api/v1/trades?symbol=NONE", "/api/v1/account?account=x")
    assert {grants(method, path) for path in reads for method in ("GET", "OPTIONS")} == {"*"}
    writes = ("/api/v1/orders/create", "/api/v1/account/withdraw")
    controls = ("/sandbox/v1/reset", "/sandbox/v1/schema", "/sandbox/v1/live", "/", "/health")
    for method in ("GET", "POST", "OPTIONS"):
        assert {grants(method, path) for path in (*writes, *controls)} == {None}
