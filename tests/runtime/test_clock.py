"""The clock: what time is signed, and how far the service's clock is from this machine's."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trading_runtime.clock import Clock, ClockName, Skew, date_ms, now_ms

DATE = "Sun, 06 Nov 1994 08:49:37 GMT"
NOW = 784_111_777_000


class Hands:
    """A clock of this machine that the test sets."""

    def __init__(self, now: int = NOW) -> None:
        self.now = now
        self.slept: list[float] = []

    def read(self) -> int:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += round(seconds * 1000)

    def clock(self, name: ClockName = "local") -> Clock:
        return Clock(name, now=self.read, sleep=self.sleep)


def later(seconds: int) -> str:
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(NOW // 1000 + seconds))


def test_the_current_time_is_in_ms() -> None:
    before = time.time()
    now = now_ms()
    assert isinstance(now, int)
    assert int(before * 1000) <= now <= time.time() * 1000 + 1
    assert abs(Clock().local_ms() - now_ms()) < 1000


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


@given(
    st.lists(
        st.sampled_from(
            [
                "Sun,",
                "06",
                "-6",
                "0",
                "Nov",
                "1994",
                "10000",
                "08:49:37",
                "::",
                "-0000",
                "+9999",
                "GMT",
            ]
        ),
        max_size=8,
    )
)
def test_no_text_breaks_the_reading_of_a_date(words: list[str]) -> None:
    found = date_ms(" ".join(words))
    assert found is None or isinstance(found, int)


# The difference


def test_before_the_first_answer_nothing_is_known() -> None:
    hands = Hands()
    for name in ("local", "server"):
        clock = hands.clock(name)
        assert clock.skew is None
        assert clock.sign_ms() == clock.earliest(NOW) == clock.local_ms() == NOW
        assert clock.hint(0, 0) is None


def test_an_answer_bounds_the_difference_by_its_second_and_by_its_way() -> None:
    clock = Hands().clock()
    clock.observe(DATE, NOW + 100, NOW + 300)
    assert clock.skew == Skew(-300, 1900)
    assert Skew(-300, 1900).middle == 800


def test_further_answers_narrow_the_difference_down() -> None:
    clock = Hands().clock()
    clock.observe(later(5), NOW + 100, NOW + 200)
    assert clock.skew == Skew(4800, 6900)
    clock.observe(later(6), NOW + 900, NOW + 950)
    assert clock.skew == Skew(5050, 6900)
    clock.observe(later(7), NOW + 1_200, NOW + 1_300)
    assert clock.skew == Skew(5700, 6900)


def test_after_a_clock_was_set_the_later_answer_counts() -> None:
    clock = Hands().clock()
    clock.observe(later(5), NOW, NOW)
    clock.observe(later(1), NOW, NOW)
    assert clock.skew is not None
    assert (clock.skew.low, clock.skew.high) == (1000, 3000)


def test_an_answer_of_the_same_second_says_nothing_new() -> None:
    clock = Hands().clock()
    clock.observe(DATE, NOW + 100, NOW + 300)
    clock.observe(DATE, NOW + 500, NOW + 500)
    assert clock.skew == Skew(-300, 1900)


@pytest.mark.parametrize(
    ("date", "sent", "received"),
    [(None, NOW, NOW), ("garbage", NOW, NOW), ("", NOW, NOW), (DATE, NOW + 1, NOW)],
    ids=["no date", "garbage", "empty", "this clock was set back meanwhile"],
)
def test_an_answer_that_cannot_be_used_changes_nothing(
    date: str | None, sent: int, received: int
) -> None:
    clock = Hands().clock("server")
    clock.observe(date, sent, received)
    assert clock.skew is None
    clock.observe(later(60), NOW, NOW)
    known = clock.skew
    clock.observe(date, sent, received)
    assert clock.skew == known


@given(
    st.integers(-(10**9), 10**9),
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 3_000), st.integers(0, 3_000))),
)
def test_the_true_difference_is_always_within_the_bounds(
    skew: int, answers: list[tuple[int, int, int]]
) -> None:
    clock = Hands().clock()
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


@pytest.mark.parametrize("seconds", [-60, 0, 60])
def test_the_local_clock_signs_this_machines_time_whatever_the_service_shows(seconds: int) -> None:
    clock = Hands().clock("local")
    clock.observe(later(seconds), NOW, NOW)
    assert clock.sign_ms() == NOW


@pytest.mark.parametrize("seconds", [-60, 0, 60])
def test_the_clock_of_the_service_signs_its_time_as_its_answers_show_it(seconds: int) -> None:
    hands = Hands()
    clock = hands.clock("server")
    clock.observe(later(seconds), NOW, NOW)
    assert clock.sign_ms() == NOW + seconds * 1000 + 1000
    hands.now += 10_000
    assert clock.sign_ms() == NOW + seconds * 1000 + 11_000


def test_the_earliest_time_of_the_service_is_the_lower_bound() -> None:
    clock = Hands().clock()
    clock.observe(later(-60), NOW, NOW + 200)
    assert clock.earliest(NOW) == NOW - 60_200


@pytest.mark.parametrize("name", ["local", "server"])
@pytest.mark.parametrize("wrong", [60, 3600, -9])
def test_a_wrong_date_only_ever_makes_a_wait_longer(name: ClockName, wrong: int) -> None:
    clock = Hands().clock(name)
    clock.observe(later(-3), NOW, NOW)
    clock.observe(later(wrong), NOW, NOW)
    clock.observe(later(-2), NOW, NOW)
    assert clock.earliest(NOW) == NOW + min(-3, wrong) * 1000


def test_a_clock_sleeps_as_it_is_told() -> None:
    hands = Hands()
    hands.clock().sleep(1.5)
    assert (hands.slept, hands.now) == ([1.5], NOW + 1500)


# The hint


def test_a_message_that_had_expired_is_explained() -> None:
    clock = Hands().clock()
    clock.observe(later(60), NOW, NOW)
    assert clock.hint(NOW, NOW + 30_000) == (
        "the message had expired by the service's clock, which is 61.0 s ahead of this machine's; "
        "set this machine's clock, or give the client clock='server'"
    )


def test_a_message_from_the_future_is_explained() -> None:
    clock = Hands().clock()
    clock.observe(later(-60), NOW, NOW)
    assert clock.hint(NOW, NOW + 30_000) == (
        "the message was from the future by the service's clock, which is 59.0 s behind this "
        "machine's; set this machine's clock, or give the client clock='server'"
    )


@pytest.mark.parametrize("seconds", [-1, 0, 29])
def test_a_message_that_may_have_been_in_time_is_not_explained_by_the_clock(seconds: int) -> None:
    clock = Hands().clock()
    clock.observe(later(seconds), NOW, NOW)
    assert clock.hint(NOW, NOW + 30_000) is None
