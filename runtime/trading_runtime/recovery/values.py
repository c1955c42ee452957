"""Compares the values of records with those of messages, as numbers where they are numbers.

No result depends on the decimal context of the caller.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from decimal import Context, Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from trading_runtime.minted import plain_id

_STRICT = Context(traps=[InvalidOperation])
"""Refuses what is no number, whatever the caller's context says of it."""


def values(record: Any, fields: Iterable[str]) -> tuple[Any, ...]:
    """The values of some fields of a record."""
    return tuple([getattr(record, field) for field in fields])


def first_two(records: Iterable[Any], fields: Collection[str]) -> dict[tuple[Any, ...], list[Any]]:
    """The first two records, not equal, of each that have the same values in some fields, by these."""
    found: dict[tuple[Any, ...], list[Any]] = {}
    for record in records:
        alike = found.setdefault(values(record, fields), [])
        if len(alike) < 2 and record not in alike:
            alike.append(record)
    return found


def at_most(value: Decimal, sent: Any) -> bool:
    """Whether an amount, gained or spent, is not above the one that was sent."""
    try:
        # Not abs(), which rounds as the caller's context says.
        return value.copy_abs() <= Decimal(sent, _STRICT)
    except (InvalidOperation, TypeError, ValueError):
        return True  # a record that cannot be compared may belong to the message


def same(value: Any, sent: Any) -> bool:
    """Whether a value of a record is the value that was sent as JSON."""
    if value is None or sent is None:
        return value is sent
    if isinstance(value, Decimal):
        try:
            return value == Decimal(sent, _STRICT)
        except (InvalidOperation, TypeError, ValueError):
            return False
    if isinstance(value, UUID):
        return str(value) == plain_id(str(sent))
    return str(value).lower() == str(sent).lower()


def is_number(value: Any) -> bool:
    """Whether a value of a record is a price, an amount or another number, which a service may round."""
    return isinstance(value, (Decimal, int)) and not isinstance(value, bool)


def letters(text: str) -> str:
    """A text without what is written in different ways: `Idempotency-Key`, `idempotency_key`."""
    return "".join(filter(str.isalnum, text)).lower()
