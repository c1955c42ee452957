"""Scans the histories for the messages of one call: what they show, as of when, and how far the scan is.

A *look* is one reading of all lists that may show the messages. A scan that was cut off goes on from its last
page when the same error is reconciled again: the error keeps the `Looks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from attrs import define, field

from trading_runtime.clock import Clock
from trading_runtime.codec.pages import Page
from trading_runtime.errors import BadRequestError
from trading_runtime.intent import Message
from trading_runtime.operation import Trace
from trading_runtime.recovery.evidence import Evidence, Record, Search, search_for
from trading_runtime.recovery.lists import Lists

Traces: TypeAlias = Sequence[Trace | None]
LEEWAY_MS = 1_000
"""How far times of this machine and of the service may differ beyond their measured skew."""
NOT_READ = "the lists were not read to their end"
DIFFERENT = Evidence("unclear", "two looks at the lists differ")


@define
class _ListRead:
    """How far a look has read one list."""

    pages: int = 0
    records: int = 0
    cursor: str | None = None
    """Where its next page starts; None before the first one."""
    at_end: bool = False
    """Whether nothing of it is left to read."""


@define
class _Look:
    """One reading of all lists: how far it is, and what it shows of each message."""

    number: int
    """The first one is 1."""
    lists: dict[str, _ListRead]
    """By the name of the list."""
    searches: list[Search | None]
    """One for each message; None for a message that no list shows."""
    done: frozenset[int]
    """The places of the messages that were settled before the look."""
    as_of: int | None = None
    """The time of the service, in ms, that the lists show at the earliest; None if it is not certain."""
    left_as_of: int | None = None
    """`as_of` when an earlier call was cut off in this look; None if it began in this call."""

    def __str__(self) -> str:
        counts = (
            f"{each.pages} pages with {each.records} records of {name}"
            for name, each in self.lists.items()
        )
        return f"look {self.number}: {', '.join(counts)}"

    def take(self, name: str, page: Page[Record], cursor: str | None) -> None:
        """Search a page of a list, the next one of which is at the cursor."""
        places = enumerate(self.searches)
        active = [each for place, each in places if each and place not in self.done]
        for search in active:
            if name in search.trace.lists:
                for record in page:
                    search.look_at(record)
        read = self.lists[name]
        read.pages, read.records = read.pages + 1, read.records + len(page)
        read.cursor, read.at_end = cursor, cursor is None
        if all(search.is_over for search in active):
            for each in self.lists.values():
                each.at_end = True

    def settled(self) -> dict[int, Search]:
        """The searches whose evidence no later look can change, by the place of their message."""
        places = enumerate(self.searches)
        return {place: each for place, each in places if each and each.evidence().settled}

    def changes(self) -> Iterable[tuple[int, int | None]]:
        """The time of the change that it shows of each open message, by the place of the message."""
        for place, search in enumerate(self.searches):
            if search is not None and not (found := search.evidence()).settled:
                yield place, found.happened


@define
class Looks:
    """The looks for one call: the latest two that were finished, and the one that is under way."""

    messages: Sequence[Message]
    traces: Traces
    whole: list[_Look] = field(factory=list)
    current: _Look | None = None
    _count: int = 0
    _sighted: dict[tuple[int, int], int] = field(factory=dict)
    """When a whole look first showed a change, by this machine's clock: by the message and the time of the change."""
    _settled: dict[int, Search] = field(factory=dict)
    """The searches whose evidence no later look can change, by the place of their message."""

    def go_on(self, messages: Sequence[Message], traces: Traces) -> bool:
        """Prepare to go on in another call; False if they looked for something else.

        What is not certain to show the lists as of some time is forgotten.
        """
        if (messages, traces) != (self.messages, self.traces):
            return False
        self.whole = [look for look in self.whole if look.as_of is not None]
        if self.current is not None:
            self.current.left_as_of = self.current.as_of
            if self.current.as_of is None:
                self.drop()
        return True

    # -- what they show ------------------------------------------------------------------------

    def evidence(self) -> list[Evidence | None]:
        """What the looks show of each message; None where no list shows its operation."""
        return [self._evidence(place) for place in range(len(self.messages))]

    def _evidence(self, place: int) -> Evidence | None:
        if place in self._settled:
            return self._settled[place].evidence()
        if self.traces[place] is None:
            return None
        found = [search for look in self.whole if (search := look.searches[place])]
        if len(found) == 2:
            first, second = found
            both = first.joined(second)
            found_now = _combined(first.evidence(), second.evidence(), both.evidence())
            was_done = any(each == place for each, _ in self._sighted)
            return DIFFERENT if was_done and found_now.shows == "absent" else found_now
        if found:
            return found[0].evidence()
        unfinished = self.current and self.current.searches[place]
        return Evidence("unclear", NOT_READ, unfinished.evidence().records if unfinished else ())

    @property
    def changes(self) -> list[int | None]:
        """The times of the changes that the looks show of open messages, in ms; None if one is not known.

        A change was made before it was seen, whatever clock the times of the lists are of.
        """
        return [
            None if done is None else min(done, self._sighted[place, done])
            for look in self.whole
            for place, done in look.changes()
        ]

    def show(self, time: int) -> bool:
        """Whether two looks show the lists as of a time of the service's, or later."""
        times = [look.as_of for look in self.whole]
        return len(times) == 2 and all(each is not None and each >= time for each in times)

    # -- one more look -------------------------------------------------------------------------

    def open_lists(self) -> Iterable[str]:
        """The names of the lists that may show a message which is not settled, each once."""
        places = enumerate(self.traces)
        open_ = [trace for place, trace in places if trace and place not in self._settled]
        return dict.fromkeys(name for trace in open_ for name in trace.lists)

    def begin(self, since: int) -> _Look:
        """Begin a look for messages that were signed at that time, in ms, at the earliest."""
        self._count += 1
        searches = [
            search_for(message, trace, since) if trace else None
            for message, trace in zip(self.messages, self.traces, strict=True)
        ]
        for place, search in self._settled.items():
            searches[place] = search
        lists = {name: _ListRead() for name in self.open_lists()}
        self.current = _Look(self._count, lists, searches, frozenset(self._settled))
        return self.current

    def finish(self, now: int) -> None:
        """The look under way has read all lists, at a time of this machine's clock."""
        if self.current is not None:
            self.whole = [*self.whole[-1:], self.current]
            for place, done in self.current.changes():
                if done is not None:
                    self._sighted.setdefault((place, done), now)
        self.drop()

    def drop(self) -> None:
        """End the look under way, and keep the searches that it settled."""
        if self.current is not None:
            self._settled |= self.current.settled()
        self.current = None


