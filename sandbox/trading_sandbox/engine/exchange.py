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
    def opened(cls, seed: int, now: int, *, maker_on: bool, frozen: bool = False) -> Exchange:
        """Return a new exchange, opened at `now`, in ms; with `frozen`, its clock stays there."""
        state = State(
            seed=seed,
            started_at=now,
            now=now,
            maker_on=maker_on,
            frozen_at=now if frozen else None,
        )
        open_house_accounts(state)
        exchange = cls(state)
        exchange.execute(SetMaker(on=maker_on), now)
        return exchange

    @classmethod
    def opened_like(cls, first: State, now: int) -> Exchange:
        """Return a new exchange, opened as another one was, whose first state is given.

        One that was opened in frozen time is opened at that time again. Any other is opened at `now`:
        between its first opening and now there may be months, of which each hour would cost time.
        """
        frozen = first.frozen_at is not None
        at = now if first.frozen_at is None else first.frozen_at
        return cls.opened(first.seed, at, maker_on=first.maker_on, frozen=frozen)

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
