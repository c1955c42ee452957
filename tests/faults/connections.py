"""Rows of the matrix, part 1: nothing was sent, or no whole answer came."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.faults.rows import (
    CONNECTED_LATER,
    HASTY,
    NEVER,
    NEVER_CONNECTED,
    NO_ANSWER,
    NOT_SENT,
    REPEATED,
    SUCCESS,
    TOO_LATE,
    UNREADABLE,
    UNUSABLE,
    Before,
    Dialled,
    Injected,
    Row,
    Secured,
    every,
    once_and_always,
)


def _not_sent() -> Iterable[Row]:
    for name, plan in (("connection refused", "refused"), ("no such host", "unknown")):
        row = Row(name=name, letter="N", way=Dialled(plan), expects=NEVER_CONNECTED)
        yield row
        yield Row(
            name=f"{name}, once",
            letter="N",
            way=Dialled(f"{plan} once"),
            expects=CONNECTED_LATER,
        )
    yield Row(
        name="first address refuses, second answers",
        letter="N",
        way=Dialled("refused, then another"),
        expects=CONNECTED_LATER,
    )
    yield Row(
        name="first address silent, second answers",
        letter="N",
        way=Dialled("silent, then another"),
        expects=CONNECTED_LATER,
        # Half of it is for the first address.
        timeout=2 * HASTY,
    )
    for name, plan in (("connection never made", "silent"), ("look-up hangs", "look-up hangs")):
        yield Row(name=name, letter="N", way=Dialled(plan), expects=NOT_SENT, timeout=NEVER)


def _not_trusted() -> Iterable[Row]:
    for name in ("unknown authority", "another host", "expired certificate"):
        yield Row(name=f"TLS: {name}", letter="N", way=Secured(name), expects=NOT_SENT)
    yield Row(
        name="TLS: handshake hangs",
        letter="N",
        way=Secured("silent"),
        expects=NOT_SENT,
        timeout=NEVER,
    )
    for name in ("closed in the handshake", "no TLS at all"):
        yield Row(name=f"TLS: {name}", letter="N", way=Secured(name), expects=NEVER_CONNECTED)


def _no_answer() -> Iterable[Row]:
    before = Row(
        name="reset before it was read",
        letter="U",
        way=Injected("reset_before_read"),
        expects=REPEATED,
    )
    yield from once_and_always(before)
    for kind in ("reset", "close"):
        for carried_out in (True, False):
            words = "executed" if carried_out else "not executed"
            row = Row(
                name=f"{kind} after it was read, {words}",
                letter="U",
                way=Injected(kind, {"executed": carried_out}),
                expects=REPEATED,
                carried_out=carried_out,
                settles=(kind, carried_out) == ("reset", False),
            )
            yield from once_and_always(row)


def _late() -> Iterable[Row]:
    for name, kind, seconds in (
        ("answer after the deadline", "delay_answer", 0.4),
        ("request arrives after the deadline", "delay_request", 0.4),
        ("headers drip", "slow_headers", 2.0),
        ("body drips", "slow_body", 2.0),
    ):
        yield Row(
            name=name,
            letter="U",
            way=Injected(kind, {"seconds": seconds}),
            expects=TOO_LATE,
            carried_out=True,
            timeout=HASTY,
        )
    for kind in ("delay_answer", "slow_headers", "slow_body"):
        yield Row(
            name=f"{kind.replace('_', ' ')}, in time",
            letter="ok",
            way=Injected(kind, {"seconds": 0.05}),
            expects=every(SUCCESS),
            carried_out=True,
        )


def _kept() -> Iterable[Row]:
    yield Row(
        name="idle connection closed, seen",
        letter="N",
        way=Before("close_idle", pause=0.05),
        expects=CONNECTED_LATER,
    )
    yield Row(
        name="idle connection closed on the request",
        letter="U",
        way=Before("close_idle", {"seconds": 0.1}),
        expects=REPEATED,
    )
    for carried_out in (True, False):
        yield Row(
            name=f"idle connection reset, {'executed' if carried_out else 'not executed'}",
            letter="U",
            way=Before("reset_next", {"executed": carried_out}),
            expects=REPEATED,
            carried_out=carried_out,
        )
    for name, body in (("the same again", None), ("another one", b'{"order_id":666}')):
        options: dict[str, Any] = {} if body is None else {"body": body}
        yield Row(
            name=f"a second answer: {name}",
            letter="ok",
            way=Injected("second_answer", options),
            expects=every(SUCCESS),
            carried_out=True,
        )


def _cut() -> Iterable[Row]:
    for name, kind, options in (
        ("reset in the body", "reset_in_body", {}),
        ("short Content-Length", "short_body", {}),
        ("no body under a length", "short_body", {"keep": 0}),
        ("cut chunked body", "cut_chunks", {}),
        ("cut header block", "cut_headers", {}),
        ("truncated gzip under its length", "cut_gzip", {}),
        ("no length, whole, then close", "no_length", {}),
        ("no length, cut, then close", "no_length", {"keep": 10}),
        ("chunks, and a length beside them", "two_lengths", {}),
    ):
        row = Row(
            name=name,
            letter="D",
            way=Injected(kind, options),
            expects=REPEATED,
            carried_out=True,
        )
        yield from once_and_always(row, UNREADABLE)
    yield Row(
        name="interim answers",
        letter="ok",
        way=Injected("interim_answers", {"size": 3}),
        expects=every(SUCCESS),
        carried_out=True,
    )
    for name, kind, options in (
        ("endless body", "endless_body", {}),
        ("gzip bomb", "gzip_bomb", {"size": 5 * 2**20}),
    ):
        yield Row(
            name=name,
            letter="D",
            way=Injected(kind, options),
            expects=UNUSABLE,
            carried_out=True,
        )
    yield Row(
        name="status line cut",
        letter="U",
        way=Injected("cut_headers", {"keep": 8}),
        expects=REPEATED,
        carried_out=True,
    )
    for name, kind in (
        ("a header of 100,000 bytes", "large_header"),
        ("200 headers", "many_headers"),
    ):
        row = Row(name=name, letter="U", way=Injected(kind), expects=REPEATED, carried_out=True)
        yield from once_and_always(row, NO_ANSWER)


CONNECTIONS: tuple[Row, ...] = (
    *_not_sent(),
    *_not_trusted(),
    *_no_answer(),
    *_late(),
    *_kept(),
    *_cut(),
)
