"""Finding out what became of a call whose outcome is not known. Nothing is ever sent again.

It looks in the histories; what is not there may still be accepted until the message expires, so it
waits until the service can accept it no longer, and looks again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from attrs import field, frozen

from trading_runtime.caller import Caller
from trading_runtime.errors import ApiError, OutcomeUnknownError, RequestError
from trading_runtime.intents import Intent, Message
from trading_runtime.operation import Action, Api, ListOperation, Operation, Trace
from trading_runtime.traces import Finding, Record, Seen, concerns, find

State = Literal["executed", "not executed", "unsettled"]

MARGIN_MS = 1_000
"""How long after its expiry a message may still be on its way through the service, and how far
times of this machine and of the service may differ beyond their measured skew."""

_SAME_ID = "; send it again with the same id, and only so: a 409 then says that it was accepted"


@frozen(kw_only=True)
class Settlement:
    """What became of one message: a call's own, or one action of a batch."""

    operation: str
    """Operation or action, like `orders.create`."""

    client_id: str | None
    """The id that it was sent with; None where it has none."""

    state: State
    """`executed`; `not executed`, and never will be; or `unsettled`: the histories cannot tell."""

    reason: str
    """What the state was told by."""

    records: tuple[Any, ...] = field(default=())
    """Records of the histories that show it, or, unsettled, that may be of it."""


def reconcile(
    caller: Caller, api: Api, error: OutcomeUnknownError | ApiError, timeout: float | None
) -> tuple[Settlement, ...]:
    """What became of each message of a call, in their order.

    Raises:
        RequestError: the call was another account's, or another service's, or changed nothing.
        NotSentError, NoResponseError, ApiError, DecodeError: the histories cannot be read.
    """
    look = _Look(caller, api, _intent_of(caller, error))
    # Of a batch it does not say which id was used before.
    duplicate = error.status == 409 and len(look.intent.messages) == 1
    if isinstance(error, ApiError) or (duplicate and look.intent.client_ids != (None,)):
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


class _Sought:
    """A message, and the records of the lists that concern it."""

    def __init__(self, message: Message, trace: Trace, since: int) -> None:
        self.trace = trace
        self.records: list[Record] = []
        self._message, self._since = message, since
        self._concerned = concerns(trace, message, since)

    def look_at(self, record: Record) -> None:
        if self._concerned(record):
            self.records.append(record)

    def finding(self) -> Finding:
        return find(self.trace, self._message, self.records, self._since)


@frozen
class _Look:
    """One call, and where it shows what became of its messages."""

    caller: Caller
    api: Api
    intent: Intent

    def settled(self, timeout: float | None) -> tuple[Settlement, ...]:
        """What became of messages that the service may have accepted, or may still accept."""
        findings = self._findings()
        lapsed = True
        if any(each is not None and each.seen is not Seen.EXECUTED for each in findings):
            lapsed = self.caller.wait_until(self.intent.accepted_until + MARGIN_MS, timeout)
            findings = self._findings()
        return tuple(
            self._settlement(message, finding, lapsed)
            for message, finding in zip(self.intent.messages, findings, strict=True)
        )

    def refused(self, *, duplicate: bool) -> tuple[Settlement, ...]:
        """What was executed under the ids of messages that the service will not accept."""
        return tuple(
            self._of_refused(message, finding, duplicate)
            for message, finding in zip(self.intent.messages, self._used_ids(), strict=True)
        )

    def _findings(self) -> list[Finding | None]:
        """What the lists show now of each message, since it was signed; None if none shows it."""
        traces = [self._described(message).trace for message in self.intent.messages]
        return self._found(traces, self._since(_lists(traces)))

    def _used_ids(self) -> list[Finding | None]:
        """What the lists show of each message's id, of any time; None if they show no ids."""
        traces = [self._described(message).trace for message in self.intent.messages]
        return self._found([trace if trace and trace.id else None for trace in traces], 0)

    def _found(self, traces: Sequence[Trace | None], since: int) -> list[Finding | None]:
        sought = [
            _Sought(message, trace, since) if trace else None
            for message, trace in zip(self.intent.messages, traces, strict=True)
        ]
        for name in _lists(traces):
            self._walk(name, [each for each in sought if each and name in each.trace.lists])
        return [each.finding() if each else None for each in sought]

    def _since(self, names: Iterable[str]) -> int:
        """When the call was signed by the service's clock, at the earliest."""
        clock = self.caller.clock
        for name in names:
            if clock.skew is None:
                # The times of records mean little without it, and any answer tells it.
                next(iter(self._listed(name)), None)
        return self.intent.timestamp + clock.behind_ms() - MARGIN_MS

    def _walk(self, name: str, sought: Sequence[_Sought]) -> None:
        """Read a list to its end, or until every id that is sought was seen."""
        for record in self._listed(name):
            for each in sought:
                each.look_at(record)
            if all(each.trace.id is not None and each.records for each in sought):
                return

    def _listed(self, name: str) -> Iterable[Record]:
        operation = self.api.operations[name]
        assert isinstance(operation, ListOperation) and operation.params is not None
        own = {operation.account: self.intent.account} if operation.account else {}
        return self.caller.paginate(operation, operation.params(**own))

    def _described(self, message: Message) -> Operation[Any] | Action:
        found = self.api.operations.get(message.name) or self.api.actions.get(message.name)
        if found is None:
            raise RequestError(f"{message.name} is no operation of this service")
        return found

    def _settlement(self, message: Message, finding: Finding | None, lapsed: bool) -> Settlement:
        if finding is None:
            again = self._described(message).retry == "idempotent"
            advice = "; it can be sent again, twice changes no more than once" if again else ""
            return _settlement(message, "unsettled", f"no list shows it{advice}")
        if finding.seen is Seen.EXECUTED:
            return _settlement(message, "executed", finding.reason, finding.records)
        if not lapsed:
            reason = f"{finding.reason}; the service can accept it until {self._until()}"
            return _settlement(message, "unsettled", reason, finding.records)
        if finding.seen is Seen.ABSENT:
            return _settlement(message, "not executed", finding.reason, finding.records)
        trace = self._described(message).trace
        unlisted = message.client_id is not None and trace is not None and trace.id is None
        advice = _SAME_ID if unlisted else ""
        return _settlement(message, "unsettled", finding.reason + advice, finding.records)

    def _of_refused(self, message: Message, finding: Finding | None, duplicate: bool) -> Settlement:
        if finding and finding.seen is Seen.EXECUTED and message.client_id is not None:
            return _settlement(message, "executed", finding.reason, finding.records)
        if duplicate and message.client_id is not None:
            reason = "its id was used before: the service accepted an earlier message"
            return _settlement(message, "executed", reason)
        return _settlement(message, "not executed", "the service refused it")

    def _until(self) -> str:
        return f"{self.intent.accepted_until} ms"


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
