"""Faults of the websocket: the frame of an event, or of the answer to an order, is spoiled.

The answer that a script is made of has the frame as its body.
"""

from __future__ import annotations

from trading_sandbox.faults.answers import Answer
from trading_sandbox.faults.fault import Fault, kind
from trading_sandbox.faults.playback import Script, Sleep, Write

_TRY_AGAIN_LATER = b"\x88\x02" + (1013).to_bytes(2, "big")


@kind("U", "yes, unless told")
def frame_lost(answer: Answer, fault: Fault) -> Script:
    """The frame never comes, and the connection goes on."""
    return Script()


@kind("U", "always", options={"seconds": 1.0})
def frame_late(answer: Answer, fault: Fault) -> Script:
    """The frame comes `seconds` later, behind those that were sent meanwhile."""
    return Script(steps=[Sleep(fault.seconds), Write(answer.body)])


@kind("success", "always")
def frame_twice(answer: Answer, fault: Fault) -> Script:
    """The frame comes twice."""
    return Script(steps=[Write(answer.body * 2)])


@kind("U", "always")
def half_frame(answer: Answer, fault: Fault) -> Script:
    """Half of the frame comes; then the connection is closed."""
    return Script(steps=[Write(answer.body[: len(answer.body) // 2])], end="close")


@kind("U", "yes, unless told")
def cut_off(answer: Answer, fault: Fault) -> Script:
    """The connection is reset instead of the frame."""
    return Script(end="reset")


@kind("U", "no, unless told")
def try_again_later(answer: Answer, fault: Fault) -> Script:
    """The connection is closed with the code 1013 instead of the frame."""
    return Script(steps=[Write(_TRY_AGAIN_LATER)], end="close")
