"""Finding out what became of a call whose outcome is not known. Nothing is ever sent again.

It looks in the histories; what is not there may still be accepted until the message expires, so it
waits until the service can accept it no longer, and looks again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from time import monotonic
from typing import Any, TypeAlias

from attrs import frozen

from trading_runtime.call.caller import Caller
from trading_runtime.call.failures import is_duplicate, is_refusal
from trading_runtime.errors import ApiError, OutcomeUnknownError, RequestError
from trading_runtime.intent import Intent, Message
from trading_runtime.operation import Action, Api, ListOperation, Operation, Trace
from trading_runtime.recovery.evidence import Evidence, Record, Search, search_for
from trading_runtime.recovery.settlement import Settlement, State

_Kind: TypeAlias = Operation[Any] | Action

MARGIN_MS = 1_000
"""How long after its expiry a message may still be on its way through the service, and how far
times of this machine and of the service may differ beyond their measured skew."""

_SAME_ID = "; send it again with the same id, and only so: a 409 then says that it was accepted"


def reconcile(
    caller: Caller, api: Api, error: OutcomeUnknownError | ApiError, timeout: float | None
) -> tuple[Settlement, ...]:
    """What became of each message of a call, in their order.

    Raises:
        RequestError: the call was another account's, or another service's, or changed nothing.
        NotSentError, NoResponseError, ApiError, DecodeError: the histories cannot be read.
    """
    intent = _intent_of(caller, error)
    look = _Look(caller, api, intent, tuple(_kind_of(api, each) for each in intent.messages))
    duplicate = _is_unlisted_duplicate(error, look)
    if duplicate or is_refusal(error):
        return look.refused(duplicate=duplicate)
    return look.settled(timeout)


def _intent_of(caller: Caller, error: OutcomeUnknownError | ApiError) -> Intent:
    intent = error.intent
    if intent is None:
        raise RequestError(f"{error.operation}: it changed nothing, so nothing is to be found out")
    if (intent.base_url, intent.account) != (caller.base_url, caller.account):
        raise RequestError(
            f"{intent.operation} was sent to {intent.base_url} for {intent.account}: reconcile it "
            f"with a client of that service and account"
        )
    return intent


def _kind_of(api: Api, message: Message) -> _Kind:
    kind = api.operations.get(message.name) or api.actions.get(message.name)
    if kind is None:
        raise RequestError(f"{message.name} is no operation of this service")
    return kind


@frozen
class _Look:
    """One call, and where it shows what became of its messages."""

    caller: Caller
    api: Api
    intent: Intent
    kinds: tuple[_Kind, ...]
    """What each of its messages is."""

    def settled(self, timeout: float | None) -> tuple[Settlement, ...]:
        """What became of messages that the service may have accepted, or may still accept."""
        evidence, final = self._evidence(), True
        until = self.intent.accepted_until + MARGIN_MS
        clock, ends = self.caller.clock, inf if timeout is None else monotonic() + timeout
        while any(each is not None and each.shows != "executed" for each in evidence):
            final = clock.wait_until(until, max(0.0, ends - monotonic()))
            # Twice, because a list that changes while it is read may hide a record from one look.
            looks = zip(evidence, self._evidence(), self._evidence(), strict=True)
            evidence = [_merged(*each) for each in looks]
            # A clock that was set meanwhile is noticed by the answers.
            if not final or clock.wait_until(until, 0):
                break
        found = zip(self.intent.messages, self.kinds, evidence, strict=True)
        return tuple(self._told(*each, final=final) for each in found)

    def refused(self, *, duplicate: bool) -> tuple[Settlement, ...]:
        """What was executed under the ids of messages that the service will not accept."""
        found = zip(self.intent.messages, self._used_ids(), strict=True)
        return tuple(_told_of_refused(*each, duplicate=duplicate) for each in found)

    def _evidence(self) -> list[Evidence | None]:
        """What the lists show now of each message, since it was signed; None if none shows it."""
        traces = [kind.trace for kind in self.kinds]
        self._ask_the_time(_lists(traces))
        clock, signed = self.caller.clock, self.intent.timestamp
        # An id may be used again, and then nothing but the time tells two messages apart.
        by_id, by_time = clock.likely(signed), clock.earliest(signed) - MARGIN_MS
        return self._found(traces, [by_id if each and each.id else by_time for each in traces])

    def _used_ids(self) -> list[Evidence | None]:
        """What the lists show of each message's id, of any time; None if they show no ids."""
        traces = [kind.trace for kind in self.kinds]
        ids = [trace if trace and trace.id else None for trace in traces]
        return self._found(ids, [0] * len(ids))

    def _found(self, traces: Sequence[Trace | None], since: Sequence[int]) -> list[Evidence | None]:
        searches = [
            search_for(message, trace, at) if trace else None
            for message, trace, at in zip(self.intent.messages, traces, since, strict=True)
        ]
        for name in _lists(traces):
            self._walk(name, [each for each in searches if each and name in each.trace.lists])
        return [each.evidence() if each else None for each in searches]

    def _ask_the_time(self, names: Iterable[str]) -> None:
        """The times of records mean little before an answer told the clock, and any does."""
        for name in names:
            if self.caller.clock.skew is None:
                next(iter(self._listed(name)), None)

    def _walk(self, name: str, searches: Sequence[Search]) -> None:
        """Read a list to its end, or until every id that is looked for was seen."""
        for record in self._listed(name):
            for each in searches:
                each.look_at(record)
            if all(each.is_over for each in searches):
                return

    def _listed(self, name: str) -> Iterable[Record]:
        operation = self.api.operations[name]
        assert isinstance(operation, ListOperation) and operation.params is not None
        own = {operation.account: self.intent.account} if operation.account else {}
        return self.caller.paginate(operation, operation.params(**own))

    def _told(
        self, message: Message, kind: _Kind, evidence: Evidence | None, *, final: bool
    ) -> Settlement:
        """What a evidence tells; if it is `final`, what is not there now never will be."""
        if evidence is None:
            again = kind.retry == "idempotent"
            advice = "; it can be sent again, twice changes no more than once" if again else ""
            return _settlement(message, "unsettled", f"no list shows it{advice}")
        if evidence.shows == "executed":
            return _settlement(message, "executed", evidence.reason, evidence.records)
        if not final:
            until = f"; the service can accept it until {self.intent.accepted_until} ms"
            return _settlement(message, "unsettled", evidence.reason + until, evidence.records)
        if evidence.shows == "absent":
            return _settlement(message, "not executed", evidence.reason, evidence.records)
        unlisted = message.client_id is not None and kind.trace is not None and not kind.trace.id
        advice = _SAME_ID if unlisted else ""
        return _settlement(message, "unsettled", evidence.reason + advice, evidence.records)


