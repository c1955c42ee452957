"""Reconcile against a service that is a few lists: when it waits, what it reads, what it concludes.

The service's clock is this machine's; a message that was signed a minute ago has expired.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from email.utils import formatdate
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.generated.records import page
from trading_runtime.clock import now_ms
from trading_runtime.errors import ApiError, OutcomeUnknownError, RequestError, api_error
from trading_runtime.http.transport import Request, Response
from trading_runtime.intent import Intent, Message
from trading_runtime.recovery import reconcile as reconciling
from trading_runtime.signing.keys import Keypair
from trading_sdk import Client

KEY = Keypair(b"\x01" * 32)
HERE = "http://127.0.0.1:9"
MINE, OTHER = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11", "6a0b1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
WINDOW = 30_000


class Lists:
    """A service that answers with pages, each of which is shown to one request."""

    def __init__(self) -> None:
        self.pages: dict[str, list[Any]] = {}
        self.read: list[Request] = []
        self.ahead = 0
        """How far the service's clock is ahead, in seconds."""
        self.before: Callable[[], object] = lambda: None
        """What happens before each answer."""

    def send(self, request: Request, *, timeout: float) -> Response:
        self.read.append(request)
        self.before()
        pages = self.pages.get(urlsplit(request.url).path, [])
        # The last one is shown again and again.
        content = page() if not pages else pages.pop(0) if len(pages) > 1 else pages[0]
        date = formatdate(now_ms() / 1_000 + self.ahead, usegmt=True)
        return Response(200, {"Date": date}, json.dumps(content).encode())

    def close(self) -> None:
        pass

    def show(self, operation: str, *pages: Any) -> None:
        self.pages[Client.api.operations[operation].path] = list(pages)


@pytest.fixture
def lists() -> Lists:
    return Lists()


@pytest.fixture
def client(lists: Lists) -> Iterator[Client]:
    with Client(HERE, signer=KEY, transport=lists) as client:
        yield client


class Hands:
    """A clock of this machine that only a sleep moves, and whoever sets it."""

    def __init__(self) -> None:
        self.now = now_ms()
        self.slept = 0.0

    def sleep(self, seconds: float) -> None:
        self.slept += seconds
        self.now += round(seconds * 1_000)


@pytest.fixture
def hands(client: Client, monkeypatch: pytest.MonkeyPatch) -> Hands:
    hands = Hands()
    monkeypatch.setattr(time, "time_ns", lambda: hands.now * 1_000_000)
    client._caller.clock.sleep = hands.sleep
    return hands


def since() -> int:
    """The time of a record that was made soon after a message that expired was signed."""
    return now_ms() - 59_000


def order(at: int, **fields: Any) -> dict[str, Any]:
    return {
        "order_id": 1,
        "client_order_id": MINE,
        "symbol": "BTC",
        "side": "bid",
        "price": "1",
        "initial_price": "1",
        "average_filled_price": "0",
        "amount": "1",
        "filled_amount": "0",
        "order_status": "open",
        "order_type": "limit",
        "stop_price": None,
        "stop_parent_order_id": None,
        "reduce_only": False,
        "reason": None,
        "created_at": at,
        "updated_at": at,
        **fields,
    }


def message(name: str = "orders.create", client_id: str | None = MINE, **fields: Any) -> Message:
    """A message that says what `order` shows."""
    bid = {"symbol": "BTC", "side": "bid", "price": "1", "amount": "1"}
    return Message(name=name, client_id=client_id, fields={**bid, **fields})


def unknown(
    *messages: Message, ago: int = 60_000, window: int = WINDOW, **more: Any
) -> OutcomeUnknownError:
    """The error of a call that was signed so many ms ago."""
    intent = Intent(
        id="an id",
        operation=messages[0].name,
        base_url=HERE,
        account=KEY.address,
        timestamp=now_ms() - ago,
        expiry_window=window,
        messages=messages,
    )
    return OutcomeUnknownError(intent, "the connection was reset", **more)


