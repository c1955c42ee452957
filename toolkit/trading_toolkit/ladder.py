"""Brings a ladder of quotes into the book, and never rests more than the quotes without saying so.

The orders of a ladder are the open limit orders of its markets, on both sides, that are not reduce-only. Stop orders,
reduce-only orders and other markets are left alone.

A list may show an order `history_lag` after it was placed, and one that was cancelled as long as that. An answer may be
lost, and a refusal may answer the second copy of a request whose first copy was executed. So what the answers of earlier
calls said counts beside the list, until a list would show it:

- an accepted order rests, and an order whose cancel or edit was accepted has ended;
- an order whose cancel or edit was refused may rest, and so may one whose creation was refused, until that expired: for
  these nothing is quoted;
- while the outcome of a batch is unknown, nothing is placed or edited, and what is not right is cancelled.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias
from uuid import UUID

from attrs import define, evolve, field, frozen

from trading_runtime import (
    BaseClient,
    BatchError,
    JournalError,
    NotSentError,
    OutcomeUnknownError,
    RequestError,
    SigningError,
    TradingError,
)
from trading_toolkit.cancelling import is_of
from trading_toolkit.errors import ToolkitError, check_client, check_seconds, check_text
from trading_toolkit.orders import TIMEOUT, open_order
from trading_toolkit.portfolio import EXACT
from trading_toolkit.quotes import Quote, Resting, Step, check_quotes, plan
from trading_toolkit.readings import ENDED, OPEN_LIST, Key, Reading, is_open, key_of, read_open

__all__ = ["Quote", "Replaced", "Resting", "replace"]

Lost: TypeAlias = OutcomeUnknownError | BatchError
_BATCH = 10
_ROUNDS = 4
"""How often it reads the list at most, if a wait or an unknown outcome makes it begin anew."""
_LOOKS = 5
"""Of how many orders the fate is asked for in one call, where they are in no list of open orders."""
_NEW = "orders.create"
_OUTCOMES = (_NEW, "orders.edit", "orders.cancel")
_BOUND = 2.5
"""Seconds by which the difference of the clocks may be wrong."""
_HOUR = 3_600.0
"""Seconds by which it is doubted where no answer has told it."""
_UNSENT = (RequestError, SigningError, NotSentError, JournalError)

_log = logging.getLogger("trading_sdk.ladder")


@frozen(kw_only=True)
class Replaced:
    """What became of a ladder. Give it to the next call, as `before`."""

    live: tuple[Resting, ...]
    """The orders of the ladder that rest, as the list and the answers say. One that was accepted may have been filled
    since, or rejected because it crosses: the next call sees that."""

    placed: tuple[int, ...] = ()
    """Ids of the new orders."""

    edited: tuple[int, ...] = ()
    """Ids of the orders that took the place of edited ones; 0 of one whose answer named none."""

    cancelled: tuple[int, ...] = ()
    """Ids of the cancelled orders."""

    unsure: tuple[Resting, ...] = ()
    """Orders that may rest or not, because a cancel, an edit or a creation was refused. Nothing is quoted for them."""

    unknown: tuple[OutcomeUnknownError | BatchError, ...] = ()
    """Batches that may have been executed. Until the lists show it nothing is placed; `client.reconcile(error)` looks, and
    so does the next call."""

    refused: tuple[str, ...] = ()
    """Why the service refused, in a sentence for each action."""

    problems: tuple[str, ...] = ()
    """What else keeps it from being done."""

    memory: Any = field(default=None, repr=False, eq=False)
    """What the next call knows of this one."""

    @property
    def is_done(self) -> bool:
        """Whether the service accepted all that leads to the quotes, and nothing is unsure or unknown."""
        return not (self.unsure or self.unknown or self.refused or self.problems)


def replace(
    client: BaseClient,
    quotes: Iterable[Quote],
    *,
    before: Replaced | None = None,
    symbols: Iterable[str] = (),
    timeout: float = TIMEOUT,
    wait: Callable[[float], object] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Replaced:
    """Bring a ladder into the book, in the fewest edits and cancels, in batches of ten.

    What is right is kept, what differs is edited, what is too much is cancelled, what lacks is placed, post-only. The
    orders of a ladder are the open limit orders of its markets that are not reduce-only, whoever placed them: give the
    ladder a market of its own. Its markets are those of the quotes, those of `before`, and `symbols`.

    It reads the list once, and returns when the batches are answered. Without `before` nobody knows what was placed a
    moment ago, so what is not right is cancelled at once, and quotes are placed `history_lag` seconds later.

    Args:
        client: Needs a signer. One of `trading_sdk` reads the whole order history each time: the interface has no
            list of open orders.
        quotes: What shall rest; none to cancel the ladder.
        before: The result of the call before, of this process.
        symbols: Further markets whose orders belong to the ladder.
        timeout: Seconds that it may wait for a batch whose outcome is unknown, and at the beginning. 0 waits for nothing,
            and says what is unknown.
        wait: Called with the seconds to wait.
        clock: Seconds that pass by, the same for all calls.

    Raises:
        ToolkitError: An argument is wrong, or the call before was interrupted while it sent something.
        TradingError: The list cannot be read, or an order is wrong, and nothing was sent.
    """
    check_client(client)
    check_seconds("timeout", timeout)
    if isinstance(symbols, str):
        raise ToolkitError(f"symbols must be a list, like ['BTC'], not {symbols!r}")
    wanted = check_quotes(quotes)
    memory = _Memory.of(client, before, clock)
    with memory.in_use():
        named = {each.symbol for each in wanted} | set(symbols)
        for symbol in named:
            check_text("symbol", symbol)
        memory.symbols |= named
        if not memory.symbols:
            raise ToolkitError("a ladder needs a market: give quotes, or symbols=['BTC']")
        return _Replacing(client, wanted, memory, timeout, wait).run()


# -- what is known from one call to the next ---------------------------------------------------------


@define
class _Claim:
    """An order that may rest, though no list shows it yet."""

    order: Resting
    until: float
    """From when on a list would show it."""

    is_sure: bool
    """Whether the service said that it rests."""


@define
class _Lost:
    """A batch whose outcome is unknown."""

    error: Lost
    until: float
    """From when on the service can accept it no longer, and the lists show what it did."""

    steps: Sequence[Step] = ()
    """Its actions; none of a call of an earlier program."""


@define
class _Memory:
    """What the answers said, until a list would show it."""

    owner: tuple[str, str | None]
    clock: Callable[[], float]
    trusted: float
    """From when on a list shows what was done before the first call."""

    symbols: set[str] = field(factory=set)
    claims: list[_Claim] = field(factory=list)
    ended: dict[Key, float] = field(factory=dict)
    """Orders that have ended, and from when on a list would show it."""

    lost: list[_Lost] = field(factory=list)
    is_sending: bool = False
    """Whether a batch is under way, or was when something interrupted it."""

    _ahead: float = 0.0
    """Waits that the clock did not show."""

    _lock: Any = field(factory=threading.Lock)

    @classmethod
    def of(cls, client: BaseClient, before: Replaced | None, clock: Callable[[], float]) -> _Memory:
        """That of the call before, else a new one."""
        owner = (client.service_url, client.account_address)
        if before is None:
            made = cls(owner, clock, clock() + client.history_lag)
            with suppress(RequestError):  # a client without a journal
                for error in client.unsettled():
                    if any(each.name in _OUTCOMES for each in error.intent.messages):
                        until = made.now + _expires(error) + client.history_lag
                        made.lost.append(_Lost(error, until))
            return made
        memory = getattr(before, "memory", None)
        if not isinstance(memory, _Memory):
            raise ToolkitError(f"before must be the result of the call before, not {before!r}")
        if memory.owner != owner:
            raise ToolkitError(f"before is of {memory.owner}, and the client of {owner}")
        return memory

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Keep other threads from the ladder."""
        with self._lock:
            if self.is_sending:
                raise ToolkitError(
                    "the call before was interrupted while it sent a batch, so nobody knows what rests: "
                    "orders.cancel_all(client), and begin without `before`"
                )
            yield

    @property
    def now(self) -> float:
        return self.clock() + self._ahead

    def rest(self, seconds: float, wait: Callable[[float], object]) -> None:
        """Wait. It counts in full, whatever the clock says."""
        until = self.now + seconds
        wait(seconds)
        self._ahead += max(0.0, until - self.now)

    def forget(self, key: Key) -> None:
        """An order is known from elsewhere, or has ended."""
        self.claims = [each for each in self.claims if _key(each.order) != key]


