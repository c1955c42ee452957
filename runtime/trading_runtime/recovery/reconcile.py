"""Finds out from the service's histories what became of a call. It sends nothing again.

A message that no history shows may still be accepted until it expires. So `reconcile` reads the
histories, waits until the message has certainly expired, and reads them again.
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

_SAME_KEY = (
    "; send it again only with the same idempotency key: a 409 then says that it was accepted"
)


def reconcile(
    caller: Caller, api: Api, error: OutcomeUnknownError | ApiError, timeout: float | None
) -> tuple[Settlement, ...]:
    """What became of each message of a call, in their order.

    Raises:
        RequestError: the call was another account's, or another service's, or changed nothing.
        NotSentError, NoResponseError, ApiError, DecodeError, PaginationError: the histories cannot
            be read.
    """
    intent = _intent_of(caller, error)
    kinds = tuple(_kind_of(api, each) for each in intent.messages)
    reconciliation = _Reconciliation(caller, api, intent, kinds)
    duplicate = _is_unlisted_duplicate(error, reconciliation)
    if duplicate or is_refusal(error):
        return reconciliation.settle_refused(duplicate=duplicate)
    return reconciliation.settle(timeout)


def _intent_of(caller: Caller, error: OutcomeUnknownError | ApiError) -> Intent:
    intent = error.intent
    if intent is None:
        raise RequestError(
            f"{error.operation}: it changed nothing, so there is nothing to reconcile"
        )
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
class _Reconciliation:
    """A call that is being reconciled: its messages, and the means to look them up."""

    caller: Caller
    api: Api
    intent: Intent
    kinds: tuple[_Kind, ...]
    """The operation or action of each message."""

    def settle(self, timeout: float | None) -> tuple[Settlement, ...]:
        """Settle messages that the service may have accepted, or may still accept."""
        evidence, final = self._read_evidence(), True
        expiry = self.intent.accepted_until + MARGIN_MS
        clock, deadline = self.caller.clock, inf if timeout is None else monotonic() + timeout
        while any(each is not None and each.shows != "executed" for each in evidence):
            final = clock.wait_until(expiry, max(0.0, deadline - monotonic()))
            # Twice: a list that changes while it is read may hide a record from one reading.
            readings = zip(evidence, self._read_evidence(), self._read_evidence(), strict=True)
            evidence = [_combined(*each) for each in readings]
            # The answers may have shown that a clock was set meanwhile.
            if not final or clock.wait_until(expiry, 0):
                break
        found = zip(self.intent.messages, self.kinds, evidence, strict=True)
        return tuple(self._conclude(*each, final=final) for each in found)

    def settle_refused(self, *, duplicate: bool) -> tuple[Settlement, ...]:
        """Settle messages that the service refused: at most an earlier message was executed."""
        found = zip(self.intent.messages, self._read_ids(), strict=True)
        return tuple(_conclude_refused(*each, duplicate=duplicate) for each in found)

    def _read_evidence(self) -> list[Evidence | None]:
        """What the lists show of each message now; None where no list shows its operation."""
        traces = [kind.trace for kind in self.kinds]
        self._learn_skew(_list_names(traces))
        clock, signed = self.caller.clock, self.intent.timestamp
        # An id may be used again, and then nothing but the time tells two messages apart.
        by_id, by_time = (
            clock.likely_service_time(signed),
            clock.earliest_service_time(signed) - MARGIN_MS,
        )
        return self._search(traces, [by_id if each and each.id else by_time for each in traces])

    def _read_ids(self) -> list[Evidence | None]:
        """What the lists show of each message's id, of any time; None where they show no ids."""
        traces = [kind.trace for kind in self.kinds]
        with_ids = [trace if trace and trace.id else None for trace in traces]
        return self._search(with_ids, [0] * len(with_ids))

    def _search(
        self, traces: Sequence[Trace | None], since: Sequence[int]
    ) -> list[Evidence | None]:
        """Read every list that a trace names once, for all messages together."""
        searches = [
            search_for(message, trace, at) if trace else None
            for message, trace, at in zip(self.intent.messages, traces, since, strict=True)
        ]
        for name in _list_names(traces):
            self._read(name, [each for each in searches if each and name in each.trace.lists])
        return [each.evidence() if each else None for each in searches]

    def _learn_skew(self, names: Iterable[str]) -> None:
        """Make a request if there was none yet: any answer tells how far the clocks are apart."""
        for name in names:
            if self.caller.clock.skew is None:
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
        operation = self.api.operations[name]
        assert isinstance(operation, ListOperation) and operation.params is not None
        own = {operation.account: self.intent.account} if operation.account else {}
        return self.caller.paginate(operation, operation.params(**own))

    def _conclude(
        self, message: Message, kind: _Kind, evidence: Evidence | None, *, final: bool
    ) -> Settlement:
        """The settlement that evidence leads to; if it is `final`, the message has expired."""
        if evidence is None:
            again = kind.retry == "idempotent"
            advice = "; it can be sent again: repeating it changes nothing more" if again else ""
            return _settlement(message, "unsettled", f"no list shows it{advice}")
        if evidence.shows == "executed":
            return _settlement(message, "executed", evidence.reason, evidence.records)
        if not final:
            until = f"; the service can accept it until {self.intent.accepted_until} ms"
            return _settlement(message, "unsettled", evidence.reason + until, evidence.records)
        if evidence.shows == "absent":
            return _settlement(message, "not executed", evidence.reason, evidence.records)
        unlisted = message.client_id is not None and kind.trace is not None and not kind.trace.id
        advice = _SAME_KEY if unlisted else ""
        return _settlement(message, "unsettled", evidence.reason + advice, evidence.records)


def _conclude_refused(
    message: Message, evidence: Evidence | None, *, duplicate: bool
) -> Settlement:
    """The settlement of a message that was refused, from the evidence of its id."""
    if evidence and evidence.shows == "executed":
        return _settlement(message, "executed", evidence.reason, evidence.records)
    if duplicate:
        reason = "its idempotency key was used before: the service accepted an earlier message"
        return _settlement(message, "executed", reason)
    return _settlement(message, "not executed", "the service refused it")


def _combined(first: Evidence | None, *later: Evidence | None) -> Evidence | None:
    """The evidence of several readings: executed if one shows it, absent if all later ones do."""
    known = [each for each in (first, *later) if each is not None]
    executed = [each for each in known if each.shows == "executed"]
    unclear = [each for each in known[1:] if each.shows == "unclear"]
    return next(iter((*executed, *unclear, *known[1:])), None)


def _is_unlisted_duplicate(
    error: OutcomeUnknownError | ApiError, reconciliation: _Reconciliation
) -> bool:
    """Whether the service said that an idempotency key, which no list shows, was used before."""
    if not is_duplicate(error):
        return False
    # Of a batch it does not say which key was used before.
    kinds, keys = reconciliation.kinds, reconciliation.intent.client_ids
    trace = kinds[0].trace if len(kinds) == 1 else None
    return trace is not None and trace.id is None and keys[0] is not None


def _list_names(traces: Iterable[Trace | None]) -> Iterable[str]:
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
