"""Check a state that was read from a file, so that a damaged one is found at once and not later."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from trading_sandbox.engine.house_accounts import BACKSTOP, MAKER
from trading_sandbox.engine.markets import MARKETS, SPOT_ASSETS
from trading_sandbox.engine.state import Account, State


def check_state(state: State) -> None:
    """Check that every market, account and order that a state refers to exists.

    Raises:
        ValueError: something is missing or unknown; the message names the first of them.
    """
    for wrong in _wrong(state):
        raise ValueError(wrong)


def _wrong(state: State) -> Iterator[str]:
    yield from _differ("the markets", state.markets, MARKETS)
    yield from _unknown("account", (MAKER, BACKSTOP), state.accounts)
    for address, account in state.accounts.items():
        if address != account.address:
            yield f"the account {address} has the address {account.address}"
        yield from _wrong_account(state, account)
    for order_id, order in state.orders.items():
        if order_id != order.order_id:
            yield f"order {order_id} has the id {order.order_id}"
        yield from _unknown(f"symbol of order {order_id}", (order.symbol,), MARKETS)
        yield from _unknown(f"account of order {order_id}", (order.account,), state.accounts)


def _wrong_account(state: State, account: Account) -> Iterator[str]:
    of = f"of account {account.address}"
    yield from _differ(f"the positions {of}", account.positions, MARKETS)
    yield from _unknown(f"margin setting {of}", account.margin_settings, MARKETS)
    yield from _unknown(f"spot asset {of}", account.spot, SPOT_ASSETS)
    yield from _unknown(f"spot setting {of}", account.spot_excluded, SPOT_ASSETS)
    if account.main is not None:
        yield from _unknown(f"main account {of}", (account.main,), state.accounts)


def _differ(what: str, found: Collection[str], expected: Collection[str]) -> Iterator[str]:
    if set(found) != set(expected):
        yield f"{what} are {', '.join(found) or 'none'}, not {', '.join(expected)}"


def _unknown(what: str, names: Collection[str], known: Collection[str]) -> Iterator[str]:
    for name in names:
        if name not in known:
            yield f"there is no {what} named {name}"
