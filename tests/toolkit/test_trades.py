"""Trades are followed: each comes once, also over restarts."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from tests.toolkit.test_history import NOON, Listing, a_trade
from trading_toolkit import ToolkitError, trades

pytestmark = pytest.mark.toolkit
LATER = NOON + 100_000


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


def test_a_line_that_a_crash_cut_is_a_trade_not_delivered(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(n, NOON + n) for n in range(3)])
    assert list(follow(listing, tmp_path / "s", 1)) == [0, 1, 2]
    (tmp_path / "s").write_text((tmp_path / "s").read_text()[:-4])
    assert list(follow(listing, tmp_path / "s", 1)) == [2]


def test_old_ids_are_forgotten_and_the_list_is_read_from_later_on(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(n, NOON + n * 60_000) for n in range(50)])
    assert len(list(follow(listing, tmp_path / "s", 3))) == 50
    assert listing.calls[-1][1] > NOON + 40 * 60_000
    assert len((tmp_path / "s").read_text().splitlines()) < 5


def test_an_error_ends_it_and_it_goes_on_afterwards(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(n, NOON + n) for n in range(5)])
    listing.fails = {"2": RuntimeError("no answer")}
    with pytest.raises(RuntimeError):
        list(follow(listing, tmp_path / "s", 1))
    assert list(follow(listing, tmp_path / "s", 1)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense", "is no state of follow"),
        ('{"version": 1}\n', "is no state of follow"),
        (
            '{"version": 1, "source": "you all https://exchange.example", "since": 1}\n',
            "follows you all .* not me all",
        ),
        (
            '{"version": 2, "source": "me all https://exchange.example", "since": 1}\n',
            r"\(version 2\)",
        ),
    ],
)
def test_a_state_of_something_else_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "s").write_text(text)
    with pytest.raises(ToolkitError, match=words):
        list(follow(Listing("trades.history"), tmp_path / "s", 1))
    assert (tmp_path / "s").read_text() == text


def test_two_programs_do_not_share_a_state(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(n, NOON + n) for n in range(5)])
    first = follow(listing, tmp_path / "s", 1)
    assert next(first) == 0
    with pytest.raises(ToolkitError, match="another program follows with"):
        list(follow(listing, tmp_path / "s", 1))
    first.close()
    assert list(follow(listing, tmp_path / "s", 1)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("wrong", [{"every": -1}, {"lag": "x"}, {"lag": float("nan")}])
def test_a_wrong_number_of_seconds_is_told(tmp_path: Path, wrong: dict[str, Any]) -> None:
    listing: Any = Listing("trades.history")
    with pytest.raises(ToolkitError, match="must be a number of seconds, 0 or more"):
        next(trades.follow(listing, NOON, state=tmp_path / "s", **wrong))


def test_a_client_without_an_account_is_told(tmp_path: Path) -> None:
    listing = Listing("trades.history")
    listing.account_address = None  # type: ignore[assignment]
    with pytest.raises(ToolkitError, match="give the client an account"):
        list(follow(listing, tmp_path / "s", 1))


def test_a_state_that_is_no_regular_file_is_refused_and_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/full"), tmp_path / "pipe", tmp_path):
        with pytest.raises(ToolkitError, match=rf"{path} is no regular file; name a file"):
            list(follow(Listing("trades.history"), path, 1))
