"""The table of all kinds of faults, by name."""

from __future__ import annotations

from collections.abc import Mapping

from trading_sandbox.faults.kind import Kind
from trading_sandbox.faults.kinds_of_connection import BEFORE, FRAMING, KEPT_CONNECTION
from trading_sandbox.faults.kinds_of_content import FIELDS, INSTEAD, PAGES

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for group in (BEFORE, KEPT_CONNECTION, FRAMING, INSTEAD, FIELDS, PAGES)
    for kind in group
}
