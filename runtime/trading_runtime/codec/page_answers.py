"""Pages of lists in: most by the fast path, the others like any answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar, cast

from trading_runtime.codec.answers import EnvelopeReader, RefusedError
from trading_runtime.codec.envelopes import opened
from trading_runtime.errors import DecodeError
from trading_runtime.operation import ListOperation
from trading_runtime.pages import Page

T = TypeVar("T")
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
        from trading_runtime.codec.fast_path import page_reader

        super().__init__(operation)
        self._start = None if operation.pagination.next_cursor else int(cursor or 0)
        self._instead = instead
        self._read_fast = page_reader(operation)

    def read(self, status: int, body: bytes, content_type: str | None = None) -> Page[T]:
        """See `Reader`."""
        if 200 <= status < 300 and status not in _PAGE:
            raise DecodeError(self._operation.name, _NO_PAGE, body, status, is_json=False)
        if status in _PAGE and (found := self._read_fast(body)):
            if self._start is not None:
                return _page_after(self._start, found.items)
            return Page(found.items, found.next_cursor, found.has_more)
        return super().read(status, body, content_type)

    def _result(self, status: int, payload: Any) -> Page[T]:
        _, failed = opened(self._operation, payload)
        if failed:
            raise RefusedError
        names = self._operation.pagination
        if names.says_success and "success" not in self._decoder.as_object(payload):
            raise ValueError("required field missing @ $.success")
        if self._start is not None:
            return _page_after(self._start, self._items(payload))
        following = self._at(payload, names.next_cursor, (int if names.integers else str) | None)
        cursor = None if following is None else str(following)
        return Page(
            items=self._items(payload),
            next_cursor=cursor,
            has_more=self._at(payload, names.has_more, bool) if names.has_more else bool(cursor),
        )

    def _items(self, payload: Any) -> Sequence[Any]:
        """The records of a page."""
        path, items = self._operation.pagination.items, cast(Any, Sequence)[self._operation.result]
        try:
            found: Sequence[Any] = self._at(payload, path, items)
        except ValueError:
            for step in path.split("."):
                payload = self._decoder.as_object(payload).get(step)
            if self._instead is None or not isinstance(payload, list):
                raise
            found = [self._item(each, self._instead) for each in payload]
        return found

    def _item(self, value: Any, instead: Instead) -> Any:
        try:
            return self._decoder.structure(value, self._operation.result, "$")
        except ValueError as error:
            return instead(value, str(error))

    def _at(self, payload: Any, path: str, type_: Any) -> Any:
        """The typed value at a path, like `data.items`."""
        *steps, name = path.split(".")
        for step in steps:
            payload = self._decoder.as_object(payload).get(step)
        return self._member(payload, name, type_, ".".join(["$", *steps]))


def _page_after(start: int, items: Sequence[Any]) -> Page[Any]:
    """A page of a list whose cursor is the number of records before the page."""
    # A short page need not be the last one: the service may cap its length.
    following = str(start + len(items)) if items else None
    return Page(items, following, has_more=bool(items))
