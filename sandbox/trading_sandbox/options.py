"""Checks of the options with which a sandbox is made, in Python and on the command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, get_args

from trading_runtime import is_integer, is_number
from trading_sandbox.engine.funding import FIRST_RECORD
from trading_sandbox.store.files import Synchronous

DialectName = Literal["documented", "live"]
DIALECTS: tuple[DialectName, ...] = get_args(DialectName)
DOCUMENTED: DialectName = "documented"
LONGEST_DELAY = 60
LONGEST_REQUEST = 3600
EARLIEST_OPENING = FIRST_RECORD
LATEST_OPENING = 4_102_444_800_000
"""2100-01-01 00:00 UTC, in ms."""


def to_seed(value: int) -> int:
    """Return the seed of a sandbox."""
    return _integer("seed", value)


def to_dialect(value: DialectName) -> DialectName:
    """Return the name of a dialect."""
    if value not in DIALECTS:
        raise ValueError(f"dialect must be one of {', '.join(DIALECTS)}, not {value!r}")
    return value


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
    if not 0 <= _seconds("taker_delay", value) <= LONGEST_DELAY:
        raise ValueError(f"taker_delay must be between 0 and {LONGEST_DELAY} s, not {value}")
    return float(value)


def to_synchronous(value: Synchronous) -> Synchronous:
    """Return how a state file is synchronised with the disk."""
    if value not in get_args(Synchronous):
        raise ValueError(f"synchronous must be one of {get_args(Synchronous)}, not {value!r}")
    return value


def to_request_timeout(value: float) -> float:
    """Return how long a request may take to become whole, in seconds."""
    if not 0 < _seconds("request_timeout", value) <= LONGEST_REQUEST:
        raise ValueError(
            f"request_timeout must be above 0 and at most {LONGEST_REQUEST} s, not {value}"
        )
    return float(value)


def _integer(name: str, value: int) -> int:
    if not is_integer(value):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    return value


def _seconds(name: str, value: float) -> float:
    if not is_number(value):
        raise TypeError(f"{name} must be a number of seconds, not {value!r}")
    return value
