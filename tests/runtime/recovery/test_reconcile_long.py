"""Long histories: how many requests they take, and that nothing that was read is read again."""

from __future__ import annotations

import pickle
from functools import partial
from pathlib import Path
from time import gmtime, strftime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from attrs import evolve

from tests.doubles.transport import LOST, Answer, ScriptedTransport, refusal
from tests.runtime.recovery.histories import until
from tests.worlds.long import Long
from tests.worlds.play import AMOUNT, MINE, other_order
from tests.worlds.service import Fate
from tests.worlds.traits import World
from trading_runtime.http.transport import Request, Response
from trading_runtime.operation import ListOperation
from trading_sdk import (
    BadRequestError,
    Client,
    DecodeError,
    NoResponseError,
    OutcomeUnknownError,
)

SLOW = World(name="30 requests a minute", limit="obeyed", largest=10, credits=30)
UNREADABLE = World(name="no page can be read", limit="obeyed", largest=10, fails=1.0)
TENS = World(name="10 records on a page", limit="obeyed", largest=10)
GOES_ON = "client.reconcile(error) goes on from there"


def answers(long: Long, *script: Answer | None, client: Client | None = None) -> ScriptedTransport:
    """Answer a client from here on in the place of its service; None lets a request through to it."""
    client = client or long.client
    through = partial(long.service.send, timeout=9)
    transport = ScriptedTransport(
        *(through if each is None else each for each in script), then=long.service
    )
    client._caller = evolve(client._caller, transport=transport)
    return transport


def queries(transport: ScriptedTransport) -> list[dict[str, str]]:
    found = (parse_qs(urlsplit(each.url).query) for each in transport.sent)
    return [{name: each[0] for name, each in query.items()} for query in found]


def cursors(transport: ScriptedTransport) -> list[str]:
    return [query.get("cursor", "0") for query in queries(transport)]


def places(*pages: int) -> list[str]:
    """The cursors of the pages from one to another, of ten records each."""
    return [str(number * 10) for number in range(*pages)]


UNKNOWN = refusal(400, "unknown cursor")


# The size of pages


def test_6000_orders_take_18_requests_or_12_once_the_message_has_expired() -> None:
    long = Long(6_000)
    error = long.lost()

    assert long.settled(error).state == "not executed"
    assert long.requests == 18

    error = long.lost()
    long.time.advance(60_000)
    assert long.settled(error).state == "not executed"
    assert long.requests == 12


@pytest.mark.parametrize(
    ("world", "most"),
    [
        (World(name="capped", limit="obeyed", largest=250), 2 * 4),
        (World(name="ignored", limit="ignored", page=400), 2 * 3),
        (World(name="refused", limit="refused", page=400), 2 * 3 + 1),
    ],
    ids=lambda each: each.name if isinstance(each, World) else "",
)
def test_whatever_a_service_makes_of_the_size_of_a_page_all_is_read(
    world: World, most: int
) -> None:
    long = Long(999, world)
    error = long.lost(after=10)
    long.time.advance(60_000)
    assert long.settled(error).state == "executed"

    error = long.lost()
    long.time.advance(60_000)
    assert long.settled(error).state == "not executed"
    assert long.requests == most


@pytest.mark.parametrize(
    ("documented", "asked"), [(None, "1000"), (50, "50"), (4_000, "4000"), (1, "1")]
)
def test_as_many_records_are_asked_for_as_are_documented(
    documented: int | None, asked: str
) -> None:
    history = Client.api.operations["orders.history"]
    assert isinstance(history, ListOperation)
    known = evolve(history, pagination=evolve(history.pagination, max_limit=documented))
    others = [each for each in Client.api.operations.values() if each is not history]

    class Documented(Client):
        api = evolve(Client.api, operations=[*others, known])

    long = Long(1)
    error = long.lost()
    long.time.advance(60_000)
    long.client.__class__ = Documented
    requests = answers(long)
    long.settled(error)

    # A page that is full is not read once more without a size.
    more = [] if documented == 1 else [None]
    assert [query.get("limit") for query in queries(requests)] == [asked, asked, *more]


def test_a_refusal_that_is_not_about_the_size_goes_out() -> None:
    long = Long(25, TENS)
    error = long.lost()
    requests = answers(long, None, UNKNOWN, UNKNOWN)

    with pytest.raises(BadRequestError, match="unknown cursor"):
        long.settled(error)

    assert ["limit" in query for query in queries(requests)] == [True, True, False]


# The rate limit


def test_a_rate_limit_is_waited_out(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "trading_sdk")
    long = Long(1_000, SLOW)
    error = long.lost()
    began = long.time.now

    assert long.settled(error).state == "not executed"

    # 30 pages before it expired, which are of no use then, and 2 x 100; some answers are 429.
    assert 230 <= long.requests <= 245
    assert 400 <= (long.time.now - began) / 1_000 <= 480
    assert error.progress is None
    so_far = "look 1: 30 pages with 300 records of orders.history"
    assert f"orders.create: the rate limit asks to wait 60 s; {so_far}" in caplog.messages


