"""What is answered instead, or late, and by which clock."""

from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from http.client import IncompleteRead

import pytest

from tests.sandbox.fault_desk import HISTORY, Desk, desk, running

__all__ = ["desk", "running"]


@pytest.mark.parametrize("status", [200, 204, 400, 429, 500, 503, 599])
def test_any_status_can_be_answered(desk: Desk, status: int) -> None:
    desk.faults.inject("orders.create", "status", status=status)
    with desk.connect() as wire:
        wire.order()
        answer = wire.answer()
        body = answer.read()
        assert answer.status == status
        assert status == 204 or json.loads(body)["code"] == status
        wire.order()
        assert wire.json() == {"order_id": 1}


@pytest.mark.parametrize("wait", ["3", "-1", "NaN", "1e9", "Wed, 21 Oct 2026 07:28:00 GMT", ""])
def test_a_status_brings_its_own_headers_and_body(desk: Desk, wait: str) -> None:
    headers = {"Retry-After": wait, "Content-Type": "text/plain"}
    desk.faults.inject("orders.create", "status", status=429, headers=headers, body="Slow down")
    with desk.connect() as wire:
        wire.order()
        answer = wire.answer()
        assert answer.status == 429
        assert answer.headers["retry-after"] == wait
        assert answer.headers.get_all("content-type") == ["text/plain"]
        assert answer.read() == b"Slow down"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_points_elsewhere(desk: Desk, status: int) -> None:
    desk.faults.inject("orders.create", "redirect", status=status, location="https://x.invalid/a?b")
    with desk.connect() as wire:
        wire.order()
        answer = wire.answer()
        answer.read()
        assert (answer.status, answer.headers["location"]) == (status, "https://x.invalid/a?b")


@pytest.mark.parametrize("status", [200, 502])
def test_a_gateway_answers_html(desk: Desk, status: int) -> None:
    desk.faults.inject("orders.history", "html", status=status)
    with desk.connect() as wire:
        wire.get()
        answer = wire.answer()
        assert answer.status == status
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.read().startswith(b"<!DOCTYPE html>")


def test_the_exchange_is_told_late(desk: Desk) -> None:
    desk.faults.inject("orders.create", "delay_request", seconds=0.1)
    with desk.connect() as wire:
        wire.order()
        assert wire.silent(0.05)
        assert desk.executed == 0
        assert wire.json() == {"order_id": 1}


def test_the_answer_comes_late(desk: Desk) -> None:
    desk.faults.inject("orders.create", "delay_answer", seconds=0.1)
    with desk.connect() as wire:
        wire.order()
        desk.wait_for_executed(1)
        assert wire.silent(0.05)
        assert wire.json() == {"order_id": 1}


@pytest.mark.parametrize("offset", [60_000, -60_000])
def test_the_clock_is_off_for_the_exchange_and_in_the_date(desk: Desk, offset: int) -> None:
    desk.faults.inject("orders.create", "clock_offset", offset_ms=offset)
    with desk.connect() as wire:
        dates = []
        for _ in range(2):
            wire.order()
            answer = wire.answer()
            answer.read()
            dates.append(parsedate_to_datetime(answer.headers["date"]))
    shift = (dates[0] - dates[1]).total_seconds() * 1000
    assert offset - 2000 <= shift <= offset + 2000
    met, after = desk.exchange.faults_seen
    assert met.offset_ms == offset
    assert after is None


def test_the_date_of_an_answer_is_not_stale_however_busy_the_machine_is(desk: Desk) -> None:
    """A client would take it for a clock that is wrong."""
    desk.server._server.server_state.default_headers = [(b"date", b"Thu, 01 Jan 1970 00:00:00 GMT")]
    with desk.connect() as wire:
        before = int(time.time())
        wire.order()
        answer = wire.answer()
        answer.read()
    assert before <= parsedate_to_datetime(answer.headers["date"]).timestamp() <= time.time()


def test_a_read_meets_faults_as_well(desk: Desk) -> None:
    desk.faults.inject("orders.history", "short_body")
    with desk.connect() as wire:
        wire.get(HISTORY + "?account=x")
        with pytest.raises(IncompleteRead):
            wire.answer().read()
