"""Every operation that the sandbox models is carried out, by the client of each dialect.

What an operation does is a rule of the engine, and how it is answered stands in tests/sandbox. Here the
clients call it and read the answer. Nobody else trades, and time stands still.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from attrs import frozen

import trading_sdk
import trading_sdk_observed
from tests.doubles.orders import market_order, resting, stop_order
from tests.end_to_end.operations import EMPTY_ANSWERS
from trading_sandbox import Sandbox
from trading_sandbox.web.dialects.documented import DIALECT as DOCUMENTED
from trading_sandbox.web.dialects.live import DIALECT as LIVE

OPENED = 1_800_000_000_000
"""A full hour."""
SDKS: dict[str, Any] = {"documented": trading_sdk, "live": trading_sdk_observed}
DIALECTS = {"documented": DOCUMENTED, "live": LIVE}
STOP = stop_order(stop_order={"stop_price": "110000", "amount": "0.1"})
WITHDRAWAL = {"documented": "withdrawal", "live": "withdraw"}
"""The event of a withdrawal, which the dialects call differently."""
D = Decimal


@frozen
class World:
    """A sandbox of one dialect, its SDK, and a client of a rich account."""

    sandbox: Sandbox
    dialect: str
    sdk: Any
    owner: Any
    client: Any

    @property
    def called(self) -> dict[str | None, int]:
        """The operations that were called, and the latest status of each."""
        return {each.operation: each.status for each in self.sandbox.requests}

    def state(self, order_id: int) -> str:
        found = next(each for each in self.client.orders.history() if each.order_id == order_id)
        return str(found.order_status)


@pytest.fixture(scope="module")
def sandboxes() -> Iterator[dict[str, Sandbox]]:
    options: dict[str, Any] = {"maker": False, "taker_delay": 0, "frozen_at": OPENED}
    with Sandbox(**options) as documented, Sandbox(dialect="live", **options) as live:
        yield {"documented": documented, "live": live}


@pytest.fixture(params=list(SDKS))
def world(sandboxes: dict[str, Sandbox], request: pytest.FixtureRequest) -> Iterator[World]:
    sandbox, sdk = sandboxes[request.param], SDKS[request.param]
    sandbox.reset()
    owner = sandbox.create_account(usdc="100000", spot={"SOL": "10"})
    with sdk.Client(sandbox.url, signer=owner) as client:
        yield World(sandbox, request.param, sdk, owner, client)


# -- what each group of operations does ----------------------------------------------------------


def place_and_change_orders(world: World) -> None:
    orders, mine = world.client.orders, uuid4()
    placed = orders.create(**resting(client_order_id=mine)).order_id
    (found,) = orders.history()
    assert (found.order_id, found.client_order_id) == (placed, mine)
    assert (found.symbol, found.side, found.order_type) == ("BTC", "bid", "limit")
    assert (found.price, found.initial_price, found.amount) == (D(90_000), D(90_000), D("0.1"))
    assert (found.average_filled_price, found.filled_amount) == (0, 0)
    assert (found.order_status, found.reason, found.reduce_only) == ("open", None, False)
    assert (found.stop_price, found.stop_parent_order_id) == (None, None)
    assert found.created_at == found.updated_at == OPENED

    edited = orders.edit(symbol="BTC", client_order_id=mine, price=91_000, amount="0.2").order_id
    new = next(iter(orders.history()))
    assert (new.order_id, new.client_order_id, new.price) == (edited, mine, 91_000)
    orders.cancel(symbol="BTC", client_order_id=mine)
    assert world.state(placed) == world.state(edited) == "cancelled"


def trade(world: World) -> None:
    """Buy from somebody, with a stop-loss and stop orders, and sell again."""
    orders = world.client.orders
    with world.sdk.Client(world.sandbox.url, signer=world.sandbox.create_account()) as other:
        for side, price in (("ask", 100_100), ("bid", 99_900)):
            other.orders.create(**resting(side=side, price=price))
    bought = orders.create_market(**market_order(amount="0.1")).order_id
    orders.set_position_tpsl(symbol="BTC", side="ask", stop_loss={"stop_price": "95000"})
    mine = uuid4()
    leg = {**STOP["stop_order"], "client_order_id": mine}
    waiting = orders.create_stop(**{**STOP, "stop_order": leg}).order_id
    assert (world.state(bought), world.state(waiting)) == ("filled", "open")
    assert orders.cancel_stop(symbol="BTC", order_id=waiting, client_order_id=mine) is None
    assert world.state(waiting) == "cancelled"
    orders.create_market(**market_order(side="ask", amount="0.1"))
    sold, took = world.client.trades.history(symbol="BTC")
    assert (took.order_id, took.side) == (bought, "open_long")
    assert (took.price, took.fee) == (100_100, D("4.004"))
    assert (sold.side, sold.amount, sold.pnl) == ("close_long", D("0.1"), -20)


def run_a_batch(world: World) -> None:
    """One of every kind of action; the one that fails stops none."""
    sdk, orders = world.sdk, world.client.orders
    one, other = (orders.create(**resting()).order_id for _ in range(2))
    stopped = orders.create_stop(**STOP).order_id
    results = orders.batch(
        [
            {"type": "Create", "data": resting()},
            sdk.CancelOrder(symbol="BTC", order_id=one),
            sdk.SetPositionTpsl(symbol="BTC", side="ask", take_profit={"stop_price": "120000"}),
            sdk.EditOrder(symbol="BTC", order_id=other, price=91_000, amount="0.1"),
            sdk.CreateMarketOrder(**market_order(amount="0.1")),
            sdk.CancelStopOrder(symbol="BTC", order_id=stopped),
        ]
    )
    with pytest.raises(sdk.BatchError, match=r"1 of 6 actions failed: \[2\] .*Position not found"):
        results.raise_on_failure()
    # What places no order tells no id.
    assert [number for number, each in enumerate(results) if each.order_id] == [0, 3, 4]
    found = {each.order_id: str(each.order_status) for each in orders.history()}
    assert [found[each] for each in (one, other, stopped)] == ["cancelled"] * 3
    assert [found[results[n].order_id] for n in (0, 3, 4)] == ["open", "open", "cancelled"]


def set_the_account_up(world: World) -> None:
    sandbox, account = world.sandbox, world.client.account
    sandbox.set_margin(world.owner, "ETH", isolated=True)
    account.set_auto_lend_disabled(disabled=True)
    account.set_auto_lend_disabled()  # chooses nothing, and changes nothing
    account.update_spot_settings(symbol="SOL", unified_margin_excluded=True)
    # What is public needs no signature.
    with world.sdk.Client(sandbox.url) as reader:
        settings = reader.account.settings(account=world.owner.address)
    assert settings.auto_lend_disabled is True
    [of_spot] = settings.spot_settings
    assert (of_spot.symbol, of_spot.unified_margin_excluded) == ("SOL", True)
    margins = [(each.symbol, each.isolated, each.leverage) for each in settings.margin_settings]
    assert margins == [("ETH", True, 50)]


def move_money(world: World) -> None:
    sandbox, client = world.sandbox, world.client
    sub = sandbox.create_subaccount(world.owner, usdc="50")
    (listed,) = client.subaccounts.list()
    assert (listed.address, listed.balance, listed.pending_balance) == (sub.address, 50, 0)
    assert (listed.fee_level, listed.fee_mode) == (0, "auto")
    assert (listed.use_ltp_for_stop_orders, listed.created_at) == (False, OPENED)

    receipt = client.spot.withdraw(symbol="SOL", amount="1.5")
    (withdrawal,) = client.spot.withdrawal_history()
    assert (withdrawal.symbol, withdrawal.amount) == ("SOL", D("1.5"))
    assert withdrawal.batch_nonce == receipt.batch_nonce and withdrawal.transaction_id
    withdrawn, deposited = client.spot.balance_history(symbol="SOL")
    # The fee comes out of the amount: the balance falls by no more than that.
    assert (withdrawn.amount, withdrawn.balance) == (D("-1.5"), D("8.5"))
    assert withdrawn.event_type == WITHDRAWAL[world.dialect]
    assert (deposited.amount, deposited.event_type) == (D(10), "deposit")

    vault = sandbox.create_vault(world.owner, managed=False)
    claimed = client.vaults.claim_manager(lake=vault, deposit_amount="10")
    assert claimed.shares_minted == 10


def read_the_rest(world: World) -> None:
    client = world.client
    assert client.api_keys.create().api_key
    assert client.api_keys.list() is not None
    assert next(iter(client.funding.history(symbol="BTC"))).created_at == OPENED
    if world.dialect == "live":
        use_what_the_document_lacks(world)


def use_what_the_document_lacks(world: World) -> None:
    sandbox, client = world.sandbox, world.client
    agent = world.sdk.Keypair.generate()
    client.agents.bind(agent_wallet=agent.address)
    with world.sdk.Client(sandbox.url, signer=agent, account=world.owner.address) as other:
        last = other.orders.create(**resting()).order_id
    cancelled = client.orders.cancel_all(all_symbols=True, exclude_reduce_only=False)
    assert cancelled.cancelled_count == 3
    assert client.orders.history_by_id(order_id=last)[0].event_type == "cancel"
    assert client.agents.list() == (agent.address,)
    client.agents.revoke(agent_wallet=agent.address)
    client.agents.revoke_all()
    assert client.agents.list() == ()
    client.builder_codes.approve(builder_code="CODE", max_fee_rate="0.001")
    assert [each.builder_code for each in client.builder_codes.approvals()] == ["CODE"]
    client.builder_codes.revoke(builder_code="CODE")
    assert client.account.balance_history().first() is not None
    assert client.account.portfolio(time_range="1d")
    assert client.markets.mark_candles(symbol="ETH", interval="1d", start_time=0)
    assert client.orders.list() == client.positions.list() == ()
    assert client.account.update_leverage(symbol="BTC", leverage=5) is None
    assert client.account.update_margin_mode(symbol="BTC", is_isolated=True) is None
    assert client.account.info().positions_count == 0
    with world.sdk.Client(sandbox.url, signer=sandbox.create_account()) as other:
        other.orders.create(**resting(side="ask", price=100_100))
    client.orders.create_market(**market_order(amount="0.1"))
    client.positions.add_isolated_margin(symbol="BTC", amount="100")
    assert client.positions.list()[0].margin == D(100_100) * D("0.1") / 5 + 100
    client.account.withdraw(amount="7")
    client.subaccounts.create(subaccount=world.sdk.Keypair.generate())
    assert [each.amount for each in client.spot.deposit_history()] == [10]
    assert client.spot.pending_withdrawals() == ()
    assert len(client.markets.fees()) == 1
    assert list(client.funding.payments()) == []
    assert len(client.markets.info()) == len(client.markets.prices()) == 3
    assert client.markets.book(symbol="ETH").l == ((), ())
    assert client.markets.trades(symbol="ETH") == ()
    assert client.markets.candles(symbol="ETH", interval="1d", start_time=OPENED) == ()


# -- all of them ---------------------------------------------------------------------------------


def test_every_operation_is_carried_out(world: World) -> None:
    for act in (place_and_change_orders, trade, run_a_batch, set_the_account_up, move_money):
        act(world)
    read_the_rest(world)

    dialect = DIALECTS[world.dialect]
    wanted = (dialect.modelled & dialect.api.operations.keys()) - EMPTY_ANSWERS
    assert world.called == dict.fromkeys(wanted, 200)


def test_an_empty_object_is_success_where_the_document_shows_more(world: World) -> None:
    """It is an empty object in the live dialect alone."""
    sandbox, client = world.sandbox, world.client
    sub = sandbox.create_subaccount(world.owner)
    vault = sandbox.create_vault(world.owner, blacklist=["SOL"])
    client.subaccounts.transfer(to_account=sub.address, amount="100.5")
    client.vaults.add_max_leverage(lake=vault, symbols=["BTC", "ETH"], max_leverage="5")
    client.vaults.remove_max_leverage(lake=vault, symbols=["BTC"])
    client.vaults.remove_blacklist(lake=vault, symbols=["SOL"])
    key = client.api_keys.create().api_key
    client.api_keys.revoke(api_key=key)

    assert sandbox.account(sub).balance == D("100.5")
    assert key not in str(client.api_keys.list())
    assert dict.fromkeys(EMPTY_ANSWERS, 200).items() <= world.called.items()
    live = world.dialect == "live"
    refused = world.sdk.UnprocessableEntityError if live else world.sdk.BadRequestError
    for remove, symbol in (
        (client.vaults.remove_max_leverage, "BTC"),
        (client.vaults.remove_blacklist, "SOL"),
    ):
        with pytest.raises(refused, match=rf"^vaults\..*No .* for {symbol}"):
            remove(lake=vault, symbols=[symbol])
