"""Lists: each page of them is a call of its own."""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol, TypeVar

from trading_runtime.call.draft import Draft, Part
from trading_runtime.codec.answers import Reader
from trading_runtime.codec.page_answers import Instead, PageReader
from trading_runtime.codec.requests import unstructure
from trading_runtime.operation import ListOperation
from trading_runtime.pages import Page, Paginator

T = TypeVar("T")
R = TypeVar("R")


class _CarryOut(Protocol):
    def __call__(self, draft: Draft, reader: Reader[R]) -> R: ...


def listed(carry_out: _CarryOut, operation: ListOperation[T], query: Any) -> Paginator[T]:
    """The records of a list, from the page at the cursor of the query on."""
    start = unstructure(query).get(operation.pagination.cursor)
    return Paginator(
        partial(fetch, carry_out, operation, query, None),
        None if start is None else str(start),
        operation=operation.name,
    )


def fetch(
    carry_out: _CarryOut,
    operation: ListOperation[T],
    query: Any,
    instead: Instead | None,
    cursor: str | None,
) -> Page[T]:
    """The page at a cursor; `instead` makes what stands for a record that cannot be read."""
    name, asked = operation.pagination.cursor, unstructure(query)
    asked.pop(name, None)
    part = Part(operation, {**asked, name: cursor} if cursor else asked)
    draft = Draft(operation=operation, parts=[part])
    return carry_out(draft, PageReader(operation, cursor, instead))
