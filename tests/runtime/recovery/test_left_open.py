"""What is said of a message that stays unsettled."""

from __future__ import annotations

import pytest

from trading_runtime.clock import Skew
from trading_runtime.intent import ListProgress, Look, Progress
from trading_runtime.recovery.left_open import LeftOpen

DAY = 86_400_000
EXPIRY = "the service can accept it until 86400000 ms (1970-01-02 00:00:00 UTC)"
AHEAD = f"{EXPIRY} by its clock, which is 7 s ahead of this machine's"
BY_HAND = (
    "calling client.reconcile(error) again does not help while that is so; after that time, look for it "
    "in the histories yourself"
)
OPEN = LeftOpen(until=DAY, skew=Skew(7_000, 7_000), again=DAY + 2_001, now=DAY)
AGAIN = "call client.reconcile(error) again"


@pytest.mark.parametrize(
    ("until", "skew", "text"),
    [
        (DAY, None, "86400000 ms (1970-01-02 00:00:00 UTC);"),
        (DAY, Skew(-1_000, 1_000), "86400000 ms (1970-01-02 00:00:00 UTC);"),
        (DAY, Skew(-9_000, -5_000), "86400000 ms (1970-01-02 00:00:00 UTC);"),
        (DAY, Skew(-300_500, -299_500), "UTC) by its clock, which is 300 s behind this machine's;"),
        (DAY, Skew(5_001, 7_000), "UTC) by its clock, which is 6 s ahead of this machine's;"),
        (DAY, Skew(-7_000, -5_001), "UTC) by its clock, which is 6 s behind this machine's;"),
        (DAY, Skew(500_500, 500_502), "UTC) by its clock, which is 501 s ahead of this machine's;"),
        (DAY, Skew(0, 2_000, -5_000), "86400000 ms (1970-01-02 00:00:00 UTC);"),
        (DAY, Skew(0, 2_000, -15_400), "UTC) by its clock, which an answer told to be 15 s behind"),
        (10**18, None, "1000000000000000000 ms (in a year that no calendar has);"),
    ],
)
def test_when_a_message_expires_is_said_in_utc_and_by_whose_clock(
    until: int, skew: Skew | None, text: str
) -> None:
    said = LeftOpen(until=until, skew=skew, again=0, now=0).too_early()

    assert f"until {text}" in said or text in said
    assert said.endswith(f"; {AGAIN}")


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
    said = LeftOpen(until=DAY, skew=None, again=again, now=now).too_early()

    assert said == f"; {EXPIRY}; {AGAIN}{text}"


def test_what_keeps_it_open_is_said_before_what_to_do() -> None:
    no_time = "no answer told the service's time (the Date of its answers is missing or wrong)"
    no_age = "a cache gives pages whose Age cannot be read, or is more than a day"

    assert OPEN.no_time() == f"; {no_time}, so absence tells nothing; {AHEAD}; {BY_HAND}"
    assert OPEN.no_age() == f"; {no_age}, so absence tells nothing; {AHEAD}; {BY_HAND}"


def test_a_clock_that_was_set_tells_no_skew() -> None:
    again = f"{AGAIN} in 3 s, at 1970-01-02 00:00:03 UTC by this machine's clock"

    assert OPEN.clock_was_set() == f"; this machine's clock was set meanwhile; {EXPIRY}; {again}"


def test_where_the_time_ran_out_it_is_said_how_far_the_reading_came() -> None:
    lists = {"orders.history": ListProgress(pages=3, records=300)}
    look = Look(number=1, since=DAY, as_of=None, lists=lists, kept=[])
    progress = Progress(looks=(look,))
    when = "in 3 s, at 1970-01-02 00:00:03 UTC by this machine's clock"
    nothing_yet = f"nothing was read yet; {AGAIN} {when}"
    told = f"{progress}; client.reconcile(error) goes on from there; call it {when}"

    assert OPEN.so_far("", None) == f"; {nothing_yet}"
    assert OPEN.so_far("", progress) == f"; {told}"
    assert OPEN.out_of_time("it waits", progress) == f"; it waits; {told}; {AHEAD}"
    assert OPEN.out_of_time("it waits", None) == f"; it waits; {nothing_yet}; {AHEAD}"
