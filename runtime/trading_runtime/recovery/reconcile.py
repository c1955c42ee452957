"""Finds out from the service's histories what became of a call. It sends nothing again.

A message that no history shows may still be accepted until it expires, and a history may show it later
than that. So `reconcile` reads the histories, waits until both are over, and reads them twice. Whatever
rests on the absence of a record comes from those two readings.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from logging import INFO, WARNING
from math import ceil, inf

from attrs import define

from trading_runtime.call.caller import Caller
from trading_runtime.call.failures import is_duplicate, is_refusal, with_intent
from trading_runtime.clock import MAX_BEHIND_MS
from trading_runtime.errors import ApiError, OutcomeUnknownError, RequestError, TradingError
from trading_runtime.intent import Intent, Message
from trading_runtime.log import note
from trading_runtime.operation import Api, Kind
from trading_runtime.recovery.evidence import MAX_UNSEEN_SKEW_MS, Evidence
from trading_runtime.recovery.history_scan import HistoryScan, Looks
from trading_runtime.recovery.lists import MAX_AGE_MS, Lists, OutOfTime
from trading_runtime.recovery.settlement import (
    GOES_ON,
    NO_AGE,
    NO_TIME,
    LeftOpen,
    Settlement,
    conclude,
    conclude_refused,
    is_unlisted,
    settle_duplicate,
)

_MAX_LOOKS = 20
"""The most looks of one call: a service that needs more has clocks or caches that cannot be relied on."""
_SLACK = 5.0
"""Seconds that a wait may take longer than documented before it is a warning: a `Date` tells whole ones."""
_MAX_UNDATED = 2
"""After so many looks in a row without a `Date`, the service is taken to send none."""


def reconcile(
    caller: Caller, api: Api, error: OutcomeUnknownError | ApiError, timeout: float | None
) -> tuple[Settlement, ...]:
    """What became of each message of a call, in their order. The error keeps how far it came.

    Raises:
        RequestError: the call was another account's, or another service's, or changed nothing.
        NotSentError, NoResponseError, ApiError, DecodeError, PaginationError: the histories cannot
            be read.
    """
    intent = intent_of(caller, error)
    kinds = tuple(_kind_of(api, each) for each in intent.messages)
    if _is_unlisted_duplicate(error, intent, kinds):
        return (settle_duplicate(intent.messages[0], kinds[0].key, error),)
    is_final = is_refusal(error) and not _may_answer_a_copy(error, kinds)
    looks = _looks_of(error, intent, kinds, ids_alone=is_final)
    seconds = inf if timeout is None else timeout
    reconciliation = _Reconciliation(caller, api, error, intent, kinds, looks, seconds)
    try:
        settlements = reconciliation.settle_refused() if is_final else reconciliation.settle()
    except TradingError as failure:
        if error.progress is not None:
            error.looks = looks
            failure.args = (f"{failure.args[0]} ({error.progress}; {GOES_ON})",)
        raise
    except BaseException:
        error.progress = None  # Ctrl-C may have come between two records of a page: begin anew
        raise
    error.looks = None if error.progress is None else looks
    return settlements


def intent_of(caller: Caller, error: OutcomeUnknownError | ApiError) -> Intent:
    """The intent of a call of this client's service and account."""
    intent = with_intent(error).intent
    if intent is None:
        raise RequestError(
            f"{error.operation}: it changed nothing, so there is nothing to reconcile"
        )
    caller.check_own(intent, "reconcile")
    return intent


def _kind_of(api: Api, message: Message) -> Kind:
    kind = api.kinds.get(message.name)
    if kind is None:
        raise RequestError(f"{message.name} is no operation of this service")
    return kind


def _looks_of(
    error: OutcomeUnknownError | ApiError, intent: Intent, kinds: Sequence[Kind], *, ids_alone: bool
) -> Looks:
    """The looks of an earlier call, or new ones.

    The error has none while they are under way, so that another thread begins looks of its own.
    """
    messages, traces = intent.messages, [each.trace for each in kinds]
    if ids_alone:
        traces = [each if each and each.id else None for each in traces]
    else:
        pairs = zip(messages, traces, strict=True)
        traces = [None if message.shares_id else trace for message, trace in pairs]
    kept: Looks | None = vars(error).pop("looks", None)
    if kept is not None and kept.go_on(messages, traces):
        return kept
    error.progress = None
    return Looks(messages, traces)