def _key(order: Resting) -> Key | None:
    return None if order.order_id is None else (order.symbol, order.order_id)


def _expires(error: Any) -> float:
    """Seconds for which the service may accept what was sent last."""
    intent = getattr(error, "intent", None)
    if intent is None:
        return _HOUR
    doubt = _HOUR if intent.skew is None else _BOUND - intent.skew / 1_000
    return max(0.0, float(intent.expiry_window) / 1_000 + doubt)


# -- one call ----------------------------------------------------------------------------------------


@define
class _Replacing:
    """One call of `replace`."""

    client: BaseClient
    quotes: tuple[Quote, ...]
    memory: _Memory
    timeout: float
    wait: Callable[[float], object]
    listed: dict[Key, Resting] = field(factory=dict)
    """The orders of the ladder that the list shows, without those that have ended."""

    shown: list[Resting] = field(factory=list)
    """Those of the claims that the list shows. Another reading within `history_lag` may not."""

    placed: list[int] = field(factory=list)
    edited: list[int] = field(factory=list)
    cancelled: list[int] = field(factory=list)
    refused: list[str] = field(factory=list)
    problems: list[str] = field(factory=list)
    _began: float = field(init=False)
    _is_sent: bool = False
    _models: Mapping[str, Any] = field(init=False)
    """What makes an action, by its type. It gives a new order its client order id."""

    def __attrs_post_init__(self) -> None:
        self._began = self.memory.now
        batch: Any = self.client.api.operations["orders.batch"]
        self._models = {action.type: model for model, action in batch.batch.actions.items()}

    @property
    def _left(self) -> float:
        return max(0.0, self.timeout - (self.memory.now - self._began))

    def run(self) -> Replaced:
        """Read, and send what lacks; again, once it is known what became of a batch."""
        memory = self.memory
        for _ in range(_ROUNDS):
            self._settle(0.0)
            began = memory.now
            try:
                problem = self._read(began)
            except TradingError as error:
                if not self._is_sent:
                    raise
                return self._result(f"the orders could not be read again: {error}")
            is_early, is_unknown = began < memory.trusted, bool(memory.lost)
            steps = plan(self.quotes, self._editable(), self._unsure())
            self._send(_only_cancels(steps) if problem or is_early or is_unknown else steps)
            if is_unknown:
                self._settle(self._left)
                ends = max((each.until for each in memory.lost), default=memory.now)
                if not self._wait_until(ends, "a batch can be accepted no longer"):
                    return self._result(problem)
            elif is_early:
                if not self._wait_until(memory.trusted, "the list shows all older orders"):
                    return self._result("no time is left to wait until the list shows older orders")
            elif problem or not memory.lost:
                return self._result(problem)
        return self._result("the ladder was not reached: call it again")

    def _wait_until(self, moment: float, what: str) -> bool:
        """Wait, if there is time for that; whether there was."""
        pause = max(0.0, moment - self.memory.now)
        if pause > self._left:
            return False
        if pause > 0:
            _log.info("waits %.0f s until %s", pause, what)
            self.memory.rest(pause, self.wait)
        return True

    # -- the list ------------------------------------------------------------------------------------

    def _read(self, began: float) -> str:
        """Read the list, and hold it against what the answers said; why nothing may be placed by it."""
        memory = self.memory
        [alone, *others] = memory.symbols
        reading = read_open(self.client, None if others else alone)
        if reading.failure is not None:
            raise reading.failure
        memory.ended = {key: until for key, until in memory.ended.items() if until > began}
        every = {
            key: order
            for key, order in reading.latest.items()
            if is_open(order) and key not in memory.ended
        }
        self.listed = {key: _resting(each) for key, each in every.items() if self._is_own(each)}
        memory.claims = [each for each in memory.claims if each.until > began]
        names = {each.client_order_id for each in every.values()} - {None}
        self.shown = [
            each.order for each in memory.claims if self._is_shown(each, every.keys(), names)
        ]
        self._look_for_ended(reading)
        return "; ".join(str(each) for each in reading.unreadable)

    def _is_own(self, order: Any) -> bool:
        """Whether an order belongs to the ladder."""
        is_meant = any(is_of(order, symbol) for symbol in self.memory.symbols)
        return is_meant and str(order.order_type) == "limit" and not order.reduce_only

    def _is_shown(self, claim: _Claim, keys: Container[Key | None], names: set[UUID]) -> bool:
        """Whether a list shows an order, or what took its place."""
        order = claim.order
        return _key(order) in keys or (
            order.client_order_id in names and not (claim.is_sure and order.order_id)
        )

    def _look_for_ended(self, reading: Reading) -> None:
        """Forget the orders that are in no list of open orders because they have ended."""
        hidden = [each for each in self._hidden() if each.order.order_id]
        for claim in hidden[:_LOOKS]:
            state = self._state(claim.order, reading)
            # What was cancelled may live on in an order that took its place, unless its answer said that it rests.
            if state in ENDED and (claim.is_sure or state != "cancelled"):
                self.memory.claims.remove(claim)

    def _state(self, order: Resting, reading: Reading) -> str | None:
        """The state of an order, if a list tells it."""
        if OPEN_LIST not in self.client.api.operations:
            listed = reading.latest.get((order.symbol, order.order_id or 0))
            return getattr(listed, "order_status", None)
        orders: Any = self.client.orders  # type: ignore[attr-defined]
        with suppress(TradingError):  # while its lists are late, it knows nothing of the order
            states = [each.order_status for each in orders.history_by_id(order_id=order.order_id)]
            return next((each for each in states if each in ENDED), None)
        return None

    def _hidden(self) -> list[_Claim]:
        """The claims that the list does not show."""
        return [each for each in self.memory.claims if each.order not in self.shown]

    def _editable(self) -> list[Resting]:
        """The orders that rest by all that is known."""
        sure = [each.order for each in self._hidden() if each.is_sure and each.order.order_id]
        return [*self.listed.values(), *sure]

    def _unsure(self) -> list[Resting]:
        """The orders that may rest, or whose ids are not known."""
        known = self._editable()
        return [each.order for each in self._hidden() if each.order not in known]

    # -- sending -------------------------------------------------------------------------------------

    def _send(self, steps: Sequence[Step]) -> None:
        """Send the steps in batches. A batch that fails as a whole stops all others but those of cancels."""
        failed, left_out = "", 0
        for start in range(0, len(steps), _BATCH):
            some = steps[start : start + _BATCH]
            if failed:
                left_out += len([each for each in some if each.kind != "Cancel"])
                some = tuple(each for each in some if each.kind == "Cancel")
            if some:
                failed = self._batch(some) or failed
        if left_out:
            self.problems.append(f"{left_out} more actions were not sent, because {failed}")

    def _batch(self, planned: Sequence[Step]) -> str:
        """Send a batch; why it failed as a whole."""
        batch: Any = self.client.orders.batch  # type: ignore[attr-defined]
        memory, lag = self.memory, self.client.history_lag
        actions = [self._models[each.kind](**each.fields) for each in planned]
        steps = [
            evolve(step, name=action.client_order_id) if step.kind == "Create" else step
            for step, action in zip(planned, actions, strict=True)
        ]
        memory.is_sending = True  # whatever else is raised here, nobody knows what became of it
        try:
            results = batch(actions)
        except OutcomeUnknownError as error:
            memory.lost.append(_Lost(error, memory.now + _expires(error) + lag, steps))
            memory.is_sending, self._is_sent = False, True
            return str(error)
        except _UNSENT as error:
            memory.is_sending = False
            if not self._is_sent and isinstance(error, (RequestError, SigningError)):
                raise
            self.problems.append(f"{len(steps)} actions were not sent: {error}")
            return str(error)
        except TradingError as error:
            for step in steps:
                self._was_refused(step, str(error), error)
            memory.is_sending, self._is_sent = False, True
            return str(error)
        failure = results.failure
        for number, (step, result) in enumerate(zip(steps, results, strict=True)):
            if result.success:
                self._was_accepted(step, result.order_id)
            elif number not in results.unclear:
                self._was_refused(step, result.error or "no reason", failure)
        if results.unclear:
            unclear = [steps[number] for number in results.unclear]
            memory.lost.append(_Lost(failure, memory.now + _expires(failure) + lag, unclear))
        memory.is_sending, self._is_sent = False, True
        return ""

    def _was_accepted(self, step: Step, order_id: int | None) -> None:
        until, quote, old = self.memory.now + self.client.history_lag, step.quote, step.order
        if old is not None:
            self._has_ended(old, until)
        if quote is None:
            self.cancelled.append(old.order_id if old and old.order_id else 0)
            return
        if old is not None and old.order_id == order_id:  # it was changed in place
            self.memory.ended.pop((old.symbol, order_id or 0), None)
        self.memory.claims.append(_Claim(step.made(order_id), until, is_sure=True))
        (self.edited if old else self.placed).append(order_id or 0)

    def _was_refused(self, step: Step, why: str, error: Any) -> None:
        """A refusal may answer the second copy of a request: its order may rest, or live on in another one."""
        self.refused.append(f"{step}: {why}")
        until = self.memory.now + self.client.history_lag
        if step.order is not None:
            key = _key(step.order)
            if key is not None:
                self.listed.pop(key, None)
                self.memory.forget(key)
            self.shown = [each for each in self.shown if each != step.order]
            self.memory.claims.append(_Claim(step.order, until, is_sure=False))
        else:
            until += _expires(error)
            self.memory.claims.append(_Claim(step.made(None), until, is_sure=False))

    def _has_ended(self, order: Resting, until: float) -> None:
        """An order rests no more, though a list may show it for a while."""
        key = _key(order)
        if key is not None:
            self.listed.pop(key, None)
            self.memory.forget(key)
            self.memory.ended[key] = until

    # -- batches whose outcome is unknown ------------------------------------------------------------

    def _settle(self, timeout: float) -> None:
        """Ask what became of them. When the service can accept one no longer, the lists say what rests."""
        for lost in tuple(self.memory.lost):
            try:
                found = self.client.reconcile(lost.error, timeout=min(timeout, self._left))
            except TradingError as error:
                self.problems.append(f"nobody could look what became of a batch: {error}")
                continue
            unsettled = [each for each in found if each.state == "unsettled"]
            if unsettled and self.memory.now < lost.until:
                continue
            self.memory.lost.remove(lost)
            for settlement in found:
                self._take(settlement)
            # A new order may have been filled. Whether an edit or a cancel was executed matters no more: the list shows what rests.
            unsure = [each for each in unsettled if each.operation == _NEW]
            self.problems += [f"{each.operation} is unsettled: {each.reason}" for each in unsure]
            if not unsure:
                with suppress(TradingError):  # without a journal there is nothing to close
                    self.client.acknowledge(lost.error)  # type: ignore[arg-type]

    def _take(self, settlement: Any) -> None:
        """Take in what the lists show of an action: another reading may show it late."""
        until = self.memory.now + self.client.history_lag
        for record in settlement.records if settlement.state != "unsettled" else ():
            if not is_open(record):
                self._has_ended(_resting(record), until)
            elif self._is_own(record) and key_of(record) not in self.memory.ended:
                self.memory.forget(key_of(record))
                self.memory.claims.append(_Claim(_resting(record), until, is_sure=True))

    # -- the result ----------------------------------------------------------------------------------

    def _result(self, problem: str = "") -> Replaced:
        doubtful = [
            each for lost in self.memory.lost for each in _perhaps(lost) if not self._is_over(each)
        ]
        keys = {_key(each) for each in doubtful}
        return Replaced(
            live=tuple(each for each in self._editable() if _key(each) not in keys),
            placed=tuple(self.placed),
            edited=tuple(self.edited),
            cancelled=tuple(self.cancelled),
            unsure=(*self._unsure(), *doubtful),
            unknown=tuple(each.error for each in self.memory.lost),
            refused=tuple(self.refused),
            problems=(*self.problems, *filter(None, [problem])),
            memory=self.memory,
        )

    def _is_over(self, order: Resting) -> bool:
        return _key(order) in self.memory.ended


def _perhaps(lost: _Lost) -> Iterator[Resting]:
    """The orders that may rest after a batch whose outcome is unknown."""
    for step in lost.steps:
        yield step.order or step.made(None)


def _only_cancels(steps: Iterable[Step]) -> tuple[Step, ...]:
    """What may be sent while nothing may be placed: what would be edited is cancelled."""
    return tuple(
        evolve(each, kind="Cancel", quote=None) for each in steps if each.order is not None
    )


def _resting(record: Any) -> Resting:
    """An order of a list."""
    order = open_order(record)
    return Resting(
        symbol=order.symbol,
        side=order.side,
        price=order.price,
        amount=EXACT.subtract(order.amount, order.filled_amount),
        order_id=order.order_id,
        client_order_id=order.client_order_id,
    )
