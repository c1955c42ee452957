"""The exchange: it executes commands and returns the records that they changed.

It uses no HTTP, no clock and no random numbers. The time of a command is an argument, in
milliseconds. The exchange's own time never goes backwards: a command with an earlier time runs at
the time of the latest one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from trading_sandbox.engine import (
    accounts,
    api_keys,
    commands,
    control_commands,
    follow_ups,
    forced_outcomes,
    house_accounts,
    liquidation,
    maker,
    orders,
    schedule,
    settings,
    spot,
    stops,
    vaults,
)
from trading_sandbox.engine.commands import Command
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import Changes, Refused, Reply
from trading_sandbox.engine.state import State
from trading_sandbox.engine.venue import Venue

HANDLERS: dict[type[Any], Callable[[Venue, Any], Reply]] = {
    commands.PlaceLimit: orders.place_limit,
    commands.PlaceMarket: orders.place_market,
    commands.PlaceStop: stops.place_stop,
    commands.SetPositionTpsl: stops.set_position_tpsl,
    commands.Cancel: orders.cancel,
    commands.CancelAll: orders.cancel_all,
    commands.CancelStop: stops.cancel_stop,
    commands.Edit: orders.edit,
    commands.Withdraw: spot.withdraw,
    commands.SetSpotExcluded: spot.set_excluded,
    commands.SetAutoLend: settings.set_auto_lend,
    commands.SetLeverage: settings.set_leverage,
    commands.SetMarginMode: settings.set_margin_mode,
    commands.Transfer: accounts.transfer,
    commands.AddLeverageCap: vaults.add_leverage_cap,
    commands.RemoveLeverageCap: vaults.remove_leverage_cap,
    commands.RemoveBlacklist: vaults.remove_blacklist,
    commands.ClaimManager: vaults.claim_manager,
    commands.CreateApiKey: api_keys.create,
    commands.RevokeApiKey: api_keys.revoke,
    control_commands.OpenAccount: accounts.open_account,
    control_commands.OpenVault: vaults.open_vault,
    control_commands.BindAgent: accounts.bind_agent,
    control_commands.Deposit: accounts.deposit,
    control_commands.SetMargin: settings.set_margin,
    control_commands.SetMarkPrice: maker.set_mark_price,
    control_commands.SetMaker: maker.set_maker,
    control_commands.ForceOutcome: forced_outcomes.force_outcome,
    control_commands.Liquidate: liquidation.liquidate,
    control_commands.Advance: schedule.advance,
    control_commands.SetClock: schedule.set_clock,
}
"""The handler of each command. A handler that raises `Refused` has changed nothing."""


@attrs.frozen
class Outcome:
    """The result of a command: its reply, and the records that it changed."""

    reply: Reply
    changes: Changes


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
        house_accounts.open_accounts(state)
        exchange = cls(state)
        exchange.execute(control_commands.SetMaker(on=maker_on), now)
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

    def execute(self, command: Command, now: int) -> Outcome:
        """Execute a command at time `now`, in ms.

        Raises:
            Refused: the command was not executed; nothing has changed.
        """
        state = self.state
        before, state.now = state.now, max(now, state.now)
        self.venue.changes = Changes()
        try:
            with exact_arithmetic():
                reply = HANDLERS[type(command)](self.venue, command)
                follow_ups.run(self.venue)
        except Refused:
            state.now = before
            raise
        return Outcome(reply, self.venue.changes)

    def due_at(self) -> int:
        """Return when the next `Advance` is due, in ms: the next price step or full hour."""
        return schedule.due_at(self.state)