def test_within_its_timeout_it_goes_as_far_as_the_rate_limit_lets_it() -> None:
    long = Long(400, SLOW)
    error = long.lost()
    long.time.advance(60_000)

    first = long.settled(error, timeout=5)

    so_far = "look 1: 30 pages with 300 records of orders.history"
    reason = "the lists were not read to their end; the rate limit asks to wait 60 s"
    reason = f"{reason}; {so_far}; {GOES_ON}; call it {when(long, 60)}; {until(error)}"
    assert (first.state, first.reason) == ("unsettled", reason)
    assert error.progress == so_far

    requests = answers(long)
    assert long.settled(error).state == "not executed"
    assert [*dict.fromkeys(cursors(requests))] == [*places(30, 40), *places(30)]
    assert error.progress is None


def when(long: Long, seconds: int) -> str:
    """When to call again, by the clock of whoever calls, rounded up."""
    at = strftime("%Y-%m-%d %H:%M:%S", gmtime((long.time.now + seconds * 1_000 + 999) // 1_000))
    return f"in {seconds} s, at {at} UTC by this machine's clock"


class Limited(ScriptedTransport):
    """Its rate limit asks for a wait of its own, or for none."""

    def __init__(self, long: Long, **wait: str) -> None:
        super().__init__(then=long.service)
        self.wait = {name.replace("_", "-"): each for name, each in wait.items()}

    def answered(self, request: Request, timeout: float) -> Response:
        found = super().answered(request, timeout)
        date = {name: each for name, each in found.headers.items() if name == "Date"}
        return Response(found.status, {**date, **self.wait}, found.body)


@pytest.mark.parametrize(
    ("wait", "why", "seconds"),
    [
        (None, "the rate limit asks to wait 60 s", 60),
        ({"Retry_After": "100000"}, "the rate limit asks to wait 100000 s", 100_000),
        ({}, "the rate limit does not say how long to wait, 2 s may do", 2),
    ],
)
def test_a_rate_limit_that_ends_the_looking_names_the_time_to_call_again(
    wait: dict[str, str] | None, why: str, seconds: int
) -> None:
    long = Long(400, SLOW)
    error = long.lost()
    long.service.spent = [long.time.now] * 30
    if wait is not None:
        long.client._caller = evolve(long.client._caller, transport=Limited(long, **wait))

    reason = long.settled(error, timeout=0).reason

    again = f"call client.reconcile(error) again {when(long, seconds)}"
    assert f"; {why}; nothing was read yet; {again}; the service can" in reason
    assert error.progress is None


def test_reading_takes_no_longer_than_a_call_more_than_the_timeout() -> None:
    long = Long(2_000, TENS, options={"timeout": 1.0})
    error = long.lost()
    long.time.advance(60_000)
    began = long.time.now

    reason = long.settled(error, timeout=1).reason

    assert f"{GOES_ON}; call it {when(long, 1)}; " in reason
    assert 2_000 <= long.time.now - began <= 2_100


def test_a_refused_message_is_looked_up_within_the_rate_limit_too() -> None:
    long = Long(400, SLOW)
    unknown = long.lost(after=10)
    long.time.advance(1_000)
    refusal = BadRequestError("orders.create", 400, 400, "used", b"")
    refusal.intent = unknown.intent

    cut: Any = long.client.reconcile(refusal, timeout=5)[0]
    assert cut.state == "unsettled"
    assert cut.reason == (
        "the service refused it; the rate limit asks to wait 60 s; look 1: 30 pages with 300 records "
        f"of orders.history; {GOES_ON}; call it {when(long, 60)}"
    )
    (whole,) = long.client.reconcile(refusal)
    assert whole.state == "executed"
    assert refusal.progress is None


# Pages that cannot be read


@pytest.mark.parametrize("kept", ["in the error", "pickled", "as JSON", "in the journal"])
def test_after_a_failure_the_same_error_goes_on_and_another_process_begins_anew(
    kept: str, tmp_path: Path
) -> None:
    path = tmp_path / "journal"
    long = Long(200, TENS, options={"journal": path})
    error = long.lost()
    long.time.advance(60_000)
    requests = answers(long, *[None] * 7, *[LOST] * 5)

    with pytest.raises((DecodeError, NoResponseError)) as caught:
        long.settled(error)
    so_far = "look 1: 7 pages with 70 records of orders.history"
    assert str(caught.value).endswith(f" ({so_far}; {GOES_ON})")
    # The last time without a size, in case the page is too large.
    assert ["limit" in each for each in queries(requests)[-3:]] == [True, True, False]

    long.service.world, client = TENS, long.client
    if kept == "pickled":
        error = pickle.loads(pickle.dumps(error))
    elif kept == "as JSON":
        error = OutcomeUnknownError.from_json(error.to_json())
    elif kept == "in the journal":
        client.close()
        client = long.another()
        (error,) = client.unsettled()
    is_same = kept == "in the error"
    assert error.progress == (so_far if is_same else None)
    requests = answers(long, client=client)
    assert long.settled(error, client).state == "not executed"
    assert cursors(requests) == [*places(7 if is_same else 0, 20), *places(20)]
    assert client.unsettled() == []


def test_what_was_read_before_the_message_expired_is_not_finished_afterwards() -> None:
    long = Long(400, SLOW)
    error = long.lost(after=100)
    assert GOES_ON in long.settled(error, timeout=0).reason
    long.time.advance(60_000)
    requests = answers(long)

    assert long.settled(error).state == "executed"
    assert cursors(requests)[0] == "0"


def test_progress_that_was_not_made_in_time_certain_is_made_again() -> None:
    long = Long(400, SLOW)
    long.service.world = evolve(SLOW, dates="missing")
    error = long.lost()
    long.time.advance(60_000)
    assert GOES_ON in long.settled(error, timeout=0).reason

    long.service.world = TENS
    requests = answers(long)
    assert long.settled(error).state == "not executed"
    assert cursors(requests).count("0") == 2


def test_a_service_that_never_tells_its_time_is_asked_twice() -> None:
    long = Long(20, evolve(TENS, dates="missing"))
    error = long.lost()
    long.time.advance(60_000)

    assert "no answer told the service's time" in long.settled(error).reason
    assert long.requests == 2 * 2


def test_a_history_of_which_no_page_can_be_read_makes_no_progress() -> None:
    long = Long(20, UNREADABLE)
    error = long.lost()

    with pytest.raises((DecodeError, NoResponseError)) as caught:
        long.settled(error)

    assert error.progress is None
    assert "goes on from there" not in str(caught.value)


def test_a_cursor_that_has_expired_meanwhile_begins_a_new_look() -> None:
    long = Long(400, SLOW)
    error = long.lost()
    long.time.advance(60_000)
    long.settled(error, timeout=0)
    long.service.world = TENS
    requests = answers(long, UNKNOWN, UNKNOWN)

    assert long.settled(error).state == "not executed"
    assert cursors(requests) == ["300", "300", *places(40), *places(40)]


def lost_batch(long: Long) -> tuple[str, OutcomeUnknownError]:
    """Two orders of one batch whose answer was lost, and the id of the first."""
    data: Any = {"symbol": "BTC", "side": "bid", "tif": "ALO", "reduce_only": False}
    create: Any = {"type": "Create", "data": {**data, "price": MINE, "amount": AMOUNT}}
    long.service.fate = Fate(None)
    with pytest.raises(OutcomeUnknownError) as caught:
        long.client.orders.batch([create, create])
    return str(caught.value.client_ids[0]), caught.value


def test_an_order_that_was_found_once_is_remembered_whatever_is_listed_later() -> None:
    long = Long(50, TENS)
    id_, error = lost_batch(long)
    # The service carries out the first action alone, and forgets it after the first look.
    other_order(long.service, id_, price=MINE)
    first = long.client.reconcile(error, timeout=0)
    assert [each.state for each in first] == ["executed", "unsettled"]
    long.service.engine.orders.pop()
    long.service.world = SLOW

    settlements, calls = first, 0
    while settlements[1].state == "unsettled":
        long.time.advance(5_000)
        settlements, calls = long.another().reconcile(error, timeout=0), calls + 1
        assert settlements[0].state == "executed"
        (record,) = settlements[0].records
        assert str(record.client_order_id) == id_
    assert settlements[1].state == "not executed"
    assert calls > 5


def test_a_look_is_as_old_as_the_first_page_of_it() -> None:
    long = Long(400, SLOW)
    error = long.lost()
    long.settled(error, timeout=0)
    begun = error.looks.current.as_of
    long.time.advance(10_000)
    long.service.world = TENS

    long.settled(error, timeout=0)

    (ended,) = error.looks.whole
    assert ended.as_of == begun

    long.service.world, long.service.spent = SLOW, []
    long.time.advance(60_000)
    long.settled(error, timeout=0)

    assert error.looks.whole == [ended]
    assert error.progress == "look 2: 30 pages with 300 records of orders.history"


def lost_and_cut_off(long: Long, **given: Any) -> OutcomeUnknownError:
    """A lost order whose history was read as far as the rate limit let it, and may be read on from now on."""
    error = long.lost(**given)
    long.time.advance(60_000)
    assert GOES_ON in long.settled(error, timeout=0).reason
    long.service.world = TENS
    return error


def test_what_ctrl_c_interrupted_begins_anew() -> None:
    long = Long(400, SLOW)
    error = lost_and_cut_off(long)
    answers(long, None, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        long.settled(error)
    assert error.progress is None

    requests = answers(long)
    assert long.settled(error).state == "not executed"
    assert cursors(requests) == [*places(40), *places(40)]


def test_whoever_reconciles_an_error_meanwhile_begins_looks_of_its_own() -> None:
    long, other = Long(400, SLOW), list[str]()
    error = lost_and_cut_off(long)

    def between(request: Request) -> Response:
        other.append(long.settled(error, long.another()).state)
        return long.service.send(request, timeout=9)

    requests = answers(long, None, between)
    assert long.settled(error).state == "not executed"
    assert other == ["not executed"]
    assert cursors(requests) == [*places(30, 40), *places(40)]
