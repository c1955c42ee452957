"""Times in ms: what is sent, and what is refused; tests/end_to_end/mistakes.txt has what newcomers give."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from attrs import field, frozen
from hypothesis import given, strategies as st

from tests.runtime.codec.test_fields import Index
from trading_runtime import RequestError, located, to_datetime, to_optional_time, to_time
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
    """A datetime that counts by itself, as those of pandas do, and has a text of its own."""

    def __sub__(self, other: Any) -> Any:
        return "a difference"

    __rsub__ = __sub__

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:
        return "now"


# Times in ms


@pytest.mark.parametrize(
    "moment",
    [
        NOON,
        NOON.astimezone(timezone(timedelta(hours=-7, minutes=30))),
        NOON.replace(microsecond=188_999),
        Stamp.fromtimestamp(NOON.timestamp(), UTC),
        MS,
        Index(MS),
    ],
)
def test_a_time_is_the_ms_of_its_moment(moment: Any) -> None:
    span = Span(start_time=moment, end_time=moment)

    assert unstructure(span) == {"start_time": MS, "end_time": MS}
    assert type(span.start_time) is int
    assert unstructure(Span(start_time=0)) == {"start_time": 0}


@given(st.integers(EARLIEST, 10**8 - 1) | st.integers(10**11 + 1, 10**14 - 1))
def test_every_ms_survives_the_way_to_a_datetime_and_back(ms: int) -> None:
    moment = to_datetime(ms)

    assert moment.utcoffset() == timedelta(0)
    assert to_time(moment) == ms


def test_a_moment_that_utc_cannot_hold_is_refused() -> None:
    latest = datetime.max.replace(tzinfo=timezone(timedelta(hours=-1)))
    with pytest.raises(RequestError, match=r"is out of the range of datetimes in UTC$"):
        to_time(latest)


@given(st.datetimes(timezones=st.timezones()))
def test_the_ms_of_a_datetime_never_come_after_it(moment: datetime) -> None:
    try:
        ms = to_time(moment)
    except RequestError:  # some zones have moments that UTC cannot hold
        return
    began = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)
    assert timedelta(0) <= moment - began < timedelta(milliseconds=1)


OTHER_UNITS = [
    (10**8, "seconds", 10**11),
    (10**11, "seconds", 10**14),
    (10**14, "microseconds", 10**11),
    (1_759_233_999_188_999, "microseconds", MS),
    (10**17 - 1, "microseconds", 10**14 - 1),
    (10**17, "nanoseconds", 10**11),
]
REFUSED: list[tuple[Callable[[Any], Any], Any, type[Exception], str]] = [
    *(
        (convert, value, RequestError, f"{value} is a time in {unit}; in ms it is {ms}")
        for value, unit, ms in OTHER_UNITS
        for convert in (to_time, to_datetime)
    ),
    (to_time, 2**63, RequestError, "an integer of more than 64 bits cannot be sent"),
    *(
        (to_datetime, ms, RequestError, f"{ms} ms since 1970 is out of the range of datetimes")
        for ms in (EARLIEST - 1, -(10**30))
    ),
    *(
        (to_datetime, ms, TypeError, f"expected ms since 1970, not {ms!r} ({type(ms).__name__})")
        for ms in (None, 1.5, True, "5")
    ),
]


@pytest.mark.parametrize(("convert", "value", "error", "says"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_time_is_refused_with_what_would_be_one(
    convert: Callable[[Any], Any], value: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error) as caught:
        convert(value)
    assert str(caught.value).startswith(says)
