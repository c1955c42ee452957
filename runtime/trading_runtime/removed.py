"""Names that went: whoever imports one is told what to write instead (docs/guides/upgrading.md has all)."""

from __future__ import annotations

from collections.abc import Mapping

_SESSION = "leave it out, or write Client(session=session) with a session of new_session()"
REMOVED = {
    "CallSettled": "write CallEnded with `not event.is_unknown`",
    "ClockSkewed": "write CallEnded with `event.is_skewed`",
    "OutcomeUnknown": "write CallEnded with `event.is_unknown`",
    "RequestsTransport": _SESSION,
    "SessionTransport": _SESSION,
}
"""Names of this package and of the generated ones, and what to do instead."""


def no_such_name(module: str, name: str, removed: Mapping[str, str] = REMOVED) -> Exception:
    """The error for a name that a module does not have.

    It is an ImportError for a removed name: Python replaces the text of an AttributeError.
    """
    if name not in removed:
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    advice = f"{removed[name]} (docs/guides/upgrading.md)"
    return ImportError(f"{module} has no {name} any more: {advice}", name=module)
