"""Encode the state and the commands as JSON, and decode them without loss.

A state that is read from a file is checked, so that a damaged one is found at once and not later.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from decimal import Decimal
from typing import Any

import cattrs
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from trading_sandbox.engine.commands import Command
from trading_sandbox.engine.exchange import COMMANDS
from trading_sandbox.engine.markets import MARKETS, SPOT_ASSETS
from trading_sandbox.engine.records import Stop
from trading_sandbox.engine.state import BACKSTOP, MAKER, Account, State

_STORED_NAMES: dict[type[Any], dict[str, str]] = {
    Stop: {"untriggered": "waiting"},
    Account: {"is_house_account": "house"},
    State: {"forced_outcomes": "forced"},
}
"""Fields that have another name in state files, those inside before those outside."""


def _make_converter() -> cattrs.Converter:
    made = cattrs.Converter(detailed_validation=False)
    # Digits and exponent are kept (1E+2 does not become 100), so that a run that was killed and
    # restarted has the same state, digit by digit, as one that was not.
    made.register_unstructure_hook(Decimal, str)
    made.register_structure_hook(Decimal, lambda text, _: Decimal(text))
    for model, names in _STORED_NAMES.items():
        renamed: Any = {name: override(rename=stored) for name, stored in names.items()}
        made.register_unstructure_hook(model, make_dict_unstructure_fn(model, made, **renamed))
        made.register_structure_hook(model, make_dict_structure_fn(model, made, **renamed))
    return made


_converter = _make_converter()
_encoder = json.JSONEncoder(separators=(",", ":"), check_circular=False)


def encode_command(command: Command) -> tuple[str, str]:
    """Return the kind of a command and its fields as JSON."""
    return type(command).__name__, _encoder.encode(_converter.unstructure(command))


def decode_command(kind: str, data: str) -> Command:
    """Return the command that `encode_command` encoded."""
    return _converter.structure(json.loads(data), COMMANDS[kind])


def encode_state(state: State) -> str:
    """Return a state as JSON, without its derived fields.

    Two states have the same text exactly when they are equal. The order of dictionary entries
    counts, because orders of the same price trade in it.
    """
    return _encoder.encode(_converter.unstructure(state))


def decode_state(text: str) -> State:
    """Return the state that `encode_state` encoded."""
    return _converter.structure(json.loads(text), State)


# -- whether a state is whole -----------------------------------------------------------------------


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
