"""Follow the trades of an account as they happen."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from attrs import define, field

from trading_runtime import BaseClient, now_ms, to_time
from trading_toolkit.errors import (
    ToolkitError,
    check_client,
    check_regular_file,
    check_seconds,
    checked_time,
    machine_errors,
)
from trading_toolkit.sharing import keep_within_budget, locked

LAG = 60.0
"""Seconds by which a trade may appear late in the list."""
_VERSION = 1


def follow(
    client: BaseClient,
    since: int | datetime,
    *,
    state: str | os.PathLike[str],
    symbol: str | None = None,
    every: float = 2.0,
    lag: float = LAG,
    wait: Callable[[float], object] = time.sleep,
) -> Iterator[Any]:
    """Yield every trade of the account since a time, once, and wait for more.

    A trade counts as delivered when the next one is asked for, and the file of the `state` says so at once. After
    a restart it goes on behind the last delivered one: the trade that was being handled in a crash comes again.
    Each look reads the last `lag` seconds again, because a trade may appear late; those of one look come oldest
    first.

    Args:
        client: Reads the list. It needs no signer, but an account.
        since: Where the first run begins, in ms or as an aware datetime.
        state: A file of its own for each account and market. One program at a time may use it.
        symbol: Only trades of this market.
        every: Seconds between two looks; more while the rate budget is nearly spent.
        lag: How late a trade may appear. Unit: seconds.
        wait: Called with the seconds between two looks.

    Raises:
        ToolkitError: The file is of another account, market or service, is damaged, cannot be written, or another
            program uses it; or two different trades have one id, or a trade has no time in ms.
        TradingError: The list cannot be read. This iterator has ended then; call `follow` again, and it goes on.
    """
    check_client(client)
    check_seconds("every", every)
    check_seconds("lag", lag)
    account = client.account_address
    if account is None:
        raise ToolkitError("whose trades? give the client an account or a signer")
    trades: Any = client.trades  # type: ignore[attr-defined]
    path, source = Path(state), f"{account} {symbol or 'all'} {client.service_url}"
    check_regular_file(path)
    with (
        locked(str(path.with_name(f".{path.name}.lock")), f"another program follows with {path}"),
        closing(_Delivered.opened(path, source, int(to_time(since)))) as seen,
    ):
        while True:
            # Before it reads: what is made meanwhile may stand in the list before what is older, and late.
            started = now_ms() + (client.clock_skew or 0)
            read = trades.history(start_time=seen.since, **({"symbol": symbol} if symbol else {}))
            new = seen.not_among(read).values()
            for trade in sorted(new, key=lambda each: (each.created_at, each.history_id)):
                yield trade
                seen.add(trade.history_id, trade.created_at)
            seen.forget(started, round(lag * 1000))
            keep_within_budget(client, wait)
            wait(every)


@define
class _Delivered:
    """The trades that were delivered, in a file: a first line says of what, and each other one is a trade."""

    path: Path
    source: str
    since: int
    """Trades before this time are not looked for any more. Unit: ms."""

    ids: dict[int, int] = field(factory=dict)
    """Id of a delivered trade -> when it was made."""

    _file: Any = None

    @classmethod
    def opened(cls, path: Path, source: str, since: int) -> _Delivered:
        """What the file says; a new one begins at `since`."""
        found = cls(path, source, since)
        if path.exists():
            found._load()
        found._write()
        return found

    def close(self) -> None:
        """Close the file."""
        with machine_errors(self.path):
            self._file.close()

    def not_among(self, trades: Iterable[Any]) -> dict[int, Any]:
        """Those that are to be delivered, by their ids.

        A service may round the time down that it was asked for, or ignore it: what is older was delivered, or is from
        before the first run. Pages that shift bring a trade twice.

        Raises:
            ToolkitError: Two different trades have one id, or one has no time in ms.
        """
        found: dict[int, Any] = {}
        for trade in trades:
            key = trade.history_id
            made_at = checked_time(f"trade {key}: created_at", trade.created_at)
            if made_at < self.since:
                continue
            if self.ids.get(key, made_at) != made_at:
                raise ToolkitError(
                    f"trade {key} was made at {self.ids[key]} when it was delivered, and is at {made_at} now"
                )
            if found.get(key, trade) != trade:
                raise ToolkitError(f"two trades have the id {key}: {found[key]} and {trade}")
            if key not in self.ids:
                found[key] = trade
        return found

    def add(self, id: int, made_at: int) -> None:
        """Note that a trade was delivered."""
        self.ids[id] = made_at
        with machine_errors(self.path):
            self._file.write(f"[{id}, {made_at}]\n")
            self._file.flush()

    def forget(self, now: int, lag: int) -> None:
        """Look only for what may still appear, and drop the ids of older trades. Unit: ms."""
        newest = max(self.ids.values(), default=self.since)
        self.since = max(self.since, min(newest, now) - lag)
        kept = {each: made for each, made in self.ids.items() if made >= self.since}
        if len(kept) < len(self.ids):
            self.ids = kept
            self._write()

    def _load(self) -> None:
        try:
            with machine_errors(self.path):
                lines = self.path.read_text("utf-8").split("\n")
            head = json.loads(lines[0])
            source, version, since = head["source"], head["version"], int(head["since"])
            # A crash may cut the last line: that trade is delivered again.
            ids = {int(key): int(made) for key, made in map(json.loads, lines[1:-1])}
        except (ValueError, KeyError, TypeError):
            raise ToolkitError(
                f"{self.path} is no state of follow(), or damaged; begin with a new file"
            ) from None
        if (source, version) != (self.source, _VERSION):
            raise ToolkitError(
                f"{self.path} follows {source} (version {version}), not {self.source}"
            )
        self.since, self.ids = since, ids

    def _write(self) -> None:
        """Write the file anew, in one step."""
        new = self.path.with_name(f".{self.path.name}.part")
        head = {"version": _VERSION, "source": self.source, "since": self.since}
        with machine_errors(self.path):
            if self._file is not None:
                self._file.close()
            with new.open("w", encoding="utf-8") as file:
                file.write("".join(f"{json.dumps(each)}\n" for each in [head, *self.ids.items()]))
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self.path)
            self._file = self.path.open("a", encoding="utf-8")
