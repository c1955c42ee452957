"""Finds out from the service's lists what became of the messages of a call. It sends nothing again.

A message can be accepted until it expires, and listed `history_lag` later. Whatever rests on the absence of a record
comes from two whole readings of the lists that began after both, by the service's clock and by this machine's. The state
of an order that was ended comes from two readings, the second a lag after the first: what took its place may be listed late.

A refusal takes the same path, because a hop may have sent the message twice, and this be the answer to the second copy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf

from attrs import define, evolve, field

from trading_runtime.call.caller import Caller
from trading_runtime.call.failures import failure_text, is_duplicate, is_refusal, refused_actions
from trading_runtime.checks import letters
from trading_runtime.clock import BOUND_MS, UNDATED_MS, Clock
from trading_runtime.errors import (
    ApiError,
    BadRequestError,
    BatchError,
    OutcomeUnknownError,
    RequestError,
    TradingError,
)
from trading_runtime.intent import LOOK, NEVER, Intent, Message
from trading_runtime.operation import Api, Kind
from trading_runtime.recovery.evidence import Evidence, Search, Signing
from trading_runtime.recovery.lists import Lists, OutOfTime, Reading
from trading_runtime.recovery.settlement import Settlement

CONTRADICTION_MS = 300_000
"""Five minutes: this machine's clock and a `Date` that contradict each other by more prove nothing."""
_MAX_READINGS = 20
_LATE = 2
"""Readings on which absence rests."""
_SECOND_MS = 1_000
"""A `Date` is cut off to whole seconds, so that the next one may show less."""
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.5, 64.0
_NO_TIME = "no answer tells the service's time for certain"
BY_ABSENCE = (
    "Two readings of the lists, {0:g} s after the service could accept the message no longer: by then they "
    "show all that it did."
)
BY_KEY = "The service refuses a key only after it accepted a message with it, and no other message has this key."
SHARED_ID = (
    "two messages of the batch have its id, so no list shows which one made a record; look at the orders "
    "with that id yourself"
)
SAME_KEY = "client.resend(error) sends it again with the same idempotency key, which is safe"
GOES_ON = "client.reconcile(error) goes on from there"


def reconcile(
    caller: Caller,
    api: Api,
    error: OutcomeUnknownError | ApiError | BatchError,
    timeout: float | None,
) -> tuple[Settlement, ...]:
    """What became of each message of a call, or of each action that failed, in their order.

    The error keeps how far it came.

    Raises:
        RequestError: the call was another account's, or another service's, or changed nothing.
        NotSentError, NoResponseError, ApiError, DecodeError, PaginationError: a list cannot be read.
    """
    intent = intent_of(caller, error)
    subjects = [
        Subject(intent.messages[place], api, _kind_of(api, intent.messages[place]), refusal)
        for place, refusal in refused_actions(error, len(intent.messages)).items()
    ]
    # Not there while it is under way, so that another thread begins looks of its own.
    kept: Scan | None = vars(error).pop("looks", None)
    scan = kept or Scan(intent, [each.search(intent) for each in subjects])
    error.progress = None
    seconds = inf if timeout is None else timeout
    lists = Lists(caller, api, intent.account, seconds, scan.unsized)
    try:
        problem = scan.look(lists)
    except OutOfTime as why:
        error.looks, error.progress = scan, str(scan)
        problem = f"{why}; {scan}; {GOES_ON}"
    except TradingError as failure:
        error.looks, error.progress = scan, str(scan)
        failure.args = (f"{failure.args[0]} ({scan}; {GOES_ON})",)
        raise
    searches = zip(subjects, scan.searches, strict=True)
    return tuple(each.settled(search, caller.history_lag, problem) for each, search in searches)


