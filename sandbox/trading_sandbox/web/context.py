"""One request of an operation while it is being answered."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import attrs
from starlette.requests import Request

from trading_runtime import Operation
from trading_sandbox.faults.fault import Fault
from trading_sandbox.log import KEPT_ANSWER, LoggedRequest
from trading_sandbox.rate_limits import Budget
from trading_sandbox.service import Service
from trading_sandbox.web.dialects.dialect import Dialect

JSON_TYPE = b"application/json"
SHARED = ((b"access-control-allow-origin", b"*"),)
"""The headers by which a browser lets web pages of other sites read an answer."""


@attrs.define
class RequestContext:
    """A request, and what is known of it so far, for the answer and the request log."""

    service: Service
    dialect: Dialect
    operation: Operation[Any]
    request: Request
    body: Any = attrs.field(init=False, default=None)
    """The parsed JSON; the text if it could not be parsed; None without a body."""
    body_size: int = attrs.field(init=False, default=0)
    canonical: list[str] = attrs.field(init=False, factory=list)
    verified: int = attrs.field(init=False, default=0)
    """How many of the canonical texts had a valid signature."""
    account: str | None = attrs.field(init=False, default=None)
    content_type: bytes = attrs.field(init=False, default=JSON_TYPE)
    budget: Budget | None = attrs.field(init=False, default=None)
    """What is left of the budget of the rate-limit class; None: it is unlimited."""

    _began: float = attrs.field(init=False, factory=perf_counter)

    def signature_time(self) -> int:
        """Return the time that signatures are checked against, in ms.

        It is wall time, plus the offset of a `clock_offset` fault.
        """
        return self.service.clock.wall() + (0 if self._fault is None else self._fault.offset_ms)

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """The headers of the answer that show the budget, and who may read it."""
        api, shared = (
            self.dialect.api,
            self.dialect.open_to_pages and self.operation.method == "GET",
        )
        budget = (
            () if self.budget is None else self.budget.headers(api.rate_headers, api.rate_scale)
        )
        return [*(SHARED if shared else ()), *budget]

    @property
    def malformed_fails_alone(self) -> bool:
        """Whether a malformed action leaves the other actions of its batch alone."""
        return self._fault is not None and self._fault.kind == "malformed_alone"

    @property
    def _fault(self) -> Fault | None:
        fault = self.request.scope.get("state", {}).get("fault")
        return fault if isinstance(fault, Fault) else None

    def log(self, status: int, error: str | None, answer: bytes) -> None:
        """Add the request to the request log."""
        kept = answer[:KEPT_ANSWER]
        entry = LoggedRequest(
            operation=self.operation.name,
            **described(self.request),
            body=self.body,
            canonical=tuple(self.canonical),
            account=self.account,
            status=status,
            error=error,
            answer=kept.decode("utf-8", "replace"),
            fault=None if self._fault is None else self._fault.kind,
            verified=0 < self.verified == len(self.canonical),
            milliseconds=round((perf_counter() - self._began) * 1000, 3),
        )
        self.service.log.add(entry, head_size(self.request) + self.body_size + len(kept))


def described(request: Request) -> dict[str, Any]:
    """Return the fields that the log has for every request: method, path, query and headers."""
    scope = request.scope
    # Starlette reads the first of two headers with one name, so the first must win here.
    pairs = reversed(scope["headers"])
    return {
        "method": scope["method"],
        "path": scope["path"],
        "query": dict(request.query_params),
        "headers": {name.decode("latin-1"): value.decode("latin-1") for name, value in pairs},
    }


def head_size(request: Request) -> int:
    """Return the size of a request without its body, in bytes."""
    scope = request.scope
    headers = sum(len(name) + len(value) for name, value in scope["headers"])
    return len(scope["path"]) + len(scope["query_string"]) + headers
