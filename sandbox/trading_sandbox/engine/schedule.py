"""Scheduled events: prices move, the maker quotes, funding is paid; and what follows every command."""

from __future__ import annotations

from math import ceil
from typing import TypeAlias

from trading_sandbox.engine import funding, liquidation, maker, triggers
from trading_sandbox.engine.commands import Advance, SetClock
from trading_sandbox.engine.funding import HOUR_MS
from trading_sandbox.engine.state import State
from trading_sandbox.engine.venue import Venue, handles

Pace: TypeAlias = tuple[int, int]
STEP_MS = 1000
"""Time between two price steps, counted from the opening of the exchange."""
MOST_STEPS = 600
"""The most price steps of one `Advance`: a longer interval is taken in wider steps.

Funding is settled at every full hour nonetheless.
"""
SLICE = 80
"""The work between two stops of a long advance: events, times accounts and the quotes of the maker."""
_QUOTES = 8
"""The quotes of the maker are as much work as so many accounts."""


@handles(Advance)
def advance(venue: Venue, command: Advance) -> None:
    """Advance to the time of the command, through every event on the way.

    Events are the full hours (UTC) and, while the maker is on, the price steps. An interval may
    be split into any number of commands with the same result, as long as none of them covers more
    than `MOST_STEPS` steps; a longer one at its `stops`.
    """
    state = venue.state
    end = state.now
    for moment in _moments(state, end, command.pace or _pace(state, end)):
        state.now = moment
        if state.maker_on:
            maker.step(venue)
        # Liquidations come first: a position that is liquidated now pays no funding now.
        follow_up(venue)
        if moment % HOUR_MS == 0:
            funding.settle(venue)
            follow_up(venue)
    state.now = end


@handles(SetClock)
def set_clock(venue: Venue, command: SetClock) -> None:
    """Store the settings of the sandbox's clock in the state."""
    venue.state.frozen_at = command.frozen_at
    venue.state.clock_offset = command.offset


def due_at(state: State) -> int:
    """Return the time of the next full hour or price step, in ms."""
    hour = _next_hour(state)
    return min(hour, _next_step(state)) if state.maker_on else hour


def stops(state: State, end: int) -> tuple[Pace | None, list[int]]:
    """Return the pace of an advance until `end`, and the times between which it is little work, in ms.

    Advances of this pace, to one of these times after another, give the same state as a single one.
    """
    pace = _pace(state, end)
    moments = _moments(state, end - 1, pace)
    most = max(1, SLICE // (_QUOTES + len(state.accounts)))
    return pace, [*moments[most - 1 :: most], end]


def _moments(state: State, end: int, pace: Pace | None) -> list[int]:
    hours = range(_next_hour(state), end + 1, HOUR_MS)
    if pace is None or not state.maker_on:
        return list(hours)
    step, every = pace
    first = _next_step(state)
    return sorted({*range(first + (step - first) % every, end + 1, every), *hours})


def _pace(state: State, end: int) -> Pace | None:
    """Return a pace that ends with the last step, so that prices are current; None if there is no step."""
    steps = range(_next_step(state), end + 1, STEP_MS)
    return (steps[-1], STEP_MS * ceil(len(steps) / MOST_STEPS)) if steps else None


def _next_hour(state: State) -> int:
    return (state.settled_at // HOUR_MS + 1) * HOUR_MS


def _next_step(state: State) -> int:
    steps = (state.stepped_at - state.started_at) // STEP_MS + 1
    return state.started_at + steps * STEP_MS


def follow_up(venue: Venue) -> None:
    """Liquidate accounts and trigger orders until no market or account is left to check.

    Liquidations come first. Otherwise a stop order of an account that has lost everything could
    trade at a price that leaves the account in debt.
    """
    while venue.moved_markets or venue.accounts_at_risk:
        while venue.accounts_at_risk:
            address, _ = venue.accounts_at_risk.popitem()
            account = venue.account(address)
            liquidation.liquidate_unsound(venue, account)
            liquidation.pay_debt(venue, account)
        if venue.moved_markets:
            symbol, accounts = venue.moved_markets.popitem()
            triggers.trigger_reached(venue, symbol, accounts)
