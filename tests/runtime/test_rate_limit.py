"""What an answer says of the rate limit, and how long it asks to wait."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from trading_runtime.http.transport import Response
from trading_runtime.rate_limit import RateBudget, RateLimit

ONE = RateLimit(1)
NOTE_16 = {
    "ratelimit": '"credits";r=1200;t=32',
    "ratelimit-policy": '"credits";q=1250;w=60',
}
NOW = 784_111_777_000
DATE = "Sun, 06 Nov 1994 08:49:37 GMT"
LATER = "Sun, 06 Nov 1994 08:49:40 GMT"


def budget(
    remaining: str,
    resets_in: int | None = None,
    quota: str | None = None,
    window: int | None = None,
) -> RateBudget:
    return RateBudget(
        remaining=Decimal(remaining),
        resets_in=resets_in,
        quota=None if quota is None else Decimal(quota),
        window=window,
    )


# The budget


@pytest.mark.parametrize(
    ("limit", "found"),
    [
        ('"credits";r=5', budget("5")),
        ('"credits";t=3;r=5', budget("5", 3)),
        ('  "a b"  ;  r = 5 ; t=0', budget("5", 0)),
        ('"";r=0', budget("0")),
        ('"credits";r=5;new=7', budget("5")),
        ('"credits";r=5;pk=:x:', budget("5")),
        ('"credits";r=5, "other";r=9;t=1', budget("5")),
        ('"credits";r=999999999999', budget("999999999999")),
        ('"credits";r=5;t=1234567890123', budget("5")),
    ],
)
def test_a_budget_is_read_from_what_is_there(limit: str, found: RateBudget) -> None:
    assert ONE.budget_of({"ratelimit": limit}) == found


@pytest.mark.parametrize(
    "limit",
    [
        "",
        "credits",
        '"credits"',
        '"credits";t=3',
        '"credits";r=-1',
        '"credits";r=NaN',
        '"credits";r=',
        '"credits;r=5',
        "r=5",
        '"credits";r=1234567890123',
        '"credits";r=' + "9" * 5000,
        '"credits";R=5',
        '"credits";r=\u0665',
        "\x00" * 100,
        '"' * 10_000,
        '"c"' + ";r" * 10_000,
    ],
)
def test_what_cannot_be_understood_is_no_budget(limit: str) -> None:
    assert ONE.budget_of({"ratelimit": limit}) is None


@pytest.mark.parametrize("policy", ["", "garbage", '"credits";q=x'])
def test_an_unusable_policy_does_not_hide_what_is_left(policy: str) -> None:
    assert ONE.budget_of({"ratelimit": '"c";r=5', "ratelimit-policy": policy}) == budget("5")


# The wait that is asked for


@pytest.mark.parametrize("is_limited", [True, False])
@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (" 7 ", 7),
        ("007", 7),
        ("1e9", 1e9),
        (LATER, 3),
        # What no vector has of what asks for nothing.
        *((text, None) for text in ("", "+1", "inf", "1.", "0x10", "1 2", "\u0661", "1_0")),
        *((text, None) for text in ("Sun, 99 Nov 1994 08:49:37 GMT", "06 Nov 99999 08:49:37 GMT")),
    ],
)
def test_a_wait_is_asked_for_in_seconds_or_until_a_date(
    is_limited: bool, text: str, seconds: float | None
) -> None:
    headers = {"Retry-After": text, "Date": DATE}
    assert ONE.asked_wait(headers, 0, is_limited=is_limited) == seconds


@pytest.mark.parametrize("headers", [{}, {"Date": "garbage"}])
def test_a_date_counts_from_now_where_the_answer_has_none(headers: Mapping[str, str]) -> None:
    found = ONE.asked_wait({"Retry-After": LATER, **headers}, NOW + 500, is_limited=True)
    assert found == 2.5


@given(st.text(), st.text())
def test_no_header_text_is_an_error(first: str, second: str) -> None:
    headers = {"Retry-After": first, "ratelimit": second, "ratelimit-policy": first, "Date": second}
    wait = ONE.asked_wait(headers, NOW, is_limited=True)
    assert wait is None or wait >= 0
    RateLimit(10).budget_of(headers)


# The latest


def test_the_budget_is_that_of_the_latest_headers() -> None:
    rate_limit = RateLimit(10)
    assert rate_limit.budget() is None
    rate_limit.latest = Response(200, NOTE_16, b"").headers
    assert rate_limit.budget() == budget("120", 32, "125", 60)
    rate_limit.latest = Response(429, {"RateLimit": '"credits";r=0;t=9'}, b"").headers
    assert rate_limit.budget() == budget("0", 9)


def test_the_budget_of_one_answer_is_read_apart_from_the_latest() -> None:
    rate_limit = RateLimit(10)
    assert rate_limit.budget_of(NOTE_16) == budget("120", 32, "125", 60)
    assert rate_limit.budget() is None
