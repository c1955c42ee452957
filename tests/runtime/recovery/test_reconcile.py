"""What `reconcile` says of calls: by what one list shows, of those that the service answered, and in the journal."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import (
    HERE,
    ID,
    MINUTE,
    WINDOW,
    api_error,
    message,
    order_record,
    refused,
    unknown,
    withdrawal_record,
)
from tests.doubles.signer import KEY
from tests.doubles.transport import ListsTransport, ScriptedTransport, ok, refusal
from tests.interface import page
from tests.runtime.recovery.histories import (
    EXECUTED,
    GIVEN,
    LAG,
    NOT_EXECUTED,
    cancel,
    order_ids,
    settled,
    soon_after_signing,
    state,
)
from tests.worlds.long import Long
from tests.worlds.traits import World
from trading_runtime.clock import now_ms
from trading_runtime.errors import BadRequestError, BatchError, OutcomeUnknownError, RequestError
from trading_runtime.http.transport import Response
from trading_runtime.intent import Message
from trading_runtime.operation import ListOperation
from trading_runtime.recovery.evidence import BY_ID, BY_STATE
from trading_sdk import Client, CreateOrder

pytestmark = pytest.mark.usefixtures("clock")


# Operations that no list shows by an id

RESEND = "; client.resend(error) sends it again with the same idempotency key, which is safe"


@pytest.mark.parametrize(("key", "advice"), [(ID, RESEND), (None, "")])
def test_a_similar_withdrawal_is_shown_with_advice_if_the_message_has_a_key(
    client: Client, histories: ListsTransport, clock: VirtualTime, key: str | None, advice: str
) -> None:
    error = unknown(message("spot.withdraw", key), ago=0)
    assert state(client, error) == ("unsettled", "no list shows a matching record" + advice)
    assert clock.slept == 0, "no list can ever tell, so there is nothing to wait for"

    histories.show("spot.withdrawal_history", page(withdrawal_record(now_ms() + 1)))
    found = settled(client, error)
    alike = "a list shows a matching record, but another message may have made it"
    assert (found.state, found.reason) == ("unsettled", alike + advice)
    assert [record.batch_nonce for record in found.records] == [3]
    # A record that cannot be compared may belong to the message.
    odd = unknown(message("spot.withdraw", key, amount="much"), ago=0)
    assert settled(client, odd).records == found.records


# Other services


def test_an_operation_with_a_key_is_not_to_be_repeated_unlisted(histories: ListsTransport) -> None:
    unlisted = evolve(Client.api.operations["orders.create"], trace=None)

    class Another(Client):
        api = evolve(Client.api, operations=[unlisted])

    with Another(HERE, signer=KEY, transport=histories) as client:
        found, reason = state(client, unknown(message()))
    assert found == "unsettled" and reason.startswith("no list shows whether it was executed,")


def test_a_list_of_no_account_is_asked_for_without_one(histories: ListsTransport) -> None:
    @frozen(kw_only=True)
    class Everything:
        cursor: str | None = None

    history = Client.api.operations["orders.history"]
    assert isinstance(history, ListOperation)
    pages = evolve(history.pagination, limit=None)
    everybodys: Any = evolve(history, account=None, params=Everything, pagination=pages)

    class Another(Client):
        api = evolve(Client.api, operations=[*Client.api.operations.values(), everybodys])

    histories.show("orders.history", page(order_record(soon_after_signing())))
    with Another(HERE, signer=KEY, transport=histories) as client:
        assert state(client, unknown(message())) == EXECUTED
        histories.show("orders.history")
        assert state(client, unknown(message())) == NOT_EXECUTED
    assert not any("?" in each.url for each in histories.read)


def test_after_a_conflict_it_waits_for_a_copy_that_is_listed_late(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    histories.show("orders.history", page(), page(), page(order_record(now_ms())))

    assert settled(client, refused(409, message(), ago=0)).state == "executed"
    assert clock.slept >= WINDOW / 1_000


# Refusals, which may be the answers to second copies


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 429, 501])
def test_a_refused_order_is_looked_for_as_long_as_one_without_an_answer(
    client: Client, histories: ListsTransport, clock: VirtualTime, status: int
) -> None:
    found = settled(client, refused(status, message(), ago=0))

    assert (found.state, found.reason) == (
        "not executed",
        f"the service refused it; {NOT_EXECUTED[1]}",
    )
    assert clock.slept >= (WINDOW + LAG) / 1_000
    histories.show("orders.history", page(order_record(1)))
    assert settled(client, refused(status, message())).state == "executed"


def test_a_duplicate_of_a_given_id_is_explained_by_an_older_order(
    client: Client, histories: ListsTransport
) -> None:
    mine = message(minted=False)
    error, lost = refused(409, mine), unknown(mine)
    for each in (error, lost):
        assert each.intent is not None
        each.intent = evolve(each.intent, skew=0)
    now = now_ms()
    histories.show("orders.history", page(order_record(now - 5 * MINUTE)))
    assert settled(client, error).state == "not executed"
    assert settled(client, error).reason.endswith("perhaps an earlier sending of the same one")
    # Without an answer, and just before or after, nobody knows.
    assert state(client, lost) == GIVEN
    histories.show("orders.history", page(order_record(now - MINUTE - 5_000)))
    assert settled(client, lost).state == "unsettled"
    histories.show("orders.history", page(order_record(now - MINUTE)))
    assert settled(client, lost).state == "executed"
    assert settled(client, error).state == "executed"


@pytest.mark.parametrize("wrong", [0, 1])
def test_two_wrong_dates_that_agree_prove_nothing_beside_a_right_one(
    client: Client, histories: ListsTransport, wrong: int
) -> None:
    lost = unknown(message(minted=False))
    assert lost.intent is not None
    lost.intent = evolve(lost.intent, skew=-MINUTE)
    older = order_record(now_ms() - MINUTE - MINUTE // 2)
    first = {**page(), "next_cursor": "1", "has_more": True}
    histories.show("orders.history", first, page(older))
    dates = [{"Date": histories.date()}, {"Date": histories.date()}]
    dates[wrong] = {"Date": formatdate(now_ms() / 1_000 - 60, usegmt=True)}
    histories.changing = [*dates]

    assert state(client, lost) == GIVEN


def test_an_order_that_doubled_is_named_twice(client: Client, histories: ListsTransport) -> None:
    first = soon_after_signing()
    orders = [order_record(first, order_id=7), order_record(first + 9, order_id=8)]
    histories.show("orders.history", {**page(orders[0]), "data": orders})

    found = settled(client, unknown(message()))

    assert (found.state, order_ids(found)) == ("executed", [7, 8])
    assert found.reason == "the order doubled: a list shows its id on 2 orders"


@pytest.mark.parametrize("name", ["orders.create", "orders.create_stop"])
def test_an_order_that_was_replaced_under_its_id_did_not_double(
    client: Client, histories: ListsTransport, name: str
) -> None:
    first, edited = soon_after_signing(), soon_after_signing() + 9
    old = order_record(first, order_id=7, order_status="cancelled", updated_at=edited)
    new = order_record(edited, order_id=8)
    histories.show("orders.history", {**page(old), "data": [new, old]})

    found = settled(client, unknown(message(name)))

    assert (found.state, order_ids(found)) == ("executed", [7, 8])
    assert found.reason == "a list shows its id"


def batch_of(*results: dict[str, Any]) -> Response:
    return ok({"success": True, "data": {"results": [*results]}})


def failed(words: str, **more: Any) -> dict[str, Any]:
    return {"success": False, "error": words, **more}


QUOTES: Any = {
    "price": "1",
    "amount": "1",
    "symbol": "BTC",
    "side": "bid",
    "tif": "ALO",
    "reduce_only": False,
}


def test_of_a_batch_the_failed_actions_are_reconciled_and_duplicates_are_unclear(
    histories: ListsTransport, tmp_path: Path
) -> None:
    with Client(HERE, signer=KEY, transport=histories, journal=tmp_path / "journal") as client:
        time = VirtualTime()
        with time.ruling():
            time.hold(client)
            histories.script = [
                batch_of(
                    {"success": True, "order_id": 1},
                    failed("Duplicate client_order_id"),
                    failed("no", code=409),
                    failed("Insufficient margin"),
                )
            ]
            models = [CreateOrder(**QUOTES) for _ in range(4)]
            result = client.orders.batch(models)
            assert [each.success for each in result] == [True, False, False, False]
            assert result.unclear == (1, 2)
            assert len(client.unsettled()) == 1, "its entry stays open"
            with pytest.raises(BatchError) as caught:
                result.raise_on_failure()
            assert caught.value.unclear == (1, 2)

            id_ = str(models[1].client_order_id)
            histories.show("orders.history", page(order_record(now_ms(), client_order_id=id_)))
            for each in (result, caught.value):
                found = client.reconcile(each)
                assert [one.state for one in found] == ["executed", "not executed", "not executed"]
                assert found[0].client_id == id_
            assert client.unsettled() == []


def test_a_batch_without_failures_is_settled(client: Client, histories: ListsTransport) -> None:
    histories.script = [batch_of({"success": True, "order_id": 1})]
    result = client.orders.batch([CreateOrder(**QUOTES)])
    assert (result.unclear, result.failure) == ((), None)
    with pytest.raises(RequestError, match="no action of this batch failed"):
        client.reconcile(result)


# It goes on where it ran out of time


def test_another_call_for_the_same_error_goes_on_where_the_first_ran_out_of_time() -> None:
    slow = World(name="30 requests a minute", limit="obeyed", largest=10, credits=30)
    long = Long(800, slow)
    error = long.lost()
    long.time.advance(60_000)
    calls = 0
    while (found := long.settled(error, timeout=61)).state == "unsettled":
        assert "client.reconcile(error) goes on from there" in found.reason
        assert error.progress is not None
        calls += 1
    assert (found.state, error.progress) == ("not executed", None)
    assert 2 <= calls <= 8, "80 pages twice, 30 in a minute"
    copied = OutcomeUnknownError.from_json(error.to_json())
    assert copied.progress is None


def test_a_cursor_that_expired_meanwhile_begins_a_new_reading() -> None:
    slow = World(name="30 requests a minute", limit="obeyed", largest=10, credits=30)
    long = Long(400, slow)
    error = long.lost()
    long.time.advance(60_000)
    assert long.settled(error, timeout=0).state == "unsettled"
    long.time.advance(60_000)
    expired = ScriptedTransport(*[refusal(400, "unknown cursor")] * 2, then=long.service)
    long.client._caller = evolve(long.client._caller, transport=expired)
    assert long.settled(error).state == "not executed"


def test_a_refusal_of_the_first_page_goes_out(client: Client, histories: ListsTransport) -> None:
    histories.failing = [refusal(400, "unknown account")] * 2
    with pytest.raises(BadRequestError, match="unknown account"):
        client.reconcile(unknown(message()))


def test_ctrl_c_makes_the_next_call_begin_anew(client: Client, histories: ListsTransport) -> None:
    error = unknown(message())
    histories.failing = [KeyboardInterrupt()]
    with pytest.raises(KeyboardInterrupt):
        client.reconcile(error)
    assert (error.progress, vars(error).get("looks")) == (None, None)
    assert settled(client, error).state == "not executed"


# What makes absence meaningless


@pytest.mark.parametrize(
    "dates",
    [[0, 0, -3_601, -60], [-60, 0, 0, 0, -60]],
    ids=["then one that is passed over", "after a right one"],
)
def test_dates_that_are_as_wrong_as_this_machines_clock_shorten_no_wait(
    client: Client, histories: ListsTransport, clock: VirtualTime, dates: list[int]
) -> None:
    # This machine is a minute ahead: the service accepts the message for a minute still.
    error = unknown(message(), ago=WINDOW + LAG + 4_000)
    histories.changing = [
        {"Date": formatdate(now_ms() / 1_000 + ahead, usegmt=True)} for ahead in dates[:-1]
    ]
    histories.changing.append({})
    histories.ahead = dates[-1]

    assert state(client, error) == NOT_EXECUTED
    assert clock.slept >= 58


def test_a_wrong_date_at_signing_is_not_confirmed_by_setting_this_machines_clock(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    histories.changing = [{"Date": formatdate(now_ms() / 1_000 + 60, usegmt=True)}, {}]
    list(client.orders.history())
    with pytest.raises(OutcomeUnknownError) as lost:
        client.orders.edit(symbol="BTC", order_id=1, price="2", amount="2")
    # It ran, and another program edited the order back.
    touched = order_record(now_ms() - MINUTE, order_id=1, updated_at=now_ms() + 20_000)
    histories.show("orders.history", page(touched))
    clock.advance(MINUTE)
    clock.local -= MINUTE
    histories.ahead = 60

    found, reason = state(client, lost.value)
    assert (found, reason.split(":")[0]) == ("unsettled", "it was touched since")


def test_setting_this_machines_clock_makes_no_older_order_the_messages_own(
    client: Client, histories: ListsTransport
) -> None:
    error = of_known_time(message(minted=False))
    made = now_ms() - MINUTE - 5_001
    histories.show("orders.history", page(order_record(made)))
    # This machine's clock was set by four seconds since.
    histories.ahead = -4
    assert state(client, error) == GIVEN


def test_what_a_settlement_rests_on_is_said(client: Client, histories: ListsTransport) -> None:
    assert settled(client, unknown(message("subaccounts.transfer", None))).rests_on == ""
    absent = settled(client, unknown(message()))
    assert absent.rests_on.startswith("Two readings of the lists, 15 s after ")
    histories.show("orders.history", page(order_record(soon_after_signing())))
    assert settled(client, unknown(message())).rests_on == BY_ID
    gone = order_record(1, updated_at=now_ms(), order_id=7, order_status="cancelled")
    histories.show("orders.history", page(gone))
    assert settled(client, unknown(cancel(order_id=7))).rests_on == BY_STATE


# Records that prove nothing, or that nothing was done


def of_known_time(sent: Message) -> OutcomeUnknownError:
    """The error of a call that was signed when the service's time was known."""
    error = unknown(sent)
    return OutcomeUnknownError(evolve(error.intent, skew=0), error.reason)


