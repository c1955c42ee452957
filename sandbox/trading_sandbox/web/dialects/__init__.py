"""The dialects of the service: which operations there are, and how each answer is written."""

from __future__ import annotations

from typing import Literal, get_args

from trading_sandbox.operation_index import OperationIndex
from trading_sandbox.web.dialects.dialect import Dialect

DialectName = Literal["documented", "live"]
DIALECTS: tuple[DialectName, ...] = get_args(DialectName)
DOCUMENTED: DialectName = "documented"


def dialect_of(name: DialectName) -> Dialect:
    """Return a dialect by its name."""
    # Imported late: a sandbox has one dialect, and the live one has many models.
    if name == DOCUMENTED:
        from trading_sandbox.web.dialects.documented import DIALECT as documented

        return documented
    from trading_sandbox.web.dialects.live import DIALECT as live

    return live


def elsewhere(path: str, dialect: Dialect) -> str:
    """Return a hint for a path that only the live dialect has; empty for any other path."""
    live = dialect_of("live")
    if dialect is live or not OperationIndex(live.api).methods(path):
        return ""
    return ": the documented dialect has none; Sandbox(dialect='live'), or --dialect live, has"
