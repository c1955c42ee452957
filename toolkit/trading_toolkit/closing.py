"""Closes positions, and says of each market whether it is certainly flat.

The answer to an order proves nothing, so the positions are read again `history_lag` after the last one. Every order is
reduce-only: sent twice, or executed late, it closes a position, and opens none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from attrs import define, field, frozen

from trading_runtime import (
    BaseClient,
    OutcomeUnknownError,
    RequestError,
    SigningError,
    TradingError,
)
from trading_toolkit.account import POSITION_LIST, AccountPosition, positions
from trading_toolkit.cancelling import is_of
from trading_toolkit.errors import check_client, check_seconds, check_text
from trading_toolkit.orders import ROUNDS, TIMEOUT, Cancelled, cancel_all

_PAUSE = 0.5
"""Seconds until a market order that was accepted is filled, at least: the service delays it."""


@frozen(kw_only=True)
class Closed:
    """What became of the positions."""

    closed: tuple[str, ...]
    """Markets that were to be closed, and in which the last reading shows no position."""

    still_open: Mapping[str, Decimal] = field(factory=dict)
    """The sizes that the last reading shows, by market; negative when short. Unit: token."""

    unknown: tuple[OutcomeUnknownError, ...] = ()
    """Orders that may still be executed. They are reduce-only; `client.reconcile(error)` looks for them."""

    refused: Mapping[str, str] = field(factory=dict)
    """Why the latest order was not accepted, by market, of the positions that are still open."""

    problems: tuple[str, ...] = ()
    """What else keeps it from being done: a position may live that no reading shows."""

    @property
    def is_done(self) -> bool:
        """Whether the last reading certainly shows that all is flat, and no order can change that."""
        return not (self.still_open or self.unknown or self.problems)


@frozen(kw_only=True)
class Flattened:
    """What became of the orders and the positions of an account."""

    orders: Cancelled
    positions: Closed

    @property
    def is_done(self) -> bool:
        """Whether no order and no position is left."""
        return self.orders.is_done and self.positions.is_done


def market_close(
    client: BaseClient,
    symbol: str | None = None,
    *,
    slippage_percent: str = "1",
    rounds: int = ROUNDS,
    timeout: float = TIMEOUT,
    wait: Callable[[float], object] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Closed:
    """Close the position in one market, or in all, by reduce-only market orders.

    The orders are sent at once. Whether the positions are closed shows `history_lag` seconds later; what is left then is
    closed again. It is safe to repeat. Orders that rest may open a position again: `flatten` cancels them first.

    Args:
        client: Needs a signer.
        symbol: Only this market.
        slippage_percent: How far from the market price it may fill. Unit: percent.
        rounds: How often it sends an order for what is not closed.
        timeout: Seconds after which it begins nothing any more, and says what it does not know.
        wait: Called with the seconds to wait.
        clock: Seconds that pass by.

    Raises:
        TradingError: The positions cannot be read, or an argument is wrong, and nothing was sent.
    """
    check_client(client)
    if symbol is not None:
        check_text("symbol", symbol)
    check_seconds("timeout", timeout)
    return _Closing(client, symbol, slippage_percent, timeout, wait, clock).run(rounds)


def flatten(
    client: BaseClient,
    *,
    slippage_percent: str = "1",
    timeout: float = TIMEOUT,
    wait: Callable[[float], object] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Flattened:
    """Cancel all orders as `cancel_all` does, then close all positions as `market_close` does.

    In this order, because an order that rests may open a position again: the positions are closed some `history_lag`
    after the call began. Each of the two may take `timeout` seconds. Stop what places orders before.

    Raises:
        TradingError: The lists cannot be read, or an argument is wrong. What lives then, nobody looked for.
    """
    orders = cancel_all(client, timeout=timeout, wait=wait, clock=clock)
    held = market_close(
        client, slippage_percent=slippage_percent, timeout=timeout, wait=wait, clock=clock
    )
    return Flattened(orders=orders, positions=held)


@define
class _Closing:
    """What is known of the positions while they are closed."""

    client: BaseClient
    symbol: str | None
    slippage_percent: str
    timeout: float
    wait: Callable[[float], object]
    clock: Callable[[], float]
    seen: dict[str, Decimal] = field(factory=dict)
    refused: dict[str, str] = field(factory=dict)
    lost: list[OutcomeUnknownError] = field(factory=list)
    _began: float = field(init=False)
    _waited: float = 0.0
    _changed: float = 0.0
    """When the latest order was answered; at first, when it began: the lists are late already then."""

    _is_sent: bool = False

    def __attrs_post_init__(self) -> None:
        self._began = self.clock()

    @property
    def _now(self) -> float:
        """Seconds since the beginning. A wait counts in full, whatever the clock says."""
        return max(self.clock() - self._began, self._waited)

    @property
    def _settles(self) -> float:
        """From when on a reading shows all that was done so far."""
        return self._changed + max(self.client.history_lag, _PAUSE if self._is_sent else 0.0)

    def run(self, rounds: int) -> Closed:
        """Close and look, until all is flat, the time is over, or nothing is left to try."""
        held: list[AccountPosition] = []
        while True:
            began = self._now
            try:
                held = self._held()
            except TradingError as error:
                if not self._is_sent:
                    raise
                return self._result(held, f"the positions could not be read again: {error}")
            is_settled = began >= self._settles
            due = [each for each in held if each.size]
            self.seen.update({each.symbol: each.size for each in due})
            if is_settled and not (due and rounds):
                return self._result(held)
            if due and rounds and (is_settled or not self._is_sent):
                rounds -= 1
                self._reduce(due)
            pause = max(0.0, self._settles - self._now)
            if self._now + pause > self.timeout:
                return self._result(held, "no time is left to wait until the lists show the end")
            self.wait(pause)
            self._waited += pause

    def _held(self) -> list[AccountPosition]:
        """The positions to close; of added-up ones also those of size 0, which may be uncertain."""
        every = positions(self.client, closed=POSITION_LIST not in self.client.api.operations)
        return [each for each in every if is_of(each, self.symbol)]

    def _reduce(self, due: Sequence[AccountPosition]) -> None:
        """Send an order against each position."""
        orders: Any = self.client.orders  # type: ignore[attr-defined]
        self.refused = {}
        for each in due:
            try:
                orders.create_market(
                    symbol=each.symbol,
                    side="ask" if each.size > 0 else "bid",
                    amount=each.size.copy_abs(),
                    slippage_percent=self.slippage_percent,
                    reduce_only=True,
                )
            except OutcomeUnknownError as error:
                self.lost.append(error)
            except (RequestError, SigningError) as error:
                if not self._is_sent:
                    raise
                self.refused[each.symbol] = str(error)
            except TradingError as error:
                self.refused[each.symbol] = str(error)
            self._is_sent = True
        self._changed = self._now

    def _is_unknown(self, error: OutcomeUnknownError) -> bool:
        """Whether an order may still be executed, as far as the time that is left can tell."""
        try:
            left = max(0.0, self.timeout - self._now)
            return any(
                each.state == "unsettled" for each in self.client.reconcile(error, timeout=left)
            )
        except TradingError:
            return True

    def _result(self, held: Sequence[AccountPosition], problem: str = "") -> Closed:
        """What became of the positions, as of the last reading."""
        still_open = {each.symbol: each.size for each in held if each.size}
        uncertain = [
            f"the trades of {each.symbol} do not reach back to where its position was opened"
            for each in held
            if each.sure_since is None
        ]
        return Closed(
            closed=() if problem else tuple(each for each in self.seen if each not in still_open),
            still_open=still_open,
            unknown=tuple(filter(self._is_unknown, self.lost)),
            refused={name: why for name, why in self.refused.items() if name in still_open},
            problems=(*uncertain, *filter(None, [problem])),
        )
