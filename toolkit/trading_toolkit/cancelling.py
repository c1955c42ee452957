"""Cancels orders, and says of each one whether it has certainly ended.

An answer alone proves nothing: a hop may repeat a request, a list may lag, and an edit ends an order and makes its
successor. So an order is finished only

- if the service said success, and no list shows it as open `history_lag` later;
- or if the history shows its end, and, `history_lag` later, no successor that lives: an order that was made in the
  ms in which the old one ended, or since, with its client order id; without such an id, in that ms with its market
  and side.

What is not finished is still open, or unknown.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import Any

from attrs import define, field, frozen

from trading_runtime import (
    BaseClient,
    DecodeError,
    InternalServerError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    RateLimitError,
    RequestError,
    SigningError,
    TradingError,
)
from trading_toolkit.errors import ToolkitError
from trading_toolkit.readings import (
    OPEN_LIST,
    Key,
    is_open,
    key_of,
    read_history,
    read_open,
)

TIMEOUT = 60.0
"""Seconds that cancelling may take in all, unless a caller gives others."""
ROUNDS = 3
"""How often an order is cancelled that is not known to have ended, unless a caller says otherwise."""
_BATCH = 10
_PAUSE = 0.5
"""Seconds before what failed is tried again; they double with each further failure."""
_MAX_FAILURES = 3
"""How often a page may fail in a row."""
_MAX_DOUBLINGS = 6
_STOP_TYPES = ("stop_", "take_profit_")
_PASSING = (NoResponseError, NotSentError, InternalServerError, DecodeError)
"""The errors of a page that may be gone when it is read again."""

_log = logging.getLogger("trading_sdk.orders")


@frozen(kw_only=True)
class Cancelled:
    """What became of the orders. An id stands once for each market that has an order with it."""

    cancelled: tuple[int, ...]
    """Ids of the orders that are certainly cancelled, whoever did it."""

    ended: Mapping[int, str] = field(factory=dict)
    """The states of orders that ended in another way meanwhile, like `filled`, by id."""

    still_open: tuple[int, ...] = ()
    """Ids of the orders that the last reading shows as open."""

    unknown: tuple[int, ...] = ()
    """Ids of orders that may have ended or not. Some may be `still_open`, too. Call it again."""

    refused: Mapping[int, str] = field(factory=dict)
    """Why the service did not cancel them, by id, of the orders that are still open or unknown."""

    problems: tuple[str, ...] = ()
    """What else keeps it from being done: an order may live in what could not be read."""

    @property
    def is_done(self) -> bool:
        """Whether every order that was seen has certainly ended, and the lists show no other one."""
        return not (self.still_open or self.unknown or self.problems)


@frozen
class _View:
    """What the lists show of the orders, in one reading."""

    began: float
    orders: Mapping[Key, Any]
    """The latest version of each order, of all markets."""

    open: Mapping[Key, Any]
    """The open orders that are to be cancelled."""

    unreadable: frozenset[int | None]
    """The ids of the records that cannot be read."""

    superseded: frozenset[Key]
    """The cancelled orders that live on in a successor."""

    is_whole: bool
    """Whether the lists were read to their end. Only then does absence count."""

    problems: tuple[str, ...]


@define
class Cancelling:
    """What is known of the orders while they are cancelled."""

    client: BaseClient
    wait: Callable[[float], object]
    clock: Callable[[], float] = time.monotonic
    timeout: float = TIMEOUT
    symbol: str | None = None
    only: frozenset[Key] | None = None
    """The orders to cancel; None for all."""

    seen: dict[Key, Any] = field(factory=dict)
    """The orders that were given, or once listed as open."""

    _accepted: dict[Key, float] = field(factory=dict)
    """When the service said success of them."""

    _ended: dict[Key, float] = field(factory=dict)
    """When a list first showed their end."""

    _refused: dict[Key, str] = field(factory=dict)
    _lost: list[tuple[OutcomeUnknownError, list[Key]]] = field(factory=list)
    """The batches whose outcome is unknown, and their orders."""

    _no_stops: set[Key] = field(factory=set)
    """Orders that were not cancelled as stop orders: they may have been triggered."""

    _began: float = field(init=False)
    _waited: float = 0.0
    _sent: float = -inf
    """When the latest batch was answered."""

    _failures: int = 0
    """How often a page or a batch failed in a row."""

    _gave_up: str = ""
    """The wait that would have taken too long."""

    def __attrs_post_init__(self) -> None:
        self._began = self.clock()

    def run(self, rounds: int) -> Cancelled:
        """Cancel and look, until all orders are finished, the time is over, or nothing is left to try."""
        looks = 0
        while True:
            view = self._look()
            if self._is_settled(view):
                break
            due = self._due(view)
            if due and rounds:
                rounds -= 1
                self._cancel(due)
            elif view.is_whole and view.began >= self._settles:
                break
            unproven = self.seen.keys() - self._accepted.keys() - self._ended.keys()
            if not view.is_whole:
                goes_on = self._rest(_pause(looks), "a list could not be read")
            elif unproven and rounds:
                goes_on = self._rest(_pause(looks), "some orders are not cancelled yet")
            else:
                goes_on = self._wait_for_the_lists()
            if not goes_on:
                break
            looks += 1
        return self._result(view)

    # -- time ------------------------------------------------------------------------------------

    @property
    def _now(self) -> float:
        """Seconds since the beginning. A wait counts in full, whatever the clock says."""
        return max(self.clock() - self._began, self._waited)

    @property
    def _left(self) -> float:
        return self.timeout - self._now

    @property
    def _settles(self) -> float:
        """From when on a reading shows all that was done so far."""
        known = (0.0, self._sent, *self._accepted.values(), *self._ended.values())
        return max(known) + self.client.history_lag

    def _rest(self, seconds: float, why: str, *, slack: float = 0.0) -> bool:
        """Wait, if there is time for that; whether there was. It may wait `slack` less than that."""
        left = max(0.0, self._left)
        if self._gave_up:
            return False
        if seconds > left + slack:
            self._gave_up = f"no time is left to wait {seconds:.0f} s more: {why}"
            return False
        seconds = min(seconds, left)
        if seconds >= 1:
            _log.info("waits %.0f s: %s", seconds, why)
        if seconds > 0:
            self.wait(seconds)
            self._waited += seconds
        return True

    def _wait_for_the_lists(self) -> bool:
        lag = self.client.history_lag
        why = f"only then do the lists certainly show what was done (history_lag is {lag:g} s)"
        return self._rest(self._settles - self._now, why)

    def go_on(self, error: TradingError | None) -> bool:
        """Whether to read on, or to try again what failed."""
        if error is None:
            self._failures = 0
            # However long the first reading takes: what it shows is to be cancelled.
            return self._sent == -inf or self._left > 0
        pause = _pause(self._failures)
        self._failures += 1
        if isinstance(error, RateLimitError):
            # It asks in whole seconds.
            asked = max(error.retry_after or 0.0, pause)
            return self._rest(asked, "the rate limit asks for it", slack=1.0)
        is_passing = isinstance(error, _PASSING) and self._failures < _MAX_FAILURES
        return is_passing and self._rest(pause, "a list could not be read")

    # -- the lists -------------------------------------------------------------------------------

    def _look(self) -> _View:
        """Read the lists, and note which orders have ended."""
        began, self._failures = self._now, 0
        readings = [read_open(self.client, self.symbol, self.go_on)]
        orders = readings[0].latest
        if readings[0].failure is not None and not (orders or self.seen):
            raise readings[0].failure
        open_ = self._open(orders)
        gone = self.seen.keys() - open_.keys() - self._accepted.keys()
        if gone and OPEN_LIST in self.client.api.operations:
            readings.append(read_history(self.client, self.go_on))
            # An order is open if one of the two lists shows it so.
            listed = {key: each for key, each in orders.items() if is_open(each)}
            orders = {**orders, **readings[1].latest, **listed}
            open_ = self._open(orders)
        self.seen.update(open_)
        for key in self.seen:
            if key in open_:
                self._ended.pop(key, None)
            elif key in orders and key not in self._accepted:
                self._ended.setdefault(key, self._now)
        unreadable = [each for reading in readings for each in reading.unreadable]
        failures = [reading.failure for reading in readings if reading.failure is not None]
        return _View(
            began,
            orders,
            open_,
            frozenset(each.order_id for each in unreadable),
            superseded(orders.values()) if gone else frozenset(),
            is_whole=not failures,
            problems=tuple(dict.fromkeys(str(each) for each in (*unreadable, *failures))),
        )

    def _open(self, orders: Mapping[Key, Any]) -> dict[Key, Any]:
        """The open ones of some orders that are to be cancelled."""
        return {key: each for key, each in orders.items() if is_open(each) and self._is_meant(each)}

    def _is_meant(self, order: Any) -> bool:
        """Whether an order is one of those to cancel."""
        if self.only is not None:
            return key_of(order) in self.only
        return is_of(order, self.symbol)

    # -- what is known ---------------------------------------------------------------------------

    def _due(self, view: _View) -> list[Any]:
        """The orders to cancel now: nothing shows their end, or they live long after the service said success."""
        lag = self.client.history_lag

        def is_due(key: Key) -> bool:
            if key in view.open:
                return self._accepted.get(key, -inf) + lag <= view.began
            return key not in self._accepted and key not in self._ended

        return [order for key, order in self.seen.items() if is_due(key)]

    def _is_settled(self, view: _View) -> bool:
        """Whether a reading shows that nothing is left."""
        is_clean = view.began >= self._settles and not view.problems
        return is_clean and all(self._is_finished(key, view) for key in self.seen)

    def _is_finished(self, key: Key, view: _View) -> bool:
        """Whether an order has certainly ended, and nothing took its place: see the top of this module."""
        if key in view.open or key[1] in view.unreadable or not view.is_whole:
            return False
        lag = self.client.history_lag
        if self._accepted.get(key, inf) + lag <= view.began:
            return True
        is_shown = key in view.orders and self._ended.get(key, inf) + lag <= view.began
        return is_shown and key not in view.superseded

    def _result(self, view: _View) -> Cancelled:
        """What became of the orders, as of the last reading."""
        finished = [key for key in self.seen if self._is_finished(key, view)]
        states = {
            key: getattr(view.orders.get(key), "order_status", "cancelled") for key in finished
        }
        lost = {key for _, keys in self._lost for key in keys}
        doubtful = lost | self._accepted.keys()
        rest = [key for key in self.seen if key not in states]
        for error, keys in self._lost:
            if not any(key in rest for key in keys):  # nothing can come of them any more
                with suppress(RequestError):  # without a journal there is nothing to close
                    self.client.acknowledge(error)
        return Cancelled(
            cancelled=tuple(key[1] for key, state in states.items() if state == "cancelled"),
            ended={key[1]: str(state) for key, state in states.items() if state != "cancelled"},
            still_open=tuple(key[1] for key in rest if key in view.open),
            unknown=tuple(key[1] for key in rest if key not in view.open or key in doubtful),
            refused={key[1]: self._refused[key] for key in rest if key in self._refused},
            problems=(*view.problems, *filter(None, [self._gave_up])),
        )

    # -- sending ---------------------------------------------------------------------------------

    def _cancel(self, orders: Sequence[Any]) -> None:
        """Cancel orders in batches. A batch that fails stops no other one, unless no time is left."""
        # A list that is not read on is no reason not to cancel what it showed.
        given_up, self._gave_up = self._gave_up, ""
        for start in range(0, len(orders), _BATCH):
            some = orders[start : start + _BATCH]
            while not self._gave_up and self._is_limited(some):
                pass
            for each in some if self._gave_up else ():
                if not self._was_sent(key_of(each)):
                    self._refused[key_of(each)] = "it was not sent: no time was left"
        self._gave_up = self._gave_up or given_up
        self._sent = self._now

    def _is_limited(self, orders: Sequence[Any]) -> bool:
        """Send a batch; whether it is to be sent again, because the rate limit refused it."""
        batch: Any = self.client.orders.batch  # type: ignore[attr-defined]
        keys = [key_of(each) for each in orders]
        for key in keys:
            self._accepted.pop(key, None)
        try:
            results = batch([self._action(each) for each in orders])
        except (RequestError, SigningError):
            raise
        except RateLimitError as error:
            self._refused.update(dict.fromkeys(keys, str(error)))
            return self.go_on(error)
        except TradingError as error:
            if isinstance(error, OutcomeUnknownError):
                self._lost.append((error, keys))
            else:
                self._refused.update(dict.fromkeys(keys, str(error)))
            if self._left <= 0:
                self._gave_up = str(error)
            return False
        self._failures = 0
        for key, result in zip(keys, results, strict=True):
            if result.success:
                self._accepted[key] = self._now
                self._refused.pop(key, None)
            else:
                self._refused[key] = result.error or "no reason"
                self._no_stops.add(key)
        return False

    def _was_sent(self, key: Key) -> bool:
        """Whether an answer to its cancel came, or may have been lost."""
        is_lost = any(key in keys for _, keys in self._lost)
        return is_lost or key in self._accepted or key in self._refused

    def _action(self, order: Any) -> dict[str, Any]:
        """What cancels an order. A stop order that was triggered is cancelled like any other one."""
        is_stop = str(order.order_type).startswith(_STOP_TYPES)
        kind = "CancelStopOrder" if is_stop and key_of(order) not in self._no_stops else "Cancel"
        return {"type": kind, "data": {"symbol": order.symbol, "order_id": order.order_id}}


def is_of(order: Any, symbol: str | None) -> bool:
    """Whether an order is of a market.

    Raises:
        ToolkitError: The name of its market differs in case alone, so that another one was meant.
    """
    if symbol is not None and order.symbol != symbol and order.symbol.lower() == symbol.lower():
        raise ToolkitError(f"no market is {symbol!r}; did you mean {order.symbol!r}?")
    return symbol is None or order.symbol == symbol


def superseded(orders: Iterable[Any]) -> frozenset[Key]:
    """The cancelled orders that live on in a successor, or in a successor of that one."""
    every = list(orders)
    by_name, by_moment = defaultdict[Any, list[Any]](list), defaultdict[Any, list[Any]](list)
    for each in every:
        if getattr(each, "order_status", None) != "cancelled":
            continue  # nothing takes the place of what was filled or rejected
        if each.client_order_id is not None:
            by_name[each.client_order_id].append(each)
        else:
            by_moment[each.updated_at, each.symbol, each.side].append(each)
    found, heirs = set[Key](), [each for each in every if is_open(each)]
    while heirs:
        heir = heirs.pop()
        named = [
            each for each in by_name[heir.client_order_id] if each.updated_at <= heir.created_at
        ]
        for each in (*named, *by_moment[heir.created_at, heir.symbol, heir.side]):
            if key_of(each) not in found and each is not heir:
                found.add(key_of(each))
                heirs.append(each)
    return frozenset(found)


def _pause(failures: int) -> float:
    """Seconds before what failed so often is tried again."""
    return _PAUSE * 2.0 ** min(failures, _MAX_DOUBLINGS)
