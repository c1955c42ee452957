"""`watch`: orders, positions and fills as the stream tells them, as a table that is drawn anew, or as lines."""

from __future__ import annotations

import shutil
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, Literal

import click
from attrs import define, field, frozen

from trading_runtime import now_ms
from trading_runtime.stream import Disconnected, Lagging, Reconnected, Stream, SubscriptionRefused
from trading_toolkit.command.operations import method_of
from trading_toolkit.command.options import SYMBOL, Command, options
from trading_toolkit.command.settings import connected
from trading_toolkit.command.show import Ended, line, moment, records, say, table
from trading_toolkit.live import LiveOrders, LivePositions

_PATIENCE = 10.0
"""Seconds until the first pictures have come."""
_PAUSE = 0.2
"""Seconds between two tables, at least."""
_FILLS = 10
"""Fills that a table shows."""
_FEWEST = 5
"""Orders that a table shows, however small the terminal is."""


@frozen(kw_only=True)
class Row:
    """An order, a position or a fill."""

    kind: Literal["order", "position", "fill"]
    at: int
    """When it was made, or seen. Unit: ms."""

    symbol: str
    side: str
    """`bid` or `ask`; `long`, `short` or `flat` of a position; of a fill what it did to the position."""

    amount: Decimal
    """Unit: token."""

    price: Decimal | None = None
    """Unit: quote per token."""

    filled_amount: Decimal | None = None
    """Unit: token."""

    state: str | None = None
    order_id: int | None = None

    def __str__(self) -> str:
        price = "" if self.price is None else f" at {self.price:f}"
        filled = f", filled {self.filled_amount:f}" if self.filled_amount else ""
        name = "" if self.order_id is None else f"  {self.order_id}"
        state = "" if self.state is None else f"  {self.state}"
        what = f"{self.side} {self.amount:f} {self.symbol}{price}{filled}"
        return f"{moment(self.at)}  {self.kind:8}{name}  {what}{state}"


@click.command(cls=Command)
@SYMBOL
@click.option("--once", is_flag=True, help="Show what is open now, and end.")
def watch(symbol: str | None, *, once: bool) -> None:
    """Watch orders, positions and fills as they come, until Ctrl-C.

    On a terminal it is a table; elsewhere, and with --json or --csv, a line for each change. It needs --observed, and the
    extra [streams].
    """
    from trading_sdk_observed.streams import (
        AccountOrders,
        AccountOrderUpdates,
        AccountPositions,
        AccountTrades,
    )

    with connected() as client:
        method_of(client, "orders.list")
        watched = Watched(symbol)
        with client.stream() as stream:
            stream.subscribe(AccountOrders(), AccountOrderUpdates(), AccountPositions())
            stream.subscribe(AccountTrades())
            _wait_for_pictures(stream, watched)
            if once:
                records(watched.open, limit=0)
            elif sys.stdout.isatty() and not (options().json or options().csv):
                _draw(stream, watched)
            else:
                for row in watched.open:
                    line(row, str(row))
                for event in stream:
                    for row in watched.changes(event):
                        line(row, str(row))
                    if text := _gap(event):
                        say(text)


