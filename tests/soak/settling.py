"""Finding out, with the client's means, what became of a call whose outcome is not known."""

from __future__ import annotations

from functools import partial
from time import sleep, time

from attrs import frozen

from tests.soak import truth
from tests.soak.ledger import Ledger, State
from tests.soak.plan import Call, Move
from tests.soak.trouble import EXPIRY_WINDOW
from tests.soak.world import PATIENCE, PAUSE, persistently
from trading_sdk import (
    ApiError,
    Client,
    ConflictError,
    DecodeError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    PaginationError,
    Settlement,
)

_MARGIN = 1.2
"""Seconds after the expiry of a message, for it to be on its way through the sandbox."""
_READ_FAILED = (NoResponseError, NotSentError, ApiError, DecodeError, PaginationError)


@frozen
class Settling:
    """One call."""

    client: Client
    ledger: Ledger
    call: Call

    def after(self, error: OutcomeUnknownError) -> None:
        """Settle a call of this process."""
        self._settle([OutcomeUnknownError.from_json(error.to_json())])

    def after_a_kill(self, errors: list[OutcomeUnknownError]) -> None:
        """Settle a call of a process that was killed; the journal listed so many attempts of it."""
        if errors:
            self._settle(errors)
            return
        # It was not sent, or the process was killed between its answer and its ledger.
        self.ledger.settling(self.call)
        sleep(EXPIRY_WINDOW / 1_000 + _MARGIN)
        found = self._shown()
        self.ledger.ended((move, _ending(move, found)) for move in self.call.moves)

    def check_refused(self, refusal: ApiError) -> None:
        """Hold a refusal against the histories, now and then."""
        if self.call.key[-1] not in "37" or refusal.intent is None:
            return
        for settlement in self._reconciled(refusal):
            assert settlement.state != "executed", (self.call, refusal, settlement)

    def _settle(self, errors: list[OutcomeUnknownError]) -> None:
        """Find out what became of the attempts of a call, write it down, and tell the journal."""
        self.ledger.settling(self.call)
        settled = [self._reconciled(error) for error in errors]
        ends = list[tuple[Move, State]]()
        for place, move in enumerate(self.call.moves):
            states = {settlements[place].state for settlements in settled}
            if "unsettled" in states and "executed" not in states:
                ends.append((move, self._found_out(move, errors)))
            else:
                ends.append((move, "executed" if "executed" in states else "not executed"))
        self.ledger.ended(ends)
        still_open = {error.intent.id for error in self.client.unsettled()}
        for error in errors:
            if error.intent.id in still_open:  # what reconcile settled, it marked
                self.client.acknowledge(error)

    def _found_out(self, move: Move, errors: list[OutcomeUnknownError]) -> State:
        """What a message became that `reconcile` left unsettled."""
        if move.name == "spot.withdraw":
            return self._sent_again(move, errors)
        until = max(error.intent.accepted_until for error in errors) / 1_000 + _MARGIN
        sleep(max(0, until - time()))
        return _ending(move, self._shown())

    def _sent_again(self, move: Move, errors: list[OutcomeUnknownError]) -> State:
        """Send a withdrawal again with the same key, until it is certain that it was accepted."""
        for _ in range(PATIENCE):
            self.ledger.settling(self.call)
            try:
                self.client.spot.withdraw(**move.arguments)
                return "executed"
            except OutcomeUnknownError as error:
                errors.append(error)
                if isinstance(error.__cause__, ConflictError):
                    return "executed"
            except (NotSentError, ApiError):
                sleep(PAUSE)
        raise TimeoutError(f"{move} cannot be sent")

    def _reconciled(self, error: OutcomeUnknownError | ApiError) -> tuple[Settlement, ...]:
        return persistently(partial(self.client.reconcile, error), *_READ_FAILED)

    def _shown(self) -> truth.Shown:
        return persistently(partial(truth.shown, self.client), *_READ_FAILED)


def _ending(move: Move, found: truth.Shown) -> State:
    return "executed" if truth.times(move, found) else "not executed"