def _told_of_refused(message: Message, evidence: Evidence | None, *, duplicate: bool) -> Settlement:
    if evidence and evidence.shows == "executed":
        return _settlement(message, "executed", evidence.reason, evidence.records)
    if duplicate:
        reason = "its id was used before: the service accepted an earlier message"
        return _settlement(message, "executed", reason)
    return _settlement(message, "not executed", "the service refused it")


def _merged(first: Evidence | None, *later: Evidence | None) -> Evidence | None:
    """What was seen of a message: executed once is executed, and absent is absent from each look."""
    known = [each for each in (first, *later) if each is not None]
    executed = [each for each in known if each.shows == "executed"]
    unclear = [each for each in known[1:] if each.shows == "unclear"]
    return next(iter((*executed, *unclear, *known[1:])), None)


def _is_unlisted_duplicate(error: OutcomeUnknownError | ApiError, look: _Look) -> bool:
    """Whether the service said of an id that no list shows that it was used before."""
    if not is_duplicate(error):
        return False
    # Of a batch it does not say which id was used before.
    trace = look.kinds[0].trace if len(look.kinds) == 1 else None
    return trace is not None and trace.id is None and look.intent.client_ids[0] is not None


def _lists(traces: Iterable[Trace | None]) -> Iterable[str]:
    """The names of all lists to look in, each once."""
    return dict.fromkeys(name for trace in traces if trace for name in trace.lists)


def _settlement(
    message: Message, state: State, reason: str, records: tuple[Record, ...] = ()
) -> Settlement:
    return Settlement(
        operation=message.name,
        client_id=message.client_id,
        state=state,
        reason=reason,
        records=records,
    )
