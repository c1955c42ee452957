"""Quotes, the orders that rest, and the steps that lead from these to those. No I/O.

An order is kept if it rests at the price of a quote, with the amount of the quote left to fill. Of the others as many as
possible are edited, because an edit is one action, and so is a cancel. So a ladder costs the fewest actions.

The order of the steps never makes two of the account's own orders meet: what is too much is cancelled first, then what
moves away from the market is edited, then what moves towards it; new orders come last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import Any, Literal, TypeAlias
from uuid import UUID

from attrs import asdict, field, frozen

from trading_runtime import (
    DecimalLike as DecimalLike,  # by which attrs annotates `__init__`
    to_decimal,
)
from trading_toolkit.errors import ToolkitError, check_text
from trading_toolkit.portfolio import EXACT

Kind: TypeAlias = Literal["Cancel", "Edit", "Create"]
SIDES = ("bid", "ask")


@frozen
class Quote:
    """A price and an amount that shall rest: post-only, and not reduce-only."""

    symbol: str
    side: str
    """`bid` or `ask`."""

    price: Decimal = field(converter=to_decimal)
    """Unit: quote per token."""

    amount: Decimal = field(converter=to_decimal)
    """What shall be left to fill. Unit: token."""

    def __attrs_post_init__(self) -> None:
        check_text("symbol", self.symbol)
        if self.side not in SIDES:
            raise ToolkitError(f"side must be 'bid' or 'ask', not {self.side!r}")
        if not (self.price > 0 and self.amount > 0):
            raise ToolkitError(f"price and amount must be above 0: {self}")

    def __str__(self) -> str:
        return f"{self.side} {self.amount:f} {self.symbol} at {self.price:f}"


@frozen(kw_only=True)
class Resting:
    """An order of a ladder."""

    symbol: str
    side: str
    """`bid` or `ask`."""

    price: Decimal
    """Unit: quote per token."""

    amount: Decimal
    """What is left to fill, as far as it is known. Unit: token."""

    order_id: int | None
    """None if no answer has told it."""

    client_order_id: UUID | None
    """None if it has none, or no list has told it."""

    def __str__(self) -> str:
        name = f"order {self.order_id}, " if self.order_id else ""
        return f"{name}{self.side} {self.amount:f} {self.symbol} at {self.price:f}"


@frozen
class Step:
    """One action of a batch."""

    kind: Kind
    order: Resting | None
    """The order that it ends or replaces; None of a new one."""

    quote: Quote | None
    """What rests afterwards; None of a cancel."""

    name: UUID | None = None
    """Client order id of a new order, once it has one."""

    def __str__(self) -> str:
        target = f" to {self.quote}" if self.order and self.quote else ""
        return f"{self.kind.lower()} {self.order or self.quote}{target}"

    @property
    def fields(self) -> dict[str, Any]:
        """The arguments of its action."""
        if self.order is not None:
            named = {"symbol": self.order.symbol, "order_id": self.order.order_id}
            new = self.quote and {"price": self.quote.price, "amount": self.quote.amount}
            return {**named, **(new or {})}
        return {**asdict(self._quote), "tif": "ALO", "reduce_only": False}

    def made(self, order_id: int | None) -> Resting:
        """The order that rests afterwards."""
        name = self.order.client_order_id if self.order else self.name
        return Resting(**asdict(self._quote), order_id=order_id, client_order_id=name)

    @property
    def _quote(self) -> Quote:
        if self.quote is None:
            raise TypeError("a cancel leaves nothing")
        return self.quote


def check_quotes(quotes: Iterable[Quote]) -> tuple[Quote, ...]:
    """The quotes, if they are some.

    Raises:
        ToolkitError: One is no `Quote`, or a bid is not below all asks of its market.
    """
    every = tuple(quotes)
    for each in every:
        if not isinstance(each, Quote):
            raise ToolkitError(f"a quote is a ladder.Quote, not {each!r}")
    for symbol in {each.symbol for each in every}:
        bids, asks = (
            [each for each in every if (each.symbol, each.side) == (symbol, side)] for side in SIDES
        )
        bid = max(bids, key=lambda each: each.price, default=None)
        ask = min(asks, key=lambda each: each.price, default=None)
        if bid and ask and bid.price >= ask.price:
            raise ToolkitError(f"the quotes would trade with each other: {bid}, {ask}")
    return every


def plan(
    quotes: Sequence[Quote], resting: Sequence[Resting], unsure: Sequence[Resting] = ()
) -> tuple[Step, ...]:
    """The steps that lead from the orders that rest to the quotes.

    Args:
        quotes: What shall rest.
        resting: The orders of the ladder, each with its id.
        unsure: Orders that may rest, too. For each of them as much as its amount is not quoted.
    """
    steps: list[Step] = []
    every: list[Quote | Resting] = [*quotes, *resting]
    for place in dict.fromkeys(map(_place, every)):
        steps += _side(
            [each for each in quotes if _place(each) == place],
            [each for each in resting if _place(each) == place],
            [each for each in unsure if _place(each) == place],
        )
    return tuple(sorted(steps, key=_turn))


def _place(each: Quote | Resting) -> tuple[str, str]:
    return each.symbol, each.side


def _side(wanted: list[Quote], have: list[Resting], doubtful: Sequence[Resting]) -> Iterable[Step]:
    """The steps of one side of one market."""
    _pairs(wanted, have, lambda quote, order: _is_right(quote, order))
    for each in doubtful:
        _leave_out(wanted, each)
    same_price = _pairs(wanted, have, lambda quote, order: quote.price == order.price)
    is_bid = any(each.side == "bid" for each in wanted)
    wanted.sort(key=attrgetter("price"), reverse=is_bid)
    have.sort(key=attrgetter("price"), reverse=is_bid)
    moved = list(zip(wanted, have, strict=False))
    yield from (Step("Edit", order, quote) for quote, order in (*same_price, *moved))
    yield from (Step("Cancel", order, None) for order in have[len(moved) :])
    yield from (Step("Create", None, quote) for quote in wanted[len(moved) :])


def _pairs(
    wanted: list[Quote], have: list[Resting], is_pair: Callable[[Quote, Resting], bool]
) -> list[tuple[Quote, Resting]]:
    """Take out the pairs of a quote and an order, each of which stands in one pair at most."""
    pairs = []
    for quote in tuple(wanted):
        order = next((each for each in have if is_pair(quote, each)), None)
        if order is not None:
            pairs.append((quote, order))
            wanted.remove(quote)
            have.remove(order)
    return pairs


def _is_right(quote: Quote, order: Resting) -> bool:
    return (quote.price, quote.amount) == (order.price, order.amount)


def _leave_out(wanted: list[Quote], doubtful: Resting) -> None:
    """Take out the quotes for which an order may rest: its own, else the largest, until their amounts reach its own."""
    own = next((each for each in wanted if _is_right(each, doubtful)), None)
    left = doubtful.amount
    while wanted and left > 0:
        quote = own or max(wanted, key=lambda each: each.amount)
        wanted.remove(quote)
        left = EXACT.subtract(left, quote.amount)


def _turn(step: Step) -> tuple[int, Decimal]:
    """The place of a step: see the top of this module. Of its like, what frees the most amount is first."""
    if step.kind == "Create" or step.quote is None or step.order is None:
        return (3 if step.kind == "Create" else 0), Decimal(0)
    old, new = step.order.price, step.quote.price
    is_away = new >= old if step.quote.side == "ask" else new <= old
    return (1 if is_away else 2), EXACT.subtract(step.quote.amount, step.order.amount)
