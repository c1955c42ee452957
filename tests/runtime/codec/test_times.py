"""Times: ms or an aware datetime, what each becomes, and the value that was meant by a wrong one."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from trading_runtime import (
    RequestError,
    TimeLike,
    located,
    to_date_time,
    to_datetime,
    to_model,
    to_optional_time,
    to_time,
    to_time_text,
)
from trading_runtime.codec.integers import IntegerText
from trading_runtime.codec.requests import unstructure

UTC = timezone.utc
NOON = datetime(2025, 9, 30, 12, 6, 39, 188_000, tzinfo=UTC)
MS = 1_759_233_999_188
EARLIEST = -62_135_596_800_000
"""The first ms that a datetime has."""


@frozen(kw_only=True, field_transformer=located)
class Span:
    start_time: int = field(converter=to_time)
    end_time: int | None = field(default=None, converter=to_optional_time)


class Stamp(datetime):
    """A datetime that counts by itself, as those of pandas do."""

    def __sub__(self, other: Any) -> Any:
        return "a difference"

    __rsub__ = __sub__


class Now:
    def __index__(self) -> int:
        return MS


@pytest.mark.parametrize(
    "moment",
    [
        NOON,
        NOON.astimezone(timezone(timedelta(hours=-7, minutes=30))),
        NOON.replace(microsecond=188_999),
        Stamp.fromtimestamp(NOON.timestamp(), UTC),
        MS,
        Now(),
    ],
)
def test_a_time_is_the_ms_of_its_moment(moment: Any) -> None:
    span = Span(start_time=moment, end_time=moment)

    assert unstructure(span) == {"start_time": MS, "end_time": MS}
    assert to_time_text(moment) == IntegerText(MS)
    assert type(span.start_time) is int


def test_a_time_may_be_left_out() -> None:
    assert unstructure(Span(start_time=0)) == {"start_time": 0}


def test_what_is_below_a_millisecond_is_cut_off_before_1970_too() -> None:
    assert to_time(datetime(1970, 1, 1, microsecond=1, tzinfo=UTC)) == 0
    assert to_time(datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)) == -1


@given(st.integers(EARLIEST, 10**8 - 1) | st.integers(10**11 + 1, 10**14 - 1))
def test_every_ms_survives_the_way_to_a_datetime_and_back(ms: int) -> None:
    moment = to_datetime(ms)

    assert moment.utcoffset() == timedelta(0)
    assert to_time(moment) == ms


@given(st.datetimes(timezones=st.timezones()))
def test_the_ms_of_a_datetime_never_come_after_it(moment: datetime) -> None:
    try:
        ms = to_time(moment)
    except RequestError:  # some zones have moments that UTC cannot hold
        return
    began = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)
    assert timedelta(0) <= moment - began < timedelta(milliseconds=1)


class Nat(datetime):
    """NaT of pandas is a datetime, and has no offset."""

    def utcoffset(self) -> None:
        raise ValueError("NaTType does not support utcoffset")

    def __repr__(self) -> str:
        return "NaT"


def test_what_is_no_moment_is_refused() -> None:
    for convert in (to_time, to_date_time):
        with pytest.raises(RequestError) as caught:
            convert(Nat(2026, 1, 1))
        assert str(caught.value) == "NaT is no moment; leave out what has none"


@pytest.mark.parametrize("ms", [EARLIEST - 1, -(10**30)])
def test_a_time_that_no_datetime_holds_is_refused(ms: int) -> None:
    with pytest.raises(RequestError, match=f"^{ms} ms since 1970 is out of the range of datetimes"):
        to_datetime(ms)


@pytest.mark.parametrize("ms", [None, 1.5, True, "5"])
def test_only_an_integer_is_made_a_datetime(ms: Any) -> None:
    with pytest.raises(TypeError, match=r"^expected ms since 1970, not "):
        to_datetime(ms)


def test_a_naive_datetime_is_refused_with_the_value_that_was_meant() -> None:
    with pytest.raises(RequestError) as caught:
        Span(start_time=NOON.replace(tzinfo=None))
    assert str(caught.value) == (
        "Span.start_time: datetime.datetime(2025, 9, 30, 12, 6, 39, 188000) has no time zone;"
        f" in UTC it is {MS}: give that, or an aware datetime"
    )


@pytest.mark.parametrize("seconds", [10**8, 1_759_233_999, 10**11])
def test_an_integer_that_can_only_be_seconds_is_refused_with_its_ms(seconds: int) -> None:
    with pytest.raises(RequestError) as caught:
        to_model(Span, {"start_time": 0, "end_time": seconds})
    told = f"{seconds} is a time in seconds; in ms it is {seconds}000"
    assert str(caught.value) == f"Span.end_time: {told}"


@pytest.mark.parametrize(
    ("given", "unit", "ms"),
    [
        (10**14, "microseconds", 10**11),
        (1_759_233_999_188_999, "microseconds", MS),
        (10**17 - 1, "microseconds", 10**14 - 1),
        (10**17, "nanoseconds", 10**11),
        (1_759_233_999_188_999_999, "nanoseconds", MS),
        (2**63 - 1, "nanoseconds", 9_223_372_036_854),
    ],
)
def test_an_integer_that_can_only_be_of_a_smaller_unit_is_refused_with_its_ms(
    given: int, unit: str, ms: int
) -> None:
    for convert in (to_time, to_datetime):
        with pytest.raises(RequestError) as caught:
            convert(given)
        assert str(caught.value) == f"{given} is a time in {unit}; in ms it is {ms}"


def test_seconds_do_not_become_a_datetime_of_1970() -> None:
    with pytest.raises(RequestError) as caught:
        to_datetime(1_759_233_999)
    assert str(caught.value) == "1759233999 is a time in seconds; in ms it is 1759233999000"
    # Of a datetime nothing is to be guessed.
    assert to_time(datetime(1971, 1, 1, tzinfo=UTC)) == 31_536_000_000
    assert to_time(datetime(9999, 1, 1, tzinfo=UTC)) > 10**14


@pytest.mark.parametrize("ms", [-1, 0, 10**8 - 1, 10**11 + 1, 10**14 - 1])
def test_an_integer_that_may_be_ms_is_taken(ms: int) -> None:
    assert to_time(ms) == ms


def test_an_integer_of_more_than_64_bits_is_no_time() -> None:
    with pytest.raises(RequestError, match="more than 64 bits"):
        to_time(2**63)


@pytest.mark.parametrize(
    "value", [1_759_233_999.188, "2025-09-30T12:06:39Z", True, date(2025, 9, 30)]
)
def test_what_is_no_time_is_told_what_would_be_one(value: Any) -> None:
    wrong: TimeLike = value
    with pytest.raises(TypeError) as caught:
        to_time(wrong)
    assert str(caught.value) == (
        "expected ms since 1970, like time.time_ns() // 1_000_000, or an aware datetime,"
        f" not {value!r} ({type(value).__name__})"
    )