def refused(status: int, *messages: Message, ago: int = 60_000) -> ApiError:
    error = api_error(messages[0].name, status, None, "No", b"")
    error.intent = unknown(*messages, ago=ago).intent
    return error


def states(
    client: Client, error: OutcomeUnknownError | ApiError, **options: Any
) -> list[tuple[str, str]]:
    return [(each.state, each.reason) for each in client.reconcile(error, **options)]


# When it looks, and when it waits


def test_what_a_list_shows_needs_no_second_look(client: Client, lists: Lists) -> None:
    list(client.orders.history())  # from here on the service's clock is known
    lists.show("orders.history", page(order(at=now_ms() + 500)))
    lists.read.clear()

    assert states(client, unknown(message(), ago=0)) == [("executed", "a list shows its id")]
    assert len(lists.read) == 1
    assert parse_qs(urlsplit(lists.read[0].url).query)["account"] == [KEY.address]


def test_what_no_list_shows_is_looked_for_again_once_it_has_expired(
    client: Client, lists: Lists, hands: Hands
) -> None:
    list(client.orders.history())  # from here on the service's clock is known
    lists.show("orders.history", page(), page(order(at=now_ms())))

    assert states(client, unknown(message(), ago=0)) == [("executed", "a list shows its id")]
    assert (WINDOW + reconciling.MARGIN_MS) / 1_000 <= hands.slept <= WINDOW / 1_000 + 3


def test_what_expired_without_a_trace_was_not_executed(client: Client) -> None:
    assert states(client, unknown(message())) == [("not executed", "no list shows its id")]


def test_before_it_expired_it_is_unsettled(client: Client) -> None:
    error = unknown(message(), ago=0)

    ((state, reason),) = states(client, error, timeout=0)

    assert state == "unsettled"
    assert reason.endswith(f"until {error.intent.accepted_until} ms")


def test_with_time_enough_it_is_waited_for(client: Client, hands: Hands) -> None:
    error = unknown(message(), ago=0, window=2_000)

    assert states(client, error, timeout=60) == [("not executed", "no list shows its id")]
    assert hands.slept >= 2


CANCEL = message("orders.cancel", None, symbol="BTC", order_id=1)


@pytest.mark.parametrize(
    ("sent", "earlier", "state"),
    [
        # The clocks may differ by so much, and whatever cancelled it, it is cancelled.
        (CANCEL, 500, "executed"),
        (CANCEL, 1_500, "unsettled"),
        # An id may be used again: what was made earlier is not of this message.
        (message(), 1, "unsettled"),
        (message(), 0, "executed"),
    ],
)
def test_how_much_earlier_a_record_may_be_depends_on_what_tells(
    client: Client, lists: Lists, hands: Hands, sent: Message, earlier: int, state: str
) -> None:
    lists.ahead = 1_000  # so that nothing is allowed for a clock that may be behind
    list(client.orders.history())
    error = unknown(sent)
    at = error.intent.timestamp - earlier
    status = "cancelled" if sent is CANCEL else "open"
    record = order(at, order_status=status)
    lists.show("orders.history", *[page(record)] * 4)

    ((found, _),) = states(client, error)

    assert found == state


def test_what_is_absent_was_looked_for_twice_after_it_expired(
    client: Client, lists: Lists, hands: Hands
) -> None:
    error = unknown(message(), ago=0)
    late: list[bool] = []
    lists.before = lambda: late.append(now_ms() > error.intent.accepted_until)

    assert states(client, error) == [("not executed", "no list shows its id")]
    # To learn what time it is, before it expired, and two looks after that.
    assert late == [False, False, True, True]


UNCLEAR = order(at=0, side="ask")