def edit(**changes: Any) -> Message:
    return message("orders.edit", None, order_id=1, **changes)


GONE = {"order_status": "cancelled", "order_id": 1}


def test_an_order_that_lacks_what_would_name_it_leaves_a_cancel_unsettled(
    client: Client, histories: ListsTransport
) -> None:
    nameless = order_record(soon_after_signing())
    del nameless["order_id"], nameless["client_order_id"]
    histories.show("orders.history", page(nameless))

    found, reason = state(client, unknown(cancel()))
    assert found == "unsettled" and reason.startswith("a list has a record that cannot be read (")


def test_a_message_that_lacks_what_the_lists_are_compared_with_is_unsettled(
    client: Client, histories: ListsTransport
) -> None:
    sent = message()
    del sent.fields["price"]
    histories.show("orders.history", page(order_record(soon_after_signing())))

    lacks = "it lacks a field to compare with the lists"
    assert state(client, unknown(sent)) == ("unsettled", lacks)


def test_a_message_with_a_price_that_is_no_number_agrees_with_no_order(
    client: Client, histories: ListsTransport
) -> None:
    record = order_record(soon_after_signing(), order_id=1)
    histories.show("orders.history", page(record))

    sent = message(price="much", minted=False)
    other = ("unsettled", "a list shows its id, but with other values")
    assert state(client, of_known_time(sent)) == other


