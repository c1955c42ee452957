"""The methods of a client that find out what became of a call."""

from __future__ import annotations

from typing import ClassVar

from trading_runtime import config
from trading_runtime.call.caller import Caller
from trading_runtime.call.failures import with_intent
from trading_runtime.call.journal import Journal
from trading_runtime.errors import ApiError, OutcomeUnknownError, RequestError
from trading_runtime.operation import Api
from trading_runtime.recovery.settlement import Settlement


class RecoveryMethods:
    """What a client does about calls whose outcome is unknown."""

    api: ClassVar[Api]
    _caller: Caller

    def reconcile(
        self, error: OutcomeUnknownError | ApiError, *, timeout: float | None = None
    ) -> tuple[Settlement, ...]:
        """Find out from the histories whether a call was executed. Nothing is sent again.

        A message that no history shows may still be accepted until it expires, and shown later than
        that. So this waits until both are over (`expiry_window` and `history_lag`), and looks twice
        more. Each history is read to its end, or until every id in question was found. If this ends
        before it is done, `error.progress` says how far it came, and the next call for the same error
        goes on from there.

        Args:
            error: The error of the call; also one that was made by `OutcomeUnknownError.from_json`.
            timeout: Seconds to wait at most, for the message to expire and for the rate limit; None waits
                as long as it takes. What is not known by then is `unsettled`.

        Returns:
            One settlement for the call, or one for each action of a batch, in order.

        Raises:
            RequestError: The call was another account's or service's, or it changed nothing.
            NotSentError, NoResponseError, ApiError, DecodeError, PaginationError: A history cannot
                be read to its end, also not when a page is read again.
        """
        # Imported late, here and below: most programs never need it.
        from trading_runtime.recovery.reconcile import reconcile

        settlements = reconcile(self._caller, self.api, error, config.reconcile_timeout(timeout))
        settled = all(each.state != "unsettled" for each in settlements)
        if settled and self._caller.journal is not None and error.intent is not None:
            self._caller.journal.end(error.intent, known=True)
        return settlements

    def resend(self, error: OutcomeUnknownError | ApiError) -> Settlement:
        """Send the message of a call again, under the same idempotency key: it is executed once.

        It is signed anew, and so accepted for another `expiry_window`. An answer that the key was used
        before says that the first message was accepted, if the SDK made the key, for this message alone.

        Args:
            error: The error of the call; also one that was made by `OutcomeUnknownError.from_json`.

        Returns:
            A settlement that says `executed`; `records` hold the answer, if there was a new one. It says
            `unsettled` after a 409 that may be about another message, or about something else.

        Raises:
            RequestError: The operation takes no idempotency key, the message has none, or it was refused,
                so that nothing of it is unknown. Nothing was sent.
            OutcomeUnknownError: Its outcome is unknown again: send it again.
            NotSentError: It was not sent again.
            ApiError: The service refused it, which says nothing of the first time.
        """
        from trading_runtime.recovery.resend import resend

        settled = resend(self._caller, self.api, error)
        known = settled.state != "unsettled"
        if known and self._caller.journal is not None and error.intent is not None:
            self._caller.journal.end_all(error.intent)
        return settled

    def unsettled(self) -> list[OutcomeUnknownError]:
        """The calls of the journal whose outcome is not known, for `reconcile`, oldest first.

        Raises:
            RequestError: The client has no journal.
            JournalError: The journal cannot be read.
        """
        reason = "the journal holds no outcome"
        return [OutcomeUnknownError(intent, reason) for intent in self._journal().unsettled()]

    def acknowledge(self, error: OutcomeUnknownError | ApiError) -> None:
        """Mark a call as settled in the journal, after finding out its outcome in another way.

        Raises:
            RequestError: The client has no journal, it has no open entry of this call, or the call was
                another account's or service's.
            JournalError: The journal cannot be read.
        """
        with_intent(error)
        open_ids = {intent.id for intent in self._journal().unsettled()}
        intent = error.intent
        if intent is None or intent.id not in open_ids:
            raise RequestError(f"{error.operation}: the journal has no open entry of this call")
        mine = self._caller.account or ""
        if intent.base_url != self._caller.base_url or mine != intent.account:
            raise RequestError(
                f"{intent.operation} was sent to {intent.base_url} for {intent.account}: acknowledge it "
                f"with a client of that service and account"
            )
        self._journal().end(intent, known=True)

    def _journal(self) -> Journal:
        if self._caller.journal is None:
            raise RequestError("this client has no journal: give it one, Client(..., journal=path)")
        return self._caller.journal
