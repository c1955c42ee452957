"""The controls of a sandbox, as a test in Python uses them, here and from another process.

What a control does is a rule of the engine; here each is used once, and its result compared.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from decimal import Decimal
from itertools import count
from threading import Event
from typing import Any
from uuid import uuid4

import pytest

from tests.sandbox.raw import limit_order
from trading_runtime.clock import now_ms
from trading_sandbox import Refused, RemoteSandbox, Sandbox
from trading_sandbox.engine.state import FUNDS
from trading_sandbox.service import open_service
from trading_sdk import Client, OutcomeUnknownError


@pytest.fixture(params=["here", "remote"])
def sandbox(reusable: Sandbox, request: pytest.FixtureRequest) -> Sandbox | RemoteSandbox:
    """A sandbox as if new, in which nobody trades by himself; or its remote control."""
    reusable.reset()
    return reusable if request.param == "here" else RemoteSandbox(reusable.url)


def order(client: Client, **changes: Any) -> int:
    given = limit_order(**{"price": "90000", "amount": "0.01", "tif": "GTC", **changes})
    return client.orders.create(**given).order_id


# -- orders by hand --------------------------------------------------------------------------


def test_another_trader_is_played_without_a_client(sandbox: Sandbox) -> None:
    sandbox.set_maker(False)
    mine, other = sandbox.create_account(), sandbox.create_account()
    with Client(sandbox.url, signer=mine) as client:
        quote = order(client, side="ask", price="100000", amount="0.02")
        sandbox.place_order(other, "BTC", "bid", "0.01")
        resting = sandbox.place_order(other, "BTC", "bid", "0.01", "90000", reduce_only=False)
        (trade,) = client.trades.history()
        assert (trade.order_id, trade.amount) == (quote, Decimal("0.01"))
    assert sandbox.cancel_order(other, "BTC", resting) == resting
    with pytest.raises(Refused, match="Order"):
        sandbox.cancel_order(other, "BTC", resting)


def test_the_log_holds_the_answer_and_the_fault_that_spoiled_it(sandbox: Sandbox) -> None:
    sandbox.faults.inject("orders.create", "html", executed=True)
    with Client(sandbox.url, signer=sandbox.create_account()) as client:
        with pytest.raises(OutcomeUnknownError):
            order(client)
        order(client, price="90001")
    spoiled, whole = sandbox.requests
    assert (spoiled.fault, whole.fault) == ("html", None)
    assert '"order_id":' in (spoiled.answer or "")
    assert '"order_id":' not in repr(spoiled)


# -- money and accounts ----------------------------------------------------------------------


def test_an_account_gets_a_past_that_follows_from_the_seed(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trading_sandbox.controls.local._CHUNK", 2)
    owner = sandbox.create_account()
    sandbox.freeze()
    before, snapshot, pasts = sandbox.account(owner), sandbox.snapshot(), []
    with Client(sandbox.url, signer=owner) as client:
        for _ in range(2):
            sandbox.restore(snapshot)
            sandbox.add_history(owner, "ETH", 5, spacing_ms=60_000)
            trades = client.trades.history().to_list()[::-1]
            orders = {each.order_id: each.average_filled_price for each in client.orders.history()}
            assert orders == {each.order_id: each.price for each in trades}
            pasts.append([(each.created_at, each.side, each.price, each.pnl) for each in trades])
        order(client)
        newest = client.orders.history().first()
    assert newest is not None
    assert sandbox.account(owner).balance == before.balance
    assert pasts[0] == pasts[1]
    assert [at for at, *_ in pasts[0]] == [
        newest.created_at - 60_000 * left for left in range(9, -1, -1)
    ]
    for long, (opened, closed) in enumerate(zip(pasts[0][::2], pasts[0][1::2], strict=True), 1):
        gain = (closed[2] - opened[2]) * Decimal("0.1")
        assert not opened[3]
        assert closed[3] == (gain if long % 2 else -gain)
    with pytest.raises(ValueError, match="would begin before 1970"):
        sandbox.add_history(owner, "ETH", 5, spacing_ms=10**12)


def test_what_an_account_has_and_the_prices_of_a_market_can_be_seen(sandbox: Sandbox) -> None:
    long, short = sandbox.create_account(spot={"SOL": "2"}), sandbox.create_account()
    sandbox.set_margin(long, "BTC", leverage=10)
    with Client(sandbox.url, signer=long) as one, Client(sandbox.url, signer=short) as other:
        order(other, side="ask", price="100000", amount="0.1")
        order(one, price="100000", amount="0.1", tif="IOC")
        order(one, price="90000", amount="0.001")
    sandbox.set_mark_price("BTC", "101000")

    found = sandbox.account(long)
    assert (found.balance, found.spot) == (Decimal(10_000 - 4), {"SOL": Decimal(2)})
    [(symbol, position)] = found.positions.items()
    assert (symbol, position.size) == ("BTC", Decimal("0.1"))
    assert position.entry_price == Decimal(100_000)
    assert (position.unrealised, position.margin) == (Decimal(100), Decimal(1_000))
    assert (position.isolated, position.leverage) == (False, 10)
    collateral = 2 * 150 * Decimal("0.9")
    assert found.equity == 9_996 + 100 + collateral
    assert found.free == found.withdrawable == found.equity - 1_000 - 9

    market = sandbox.market("BTC")
    assert (market.mark_price, market.last_price) == (Decimal(101_000), Decimal(100_000))
    assert (market.best_bid, market.best_ask) == (Decimal(90_000), None)
    [quote] = sandbox.orders(long)
    assert (quote.symbol, quote.side, quote.price) == ("BTC", "bid", Decimal(90_000))
    assert (quote.amount, quote.filled, quote.tif) == (Decimal("0.001"), Decimal(0), "GTC")
    assert sandbox.orders(short) == []
    fund = sandbox.insurance_fund()
    assert [fund.debt_paid, fund.balance, fund.equity] == [0, FUNDS, FUNDS]


# -- time ------------------------------------------------------------------------------------


def test_time_can_be_frozen_though_it_goes_on_while_that_is_asked_for() -> None:
    ticks = count(now_ms())
    service = open_service(None, 7, maker=False, taker_delay=0, now=lambda: next(ticks))
    service.freeze()
    assert service.now() == service.now()
    service.advance(0)
    service.close()


# -- wrong arguments -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("use", "error", "words"),
    [
        (lambda s: s.deposit(5, usdc="1"), TypeError, "account: must be an address"),
        (lambda s: s.deposit("nobody", usdc="1"), Refused, "Account not found"),
        (lambda s: s.create_account(spot=["SOL"]), TypeError, "spot: must map symbols"),
        (lambda s: s.create_account(spot={"SOL": 0.5}), TypeError, "float"),
        (lambda s: s.create_account("NaN"), ValueError, "usdc"),
        (lambda s: s.create_account(Decimal("1e12")), Refused, r"below 10\^12 and of at most 20"),
        (lambda s: s.force_outcome(uuid4(), "lost"), ValueError, "status: must be one of filled"),
        (lambda s: s.force_outcome("1", "filled"), ValueError, "UUID"),
        (lambda s: s.advance("1"), TypeError, "integer"),
        (lambda s: s.advance(-1), ValueError, "ms: must be from 0 to 31622400000, not -1"),
        (lambda s: s.advance(), TypeError, "missing a required argument: 'ms'"),
        (lambda s: s.restore(12345), ValueError, "snapshot"),
        (lambda s: s.market("DOGE"), Refused, "Unknown symbol"),
        (lambda s: s.faults.inject("orders.crate", "reset"), ValueError, "did you mean"),
        (lambda s: s.set_maker(1), TypeError, "True or False"),
        (lambda s: s.set_rate_limit("-1"), ValueError, "credits"),
        (lambda s: s.bind_agent("nobody", "typo"), ValueError, "agent: must be a public key, but"),
        (lambda s: s.set_mark_price("DOGE", "1"), Refused, "Unknown symbol 'DOGE'"),
        (lambda s: s.set_mark_price(5, "1"), TypeError, "expected a string"),
    ],
)
def test_a_wrong_argument_is_refused_and_changes_nothing(
    sandbox: Sandbox, use: Callable[[Any], object], error: type[Exception], words: str
) -> None:
    sandbox.freeze()
    before = sandbox.digest()
    with pytest.raises(error, match=words):
        use(sandbox)
    assert sandbox.digest() == before


# -- before, after and while it runs -------------------------------------------------------------


def test_a_sandbox_that_does_not_run_can_be_read_and_nothing_can_be_done() -> None:
    with Sandbox() as ended, Client(ended.url, signer=ended.create_account()) as client:
        list(client.orders.history())
    assert [entry.operation for entry in ended.requests] == ["orders.history"]
    for sandbox in (ended, Sandbox()):
        uses: tuple[Callable[[], object], ...] = (
            *(sandbox.create_account, sandbox.digest, sandbox.reset, sandbox.snapshot),
            lambda sandbox=sandbox: sandbox.advance(1),
        )
        for use in uses:
            with pytest.raises(RuntimeError, match="with block"):
                use()
        with pytest.raises(ValueError, match="server that runs"):
            sandbox.faults.inject("*", "connect_refused")
        sandbox.faults.clear()


def test_controls_in_threads_while_it_stops_end_one_way_or_the_other() -> None:
    begun = Event()

    def use(sandbox: Sandbox) -> None:
        with suppress(RuntimeError, ValueError):
            for _ in range(50):
                sandbox.faults.inject("*", "connect_refused", seconds=0.001)
                sandbox.faults.clear()
                sandbox.create_account()
                begun.set()

    with ThreadPoolExecutor() as pool:
        with Sandbox(maker=False) as sandbox:
            used = [pool.submit(use, sandbox) for _ in range(4)]
            begun.wait(timeout=30)
        for each in used:
            each.result(timeout=30)
