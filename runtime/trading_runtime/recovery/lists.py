"""Reads whole lists for `reconcile`: in few requests, patiently, past caches.

A reading that ran out of time goes on from its last page, in another call for the same error.
"""

from __future__ import annotations

from collections.abc import Sequence
from logging import INFO
from math import ceil, inf
from typing import Any

from attrs import define, evolve, field

from trading_runtime.call.caller import Caller
from trading_runtime.call.failures import is_rate_limited, is_refusal
from trading_runtime.call.message import page_call
from trading_runtime.call.retry import ONE_ATTEMPT
from trading_runtime.clock import Clock
from trading_runtime.codec.pages import Page, following
from trading_runtime.errors import TradingError
from trading_runtime.http.transport import Masked
from trading_runtime.log import note
from trading_runtime.operation import Api, ListOperation
from trading_runtime.recovery.evidence import Record, Search, unreadable

LARGE_PAGE = 1_000
"""How many records to ask for where no maximum is documented. What comes is taken, more or fewer."""
MAX_READS = 5
"""How often a page that fails is read, at most."""
MAX_WAIT = 600.0
"""Ten minutes: the longest wait for the rate limit where the caller gave no `timeout`, in seconds."""
_FIRST_WAIT, _LONGEST_WAIT = 2.0, 64.0
"""The waits after refusals that do not say how long, in seconds; they double."""


class OutOfTime(Exception):
    """The time for looking is up; its text says what takes so long, and when to call again."""


@define
class Reading:
    """One reading of the lists, and how far it is."""

    number: int
    """The first one is 1."""
    lists: list[str]
    """The names of those that are not read to their end; the first of them is being read."""
    monotonic: float
    local: int
    """When it began, by the monotonic clock, and by this machine's, in ms."""
    cursor: str | None = None
    seen: set[str | None] = field(factory=lambda: {None})
    records: int = 0
    """Of the list that is being read."""
    pages: int = 0
    offsets: list[int | None] = field(factory=list)
    """How far the service's clock was ahead of the monotonic one, as each page tells it, and the answer before; None
    of a page that does not."""
    is_aged: bool = False
    """Whether a cache gave a page, although it was told to ask the service."""

    @property
    def offset(self) -> int | None:
        """The least of its offsets, in ms; None if a page tells none, or comes from a cache."""
        known = [each for each in self.offsets if each is not None]
        return None if self.is_aged or len(known) < len(self.offsets) else min(known, default=0)

    def __str__(self) -> str:
        return f"reading {self.number}: {self.pages} pages"


