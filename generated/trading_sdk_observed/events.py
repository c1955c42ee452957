# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""The events of calls: `Client(on_event=...)` is called with them. See docs/observability.md."""

from __future__ import annotations

from trading_runtime import (
    AttemptAnswered,
    AttemptRetried,
    AttemptSent,
    CallEnded,
    Event,
)

__all__ = [
    "AttemptAnswered",
    "AttemptRetried",
    "AttemptSent",
    "CallEnded",
    "Event",
]
