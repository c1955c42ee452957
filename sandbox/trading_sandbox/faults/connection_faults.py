"""Faults of the connection: resets, closes, delays, and answers that come twice."""

from __future__ import annotations

from datetime import timedelta
from email.utils import format_datetime, parsedate_to_datetime

from attrs import evolve

from trading_sandbox.faults.answers import Answer
from trading_sandbox.faults.fault import REQUIRED, Fault, Kind, kind
from trading_sandbox.faults.playback import Script, Sleep, Write, plainly

# -- before the answer ---------------------------------------------------------------------------

connect_refused = Kind(
    name="connect_refused",
    meaning="At once and for `seconds` nothing listens: idle connections are closed, new ones "
    "refused. Takes no `times`.",
    outcome="N",
    executed="never",
    spoil=None,
    options={"seconds": 1.0},
    needs="listener",
)


@kind("U", "never", on_head=True)
def reset_before_read(answer: Answer, fault: Fault) -> Script:
    """The connection is reset on the head of the request, before its body is read."""
    return Script(end="reset")


@kind("U", "yes, unless told")
def reset(answer: Answer, fault: Fault) -> Script:
    """The connection is reset once the request is read, without an answer."""
    return Script(end="reset")


@kind("U", "yes, unless told")
def close(answer: Answer, fault: Fault) -> Script:
    """The connection is closed once the request is read, without an answer."""
    return Script(end="close")


@kind("U", "always", options={"seconds": 1.0}, waits_first=True)
def delay_request(answer: Answer, fault: Fault) -> Script:
    """The exchange gets the request after `seconds`, even if the client is gone."""
    return plainly(answer)


@kind("U", "always", options={"seconds": 1.0})
def delay_answer(answer: Answer, fault: Fault) -> Script:
    """The request is executed at once and answered after `seconds`."""
    return Script(steps=[Sleep(fault.seconds), Write(answer.render())])


@kind("R", "always", options={"offset_ms": REQUIRED})
def clock_offset(answer: Answer, fault: Fault) -> Script:
    """The request is checked by a clock `offset_ms` ahead, which the answer's Date shows."""
    offset = timedelta(milliseconds=fault.offset_ms)
    dates = [
        (name, format_datetime(parsedate_to_datetime(value) + offset, usegmt=True))
        for name, value in answer.headers
        if name.lower() == "date"
    ]
    return plainly(answer.with_headers(*dates))


@kind("success", "always")
def malformed_alone(answer: Answer, fault: Fault) -> Script:
    """A malformed action of the batch fails alone, and the others are executed; without this fault it
    refuses the whole batch."""
    return plainly(answer)


# -- on a connection that is kept ----------------------------------------------------------------


@kind("N", "always", options={"seconds": 0.0}, needs="reused connection")
def close_idle(answer: Answer, fault: Fault) -> Script:
    """The answer is whole; the connection is closed `seconds` later all the same. A request that
    comes in between is lost."""
    return Script(steps=[Write(answer.render()), Sleep(fault.seconds)], end="close")


@kind("U", "no, unless told", about_next=True, needs="reused connection")
def reset_next(answer: Answer, fault: Fault) -> Script:
    """The answer is whole; the next request of any operation on the connection meets a reset.
    `executed` is about that one."""
    return Script(
        steps=[Write(answer.render())], resets_next="executed" if fault.executed else "unread"
    )


@kind("success", "always", options={"seconds": 0.0, "body": None}, needs="reused connection")
def second_answer(answer: Answer, fault: Fault) -> Script:
    """After the answer, `seconds` later, comes one more: the same, or with `body`."""
    second = answer if fault.body is None else evolve(answer, body=fault.body)
    return Script(steps=[Write(answer.render()), Sleep(fault.seconds), Write(second.render())])
