"""Walks over pages: what comes is a beginning of the list, once, and every walk has an end."""

from __future__ import annotations

import json
from typing import Any

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


ANSWERS: list[dict[str, Any]] = [
    {"success": True, "data": items, "next_cursor": cursor, "has_more": cursor is not None}
    for items, cursor in (([0, 1], "c1"), ([2], "c2"), ([3, 4, 5], "c3"), ([6], None))
]
"""The pages of a list."""


def note(fetched: list[str | None], cursor: str | None) -> None:
    fetched.append(cursor)
    assert len(fetched) < 50, "the walk does not end"


@given(any_pages().filter(bool), cursors)
def test_a_beginning_of_the_list_comes_once_and_the_walk_ends(
    pages: Pages, start: str | None
) -> None:
    """The service answers with one page after the other, and then again from the first."""
    fetched: list[str | None] = []
    items: list[int] = []
    failed = False

    def fetch(cursor: str | None) -> Page[int]:
        note(fetched, cursor)
        return pages[(len(fetched) - 1) % len(pages)]

    try:
        for item in Paginator(fetch, start):
            items.append(item)
    except PaginationError:
        failed = True
    read = [pages[number % len(pages)] for number in range(len(fetched))]
    assert items == [item for page in read for item in page]
    assert len(set(fetched)) == len(fetched)
    assert fetched == [start, *(page.next_cursor for page in read[:-1])]
    assert all(page.has_more for page in read[:-1])
    # Silence means the end of the list, and nothing else does.
    last = read[-1]
    assert failed == bool(last.has_more or last.next_cursor)


@given(st.integers(0, 3), st.data())
def test_pages_with_changed_json_end_in_a_beginning_of_the_list_or_in_an_error(
    at: int, data: st.DataObject
) -> None:
    answers = [*ANSWERS]
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
    before = [item for answer in ANSWERS[:at] for item in answer["data"]]
    assert items[: len(before)] == before
    assert {type(item) for item in items} <= {int}