@pytest.mark.parametrize("shown", [1, 2])
@pytest.mark.parametrize("others", [page(), page(UNCLEAR)], ids=["absent", "unclear"])
def test_what_one_later_look_shows_was_executed(
    client: Client, lists: Lists, shown: int, others: Any
) -> None:
    list(client.orders.history())
    looks = [page(), others, others]
    looks[shown] = page(order(at=since()))
    lists.show("orders.history", *looks)

    assert states(client, unknown(message())) == [("executed", "a list shows its id")]


@pytest.mark.parametrize("unclear", [1, 2])
def test_what_is_unclear_in_one_later_look_is_unsettled(
    client: Client, lists: Lists, unclear: int
) -> None:
    list(client.orders.history())
    looks = [page(), page(), page()]
    looks[unclear] = page(UNCLEAR)
    lists.show("orders.history", *looks)

    assert states(client, unknown(message())) == [("unsettled", "its id stands on something else")]


def test_what_was_unclear_before_it_expired_and_is_absent_since_was_not_executed(
    client: Client, lists: Lists
) -> None:
    list(client.orders.history())
    lists.show("orders.history", page(UNCLEAR), page())

    assert states(client, unknown(message())) == [("not executed", "no list shows its id")]


BACK = 10


def set_back(lists: Lists, hands: Hands) -> None:
    hands.now -= BACK * 1_000


def tell_to_be_behind(lists: Lists, hands: Hands) -> None:
    lists.ahead = -BACK


@pytest.mark.parametrize("change", [set_back, tell_to_be_behind])
@pytest.mark.parametrize("at", [3, 4], ids=["in the second look", "in the third look"])
def test_if_it_may_not_have_expired_after_all_it_waits_and_looks_again(
    client: Client,
    lists: Lists,
    hands: Hands,
    change: Callable[[Lists, Hands], None],
    at: int,
) -> None:
    error = unknown(message(), ago=WINDOW + 3_000)

    def before() -> None:
        if len(lists.read) == at:
            change(lists, hands)
        if len(lists.read) == 5:
            lists.show("orders.history", page(order(at=error.timestamp + 1)))

    lists.before = before

    assert states(client, error) == [("executed", "a list shows its id")]
    assert len(lists.read) >= 5
    assert BACK - 3 <= hands.slept <= BACK + 3


@pytest.mark.parametrize("change", [set_back, tell_to_be_behind])
def test_if_it_may_not_have_expired_after_all_and_there_is_no_time_it_is_unsettled(
    client: Client, lists: Lists, hands: Hands, change: Callable[[Lists, Hands], None]
) -> None:
    error = unknown(message(), ago=WINDOW + 3_000)
    lists.before = lambda: change(lists, hands) if len(lists.read) == 3 else None

    ((state, reason),) = states(client, error, timeout=0)

    assert state == "unsettled"
    assert reason.endswith(f"until {error.intent.accepted_until} ms")
    assert hands.slept == 0


def test_where_nobody_can_say_what_time_it_is_nothing_is_told_to_be_absent(
    client: Client, lists: Lists, hands: Hands
) -> None:
    lists.ahead = -7_200

    ((state, _),) = states(client, unknown(message()))

    assert state == "unsettled"
    assert hands.slept <= 3_700


def test_what_is_shown_by_a_service_of_whatever_time_was_executed(
    client: Client, lists: Lists, hands: Hands
) -> None:
    lists.ahead = -7_200
    lists.show("orders.history", page(order(at=now_ms())))

    assert states(client, unknown(message(), ago=0)) == [("executed", "a list shows its id")]


def test_a_service_whose_clock_is_behind_has_more_time(client: Client, lists: Lists) -> None:
    lists.ahead = -60

    ((state, _),) = states(client, unknown(message(), ago=WINDOW + 5_000), timeout=0)

    assert state == "unsettled"


def test_the_times_of_records_are_compared_by_the_clock_of_the_service(
    client: Client, lists: Lists
) -> None:
    # A client that has had no answer yet does not know that this order is its own.
    lists.ahead = -60
    lists.show("orders.history", page(order(at=since())))

    assert states(client, unknown(message(), ago=0), timeout=0) == [
        ("executed", "a list shows its id")
    ]


