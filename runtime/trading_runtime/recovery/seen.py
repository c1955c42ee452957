"""What one look at the lists saw: its searches, and how they are written down and made again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import define, evolve

from trading_runtime.call.lookup import Record, as_json, from_json
from trading_runtime.intent import ListProgress, Look, Message
from trading_runtime.operation import ListOperation, Trace
from trading_runtime.pages import Page
from trading_runtime.recovery.evidence import Search
from trading_runtime.recovery.lists import Lists, list_names
from trading_runtime.recovery.targets import search_for

Traces: TypeAlias = Sequence[Trace | None]
Kept: TypeAlias = dict[str, list[dict[str, Any]]]
"""The records that a search kept, as JSON, by their list."""


@define
class Seen:
    """A look, and its searches, one for each message; None for a message that it does not look for."""

    look: Look
    searches: list[Search | None]
    done: frozenset[int] = frozenset()
    """The places of the messages that were settled before."""
    left_as_of: int | None = None
    """Where an earlier call left it: as of when what it had read is. None if this call began it."""

    def take(self, operation: ListOperation[Any], page: Page[Record], cursor: str | None) -> None:
        """Search a page of a list, the next one of which is at the cursor."""
        name = operation.name
        for search, kept in self._active():
            if name in search.trace.lists:
                found = [as_json(record) for record in page if search.look_at(record)]
                kept.setdefault(name, []).extend(found)
        before = self.look.lists[name]
        lists = self.look.lists | {
            name: ListProgress(
                pages=before.pages + 1,
                records=before.records + len(page),
                cursor=cursor,
                at_end=cursor is None,
            )
        }
        if all(search.is_over for search, _ in self._active()):
            lists = {each: evolve(known, at_end=True) for each, known in lists.items()}
        self.look = evolve(self.look, lists=lists)

    def _active(self) -> Iterable[tuple[Search, Kept]]:
        """The searches that need to see more, each with the records that it kept."""
        pairs = enumerate(zip(self.searches, self.look.kept, strict=True))
        return [(s, kept) for place, (s, kept) in pairs if s and place not in self.done]

    def settled(self) -> dict[int, tuple[Search, Kept]]:
        """The searches that no later look can make a difference to, by the place of their message."""
        pairs = enumerate(zip(self.searches, self.look.kept, strict=True))
        return {place: (s, kept) for place, (s, kept) in pairs if s and s.evidence().settled}

    def changes(self) -> Iterable[tuple[int, int | None]]:
        """When that was done which it shows of each message that is open, by the place of the message."""
        for place, search in enumerate(self.searches):
            if search is not None and not (found := search.evidence()).settled:
                yield place, found.happened

    def date(self, as_of: int | None) -> None:
        """Note as of when the lists show what was read in this call."""
        both = [self.left_as_of, as_of] if self.left_as_of is not None else [as_of]
        known = [each for each in both if each is not None]
        certain = min(known) if len(known) == len(both) else None
        self.look = evolve(self.look, as_of=certain)


def started(number: int, since: int, names: Iterable[str], messages: int) -> Look:
    """A look of which nothing was read yet, at the lists of these names."""
    return Look(
        number=number,
        since=since,
        as_of=None,
        lists={name: ListProgress() for name in names},
        kept=[{} for _ in range(messages)],
    )


def begun(
    look: Look,
    messages: Sequence[Message],
    traces: Traces,
    settled: Mapping[int, tuple[Search, Kept]],
) -> Seen:
    """A look that begins. What was settled before is taken over, and not looked for again."""
    seen = Seen(look, _searches(messages, traces, look.since), frozenset(settled))
    for place, (search, kept) in settled.items():
        seen.searches[place] = search
        look.kept[place].update(kept)
    return seen


def restored(look: Look, messages: Sequence[Message], traces: Traces, lists: Lists) -> Seen:
    """A look as it was written down.

    Raises:
        ValueError: it is not a look for these messages.
    """
    seen = Seen(look, _searches(messages, traces, look.since), left_as_of=look.as_of)
    for search, kept in zip(seen.searches, look.kept, strict=True):
        for name, records in kept.items():
            if search is None or name not in search.trace.lists:
                raise ValueError(f"nothing is looked for in {name}")
            for fields in records:
                search.look_at(from_json(fields, lists.operation(name).result))
    settled, lists_read = seen.settled(), look.lists.keys()
    open_traces = [each for place, each in enumerate(traces) if each and place not in settled]
    if not {*list_names(open_traces)} <= lists_read <= {*list_names(traces)}:
        raise ValueError("it looked at other lists")
    return evolve(seen, done=frozenset(settled))


def _searches(messages: Sequence[Message], traces: Traces, since: int) -> list[Search | None]:
    return [
        search_for(message, trace, since) if trace else None
        for message, trace in zip(messages, traces, strict=True)
    ]
