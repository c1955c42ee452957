"""The controls of a sandbox, as a test in Python uses them, here and from another process."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from itertools import count
from typing import Any
from uuid import uuid4

import pytest

from trading_runtime.clock import now_ms
from trading_sandbox import Refused, RemoteSandbox, Sandbox
from trading_sandbox.service import open_service
from trading_sdk import BadRequestError, Client, Keypair, RateLimitError

HOUR = 3_600_000


@pytest.fixture(params=["here", "remote"])
def sandbox(reusable: Sandbox, request: pytest.FixtureRequest) -> Sandbox | RemoteSandbox:
    """A sandbox as if new, in which nobody trades by himself; or its remote control."""
    reusable.reset()
    return reusable if request.param == "here" else RemoteSandbox(reusable.url)


def order(client: Client, **changes: Any) -> int:
    fields: dict[str, Any] = {
        "symbol": "BTC",
        "side": "bid",
        "price": "90000",
        "amount": "0.01",
        "tif": "GTC",
        "reduce_only": False,
    }
    return client.orders.create(**{**fields, **changes}).order_id


def states(client: Client) -> dict[int, str]:
    return {each.order_id: str(each.order_status) for each in client.orders.history()}


# -- money and accounts ----------------------------------------------------------------------


def test_an_account_has_what_was_deposited(sandbox: Sandbox) -> None:
    key = sandbox.create_account(usdc="0", spot={"SOL": "5"})
    sandbox.deposit(key, usdc="100", spot={"SOL": "2.5", "BTC": "0.1"})
    with Client(sandbox.url, signer=key) as client:
        events = [(e.symbol, e.amount, e.balance) for e in client.spot.balance_history()]
    assert sorted(events) == [
        ("BTC", Decimal("0.1"), Decimal("0.1")),
        ("SOL", Decimal("2.5"), Decimal("7.5")),
        ("SOL", Decimal("5"), Decimal("5")),
    ]


def test_a_subaccount_belongs_to_its_main_account(sandbox: Sandbox) -> None:
    main = sandbox.create_account()
    sub = sandbox.create_subaccount(main, usdc="50")
    with Client(sandbox.url, signer=main) as client:
        [listed] = client.subaccounts.list()
    assert (listed.address, listed.balance) == (sub.address, Decimal(50))


def test_a_vault_without_manager_can_be_claimed_once(sandbox: Sandbox) -> None:
    vault = sandbox.create_vault(sandbox.create_account(), managed=False)
    with (
        Client(sandbox.url, signer=sandbox.create_account()) as first,
        Client(sandbox.url, signer=sandbox.create_account()) as second,
    ):
        assert first.vaults.claim_manager(
            lake=vault, deposit_amount="100"
        ).shares_minted == Decimal(100)
        with pytest.raises(BadRequestError, match="manager"):
            second.vaults.claim_manager(lake=vault, deposit_amount="100")


def test_an_agent_signs_for_the_account_it_is_bound_to(sandbox: Sandbox) -> None:
    owner, agent = sandbox.create_account(), Keypair.generate()
    sandbox.bind_agent(owner, agent)
    with Client(sandbox.url, signer=agent, account=owner.address) as client:
        order(client)
        assert len(states(client)) == 1


def test_margin_settings_show_once_they_differ_from_the_default(
    sandbox: Sandbox, client: Client
) -> None:
    sandbox.set_margin(client.account_address or "", "ETH", isolated=True, leverage=10)
    [setting] = client.account.settings().margin_settings or []
    assert (setting.symbol, setting.isolated, setting.leverage) == ("ETH", True, 10)
    sandbox.set_margin(client.account_address or "", "ETH")
    assert not client.account.settings().margin_settings


def test_what_an_account_has_can_be_seen(sandbox: Sandbox) -> None:
    long, short = sandbox.create_account(spot={"SOL": "2"}), sandbox.create_account()
    sandbox.set_margin(long, "BTC", leverage=10)
    with Client(sandbox.url, signer=long) as one, Client(sandbox.url, signer=short) as other:
        order(other, side="ask", price="100000", amount="0.1", tif="ALO")
        order(one, price="100000", amount="0.1", tif="IOC")
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
    assert found.free == found.equity - 1_000
    assert found.withdrawable == found.free


def test_what_is_withdrawable_can_be_transferred(sandbox: Sandbox) -> None:
    main = sandbox.create_account(usdc="100.00000099")
    sub = sandbox.create_subaccount(main)
    most = sandbox.account(main).withdrawable
    with Client(sandbox.url, signer=main) as client:
        client.subaccounts.transfer(to_account=sub.address, amount=most)
    assert sandbox.account(sub).balance == most == Decimal(100)


def test_the_prices_of_a_market_can_be_seen(sandbox: Sandbox, client: Client) -> None:
    order(client, price="90000")
    found = sandbox.market("BTC")
    assert (found.mark_price, found.best_bid) == (Decimal(100_000), Decimal(90_000))
    assert (found.best_ask, found.last_price) == (None, None)
    with pytest.raises(Refused, match="Unknown symbol"):
        sandbox.market("DOGE")


# -- markets ---------------------------------------------------------------------------------


def test_the_maker_trades_until_it_is_turned_off() -> None:
    with (
        Sandbox(taker_delay=0) as sandbox,
        Client(sandbox.url, signer=sandbox.create_account()) as client,
    ):
        filled = order(client, price="110000", tif="IOC", amount="0.001")
        sandbox.set_maker(False)
        alone = order(client, price="110000", tif="IOC", amount="0.001")
        assert states(client) == {filled: "filled", alone: "cancelled"}


def test_a_market_that_moves_through_a_resting_order_fills_it() -> None:
    with (
        Sandbox(taker_delay=0) as sandbox,
        Client(sandbox.url, signer=sandbox.create_account()) as client,
    ):
        resting = order(client, price="99000", tif="ALO")
        sandbox.set_mark_price("BTC", "98000")
        assert states(client) == {resting: "filled"}


@pytest.mark.parametrize(
    ("status", "reason", "found"),
    [
        ("filled", None, ("filled", None)),
        ("partially_filled", None, ("partially_filled", None)),
        ("cancelled", "expired", ("cancelled", "expired")),
        ("rejected", "post_only_rejected", ("rejected", "post_only_rejected")),
    ],
)
def test_an_outcome_can_be_forced(
    sandbox: Sandbox, client: Client, status: Any, reason: Any, found: tuple[str, str | None]
) -> None:
    mine = uuid4()
    sandbox.force_outcome(mine, status, reason)
    forced, usual = order(client, client_order_id=mine), order(client)
    orders = {each.order_id: each for each in client.orders.history()}
    assert (orders[forced].order_status, orders[forced].reason) == found
    assert orders[usual].order_status == "open"


def test_a_forced_refusal_is_answered_in_the_words_that_were_asked_for(
    sandbox: Sandbox, client: Client
) -> None:
    mine = uuid4()
    sandbox.force_outcome(mine, "refused", "Market is in maintenance")
    with pytest.raises(BadRequestError, match="Market is in maintenance"):
        order(client, client_order_id=mine)
    assert states(client) == {}


@pytest.mark.parametrize("cause", ["market_liquidation", "backstop_liquidation", "settlement"])
def test_a_position_can_be_liquidated_for_every_cause(cause: Any) -> None:
    with Sandbox(taker_delay=0) as sandbox:
        long, short = sandbox.create_account(), sandbox.create_account()
        with Client(sandbox.url, signer=long) as one, Client(sandbox.url, signer=short) as other:
            order(one, price="110000", tif="IOC")
            order(other, side="ask", price="90000", tif="IOC")
            sandbox.liquidate(long, "BTC", cause)
            latest = next(iter(one.trades.history()))
        assert (latest.cause, latest.side) == (cause, "close_long")


# -- time ------------------------------------------------------------------------------------


def test_funding_is_settled_every_hour_that_passes(sandbox: Sandbox, client: Client) -> None:
    def newest() -> int:
        return next(iter(client.funding.history(symbol="BTC", limit=1))).created_at

    before = newest()
    sandbox.advance(3 * HOUR)
    assert newest() == before + 3 * HOUR


def test_frozen_time_stands_still_while_signatures_stay_fresh(
    sandbox: Sandbox, client: Client
) -> None:
    sandbox.freeze()
    order(client)
    sandbox.advance(HOUR)
    order(client)
    late, early = (each.created_at for each in client.orders.history())
    assert late == early + HOUR
    sandbox.unfreeze()
    order(client)
    assert next(iter(client.orders.history())).created_at >= late


def test_time_can_be_frozen_though_it_goes_on_while_that_is_asked_for() -> None:
    start = now_ms()
    ticks = count(start)
    service = open_service(None, 7, maker=False, taker_delay=0, now=lambda: next(ticks))
    service.freeze()
    assert service.now() == service.now()
    service.advance(0)
    service.close()


def test_time_never_runs_backwards(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="ms: must be from 0 to 31622400000, not -1"):
        sandbox.advance(-1)
    with pytest.raises((Refused, ValueError)):
        sandbox.freeze(at=1)


# -- limits, states, log ---------------------------------------------------------------------


def test_a_rate_limit_is_felt_once_it_is_set(sandbox: Sandbox, client: Client) -> None:
    sandbox.set_rate_limit("2", window_s=600)
    order(client)
    order(client)
    with pytest.raises(RateLimitError):
        order(client)
    sandbox.set_rate_limit(None)
    order(client)
    assert len(states(client)) == 3


def test_a_snapshot_brings_everything_back(sandbox: Sandbox, client: Client) -> None:
    kept = order(client)
    snapshot, digest = sandbox.snapshot(), sandbox.digest()
    client.orders.cancel(symbol="BTC", order_id=kept)
    gone = order(client)
    assert sandbox.digest() != digest
    sandbox.restore(snapshot)
    assert sandbox.digest() == digest
    assert states(client) == {kept: "open"}
    # Its id is that of no other order, as on a real exchange.
    assert order(client) > gone


def test_an_unknown_snapshot_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="snapshot"):
        sandbox.restore(12345)


def test_a_reset_begins_again_with_the_same_keys(sandbox: Sandbox) -> None:
    first = sandbox.create_account()
    sandbox.faults.inject("*", "status", status=503)
    sandbox.set_rate_limit("1")
    sandbox.reset()
    assert (sandbox.requests, list(sandbox.faults.pending())) == ([], [])
    again = sandbox.create_account()
    assert again == first
    with Client(sandbox.url, signer=again) as client:
        order(client)
        order(client)
        assert len(states(client)) == 2


def test_the_log_shows_what_was_verified(sandbox: Sandbox, client: Client) -> None:
    order(client)
    explained = client.explain("orders.cancel", symbol="BTC", order_id=1)
    [entry] = sandbox.requests
    assert entry.canonical[0].startswith('{"data":{"amount":"0.01","client_order_id"')
    assert explained.canonical.startswith('{"data":{"order_id":1')
    assert entry.account == client.account_address


@pytest.mark.parametrize(
    ("use", "error", "words"),
    [
        (lambda s: s.deposit(5, usdc="1"), TypeError, "account: must be an address"),
        (lambda s: s.deposit("nobody", usdc="1"), Refused, "Account not found"),
        (lambda s: s.create_account(spot=["SOL"]), TypeError, "spot: must map symbols"),
        (lambda s: s.create_account(spot={"DOGE": "1"}), Refused, "DOGE"),
        (lambda s: s.create_account(spot={"SOL": 0.5}), TypeError, "float"),
        (lambda s: s.force_outcome(uuid4(), "lost"), ValueError, "status: must be one of filled"),
        (lambda s: s.force_outcome("1", "filled"), ValueError, "UUID"),
        (lambda s: s.liquidate("nobody", cause="bad luck"), ValueError, "cause: must be one of"),
        (lambda s: s.advance("1"), TypeError, "integer"),
        (lambda s: s.set_maker(1), TypeError, "True or False"),
        (lambda s: s.set_rate_limit("-1"), ValueError, "credits"),
        (
            lambda s: s.bind_agent("nobody", "typo"),
            ValueError,
            "agent: must be a public key, but it has 3 bytes",
        ),
        (lambda s: s.create_subaccount("nobody"), Refused, "Account not found"),
        (lambda s: s.create_vault("nobody"), Refused, "Account not found"),
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
