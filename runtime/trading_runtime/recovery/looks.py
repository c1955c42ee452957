"""Looks at the lists for the messages of one call: what they show, how far they are, and as of when.

A look that was interrupted goes on where it was left, in this process or in another one: its progress is
part of the intent, with the records that may have to do with the messages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field

from trading_runtime.clock import Clock
from trading_runtime.errors import BadRequestError
from trading_runtime.intent import ListProgress, Message, Progress
from trading_runtime.recovery.conclusion import DIFFERENT, combined
from trading_runtime.recovery.evidence import Evidence, Search
from trading_runtime.recovery.lists import Lists, list_names
from trading_runtime.recovery.seen import Kept, Seen, Traces, begun, restored, started

LEEWAY_MS = 1_000
"""How far times of this machine and of the service may differ beyond their measured skew."""
NOT_READ = "the lists were not read to their end"


@define
class Looks:
    """The looks for one call: the latest two that were finished, and the one that is under way."""

    lists: Lists
    clock: Clock
    signed: int
    """When the messages were signed, by this machine's clock, in ms."""
    messages: Sequence[Message]
    traces: Traces
    report: Callable[[Progress], object]
    """Called after each page."""

    dated: bool = True
    """Whether an answer of the latest look told the service's time."""
    still: bool = True
    """Whether this machine's clock was not set during the latest look."""
    _whole: list[Seen] = field(factory=list)
    _current: Seen | None = None
    _count: int = 0
    _sighted: dict[tuple[int, int], int] = field(factory=dict)
    """When a whole look first showed what was done, by its message and its time: by this machine's clock."""
    _settled: dict[int, tuple[Search, Kept]] = field(factory=dict)
    """Searches that no later look can make a difference to, by the place of their message."""
    _began: tuple[float, int, int] = (0.0, 0, 0)
    """When this call began the look: by the clock that nobody sets, by this machine's, and its steps."""

    def resume(self, progress: Progress | None) -> None:
        """Go on from where an earlier call came, unless it is not certain what that saw, and when."""
        try:
            found = [
                restored(look, self.messages, self.traces, self.lists)
                for look in (progress.looks if progress else ())
            ]
        except (ValueError, KeyError):
            return  # it was read by another version, with another spec: begin again
        for seen in found:
            self._count = seen.look.number
            self._current = None if seen.look.as_of is None else seen
            if seen.look.is_whole:
                self._finish()

    # -- what they show ------------------------------------------------------------------------

    def evidence(self) -> list[Evidence | None]:
        """What the looks show of each message; None where no list shows its operation."""
        return [self._evidence(place) for place in range(len(self.messages))]

    def _evidence(self, place: int) -> Evidence | None:
        if place in self._settled:
            return self._settled[place][0].evidence()
        if self.traces[place] is None:
            return None
        found = [search for seen in self._whole if (search := seen.searches[place])]
        if len(found) == 2:
            first, second = found
            both = first.joined(second)
            found_now = combined(first.evidence(), second.evidence(), both.evidence())
            was_done = any(each == place for each, _ in self._sighted)
            return DIFFERENT if was_done and found_now.shows == "absent" else found_now
        if found:
            return found[0].evidence()
        unfinished = self._current and self._current.searches[place]
        return Evidence("unclear", NOT_READ, unfinished.evidence().records if unfinished else ())

    @property
    def changes(self) -> list[int | None]:
        """When that was done, in ms, which the looks show of open messages; None if it is not known.

        It was done before it was seen, whatever clock the times of the lists are of.
        """
        return [
            None if done is None else min(done, self._sighted[place, done])
            for seen in self._whole
            for place, done in seen.changes()
        ]

    def show(self, time: int) -> bool:
        """Whether two looks show the lists as of a time of the service's, or later."""
        times = [seen.look.as_of for seen in self._whole]
        return len(times) == 2 and all(each is not None and each >= time for each in times)

    def are_whole(self) -> bool:
        """Whether the lists were read to their end. If one was not, the looks at them are forgotten."""
        short = {
            (name, known.records)
            for seen in self._whole
            for name, known in seen.look.lists.items()
            if known.pages == 1 and known.cursor is None
        }
        if not all(self.lists.is_all(*each) for each in short):
            self._whole = []
        return bool(self._whole)

    # -- one more look -------------------------------------------------------------------------

    def read(self, is_useless: Callable[[int | None], bool]) -> None:
        """Look once more, or finish the look that is under way.

        Args:
            is_useless: Whether a look that began at a time of the service's need not be finished.

        Raises:
            OutOfTime, NotSentError, NoResponseError, ApiError, DecodeError, PaginationError: the lists
                cannot be read to their end.
        """
        self.lists.begin_look()
        self._began = (self.clock.look(), self.clock.local_ms(), self.clock.steps)
        for name in list_names(self._open_traces()):
            seen = {self._read(name).cursor}
            while not self._read(name).at_end:
                if self._current and is_useless(self._began_at(self._current)):
                    self._drop()
                    return
                cursor = self._read(name).cursor
                try:
                    self._read_page(name, cursor, seen)
                except BadRequestError:
                    if cursor is None or len(seen) > 1:
                        raise
                    self._drop()  # the cursor that an earlier call left has expired
                    return
        self._finish()

    def _open_traces(self) -> Traces:
        return [None if place in self._settled else each for place, each in enumerate(self.traces)]

    def _read(self, name: str) -> ListProgress:
        return self._current.look.lists[name] if self._current else ListProgress()

    def _read_page(self, name: str, cursor: str | None, seen: set[str | None]) -> None:
        page, following = self.lists.page(name, cursor, seen)
        if self._current is None:
            # Not earlier: any answer tells how far the clocks are apart.
            since = self.clock.earliest_service_time(self.signed) - LEEWAY_MS
            self._count += 1
            names = list_names(self._open_traces())
            look = started(self._count, since, names, len(self.messages))
            self._current = begun(look, self.messages, self.traces, self._settled)
        self._current.take(self.lists.operation(name), page, following)
        self._current.date(self._as_of())
        self.report(Progress(looks=tuple(s.look for s in (*self._whole, self._current))))

    def _began_at(self, seen: Seen) -> int | None:
        """When a look began, by the service's clock, at the earliest; None if that is not certain."""
        left = seen.left_as_of
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

    def _finish(self) -> None:
        if self._current is not None:
            self._whole = [*self._whole[-1:], self._current]
            for place, done in self._current.changes():
                if done is not None:
                    self._sighted.setdefault((place, done), self.clock.local_ms())
        self._drop()

    def _drop(self) -> None:
        """End the look under way, and keep the searches that it settled."""
        if self._current is not None:
            self._settled |= self._current.settled()
        self._current = None
