"""What is said of a message that stays unsettled: until when, by whose clock, and when to call again."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.runtime.recovery.histories import AGAIN, BY_HAND
from trading_runtime.clock import Skew
from trading_runtime.recovery.settlement import NO_AGE, NO_TIME, LeftOpen

DAY = 86_400_000
EXPIRY = "the service can accept it until 86400000 ms (1970-01-02 00:00:00 UTC)"
AHEAD = f"{EXPIRY} by its clock, which is 7 s ahead of this machine's"
OPEN = LeftOpen(until=DAY, skew=Skew(7_000, 7_000), again=DAY + 2_001, now=DAY)
IN_3_S = "in 3 s, at 1970-01-02 00:00:03 UTC by this machine's clock"


@pytest.mark.parametrize(
    ("skew", "said"),
    [
        (None, ""),
        (Skew(-1_000, 1_000), ""),
        (Skew(-9_000, -5_000), ""),
        (Skew(-300_500, -299_500), " by its clock, which is 300 s behind this machine's"),
        (Skew(5_001, 7_000), " by its clock, which is 6 s ahead of this machine's"),
        (Skew(-7_000, -5_001), " by its clock, which is 6 s behind this machine's"),
        (Skew(500_500, 500_502), " by its clock, which is 501 s ahead of this machine's"),
        (Skew(0, 2_000, -5_000), ""),
        (
            Skew(0, 2_000, -15_400),
            " by its clock, which an answer told to be 15 s behind this machine's",
        ),
    ],
)
def test_by_whose_clock_a_message_expires_is_said_where_they_differ(
    skew: Skew | None, said: str
) -> None:
    found = LeftOpen(until=DAY, skew=skew, again=0, now=0).too_early()

    assert found == f"; {EXPIRY}{said}; {AGAIN}"


@pytest.mark.parametrize(
    ("again", "now", "text"),
    [
        (DAY, DAY, ""),
        (DAY, DAY + 5_000, ""),
        (DAY + 1, DAY, " in 1 s, at 1970-01-02 00:00:01 UTC by this machine's clock"),
        (DAY + 600_500, DAY + 499, " in 601 s, at 1970-01-02 00:10:02 UTC by this machine's clock"),
    ],
)
def test_when_to_call_again_is_said_by_the_clock_of_whoever_calls(
    again: int, now: int, text: str
) -> None:
    found = LeftOpen(until=DAY, skew=None, again=again, now=now)

    assert found.too_early() == f"; {EXPIRY}; {AGAIN}{text}"
    no_calendar = "until 1000000000000000000 ms (in a year that no calendar has)"
    assert no_calendar in evolve(found, until=10**18).too_early()


def test_what_keeps_it_open_is_said_before_what_to_do() -> None:
    no_time = "no answer told the service's time (the Date of its answers is missing or wrong)"
    no_age = "a cache gives pages whose Age cannot be read, or is more than a day"
    progress = "look 2: 3 pages with 300 records of orders.history"
    nothing_yet = f"nothing was read yet; {AGAIN} {IN_3_S}"
    told = f"{progress}; client.reconcile(error) goes on from there; call it {IN_3_S}"

    assert (
        OPEN.tells_nothing(NO_TIME) == f"; {no_time}, so absence tells nothing; {AHEAD}; {BY_HAND}"
    )
    assert OPEN.tells_nothing(NO_AGE) == f"; {no_age}, so absence tells nothing; {AHEAD}; {BY_HAND}"
    # A clock that was set tells no skew.
    assert OPEN.clock_was_set() == (
        f"; this machine's clock was set meanwhile; {EXPIRY}; {AGAIN} {IN_3_S}"
    )
    assert OPEN.so_far("", None) == f"; {nothing_yet}"
    assert OPEN.so_far("", progress) == f"; {told}"
    assert OPEN.out_of_time("it waits", progress) == f"; it waits; {told}; {AHEAD}"
    assert OPEN.out_of_time("it waits", None) == f"; it waits; {nothing_yet}; {AHEAD}"
