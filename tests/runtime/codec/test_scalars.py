"""Moments and integers that stand in a text: what is sent, what is read, and what is refused."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import Any

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from trading_runtime import RequestError, to_date_time, to_int32, to_int32_text, to_integer_text
from trading_runtime.codec.decoder import structure
from trading_runtime.codec.enums import OpenIntEnum
from trading_runtime.codec.fields import to_member
from trading_runtime.codec.integers import IntegerText
from trading_runtime.codec.requests import target, unstructure

UTC = timezone.utc


class Level(OpenIntEnum):
    LOW = 1
    HIGH = 2


def to_level(value: Level | int) -> Level:
    return to_member(Level, value)


@frozen
class Asked:
    at: datetime = field(converter=to_date_time)
    number: IntegerText = field(converter=to_integer_text)
    level: Level = field(default=Level.LOW, converter=to_level)


@frozen
class Told:
    at: datetime
    number: IntegerText
    level: Level | int
    before: Level | int | None = None


class Nowhere(tzinfo):
    """A time zone that does not say how far it is from UTC."""

    def utcoffset(self, _: datetime | None) -> None:
        return None

    dst = tzname = utcoffset


class Stamp(datetime):
    """A moment with a text of its own."""

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:
        return "now"


@given(st.datetimes(timezones=st.timezones()), st.integers(-(2**63), 2**63 - 1))
def test_what_is_sent_is_read_again(at: datetime, number: int) -> None:
    try:
        asked = Asked(at, number)
    except RequestError:  # some zones have moments that UTC cannot hold
        return
    sent = json.loads(json.dumps(unstructure(asked)))

    told = structure(sent, Told)

    # By the moment: where clocks are put back, Python calls two datetimes of it different.
    assert (told.at, told.number, told.level) == (at.astimezone(UTC), number, Level.LOW)
    assert told.at.tzinfo is not None and type(told.number) is IntegerText


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (datetime(2027, 1, 1), RequestError),
        (datetime(2027, 1, 1, tzinfo=Nowhere()), RequestError),
        (datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))), RequestError),
        (date(2027, 1, 1), TypeError),
        (1_800_000_000_000, TypeError),
        (None, TypeError),
    ],
)
def test_what_is_no_moment_is_refused(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        to_date_time(value)


def test_a_subclass_of_datetime_is_sent_like_any_other() -> None:
    assert unstructure(Asked(Stamp(2027, 1, 1, tzinfo=UTC), 1))["at"] == "2027-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2027-01-31T12:00:00Z", datetime(2027, 1, 31, 12, tzinfo=UTC)),
        ("2027-01-31t12:00:00.5z", datetime(2027, 1, 31, 12, 0, 0, 500_000, UTC)),
        ("2027-01-31 12:00:00-00:30", datetime(2027, 1, 31, 12, 30, tzinfo=UTC)),
        ("2016-12-31T23:59:60Z", datetime(2017, 1, 1, tzinfo=UTC)),
        ("2027-01-31T12:00:00.123456789Z", datetime(2027, 1, 31, 12, 0, 0, 123_456, UTC)),
    ],
)
def test_moments_are_read_as_rfc_3339_writes_them(text: str, moment: datetime) -> None:
    assert structure(text, datetime) == moment


@pytest.mark.parametrize(
    "text",
    [
        *("2027-01-31", "2027-01-31T12:00:00", "2027-01-31T12:00Z", "2027-13-01T00:00:00Z"),
        *("2027-01-31T24:00:00Z", "2027-01-31T12:00:00+25:00", "9999-12-31T23:59:60Z", "", "now"),
        "\u0662027-01-31T12:00:00Z",
    ],
)
def test_other_texts_are_no_moments(text: str) -> None:
    with pytest.raises(ValueError):
        structure(text, datetime)


@pytest.mark.parametrize(
    "text", ["1.0", "", "1e3", " 1", "9223372036854775808", "9" * 5000, "\u0661"]
)
def test_other_texts_are_no_integers(text: str) -> None:
    with pytest.raises(ValueError, match="is not an integer of 64 bits"):
        structure(text, IntegerText)


@pytest.mark.parametrize("convert", [to_int32, to_int32_text])
def test_integers_of_32_bits_are_bounded(convert: Any) -> None:
    assert (convert(2**31 - 1), convert(-(2**31))) == (2**31 - 1, -(2**31))
    for value in (2**31, -(2**31) - 1):
        with pytest.raises(RequestError, match="of more than 32 bits"):
            convert(value)
    with pytest.raises(TypeError):
        convert(True)


def test_an_integer_in_a_text_is_used_like_any_other() -> None:
    number = to_integer_text(12)

    assert (number + 1, repr(number), f"{number:,}", json.dumps(number)) == (13, "12", "12", "12")
    assert pickle.loads(pickle.dumps(number)) == copy.copy(number) == 12
    assert target("/books", {"number": str(number)}) == "/books?number=12"


def test_an_integer_enum_is_closed_where_it_is_sent() -> None:
    assert unstructure(Asked(datetime(2027, 1, 1, tzinfo=UTC), 1, 2))["level"] == 2
    for wrong in (3, True, 1.0, "1", None):
        with pytest.raises(RequestError, match="is not one of 1, 2"):
            to_level(wrong)  # type: ignore[arg-type]
    assert f"{Level.LOW} {Level.LOW!s}" == "1 1"


def test_an_integer_enum_is_open_where_it_is_received() -> None:
    told = structure({"at": "2027-01-01T00:00:00Z", "number": "1", "level": 9, "before": 2}, Told)

    assert (told.level, type(told.level), told.before) == (9, int, Level.HIGH)
    with pytest.raises(ValueError, match="expected an integer, not a boolean"):
        structure(True, Level | int)
