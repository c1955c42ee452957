"""The house accounts: the background maker, and the backstop of liquidations."""

from __future__ import annotations

from decimal import Decimal

from trading_sandbox.engine.commands import Side, TimeInForce
from trading_sandbox.engine.records import Order
from trading_sandbox.engine.state import Account, State
from trading_sandbox.engine.venue import Venue

# These are not valid addresses, so no request can name a house account.
MAKER = "maker"
BACKSTOP = "backstop"
FUNDS = Decimal(1_000_000_000)
"""Opening balance of each house account. USDC."""


def open_accounts(state: State) -> None:
    """Open the house accounts in a new state."""
    for address in (MAKER, BACKSTOP):
        state.accounts[address] = Account(
            address=address, created_at=state.started_at, balance=FUNDS, is_house_account=True
        )


def house_order(
    venue: Venue,
    address: str,
    symbol: str,
    side: Side,
    price: Decimal,
    amount: Decimal,
    *,
    tif: TimeInForce = "GTC",
) -> Order:
    """Return an order of a house account. No check applies to it and no history lists it."""
    return Order(
        order_id=venue.new_order_id(),
        account=address,
        symbol=symbol,
        side=side,
        order_type="limit",
        tif=tif,
        price=price,
        amount=amount,
        created_at=venue.now,
    )