def test_an_order_with_a_given_id_may_have_ended_before_another_took_the_id(
    client: Client, histories: ListsTransport
) -> None:
    signed = now_ms() - MINUTE
    ended = order_record(signed, updated_at=signed + 1, **GONE)
    histories.show("orders.history", page(ended))

    assert state(client, of_known_time(message(minted=False))) == GIVEN


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (cancel(), "the record was changed long before"),
        (edit(price="2"), "the record had ended before"),
    ],
    ids=["cancel", "edit"],
)
def test_an_order_that_ended_long_before_was_not_ended_by_a_message(
    client: Client, histories: ListsTransport, sent: Message, reason: str
) -> None:
    histories.show("orders.history", page(order_record(1, updated_at=2, **GONE)))

    assert state(client, unknown(sent)) == ("not executed", reason)


# Calls that it refuses to look into


def test_what_cannot_be_looked_for_is_refused(client: Client, histories: ListsTransport) -> None:
    with pytest.raises(RequestError, match=r"^orders\.make is no operation of this service$"):
        client.reconcile(unknown(message("orders.make")))
    with pytest.raises(RequestError, match=r"^orders\.history: it changed nothing, so there"):
        client.reconcile(api_error("orders.history", 400, None, "No", b""))
    elsewhere = OutcomeUnknownError(evolve(unknown(message()).intent, account="1" * 32), "lost")
    with pytest.raises(RequestError, match=": reconcile it with a client of that service"):
        client.reconcile(elsewhere)
    assert histories.sent == []


