"""Paging: every item once and in order, one page at a time, and no walk without an end.

spec/vectors/pages says which pages end a list, lead on or contradict themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from trading_runtime.codec.pages import Page, Paginator
from trading_runtime.errors import RequestError

PAGES = st.lists(st.lists(st.integers(), min_size=1, max_size=4), min_size=1, max_size=5)


class Book:
    """A list of pages that can be fetched by cursor, and that remembers what was fetched."""

    def __init__(self, pages: Sequence[Page[int]], start: str | None = None) -> None:
        cursors = [start, *(page.next_cursor for page in pages)]
        self.pages = dict(reversed(list(zip(cursors, pages, strict=False))))
        self.fetched: list[str | None] = []

    def fetch(self, cursor: str | None) -> Page[int]:
        self.fetched.append(cursor)
        return self.pages[cursor]


def book(*pages: Sequence[int]) -> Book:
    last = len(pages) - 1
    return Book(
        [
            Page(items, None if number == last else f"c{number + 1}", number < last)
            for number, items in enumerate(pages)
        ]
    )


@given(PAGES)
def test_every_item_comes_once_and_in_order(pages: list[list[int]]) -> None:
    found = book(*pages)
    assert list(Paginator(found.fetch)) == [item for page in pages for item in page]
    assert len(found.fetched) == len(pages)
    assert [list(page) for page in Paginator(found.fetch).pages()] == pages


@given(PAGES, st.data())
def test_a_list_takes_the_pages_that_hold_it(pages: list[list[int]], data: st.DataObject) -> None:
    every = [item for page in pages for item in page]
    limit = data.draw(st.none() | st.integers(0, len(every) + 2))
    found = book(*pages)

    assert Paginator(found.fetch).to_list(limit) == every[:limit]
    if limit is None or limit > len(every):
        assert len(found.fetched) == len(pages)
    else:
        before = [sum(map(len, pages[:number])) for number in range(len(pages))]
        assert len(found.fetched) == sum(held < limit for held in before)


def test_a_page_says_what_it_is_and_not_all_that_it_holds() -> None:
    shown = "<Page of 1000 items, next_cursor='c1', has_more=True>"
    assert repr(Page(range(1000), "c1", True)) == shown


def test_a_limit_that_is_none_is_refused_before_a_page_is_fetched() -> None:
    found = book([1])
    wrong: Any
    for wrong in (True, 1.0, "1"):
        with pytest.raises(TypeError, match=r"^limit must be an integer, not "):
            Paginator(found.fetch).to_list(wrong)
    with pytest.raises(RequestError, match=r"^limit must be at least 0, not -1$"):
        Paginator(found.fetch).to_list(-1)
    assert found.fetched == []
