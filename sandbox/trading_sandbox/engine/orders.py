"""Place, cancel and edit limit and market orders (interface sections 3, 4.1, 4.3 and 4.5)."""

from __future__ import annotations

from decimal import Decimal

from trading_sandbox.engine import checks, forced_outcomes, stops
from trading_sandbox.engine.commands import (
    Cancel,
    CancelAll,
    Edit,
    PlaceLimit,
    PlaceMarket,
    PlaceOrder,
    TimeInForce,
)
from trading_sandbox.engine.margin import require_margin
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.records import Order, OrderType, Refused
from trading_sandbox.engine.state import Account
from trading_sandbox.engine.venue import Venue, handles


@handles(PlaceLimit)
def place_limit(venue: Venue, command: PlaceLimit) -> int:
    """Place a limit order; return its id."""
    market = checks.market_of(command.symbol)
    checks.check_price(market, command.price)
    checks.check_amount(market, command.amount)
    checks.check_minimum(market, command.amount * command.price, command.reduce_only)
    stops.check_legs(venue, command, command.price)
    order = _limit_order(venue, command)
    _check_place(venue, order)
    _place(venue, command, order)
    return order.order_id


@handles(PlaceMarket)
def place_market(venue: Venue, command: PlaceMarket) -> int:
    """Place a market order; return its id."""
    market = checks.market_of(command.symbol)
    checks.check_amount(market, command.amount)
    checks.check_slippage(command.slippage_percent)
    current = venue.current_price(market.symbol)
    checks.check_minimum(market, command.amount * current, command.reduce_only)
    stops.check_legs(venue, command, current)
    bound = market.slippage_bound(command.side, current, command.slippage_percent)
    order = _order(venue, command, order_type="market", tif="IOC", price=bound)
    _check_place(venue, order)
    _place(venue, command, order)
    return order.order_id


@handles(Cancel)
def cancel(venue: Venue, command: Cancel) -> int:
    """Cancel an open order; return its id."""
    order = venue.open_order(command)
    venue.end(order, "cancel")
    return order.order_id


@handles(CancelAll)
def cancel_all(venue: Venue, command: CancelAll) -> int:
    """Cancel the open orders of an account; return how many."""
    account = checks.customer(venue, command.account)
    if command.symbol is not None:
        checks.market_of(command.symbol)
    found = [
        order
        for order in account.open_orders.values()
        if command.symbol in (None, order.symbol)
        and not (order.reduce_only and command.exclude_reduce_only)
    ]
    for order in found:
        venue.end(order, "cancel")
    return len(found)


@handles(Edit)
def edit(venue: Venue, command: Edit) -> int:
    """Replace an open order by a post-only one with a new price and amount; return its id."""
    market = checks.market_of(command.symbol)
    checks.check_price(market, command.price)
    checks.check_amount(market, command.amount)
    old = venue.open_order(command)
    if old.in_trigger_book:
        raise Refused(f"Order {old.order_id} waits for its stop price: cancel it and place another")
    checks.check_minimum(market, command.amount * command.price, old.reduce_only)
    stops.check_move(venue, old, command.price)
    renewed = PlaceLimit(
        account=old.account,
        symbol=old.symbol,
        side=old.side,
        price=command.price,
        amount=command.amount,
        tif="ALO",
        reduce_only=old.reduce_only,
        client_order_id=old.client_order_id,
    )
    order = _limit_order(venue, renewed)
    _check_place(venue, order, replaced=old)
    venue.end(old, "cancel")
    venue.new_order_id()
    stops.move_legs(venue, old, order)
    forced_outcomes.enter(venue, order)
    return order.order_id


def _limit_order(venue: Venue, command: PlaceLimit) -> Order:
    price = command.price
    if command.tif == "TOB":
        price = _top_of_book(venue, command)
    return _order(venue, command, order_type="limit", tif=command.tif, price=price)


def _order(
    venue: Venue,
    command: PlaceOrder,
    *,
    order_type: OrderType,
    tif: TimeInForce,
    price: Decimal,
) -> Order:
    return Order(
        order_id=venue.state.next_order_id,
        account=command.account,
        symbol=command.symbol,
        side=command.side,
        order_type=order_type,
        tif=tif,
        price=price,
        initial_price=command.price if isinstance(command, PlaceLimit) else price,
        amount=command.amount,
        reduce_only=command.reduce_only,
        client_order_id=command.client_order_id,
        created_at=venue.now,
    )


def _top_of_book(venue: Venue, command: PlaceLimit) -> Decimal:
    """Return the price of a TOB order: one tick off the best opposite price if it would cross."""
    other = venue.books[command.symbol].counterparty(command.side, command.price)
    tick = MARKETS[command.symbol].tick
    if other is None:
        return command.price
    inside = other.price - tick if command.side == "bid" else other.price + tick
    # No price is left below a best ask of one tick: the given price crosses and is rejected.
    return inside if inside > 0 else command.price


def _place(venue: Venue, command: PlaceOrder, order: Order) -> None:
    venue.new_order_id()
    # Before the order trades, so that the legs get the order ids right after its own.
    stops.attach_legs(venue, command, order)
    forced_outcomes.enter(venue, order)


def _check_place(venue: Venue, order: Order, replaced: Order | None = None) -> None:
    account = venue.account(order.account)
    venue.check_client_id(account, order.client_order_id, replaced)
    if order.reduce_only and not account.position(order.symbol).closable(order.side):
        raise Refused(
            "Reduce-only: there is no position that this order would reduce",
            *_irreducible(account, order.symbol),
        )
    require_margin(venue, account, order, replaced)
    forced_outcomes.check_forced_outcome(venue, order)


def _irreducible(account: Account, symbol: str) -> tuple[int, str]:
    """Return code and text of the live service where a reduce-only order would reduce nothing."""
    if account.position(symbol).size:
        return 21, "Invalid reduce-only order side: must be opposite to position side"
    return 23, f"No position found for reduce-only order: {account.address} {symbol}"
