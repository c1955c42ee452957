"""The old names of `tests.doubles`."""

from __future__ import annotations

import json
import time
from typing import Any

from tests.doubles.calls import (
    CHANGES,
    SETTINGS,
    batch,
    cancel,
    create,
    history,
    lend,
    settings,
    subaccounts,
    transfer,
    withdraw,
)
from tests.doubles.orders import ID, order
from tests.doubles.server import begun
from tests.doubles.signer import KEY
from tests.doubles.transport import NOT_SENT, Answer, ScriptedTransport, no, one_by_one, response
from trading_runtime.http.transport import RequestsTransport, Response
from trading_sdk import Client

ORDER: dict[str, Any] = order()
GOOD = json.dumps(SETTINGS).encode()


def ok(payload: Any = None, **headers: str) -> Response:
    return response(200, SETTINGS if payload is None else payload, **headers)


class Waits:
    """Stands in for sleeping: keeps how long it would have been."""

    def __init__(self, client: Client) -> None:
        self.seconds: list[float] = []
        client._caller.clock.sleep = self.sleep

    def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)
        # Enough for another millisecond, and so for another signature.
        time.sleep(0.002)


class Scripted(ScriptedTransport):
    """A transport whose first attempts fail or answer as scripted; the others go to the service."""

    def __init__(self, *script: Answer) -> None:
        super().__init__(*script, then=RequestsTransport())


__all__ = [
    "CHANGES",
    "GOOD",
    "ID",
    "KEY",
    "NOT_SENT",
    "ORDER",
    "SETTINGS",
    "Scripted",
    "Waits",
    "batch",
    "begun",
    "cancel",
    "create",
    "history",
    "lend",
    "no",
    "ok",
    "one_by_one",
    "settings",
    "subaccounts",
    "transfer",
    "withdraw",
]