@define
class Subject:
    """One message that is reconciled."""

    message: Message
    api: Api
    kind: Kind
    refusal: OutcomeUnknownError | ApiError
    """How its call ended, or what its action was refused with."""

    def search(self, intent: Intent) -> Search | None:
        """What looks for it; None where no list shows anything of it."""
        trace = self.kind.trace
        if trace is None or self.message.shares_id or self._is_refused_key():
            return None
        # What changes such records says where the time of their last change stands.
        traces = [trace, *(each.trace for each in self.api.kinds.values() if each.trace)]
        fields = [
            each.target.changed_at
            for each in traces
            if each.target and {*each.lists} & {*trace.lists}
        ]
        is_certain = False if intent.skew is None else None
        signing = Signing(intent.timestamp - UNDATED_MS, is_certain)
        changed_at = next(iter(fields), None)
        return Search(self.message, trace, signing, is_duplicate(self.refusal), changed_at)

    def settled(self, search: Search | None, lag: float, problem: str) -> Settlement:
        """Its settlement, from what the lists show of it, and why more cannot be said."""
        found = self._unlisted() if search is None else search.evidence()
        if search is not None and problem and not search.is_settled:
            found = Evidence("unsettled", f"{found.reason}; {problem}", found.records)
        if search is not None and is_unlisted(self.kind) and self.message.client_id is not None:
            found = evolve(found, reason=f"{found.reason}; {SAME_KEY}")
        refused = "the service refused it; " if is_refusal(self.refusal) else ""
        return Settlement(
            operation=self.message.name,
            client_id=self.message.client_id,
            state=found.state,
            reason=f"{refused}{found.reason}",
            records=found.records,
            rests_on="" if found.state == "unsettled" else found.rests_on or BY_ABSENCE.format(lag),
        )

    def _unlisted(self) -> Evidence:
        """What is known of a message that no list shows."""
        if self.message.shares_id:
            return Evidence("unsettled", SHARED_ID)
        if self._is_refused_key():
            return used_key(self.message, self.kind.key, failure_text(self.refusal))
        safe = self.kind.retry == "idempotent"
        advice = "it can be sent again: repeating it changes nothing more" if safe else LOOK
        return Evidence("unsettled", f"{NEVER}; {advice}")

    def _is_refused_key(self) -> bool:
        """Whether the service said something of its idempotency key, which no list shows."""
        has_key = is_unlisted(self.kind) and self.message.client_id is not None
        return has_key and is_duplicate(self.refusal)


@define
class Scan:
    """The readings for one call: what they show, and how far they are."""

    intent: Intent
    searches: Sequence[Search | None]
    number: int = 0
    """Of readings that were begun."""
    told: list[int] = field(factory=list)
    """How far the service's clock is ahead of the monotonic one, in ms, as each page told that no other clock contradicts."""
    dated: list[Reading] = field(factory=list)
    """The whole readings that told the service's time."""
    late: int = 0
    """How many of them began when the lists showed all that can have been done."""
    reading: Reading | None = None
    """The one that is under way."""
    may_be_told: bool = False
    """Whether the next reading may tell the service's time, because some answer did, or a cache gave a page."""
    unsized: set[str] = field(factory=set)
    """The lists that refuse the size of a page, or may have cut one short."""

    def __str__(self) -> str:
        return str(self.reading) if self.reading else f"{self.number} readings"

    def look(self, lists: Lists) -> str:
        """Read until nothing is open; else why it stays open.

        Raises:
            OutOfTime, TradingError: it is not done; another call goes on from here.
        """
        pause = 1.0
        for _ in range(_MAX_READINGS):
            open_ = [each for each in self.searches if each and not self._is_settled(each)]
            if not open_:
                return ""
            late, is_dated = self.late, self._read(lists, open_)
            open_ = [each for each in open_ if not self._is_settled(each)]
            changes = [each.shown_at + lists.caller.history_lag for each in open_ if each.shown]
            waits = [each - lists.clock.monotonic() for each in changes]
            if is_dated and self.late < _LATE:
                missing = self._missing(lists, lists.clock.monotonic(), lists.clock.local_ms())
                waits.append((missing + _SECOND_MS) / 1_000)
            if not open_ or late < self.late < _LATE:
                continue
            if waits:
                seconds = max(_SHORTEST_PAUSE, min(waits))
                lists.wait(seconds, "the service may accept it still, or list it later")
            elif pause > (_LONGEST_PAUSE if self.may_be_told else 1.0):
                return f"{_NO_TIME}, so absence has no meaning"
            else:
                lists.wait(pause, _NO_TIME)
                pause *= 2
        return "the clocks or the lists cannot be relied on, so absence has no meaning"

    def _is_settled(self, search: Search) -> bool:
        is_absent = self.late >= _LATE and not search.shown
        if search.was_read and (is_absent or search.evidence().is_final):
            search.is_settled = True
        return search.is_settled

    def _read(self, lists: Lists, open_: Sequence[Search]) -> bool:
        """Read the lists once, or go on with the reading that ran out of time; whether its time is known."""
        was_begun = self.reading is not None
        if self.reading is None:
            self.number += 1
            self.reading = lists.begin(self.number, open_)
        try:
            lists.read(self.reading, open_)
        except BadRequestError:
            if not was_begun:
                raise
            self.reading = None  # the cursor that an earlier call left has expired
            return bool(self.dated)
        reading, self.reading = self.reading, None
        is_dated = self._take_time(lists, reading)
        for each in open_:
            each.signing = self._signing(lists.clock, reading)
            found, each.was_read = each.evidence(), True
            is_open = found.state == "executed" and not found.is_final
            if is_open and found.records == each.shown:
                seconds = reading.monotonic - each.shown_at
                each.is_settled = seconds >= lists.caller.history_lag and not reading.is_aged
            else:
                each.shown = found.records if is_open else ()
                each.shown_at = reading.monotonic
        return is_dated

    def _take_time(self, lists: Lists, reading: Reading) -> bool:
        """Learn the service's time from a reading; whether it told one that no other clock contradicts.

        The least of all counts, so that wrong `Date`s beside a right one shorten no wait.
        """
        clock, local = lists.clock, reading.local - round(reading.monotonic * 1_000)
        self.may_be_told = reading.is_aged or clock.offset is not None
        # A machine that signs the service's time may have any time of its own.
        other = clock.offset if clock.name == "server" and clock.offset is not None else local
        told = [each for each in (*self.told, *reading.offsets) if each is not None]
        self.told = [each for each in told if abs(each - other) <= CONTRADICTION_MS]
        self.dated = [each for each in (*self.dated, reading) if each.offset in self.told]
        missing = [self._missing(lists, each.monotonic, each.local) for each in self.dated]
        self.late = sum(each <= 0 for each in missing)
        return reading in self.dated

    def _signing(self, clock: Clock, reading: Reading) -> Signing:
        """When the messages were signed, by the service's clock. It is certain if each page tells the same."""
        signed, then = self.intent.timestamp, self.intent.skew
        local = clock.local_ms() - round(clock.monotonic() * 1_000)
        if then is not None and all(
            each is not None and abs(each - local - then) <= 2 * BOUND_MS
            for each in reading.offsets
        ):
            # What pages tell bears it out, and no more: this machine's clock may have been set since.
            return Signing(signed + then - BOUND_MS, True)
        told = self.told or ([] if clock.offset is None else [clock.offset])
        known = [each - local for each in told] + ([] if then is None else [then])
        return Signing(signed + min(known, default=-UNDATED_MS) - BOUND_MS, False)

    def _missing(self, lists: Lists, monotonic: float, local: int) -> int:
        """How long after these times of this machine absence gets a meaning, in ms."""
        due = self.intent.accepted_until + round(lists.caller.history_lag * 1_000)
        by_service = due + BOUND_MS - round(monotonic * 1_000) - min(self.told)
        # One wrong `Date` is not enough: this machine's clock must have passed the time, too.
        return by_service if lists.clock.name == "server" else max(by_service, due - local)


