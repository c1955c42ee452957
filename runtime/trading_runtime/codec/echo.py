"""Whether a result repeats what was sent, where the service repeats it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from trading_runtime.pages import Page

GIVEN_BEFORE = (
    "{0} {1} was given to another message before; a mock server that answers every message with the same "
    "{0} does this: let it count"
)
"""Why a result with an id that is not new is another one's, from its field and the id."""


def difference(echoes: Mapping[str, str], sent: Mapping[str, Any], result: Any) -> str | None:
    """What a result, or a record of a list, repeats in another value than was sent; None if nothing.

    What was not sent, or is not told, is no difference.
    """
    said = {name: sent[field] for name, field in echoes.items() if sent.get(field) is not None}
    for record in result if isinstance(result, (Page, tuple)) else (result,):
        for name, value in said.items():
            told = getattr(record, name, None)
            if told is not None and not _same(told, value):
                return f"{name} is '{told}', but '{value}' was sent"
    return None


def _same(told: Any, said: Any) -> bool:
    """Whether a value of a result is the one that was sent as JSON: of a decimal, the same number.

    Neither to make a Decimal of a text nor to compare two depends on the caller's decimal context.
    """
    if isinstance(told, Decimal):
        return told == Decimal(said)
    return bool((str(told) if isinstance(told, UUID) else told) == said)
