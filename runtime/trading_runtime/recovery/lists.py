"""Reads pages of the lists that may show what became of a call.

Long histories take few requests, because the largest pages are asked for. What the rate limit asks to wait
is waited, and a page that cannot be read is read again. Caches are asked to ask the service.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from attrs import evolve

from trading_runtime.call.caller import Caller
from trading_runtime.call.failures import is_rate_limited, is_refusal
from trading_runtime.call.message import page_call
from trading_runtime.call.retry import ONE_ATTEMPT
from trading_runtime.clock import age_ms
from trading_runtime.codec.pages import Page, following
from trading_runtime.errors import ApiError, TradingError
from trading_runtime.http.transport import Masked
from trading_runtime.operation import Api, ListOperation
from trading_runtime.recovery.evidence import Record, unreadable

MAX_AGE_MS = 86_400_000
"""A day. An answer that is older, or whose `Age` cannot be read, tells nothing of today."""
LARGE_PAGE = 1_000
"""How many records to ask for where no maximum is documented. What comes is taken, more or fewer."""
MAX_READS = 5
"""How often a page that fails is read, at most."""
_REFUSALS = (400, 422)
MAX_WAIT = 600.0
"""Ten minutes: the longest wait for the rate limit where the caller gave no `timeout`, in seconds."""
_MAX_DOUBLINGS = 6
"""Where the service does not say how long to wait, the waits double from 2 s to 64 s."""


class OutOfTime(Exception):
    """The time for looking is up; its text says what takes so long, if that is known."""

    def __init__(self, why: str = "", seconds: float = 1.0) -> None:
        """`seconds` is when another call may come further."""
        super().__init__(why)
        self.seconds = seconds


class Lists:
    """The lists of the account that made a call. Caches are asked to ask the service."""

    def __init__(
        self,
        caller: Caller,
        api: Api,
        account: str,
        timeout: float,
        before_wait: Callable[[str], object],
    ) -> None:
        """Read for an account, and wait for so many seconds in all; say why before each wait."""
        # One attempt, because whoever looks things up decides what is read again: so it takes nothing from
        # the client's retry quota, either.
        headers = Masked({**caller.headers, "Cache-Control": "no-cache"})
        self._caller = evolve(caller, headers=headers, retry=ONE_ATTEMPT)
        self._api, self._account, self._before_wait = api, account, before_wait
        self._deadline = caller.clock.monotonic() + timeout
        self.age = 0
        """How old the oldest page of this look was, in ms."""
        self._refused: set[str] = set()
        """The lists that refuse the size of a page."""
        self._taken: set[str] = set()
        """The lists that gave a page of that size."""
        self._confirmed: set[str] = set()
        """The lists of which the only page was read without a size, too."""

    @property
    def time_left(self) -> float:
        """Seconds that are left to wait."""
        return self._deadline - self._caller.clock.monotonic()

    def begin_look(self) -> None:
        """Forget how old the pages of the look before were."""
        self.age = 0

    def operation(self, name: str) -> ListOperation[Record]:
        """A list by its name."""
        found = self._api.operations[name]
        assert isinstance(found, ListOperation)
        return found

    def page(
        self, name: str, cursor: str | None, seen: set[str | None], *, sized: bool = True
    ) -> tuple[Page[Record], str | None]:
        """The page at a cursor, and the cursor of the next one, which is noted among those `seen`.

        Raises:
            OutOfTime: it takes longer than was given.
            NotSentError, NoResponseError, ApiError, DecodeError, PaginationError: it cannot be read.
        """
        failures = refusals = 0
        while True:
            # What is read within the time of one call is read, even if nothing may be waited for.
            if self.time_left < -self._caller.timeout:
                raise OutOfTime
            if refusals > 1 and name not in self._taken:
                self._refused.add(name)  # it may cost more than the whole budget
            sized = sized and name not in self._refused and failures < MAX_READS - 1
            try:
                page = self._fetch(name, cursor, sized=sized)
                self._taken |= {name} if sized else set()
                return page, following(page, cursor, seen, name)
            except TradingError as error:
                if is_rate_limited(error):
                    refusals += 1
                    self._wait(error, 2.0 ** min(refusals, _MAX_DOUBLINGS))
                elif is_refusal(error):
                    self._fall_back(name, error, sized=sized)
                else:
                    failures += 1
                    if failures == MAX_READS:
                        raise
                    self._caller.clock.sleep(max(0.0, min(failures, self.time_left)))

    def _fall_back(self, name: str, error: ApiError, *, sized: bool) -> None:
        """Ask for the default page from now on, if the size of the page may be what was refused."""
        if not sized or error.status not in _REFUSALS:
            self._refused.discard(name)
            raise error
        self._refused.add(name)

    def _wait(self, error: ApiError, unasked: float) -> None:
        """Wait for the rate limit: as long as it asks, else so many seconds."""
        seconds = max(1.0, unasked if error.retry_after is None else error.retry_after)
        why = f"the rate limit asks to wait {seconds:.0f} s"
        if error.retry_after is None:
            why = f"the rate limit does not say how long to wait, {seconds:.0f} s may do"
        if seconds > self.time_left:
            raise OutOfTime(why, seconds)
        if seconds > MAX_WAIT and self.time_left == inf:
            error.args = (f"{error.args[0]} ({why}; reconcile(error, timeout=...) waits so long)",)
            raise error
        self._before_wait(why)
        self._caller.clock.sleep(seconds)

    def is_all(self, name: str, records: int) -> bool:
        """Whether a list holds the so many records of the only page that was read of it.

        A service that caps its pages may take one that it cut short for the only one. So the page is read
        without a size, and from then on so are all pages of a list of which that shows more.
        """
        if name in self._refused or records >= self._size(name) or name in self._confirmed:
            return True
        page, following = self.page(name, None, set(), sized=False)
        is_all = following is None and len(page) <= records
        (self._confirmed if is_all else self._refused).add(name)
        return is_all

    def _size(self, name: str) -> int:
        """How many records to ask for; 0 where that cannot be asked."""
        pages = self.operation(name).pagination
        return (pages.max_limit or LARGE_PAGE) if pages.limit else 0

    def _fetch(self, name: str, cursor: str | None, *, sized: bool) -> Page[Record]:
        operation = self.operation(name)
        assert operation.params is not None
        asked = dict[str, Any]()
        if operation.account:
            asked[operation.account] = self._account
        if operation.pagination.limit and sized:
            asked[operation.pagination.limit] = self._size(name)
        query = operation.params(**asked)
        call = page_call(operation, query, cursor, unreadable)
        try:
            return self._caller.carry_out(call)
        finally:
            if call.response is not None and (text := call.response.headers.get("Age")) is not None:
                found = age_ms(text)
                # An age is cut off to whole seconds.
                self.age = max(self.age, 2 * MAX_AGE_MS if found is None else found + 1_000)
