"""Types and checks of the arguments of `Sandbox` and its controls."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TypeAlias, TypeVar

from trading_runtime import (
    DecimalLike,
    Signer,
    SigningError,
    decode_base58,
    is_integer,
    is_number,
    to_decimal,
    to_integer,
    to_text,
)
from trading_sandbox.engine.funding import FIRST_RECORD

AccountLike: TypeAlias = str | Signer
"""An address, or an object with an `address`, such as a Keypair."""

Spot: TypeAlias = Mapping[str, DecimalLike]
"""Amounts of spot assets in tokens, by symbol."""

L = TypeVar("L", bound=str)

LONGEST_DELAY = 60
EARLIEST_OPENING = FIRST_RECORD
LATEST_OPENING = 4_102_444_800_000
"""2100-01-01 00:00 UTC, in ms."""


def to_address(name: str, account: AccountLike) -> str:
    """Return the address of an account that is given as an address or a key pair."""
    address = account if isinstance(account, str) else getattr(account, "address", None)
    if not isinstance(address, str):
        raise TypeError(f"{name} must be an address or a key pair, not {account!r}")
    return address


def to_public_key(name: str, account: AccountLike) -> str:
    """Return the address of a wallet, checked to be a public key; it needs no account."""
    address = to_address(name, account)
    try:
        decode_base58(address, 32, name)
    except SigningError as error:
        raise ValueError(str(error)) from None
    return address


def to_spot(spot: Spot | None) -> dict[str, Decimal]:
    """Return amounts of spot assets by symbol; None means none."""
    if spot is None:
        return {}
    if not isinstance(spot, Mapping):
        raise TypeError(f"spot must map symbols to amounts, like {{'SOL': '5'}}, not be {spot!r}")
    return {to_text(symbol): to_decimal(amount) for symbol, amount in spot.items()}


def to_natural(name: str, value: int) -> int:
    """Return an integer that is not negative."""
    if to_integer(value) < 0:
        raise ValueError(f"{name} must not be negative, as {value} is")
    return value


def to_choice(name: str, value: L, allowed: Sequence[str]) -> L:
    """Return a string, checked to be one of the allowed ones."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
    return value


def to_seed(value: int) -> int:
    """Return the seed of a sandbox."""
    return _integer("seed", value)


def to_switch(name: str, value: bool) -> bool:
    """Return a value, checked to be True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {value!r}")
    return value


def to_path(value: str | os.PathLike[str] | None) -> Path | None:
    """Return the path of a state file; None for no file."""
    if value is None:
        return None
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"state must be a path, not {value!r}")
    return Path(value)


def to_opening(value: int | None) -> int | None:
    """Return the market time at which an exchange opens, in ms."""
    if value is not None and not EARLIEST_OPENING <= _integer("frozen_at", value) < LATEST_OPENING:
        raise ValueError(f"frozen_at must be a time in ms, from 2025 to 2099, not {value}")
    return value


def to_port(value: int) -> int:
    """Return a port; 0 means a free one."""
    if not 0 <= _integer("port", value) <= 65_535:
        raise ValueError(f"port must be between 0 and 65535, not {value}")
    return value


def to_delay(value: float) -> float:
    """Return a taker delay in seconds."""
    if not is_number(value):
        raise TypeError(f"taker_delay must be a number of seconds, not {value!r}")
    if not 0 <= value <= LONGEST_DELAY:
        raise ValueError(f"taker_delay must be between 0 and {LONGEST_DELAY} s, not {value}")
    return float(value)


def _integer(name: str, value: int) -> int:
    if not is_integer(value):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    return value
