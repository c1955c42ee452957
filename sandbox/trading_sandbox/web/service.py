"""What all requests share: the exchange, its lock, the clock and the log."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

import attrs

from trading_runtime.operation import Operation
from trading_runtime.options import now_ms
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.funding import FundingHistory
from trading_sandbox.web.log import RequestLog


@attrs.frozen(kw_only=True)
class Service:
    """An exchange that serves requests."""

    funding: FundingHistory
    taker_delay: float
    """How long GTC, IOC and market orders wait before they take effect, in seconds."""
    exchange: Exchange = attrs.field(factory=Exchange)
    lock: Lock = attrs.field(factory=Lock)
    """Held while the exchange is used, over all actions of a batch."""
    log: RequestLog = attrs.field(factory=RequestLog)
    clock: Callable[[], int] = now_ms
    """In ms."""


@attrs.define(kw_only=True)
class Call:
    """One request of an operation while it is being answered."""

    service: Service
    operation: Operation[Any]
    body: Any = None
    canonical: list[str] = attrs.field(factory=list)
    account: str | None = None
