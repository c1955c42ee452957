"""The clock: what time is signed, and how far the service's clock is from this machine's."""

from __future__ import annotations

import time

import pytest

from tests.doubles.clock import VirtualTime
from trading_runtime.clock import date_ms

DATE = "Sun, 06 Nov 1994 08:49:37 GMT"
NOW = 784_111_777_000


def at_now(**skews: int) -> VirtualTime:
    """The time at the second of DATE."""
    return VirtualTime(NOW, **skews)


def later(seconds: int) -> str:
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(NOW // 1000 + seconds))


# Dates


@pytest.mark.parametrize(
    "text", [DATE, "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
)
def test_every_form_of_an_http_date_is_gmt_wherever_this_machine_is(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        assert date_ms(text) == NOW
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    "text",
    [None, "", " ", "now", "784111777", "-5", "NaN", "1e9", "Sun, 99 Nov 1994 08:49:37 GMT",
     "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 1994 99:99:99 GMT", "Sun, 06 Nov",
     "06 Nov 1994 08:49:37 +99999999999", "\x00", "9" * 5000],
)  # fmt: skip
def test_what_is_no_date_is_none(text: str | None) -> None:
    assert date_ms(text) is None


# The difference


@pytest.mark.parametrize(
    ("date", "age"),
    [(None, None), ("soon", None), (later(0), "1"), (later(0), "x"), (later(-3_601), None)],
)
def test_what_tells_no_time_changes_nothing(date: str | None, age: str | None) -> None:
    clock = at_now().clock()
    clock.observe(date, age)
    assert clock.skew is None
    clock.observe(later(7), "0")
    clock.observe(date, age)
    assert clock.skew == 7_500


@pytest.mark.parametrize(
    ("seconds", "ahead"),
    [
        ([60], None),
        ([60, 62], 62_505),
        ([60, 0], 505),
        ([5], None),
        ([4], 4_505),
        ([60, 62, 0, 99], None),
    ],
)
def test_the_difference_counts_once_two_dates_agree(seconds: list[int], ahead: int | None) -> None:
    clock = at_now().clock()
    for each in seconds:
        clock.observe(later(each))
    assert clock.ahead_of(NOW - 5) == ahead


@pytest.mark.parametrize(
    ("skew", "timestamp", "says"),
    [
        (60, NOW, "the message had expired by the service's clock, which is 60.5 s ahead of"),
        (-60, NOW, "the message was from the future by the service's clock, which is 59.5 s be"),
        (60, NOW + 60_000, None),
        (4, NOW - 60_000, None),
    ],
)
def test_a_refusal_is_explained_by_the_clock(skew: int, timestamp: int, says: str | None) -> None:
    clock = at_now().clock()
    assert clock.hint(timestamp, timestamp + 30_000) is None
    clock.observe(later(skew))
    hint = clock.hint(timestamp, timestamp + 30_000)
    assert hint is None if says is None else says in str(hint)


def test_a_difference_is_in_the_log_once(caplog: pytest.LogCaptureFixture) -> None:
    clock, server = at_now().clock(), at_now().clock("server")
    for seconds in (4, 60, 61, -60):
        clock.observe(later(seconds))
        server.observe(later(seconds))
    told = [each.split(" this machine's")[0] for each in caplog.messages]
    assert told == ["the service's clock is 60 s ahead of", "the service's clock is 60 s behind"]
