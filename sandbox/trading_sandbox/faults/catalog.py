"""The catalog of all kinds of faults, by name, and the script of a spoiled answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from trading_sandbox.faults import connection_faults, content_faults, framing_faults
from trading_sandbox.faults.answers import JSON_TYPE, Answer
from trading_sandbox.faults.documents import CannotSpoil
from trading_sandbox.faults.fault import Fault, Kind
from trading_sandbox.faults.playback import Script, plainly

KINDS: Mapping[str, Kind] = {
    each.name: each
    for module in (connection_faults, framing_faults, content_faults)
    for each in vars(module).values()
    if isinstance(each, Kind)
}

NEXT_FAULTS = {
    "unread": Fault(operation="*", kind="reset_before_read", executed=False),
    "executed": Fault(operation="*", kind="reset", executed=True),
}
"""By `Script.resets_next`: the fault that the next request on the connection meets."""

_BODY = b'{"success":true,"data":null,"error":null,"code":null}'


def untouched(defaults: Sequence[tuple[bytes, bytes]], target: str) -> Answer:
    """Return a success without data, for a request that the exchange does not get.

    Args:
        defaults: The headers that the server adds to every answer.
        target: Path and query of the request.
    """
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in defaults]
    return Answer(headers=(*headers, JSON_TYPE), body=_BODY, target=target)


def make_script(fault: Fault, answer: Answer) -> Script:
    """Return the script that sends an answer spoiled by a fault."""
    spoil = KINDS[fault.kind].spoil
    assert spoil is not None
    try:
        return spoil(answer, fault)
    except CannotSpoil as error:
        # Answer 500, so that no test passes because its fault did not happen.
        words = f"The fault {fault.kind} could not happen: {error}"
        body = json.dumps({"error": words, "code": 500}).encode()
        return plainly(Answer(status=500, headers=(JSON_TYPE,), body=body))
