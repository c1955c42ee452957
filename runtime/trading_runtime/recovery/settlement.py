"""Settlements: what became of each message, what that rests on, and what to do where it stays open. No I/O."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Literal

from attrs import evolve, field, frozen

from trading_runtime.call.failures import failure_text
from trading_runtime.checks import letters
from trading_runtime.clock import TELL_MS, Skew
from trading_runtime.errors import ApiError, OutcomeUnknownError
from trading_runtime.intent import ANOTHERS, LOOK, NEVER, Message
from trading_runtime.operation import Kind
from trading_runtime.shown import Compared

if TYPE_CHECKING:
    from trading_runtime.recovery.evidence import Evidence, Record

State = Literal["executed", "not executed", "unsettled"]

BY_ID = "No other message has this id, so a record that has it belongs to this one."
BY_ABSENCE = (
    "Two looks at the lists, {margin:g} s after the service could accept the message no longer: by "
    "then they show all that it did."
)
BY_CHANGE = (
    "Two looks at the lists, {margin:g} s after the change that they show: by then they show whether "
    "another record took the place of the one that was changed. Who changed it, this message or "
    "something else since it was signed, they do not show."
)
BY_REFUSAL = "The service said that it refused this message."

SHARED_ID = (
    "two messages of the batch have its id, so no list shows which one made a record; look at the orders "
    "with that id yourself"
)
_SAME_KEY = "; client.resend(error) sends it again with the same idempotency key, which is safe"
YOURS = "; if no other message had this id, this one was executed"
_REPEATABLE = "it can be sent again: repeating it changes nothing more"

BY_DUPLICATE = (
    "The service says that a key was used before only if it accepted a message with it, and no other "
    "message has this key."
)
_GIVEN = (
    "its idempotency key was used before, but you gave it, and perhaps to another message; if no other "
    "message had this key, this one was executed"
)
_NOT_SAID = (
    "that does not say that its idempotency key was used before; if it means that, and no other message "
    "had this key, this one was executed; if not, nothing is known of it"
)

NO_TIME = "no answer told the service's time (the Date of its answers is missing or wrong)"
NO_AGE = "a cache gives pages whose Age cannot be read, or is more than a day"
GOES_ON = "client.reconcile(error) goes on from there"
_AGAIN = "call client.reconcile(error) again"
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_BY_HAND = (
    "calling client.reconcile(error) again does not help while that is so; after that time, look for it "
    "in the histories yourself"
)


@frozen(kw_only=True, eq=False, repr=False)
class Settlement(Compared):
    """What became of one message: of a call that is one, or of one action of a batch.

    Attributes:
        operation: Operation or action, like `orders.create`.
        client_id: Its client order id or idempotency key; None where it has none.
        state: `executed`: do not send it again. `not executed`: send it again if you still want it.
            `unsettled`: the histories cannot tell, so do what `reason` says.
        reason: Why it has this state, and what to do if it is `unsettled`, in a sentence.
        records: The records that show its state; if it is `unsettled`, those that may belong to it.
        rests_on: What has to be true for the state to be true; empty if it is `unsettled`.
    """

    operation: str
    """Operation or action, like `orders.create`."""

    client_id: str | None
    """The client order id or idempotency key that it was sent with; None where it has none."""

    state: State
    """`executed`; `not executed`, and never will be; or `unsettled`: the histories cannot tell."""

    reason: str
    """Why it has this state, in a sentence."""

    records: tuple[Any, ...] = field(default=())
    """The records that show its state; if it is `unsettled`, those that may belong to it."""

    rests_on: str = ""
    """What has to be true for the state to be true, in a sentence; empty if it is `unsettled`."""


def conclude(
    message: Message, kind: Kind, evidence: Evidence | None, *, margin: float, left_open: str
) -> Settlement:
    """The settlement of a message that may have been executed, from the evidence of the histories.

    Args:
        margin: How long after its expiry it was looked for, in seconds.
        left_open: Why what is open stays open, after the reason of the evidence; empty if nothing is.
    """
    if message.shares_id:
        return _settlement(message, "unsettled", SHARED_ID)
    if evidence is None:
        advice = _REPEATABLE if kind.retry == "idempotent" else LOOK
        return _settlement(message, "unsettled", f"{NEVER}; {advice}")
    reason, records = evidence.reason, evidence.records
    if is_unlisted(kind):
        advice = "" if message.client_id is None else _SAME_KEY
        return _settlement(message, "unsettled", reason + left_open + advice, records)
    if evidence.settled and evidence.shows == "executed":
        return _settlement(message, "executed", reason, records, BY_ID)
    if evidence.shows == "unclear" and (evidence.settled or not left_open):
        advice = YOURS if reason == ANOTHERS else ""
        return _settlement(message, "unsettled", reason + advice, records)
    if left_open:
        return _settlement(message, "unsettled", reason + left_open, records)
    if evidence.shows == "absent":
        return _settlement(
            message, "not executed", reason, records, BY_ABSENCE.format(margin=margin)
        )
    return _settlement(message, "executed", reason, records, BY_CHANGE.format(margin=margin))


def conclude_refused(
    message: Message, evidence: Evidence | None, left_open: str = ""
) -> Settlement:
    """The settlement of a message that was refused, from the evidence of its id."""
    if evidence and evidence.shows == "executed":
        reason = f"the service refused it, but {evidence.reason}"
        return _settlement(message, "executed", reason, evidence.records, BY_ID)
    if left_open and evidence is not None:
        # An earlier message with its id may have been executed.
        return _settlement(message, "unsettled", f"the service refused it{left_open}")
    if evidence and (evidence.reason == ANOTHERS or _is_open(evidence)):
        advice = YOURS if evidence.reason == ANOTHERS else ""
        reason = f"the service refused it; {evidence.reason}{advice}"
        return _settlement(message, "unsettled", reason, evidence.records)
    return _settlement(message, "not executed", "the service refused it", (), BY_REFUSAL)


def _is_open(evidence: Evidence) -> bool:
    """Whether it is unclear for want of records that can be read, or that agree."""
    return evidence.shows == "unclear" and not evidence.settled


def is_unlisted(kind: Kind) -> bool:
    """Whether lists show what an operation does, but not which message did it: they settle nothing."""
    return kind.trace is not None and kind.trace.id is None and kind.trace.target is None


def _settlement(
    message: Message,
    state: State,
    reason: str,
    records: tuple[Record, ...] = (),
    rests_on: str = "",
) -> Settlement:
    return Settlement(
        operation=message.name,
        client_id=message.client_id,
        state=state,
        reason=reason,
        records=records,
        rests_on=rests_on,
    )


# -- an idempotency key that was used before ----------------------------------------------------


def settle_duplicate(
    message: Message, path: str | None, error: OutcomeUnknownError | ApiError
) -> Settlement:
    """The settlement of a message after a 409 to it, or to the same one that was sent before.

    A 409 is documented as "duplicate idempotency key". A text that says anything else, for example that a
    request with the key is in progress, settles nothing. Neither does a key that may be another message's.

    Args:
        path: Where the key is, like `idempotency_key`.
    """
    words = failure_text(error)
    said = path is not None and _says_duplicate(words, path, message.client_id or "")
    executed = said and message.minted
    problem = _GIVEN if said else _NOT_SAID
    meaning = "it accepted a message with this idempotency key before" if executed else problem
    return Settlement(
        operation=message.name,
        client_id=message.client_id,
        state="executed" if executed else "unsettled",
        reason=f'the service answered "{words}": {meaning}',
        rests_on=BY_DUPLICATE if executed else "",
    )


def _says_duplicate(words: str, path: str, key: str) -> bool:
    """Whether a text is that of a duplicate key: `409: Duplicate Idempotency-Key: KEY was used ...`."""
    said = rf"409(code\d+)?duplicate{letters(path)}({letters(key)})?(wasused\w*)?"
    return re.fullmatch(said, letters(words)) is not None


# -- what stays open -----------------------------------------------------------------------------


@frozen(kw_only=True, eq=False, repr=False)
class LeftOpen(Compared):
    """When, by which clock, a message is accepted no longer, and may be looked for again."""

    until: int
    """By the service's clock, in ms."""
    skew: Skew | None
    again: int
    """When another call may find out more, by this machine's clock, in ms."""
    now: int
    """The time of this machine, in ms."""

    def out_of_time(self, why: str, progress: str | None) -> str:
        """The `timeout` has passed; `why` says what took so long, if that is known."""
        return f"{self.so_far(why, progress)}; {self._accepted()}"

    def so_far(self, why: str, progress: str | None) -> str:
        """How far the looks came, and when to go on."""
        came = f"{progress}; {GOES_ON}; call it" if progress else f"nothing was read yet; {_AGAIN}"
        return f"; {why}; {came}{self._when()}" if why else f"; {came}{self._when()}"

    def too_early(self) -> str:
        """Nothing is wrong, but absence has no meaning yet."""
        return f"; {self._accepted()}; {_AGAIN}{self._when()}"

    def clock_was_set(self) -> str:
        """This machine's clock was set while it was looked for."""
        return f"; this machine's clock was set meanwhile{evolve(self, skew=None).too_early()}"

    def tells_nothing(self, problem: str) -> str:
        """Absence will have no meaning while there is this problem."""
        return f"; {problem}, so absence tells nothing; {self._accepted()}; {_BY_HAND}"

    def _when(self) -> str:
        """When to call again. Both in seconds and as a time, for it may be read at once or in a log."""
        seconds = -((self.now - self.again) // 1_000)
        if seconds <= 0:
            return ""
        return (
            f" in {seconds} s, at {_utc(self.now + seconds * 1_000 + 999)} by this machine's clock"
        )

    def _accepted(self) -> str:
        return (
            f"the service can accept it until {self.until} ms ({_utc(self.until)}){self._whose()}"
        )

    def _whose(self) -> str:
        skew = self.skew
        if skew is None:
            return ""
        if skew.is_told:
            seconds = skew.middle / 1_000
            where = "ahead of" if seconds > 0 else "behind"
            return f" by its clock, which is {abs(seconds):.0f} s {where} this machine's"
        if skew.lowest is None or skew.lowest >= -TELL_MS:
            return ""
        # Answers contradict each other, and the latest one agrees with this machine's clock.
        behind = -skew.lowest / 1_000
        return f" by its clock, which an answer told to be {behind:.0f} s behind this machine's"


def _utc(time: int) -> str:
    try:
        return f"{_EPOCH + timedelta(milliseconds=time):%Y-%m-%d %H:%M:%S} UTC"
    except OverflowError:
        return "in a year that no calendar has"
