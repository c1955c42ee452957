"""A few faults of the way and the service, and what the SDK makes of them.

What they do to orders and reads is told here by example; the whole matrix has tests of its own.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.end_to_end.trading import Connect, order, place, trade
from tests.interface import OPERATIONS
from trading_sandbox import Sandbox
from trading_sdk import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    CancelOrder,
    Client,
    CreateOrder,
    DecodeError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    PaginationError,
)

pytestmark = pytest.mark.off_contract

CREATE = "orders.create"
HISTORY = "orders.history"


def placed(client: Client) -> list[str]:
    return [str(each.client_order_id) for each in client.orders.history()]


def received(sandbox: Sandbox, operation: str) -> int:
    return sum(each.operation == operation for each in sandbox.requests)


# -- orders ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("reset", {}),
        ("close", {}),
        ("short_body", {}),
        ("bad_json", {}),
        ("html", {"executed": True}),
        ("missing_field", {"field": "order_id"}),
        ("status", {"status": 500, "executed": True}),
        ("status", {"status": 504, "executed": True}),
    ],
)
def test_an_order_whose_answer_is_lost_is_found_by_its_id(
    sandbox: Sandbox, client: Client, kind: str, options: dict[str, Any]
) -> None:
    sandbox.faults.inject(CREATE, kind, **options)
    mine = uuid4()

    with pytest.raises(OutcomeUnknownError) as unknown:
        place(client, client_order_id=mine)

    error = unknown.value
    assert (error.operation, error.client_ids) == (CREATE, (str(mine),))
    assert error.expiry_window == 30_000
    assert error.timestamp == sandbox.requests[-1].body["timestamp"]
    # It was executed, and sent no second time.
    assert placed(client) == [str(mine)]
    assert received(sandbox, CREATE) == 1


@pytest.mark.parametrize("kind", ["reset", "close", "reset_before_read"])
def test_an_order_that_never_arrived_is_unknown_all_the_same(
    sandbox: Sandbox, client: Client, kind: str
) -> None:
    sandbox.faults.inject(CREATE, kind, executed=False)

    with pytest.raises(OutcomeUnknownError):
        place(client)

    assert placed(client) == []


def test_an_order_that_takes_too_long_is_unknown_and_may_be_executed(
    sandbox: Sandbox, connect: Connect
) -> None:
    key = sandbox.create_account()
    hasty = connect(key, timeout=0.2)
    sandbox.faults.inject(CREATE, "delay_answer", seconds=1)
    mine = uuid4()

    with pytest.raises(OutcomeUnknownError):
        place(hasty, client_order_id=mine)

    assert placed(connect(key)) == [str(mine)]


def test_a_batch_whose_answer_is_lost_names_the_id_of_every_action(
    sandbox: Sandbox, client: Client
) -> None:
    bids = [
        CreateOrder(
            symbol="BTC", side="bid", price="90000", amount="0.1", tif="ALO", reduce_only=False
        )
        for _ in range(2)
    ]
    sandbox.faults.inject("orders.batch", "close")

    with pytest.raises(OutcomeUnknownError) as unknown:
        client.orders.batch([*bids, CancelOrder(symbol="BTC", order_id=1)])

    ids = [str(each.client_order_id) for each in bids]
    assert unknown.value.client_ids == (*ids, None)
    assert sorted(placed(client)) == sorted(ids)


def test_a_withdrawal_whose_answer_is_lost_cannot_happen_twice(
    sandbox: Sandbox, connect: Connect
) -> None:
    holder, key = connect(sandbox.create_account(spot={"SOL": "5"})), uuid4()
    sandbox.faults.inject("spot.withdraw", "reset")
    with pytest.raises(OutcomeUnknownError, match=str(key)):
        holder.spot.withdraw(symbol="SOL", amount="1", idempotency_key=key)

    with pytest.raises(ApiError, match="409"):
        holder.spot.withdraw(symbol="SOL", amount="1", idempotency_key=key)

    assert len(list(holder.spot.withdrawal_history())) == 1


def test_without_a_connection_nothing_was_sent(sandbox: Sandbox, client: Client) -> None:
    sandbox.faults.inject("*", "connect_refused", seconds=60)

    with pytest.raises(NotSentError):
        place(client)

    sandbox.faults.clear()
    assert placed(client) == []


def test_a_forced_refusal_is_the_services_word(sandbox: Sandbox, client: Client) -> None:
    mine = uuid4()
    sandbox.force_outcome(mine, "refused", "Market is in maintenance")

    with pytest.raises(BadRequestError, match="Market is in maintenance"):
        place(client, client_order_id=mine)


# -- reads -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "options", "is_json"),
    [
        ("short_body", {}, False),
        ("bad_json", {}, False),
        ("html", {}, False),
        ("huge_integer", {"field": "created_at"}, True),
        ("not_finite", {"field": "order_id"}, False),
        ("wrong_shape", {}, True),
        ("missing_field", {"field": "order_status"}, True),
        ("null_field", {"field": "amount"}, True),
    ],
)
def test_a_page_that_cannot_be_used_is_told_and_no_page_is_made_up(
    sandbox: Sandbox, client: Client, kind: str, options: dict[str, Any], is_json: bool
) -> None:
    place(client)
    sandbox.faults.inject(HISTORY, kind, times=1 if is_json else 3, **options)

    with pytest.raises(DecodeError) as unusable:
        placed(client)

    assert (unusable.value.operation, unusable.value.is_json) == (HISTORY, is_json)
    assert len(placed(client)) == 1


@pytest.mark.parametrize("kind", ["reset", "close"])
def test_a_read_without_an_answer_may_be_repeated(
    sandbox: Sandbox, client: Client, kind: str
) -> None:
    place(client)
    sandbox.faults.inject(HISTORY, kind, times=3)

    with pytest.raises(NoResponseError):
        placed(client)

    # It was: three times.
    assert received(sandbox, HISTORY) == 3
    assert len(placed(client)) == 1


@pytest.mark.parametrize("kind", ["repeated_cursor", "surplus_cursor", "missing_cursor"])
def test_pages_that_contradict_each_other_end_the_walk(
    sandbox: Sandbox, client: Client, kind: str
) -> None:
    for _ in range(3):
        place(client)
    walk = iter(client.orders.history(limit=1))
    next(walk)
    sandbox.faults.inject(HISTORY, kind)

    with pytest.raises(PaginationError, match=r"^orders\.history: .*to resume: cursor="):
        list(walk)


def test_an_empty_page_leads_on(sandbox: Sandbox, client: Client) -> None:
    for _ in range(3):
        place(client)
    walk = iter(client.orders.history(limit=1))
    first = next(walk)
    sandbox.faults.inject(HISTORY, "empty_page")

    rest = list(walk)

    # The page came without its records, and the one after it with all.
    assert len({each.order_id for each in (first, *rest)}) == 2


# -- answers from elsewhere ------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_never_followed(sandbox: Sandbox, client: Client, status: int) -> None:
    elsewhere = f"{sandbox.url}{OPERATIONS['funding.history'].path}?symbol=BTC"
    for operation in (CREATE, HISTORY):
        sandbox.faults.inject(operation, "redirect", status=status, location=elsewhere)

    with pytest.raises(OutcomeUnknownError):
        place(client)
    with pytest.raises(ApiError, match=str(status)):
        placed(client)

    assert received(sandbox, "funding.history") == 0


@pytest.mark.parametrize(
    ("offset_ms", "words"), [(60_000, "it expired"), (-60_000, "in the future")]
)
def test_a_clock_that_is_off_makes_every_message_stale(
    sandbox: Sandbox, client: Client, offset_ms: int, words: str
) -> None:
    sandbox.faults.inject("*", "clock_offset", times=2, offset_ms=offset_ms)

    with pytest.raises(AuthenticationError, match=words):
        place(client)
    with pytest.raises(AuthenticationError, match=words):
        client.account.set_auto_lend_disabled(disabled=True)

    place(client)
    assert len(placed(client)) == 1


# -- a service that has grown ----------------------------------------------------------------


@pytest.mark.parametrize("field", ["order_status", "order_type", "side"])
def test_a_value_that_came_later_is_kept_as_it_is(
    sandbox: Sandbox, client: Client, field: str
) -> None:
    place(client)
    sandbox.faults.inject(HISTORY, "unknown_enum", field=field, value="invented_later")

    [found] = client.orders.history()

    assert getattr(found, field) == "invented_later"


@pytest.mark.parametrize("field", ["event_type", "side", "cause"])
def test_so_is_one_of_a_trade(sandbox: Sandbox, maker: Client, taker: Client, field: str) -> None:
    trade(taker, maker)
    sandbox.faults.inject("trades.history", "unknown_enum", field=field, value="invented_later")

    [found] = taker.trades.history()

    assert getattr(found, field) == "invented_later"


@pytest.mark.parametrize("field", ["margin_settings", "spot_settings"])
def test_settings_may_leave_out_what_is_at_its_default(
    sandbox: Sandbox, client: Client, field: str
) -> None:
    sandbox.faults.inject("account.settings", "missing_field", field=field)

    assert list(getattr(client.account.settings(), field)) == []


def test_a_field_that_came_later_disturbs_nobody(sandbox: Sandbox, client: Client) -> None:
    for operation in (CREATE, HISTORY, "subaccounts.list", "account.settings"):
        sandbox.faults.inject(operation, "new_field", field="invented", value={"a": [1]})

    resting = place(client)

    assert order(client, resting).order_status == "open"
    assert list(client.subaccounts.list()) == []
    assert client.account.settings().auto_lend_disabled is None
    assert sandbox.faults.pending() == []