def test_once_an_id_was_seen_no_further_page_is_read(client: Client, lists: Lists) -> None:
    more = {**page(order(at=now_ms() + 500)), "next_cursor": "c", "has_more": True}
    lists.show("orders.history", more)

    assert states(client, unknown(message(), ago=0))[0][0] == "executed"
    assert not any("cursor" in each.url for each in lists.read)


# Several messages, and those that no list shows


def test_each_action_of_a_batch_is_looked_for(client: Client, lists: Lists) -> None:
    lists.show(
        "orders.history",
        page(order(at=since()), order(at=now_ms(), order_id=2, client_order_id=OTHER)),
    )
    error = unknown(
        message(),
        message(client_id=OTHER, side="ask"),
        message("orders.set_position_tpsl", None),
        message("orders.cancel", None, order_id=1),
    )

    assert [state for state, _ in states(client, error)] == [
        "executed",
        "unsettled",
        "unsettled",
        "not executed",
    ]


def test_what_no_list_shows_is_unsettled_at_once(client: Client, lists: Lists) -> None:
    transfer = unknown(message("subaccounts.transfer", None), ago=0)
    setting = unknown(message("account.set_auto_lend_disabled", None), ago=0)

    assert states(client, transfer) == [("unsettled", "no list shows it")]
    ((_, reason),) = states(client, setting)
    assert reason == "no list shows it; it can be sent again, twice changes no more than once"
    assert lists.read == []


def test_a_withdrawal_that_something_resembles_can_be_settled_by_its_key(
    client: Client, lists: Lists
) -> None:
    record = {
        "symbol": "BTC",
        "amount": "1",
        "batch_nonce": 1,
        "transaction_id": "t",
        "created_at": now_ms() - 60_000,
    }
    lists.show("spot.withdrawal_history", page(record))

    ((state, reason),) = states(client, unknown(message("spot.withdraw")))

    assert state == "unsettled"
    assert reason.endswith("a 409 then says that it was accepted")
    ((state, reason),) = states(client, unknown(message("spot.withdraw", None)))
    assert (state, "409" in reason) == ("unsettled", False)


def test_without_a_resemblance_it_was_not_executed(client: Client) -> None:
    assert states(client, unknown(message("spot.withdraw")))[0][0] == "not executed"


# What the service refused


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (refused(400, message()), "not executed"),
        (refused(409, message("spot.withdraw")), "executed"),
        (refused(409, message("spot.withdraw", None)), "not executed"),
        (unknown(message("spot.withdraw"), status=409), "executed"),
        # Nobody says which one of them was used.
        (refused(409, message(), message(client_id=OTHER)), "not executed"),
    ],
)
def test_a_refusal_settles_it_without_waiting(
    client: Client, error: OutcomeUnknownError | ApiError, expected: str
) -> None:
    assert {state for state, _ in states(client, error)} == {expected}


MAY_BE = [302, 408, 500, 502, 503, 504]


@pytest.mark.parametrize("status", MAY_BE)
def test_an_answer_that_refuses_nothing_is_looked_into_like_its_unknown_outcome(
    client: Client, lists: Lists, status: int
) -> None:
    # The __cause__ of an OutcomeUnknownError is such an ApiError.
    assert states(client, refused(status, message(), ago=0), timeout=0)[0][0] == "unsettled"
    assert states(client, refused(status, message())) == [("not executed", "no list shows its id")]

    lists.show("orders.history", page(order(at=since())))
    assert states(client, refused(status, message())) == [("executed", "a list shows its id")]


@pytest.mark.parametrize("status", MAY_BE)
def test_an_answer_that_refuses_nothing_is_waited_for(
    client: Client, hands: Hands, status: int
) -> None:
    states(client, refused(status, message(), ago=0))

    assert hands.slept >= (WINDOW + reconciling.MARGIN_MS) / 1_000


