"""From what the lists show of a message to its settlement, and to what that rests on. No I/O."""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import frozen

from trading_runtime.call.lookup import Record
from trading_runtime.intent import LOOK, NEVER, Message
from trading_runtime.operation import Action, Operation
from trading_runtime.recovery.evidence import ANOTHERS, Evidence
from trading_runtime.recovery.settlement import Settlement, State

Kind: TypeAlias = Operation[Any] | Action

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
DIFFERENT = Evidence("unclear", "two looks at the lists differ")


@frozen
class Conclusion:
    """How the messages of one call are concluded."""

    margin: float
    """How long after its expiry a message was looked for, in seconds."""

    left_open: str
    """Why what is open stays open, after the reason of the evidence; empty if nothing is."""

    def of(self, message: Message, kind: Kind, evidence: Evidence | None) -> Settlement:
        """The settlement that evidence leads to."""
        if message.account is not None:
            return _of_another(message)
        if message.shares_id:
            return _settlement(message, "unsettled", SHARED_ID)
        if evidence is None:
            advice = _REPEATABLE if kind.retry == "idempotent" else LOOK
            return _settlement(message, "unsettled", f"{NEVER}; {advice}")
        reason, records = evidence.reason, evidence.records
        if is_unlisted(kind):
            advice = "" if message.client_id is None else _SAME_KEY
            return _settlement(message, "unsettled", reason + self.left_open + advice, records)
        if evidence.settled and evidence.shows == "executed":
            return _settlement(message, "executed", reason, records, BY_ID)
        if evidence.shows == "unclear" and (evidence.settled or not self.left_open):
            advice = YOURS if reason == ANOTHERS else ""
            return _settlement(message, "unsettled", reason + advice, records)
        if self.left_open:
            return _settlement(message, "unsettled", reason + self.left_open, records)
        if evidence.shows == "absent":
            rests_on = BY_ABSENCE.format(margin=self.margin)
            return _settlement(message, "not executed", reason, records, rests_on)
        rests_on = BY_CHANGE.format(margin=self.margin)
        return _settlement(message, "executed", reason, records, rests_on)


def conclude_refused(
    message: Message, evidence: Evidence | None, left_open: str = ""
) -> Settlement:
    """The settlement of a message that was refused, from the evidence of its id."""
    if message.account is not None:
        return _of_another(message)
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


def combined(first: Evidence, second: Evidence, both: Evidence) -> Evidence:
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


def _of_another(message: Message) -> Settlement:
    """The settlement of an action that came signed: whoever signed it may send it, too."""
    return _settlement(
        message, "unsettled", f"it came signed; look in the lists of {message.account}"
    )


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
