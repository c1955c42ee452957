"""One pass over a list: its pages become segments on disk, each with the cursor that follows.

A segment is written in one step, records and cursor together. So an interrupted pass goes on behind its last
segment, and no state beside it can contradict.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from attrs import Factory, define, field, frozen

from trading_runtime import (
    BadRequestError,
    BaseClient,
    NotFoundError,
    Page,
    PaginationError,
    Paginator,
    UnprocessableEntityError,
    now_ms,
    to_datetime,
)
from trading_toolkit import columns
from trading_toolkit.arrow import days_of, of_day, pa
from trading_toolkit.folder import PASS, Folder
from trading_toolkit.governor import Governor, governor
from trading_toolkit.lists import MADE_AT, RecordList

Progress = Callable[[int, datetime | None], object]
"""Called after each page with the records read so far, and the time of the last of them."""

_SEGMENT_ROWS = 20_000
_SEGMENT_SECONDS = 10.0
_TOLD = b"segment"
_REFUSED = (BadRequestError, NotFoundError, UnprocessableEntityError)


@frozen(kw_only=True)
class Segment:
    """Some pages of a pass, as they stand on disk."""

    name: str
    rows: int
    days: tuple[str, ...]
    """Each is a batch of records in the file, in the order of this tuple."""

    newest: int | None
    """When its latest record was made, in ms; None without records."""

    cursor: str | None
    """Where the next segment begins; None if this is the last one."""

    started: int
    """When the pass began, in ms."""

    since: int | None = -1
    """From when on the pass reads; None if it reads the whole list. A segment of 0.2 does not say it."""


@define
class Pass:
    """A pass over a list, from its last segment on."""

    client: BaseClient
    kind: RecordList
    folder: Folder
    since: int | None
    """From when on records may be new or changed; None reads the whole list. Unit: ms."""

    page_size: int | None
    wait: Callable[[float], object]
    schema: pa.Schema = Factory(lambda self: columns.schema(self.kind.model), takes_self=True)
    segments: list[Segment] = field(factory=list)
    _pages: list[pa.Table] = field(factory=list)
    """Pages that no segment has yet."""

    started: int = 0
    """When it began, by the clock of the service. Unit: ms."""

    is_newest_first: bool = False
    """Whether all records were seen to come in this order, in one go from the beginning of the list."""

    _oldest: float = math.inf
    """When the latest record that came was made. Unit: ms."""

    _written: float = 0.0
    _costs: dict[int | None, float] = field(factory=dict)
    """Credits a record by page size, as far as answers told them."""

    _governor: Governor = Factory(lambda self: governor(self.client), takes_self=True)

    def read(self, tell: Progress) -> None:
        """Read what is left of the list."""
        self.segments = [self._segment(name) for name in self.folder.segments()]
        if self.since is None and any(each.since is not None for each in self.segments):
            self.folder.forget_pass()  # it began when less of the list was wanted
            self.segments = []
        if not self.segments:
            return self._begin(tell)
        last = self.segments[-1]
        self.started = last.started
        if last.cursor is None:
            return None
        try:
            return self._read(last.cursor, tell)
        except _REFUSED:
            if self.segments[-1] != last:
                raise
        # The service does not take the cursor any more.
        self.folder.forget_pass()
        return self._begin(tell)

    def days(self) -> list[str]:
        """The days of which records were read, oldest first."""
        return sorted({day for each in self.segments for day in each.days})

    def records_of(self, day: str, names: Sequence[str] | None = None) -> pa.Table:
        """The records of a day, in the order in which they were read, with all columns or some."""
        places = None if names is None else sorted(map(self.schema.get_field_index, names))
        parts = [
            self.folder.segment(each.name, places).get_batch(each.days.index(day))
            for each in self.segments
            if day in each.days
        ]
        table = pa.Table.from_batches(parts, None if parts else self.schema)
        return table if names is None else table.select(names)

    def next_start(self, lag: float) -> int | None:
        """From when on the next pass reads. A record from the future does not hide later ones."""
        newest = [each.newest for each in self.segments if each.newest is not None]
        if not newest:
            return self.since
        return max(0, min(max(newest), self.started) - round(lag * 1000))

    def _begin(self, tell: Progress) -> None:
        self.segments, self.started = [], now_ms() + (self.client.clock_skew or 0)
        self.is_newest_first, self._oldest = True, math.inf
        self._read(None, tell)

    def _read(self, cursor: str | None, tell: Progress) -> None:
        """Read from a cursor to where the paginator ends. What was read is kept when an error ends it.

        A list that contradicts itself about its pages is read anew the next time.
        """
        self._pages, self._written = [], time.monotonic()
        try:
            for page in Paginator(self._page, cursor, operation=self.kind.name).pages():
                table = columns.table(self.kind.model, page.items)
                self._tell(page.items, tell)
                self._pages.append(table)
                cursor = page.next_cursor
                self._note_order(page.items)
                if self._is_known_from_here():
                    break
        except PaginationError:
            self.folder.forget_pass()  # behind any cursor of it a record may be missing, or come twice
            raise
        except Exception:
            self._write_segment(cursor)
            raise
        self._write_segment(None)

    def _note_order(self, items: Sequence[Any]) -> None:
        for each in items:
            made = getattr(each, MADE_AT)
            self.is_newest_first = self.is_newest_first and made <= self._oldest
            self._oldest = made

    def _is_known_from_here(self) -> bool:
        """Whether all records behind the last page are older than what may be new or changed.

        That can be said of a list that takes no start, and came newest first until here, and as a whole before.
        """
        is_ordered = self.is_newest_first and not self.kind.starts
        return is_ordered and self.since is not None and self._oldest < self.since

    def _page(self, cursor: str | None) -> Page[Any]:
        """The page at a cursor, once the rate budget allows it. The pages before it are written, if it is time."""
        if self._is_due():
            self._write_segment(cursor)
        size = self.page_size or self._cheapest(cursor)
        try:
            page, cost = self._governor.carry_out(
                self.client, lambda: self._asked(cursor, size), self.wait, self.kind.name
            )
        except _REFUSED:
            if size is None or self.page_size:
                raise
            self._costs[size] = math.inf  # the service may not give pages so large
            return self._page(cursor)
        if cost is None and size is None and not self._costs:
            cost = Fraction(1)  # what a request of any kind costs
        if cost is not None and len(page):
            self._costs[size] = float(cost) / len(page)
        return page

    def _asked(self, cursor: str | None, size: int | None) -> Page[Any]:
        pages = self.kind.pages(self.client, cursor=cursor, since=self.since, limit=size)
        return next(pages.pages())

    def _cheapest(self, cursor: str | None) -> int | None:
        """The page size that costs the fewest credits a record; None for that of the service.

        The first page has the size of the service: a list with few new records ends there. The second one is large.
        """
        large = self.kind.largest_page
        is_dear = self._costs.get(large, 0.0) >= self._costs.get(None, math.inf)
        return None if cursor is None or is_dear else large

    def _tell(self, items: Sequence[Any], tell: Progress) -> None:
        rows = sum(each.rows for each in self.segments) + self._unwritten() + len(items)
        tell(rows, to_datetime(getattr(items[-1], MADE_AT)) if items else None)

    def _unwritten(self) -> int:
        return sum(each.num_rows for each in self._pages)

    def _is_due(self) -> bool:
        return (
            self._unwritten() >= _SEGMENT_ROWS
            or time.monotonic() - self._written > _SEGMENT_SECONDS
        )

    # -- segments ---------------------------------------------------------------------------------

    def _write_segment(self, cursor: str | None) -> None:
        """Write the pages that no segment has yet, and the cursor behind them: None at the end of the list."""
        if not self._pages:
            return
        table = pa.concat_tables(self._pages).combine_chunks()
        told = {
            "rows": table.num_rows,
            "days": [day.isoformat() for day in days_of(table)],
            "newest": max(table.column(MADE_AT).cast(pa.int64()).to_pylist(), default=None),
            "cursor": cursor,
            "started": self.started,
            "since": self.since,
        }
        table = table.replace_schema_metadata({_TOLD: json.dumps(told)})
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, table.schema) as writer:
            for day in days_of(table):
                writer.write_table(of_day(table, day).combine_chunks())
        name = f"{len(self.segments) + 1:06}.arrow"
        self.folder.write(f"{PASS}/{name}", sink.getvalue())
        self.segments.append(self._segment(name))
        self._pages, self._written = [], time.monotonic()

    def _segment(self, name: str) -> Segment:
        told = json.loads(self.folder.segment(name).schema.metadata[_TOLD])
        return Segment(name=name, **{**told, "days": tuple(told["days"])})
