"""What a client tells of its calls: the log `trading_sdk`, and the events for `on_event`."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterator
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.doubles.calls import SETTINGS, create, settings
from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE, ID, order
from tests.doubles.signer import KEY
from tests.doubles.transport import LOST, NOT_SENT, ScriptedTransport, no, ok, scripted
from trading_runtime import Response
from trading_sdk import (
    BadRequestError,
    Client,
    DecodeError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    Retry,
    TradingError,
)
from trading_sdk.events import AttemptAnswered, AttemptRetried, AttemptSent, CallEnded, Event

PLACED = Response(200, {}, b'{"order_id": 1}')
REFUSED = Response(400, {}, b'{"error": "no", "code": 7}')
BUDGET = {"ratelimit": '"credits";r=1200;t=32'}


class Noted(list[Event]):
    """Keeps the events of a client."""

    def kinds(self) -> list[str]:
        return [type(each).__name__ for each in self]


@pytest.fixture
def events() -> Noted:
    return Noted()


# -- what is told --------------------------------------------------------------------------------


def test_an_order_that_succeeds_is_sent_answered_and_ended(events: Noted) -> None:
    placed = Response(200, BUDGET, b'{"order_id": 1}')
    with scripted(placed, on_event=events.append) as client:
        create(client)

    sent, answered, ended = events
    assert {each.operation for each in events} == {"orders.create"}
    assert len({each.call for each in events}) == 1
    assert isinstance(sent, AttemptSent)
    assert (sent.attempt, sent.bytes) == (1, len(client._caller.transport.sent[0].body))  # type: ignore[attr-defined]
    assert isinstance(answered, AttemptAnswered)
    assert (answered.attempt, answered.status, answered.bytes) == (1, 200, 15)
    assert answered.credits == Decimal(120)
    assert isinstance(ended, CallEnded)
    assert (ended.attempts, ended.status, ended.error, ended.reason) == (1, 200, None, None)
    assert ": succeeded (200) after 1 attempt and 0." in str(ended)
    assert 0 <= answered.seconds <= ended.seconds < 1


def test_what_is_attempted_again_is_told_with_its_reason_and_delay(events: Noted) -> None:
    time = VirtualTime()
    with time.hold(
        scripted(no(503), ok(SETTINGS), on_event=events.append, retry=Retry())
    ) as client:
        settings(client)

    assert events.kinds() == [
        *("AttemptSent", "AttemptAnswered", "AttemptRetried"),
        *("AttemptSent", "AttemptAnswered", "CallEnded"),
    ]
    retried, ended = events[2], events[-1]
    assert isinstance(retried, AttemptRetried)
    assert (retried.attempt, retried.status, retried.fault) == (1, 503, "MAYBE_SENT")
    assert retried.reason == "the service answered 503"
    assert [retried.delay] == time.naps
    assert isinstance(ended, CallEnded)
    assert (ended.attempts, ended.status) == (2, 200)
    assert [each.attempt for each in events if isinstance(each, AttemptSent)] == [1, 2]


NO_JSON, GATEWAY = Response(200, {}, b'["x"]'), Response(502, {}, b"<html>")
UNUSABLE, RESET = "the answer cannot be used", "the connection was reset"


@pytest.mark.parametrize(
    ("call", "outcome", "error", "status", "reason"),
    [
        (create, REFUSED, BadRequestError, 400, "the service answered 400"),
        (create, NOT_SENT, NotSentError, None, "cannot connect: refused"),
        (settings, LOST, NoResponseError, None, RESET),
        (settings, NO_JSON, DecodeError, 200, UNUSABLE),
        (create, LOST, OutcomeUnknownError, None, RESET),
        (create, NO_JSON, OutcomeUnknownError, 200, UNUSABLE),
        (create, GATEWAY, OutcomeUnknownError, 502, "the service answered 502"),
        (settings, KeyError("bug"), KeyError, None, "the transport raised KeyError"),
    ],
)
def test_a_call_that_fails_ends_with_its_error_and_why_and_whether_its_outcome_is_known(
    call: Any, outcome: Any, error: type[Exception], status: Any, reason: str, events: Noted
) -> None:
    with scripted(outcome, on_event=events.append) as client, pytest.raises(error) as caught:
        call(client)

    *_, last = events
    assert isinstance(last, CallEnded)
    assert (last.attempts, last.status) == (1, status)
    assert len([each for each in events if isinstance(each, CallEnded)]) == 1
    assert (last.error, last.reason) == (error.__name__, reason)
    assert f"failed with {error.__name__}" in str(last) or last.is_unknown
    assert last.is_unknown is (error is OutcomeUnknownError)
    if isinstance(caught.value, OutcomeUnknownError):
        assert last.call == caught.value.intent.id, "by which the journal and the error are found"


# -- the log -------------------------------------------------------------------------------------


def test_at_debug_the_log_has_every_event(caplog: pytest.LogCaptureFixture, events: Noted) -> None:
    caplog.set_level(logging.DEBUG, "trading_sdk")
    with scripted(NOT_SENT, PLACED, on_event=events.append, retry=Retry(base_delay=0)) as client:
        create(client)

    records = [each for each in caplog.records if each.name == "trading_sdk"]
    assert [each.getMessage() for each in records] == [str(event) for event in events]
    assert [each.levelno for each in records] == [event.level for event in events]
    call = events[0].call[:8]
    assert [each.getMessage().split("s, ")[0] for each in records[:2]] == [
        f"orders.create [{call}]: attempt 1, {events[0].bytes} bytes",  # type: ignore[attr-defined]
        f"orders.create [{call}]: attempt 1 failed (cannot connect: refused); "
        "attempt 2 follows in 0.000 s",
    ]


WAITS = "attempt 1 failed (cannot connect: refused); attempt 2 follows in"
UNKNOWN = "it may have been executed (the connection was reset), after 1 attempt and 0.0"


@pytest.mark.parametrize(
    ("script", "said", "stop_reason"),
    [
        ([PLACED], [], None),
        ([REFUSED], [], "not_repeatable"),
        ([NOT_SENT, PLACED], [WAITS], None),
        ([LOST], [UNKNOWN], "not_repeatable"),
        (3 * [NOT_SENT], [WAITS, "attempt 2 failed"], "max_attempts"),
    ],
)
def test_retries_and_unknown_outcomes_are_warnings_and_the_end_says_why_no_attempt_follows(
    script: Any, said: Any, stop_reason: Any, caplog: pytest.LogCaptureFixture, events: Noted
) -> None:
    with scripted(*script, retry=Retry(base_delay=0), on_event=events.append) as client:
        try:
            create(client)
        except TradingError as error:
            assert error.stop_reason == stop_reason

    records = [each for each in caplog.records if each.name == "trading_sdk"]
    assert [each.levelno for each in records] == [logging.WARNING] * len(said)
    for record, text in zip(records, said, strict=True):
        assert text in record.getMessage()
    *_, last = events
    assert isinstance(last, CallEnded) and last.stop_reason == stop_reason


def test_neither_what_was_ordered_nor_an_id_of_it_is_told(
    caplog: pytest.LogCaptureFixture, events: Noted
) -> None:
    caplog.set_level(logging.DEBUG, "trading_sdk")
    doge = order(symbol="DOGE", price="73.12500917", amount="4711.08150042")
    told = b'{"order_id": 987654321, "error": "DOGE at 73.12500917", "code": null}'
    for answer in (Response(200, {}, told), Response(400, {}, told), Response(503, {}, told)):
        with scripted(answer, on_event=events.append) as client, contextlib.suppress(TradingError):
            client.orders.create(**doge, client_order_id=ID)

    assert len(events) == 9
    shown = f"{caplog.text} {events!r} {[vars(each) for each in caplog.records]}"
    for secret in ("DOGE", "73.12500917", "4711.08150042", ID, "987654321", KEY.address):
        assert secret not in shown


# -- nothing that goes wrong here changes a call -----------------------------------------------

OUTCOMES: dict[str, Any] = {
    "placed": PLACED,
    "refused": REFUSED,
    "lost": LOST,
    "not sent": NOT_SENT,
}
ERRORS = {
    "placed": "OrderPlaced(order_id=1)",
    "refused": "BadRequestError",
    "lost": "OutcomeUnknownError",
    "not sent": "NotSentError",
}


def outcome_of(client: Client) -> str:
    try:
        return repr(create(client))
    except TradingError as error:
        return type(error).__name__


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_an_exception_of_the_callback_changes_no_call_and_is_logged(
    outcome: str, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    def raise_it(event: Event) -> None:
        told.append(event)
        raise LookupError("metrics are down")

    told = Noted()
    script = OUTCOMES[outcome]
    with scripted(script, on_event=raise_it, journal=tmp_path / "journal") as client:
        assert outcome_of(client) == ERRORS[outcome]
        assert len(client.unsettled()) == (outcome == "lost")

    errors = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert [each.getMessage() for each in errors] == [
        f"on_event raised at {kind}, which changes nothing of the call" for kind in told.kinds()
    ]
    assert all(each.exc_info and isinstance(each.exc_info[1], LookupError) for each in errors)


@pytest.fixture
def broken_log() -> Iterator[None]:
    def broken(_: logging.LogRecord) -> bool:
        raise OSError("the disk is full")

    logger = logging.getLogger("trading_sdk")
    logger.addFilter(broken)
    logger.setLevel(logging.DEBUG)
    yield
    logger.removeFilter(broken)
    logger.setLevel(logging.NOTSET)


@pytest.mark.usefixtures("broken_log")
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_log_that_raises_changes_no_call_and_no_event(outcome: str, events: Noted) -> None:
    with scripted(OUTCOMES[outcome], on_event=events.append) as client:
        assert outcome_of(client) == ERRORS[outcome]

    assert isinstance(events[-1], CallEnded)


def test_an_error_is_raised_even_if_its_event_cannot_be_made(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delattr("trading_runtime.call.caller.tell_failed")
    with scripted(LOST) as client, pytest.raises(OutcomeUnknownError):
        create(client)

    (record,) = caplog.records
    assert record.getMessage() == "the failure of a call cannot be told"


def test_no_lock_is_held_while_the_callback_runs(tmp_path: Path) -> None:
    def call_from_elsewhere(event: Event) -> None:
        if threading.current_thread() is threading.main_thread():
            thread = threading.Thread(target=lambda: done.append(outcome_of(client)))
            thread.start()
            thread.join(5)
            assert not thread.is_alive(), type(event)

    done: list[str] = []
    ids = count(1)
    transport = ScriptedTransport(then=lambda _: ok({"order_id": next(ids)}))
    options: dict[str, Any] = {"journal": tmp_path / "journal", "on_event": call_from_elsewhere}
    with Client(HERE, signer=KEY, transport=transport, **options) as client:
        client.orders.create(**order())

    assert len(done) == 3
    assert all("order_id" in each for each in done)


def test_what_a_callback_takes_is_time_of_the_call_only_before_the_sending() -> None:
    def slow(event: Event) -> None:
        time.advance(11_000 if isinstance(event, kind) else 0)

    time, kind = VirtualTime(), (AttemptAnswered, CallEnded)
    options: dict[str, Any] = {"on_event": lambda event: slow(event)}
    with time.ruling(), scripted(PLACED, **options) as client:
        assert create(client).order_id == 1  # type: ignore[attr-defined]
        assert time.monotonic() == 22, "no answer was lost"
        kind = (AttemptSent,)  # type: ignore[assignment]
        with pytest.raises(NotSentError, match="on_event took until the deadline"):
            create(client)


# -- transports of the user's own ------------------------------------------------------------------
