"""Initial and maintenance margin (field note 22).

Initial margin is size x entry price / leverage; maintenance margin is half of it. Cross positions
share the balance, their unrealised profit and loss and the spot collateral, less the margins of
isolated positions. An isolated position has its own initial margin and what was added to it, and its
profit and loss count for nothing else. If the account's funds no longer cover that margin, the position has less.

Open orders reserve margin too: in each market, the side that needs more. Orders that would close
the position reserve nothing, up to its size and at the average price of the orders. Reduce-only
orders reserve nothing.
"""

from __future__ import annotations

from decimal import Decimal

import attrs

from trading_sandbox.engine.commands import SIDES
from trading_sandbox.engine.markets import COLLATERAL_WEIGHT, MARKETS, TAKER_FEE
from trading_sandbox.engine.money import ROUNDING, USDC_QUANTUM, ZERO, ceil_to, floor_to, shortest
from trading_sandbox.engine.records import InsufficientBalance, Order
from trading_sandbox.engine.state import Account, Resting
from trading_sandbox.engine.venue import Venue


def collateral(venue: Venue, account: Account) -> Decimal:
    """Return the collateral value of an account's spot assets that are not excluded. USDC."""
    counted = (
        collateral_value(venue, symbol, amount)
        for symbol, amount in account.spot.items()
        if not account.spot_excluded.get(symbol)
    )
    return sum(counted, ZERO)


def collateral_value(venue: Venue, symbol: str, amount: Decimal) -> Decimal:
    """Return the collateral value of an amount of a spot asset. USDC."""
    return amount * venue.market(symbol).mark_price * COLLATERAL_WEIGHT


def funds(venue: Venue, account: Account) -> Decimal:
    """Return the funds behind all initial margins, isolated ones included. USDC.

    They are the balance, the unrealised profit and loss of cross positions, and the collateral.
    """
    pnl = (
        position.unrealised(venue.market(symbol).mark_price)
        for symbol, position in account.positions.items()
        if position.size and not account.is_isolated(symbol)
    )
    return account.balance + sum(pnl, ZERO) + collateral(venue, account)


def position_margin(account: Account, symbol: str) -> Decimal:
    """Return the initial margin of a position, and what was added to it."""
    return _initial_margin(account, symbol) + account.position(symbol).added_margin


def _initial_margin(account: Account, symbol: str) -> Decimal:
    return abs(account.position(symbol).cost) / account.leverage(symbol)


def maintenance_margin(account: Account, symbol: str) -> Decimal:
    """Return the maintenance margin of a position. With less equity it is liquidated."""
    return _initial_margin(account, symbol) / 2


def cross_maintenance(account: Account) -> Decimal:
    """Return the maintenance margin of all cross positions of an account."""
    needed = (
        maintenance_margin(account, symbol) for symbol in MARKETS if not account.is_isolated(symbol)
    )
    return sum(needed, ZERO)


def cross_equity(venue: Venue, account: Account) -> Decimal:
    """Return the equity of the cross positions: the funds without the margins of isolated ones."""
    locked = (position_margin(account, symbol) for symbol in MARKETS if account.is_isolated(symbol))
    return funds(venue, account) - sum(locked, ZERO)


def isolated_equity(venue: Venue, account: Account, symbol: str) -> Decimal:
    """Return the equity of an isolated position: its margin plus its unrealised profit and loss."""
    unrealised = account.position(symbol).unrealised(venue.market(symbol).mark_price)
    # Funding payments or falling collateral may have used up a part of its margin.
    missing = min(ZERO, cross_equity(venue, account))
    return position_margin(account, symbol) + missing + unrealised


def cross_is_sound(venue: Venue, account: Account) -> bool:
    """Whether the equity of the cross positions covers their maintenance margin."""
    return cross_equity(venue, account) >= cross_maintenance(account)


def isolated_is_sound(venue: Venue, account: Account, symbol: str) -> bool:
    """Whether the equity of an isolated position covers its maintenance margin, if there is one."""
    if not account.position(symbol).size:
        return True
    return isolated_equity(venue, account, symbol) >= maintenance_margin(account, symbol)


def at_stake(venue: Venue, account: Account, symbol: str) -> Decimal:
    """Return the equity behind a position: its own if isolated, else the cross equity."""
    if account.is_isolated(symbol):
        return isolated_equity(venue, account, symbol)
    return cross_equity(venue, account)


def bankruptcy_price(venue: Venue, account: Account, symbol: str) -> Decimal:
    """Return the price at which closing a position loses exactly the equity behind it.

    Other positions count at their mark prices. The price is rounded to the tick in favour of the
    account. It is never below one tick.
    """
    size = account.position(symbol).size
    price = venue.market(symbol).mark_price - at_stake(venue, account, symbol) / size
    tick = MARKETS[symbol].tick
    return max(tick, ceil_to(price, tick) if size > 0 else floor_to(price, tick))