def intent_of(caller: Caller, error: OutcomeUnknownError | ApiError | BatchError) -> Intent:
    """The intent of a call of this client's service and account."""
    if error.intent is None:
        raise RequestError(
            f"{error.operation}: it changed nothing, so there is nothing to reconcile"
        )
    caller.check_own(error.intent, "reconcile")
    return error.intent


def _kind_of(api: Api, message: Message) -> Kind:
    kind = api.kinds.get(message.name)
    if kind is None:
        raise RequestError(f"{message.name} is no operation of this service")
    return kind


def is_unlisted(kind: Kind) -> bool:
    """Whether lists show what an operation does, but not which message did it: they settle nothing."""
    return kind.trace is not None and kind.trace.id is None and kind.trace.target is None


# -- an idempotency key that was used before --------------------------------------------------------


def used_key(message: Message, path: str | None, words: str) -> Evidence:
    """What a refusal shows that speaks of the key of a message, which is at a path like `idempotency_key`.

    Any text but that of a used key, for example that a request with the key is in progress, settles nothing:
    `409: Duplicate Idempotency-Key: KEY was used ...`.
    """
    said = rf"\d+(code\d+)?duplicate{letters(path or '')}({letters(message.client_id or '')})?(wasused\w*)?"
    if re.fullmatch(said, letters(words)) is None:
        meaning = "that does not say that its idempotency key was used before, and settles nothing"
    elif message.minted:
        meaning = "it accepted a message with this idempotency key before"
        return Evidence("executed", f'the service answered "{words}": {meaning}', rests_on=BY_KEY)
    else:
        meaning = "you gave the key, and perhaps to another message; if not, this one was executed"
    return Evidence("unsettled", f'the service answered "{words}": {meaning}')
