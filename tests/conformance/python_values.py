"""The values and errors of the SDK in the tags of the kit's protocol, and back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Any

import attrs

from trading_runtime.codec.fields import UNSET, json_name
from trading_sdk import (
    ApiError,
    DecodeError,
    JournalError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    Page,
    PaginationError,
    RequestError,
    Settlement,
    SigningError,
)

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
CLASSES: Mapping[type[Exception], str] = {
    RequestError: "request",
    TypeError: "request",
    SigningError: "signing",
    NotSentError: "not_sent",
    NoResponseError: "no_response",
    OutcomeUnknownError: "outcome_unknown",
    DecodeError: "decode",
    ApiError: "api",
    PaginationError: "pagination",
    JournalError: "journal",
}


def value(found: Any) -> Any:
    """What stands in JSON for a Python value of a command: the tags, read."""
    if isinstance(found, list):
        return [value(each) for each in found]
    if not isinstance(found, dict):
        return found
    if len(found) == 1 and (tag := next(iter(found))).startswith("$"):
        return _TAGS[tag](found[tag])
    return {name: value(each) for name, each in found.items()}


_TAGS: Mapping[str, Any] = {
    "$int": int,
    "$decimal": Decimal,
    "$float": float,
    "$utf16": lambda units: "".join(chr(value(unit)) for unit in units),
    "$time": lambda ms: datetime.fromtimestamp(int(ms) / 1_000, timezone.utc),
    "$unset": lambda _: UNSET,
}


def tagged(found: Any) -> Any:
    """A result of the SDK, as JSON with tags."""
    if isinstance(found, Enum):
        return tagged(found.value)
    if found is None or isinstance(found, (bool, str)):
        return found
    if isinstance(found, datetime):
        return {"$time": str((found - EPOCH) // timedelta(milliseconds=1))}
    for kind, tag in ((int, "$int"), (Decimal, "$decimal"), (float, "$float")):
        if isinstance(found, kind):
            return {tag: str(found)}
    if isinstance(found, Page):
        names = ("items", "next_cursor", "has_more")
        return {name: tagged(getattr(found, name)) for name in names}
    if isinstance(found, Settlement):
        told = ("operation", "client_id", "state", "records")
        return {**{name: tagged(getattr(found, name)) for name in told}, "text": found.reason}
    if attrs.has(type(found)):
        fields = attrs.fields(type(found))
        return {json_name(each): tagged(getattr(found, each.name)) for each in fields}
    if isinstance(found, Mapping):
        return {name: tagged(each) for name, each in found.items()}
    if isinstance(found, (list, tuple)) or hasattr(found, "raise_on_failure"):
        return [tagged(each) for each in found]
    return str(found)


def error(found: BaseException) -> dict[str, Any]:
    """An error of the SDK by its stable name, with what the kit compares."""
    name = next((name for kind, name in CLASSES.items() if isinstance(found, kind)), "escaped")
    told: dict[str, Any] = {"class": name, "text": str(found) or repr(found)}
    if isinstance(found, (ApiError, DecodeError)):
        told["status"] = tagged(found.status)
    if isinstance(found, ApiError):
        told |= {"code": tagged(found.code), "message": found.error}
        told["reason"] = tagged(found.reason)
    if isinstance(found, OutcomeUnknownError):
        names = ("status", "client_ids", "timestamp", "expiry_window")
        told |= {each: tagged(getattr(found, each)) for each in names}
        told["cause"] = None if found.__cause__ is None else error(found.__cause__)
        told["json"] = found.to_json()
    return told
