"""The faults and the kills of the soak of the client, as a seed decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from attrs import frozen

FAULT_SHARE = 0.2
"""Share of the calls that come with a fault."""

TIMEOUT = 0.7
EXPIRY_WINDOW = 1_200
"""In ms. Longer than the timeout: a call may be executed after its caller gave up."""

_LATE = (0.72, 0.8, 0.9, 1.0, 1.1)
"""Seconds after which a request is still accepted, though its caller has given up."""

_BOTH: Mapping[str, Any] = {"executed": (True, False)}
_CALLS: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    "reset_before_read": {},
    "reset": _BOTH,
    "close": _BOTH,
    "delay_request": {"seconds": (0.05, *_LATE, 1.4)},
    "delay_answer": {"seconds": (0.05, 0.9)},
    # Never behind: what a client then waits for is longer than a soak.
    "clock_offset": {"offset_ms": (60_000,)},
    "close_idle": {"seconds": (0.0, 0.003, 0.02)},
    "reset_next": _BOTH,
    "second_answer": {},
    "reset_in_body": _BOTH,
    "short_body": _BOTH,
    "cut_chunks": _BOTH,
    "cut_headers": _BOTH,
    "cut_gzip": _BOTH,
    "slow_headers": {"seconds": (0.9,), **_BOTH},
    "slow_body": {"seconds": (0.9,), **_BOTH},
    "html": {"status": (200, 502), **_BOTH},
    "bad_json": _BOTH,
    "wrong_shape": _BOTH,
    "deep_nesting": {"size": (20_000,)},
    "duplicate_keys": {},
    "new_field": {},
}
"""What a call may meet, and the values of its options."""

_STATUSES = (400, 408, 429, 500, 501, 502, 503, 504)
"""What may stand in for the answer."""
_REFUSALS = (400, 429, 501)
"""Those of which the call is never carried out."""

_LISTS = ("orders.history", "spot.withdrawal_history", "spot.balance_history", "subaccounts.list")
_READS = ("reset", "close", "delay_answer", "short_body", "bad_json", "clock_offset", "status")
_PAGES = ("repeated_cursor", "empty_page", "missing_cursor", "surplus_cursor")


@frozen(kw_only=True)
class Trouble:
    """A fault to inject: an operation, a kind, and the kind's options."""

    operation: str
    kind: str
    options: Mapping[str, Any]


@frozen(kw_only=True)
class Kill:
    """When a process is killed: some seconds after it did something for the nth time."""

    event: str
    """`s`: a call is about to be sent; `r`: one is about to be reconciled or sent again."""

    count: int
    delay: float


def trouble_of(random: Random, operation: str) -> tuple[Trouble, ...]:
    """Return the faults that are injected before a call of an operation."""
    chance = random.random()
    if chance < 0.04:
        seconds = random.choice((0.02, 0.1, 0.3))
        return (Trouble(operation="*", kind="connect_refused", options={"seconds": seconds}),)
    if chance < 0.2:
        return (_status(random, operation),)
    if chance < 0.3:
        options = {"seconds": random.choice(_LATE)}
        return (Trouble(operation=operation, kind="delay_request", options=options),)
    kind = random.choice(list(_CALLS))
    found = (Trouble(operation=operation, kind=kind, options=_options(random, kind)),)
    # The lists that settle it may fail as well.
    return (*found, _of_list(random)) if random.random() < 0.2 else found


def _status(random: Random, operation: str) -> Trouble:
    status = random.choice(_STATUSES)
    executed = random.choice((False,) if status in _REFUSALS else (True, False))
    options: dict[str, Any] = {"status": status, "executed": executed}
    if status == 429:
        options["headers"] = {"Retry-After": random.choice(("0", "NaN", "600"))}
    return Trouble(operation=operation, kind="status", options=options)


def _of_list(random: Random) -> Trouble:
    operation, kind = random.choice(_LISTS), random.choice((*_READS, *_PAGES))
    if kind == "status":
        return _status(random, operation)
    if kind in _PAGES:
        return Trouble(operation="orders.history", kind=kind, options={})
    return Trouble(operation=operation, kind=kind, options=_options(random, kind))


def _options(random: Random, kind: str) -> dict[str, Any]:
    return {name: random.choice(values) for name, values in _CALLS[kind].items()}


def kills_of(seed: int, mean: int) -> Iterator[Kill]:
    """Return when each process is killed: after `mean` calls, on the average."""
    random = Random(f"{seed}:kills")
    while True:
        if random.random() < 0.25:
            # Early: while it settles what the one before it left.
            yield Kill(event="r", count=random.randint(1, 12), delay=random.uniform(0, 0.3))
        else:
            count = random.randint(1, 2 * mean)
            # Often before the first byte of the call is sent.
            longest = random.choice((0.002, 0.03))
            yield Kill(event="s", count=count, delay=random.uniform(0, longest))