@define
class HistoryScan:
    """Reads the lists, look by look."""

    lists: Lists
    clock: Clock
    signed: int
    """When the messages were signed, by this machine's clock, in ms."""
    looks: Looks
    report: Callable[[str], object]
    """Called after each page, with how far the look is."""

    dated: bool = True
    """Whether an answer of the latest look told the service's time."""
    still: bool = True
    """Whether nobody set this machine's clock during the latest look."""
    _began: tuple[float, int, int] = (0.0, 0, 0)
    """When this call began the look: by the monotonic clock, by this machine's, and the steps of the latter."""

    def read(self, is_useless: Callable[[int | None], bool]) -> None:
        """Look once more, or finish the look that is under way.

        Args:
            is_useless: Whether a look that began at a time of the service's need not be finished.

        Raises:
            OutOfTime, NotSentError, NoResponseError, ApiError, DecodeError, PaginationError: the lists
                cannot be read to their end.
        """
        looks = self.looks
        self.lists.begin_look()
        self._began = (self.clock.look(), self.clock.local_ms(), self.clock.steps)
        for name in looks.open_lists():
            seen = {self._read(name).cursor}
            while not self._read(name).at_end:
                if looks.current and is_useless(self._began_at(looks.current)):
                    looks.drop()
                    return
                cursor = self._read(name).cursor
                try:
                    self._read_page(name, cursor, seen)
                except BadRequestError:
                    if cursor is None or len(seen) > 1:
                        raise
                    looks.drop()  # the cursor that an earlier call left has expired
                    return
        looks.finish(self.clock.local_ms())

    def are_whole(self) -> bool:
        """Whether the lists were read to their end. If one was not, the looks at them are forgotten."""
        short = {
            (name, read.records)
            for look in self.looks.whole
            for name, read in look.lists.items()
            if read.pages == 1 and read.cursor is None
        }
        if not all(self.lists.is_all(*each) for each in short):
            self.looks.whole = []
        return bool(self.looks.whole)

    def _read(self, name: str) -> _ListRead:
        current = self.looks.current
        return current.lists[name] if current else _ListRead()

    def _read_page(self, name: str, cursor: str | None, seen: set[str | None]) -> None:
        page, following = self.lists.page(name, cursor, seen)
        look = self.looks.current
        if look is None:
            # Not earlier: any answer tells how far the clocks are apart.
            look = self.looks.begin(self.clock.earliest_service_time(self.signed) - LEEWAY_MS)
        look.take(name, page, following)
        as_of, left = self._as_of(), look.left_as_of
        look.as_of = min(as_of, left) if as_of is not None and left is not None else as_of
        self.report(str(look))

    def _began_at(self, look: _Look) -> int | None:
        """When a look began, by the service's clock, at the earliest; None if that is not certain."""
        left = look.left_as_of
        return self.clock.certain_service_time(self._began[1]) if left is None else left

    def _as_of(self) -> int | None:
        """The time, by the service's clock, that the pages read in this call show at the earliest."""
        monotonic, local, steps = self._began
        self.clock.look()
        self.dated, self.still = self.clock.dated_at >= monotonic, self.clock.steps == steps
        certain = self.clock.certain_service_time(local)
        return (
            certain - self.lists.age if certain is not None and self.dated and self.still else None
        )


def _combined(first: Evidence, second: Evidence, both: Evidence) -> Evidence:
    """The evidence of two looks that settle nothing each for itself.

    Args:
        both: What the two looks show together: one may have hidden what explains the other.
    """
    for each in (first, second):
        if each.shows == "unclear":
            return each
    if first.shows == second.shows and both.shows in (first.shows, "unclear"):
        return both
    return DIFFERENT