# The journal


@pytest.fixture
def journaled(histories: ListsTransport, tmp_path: Path) -> Iterator[Client]:
    with Client(HERE, signer=KEY, transport=histories, journal=tmp_path / "journal") as client:
        yield client


def begun(client: Client, error: OutcomeUnknownError) -> OutcomeUnknownError:
    """The error of a call that is open in the journal."""
    journal = client._caller.journal
    assert journal is not None
    journal.begin(error.intent)
    journal.end(error.intent, known=False)
    assert [each.intent for each in client.unsettled()] == [error.intent]
    return error


def test_an_unsettled_call_stays_open_until_it_is_acknowledged(journaled: Client) -> None:
    error = begun(journaled, unknown(message("subaccounts.transfer", None)))

    assert [each.state for each in journaled.reconcile(error)] == ["unsettled"]
    assert len(journaled.unsettled()) == 1
    journaled.acknowledge(error)
    assert journaled.unsettled() == []


def test_a_call_is_acknowledged_by_a_client_of_its_account_and_service(journaled: Client) -> None:
    error = begun(journaled, unknown(message("subaccounts.transfer", None)))
    wrong: list[dict[str, Any]]
    wrong = [{"account": "1" * 32}, {"account": None}, {"base_url": "http://127.0.0.1:10"}]
    for changes in wrong:
        other = Client(HERE)
        other._caller = evolve(journaled._caller, **changes)
        with pytest.raises(RequestError, match=f"sent to {HERE} for {KEY.address}: acknowledge it"):
            other.acknowledge(error)
    assert len(journaled.unsettled()) == 1


def test_a_call_that_is_not_open_cannot_be_acknowledged(journaled: Client, client: Client) -> None:
    with pytest.raises(RequestError, match="has no open entry of this call"):
        journaled.acknowledge(unknown(message()))
    with pytest.raises(RequestError, match="this client has no journal"):
        client.acknowledge(unknown(message()))
