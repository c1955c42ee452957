# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The events of calls: `Client(on_event=...)` is called with them. See docs/observability.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from trading_runtime import (
    AttemptAnswered,
    AttemptRetried,
    AttemptSent,
    CallEnded,
    Event,
    no_such_name,
)

__all__ = [
    "AttemptAnswered",
    "AttemptRetried",
    "AttemptSent",
    "CallEnded",
    "Event",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> NoReturn:
        raise no_such_name(__name__, name)