def liquidation_price(venue: Venue, account: Account, symbol: str) -> Decimal | None:
    """Return the mark price beyond which a position is liquidated; None if there is none.

    Other positions count at their mark prices. A spot asset of the same symbol counts as collateral
    of a cross position: its value moves with the same mark price.
    """
    position = account.position(symbol)
    if account.is_isolated(symbol):
        moving, needed = position.size, maintenance_margin(account, symbol)
    else:
        counted = ZERO if account.spot_excluded.get(symbol) else account.spot.get(symbol, ZERO)
        moving, needed = position.size + counted * COLLATERAL_WEIGHT, cross_maintenance(account)
    if not moving:
        return None
    spare = at_stake(venue, account, symbol) - needed
    price = venue.market(symbol).mark_price - spare / moving
    return price.quantize(ROUNDING) if price > 0 else None


def market_margin(account: Account, symbol: str, bids: Resting, asks: Resting) -> Decimal:
    """Return the margin that a position and the given open orders of its market need."""
    position = account.position(symbol)
    opening = max(
        _opening_notional(bids, position.closable("bid")),
        _opening_notional(asks, position.closable("ask")),
    )
    return (abs(position.cost) + opening) / account.leverage(symbol) + position.added_margin


def _opening_notional(orders: Resting, closable: Decimal) -> Decimal:
    if not closable:
        return orders.notional
    if orders.amount <= closable:
        return ZERO
    return orders.notional * (orders.amount - closable) / orders.amount


def margins(account: Account) -> dict[str, Decimal]:
    """Return the margin that an account needs in each market, for its position and open orders."""
    return {
        symbol: market_margin(
            account, symbol, account.resting(symbol, "bid"), account.resting(symbol, "ask")
        )
        for symbol in MARKETS
    }


def free_funds(venue: Venue, account: Account) -> Decimal:
    """Return the funds that no margin needs; negative if the margins are not covered."""
    return funds(venue, account) - sum(margins(account).values(), ZERO)


def withdrawable(venue: Venue, account: Account) -> Decimal:
    """Return how much USDC an account can withdraw: cash that no margin needs."""
    return max(ZERO, min(account.balance, free_funds(venue, account)))


def require_margin(
    venue: Venue, account: Account, order: Order, replaced: Order | None = None
) -> None:
    """Refuse an order whose margin and fee the account cannot pay.

    An order that needs no additional margin always passes, so that a position at a loss can be
    closed. `replaced` is an open order that this one replaces; it no longer counts.
    """
    if order.reduce_only:
        return
    taken = margins(account)
    sides = {side: attrs.evolve(account.resting(order.symbol, side)) for side in SIDES}
    if replaced is not None:
        sides[replaced.side].add(-replaced.remaining, replaced.price)
    worst_price = _worst_price(venue, order)
    sides[order.side].add(order.amount, worst_price)
    after = market_margin(account, order.symbol, sides["bid"], sides["ask"])
    before, taken[order.symbol] = taken[order.symbol], after
    if after <= before:
        return
    fee = worst_price * order.amount * TAKER_FEE
    if sum(taken.values(), fee) > funds(venue, account):
        margin, free = usdc_up(after - before), usdc_down(free_funds(venue, account))
        raise InsufficientBalance(
            f"Insufficient balance: the order needs {margin} USDC of initial margin and "
            f"{usdc_up(fee)} USDC for its fee, but {free} USDC are free",
            5,
            observed_shortage(venue, account, order.symbol, after - before + fee),
        )


def observed_shortage(venue: Venue, account: Account, what: str, needed: Decimal) -> str:
    """Return how the live service says that an account has less than is needed (field note 38)."""
    worth = usdc_down(funds(venue, account))
    return f"Insufficient balance for {what}: {usdc_up(needed)} (account value: {worth})"


def usdc_up(needed: Decimal) -> str:
    """Return an amount of USDC that is needed as text, rounded up to 6 decimals."""
    return shortest(ceil_to(needed, USDC_QUANTUM))


def usdc_down(free: Decimal) -> str:
    """Return an amount of USDC that is free as text, rounded down to 6 decimals; at least 0."""
    return shortest(floor_to(max(ZERO, free), USDC_QUANTUM))


def _worst_price(venue: Venue, order: Order) -> Decimal:
    """Return the highest price at which an order may trade, which needs the most margin."""
    if order.side == "bid":
        return order.price
    return max(order.price, venue.books[order.symbol].best_price("bid") or ZERO)