@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 409, 422, 429, 501])
def test_what_was_refused_before_it_expired_never_will_be_executed(
    client: Client, hands: Hands, status: int
) -> None:
    error = refused(status, message(), ago=0)

    assert states(client, error) == [("not executed", "the service refused it")]
    assert hands.slept == 0


def test_of_an_order_whose_id_was_used_the_lists_decide(client: Client, lists: Lists) -> None:
    def told(*records: Any) -> tuple[str, str]:
        lists.show("orders.history", page(*records))
        return states(client, unknown(message(), status=409))[0]

    assert told() == ("not executed", "no list shows its id")
    assert told(order(at=1)) == ("unsettled", "its id was used before")
    assert told(order(at=since())) == ("executed", "a list shows its id")


@pytest.mark.parametrize("status", [400, 409])
def test_an_older_order_of_its_id_is_what_the_refusal_was_about(
    client: Client, lists: Lists, status: int
) -> None:
    lists.show("orders.history", page(order(at=1)))

    assert states(client, refused(status, message())) == [("executed", "a list shows its id")]


@pytest.mark.parametrize(
    "messages", [[message("subaccounts.transfer", None)], [message(), message(client_id=OTHER)]]
)
def test_a_conflict_that_names_no_id_is_looked_into(
    client: Client, messages: Sequence[Message]
) -> None:
    assert "executed" not in {state for state, _ in states(client, unknown(*messages, status=409))}


# What it cannot look into


def test_a_call_of_another_service_or_account_is_refused(lists: Lists) -> None:
    error = unknown(message())
    for url, account in (("http://127.0.0.1:8", KEY.address), (HERE, "1" * 32)):
        other = Client(url, account=account, transport=lists)
        with other, pytest.raises(RequestError, match=rf"{HERE} for {KEY.address}"):
            other.reconcile(error)
    assert lists.read == []


def test_a_call_that_changed_nothing_is_refused(client: Client) -> None:
    with pytest.raises(RequestError, match=r"orders\.history: it changed nothing"):
        client.reconcile(api_error("orders.history", 400, None, "No", b""))


def test_what_the_service_does_not_offer_is_refused(client: Client) -> None:
    with pytest.raises(RequestError, match=r"orders\.steal is no operation"):
        client.reconcile(unknown(message("orders.steal")))


# What the journal holds of it


@pytest.fixture
def journaled(lists: Lists, tmp_path: Path) -> Iterator[Client]:
    with Client(HERE, signer=KEY, transport=lists, journal=tmp_path / "journal") as client:
        yield client


def begun(client: Client, error: OutcomeUnknownError) -> OutcomeUnknownError:
    """The error of a call that the journal holds and nobody has settled."""
    journal = client._caller.journal
    assert journal is not None
    journal.begin(error.intent)
    journal.end(error.intent, known=False)
    assert [each.intent for each in client.unsettled()] == [error.intent]
    return error


def test_what_is_settled_is_marked_in_the_journal(journaled: Client, lists: Lists) -> None:
    error = begun(journaled, unknown(message()))
    lists.show("orders.history", page(order(since())), page(order(since())))

    assert [each.state for each in journaled.reconcile(error)] == ["executed"]
    assert journaled.unsettled() == []


def test_what_is_unsettled_stays_open_until_it_is_acknowledged(journaled: Client) -> None:
    error = begun(journaled, unknown(message("subaccounts.transfer", None)))

    assert [each.state for each in journaled.reconcile(error)] == ["unsettled"]
    assert len(journaled.unsettled()) == 1
    journaled.acknowledge(error)
    assert journaled.unsettled() == []


def test_what_is_not_open_cannot_be_acknowledged(journaled: Client, client: Client) -> None:
    with pytest.raises(RequestError, match="has no open entry of this call"):
        journaled.acknowledge(unknown(message()))
    with pytest.raises(RequestError, match="this client has no journal"):
        client.acknowledge(unknown(message()))