@define
class _Reconciliation:
    """A call that is being reconciled: its messages, and the looks at the lists for them."""

    caller: Caller
    api: Api
    error: OutcomeUnknownError | ApiError
    intent: Intent
    kinds: tuple[Kind, ...]
    """The operation or action of each message."""
    looks: Looks
    timeout: float

    def settle(self) -> tuple[Settlement, ...]:
        """Settle messages that the service may have accepted, or may still accept."""
        scan = self._scan()
        try:
            left_open = self._look_until_sure(scan)
        except OutOfTime as why:
            left_open = self._left_open(scan, why).out_of_time(str(why), self.error.progress)
        if not left_open:
            self.error.progress = None
        found = zip(self.intent.messages, self.kinds, self.looks.evidence(), strict=True)
        margin = self.caller.history_lag
        return tuple(conclude(*each, margin=margin, left_open=left_open) for each in found)

    def settle_refused(self) -> tuple[Settlement, ...]:
        """Settle messages that the service refused: at most an earlier message was executed."""
        scan, left_open = self._scan(), ""
        try:
            scan.read(lambda _: False)
            self.error.progress = None
        except OutOfTime as why:
            left_open = self._left_open(scan, why).so_far(str(why), self.error.progress)
        found = zip(self.intent.messages, self.looks.evidence(), strict=True)
        return tuple(conclude_refused(*each, left_open) for each in found)

    def _scan(self) -> HistoryScan:
        account, timeout = self.intent.account, self.timeout
        lists = Lists(self.caller, self.api, account, timeout, self._before_wait)
        signed, clock = self.intent.timestamp, self.caller.clock
        return HistoryScan(lists, clock, signed, self.looks, self._report)

    def _report(self, progress: str) -> None:
        self.error.progress = progress

    def _look_until_sure(self, scan: HistoryScan) -> str:
        """Look until two looks say the same of all that is open. Returns why it stays open, or an empty text."""
        clock, undated = self.caller.clock, 0
        for number in range(_MAX_LOOKS):
            due = self._due()
            if number and not self._is_open(self.looks.evidence()):
                return ""
            # The latest answers may have shown that the service's clock was set meanwhile.
            is_late_enough = self.looks.show(due) and clock.wait_until(due + scan.lists.age, 0)
            if is_late_enough and scan.are_whole():
                return ""
            undated = 0 if scan.dated else undated + 1
            if undated == _MAX_UNDATED or scan.lists.age > MAX_AGE_MS:
                break
            if number and not self._wait_until(due + scan.lists.age, scan.lists.time_left):
                break
            scan.read(partial(self._is_useless, due))
        left_open, skew = self._left_open(scan), clock.skew
        if not scan.still:
            return left_open.clock_was_set()
        if scan.lists.age > MAX_AGE_MS:
            return left_open.tells_nothing(NO_AGE)
        if not scan.dated or (skew is not None and skew.floor < -MAX_BEHIND_MS):
            return left_open.tells_nothing(NO_TIME)
        return left_open.too_early()

    def _wait_until(self, service_time: int, timeout: float) -> bool:
        """Wait until the service's clock shows a time, as `Clock` does, and say so before."""
        clock = self.caller.clock
        now = clock.local_ms()
        seconds = (clock.certainly_at(service_time) - now) / 1_000
        if seconds > 0 and timeout > 0:
            behind = (now - clock.earliest_service_time(now)) / 1_000
            text = "%s: waits %.0f s, until the lists show all that the service can have accepted%s"
            why = f"; its clock may be {behind:.0f} s behind this machine's" if behind > 2 else ""
            usual = self.intent.expiry_window / 1_000 + self.caller.history_lag
            level = WARNING if min(seconds, timeout) > usual + _SLACK else INFO
            note(level, text, self.intent.operation, min(seconds, timeout), why)
        return clock.wait_until(service_time, timeout)

    def _is_useless(self, due: int, began: int | None) -> bool:
        """Whether a look began too early to count, while it is late enough for one that does."""
        return began is not None and began < due and self.caller.clock.wait_until(due, 0)

    def _is_open(self, evidence: list[Evidence | None]) -> bool:
        """Whether a later look may change what becomes of any message."""
        return any(
            each is not None and not each.settled and not is_unlisted(kind)
            for kind, each in zip(self.kinds, evidence, strict=True)
        )

    def _due(self) -> int:
        """When absence has a meaning, by the service's clock: then lists show all that was done."""
        until = self.intent.accepted_until
        # A change may be another message's, and later than this one can be. No time is believed blindly.
        latest = until + MAX_UNSEEN_SKEW_MS
        done = [until if each is None else min(latest, each) for each in self.looks.changes]
        return max(done, default=until) + round(self.caller.history_lag * 1_000)

    def _left_open(self, scan: HistoryScan, out_of_time: OutOfTime | None = None) -> LeftOpen:
        clock = self.caller.clock
        now, again = clock.local_ms(), clock.certainly_at(self._due() + scan.lists.age)
        if out_of_time is not None:
            again = now + ceil(out_of_time.seconds * 1_000)
        return LeftOpen(
            until=self.intent.accepted_until,
            skew=clock.skew,
            again=again,
            now=now,
        )

    def _before_wait(self, why: str) -> None:
        so_far = self.error.progress or "nothing was read yet"
        note(INFO, "%s: %s; %s", self.intent.operation, why, so_far)


def _may_answer_a_copy(error: OutcomeUnknownError | ApiError, kinds: Sequence[Kind]) -> bool:
    """Whether a refusal is a 409 to an id that lists show: it may speak of a copy of the message itself."""
    return is_duplicate(error) and any(each.trace and each.trace.id for each in kinds)


def _is_unlisted_duplicate(
    error: OutcomeUnknownError | ApiError, intent: Intent, kinds: Sequence[Kind]
) -> bool:
    """Whether it ended with a 409 to an idempotency key, which no list shows."""
    # Of a batch it does not say which key was used before.
    (first, *others), key = kinds, intent.client_ids[0]
    return is_duplicate(error) and not others and is_unlisted(first) and key is not None
