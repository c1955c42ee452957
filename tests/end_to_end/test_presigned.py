"""Messages that come signed: what `explain` returned is sent, alone or in a batch of somebody else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

from tests.doubles.orders import resting
from tests.end_to_end.test_batches import bid
from tests.end_to_end.trading import Connect, order, place
from tests.runtime.canaries import Wallet, holds, leaks, prints
from trading_sandbox import Sandbox
from trading_sdk import (
    ApiError,
    BadRequestError,
    CancelOrder,
    Client,
    CreateOrderDict,
    NotSentError,
    OutcomeUnknownError,
    RequestError,
    Retry,
    SignedRequest,
)

ORDER = resting(price=40_000, amount="0.01")
STATUS: dict[str, dict[str, Any]] = {"status": {"status": 400}}
"""The options of faults that need some."""


def explained(client: Client, **changes: Any) -> SignedRequest:
    return client.explain("orders.create", **{**ORDER, **changes})


def placed(client: Client) -> int:
    return len(list(client.orders.history()))


def posted(sandbox: Sandbox) -> list[dict[str, Any]]:
    return [each.body for each in sandbox.requests if each.method == "POST"]


# -- one message ---------------------------------------------------------------------------------


def test_what_was_explained_is_sent_as_it_was_signed_and_gives_the_same_result(
    sandbox: Sandbox, maker: Client
) -> None:
    signed = explained(maker)

    result = maker.send(signed)

    assert type(result) is type(maker.orders.create(**ORDER))
    assert order(maker, result.order_id).initial_price == 40_000
    assert signed.body in posted(sandbox)


def test_an_action_goes_in_a_batch_of_one_and_gives_its_result(maker: Client) -> None:
    order_id = place(maker)

    result = maker.send(maker.explain("orders.cancel", symbol="BTC", order_id=order_id))

    assert result.success is True
    assert order(maker, order_id).order_status == "cancelled"
    with pytest.raises(BadRequestError, match=r"orders\.cancel"):
        maker.send(maker.explain("orders.cancel", symbol="BTC", order_id=10**9))


def test_a_client_without_a_key_sends_what_a_key_elsewhere_signed(
    connect: Connect, maker: Client
) -> None:
    relay = connect()
    relay.send(explained(maker))
    assert placed(maker) == 1


# -- once ----------------------------------------------------------------------------------------


def test_a_message_is_sent_once_whatever_client_is_asked(connect: Connect, maker: Client) -> None:
    signed = explained(maker)
    maker.send(signed)
    for each in (maker, connect(), maker.with_options(timeout=5)):
        with pytest.raises(RequestError, match="this signed message was sent before"):
            each.send(signed)
    with pytest.raises(RequestError, match="this signed message was sent before"):
        maker.orders.batch([signed])
    assert placed(maker) == 1


def test_threads_that_send_the_same_message_send_it_once(maker: Client) -> None:
    def send(_: int) -> bool:
        try:
            maker.send(signed)
        except RequestError:
            return False
        return True

    signed = explained(maker)
    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(send, range(8))) == [False] * 7 + [True]
    assert placed(maker) == 1


@pytest.mark.parametrize("fault", ["close", "reset_before_read", "status"])
def test_it_is_not_sent_again_after_its_outcome_was_unknown_or_it_was_refused(
    fault: str, sandbox: Sandbox, maker: Client
) -> None:
    sandbox.faults.inject("orders.create", fault, **STATUS.get(fault, {}))
    signed = explained(maker)
    with pytest.raises((OutcomeUnknownError, ApiError)):
        maker.send(signed)
    with pytest.raises(RequestError, match="was sent before"):
        maker.send(signed)
    assert len(posted(sandbox)) <= 1


def test_it_is_attempted_once_and_may_be_sent_again_if_it_certainly_was_not_sent(
    connect: Connect, sandbox: Sandbox, maker: Client
) -> None:
    signed = explained(maker)
    attempts: list[str] = []
    with Client(
        "http://127.0.0.1:9",
        retry=Retry(max_attempts=5),
        on_event=lambda event: attempts.append(type(event).__name__),
    ) as elsewhere:
        for _ in range(2):
            with pytest.raises(NotSentError):
                elsewhere.send(signed)
    assert attempts.count("AttemptSent") == 2
    maker.send(signed)
    assert placed(maker) == 1


# -- what cannot be sent -------------------------------------------------------------------------


# -- what became of it ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "state"), [("close", "unsettled"), ("reset_before_read", "not executed")]
)
def test_an_unknown_outcome_is_settled_by_a_client_of_its_account(
    fault: str, state: str, connect: Connect, sandbox: Sandbox, maker: Client, tmp_path: Path
) -> None:
    signed = explained(maker.with_options(expiry_window=1_000))
    sandbox.faults.inject("orders.create", fault)
    relay = connect(journal=tmp_path / "journal", expiry_window=9_000)
    with pytest.raises(OutcomeUnknownError) as caught:
        relay.send(signed)

    intent = caught.value.intent
    assert (intent.account, intent.timestamp) == (maker.account_address, signed.header["timestamp"])
    assert (intent.expiry_window, intent.signed) == (1_000, True)
    assert intent.client_ids == (signed.body["client_order_id"],)
    assert [each.intent for each in relay.unsettled()] == [intent]
    with pytest.raises(RequestError, match="with a client of that service and account"):
        relay.reconcile(caught.value)
    (settled,) = maker.reconcile(caught.value)
    assert settled.state == state
    assert placed(maker) == len(settled.records) == (fault == "close")
    # Whoever has the signed message knows its id. With the promise it settles the order.
    (promised,) = connect(maker._caller.signer, unique_ids=True).reconcile(caught.value)
    assert promised.state == ("executed" if fault == "close" else state)


def test_no_error_of_it_holds_a_signature(sandbox: Sandbox, connect: Connect) -> None:
    wallet = Wallet()
    account = sandbox.create_account("1000").address
    sandbox.bind_agent(account, wallet.address)
    client = connect(wallet, account=account)
    for fault in ("close", "status"):
        sandbox.faults.inject("orders.create", fault, **STATUS.get(fault, {}))
        signed = explained(client)
        for _ in range(2):
            with pytest.raises((OutcomeUnknownError, ApiError, RequestError)) as caught:
                client.send(signed)
            # The message itself is an argument, and so a local variable.
            assert leaks(prints(caught.value, local_variables=False), wallet.signatures) == set()
            assert leaks(holds(caught.value), wallet.signatures) == set()


# -- in a batch ------------------------------------------------------------------------------------


def test_a_batch_carries_actions_of_several_accounts(maker: Client, taker: Client) -> None:
    own = place(maker)
    foreign = explained(taker)

    results = maker.orders.batch([bid(), foreign, CancelOrder(symbol="BTC", order_id=own)])

    results.raise_on_failure()
    assert [placed(maker), placed(taker)] == [2, 1]
    assert order(taker, results[1].order_id).initial_price == 40_000
    assert order(maker, own).order_status == "cancelled"


def test_a_client_without_a_key_carries_only_what_came_signed(
    connect: Connect, maker: Client, taker: Client
) -> None:
    relay, first = connect(), explained(maker)
    with pytest.raises(RequestError, match="must be signed: give the client a signer"):
        relay.orders.batch([first, bid()])
    relay.orders.batch([first, explained(taker)]).raise_on_failure()
    assert [placed(maker), placed(taker)] == [1, 1]


@pytest.mark.parametrize("fault", ["close", "status"])
def test_of_a_batch_the_own_actions_are_settled_and_those_that_came_signed_are_not(
    fault: str, sandbox: Sandbox, maker: Client, taker: Client, tmp_path: Path, connect: Connect
) -> None:
    sandbox.faults.inject("orders.batch", fault, **STATUS.get(fault, {}))
    foreign, key = explained(taker), maker._caller.signer
    told: list[str] = []
    client = connect(
        key,
        journal=tmp_path / "journal",
        retry=Retry(max_attempts=5),
        on_event=lambda event: told.append(f"{type(event).__name__} {event.operation}"),
    )
    with pytest.raises((OutcomeUnknownError, BadRequestError)) as caught:
        actions: list[Any] = [{"type": "Create", "data": ORDER}, foreign]
        client.orders.batch(actions)

    error: Any = caught.value
    assert error.intent.account == maker.account_address
    assert [each.account for each in error.intent.messages] == [None, taker.account_address]
    assert taker.account_address in [account for account, _ in error.intent.uses]
    if fault == "close":
        assert f"No list can settle orders.create of {taker.account_address}." in str(error)
        restored = OutcomeUnknownError.from_json(error.to_json())
        assert restored.intent == error.intent
        assert [each.intent for each in client.unsettled()] == [error.intent]
    own, other = client.reconcile(error)
    assert own.state == ("executed" if fault == "close" else "not executed")
    assert other.state == "unsettled"
    assert other.reason == f"it came signed; look in the lists of {taker.account_address}"
    assert told.count("AttemptSent orders.batch") == 1


# -- actions as on the wire --------------------------------------------------------------------------


def test_an_action_can_be_given_as_on_the_wire(sandbox: Sandbox, maker: Client) -> None:
    own = place(maker)
    results = maker.orders.batch(
        [
            {"type": "Create", "data": cast(CreateOrderDict, ORDER)},
            {"type": "Cancel", "data": {"symbol": "BTC", "order_id": own}},
            {"type": "Create", "data": bid()},
        ]
    )
    results.raise_on_failure()
    assert placed(maker) == 3
    actions = posted(sandbox)[-1]["actions"]
    assert [each["type"] for each in actions] == ["Create", "Cancel", "Create"]
    assert len(actions[0]["data"]["client_order_id"]) == 36, "an id is made, as for the model"
