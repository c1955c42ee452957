"""The dialects of the service: which operations there are, and how each answer is written."""

from __future__ import annotations

from trading_sandbox.operation_index import OperationIndex
from trading_sandbox.options import DOCUMENTED, DialectName
from trading_sandbox.web.dialects.dialect import Dialect


def dialect_of(name: DialectName) -> Dialect:
    """Return a dialect by its name."""
    # Imported where they are needed: only one of them is, and the live one has many models.
    if name == DOCUMENTED:
        from trading_sandbox.web.dialects.documented import DIALECT as documented

        return documented
    from trading_sandbox.web.dialects.live import DIALECT as live

    return live


def elsewhere(path: str, dialect: Dialect) -> str:
    """What to do about a path that only the live dialect has; nothing if it has none either."""
    live = dialect_of("live")
    if dialect is live or not OperationIndex(live.api).methods(path):
        return ""
    return ": the documented dialect has none; Sandbox(dialect='live') has"
