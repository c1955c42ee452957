"""What an answer says of the rate limit, and how long it asks to wait."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from trading_runtime.rate_limit import RateLimit

ONE = RateLimit(1)
NOW = 784_111_777_000
DATE = "Sun, 06 Nov 1994 08:49:37 GMT"
LATER = "Sun, 06 Nov 1994 08:49:40 GMT"


# The wait that is asked for


@pytest.mark.parametrize("is_limited", [True, False])
@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (" 7 ", 7),
        ("1e9", 1e9),
        (LATER, 3),
        # What no vector has of what asks for nothing.
        *((text, None) for text in ("", "+1", "inf", "1.", "0x10", "1 2", "\u0661", "1_0")),
        *((text, None) for text in ("Sun, 99 Nov 1994 08:49:37 GMT", "06 Nov 99999 08:49:37 GMT")),
    ],
)
def test_a_wait_is_a_number_or_a_date(is_limited: bool, text: str, seconds: float | None) -> None:
    headers = {"Retry-After": text, "Date": DATE}
    assert ONE.asked_wait(headers, 0, is_limited=is_limited) == seconds


@given(st.text(), st.text())
def test_no_header_text_is_an_error(first: str, second: str) -> None:
    headers = {"Retry-After": first, "ratelimit": second, "ratelimit-policy": first, "Date": second}
    wait = ONE.asked_wait(headers, NOW, is_limited=True)
    assert wait is None or wait >= 0
    RateLimit(10).budget_of(headers)


# The latest
