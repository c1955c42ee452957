"""Pages of lists in: typed straight from the bytes where they are as expected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from trading_runtime.codec.answers import EnvelopeReader, RefusedError, opened
from trading_runtime.errors import DecodeError
from trading_runtime.operation import ListOperation
from trading_runtime.pages import Page

if TYPE_CHECKING:
    from trading_runtime.codec.fast_path import PageContent

T = TypeVar("T")
_PAGE = (200, 203)
"""The statuses of a page. Another 2xx says that there is more to come, or that it is only a part."""
_NO_PAGE = "its status is not that of a page"
Instead: TypeAlias = Callable[[Any, str], Any]
"""Makes what stands for a record that cannot be read, of its JSON and of what is wrong with it."""


class PageReader(EnvelopeReader[Page[T]]):
    """Reads one page of a list."""

    _operation: ListOperation[T]

    def __init__(self, operation: ListOperation[T], instead: Instead | None = None) -> None:
        """Read the answers to this operation; `instead` is what stands for a record that cannot be read."""
        from trading_runtime.codec import fast_path

        super().__init__(operation)
        self._instead = instead
        self._fast = fast_path.page_reader(operation)

    def read(self, status: int, body: bytes, content_type: str | None = None) -> Page[T]:
        """See `Reader`."""
        if 200 <= status < 300 and status not in _PAGE:
            raise DecodeError(self._operation.name, _NO_PAGE, body, status, is_json=False)
        if status in _PAGE and (found := self._fast(body)):
            return self._page(found)
        return super().read(status, body, content_type)

    def _page(self, found: PageContent) -> Page[T]:
        return Page(found.items, found.next_cursor, found.has_more)

    def _result(self, status: int, payload: Any) -> Page[T]:
        self._open(payload)
        names = self._operation.pagination
        following = self._at(payload, names.next_cursor, (int if names.integers else str) | None)
        cursor = None if following is None else str(following)
        return Page(
            items=self._items(payload),
            next_cursor=cursor,
            has_more=self._at(payload, names.has_more, bool) if names.has_more else bool(cursor),
        )

    def _open(self, payload: Any) -> None:
        """Look at the envelope of a page.

        Raises:
            RefusedError, ValueError: as `_result`.
        """
        _, failed = opened(self._operation, payload)
        if failed:
            raise RefusedError
        if self._operation.pagination.says_success and "success" not in self._object(payload):
            raise ValueError("required field missing @ $.success")

    def _items(self, payload: Any) -> Sequence[Any]:
        """The records of a page."""
        path, items = self._operation.pagination.items, cast(Any, Sequence)[self._operation.result]
        try:
            found: Sequence[Any] = self._at(payload, path, items)
        except ValueError:
            for step in path.split("."):
                payload = self._object(payload).get(step)
            if self._instead is None or not isinstance(payload, list):
                raise
            found = [self._item(each, self._instead) for each in payload]
        return found

    def _item(self, value: Any, instead: Instead) -> Any:
        try:
            return self._structure(value, self._operation.result, "$")
        except ValueError as error:
            return instead(value, str(error))

    def _at(self, payload: Any, path: str, type_: Any) -> Any:
        """The typed value at a path, like `data.items`."""
        *steps, name = path.split(".")
        for step in steps:
            payload = self._object(payload).get(step)
        return self._member(payload, name, type_, ".".join(["$", *steps]))


class OffsetReader(PageReader[T]):
    """Reads one page of a list whose cursor is the number of records before the page."""

    def __init__(
        self, operation: ListOperation[T], start: int, instead: Instead | None = None
    ) -> None:
        """Read the page after so many records."""
        super().__init__(operation, instead)
        self._start = start

    def _result(self, status: int, payload: Any) -> Page[T]:
        self._open(payload)
        return self._after(self._items(payload))

    def _page(self, found: PageContent) -> Page[T]:
        return self._after(found.items)

    def _after(self, items: Sequence[T]) -> Page[T]:
        # A short page need not be the last one: the service may cap its length.
        following = str(self._start + len(items)) if items else None
        return Page(items=items, next_cursor=following, has_more=bool(items))


def page_reader(
    operation: ListOperation[T], cursor: str | None, instead: Instead | None = None
) -> PageReader[T]:
    """Reads the page at a cursor. Without `instead`, one record that cannot be read makes it a DecodeError."""
    if not operation.pagination.next_cursor:
        return OffsetReader(operation, int(cursor or 0), instead)
    return PageReader(operation, instead)