@define
class Lists:
    """The lists of the account that made a call."""

    caller: Caller
    api: Api
    account: str
    timeout: float
    unsized: set[str]
    """The lists that are read without a size."""
    deadline: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Begin to count the time."""
        # Caches are asked to ask the service.
        headers = Masked({**self.caller.headers, "Cache-Control": "no-cache"})
        self.caller = evolve(self.caller, headers=headers, retry=ONE_ATTEMPT)
        self.deadline = self.clock.monotonic() + self.timeout

    @property
    def clock(self) -> Clock:
        return self.caller.clock

    @property
    def time_left(self) -> float:
        return self.deadline - self.clock.monotonic()

    def wait(self, seconds: float, why: str) -> None:
        """Wait, if there is time for it."""
        if seconds > self.time_left:
            raise OutOfTime(
                f"{why}; call client.reconcile(error) again in {max(1, ceil(seconds))} s"
            )
        note(INFO, "reconcile waits %.0f s: %s", seconds, why)
        self.clock.sleep(seconds)

    def begin(self, number: int, searches: Sequence[Search]) -> Reading:
        """A reading of the lists that may show something."""
        names = dict.fromkeys(name for each in searches for name in each.trace.lists)
        return Reading(number, [*names], self.clock.monotonic(), self.clock.local_ms())

    def read(self, reading: Reading, searches: Sequence[Search]) -> None:
        """Read the lists to their ends.

        Raises:
            OutOfTime: that takes too long; the reading knows how far it is.
            NotSentError, NoResponseError, ApiError, DecodeError, PaginationError: a page cannot be read.
        """
        while reading.lists:
            name = reading.lists[0]
            takers = [each for each in searches if name in each.trace.lists]
            size = self._size(name)
            at_end = self._take_page(reading, name, takers, size)
            is_short = reading.records < size and name not in self.unsized
            if at_end and is_short and not all(each.evidence().is_final for each in takers):
                # A service that caps its pages may take one that it cut short for the last one.
                self.unsized.add(name)
            elif at_end:
                reading.lists.pop(0)
            if at_end:
                reading.cursor, reading.seen, reading.records = None, {None}, 0

    def _take_page(self, reading: Reading, name: str, takers: Sequence[Search], size: int) -> bool:
        """Read the next page of a list; whether it was the last one."""
        page = self._page(reading, name, size)
        for record in page:
            for each in takers:
                each.take(record)
        reading.pages, reading.records = reading.pages + 1, reading.records + len(page)
        reading.cursor = following(page, reading.cursor, reading.seen, name)
        return reading.cursor is None

    def _page(self, reading: Reading, name: str, size: int) -> Page[Record]:
        """The next page. What fails is read again; what the rate limit asks to wait is waited."""
        failures, refusals, unasked = 0, 0, _FIRST_WAIT
        while True:
            if self.time_left < -self.caller.timeout:
                raise OutOfTime(
                    "reading takes longer than `timeout`; call client.reconcile(error) again"
                )
            before = self.clock.offset
            try:
                page, offset, age = self._fetch(name, reading.cursor, size)
                if age != "0":
                    page, offset, age = self._fetch(name, reading.cursor, size)
                reading.offsets += [offset] if before is None else [before, offset]
                reading.is_aged = reading.is_aged or age != "0"
                return page
            except TradingError as error:
                if is_rate_limited(error):
                    seconds = max(1.0, unasked if error.retry_after is None else error.retry_after)
                    if seconds > MAX_WAIT and self.timeout == inf:
                        words = f"asks to wait {seconds:.0f} s; reconcile(error, timeout=...) waits so long"
                        error.args = (f"{error.args[0]} ({words})",)
                        raise
                    self.wait(seconds, f"the rate limit asks to wait {seconds:.0f} s")
                    refusals, unasked = refusals + 1, min(_LONGEST_WAIT, 2 * unasked)
                    if refusals == 2 and not reading.pages:
                        # The largest page may cost more than the whole budget.
                        self.unsized.add(name)
                        size = 0
                elif is_refusal(error):
                    if not size or error.status not in (400, 422):
                        raise
                    self.unsized.add(name)
                    size = 0
                else:
                    failures += 1
                    if failures == MAX_READS:
                        raise
                    size = size if failures < MAX_READS - 1 else 0
                    self.clock.sleep(max(0.0, min(failures, self.time_left)))

    def _fetch(
        self, name: str, cursor: str | None, size: int
    ) -> tuple[Page[Record], int | None, str]:
        """A page, how far the service's clock is ahead of the monotonic one, and how old the page is."""
        operation = self._operation(name)
        assert operation.params is not None
        asked: dict[str, Any] = {}
        if operation.account:
            asked[operation.account] = self.account
        if operation.pagination.limit and size:
            asked[operation.pagination.limit] = size
        call = page_call(operation, operation.params(**asked), cursor, unreadable)
        page = self.caller.carry_out(call)
        headers = call.response.headers if call.response else {}
        age = headers.get("Age", "0")
        return page, self.clock.offset_of(headers.get("Date"), age), age

    def _size(self, name: str) -> int:
        """How many records to ask for; 0 where that cannot be asked."""
        pages = self._operation(name).pagination
        return (pages.max_limit or LARGE_PAGE) if pages.limit and name not in self.unsized else 0

    def _operation(self, name: str) -> ListOperation[Record]:
        found = self.api.operations[name]
        assert isinstance(found, ListOperation)
        return found
