"""The store: it keeps every accepted command, every record and, now and then, a checkpoint.

A checkpoint is the whole state. A restart loads the latest one and executes the commands since.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from trading_sandbox.engine.commands import Command
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.minutes import MINUTE_MS, Minutes
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import Changes
from trading_sandbox.engine.state import State
from trading_sandbox.store import codec, files, records
from trading_sandbox.store.codec import check_state
from trading_sandbox.store.records import History
from trading_sandbox.turns import Slices

if TYPE_CHECKING:
    from typing_extensions import Unpack

CHECKPOINT_AFTER = 2.0
"""A checkpoint is due once the commands since the last one took this long, in seconds.

This keeps a restart short, which executes those commands again.
"""
_CHECKPOINT_SHARE = 10
"""The commands between two checkpoints take at least this many times as long as writing one."""
_FIRST = 0
"""Sequence number, and snapshot number, of the exchange as it was opened."""
_MOST = 2**63 - 1

_UPSERT = """
INSERT INTO records (list, owner, id, symbol, created_at, record, made) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (list, owner, id) DO UPDATE SET record = excluded.record
"""

DIGESTED_AT_ONCE = 1000
_DIGESTED = f"""
SELECT list, owner, id, record FROM records WHERE (list, owner, id) > (?, ?, ?)
ORDER BY list, owner, id LIMIT {DIGESTED_AT_ONCE}
"""


class Filters(TypedDict, total=False):
    """Which records of a history are wanted."""

    symbol: str | None
    """Records of this market or asset."""
    start: int | None
    """Records made at or after this time, in ms."""
    end: int | None
    """Records made at or before this time, in ms."""
    before: int | None
    """Records with a smaller id: the id of the last record of the page before."""


_CONDITIONS = {
    "symbol": "symbol = ?",
    "start": "created_at >= ?",
    "end": "created_at <= ?",
    "before": "id < ?",
}


class Executed(NamedTuple):
    """An executed command, with its time in ms and the records that it changed."""

    time: int
    command: Command
    changes: Changes


class Store:
    """Stores an exchange in a file, or in memory if the path is None. Not thread-safe.

    `synchronous` says what a commit survives, `checkpoint_after` is in seconds of commands.

    Raises:
        CannotOpen: the file is in use, is no state file, or was made with another seed.
    """

    def __init__(
        self,
        path: Path | None,
        seed: int,
        *,
        synchronous: files.Synchronous = "normal",
        checkpoint_after: float = CHECKPOINT_AFTER,
    ) -> None:
        self._path = path
        self._seed = seed
        self._synchronous: files.Synchronous = synchronous
        self._checkpoint_after = self._next_checkpoint_after = checkpoint_after
        self._since_checkpoint = 0.0
        self.seq = _FIRST
        """Sequence number of the latest stored command."""
        self.minutes = {symbol: Minutes() for symbol in MARKETS}
        """The trades of each market by the minute."""
        self._connection = files.connect(path)
        try:
            files.claim(self._connection, path)
            self.is_new = files.is_empty(self._connection)
            """Whether nothing is stored yet: then `begin` must be called first."""
            if not self.is_new:
                self._check_seed(path)
                files.write_ahead(self._connection, self._synchronous)
                with files.readable(path), exact_arithmetic():
                    self._add_up_trades()
        except BaseException:
            self._connection.close()
            raise

    def begin(self, exchange: Exchange) -> None:
        """Store an exchange that was just opened."""
        with self._transaction():
            files.create_tables(self._connection)
            self._connection.execute("INSERT INTO meta VALUES ('seed', ?)", (str(self._seed),))
            self._write_opening(exchange)
        files.write_ahead(self._connection, self._synchronous)
        self.is_new = False

    def load(self) -> Exchange:
        """Return the exchange as it was after the latest stored command."""
        self.seq, text = self._one("SELECT seq, state FROM checkpoint")
        exchange = Exchange(_state_of(text))
        following = self._connection.execute(
            "SELECT seq, time, kind, data FROM commands WHERE seq > ? ORDER BY seq", (self.seq,)
        )
        began = perf_counter()
        # The records of these commands are stored already.
        for seq, time, kind, data in following:
            exchange.execute(codec.decode_command(kind, data), time)
            self.seq = seq
        self._since_checkpoint = perf_counter() - began
        return exchange

    def commit(self, batch: Sequence[Executed], state: State, seconds: float) -> None:
        """Store executed commands and the records that they changed, in one transaction.

        Args:
            batch: The commands, in the order of their execution.
            state: The state after the last of them.
            seconds: How long their execution took.
        """
        spent = self._since_checkpoint + seconds
        seq = self.seq
        with self._transaction():
            for done in batch:
                seq += 1
                row = (seq, done.time, *codec.encode_command(done.command))
                self._connection.execute("INSERT INTO commands VALUES (?, ?, ?, ?)", row)
                self._write_records(done.changes, seq)
            if spent >= self._next_checkpoint_after:
                self._write_checkpoint(seq, state)
                spent = 0.0
        self.seq, self._since_checkpoint = seq, spent
        for done in batch:
            for trade in done.changes.trades:
                if trade.is_public:
                    self.minutes[trade.symbol].add(trade.price, trade.amount, trade.created_at)

    def page(
        self, history: History, owner: str, *, limit: int, **filters: Unpack[Filters]
    ) -> tuple[list[tuple[int, str]], bool]:
        """Return a page of a history, newest record first, and whether more records follow it.

        Args:
            history: Which history.
            owner: Account whose history it is; for fundings, the market.
            limit: The most records to return.
            **filters: Which records; None: any.

        Returns:
            The id and the JSON of each record.
        """
        wanted = {_CONDITIONS[name]: value for name, value in filters.items() if value is not None}
        where = " AND ".join(("list = ?", "owner = ?", *wanted))
        found = self._connection.execute(
            f"SELECT id, record FROM records WHERE {where} ORDER BY id DESC LIMIT ?",
            (history, owner, *map(_kept, wanted.values()), limit + 1),
        ).fetchall()
        return found[:limit], len(found) > limit

    def snapshot(self, state: State) -> int:
        """Store a snapshot of the state and return its number, for `restore`."""
        with self._transaction():
            return self._insert_snapshot(None, self.seq, state)

    def restore(self, snapshot: int, latest: State) -> None:
        """Go back to a snapshot and delete everything stored since, later snapshots included.

        Args:
            snapshot: Its number.
            latest: The state to go back from, whose ids are not given again.

        Raises:
            ValueError: there is no such snapshot.
        """
        found = self._connection.execute(
            "SELECT seq, state FROM snapshots WHERE id = ?", (_kept(snapshot),)
        ).fetchone()
        if found is None:
            raise ValueError(f"there is no snapshot {snapshot}: it was never made, or is gone")
        seq, text = found
        with files.readable(self._path):
            state = _state_of(text)
        state.number_on_from(latest)
        with self._transaction():
            self._connection.execute("DELETE FROM commands WHERE seq > ?", (seq,))
            self._connection.execute("DELETE FROM records WHERE made > ?", (seq,))
            self._connection.execute("DELETE FROM snapshots WHERE id > ?", (snapshot,))
            # The records of orders that were open may have changed since; final ones have not.
            listed = (
                o for o in state.orders.values() if not state.accounts[o.account].is_house_account
            )
            self._write_records(Changes(orders={order.order_id: order for order in listed}), seq)
            self._write_checkpoint(seq, state)
        self.seq, self._since_checkpoint = seq, 0.0
        self._add_up_trades(since=state.now)

    def opening(self) -> State:
        """Return the state of the exchange as it was opened, or last reset."""
        (text,) = self._one(f"SELECT state FROM snapshots WHERE id = {_FIRST}")
        return _state_of(text)

    def reset(self, exchange: Exchange) -> None:
        """Replace everything by an exchange that was just opened; ids go on if its state says so."""
        with self._transaction():
            for table in ("commands", "records", "snapshots"):
                self._connection.execute(f"DELETE FROM {table}")
            self._write_opening(exchange)
        self.seq, self._since_checkpoint = _FIRST, 0.0
        self._add_up_trades()

    @property
    def rows_written(self) -> int:
        """How many rows were written since the store was opened: it tells whether anything has changed."""
        return self._connection.total_changes

    def digesting(self, state: State) -> Slices[str]:
        """Return slices that take a SHA-256, which is the same exactly when the state and all histories are.

        It leaves out the numbers of the next ids, which do not go back with a snapshot. Nothing may be
        written meanwhile.
        """
        return self._with_records(
            hashlib.sha256(codec.encode_state(state.without_counters()).encode())
        )

    def _with_records(self, digest: hashlib._Hash) -> Slices[str]:
        latest: tuple[str, str, int] = ("", "", -1)
        while rows := self._connection.execute(_DIGESTED, latest).fetchall():
            for row in rows:
                digest.update("\n".join(map(str, ("", *row))).encode())
            latest = rows[-1][:3]
            yield
        return digest.hexdigest()

    def close(self, state: State | None = None) -> None:
        """Close the file; with a state, write a checkpoint first, so that a restart is fast."""
        try:
            if state is not None and self._since_checkpoint:
                with self._transaction():
                    self._write_checkpoint(self.seq, state)
        finally:
            self._connection.close()

    def _check_seed(self, path: Path | None) -> None:
        (seed,) = self._one("SELECT value FROM meta WHERE name = 'seed'")
        if seed != str(self._seed):
            raise files.CannotOpen(f"{path} was opened with seed {seed}, not with {self._seed}")

    def _one(self, query: str) -> tuple[Any, ...]:
        row: tuple[Any, ...] = self._connection.execute(query).fetchone()
        return row

    def _add_up_trades(self, since: int = 0) -> None:
        """Add up the trades of all markets anew from a time on, in ms, from their records."""
        begin = since - since % MINUTE_MS
        for symbol, minutes in self.minutes.items():
            minutes.cut(begin)
            for (record,) in self._connection.execute(
                "SELECT record FROM records WHERE list = 'market_trades' AND owner = ?"
                " AND created_at >= ? ORDER BY id",
                (symbol, begin),
            ):
                told = json.loads(record)
                minutes.add(Decimal(told["price"]), Decimal(told["amount"]), told["created_at"])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            # If the disk is full, SQLite has rolled back already.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _write_opening(self, exchange: Exchange) -> None:
        self._write_checkpoint(_FIRST, exchange.state)
        self._insert_snapshot(_FIRST, _FIRST, exchange.state)
        self._write_records(exchange.venue.changes, _FIRST)

    def _write_records(self, changes: Changes, seq: int) -> None:
        rows = [(*row, seq) for row in records.rows(changes)]
        if rows:
            self._connection.executemany(_UPSERT, rows)

    def _insert_snapshot(self, number: int | None, seq: int, state: State) -> int:
        row = (number, seq, codec.encode_state(state))
        cursor = self._connection.execute("INSERT INTO snapshots VALUES (?, ?, ?)", row)
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _write_checkpoint(self, seq: int, state: State) -> None:
        began = perf_counter()
        row = (seq, codec.encode_state(state))
        self._connection.execute("DELETE FROM checkpoint")
        self._connection.execute("INSERT INTO checkpoint VALUES (?, ?)", row)
        if self._path is None:
            # Commands before a checkpoint are not needed again; do not fill the memory with them.
            self._connection.execute("DELETE FROM commands WHERE seq <= ?", (seq,))
        self._next_checkpoint_after = max(
            self._checkpoint_after, _CHECKPOINT_SHARE * (perf_counter() - began)
        )


def _state_of(text: str) -> State:
    """Return a stored state, checked to be whole."""
    state = codec.decode_state(text)
    check_state(state)
    return state


def _kept(value: object) -> object:
    """Clamp an integer of a query to those of SQLite; no stored value lies beyond them."""
    return max(-_MOST - 1, min(value, _MOST)) if isinstance(value, int) else value
