"""The service: it executes commands one at a time and stores each before it is acknowledged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from trading_runtime import now_ms
from trading_sandbox.clock import Clock, Ticker
from trading_sandbox.engine import schedule
from trading_sandbox.engine.commands import Advance, Command, SetClock
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.minutes import Minutes
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import Refused, Reply
from trading_sandbox.log import RequestLog
from trading_sandbox.store.database import Executed, Filters, Store
from trading_sandbox.store.files import Synchronous, readable
from trading_sandbox.store.records import History
from trading_sandbox.turns import Slices, Turns, whole

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Listener(Protocol):
    """What is told of changes, in the thread that uses the exchange, once they are stored."""

    def committed(self, batch: Sequence[Executed]) -> None:
        """Learn what was executed, in its order."""

    def replaced(self) -> None:
        """Learn that the exchange is another one: it was reset, or went back to a snapshot."""


class Service:
    """An exchange with its store, for use by one thread; `turns` brings what others want there.

    With a state file, every change is in the file before the method returns. If it cannot be stored,
    as on a full disk, the method raises and nothing has changed. Times are market times, in ms.
    """

    def __init__(
        self, store: Store, *, taker_delay: float, clock: Callable[[], int] = now_ms
    ) -> None:
        self.taker_delay = taker_delay
        """How long GTC, IOC and market orders wait before they take effect, in seconds."""
        self.log = RequestLog()
        self.resets = 0
        """Number of resets. A request that waits during a reset was meant for the old exchange."""
        self._store = store
        self.clock = Clock(clock)
        self.turns = Turns()
        self.exchange = store.load()
        """The exchange as it was after the latest command; `reading` first does what is due."""
        self._ahead = False
        """Whether the exchange may have changes that are not stored; it is then loaded again."""
        self._closed = False
        self.listener: Listener | None = None
        self.jumps = 0
        """How many jumps of market time are under way."""
        self.ticker = Ticker(lambda: self.turns.take(self.tick))
        """Executes what is due every second, while it runs."""

    # -- commands ------------------------------------------------------------------------------

    def execute(self, command: Command) -> Reply:
        """Execute a command and return its reply.

        Raises:
            Refused: the command was not executed.
        """
        (reply,) = self.execute_all([command])
        if isinstance(reply, Refused):
            raise reply
        return reply

    def execute_all(self, commands: Sequence[Command]) -> list[Reply | Refused]:
        """Execute commands in order, with no other command between, and store them together.

        Returns:
            The reply or refusal of each. A refused command does not stop the next one.
        """
        with self._using():
            now = self._now()
            due = self._due(now)
            return self._run(now, [*due, *commands])[len(due) :]

    def tick(self) -> None:
        """Execute what is due by now."""
        with self._using():
            self._let_pass()

    # -- reading -------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[Exchange]:
        """Yield the exchange, after everything due has happened."""
        with self._using() as exchange:
            self._let_pass()
            yield exchange

    def page(
        self, history: History, owner: str, *, limit: int, **filters: Unpack[Filters]
    ) -> tuple[list[tuple[int, str]], bool]:
        """Return a page of a history like `Store.page`, after everything due has happened."""
        with self._using():
            self._let_pass()
            return self._store.page(history, owner, limit=limit, **filters)

    def minutes(self, symbol: str) -> Minutes:
        """Return the trades of a market by the minute, after everything due has happened."""
        with self._using():
            self._let_pass()
            return self._store.minutes[symbol]

    def digest(self) -> str:
        """Return a SHA-256 of the state and all histories, as `Store.digesting` does."""
        with self._using() as exchange:
            return whole(self._store.digesting(exchange.state))

    def digesting(self) -> Slices[str]:
        """Do what `digest` does in slices; again if something changes meanwhile, and the third time at once."""
        for _ in range(2):
            with self._using() as exchange:
                work, written = self._store.digesting(exchange.state), self._store.rows_written
            found = yield from work
            if self._store.rows_written == written:
                return found
        return self.digest()

    # -- time ----------------------------------------------------------------------------------

    def now(self) -> int:
        """Return the market time, which stands still while it is frozen."""
        with self._using():
            return self._now()

    def advance(self, ms: int) -> None:
        """Advance market time as `Clock.advanced` does; everything that is due on the way happens."""
        whole(self.advancing(ms))

    def advancing(self, ms: int) -> Slices[None]:
        """Do what `advance` does in slices, each of which is stored as an advance of its own.

        If one of them cannot be stored, time has passed up to the one before.
        """
        with self._using() as exchange:
            target, _ = self.clock.advanced(exchange.state, ms)
            pace, stops = schedule.stops(exchange.state, target)
        meant = self.resets
        self.jumps += 1
        try:
            for before, after in pairwise((target - ms, *stops)):
                with self._using() as exchange:
                    self.check_not_reset(meant)
                    # By a part, not until a stop: time that runs passes between two slices, too.
                    self._set_clock(*self.clock.advanced(exchange.state, after - before), pace)
                yield
        finally:
            self.jumps -= 1
            self._tell(())

    def check_not_reset(self, resets: int) -> None:
        """Refuse to go on with what began after so many resets, if there was another one since.

        Raises:
            Refused: there was another one.
        """
        if self.resets != resets:
            raise Refused(
                "The sandbox was reset meanwhile, and this was meant for the exchange before"
            )

    def freeze(self, at: int | None = None) -> None:
        """Freeze market time as `Clock.frozen` does; everything that is due by then happens."""
        whole(self.freezing(at))

    def freezing(self, at: int | None = None) -> Slices[None]:
        """Do what `freeze` does in slices, as `advancing` does."""
        with self._using() as exchange:
            target, _ = self.clock.frozen(exchange.state, at)
            now, command = self.clock.frozen(exchange.state, None)
            self._set_clock(now, command)
        if target > now:
            yield from self.advancing(target - now)

    def unfreeze(self) -> None:
        """Let market time run again, from where it is frozen."""
        with self._using() as exchange:
            if exchange.state.frozen_at is not None:
                self._set_clock(*self.clock.running(exchange.state))

    # -- going back ----------------------------------------------------------------------------

    def snapshot(self) -> int:
        """Store a snapshot of the state and return its number. It survives a restart."""
        with self._using() as exchange:
            return self._store.snapshot(exchange.state)

    def restore(self, snapshot: int) -> None:
        """Go back to a snapshot, histories included, and delete later snapshots.

        No id is given again. If the market time is not frozen in the snapshot, it has passed since
        then, and what was due in between happens again.

        Raises:
            ValueError: there is no such snapshot.
        """
        with self._using() as exchange:
            self._store.restore(snapshot, exchange.state)
            self._replace()

    def reset(self) -> None:
        """Open the exchange again, as it was opened first, and delete all snapshots; ids go on.

        In time that is not frozen it is opened now: between its first opening and now there may be
        months, of which each hour would cost time.
        """
        with self._using() as exchange:
            self.resets += 1
            first, now = self._store.opening(), self.clock.wall()
            again = Exchange.opened(
                first.seed, now, maker_on=first.maker_on, frozen_at=first.frozen_at
            )
            again.state.number_on_from(exchange.state)
            self._store.reset(again)
            self._replace()

    def close(self) -> None:
        """Stop the ticker and close the file. The service cannot be used afterwards."""
        try:
            self.ticker.stop()
        finally:
            with exact_arithmetic():
                if not self._closed:
                    self._closed = True
                    self._store.close(None if self._ahead else self.exchange.state)

    # -- inside of `_using` -------------------------------------------------------------------

    @contextmanager
    def _using(self) -> Iterator[Exchange]:
        with exact_arithmetic():
            if self._closed:
                raise RuntimeError("the sandbox is closed")
            if self._ahead:
                self._reload()
            yield self.exchange

    def _reload(self) -> None:
        self._ahead = True
        self.exchange = self._store.load()
        self._ahead = False

    def _replace(self) -> None:
        self._reload()
        if self.listener is not None:
            self.listener.replaced()

    def _tell(self, batch: Sequence[Executed]) -> None:
        if self.listener is not None:
            self.listener.committed(batch)

    def _now(self) -> int:
        return self.clock.market(self.exchange.state)

    def _due(self, now: int, pace: schedule.Pace | None = None) -> list[Command]:
        return [Advance(pace=pace)] if now >= self.exchange.due_at() else []

    def _let_pass(self) -> None:
        now = self._now()
        self._run(now, self._due(now))

    def _set_clock(self, now: int, command: SetClock, pace: schedule.Pace | None = None) -> None:
        self._run(now, [*self._due(now, pace), command])

    def _run(self, now: int, commands: Sequence[Command]) -> list[Reply | Refused]:
        replies: list[Reply | Refused] = []
        batch: list[Executed] = []
        began = perf_counter()
        self._ahead = True
        for command in commands:
            try:
                replies.append(self.exchange.execute(command, now))
            except Refused as refused:
                replies.append(refused)
            else:
                batch.append(Executed(now, command, self.exchange.venue.changes))
        if batch:
            self._store.commit(batch, self.exchange.state, perf_counter() - began)
        self._ahead = False
        if batch:
            self._tell(batch)
        return replies


def open_service(
    state: Path | None,
    seed: int,
    maker: bool,
    taker_delay: float,
    frozen_at: int | None = None,
    now: Callable[[], int] = now_ms,
    synchronous: Synchronous = "normal",
) -> Service:
    """Return a service for the exchange in a state file, or for a new exchange.

    Args:
        state: The file, which need not exist yet; None stores everything in memory.
        seed: The seed of the exchange; an existing file must have been made with the same seed.
        maker: Whether a new exchange has a background maker; one in a file continues as it was.
        taker_delay: How long GTC, IOC and market orders wait, in seconds.
        frozen_at: Market time, in ms, at which a new exchange opens and stands still; None: now.
        now: Returns the time of this machine, in ms.
        synchronous: Whether what was acknowledged survives a power cut.

    Raises:
        ValueError: the file is in use, is no state file, is damaged, or has another seed.
    """
    with readable(state), exact_arithmetic():
        store = Store(state, seed, synchronous=synchronous)
        try:
            if store.is_new:
                store.begin(Exchange.opened(seed, now(), maker_on=maker, frozen_at=frozen_at))
            return Service(store, taker_delay=taker_delay, clock=now)
        except BaseException:
            store.close()
            raise
