"""The dialects of the service: which operations there are, and how each answer is written."""

from __future__ import annotations

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
