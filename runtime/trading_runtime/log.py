"""The log of this package: `trading_sdk`. Nothing that goes wrong in a handler of it changes a call."""

from __future__ import annotations

import logging
from contextlib import suppress

log = logging.getLogger("trading_sdk")


def note(level: int, text: str, *arguments: object, exc_info: bool = False) -> None:
    """Write a line into the log. A handler or a filter that raises changes nothing."""
    with suppress(Exception):
        log.log(level, text, *arguments, exc_info=exc_info)
