"""What happens by itself as time passes: prices move, the maker quotes, funding is paid."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from trading_sandbox.engine import consequences, funding, maker
from trading_sandbox.engine.control_commands import Advance, SetClock
from trading_sandbox.engine.funding import HOUR_MS
from trading_sandbox.engine.state import State
from trading_sandbox.engine.venue import Venue

STEP_MS = 1000
"""Prices move so often, counted from when the exchange was opened."""
MOST_STEPS = 600
"""A longer interval is walked through in wider steps; every hour counts nonetheless."""


def advance(venue: Venue, command: Advance) -> None:
    """Let time pass until the time of the command, moment by moment.

    Moments are steps while the maker is on, and full hours (UTC). However an interval is divided
    into commands the same comes of it, as long as no part is longer than `MOST_STEPS`.
    """
    state = venue.state
    end = state.now
    for moment in _moments(state, end):
        state.now = moment
        if state.maker_on:
            maker.step(venue)
        # Positions that are liquidated at a price of this moment pay no funding at it.
        consequences.follow(venue)
        if moment % HOUR_MS == 0:
            funding.settle(venue)
            consequences.follow(venue)
    state.now = end


def set_clock(venue: Venue, command: SetClock) -> None:
    """Keep how the time of commands is told."""
    venue.state.frozen_at = command.frozen_at
    venue.state.clock_offset = command.offset


def due_at(state: State) -> int:
    """Return when something happens next by itself, in ms."""
    hour = _next_hour(state)
    return min(hour, _next_step(state)) if state.maker_on else hour


def _moments(state: State, end: int) -> Iterable[int]:
    hours = range(_next_hour(state), end + 1, HOUR_MS)
    if not state.maker_on:
        return hours
    steps = range(_next_step(state), end + 1, STEP_MS)
    width = max(1, ceil(len(steps) / MOST_STEPS))
    # Counted back from the last one, so that prices are up to date whatever the width.
    return sorted({*steps[::-width], *hours})


def _next_hour(state: State) -> int:
    return (state.settled_at // HOUR_MS + 1) * HOUR_MS


def _next_step(state: State) -> int:
    steps = (state.stepped_at - state.started_at) // STEP_MS + 1
    return state.started_at + steps * STEP_MS
