"""Reads the lists that may show what became of the messages of a call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trading_runtime.call.caller import Caller
from trading_runtime.call.lookup import looking_up
from trading_runtime.intent import Intent
from trading_runtime.operation import Api, ListOperation, Trace
from trading_runtime.recovery.evidence import Record, Search, search_for


class Lists:
    """The lists of the account that made a call. Caches are asked to ask the service."""

    def __init__(self, caller: Caller, api: Api, intent: Intent) -> None:
        """Read for the messages of this intent."""
        self._caller, self._watch = looking_up(caller)
        self._api = api
        self._intent = intent

    def take_age(self) -> int:
        """How old, in ms, the oldest page was since this was asked last."""
        age, self._watch.age = self._watch.age, 0
        return age

    def search(self, traces: Sequence[Trace | None], since: int) -> list[Search | None]:
        """The finished search for each message since a time, in ms; None for one without a trace.

        Every list that a trace names is read once, for all messages together.
        """
        searches = [
            search_for(message, trace, since) if trace else None
            for message, trace in zip(self._intent.messages, traces, strict=True)
        ]
        for name in list_names(traces):
            self._read(name, [each for each in searches if each and name in each.trace.lists])
        return searches

    def learn_skew(self, traces: Sequence[Trace | None]) -> None:
        """Make a request if there was none yet: any answer tells how far the clocks are apart."""
        for name in list_names(traces):
            if self._caller.clock.skew is None:
                next(iter(self._records(name)), None)

    def _read(self, name: str, searches: Sequence[Search]) -> None:
        """Read a list to its end, or until all searches are over."""
        for record in self._records(name):
            for each in searches:
                each.look_at(record)
            if all(each.is_over for each in searches):
                return

    def _records(self, name: str) -> Iterable[Record]:
        """The records of a list, fetched page by page, of the account that made the call."""
        operation = self._api.operations[name]
        assert isinstance(operation, ListOperation) and operation.params is not None
        own = {operation.account: self._intent.account} if operation.account else {}
        return self._caller.paginate(operation, operation.params(**own))


def list_names(traces: Iterable[Trace | None]) -> Iterable[str]:
    """The names of all lists to look in, each once."""
    return dict.fromkeys(name for trace in traces if trace for name in trace.lists)
