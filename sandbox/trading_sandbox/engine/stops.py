"""Stop orders, take-profits and stop-losses of orders and positions (interface 4.1, 4.2, 4.4)."""

from __future__ import annotations

from decimal import Decimal
from typing import cast

from trading_sandbox.engine import checks
from trading_sandbox.engine.books import stop_of
from trading_sandbox.engine.commands import (
    CancelStop,
    PlaceOrder,
    PlaceStop,
    SetPositionTpsl,
    Side,
    StopLeg,
    TriggerPriceType,
    opposite,
)
from trading_sandbox.engine.markets import Market
from trading_sandbox.engine.money import shortest
from trading_sandbox.engine.records import Order, OrderType, Refused, Stop, StopKind
from trading_sandbox.engine.state import Account
from trading_sandbox.engine.triggers import trigger_price
from trading_sandbox.engine.venue import Venue, handles

# -- stop orders ---------------------------------------------------------------------------------


@handles(PlaceStop)
def place_stop(venue: Venue, command: PlaceStop) -> int:
    """Place a stop order; return its id.

    It reserves no margin while it waits. Without an amount it closes the whole position and is
    reduce-only.
    """
    leg = command.stop
    market = checks.market_of(command.symbol)
    _check_numbers(market, leg)
    account = venue.account(command.account)
    venue.check_client_id(account, leg.client_order_id)
    amount = leg.amount or _position_to_close(account, command.symbol, command.side)
    reduce_only = command.reduce_only or leg.amount is None
    checks.check_minimum(market, amount * (leg.limit_price or leg.stop_price), reduce_only)
    stop = _stop(account, "stop", command.side, leg)
    stop.whole_position = leg.amount is None
    _check_not_reached(venue, market, stop)
    client_id = leg.client_order_id
    return _open(
        venue, account, market, command.side, stop, client_id, amount, reduce_only=reduce_only
    )


@handles(CancelStop)
def cancel_stop(venue: Venue, command: CancelStop) -> int:
    """Cancel a stop order, take-profit or stop-loss that is not triggered yet; return its id."""
    order = venue.open_order(command, untriggered=True)
    venue.end(order, "cancel")
    return order.order_id


# -- take-profit and stop-loss of a position -----------------------------------------------------


@handles(SetPositionTpsl)
def set_position_tpsl(venue: Venue, command: SetPositionTpsl) -> None:
    """Attach a take-profit, a stop-loss or both to a position.

    Each replaces the one of its kind that the position had.
    """
    market = checks.market_of(command.symbol)
    account = venue.account(command.account)
    legs = _legs(command)
    if not legs:
        raise Refused("At least one of take_profit and stop_loss is needed")
    whole = _position_to_close(account, command.symbol, command.side)
    replaced = _position_legs(venue, command, legs)
    _check_distinct([leg.client_order_id for leg in legs.values()])
    stops = {kind: _stop(account, kind, command.side, leg) for kind, leg in legs.items()}
    for kind, leg in legs.items():
        _check_numbers(market, leg)
        _check_not_reached(venue, market, stops[kind])
        old = [order for order in replaced if order.client_order_id == leg.client_order_id]
        venue.check_client_id(account, leg.client_order_id, old[0] if old else None)
    for order in replaced:
        venue.end(order, "cancel")
    for kind, leg in legs.items():
        stops[kind].whole_position = leg.amount is None
        amount = leg.amount or whole
        _open(venue, account, market, command.side, stops[kind], leg.client_order_id, amount)


def _position_legs(
    venue: Venue, command: SetPositionTpsl, legs: dict[StopKind, StopLeg]
) -> list[Order]:
    """Return the take-profit and stop-loss of a position, of the given kinds."""
    return [
        order
        for order in venue.trigger_books[command.symbol].legs(command.account)
        if stop_of(order).parent is None and stop_of(order).kind in legs
    ]


# -- take-profit and stop-loss of an order -------------------------------------------------------


def check_legs(venue: Venue, command: PlaceOrder, price: Decimal) -> None:
    """Refuse a take-profit or stop-loss that is invalid for its order."""
    legs = _legs(command)
    if not legs:
        return
    if command.reduce_only:
        raise Refused("Reduce-only: such an order has no take_profit and no stop_loss")
    market = checks.market_of(command.symbol)
    account = venue.account(command.account)
    ids = [leg.client_order_id for leg in legs.values()]
    _check_distinct([command.client_order_id, *ids])
    for kind, leg in legs.items():
        _check_numbers(market, leg)
        if leg.amount is not None:
            raise Refused(f"Invalid {kind}: it closes what its order fills and takes no amount")
        venue.check_client_id(account, leg.client_order_id)
        _check_beyond(_stop(account, kind, opposite(command.side), leg), price)


