"""Rows of the matrix, part 1: nothing was sent, or no whole answer came."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from tests.faults.rows import (
    HASTY,
    NEVER,
    Before,
    Dialled,
    Injected,
    Row,
    Secured,
    once_and_always,
)
from trading_runtime import Fault

NOT_SENT, NOT_TRUSTED, MAYBE_SENT = Fault.NOT_SENT, Fault.NOT_TRUSTED, Fault.MAYBE_SENT
UNREADABLE, UNUSABLE = Fault.UNREADABLE, Fault.UNUSABLE


def _not_sent() -> Iterable[Row]:
    for name, plan in (("connection refused", "refused"), ("no such host", "unknown")):
        yield Row(name, Dialled(plan), NOT_SENT, times="always")
        yield Row(f"{name}, once", Dialled(f"{plan}, service"), NOT_SENT)
    yield Row(
        "first address refuses, second answers", Dialled("refused service, service"), NOT_SENT
    )
    # Half of the time is for the first address.
    silent = Dialled("silent service, service")
    yield Row("first address silent, second answers", silent, NOT_SENT, timeout=2 * HASTY)
    for name, way in (
        ("connection never made", Dialled("silent")),
        ("look-up hangs", Dialled("hangs")),
        ("TLS: handshake hangs", Secured("silent")),
    ):
        yield Row(name, way, NOT_SENT, times="at the end", timeout=NEVER)
    for name in ("unknown authority", "another host", "expired certificate"):
        yield Row(f"TLS: {name}", Secured(name), NOT_TRUSTED)
    for name in ("closed in the handshake", "no TLS at all"):
        yield Row(f"TLS: {name}", Secured(name), NOT_SENT, times="always")


def _no_answer() -> Iterable[Row]:
    before = Row("reset before it was read", Injected("reset_before_read"), MAYBE_SENT)
    yield from once_and_always(before)
    for kind in ("reset", "close"):
        for executed in (True, False):
            row = Row(
                f"{kind} after it was read, {_words(executed)}",
                Injected(kind, {"executed": executed}),
                MAYBE_SENT,
                carried_out=executed,
                settles=250 if (kind, executed) == ("reset", False) else None,
            )
            yield from once_and_always(row)


def _words(executed: bool) -> str:
    return "executed" if executed else "not executed"


def _late() -> Iterable[Row]:
    for name, kind, seconds in (
        ("answer after the deadline", "delay_answer", 0.4),
        ("request arrives after the deadline", "delay_request", 0.4),
        ("headers drip", "slow_headers", 2.0),
        ("body drips", "slow_body", 2.0),
    ):
        way = Injected(kind, {"seconds": seconds})
        yield Row(name, way, MAYBE_SENT, times="at the end", carried_out=True, timeout=HASTY)
    for kind in ("delay_answer", "slow_headers", "slow_body"):
        way = Injected(kind, {"seconds": 0.05})
        yield Row(f"{kind.replace('_', ' ')}, in time", way, carried_out=True)


def _kept() -> Iterable[Row]:
    yield Row("idle connection closed, seen", Before("close_idle", pause=0.05), NOT_SENT)
    closed = Before("close_idle", {"seconds": 0.1})
    yield Row("idle connection closed on the request", closed, MAYBE_SENT)
    for executed in (True, False):
        reset = Before("reset_next", {"executed": executed})
        name = f"idle connection reset, {_words(executed)}"
        yield Row(name, reset, MAYBE_SENT, carried_out=executed)
    for name, options in (
        ("the same again", {}),
        ("another one", {"body": b'{"order_id":666}'}),
    ):
        way = Injected("second_answer", options)
        yield Row(f"a second answer: {name}", way, carried_out=True)


_CUT: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("reset in the body", "reset_in_body", {}),
    ("short Content-Length", "short_body", {}),
    ("no body under a length", "short_body", {"keep": 0}),
    ("cut chunked body", "cut_chunks", {}),
    ("cut header block", "cut_headers", {}),
    ("truncated gzip under its length", "cut_gzip", {}),
    ("no length, whole, then close", "no_length", {}),
    ("no length, cut, then close", "no_length", {"keep": 10}),
    ("chunks, and a length beside them", "two_lengths", {}),
)


def _cut() -> Iterable[Row]:
    for name, kind, options in _CUT:
        yield from once_and_always(Row(name, Injected(kind, options), UNREADABLE, carried_out=True))
    interim = Injected("interim_answers", {"size": 3})
    yield Row("interim answers", interim, carried_out=True)
    yield Row("endless body", Injected("endless_body"), UNUSABLE, carried_out=True)
    bomb = Injected("gzip_bomb", {"size": 5 * 2**20})
    yield Row("gzip bomb", bomb, UNUSABLE, carried_out=True)
    status_line = Injected("cut_headers", {"keep": 8})
    yield Row("status line cut", status_line, MAYBE_SENT, carried_out=True)
    for name, kind in (
        ("a header of 100,000 bytes", "large_header"),
        ("200 headers", "many_headers"),
    ):
        yield from once_and_always(Row(name, Injected(kind), MAYBE_SENT, carried_out=True))


CONNECTIONS: tuple[Row, ...] = tuple(chain(_not_sent(), _no_answer(), _late(), _kept(), _cut()))
