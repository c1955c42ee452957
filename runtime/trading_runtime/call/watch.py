"""Watches one call: tells what is sent, what is answered, and that it ended well."""

from __future__ import annotations

from time import monotonic

from attrs import define, field

from trading_runtime.call.draft import Draft
from trading_runtime.call.endings import end_of
from trading_runtime.call.events import (
    AttemptAnswered,
    AttemptSent,
)
from trading_runtime.call.observer import Observer
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import Request, Response, Transport
from trading_runtime.rate_limit import RateLimit


@define(eq=False)
class Watch:
    """A transport that tells what passes through another one in a call, and that the call succeeded."""

    transport: Transport
    observer: Observer
    rate_limit: RateLimit
    draft: Draft
    attempts: int = field(default=0, init=False)
    status: int | None = field(default=None, init=False)
    began: float = field(factory=monotonic, init=False)

    def send(self, request: Request, *, timeout: float) -> Response:
        """See `Transport`. The time that the callback takes before the sending is the call's own."""
        until, name, call = monotonic() + timeout, self.draft.operation.name, self.draft.id
        self.attempts, self.status = self.attempts + 1, None
        size = len(request.body or b"")
        self.observer.tell(
            AttemptSent(operation=name, call=call, attempt=self.attempts, bytes=size)
        )
        sent = monotonic()
        if sent >= until:
            raise TransportError(Fault.NOT_SENT, "on_event took until the deadline")
        response = self._response(request, until - sent)
        if isinstance(response, Response):  # a transport of the user's own may return anything
            self.status = response.status
            budget = self.rate_limit.budget_of(response.headers)
            left = None if budget is None else budget.remaining
            answered = AttemptAnswered(
                operation=name,
                call=call,
                attempt=self.attempts,
                status=response.status,
                seconds=monotonic() - sent,
                bytes=len(response.body),
                credits=left,
            )
            self.observer.tell(answered)
        return response

    def close(self) -> None:
        """Leave the other transport open: it is the client's."""

    def succeeded(self) -> None:
        """Tell that the call succeeded."""
        self._ended(None)

    def _response(self, request: Request, timeout: float) -> Response:
        """The answer to a request. What the transport raises beside failures ends the call: it is told."""
        try:
            return self.transport.send(request, timeout=timeout)
        except (TransportError, RecursionError):
            raise
        except Exception as error:
            foreign = error
        self._ended(foreign)
        raise foreign

    def _ended(self, error: Exception | None) -> None:
        seconds = monotonic() - self.began
        reason = f"the transport raised {type(error).__name__}"
        self.observer.tell(end_of(self.draft, self.attempts, self.status, seconds, error, reason))
