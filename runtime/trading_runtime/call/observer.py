"""Tells what happens in calls: to the log `trading_sdk`, and to the `on_event` of a client.

Both come from here: an event is made once, and its line in the log is its text. Nothing that goes wrong
here, in the user's callback or in a handler of the log, changes a call. KeyboardInterrupt and the like
are the exception: they pass, and `Caller` then leaves the call open in the journal.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from trading_runtime.call.draft import Draft
from trading_runtime.call.log import note
from trading_runtime.call.retry import FailedAttempt, NextAttempt
from trading_runtime.clock import Clock
from trading_runtime.errors import TradingError
from trading_runtime.http.fault import Failure

if TYPE_CHECKING:
    from trading_runtime.call.events import Event


class Observer:
    """Tells the log, and the user's callback if there is one, what happens in the calls of a client."""

    def __init__(self, on_event: Callable[[Event], object] | None = None) -> None:
        """Call this with every event."""
        self.on_event = on_event

    def tell(self, event: Event) -> None:
        """Tell an event. No lock is held meanwhile, so the callback may make calls of its own."""
        if self.on_event is not None:
            try:
                self.on_event(event)
            except Exception:
                text = "on_event raised at a %s, which changes nothing of the call"
                note(logging.ERROR, text, type(event).__name__, exc_info=True)
        note(event.level, "%s", event)

    def failed(
        self,
        draft: Draft,
        attempt: FailedAttempt,
        failure: Failure,
        then: NextAttempt | TradingError,
        *,
        seconds: float,
        clock: Clock,
    ) -> None:
        """Tell that an attempt failed so many seconds after the call began, and what comes then."""
        try:
            # Imported late, for it takes long: most calls have no event that anybody asks for.
            from trading_runtime.call.endings import of_failure

            events = of_failure(draft, attempt, failure, then, seconds=seconds, skew=clock.skew)
        except Exception:
            # The error that `then` holds is worth more than an event of it.
            note(logging.ERROR, "the failure of a call cannot be told", exc_info=True)
            return
        for event in events:
            self.tell(event)
