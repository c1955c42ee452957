"""The clock: what time is signed, and how far the service's clock is from this machine's."""

from __future__ import annotations

import time
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.doubles.clock import VirtualTime
from trading_runtime import clock as clocks
from trading_runtime.clock import Clock, ClockName, Skew, date_ms, now_ms

DATE = "Sun, 06 Nov 1994 08:49:37 GMT"
NOW = 784_111_777_000


def at_now(**skews: int) -> VirtualTime:
    """The time at the second of DATE."""
    return VirtualTime(NOW, **skews)


def later(seconds: int) -> str:
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(NOW // 1000 + seconds))


def test_a_clock_tells_the_time_of_this_machine_in_ms_and_really_sleeps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: NOW * 1_000_000 + 999_999)
    clock = Clock()
    assert now_ms() == clock.local_ms() == NOW
    assert clock.sleep is time.sleep


# Dates


@pytest.mark.parametrize(
    "text", [DATE, "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
)
@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Tokyo"])
def test_every_form_of_an_http_date_is_gmt_wherever_this_machine_is(
    text: str, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
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


WORDS = ["Sun,", "06", "-6", "0", "Nov", "1994", "10000", "08:49:37", "::", "-0000", "+9999", "GMT"]


@given(st.lists(st.sampled_from(WORDS), max_size=8))
def test_no_text_breaks_the_reading_of_a_date(words: list[str]) -> None:
    found = date_ms(" ".join(words))
    assert found is None or isinstance(found, int)


# The difference


@pytest.mark.parametrize(
    ("name", "seconds", "told"),
    [
        ("local", [0, 5, -5, -6], []),
        ("local", [7, 8, 7, 0, 7], ["8 s ahead of"]),
        ("local", [-8, -9, 0, -9, 60, 61], ["7 s behind", "61 s ahead of"]),
        ("server", [600], []),
    ],
)
def test_that_the_clocks_differ_is_told_once(
    name: ClockName, seconds: list[int], told: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    clock = at_now().clock(name)

    for each in seconds:
        clock.observe(later(each), NOW, NOW)

    said = [each.partition("clock is ")[2].partition(" this")[0] for each in caplog.messages]
    assert said == told


def test_an_answer_of_the_same_second_shows_that_this_clock_was_set() -> None:
    clock = at_now().clock()
    clock.observe(DATE, NOW, NOW)
    clock.observe(DATE, NOW + 60_000, NOW + 60_000)
    assert clock.skew is not None
    assert (clock.skew.low, clock.skew.high) == (-60_000, -58_000)
    assert clock.earliest_service_time(NOW) == NOW - 60_000


def test_the_date_of_a_second_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str | None] = []

    def parse(text: str | None) -> int | None:
        parsed.append(text)
        return date_ms(text)

    monkeypatch.setattr(clocks, "date_ms", parse)
    clock = at_now().clock()
    for date in (DATE, DATE, later(1), later(1), "garbage", "garbage", DATE):
        clock.observe(date, NOW, NOW)
    assert parsed == [DATE, later(1), "garbage", DATE]


@given(
    st.integers(-(10**9), 10**9),
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 3_000), st.integers(0, 3_000))),
)
def test_the_true_difference_is_always_within_the_bounds(
    skew: int, answers: list[tuple[int, int, int]]
) -> None:
    clock = at_now().clock()
    at = NOW
    for pause, way, back in answers:
        at += pause
        written = at + way + skew
        date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(written // 1000))
        clock.observe(date, at, at + way + back)
        assert clock.skew is not None
        assert clock.skew.low <= skew <= clock.skew.high
        at += way + back


# The time to sign with


@pytest.mark.parametrize("name", ["local", "server"])
@pytest.mark.parametrize("wrong", [60, 3600, -9])
def test_a_wrong_date_only_ever_makes_a_wait_longer(name: ClockName, wrong: int) -> None:
    clock = at_now().clock(name)
    clock.observe(later(-3), NOW, NOW)
    clock.observe(later(wrong), NOW, NOW)
    clock.observe(later(-2), NOW, NOW)
    assert clock.earliest_service_time(NOW) == NOW + min(-3, wrong) * 1000


# Waiting for the service's clock


def test_a_clock_that_is_set_forward_during_a_wait_ends_it_after_the_nap() -> None:
    hands = at_now()

    def sleep(seconds: float) -> None:
        hands.sleep(seconds)
        hands.local += 3_600_000

    assert Clock(now=hands.local_ms, sleep=sleep).wait_until(NOW + 600_000, inf)
    assert hands.naps == [60.0]


def test_what_another_thread_learns_during_a_wait_is_heeded() -> None:
    hands = at_now()

    def sleep(seconds: float) -> None:
        hands.sleep(seconds)
        date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(hands.now // 1000 - 20))
        clock.observe(date, hands.now, hands.now)

    clock = Clock(now=hands.local_ms, sleep=sleep)
    assert clock.wait_until(NOW + 10_000, inf)
    assert hands.naps == [10.0, 20.0]


@pytest.mark.parametrize(("behind", "certain"), [(3_600, True), (3_601, False), (10**8, False)])
def test_of_a_service_that_is_over_an_hour_behind_nobody_can_say_what_time_it_is(
    behind: int, certain: bool
) -> None:
    hands = at_now()
    clock = hands.clock()
    clock.observe(later(-behind), NOW, NOW)
    assert clock.wait_until(NOW - 3_600_000, inf) is certain
    assert hands.naps == []


# The hint


@pytest.mark.parametrize(
    ("seconds", "window", "told"),
    [
        (-8, 30_000, True),
        (-7, 30_000, False),
        (0, 30_000, False),
        (29, 30_000, False),
        (5, 100, False),
        (6, 100, True),
    ],
)
def test_a_message_is_not_explained_by_a_clock_that_may_be_right(
    seconds: int, window: int, told: bool
) -> None:
    """A busy server renews its `Date` late, by seven seconds at most."""
    clock = at_now().clock()
    clock.observe(later(seconds), NOW, NOW)
    assert (clock.hint(NOW, NOW + window) is not None) is told


# How long a bound lives


def test_a_wrong_date_is_forgotten_after_ten_minutes() -> None:
    hands = at_now()
    clock = hands.clock()
    clock.observe("Thu, 01 Jan 1970 00:00:00 GMT", NOW, NOW)
    for minute in range(1, 11):
        hands.advance(60_000)
        clock.observe(later(minute * 60), hands.now, hands.now)
        behind = hands.now - clock.earliest_service_time(hands.now)
        assert behind == (3_600_000 if minute <= 5 else behind)
    hands.advance(300_000)
    clock.observe(later(900), hands.now, hands.now)
    assert clock.earliest_service_time(hands.now) == hands.now


def test_after_ten_minutes_without_an_answer_the_last_bounds_are_left_without_the_doubts() -> None:
    hands = at_now()
    clock = hands.clock("server")
    clock.observe(later(-3_000), NOW, NOW)
    clock.observe(later(60), NOW, NOW)
    assert clock.earliest_service_time(NOW) == NOW - 3_000_000
    hands.advance(601_000)
    assert clock.earliest_service_time(hands.now) == hands.now
    assert clock.sign_ms() == hands.now + 61_000


def test_after_a_long_silence_older_bounds_are_dropped() -> None:
    hands = at_now()
    clock = hands.clock()
    clock.observe(later(-60), NOW, NOW)
    hands.advance(3_600_000)
    clock.observe(later(3_600), hands.now, hands.now)
    assert clock.skew == Skew(0, 2_000)


def test_bounds_of_both_halves_count_together() -> None:
    hands = at_now()
    clock = hands.clock()
    clock.observe(later(-60), NOW, NOW)
    hands.advance(400_000)
    clock.observe(later(400), hands.now, hands.now)
    assert clock.skew == Skew(0, 2_000, -60_000)


@pytest.mark.parametrize("by", [-60_000, -501, 501, 60_000])
def test_a_step_of_this_machines_clock_ends_all_that_was_known(by: int) -> None:
    hands = at_now()
    clock = hands.clock()
    clock.observe(later(5), NOW, NOW)
    assert clock.dated_at == 0
    hands.advance(10_000)
    hands.local += by

    assert clock.look() == 10
    assert (clock.steps, clock.skew) == (1, None)
    assert clock.dated_at < 0
    assert clock.look() == 10
    assert clock.steps == 1


@pytest.mark.parametrize("by", [-500, 500])
def test_a_clock_that_is_a_little_astray_was_not_set(by: int) -> None:
    hands = at_now()
    clock = hands.clock()
    for _ in range(5):
        hands.advance(100_000)
        hands.local += by
        clock.look()
    assert clock.steps == 0


# Answers of a cache


def test_the_age_of_an_answer_is_added_to_its_date() -> None:
    clock = at_now().clock()
    clock.observe(later(-60), NOW, NOW, "60")
    assert clock.skew == Skew(0, 3_000)
    clock = at_now().clock()
    clock.observe(later(0), NOW, NOW, "0")
    assert clock.skew == Skew(0, 2_000)


@pytest.mark.parametrize("age", ["", "soon", "-1", "1.5", "9" * 5_000, "\u0663\u2070"])
def test_an_answer_of_an_unknown_age_tells_no_time(age: str) -> None:
    clock = at_now().clock()
    clock.observe(DATE, NOW, NOW, age)
    assert clock.skew is None
    assert clock.dated_at < 0
