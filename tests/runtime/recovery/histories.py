"""A service that only answers lists, and errors of calls to it, for the tests of `reconcile`.

Its clock agrees with this machine's unless a test says otherwise. A message is signed a minute ago
unless a test says otherwise, so it has expired.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from datetime import datetime
from email.utils import formatdate
from typing import Any
from urllib.parse import urlsplit

from tests.interface import page
from tests.runtime.refusals import api_error
from trading_runtime.clock import now_ms
from trading_runtime.errors import ApiError, OutcomeUnknownError
from trading_runtime.http.transport import Request, Response
from trading_runtime.intent import Intent, Message
from trading_runtime.signing.keys import Keypair
from trading_sdk import Client, Settlement

KEY = Keypair(b"\x01" * 32)
HERE = "http://127.0.0.1:9"
MINE, OTHER = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11", "6a0b1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
WINDOW = 30_000
"""The expiry window of every message, in ms, unless a test says otherwise."""
LAG = 15_000
"""The `history_lag` of every client, in ms, unless a test says otherwise."""
MINUTE = 60_000

GIVEN = (
    "unsettled",
    "a list shows its id, but perhaps of another message that used it; if no other message had this "
    "id, this one was executed",
)
"""What is said of an order whose id its caller gave."""

Failed = OutcomeUnknownError | ApiError


class Histories:
    """A transport that answers each list with the pages it is told to show, one a request."""

    def __init__(self) -> None:
        self.pages: dict[str, list[Any]] = {}
        self.read: list[Request] = []
        self.ahead = 0
        """How far the service's clock is ahead, in seconds."""
        self.before: Callable[[], object] = lambda: None
        """Called before each answer."""

    def send(self, request: Request, *, timeout: float) -> Response:
        self.read.append(request)
        self.before()
        pages = self.pages.get(urlsplit(request.url).path, [])
        # The last page is shown again and again.
        content = page() if not pages else pages.pop(0) if len(pages) > 1 else pages[0]
        date = formatdate(now_ms() / 1_000 + self.ahead, usegmt=True)
        return Response(200, {"Date": date}, json.dumps(content).encode())

    def close(self) -> None:
        pass

    def show(self, operation: str, *pages: Any) -> None:
        """Answer the next requests of a list with these pages."""
        self.pages[Client.api.operations[operation].path] = list(pages)


class LocalClock:
    """A clock of this machine that only a sleep, or a test, moves."""

    def __init__(self) -> None:
        self.now = now_ms()
        self.slept = 0.0
        """Seconds slept in all."""

    def sleep(self, seconds: float) -> None:
        self.slept += seconds
        self.now += round(seconds * 1_000)


def soon_after_signing() -> int:
    """The time of a record that was made a second after a message was signed."""
    return now_ms() - MINUTE + 1_000


def order(at: int, **fields: Any) -> dict[str, Any]:
    return {
        "order_id": 1,
        "client_order_id": MINE,
        "symbol": "BTC",
        "side": "bid",
        "price": "1",
        "initial_price": "1",
        "average_filled_price": "0",
        "amount": "1",
        "filled_amount": "0",
        "order_status": "open",
        "order_type": "limit",
        "stop_price": None,
        "stop_parent_order_id": None,
        "reduce_only": False,
        "reason": None,
        "created_at": at,
        "updated_at": at,
        **fields,
    }


def withdrawal(at: int) -> dict[str, Any]:
    return {
        "symbol": "BTC",
        "amount": "1",
        "batch_nonce": 3,
        "transaction_id": "t",
        "created_at": at,
    }


def message(
    name: str = "orders.create",
    client_id: str | None = MINE,
    *,
    minted: bool = True,
    **fields: Any,
) -> Message:
    """A message whose fields are those of `order`, and whose id was made for it alone."""
    bid = {"symbol": "BTC", "side": "bid", "price": "1", "amount": "1"}
    return Message(name=name, client_id=client_id, fields={**bid, **fields}, minted=minted)


def cancel(order_id: int = 1) -> Message:
    return message("orders.cancel", None, order_id=order_id)


def unknown(
    *messages: Message, ago: int = MINUTE, window: int = WINDOW, **more: Any
) -> OutcomeUnknownError:
    """The error of a call that was signed so many ms ago."""
    intent = Intent(
        id="an id",
        operation=messages[0].name,
        base_url=HERE,
        account=KEY.address,
        timestamp=now_ms() - ago,
        expiry_window=window,
        messages=messages,
    )
    return OutcomeUnknownError(intent, "the connection was reset", **more)


def refused(status: int, *messages: Message, ago: int = MINUTE) -> ApiError:
    """The error of a call that was answered with a status other than 200."""
    error = api_error(messages[0].name, status, None, "No", b"")
    error.intent = unknown(*messages, ago=ago).intent
    return error


def settled(client: Client, error: Failed, timeout: float | None = None) -> Settlement:
    """The settlement of a call of one message."""
    (settlement,) = client.reconcile(error, timeout=timeout)
    return settlement


def state(client: Client, error: Failed, timeout: float | None = None) -> tuple[str, str]:
    """The state of a call of one message, and the reason for it."""
    settlement = settled(client, error, timeout)
    return settlement.state, settlement.reason


def until(error: Failed) -> str:
    """What is said of when a message expires, if the clocks agree."""
    intent = error.intent
    assert intent is not None
    utc = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(intent.accepted_until // 1_000))
    return f"the service can accept it until {intent.accepted_until} ms ({utc} UTC)"


AGAIN = "call client.reconcile(error) again"
_WHEN = re.compile(rf"; {re.escape(AGAIN)} in (\d+) s, at (\S+ \S+) UTC by this machine's clock$")


def call_again(reason: str) -> tuple[str, int]:
    """A reason without its end, which says in how many seconds to call again: both."""
    found = _WHEN.search(reason)
    assert found, reason
    named = datetime.fromisoformat(f"{found[2]}+00:00").timestamp()
    seconds = int(found[1])
    assert 0 <= named - now_ms() / 1_000 - seconds <= 1, "both are the same time"
    return reason[: found.start()], seconds


def order_ids(settlement: Settlement) -> list[int]:
    return [record.order_id for record in settlement.records]
