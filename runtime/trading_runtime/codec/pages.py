"""Pages of a list (section 2.10): iterating over them, the cursor of the next one, and reading one from an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeAlias, TypeVar, cast

from attrs import field, frozen

from trading_runtime.checks import integer
from trading_runtime.codec.answers import EnvelopeReader, RefusedError
from trading_runtime.codec.envelopes import opened
from trading_runtime.codec.fields import UNSET, IntegerLike, Unset, to_text
from trading_runtime.errors import DecodeError, PaginationError
from trading_runtime.operation import ListOperation

T = TypeVar("T")


def _as_tuple(items: Iterable[T]) -> tuple[T, ...]:
    return tuple(items)


def _as_cursor(cursor: str | None) -> str | None:
    """A cursor that leads on, or None. An empty one ends a list like null."""
    return cursor or None


@frozen(repr=False)
class Page(Generic[T]):
    """One page: its items in the order of the service, and where the next page starts.

    A page without items may lead on: a service may filter what a page would hold.
    """

    items: Sequence[T] = field(converter=_as_tuple)
    next_cursor: str | None = field(converter=_as_cursor)
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
    if not page.has_more and found is None:
        return None
    if not page.has_more:
        # Either member may be wrong, and a false end would hide the items after it.
        problem, cursor = "has_more is false, but there is a next cursor", found
    elif found is None:
        problem = "has_more is true, but there is no next cursor"
    elif found in seen:
        problem = f"the cursor {found!r} came a second time"
    else:
        seen.add(found)
        return found
    # All items before this cursor were yielded; items after it may be yielded again.
    where = "start again without a cursor" if cursor is None else f"cursor={cursor!r}"
    raise PaginationError(f"{name}{problem}; to resume: {where}")


# -- one page in an answer ------------------------------------------------------------------------

_PAGE = (200, 203)
"""The statuses of a page. Another 2xx announces a later answer, or is only a part."""
_NO_PAGE = "its status is not that of a page"
Instead: TypeAlias = Callable[[Any, str], Any]
"""Makes a stand-in for a record that cannot be read, from its JSON and from what is wrong with it."""


class PageReader(EnvelopeReader[Page[T]]):
    """Reads one page of a list.

    Without `instead`, a record that cannot be read makes the whole page a DecodeError.
    """

    _operation: ListOperation[T]

    def __init__(
        self,
        operation: ListOperation[T],
        cursor: str | None = None,
        instead: Instead | None = None,
    ) -> None:
        """Read the page at a cursor; `instead` makes a stand-in for each record that cannot be read."""
        super().__init__(operation)
        self._start = None if operation.pagination.next_cursor else int(cursor or 0)
        self._instead = instead
        self._read_plain = self._decoder.page_reader(operation)

    def read(self, status: int, body: bytes, content_type: str | None = None) -> Page[T]:
        """See `Reader`."""
        if 200 <= status < 300 and status not in _PAGE:
            raise DecodeError(self._operation.name, _NO_PAGE, body, status, is_json=False)
        if status in _PAGE and (page := self._read_plain(body)):
            return self._page(page.items, page.next_cursor, page.has_more)
        return super().read(status, body, content_type)

    def _result(self, status: int, payload: Any, body: bytes) -> Page[T]:
        """A page that says something beside its records, or holds one that cannot be read."""
        _, failed = opened(self._operation, payload)
        if failed:
            raise RefusedError
        names = self._operation.pagination
        if names.says_success:
            self._typed(bool, body, "success")
        cursor = self._typed(str | None, body, names.next_cursor) if names.next_cursor else None
        has_more = self._typed(bool, body, names.has_more) if names.has_more else bool(cursor)
        return self._page(self._records(body), cursor, has_more)

    def _page(self, records: Sequence[Any], cursor: str | None, has_more: bool) -> Page[T]:
        if self._start is None:
            return Page(records, cursor, has_more)
        # A short page need not be the last one: the service may cap its length.
        following = str(self._start + len(records)) if records else None
        return Page(records, following, has_more=bool(records))

    def _records(self, body: bytes) -> Sequence[Any]:
        name = self._operation.pagination.items
        records = cast(Any, tuple)[self._operation.result, ...]
        try:
            return cast(Sequence[Any], self._typed(records, body, name))
        except ValueError:
            data, path = self._decoder.at(body, name)
            if self._instead is None or not bytes(data).lstrip().startswith(b"["):
                raise
        return [
            self._record(each, f"{path}[{i}]") for i, each in enumerate(self._decoder.items(data))
        ]

    def _record(self, data: Any, path: str) -> Any:
        assert self._instead is not None
        try:
            return self._decoder.reader(self._operation.result)(data, path)
        except ValueError as error:
            return self._instead(self._decoder.parsed(data), str(error))