def attach_legs(venue: Venue, command: PlaceOrder, order: Order) -> None:
    """Open the take-profit and stop-loss of an order that is about to enter the book.

    They close at most what the order has filled. They are cancelled if it ends without a fill.
    """
    legs = _legs(command)
    if not legs:
        return
    market = checks.market_of(order.symbol)
    account = venue.account(order.account)
    side = opposite(order.side)
    for kind, leg in legs.items():
        stop = _stop(account, kind, side, leg)
        stop.parent = order.order_id
        leg_id = _open(venue, account, market, side, stop, leg.client_order_id, order.amount)
        order.attached = order.attached or leg_id


def check_move(venue: Venue, order: Order, price: Decimal) -> None:
    """Refuse to move an order to the wrong side of its take-profit or stop-loss."""
    for leg in _legs_of(venue, order):
        _check_beyond(stop_of(leg), price)


def move_legs(venue: Venue, old: Order, new: Order) -> None:
    """Attach the take-profit and stop-loss of an edited order to its replacement.

    They also close what the old order had filled.
    """
    for leg in _legs_of(venue, old):
        stop = stop_of(leg)
        stop.parent = new.order_id
        stop.earlier += old.filled
        leg.amount = stop.earlier + new.amount
        leg.updated_at = venue.now
        new.attached = new.attached or leg.order_id
        venue.record(leg, "adjust")


def _legs_of(venue: Venue, order: Order) -> list[Order]:
    legs = venue.trigger_books[order.symbol].legs(order.account)
    return [leg for leg in legs if stop_of(leg).parent == order.order_id]


# -- shared by both ------------------------------------------------------------------------------


def _legs(command: PlaceOrder | SetPositionTpsl) -> dict[StopKind, StopLeg]:
    both: dict[StopKind, StopLeg | None] = {
        "take_profit": command.take_profit,
        "stop_loss": command.stop_loss,
    }
    return {kind: leg for kind, leg in both.items() if leg is not None}


def _stop(account: Account, kind: StopKind, side: Side, leg: StopLeg) -> Stop:
    last: TriggerPriceType = "last_trade_price"
    default = last if account.use_ltp_for_stop_orders else "mark_price"
    return Stop(
        kind=kind,
        price=leg.stop_price,
        trigger_price_type=leg.trigger_price_type or default,
        rising=(side == "ask") == (kind == "take_profit"),
        limit_price=leg.limit_price,
    )


def _open(
    venue: Venue,
    account: Account,
    market: Market,
    side: Side,
    stop: Stop,
    client_order_id: str | None,
    amount: Decimal,
    *,
    reduce_only: bool = True,
) -> int:
    limit = stop.limit_price
    price = stop.price if limit is None else limit
    order = Order(
        order_id=venue.new_order_id(),
        account=account.address,
        symbol=market.symbol,
        side=side,
        order_type=cast(OrderType, f"{stop.kind}_{'market' if limit is None else 'limit'}"),
        tif="IOC" if limit is None else "GTC",
        price=price,
        amount=amount,
        reduce_only=reduce_only,
        client_order_id=client_order_id,
        created_at=venue.now,
        stop=stop,
    )
    venue.open(order)
    venue.record(order, "stop_created")
    return order.order_id


def _position_to_close(account: Account, symbol: str, side: Side) -> Decimal:
    amount = account.position(symbol).closable(side)
    if not amount:
        raise Refused(
            f"Position not found: there is no {symbol} position that an order of side {side} would close",
            13,
            f"Position not found for {symbol}",
        )
    return amount


def _check_numbers(market: Market, leg: StopLeg) -> None:
    checks.check_price(market, leg.stop_price, "stop_price")
    if leg.limit_price is not None:
        checks.check_price(market, leg.limit_price, "limit_price")
    if leg.amount is not None:
        checks.check_amount(market, leg.amount)


def _check_distinct(client_order_ids: list[str | None]) -> None:
    given = [one for one in client_order_ids if one is not None]
    if len(set(given)) < len(given):
        raise Refused(
            "Duplicate client_order_id: an order and its legs need one of their own each",
            36,
            f"Duplicate client order id: {given[-1]}",
        )


def _check_not_reached(venue: Venue, market: Market, stop: Stop) -> None:
    price = trigger_price(venue, market.symbol, stop.trigger_price_type)
    if price is not None and stop.reached_by(price):
        raise Refused(
            f"Invalid stop_price: a {stop.kind} at {shortest(stop.price)} would trigger "
            f"immediately, as the {stop.trigger_price_type} is {shortest(price)}",
            17,
            "Invalid stop order side",
        )


def _check_beyond(stop: Stop, price: Decimal) -> None:
    """Refuse a leg whose stop price is on the wrong side of its order's price."""
    if stop.reached_by(price):
        where = "above" if stop.rising else "below"
        raise Refused(
            f"Invalid {stop.kind}: its stop_price must be {where} {shortest(price)}, "
            "the price of its order",
            17,
            "Invalid stop order side",
        )
