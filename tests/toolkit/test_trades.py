"""Trades are followed: each comes once, also over restarts."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from tests.doubles.clock import VirtualTime
from tests.toolkit.records import NOON, Listing, a_trade
from trading_toolkit import ToolkitError, trades

LATER = NOON + 100_000
STATE = '{"version": 1, "source": "me all https://exchange.example"'
"""How the file of a state begins."""


class Stopped(Exception):
    """The test has seen enough."""


def follow(
    listing: Listing, state: Path, looks: int, then: Callable[[], Any] = lambda: 0
) -> Generator[int, None, None]:
    """The ids that come in some looks; `then` happens after each."""

    def wait(_: float) -> None:
        nonlocal looks
        looks -= 1
        if not looks:
            raise Stopped
        then()

    try:
        for each in trades.follow(listing, NOON, state=state, wait=wait):  # type: ignore[arg-type]
            yield each.history_id
    except Stopped:
        pass


def test_each_trade_comes_once_oldest_first_also_late_ones(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(2, LATER + 1), a_trade(1, LATER)])

    def more() -> None:
        last = max(each.history_id for each in listing.records)
        newest = max(each.created_at for each in listing.records)
        # One is new, the other one appears late.
        listing.records += [a_trade(last + 1, newest + 7), a_trade(last + 2, newest - 59_000)]

    assert list(follow(listing, tmp_path / "s", 3, more)) == [1, 2, 4, 3, 6, 5]
    assert list(follow(listing, tmp_path / "s", 1)) == []
    more()
    assert list(follow(listing, tmp_path / "s", 1)) == [8, 7]


def test_a_trade_counts_when_the_next_is_asked_for(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(n, NOON + n) for n in range(5)])
    first = follow(listing, tmp_path / "s", 1)
    assert [next(first), next(first), next(first)] == [0, 1, 2]
    first.close()  # the third one was being handled
    assert list(follow(listing, tmp_path / "s", 1)) == [2, 3, 4]


def test_a_cut_line_is_a_trade_not_delivered_and_after_an_error_it_goes_on(tmp_path: Path) -> None:
    state, listing = tmp_path / "s", Listing("trades.history")
    listing.records = [a_trade(n, NOON + n) for n in range(5)]
    listing.fails = {"2": RuntimeError("no answer")}
    with pytest.raises(RuntimeError):
        list(follow(listing, state, 1))
    assert list(follow(listing, state, 1)) == [0, 1, 2, 3, 4]
    state.write_text(state.read_text()[:-4])  # by a crash
    assert list(follow(listing, state, 1)) == [4]


def test_old_ids_are_forgotten_and_the_list_is_read_from_later_on(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(n, NOON + n * 60_000) for n in range(50)])
    assert len(list(follow(listing, tmp_path / "s", 3))) == 50
    assert listing.calls[-1][1] > NOON + 40 * 60_000
    assert len((tmp_path / "s").read_text().splitlines()) < 5


@pytest.mark.parametrize("answers_from", [lambda at: at // 60_000 * 60_000, lambda at: 0])
def test_a_service_that_rounds_the_time_down_or_ignores_it_doubles_nothing(
    tmp_path: Path, answers_from: Callable[[int], int]
) -> None:
    before = [a_trade(1, NOON - 7), a_trade(2, NOON - 60_000)]
    listing = Listing("trades.history", before)
    listing.answers_from = answers_from

    def more() -> None:
        first, at = len(listing.records) + 1, NOON + len(listing.records) * 700
        listing.records += [a_trade(first + n, at + n * 700) for n in range(9)]

    delivered = list(follow(listing, tmp_path / "s", 15, more))
    for _ in range(3):  # also over restarts
        delivered += list(follow(listing, tmp_path / "s", 5, more))
    made = sorted(each.history_id for each in listing.records[len(before) :])
    assert delivered == made[: len(delivered)]
    assert len(delivered) > 200
    # Old ids are forgotten all the same.
    assert len((tmp_path / "s").read_text().splitlines()) < 200


def test_a_trade_that_shifting_pages_bring_twice_comes_once(tmp_path: Path) -> None:
    twice = [a_trade(1, NOON), a_trade(2, NOON + 1), a_trade(2, NOON + 1), a_trade(3, NOON + 2)]
    assert list(follow(Listing("trades.history", twice), tmp_path / "s", 2)) == [1, 2, 3]


def test_what_is_made_while_a_list_is_read_hides_nothing_that_is_late(tmp_path: Path) -> None:
    with VirtualTime(NOON).ruling() as time:
        listing = Listing("trades.history", [a_trade(n, NOON) for n in range(3)])
        at_once = listing.page

        def page(since: int, cursor: str | None, limit: int = 0) -> Any:
            if len(listing.calls) == 1:  # two minutes after the first page
                time.advance(120_000)
                listing.records.append(a_trade(3, time.now - 1))
            return at_once(since, cursor)

        def late() -> None:
            listing.records.insert(0, a_trade(4, NOON + 30_000))

        listing.page = page  # type: ignore[method-assign]
        assert list(follow(listing, tmp_path / "s", 2, late)) == [0, 1, 2, 3, 4]


def test_two_trades_of_one_id_are_no_silent_choice(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(7, NOON), evolve(a_trade(7, NOON), symbol="ETH")])
    with pytest.raises(ToolkitError, match=r"two trades have the id 7: .*BTC.* and .*ETH"):
        list(follow(listing, tmp_path / "s", 1))
    listing.records = [a_trade(7, NOON)]
    assert list(follow(listing, tmp_path / "s", 1)) == [7]
    listing.records = [a_trade(7, NOON + 5)]
    words = f"trade 7 was made at {NOON} when it was delivered, and is at {NOON + 5} now"
    with pytest.raises(ToolkitError, match=words):
        list(follow(listing, tmp_path / "s", 1))


def test_a_time_of_another_unit_names_the_trade(tmp_path: Path) -> None:
    for power, unit in ((-3, "seconds"), (3, "microseconds"), (6, "nanoseconds")):
        at = int(NOON * 10**power)
        listing = Listing("trades.history", [a_trade(1, NOON), a_trade(7, at)])
        listing.answers_from = lambda since: 0
        with pytest.raises(ToolkitError, match=f"trade 7: created_at: {at} is a time in {unit}"):
            list(follow(listing, tmp_path / "s", 1))


@pytest.mark.parametrize("state", ["/dev/full", "/dev/zero", "folder", "pipe"])
def test_a_state_that_is_no_regular_file_is_refused(tmp_path: Path, state: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ToolkitError, match=r"is no regular file; name a file of its own"):
        list(follow(Listing("trades.history"), tmp_path / state, 1))
    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe"]


def test_a_full_disk_is_told_with_the_path(tmp_path: Path) -> None:
    state = tmp_path / "s"
    following = follow(Listing("trades.history", [a_trade(1, NOON)]), state, 1)
    assert next(following) == 1
    # The file is open: let what is written next not fit.
    for each in Path("/proc/self/fd").iterdir():
        if each.exists() and each.resolve() == state:
            os.dup2(os.open("/dev/full", os.O_WRONLY), int(each.name))
    with pytest.raises(ToolkitError, match=r"cannot use .*/s: No space left.*; make room"):
        next(following)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense", "is no state of follow"),
        (f"{STATE}}}\n", "is no state of follow"),
        ("\N{LATIN SMALL LETTER O WITH DIAERESIS}", "is no state of follow"),
        (f'{STATE.replace("me", "you")}, "since": 1}}\n', "follows you all .* not me all"),
        (f'{STATE.replace("1", "2")}, "since": 1}}\n', r"\(version 2\)"),
    ],
)
def test_a_state_of_something_else_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "s").write_text(text, "latin-1")
    with pytest.raises(ToolkitError, match=words):
        list(follow(Listing("trades.history"), tmp_path / "s", 1))
    assert (tmp_path / "s").read_text("latin-1") == text


def test_two_programs_do_not_share_a_state(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(n, NOON + n) for n in range(5)])
    first = follow(listing, tmp_path / "s", 1)
    assert next(first) == 0
    with pytest.raises(ToolkitError, match="another program follows with"):
        list(follow(listing, tmp_path / "s", 1))
    first.close()
    assert list(follow(listing, tmp_path / "s", 1)) == [0, 1, 2, 3, 4]


def test_wrong_arguments_are_told(tmp_path: Path) -> None:
    listing: Any = Listing("trades.history")
    seconds: Any = ({"every": -1}, {"lag": "x"}, {"lag": float("nan")})
    for wrong in seconds:
        with pytest.raises(ToolkitError, match="must be a number of seconds, 0 or more"):
            next(trades.follow(listing, NOON, state=tmp_path / "s", **wrong))
    listing.account_address = None
    with pytest.raises(ToolkitError, match="give the client an account"):
        list(follow(listing, tmp_path / "s", 1))
