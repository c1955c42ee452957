"""The options of a client, checked before they are used."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

from trading_runtime.errors import RequestError
from trading_runtime.keys import Signer
from trading_runtime.operation import Action, Api, Operation


class Headers(dict[str, str]):
    """Headers that show their names only: an API key must not be seen in `vars(client)`."""

    def __repr__(self) -> str:
        return f"Headers({', '.join(self)})"


def now_ms() -> int:
    """The current time, in ms."""
    return time.time_ns() // 1_000_000


def window(value: int) -> int:
    """An expiry window, in ms."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"expiry_window must be an integer of milliseconds, not {value!r}")
    if value <= 0:
        raise RequestError(f"expiry_window must be positive, not {value}")
    return value


def seconds(value: float) -> float:
    """A timeout, in seconds. It is finite: a call that waits for ever holds an order for ever."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"timeout must be a number of seconds, not {value!r}")
    if not (math.isfinite(value) and value > 0):
        raise RequestError(f"timeout must be positive and finite, not {value}")
    return float(value)


def account(given: str | None, signer: Signer | None) -> str | None:
    """The account that calls are made for: the one given, else the signer's own."""
    if given == "":
        raise RequestError("account must not be empty")
    return given or (signer.address if signer else None)


def headers(name: str | None, api_key: str | None) -> Headers:
    """The headers of every request."""
    common = Headers({"Accept": "application/json"})
    if api_key is None:
        return common
    if name is None:
        raise RequestError("this service takes no api_key")
    if not (api_key.isascii() and api_key.isprintable() and api_key.strip() == api_key != ""):
        raise RequestError("api_key must be printable ASCII without spaces around it")
    return Headers({**common, name: api_key})


def signing_types(api: Api, overrides: Mapping[str, str]) -> dict[str, str]:
    """The signing type of each operation and action by its name, with the caller's own applied."""
    known: dict[str, Operation[Any] | Action] = {**api.actions, **api.operations}
    types = {name: each.signing_type for name, each in known.items() if each.signing_type}
    for name, type_ in overrides.items():
        if not isinstance(type_, str) or not type_.isidentifier():
            raise RequestError(f"signing_types: {type_!r} is not an operation type, for {name}")
        if name not in types:
            raise RequestError(f"signing_types: {name!r} is not one of {', '.join(types)}")
        if known[name].signing_source == "documented":
            raise RequestError(f"signing_types: the type of {name} is documented, {types[name]!r}")
    return {**types, **overrides}
