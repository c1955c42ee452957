"""Walks over pages: what comes is a beginning of the list, once, and every walk has an end."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from hypothesis import given, strategies as st

from tests.fuzz.mutations import mutated
from trading_runtime.codec.pages import Page, PageReader, Paginator
from trading_runtime.errors import ApiError, DecodeError, PaginationError
from trading_runtime.operation import ListOperation, Pagination

Pages = list[Page[int]]

LIST: ListOperation[int] = ListOperation(
    name="things.list",
    method="GET",
    path="/list",
    result=int,
    pagination=Pagination(
        items="data", cursor="at", next_cursor="next_cursor", has_more="has_more"
    ),
)
cursors = st.none() | st.sampled_from(["", "a", "b", "c", "d", "e", "\ud800", "'"])


@st.composite
def any_pages(draw: st.DrawFn) -> Pages:
    """Pages that may contradict each other; no two records are the same."""
    shapes = draw(
        st.lists(st.tuples(st.integers(0, 2), cursors, st.booleans() | st.just(True)), max_size=8)
    )
    numbers = iter(range(100))
    return [
        Page([next(numbers) for _ in range(size)], cursor, more) for size, cursor, more in shapes
    ]


@st.composite
def whole_list(draw: st.DrawFn) -> Pages:
    """Pages that agree with each other, two at least."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=2, max_size=8))
    numbers, last = iter(range(100)), len(sizes) - 1
    return [
        Page([next(numbers) for _ in range(size)], f"c{at + 1}" if at < last else None, at < last)
        for at, size in enumerate(sizes)
    ]


class Walk(NamedTuple):
    """What came, and what was fetched for it."""

    items: list[int]
    fetched: list[str | None]
    error: PaginationError | None


def walked(paginator: Paginator[int], fetched: list[str | None]) -> Walk:
    items: list[int] = []
    try:
        for item in paginator:
            items.append(item)
    except PaginationError as error:
        return Walk(items, fetched, error)
    return Walk(items, fetched, None)


def note(fetched: list[str | None], cursor: str | None) -> None:
    fetched.append(cursor)
    assert len(fetched) < 50, "the walk does not end"


def in_turn(pages: Pages, start: str | None) -> Walk:
    """Walk where the service answers with one page after the other, and then again from the first."""
    fetched: list[str | None] = []

    def fetch(cursor: str | None) -> Page[int]:
        note(fetched, cursor)
        return pages[(len(fetched) - 1) % len(pages)]

    return walked(Paginator(fetch, start), fetched)


def all_items(pages: Pages) -> list[int]:
    return [item for page in pages for item in page]


@given(any_pages().filter(bool), cursors)
def test_a_beginning_of_the_list_comes_once_and_the_walk_ends(
    pages: Pages, start: str | None
) -> None:
    walk = in_turn(pages, start)
    read = [pages[number % len(pages)] for number in range(len(walk.fetched))]
    assert walk.items == all_items(read)
    assert len(set(walk.fetched)) == len(walk.fetched)
    assert walk.fetched == [start, *(page.next_cursor for page in read[:-1])]
    assert all(page.has_more for page in read[:-1])
    # Silence means the end of the list, and nothing else does.
    last = read[-1]
    assert (walk.error is None) == (not last.has_more and not last.next_cursor)


@given(whole_list(), st.data())
def test_pages_with_changed_json_end_in_a_beginning_of_the_list_or_in_an_error(
    pages: Pages, data: st.DataObject
) -> None:
    answers = [
        {"success": True, "data": list(page), "next_cursor": page.next_cursor, "has_more": more}
        for page in pages
        for more in [page.has_more]
    ]
    at = data.draw(st.integers(0, len(pages) - 1))
    answers[at] = data.draw(mutated(answers[at]))
    fetched: list[str | None] = []

    def fetch(cursor: str | None) -> Page[int]:
        note(fetched, cursor)
        number = int(cursor[1:]) if cursor else 0
        body = json.dumps(answers[number] if number < len(answers) else {}).encode()
        return PageReader(LIST).read(200, body)

    items: list[Any] = []
    try:
        for page in Paginator(fetch).pages():
            items += page
    except (ApiError, DecodeError, PaginationError):
        pass
    except (KeyError, ValueError, IndexError):
        # The changed page led to a cursor that this service does not know.
        assert len(fetched) == at + 2
    assert len(set(fetched)) == len(fetched)
    before = all_items(pages[:at])
    assert items[: len(before)] == before
    assert {type(item) for item in items} <= {int}
