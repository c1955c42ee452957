"""The exchange: it executes commands and returns the records that they changed.

It uses no HTTP, no clock and no random numbers. The time of a command is an argument, in
milliseconds. The exchange's own time never goes backwards: a command with an earlier time runs at
the time of the latest one.
"""

from __future__ import annotations

from trading_sandbox.engine import (  # noqa: F401  (imported for their handlers)
    accounts,
    forced_outcomes,
    liquidation,
    maker,
    orders,
    past,
    schedule,
    settings,
    spot,
    stops,
    vaults,
)
from trading_sandbox.engine.commands import Command, SetMaker
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import Changes, Refused, Reply
from trading_sandbox.engine.state import State, open_house_accounts
from trading_sandbox.engine.venue import HANDLERS, Venue

COMMANDS = {kind.__name__: kind for kind in HANDLERS}
"""The commands by name."""


class Exchange:
    """The state of the markets and accounts, and the only way to change it."""

    def __init__(self, state: State) -> None:
        self.venue = Venue(state)

    @classmethod
    def opened(
        cls, seed: int, now: int, *, maker_on: bool, frozen_at: int | None = None
    ) -> Exchange:
        """Return a new exchange, opened at `now`, in ms, or in time that is frozen."""
        at = now if frozen_at is None else frozen_at
        state = State(seed=seed, started_at=at, now=at, maker_on=maker_on, frozen_at=frozen_at)
        open_house_accounts(state)
        exchange = cls(state)
        exchange.execute(SetMaker(on=maker_on), at)
        return exchange

    @property
    def state(self) -> State:
        """The whole state of the exchange, without its histories."""
        return self.venue.state

    def execute(self, command: Command, now: int) -> Reply:
        """Execute a command at time `now`, in ms; `venue.changes` are the records that it changed.

        Raises:
            Refused: the command was not executed; nothing has changed.
        """
        state = self.state
        before, state.now = state.now, max(now, state.now)
        self.venue.changes = Changes()
        try:
            with exact_arithmetic():
                reply = HANDLERS[type(command)](self.venue, command)
                schedule.follow_up(self.venue)
        except Refused:
            state.now = before
            raise
        return reply

    def due_at(self) -> int:
        """Return when the next `Advance` is due, in ms: the next price step or full hour."""
        return schedule.due_at(self.state)
