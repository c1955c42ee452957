"""The error of the toolkit, and the checks of arguments. What the service answers stays an error of the SDK."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

from trading_runtime import RequestError, to_datetime, to_time


class ToolkitError(Exception):
    """Something that the toolkit was given, or found on disk, is wrong.

    The text says what, where, and what would be right. Nothing that was stored before is lost.
    """


def check_client(client: object) -> None:
    """Refuse what is no client of the SDK."""
    if not hasattr(client, "api") or isinstance(client, type):
        raise ToolkitError(f"client must be a Client, like Client(url), not {client!r}")


def check_text(name: str, value: object) -> None:
    """Refuse what is no text, and an empty one."""
    if not isinstance(value, str) or not value:
        raise ToolkitError(f"{name} must be a text, not {value!r}")


def check_flag(name: str, value: object) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool):
        raise ToolkitError(f"{name} must be True or False, not {value!r}")


def check_seconds(name: str, value: object) -> None:
    """Refuse what is no number of seconds, and one below 0."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value < 0:  # type: ignore[arg-type, operator]
        raise ToolkitError(f"{name} must be a number of seconds, 0 or more, not {value!r}")


def checked_time(name: str, value: Any) -> int:
    """The time of a record in ms, which may be a datetime.

    Raises:
        ToolkitError: it is in another unit, like microseconds, out of the range of datetimes, or no time at all.
    """
    try:
        ms = to_time(value) if isinstance(value, datetime) else value
        to_datetime(ms)
    except (RequestError, TypeError) as error:
        raise ToolkitError(f"{name}: {error}") from None
    return int(ms)
