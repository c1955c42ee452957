"""Pages of a list, and iterating over them (section 2.10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Generic, NoReturn, TypeVar

from attrs import field, frozen

from trading_runtime.checks import integer
from trading_runtime.codec.fields import UNSET, IntegerLike, Unset, to_text
from trading_runtime.errors import PaginationError

T = TypeVar("T")


def _as_tuple(items: Iterable[T]) -> tuple[T, ...]:
    return tuple(items)


@frozen(repr=False)
class Page(Generic[T]):
    """One page: its items in the order of the service, and where the next page starts.

    A page without items may lead on: a service may filter what a page would hold.
    """

    items: Sequence[T] = field(converter=_as_tuple)
    next_cursor: str | None
    """Hand it back unchanged to fetch the next page. None on the last page."""
    has_more: bool

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        end = f"next_cursor={self.next_cursor!r}, has_more={self.has_more}"
        return f"<Page of {len(self.items)} items, {end}>"


class Paginator(Generic[T]):
    """The items of all pages. Iterating fetches one page at a time; iterating again fetches again.

    Iterating raises a PaginationError where the service contradicts itself about the next page. The
    items before it were yielded.
    """

    def __init__(
        self,
        fetch: Callable[[str | None], Page[T]],
        cursor: str | None = None,
        *,
        operation: str = "",
    ) -> None:
        """Fetch pages with `fetch`, which takes a cursor (None for the first page), from `cursor` on.

        Errors begin with the name of the `operation`, if there is one.
        """
        self._fetch = fetch
        self._cursor = cursor
        self._operation = operation

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self.pages())

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "whether a list has items shows when it is fetched: look at first() or to_list()"
        )

    # Hidden from type checkers, which would offer them.
    if not TYPE_CHECKING:  # pragma: no branch

        def __len__(self) -> NoReturn:
            raise TypeError("how many items a list has shows when all are fetched: len(list(...))")

        def __getitem__(self, place: object) -> NoReturn:
            raise TypeError(
                "items are fetched in their order: write first(), to_list(limit) or a loop"
            )

    def __repr__(self) -> str:
        start = "" if self._cursor is None else f" from cursor {self._cursor!r} on"
        return f"<Paginator of {self._operation or 'a list'}{start}>"

    def first(self) -> T | None:
        """The first item, or None for an empty list. It fetches a page; `limit=1` keeps the page short."""
        return next(iter(self), None)

    def to_list(self, limit: IntegerLike | None = None) -> list[T]:
        """All items, or the first `limit` of them. It fetches no more pages than hold these items.

        Raises:
            TypeError: `limit` is no integer.
            RequestError: `limit` is below 0.
        """
        most = None if limit is None else integer("limit", limit, minimum=0)
        return list(islice(self, most))

    def pages(self) -> Iterator[Page[T]]:
        """Yield page by page. Save a page's next_cursor to go on from there another time.

        The next_cursor of the last page is None: there is no page to go on with.
        """
        cursor = self._cursor
        seen: set[str | None] = {cursor}
        while True:
            page = self._fetch(cursor)
            yield page
            cursor = following(page, cursor, seen, self._operation)
            if cursor is None:
                return
            del page  # frees its memory while the next one is fetched


def to_cursor_text(value: str | Unset) -> str | Unset:
    """The cursor where a list starts; UNSET stands for its beginning.

    Raises:
        TypeError: it is None, like the `next_cursor` of a last page. Read as the beginning, a saved one would
            fetch every record again.
    """
    if value is None:
        raise TypeError(
            "expected a saved next_cursor, not None: the list was read to its end, and a last page has"
            " no next_cursor; to read it from the beginning, leave the cursor out, and compare ids with what you have"
        )
    return value if value is UNSET else to_text(value)


def following(
    page: Page[T], cursor: str | None, seen: set[str | None], operation: str = ""
) -> str | None:
    """The cursor of the next page, which is noted among those `seen`; None after the last one.

    Raises:
        PaginationError: the page that came for `cursor` contradicts itself, or leads back.
    """
    name, found = f"{operation}: " if operation else "", page.next_cursor
    if not page.has_more and not found:
        return None
    if not page.has_more:
        # Either member may be wrong, and a false end would hide the items after it.
        problem, cursor = "has_more is false, but there is a next cursor", found
    elif not found:
        problem = "has_more is true, but there is no next cursor"
    elif found in seen:
        problem = f"the cursor {found!r} came a second time"
    else:
        seen.add(found)
        return found
    # All items before this cursor were yielded; items after it may be yielded again.
    where = "start again without a cursor" if cursor is None else f"cursor={cursor!r}"
    raise PaginationError(f"{name}{problem}; to resume: {where}")