@define
class Watched:
    """What the stream told so far."""

    symbol: str | None
    orders: LiveOrders = field(factory=LiveOrders)
    positions: LivePositions = field(factory=LivePositions)
    fills: deque[Row] = field(factory=lambda: deque(maxlen=_FILLS))
    """The latest, the newest first."""

    gap: str = ""
    """Since when something may be missing."""

    made: dict[int, int] = field(factory=dict)
    """When open orders were made, in ms, by id."""

    @property
    def is_current(self) -> bool:
        """Whether the pictures have come, and no gap since."""
        return self.orders.is_current and self.positions.is_current

    @property
    def open(self) -> list[Row]:
        """The open orders and the positions."""
        return [*self._orders(), *(self._position(each) for each in self._sizes())]

    def changes(self, event: Any) -> list[Row]:
        """Take an event; what it changed."""
        before, known = self._sizes(), set(self.orders.open)
        for order in (*getattr(event, "orders", ()), *getattr(event, "updates", ())):
            self.made[order.order_id] = order.created_at
        self.orders.add(event)
        self.positions.add(event)
        self.made = {each: self.made[each] for each in self.orders.open if each in self.made}
        if text := _gap(event):
            self.gap = f"{moment(now_ms())} {text}"
        rows = [*map(_update, getattr(event, "updates", ()))]
        if hasattr(event, "orders"):  # a picture shows what was missed
            rows += [row for row in self._orders() if row.order_id not in known]
        if hasattr(event, "trades"):
            rows += map(_fill, event.trades)
        after = self._sizes()
        changed = [each for each in {**before, **after} if before.get(each) != after.get(each)]
        rows = [*filter(self._is_meant, rows), *map(self._position, changed)]
        self.fills.extendleft(row for row in rows if row.kind == "fill")
        return rows

    def _is_meant(self, each: Any) -> bool:
        return self.symbol in (None, each.symbol)

    def _sizes(self) -> dict[str, Decimal]:
        sizes = self.positions.sizes
        return {name: size for name, size in sizes.items() if self.symbol in (None, name)}

    def _orders(self) -> Iterator[Row]:
        for order in filter(self._is_meant, self.orders.open.values()):
            yield Row(
                kind="order",
                at=self.made.get(order.order_id, 0),
                symbol=order.symbol,
                side=str(order.side),
                amount=order.amount,
                price=order.price,
                filled_amount=order.filled_amount,
                state="partially_filled" if order.filled_amount else "open",
                order_id=order.order_id,
            )

    def _position(self, symbol: str) -> Row:
        size = self.positions.sizes.get(symbol, Decimal(0))
        side = "long" if size > 0 else "short" if size < 0 else "flat"
        amount = size.copy_abs()
        return Row(kind="position", at=now_ms(), symbol=symbol, side=side, amount=amount)


def _update(update: Any) -> Row:
    """What happened to an order."""
    return Row(
        kind="order",
        at=update.updated_at,
        symbol=update.symbol,
        side=str(update.side),
        amount=update.amount,
        price=update.initial_price,
        filled_amount=update.filled_amount,
        state=str(update.order_status),
        order_id=update.order_id,
    )


def _fill(trade: Any) -> Row:
    return Row(
        kind="fill",
        at=trade.created_at,
        symbol=trade.symbol,
        side=str(trade.side),
        amount=trade.amount,
        price=trade.price,
        order_id=trade.order_id,
    )


def _gap(event: Any) -> str:
    """What a person has to know of an event that is no order, position or fill."""
    match event:
        case Disconnected(reason=reason):
            return f"the stream was cut: {reason}"
        case Reconnected():
            return "the stream is there again; fills since it was cut are missing"
        case Lagging(dropped=dropped):
            return f"{dropped} events were dropped, because they came too fast"
        case SubscriptionRefused(error=error):
            raise Ended(4, f"the service refused a subscription: {error}")
    return ""


def _wait_for_pictures(stream: Stream, watched: Watched) -> None:
    """Wait until the open orders and the positions are known.

    Raises:
        Ended: They did not come.
    """
    ends = time.monotonic() + _PATIENCE
    while not watched.is_current:
        event = stream.next(timeout=max(0.0, ends - time.monotonic()))
        if event is None:
            why = f": {watched.gap}" if watched.gap else ""
            raise Ended(5, f"no picture of the account came within {_PATIENCE:.0f} s{why}")
        watched.changes(event)


def _draw(stream: Stream, watched: Watched) -> None:
    """Draw the tables, and draw them anew after each change."""
    while True:
        click.clear()
        click.echo(_page(watched), nl=False)
        event = stream.next(timeout=None)
        ends = time.monotonic() + _PAUSE
        while event is not None:
            watched.changes(event)
            event = stream.next(timeout=max(0.0, ends - time.monotonic()))


def _page(watched: Watched) -> str:
    """The tables, as high as the terminal."""
    rows = watched.open
    orders, positions = (
        [each for each in rows if each.kind == kind] for kind in ("order", "position")
    )
    height = shutil.get_terminal_size().lines - len(positions) - len(watched.fills) - 10
    shown = orders[: max(_FEWEST, height)]
    more = f", {len(orders) - len(shown)} more" if len(shown) < len(orders) else ""
    head = f"{moment(now_ms())}{options().whose}. Ctrl-C ends it."
    return "\n".join(
        [
            head,
            watched.gap,
            _titled(f"{len(orders)} open orders{more}", shown),
            _titled("positions", positions, "symbol", "side", "amount"),
            _titled("fills", watched.fills),
        ]
    )


def _titled(title: str, rows: Iterable[Row], *columns: str) -> str:
    names = columns or ("at", "symbol", "side", "amount", "price", "filled_amount", "order_id")
    text = table(list(rows), names)
    return f"{title}\n{text}" if text else f"{title}: none\n"
