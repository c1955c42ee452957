"""Histories, newest record first, from any position on."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def newest_first(
    records: Sequence[T],
    position: Callable[[T], int],
    before: int | None,
    limit: int,
    keep: Callable[[T], bool] = lambda record: True,
) -> tuple[list[T], bool]:
    """Return up to `limit` records that stand before a position, and whether more follow.

    New records only ever stand after all others, so a page never changes.
    """
    end = len(records) if before is None else bisect_left(records, before, key=position)
    found: list[T] = []
    for index in range(end - 1, -1, -1):
        if not keep(records[index]):
            continue
        if len(found) == limit:
            return found, True
        found.append(records[index])
    return found, False
