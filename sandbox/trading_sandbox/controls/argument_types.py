"""The types of the controls' arguments: how a value is checked, and its JSON Schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, TypeAlias, get_args

import attrs

from trading_runtime import (
    DecimalLike,
    Signer,
    SigningError,
    UUIDLike,
    decode_base58,
    is_number,
    to_boolean,
    to_decimal,
    to_integer,
    to_text,
    to_texts,
    to_uuid,
)
from trading_sandbox.clock import LONGEST_MS
from trading_sandbox.engine.commands import SIDES, ForcedStatus, LiquidationCause, Side
from trading_sandbox.engine.markets import MARKETS, SPOT_ASSETS
from trading_sandbox.faults import FRAMES, KINDS
from trading_sandbox.log import KEPT_REQUESTS

Schema = Mapping[str, Any]

_KEY_BYTES = 32
_LATEST = 2**63 - 1
_LARGEST_OFFSET_MS = 365 * 24 * 3_600_000
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\xa0-\xff]*")


@attrs.frozen(eq=False)
class ArgumentType:
    """The check of an argument, and what the schema of the controls says about it."""

    check: Callable[[Any], Any]
    """Returns the value as the sandbox uses it; raises TypeError or ValueError."""

    schema: Schema


def _address(value: Any) -> str:
    address = value if isinstance(value, str) else getattr(value, "address", None)
    if not isinstance(address, str):
        raise TypeError(f"must be an address or a key pair, not {value!r}")
    return address


def _public_key(value: Any) -> str:
    address = _address(value)
    try:
        decode_base58(address, _KEY_BYTES, "it")
    except SigningError as error:
        raise ValueError(f"must be a public key, but {error}") from None
    return address


def _spot(value: Any) -> dict[str, Decimal]:
    if not isinstance(value, Mapping):
        raise TypeError(f"must map symbols to amounts, like {{'SOL': '5'}}, not be {value!r}")
    return {to_text(symbol): to_decimal(amount) for symbol, amount in value.items()}


def _body(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if not isinstance(value, bytes):
        raise TypeError(f"must be a string or bytes, not {value!r}")
    return value


def _filled_text(value: Any) -> str:
    if not to_text(value):
        raise ValueError("must not be empty")
    return str(value)


def _header_text(value: Any) -> str:
    if not _HEADER_VALUE.fullmatch(_filled_text(value)):
        raise ValueError(f"must be printable Latin-1 on one line, not {value!r}")
    return str(value)


def _headers(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise TypeError(f"must map names to values, not {value!r}")
    for name, text in value.items():
        if not (isinstance(name, str) and isinstance(text, str)):
            raise TypeError(f"must map strings to strings, not {name!r} to {text!r}")
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a header")
        if not _HEADER_VALUE.fullmatch(text):
            raise ValueError(f"{name} must be printable Latin-1 on one line, not {text!r}")
    return dict(value)


def _json_value(value: Any) -> Any:
    json.dumps(value, allow_nan=False)
    return value


def like(what: str, fits: Callable[[Any], bool]) -> ArgumentType:
    """Return the type of a value of Python alone, which is taken as it is given."""

    def check(value: Any) -> Any:
        if not fits(value):
            raise TypeError(f"must be {what}, not {value!r}")
        return value

    return ArgumentType(check, {})


def integer(low: int, high: int) -> ArgumentType:
    """Return the type of an integer from `low` to `high`."""

    def check(value: Any) -> int:
        if not low <= to_integer(value) <= high:
            raise ValueError(f"must be from {low} to {high}, not {value}")
        return int(value)

    return ArgumentType(check, {"type": "integer", "minimum": low, "maximum": high})


def seconds(low: float, high: float) -> ArgumentType:
    """Return the type of a number of seconds from `low` to `high`."""

    def check(value: Any) -> float:
        if not is_number(value):
            raise TypeError(f"must be a number of seconds, not {value!r}")
        if not low <= value <= high:
            raise ValueError(f"must be from {low} to {high} seconds, not {value}")
        return float(value)

    return ArgumentType(check, {"type": "number", "minimum": low, "maximum": high})


def choice(allowed: Sequence[str]) -> ArgumentType:
    """Return the type of a string that is one of the allowed ones."""

    def check(value: Any) -> Any:
        if value not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}, not {value!r}")
        return value

    return ArgumentType(check, {"enum": list(allowed)})


_TEXT: Schema = {"type": "string"}
_ADDRESS: Schema = {"type": "string", "format": "address"}
_DECIMAL: Schema = {"type": ["string", "integer"], "format": "decimal"}
_MARKET: Schema = {**_TEXT, "enum": list(MARKETS)}
_SPOT: Schema = {
    "type": "object",
    "propertyNames": {"enum": list(SPOT_ASSETS)},
    "additionalProperties": _DECIMAL,
}
_LEVERAGES = integer(1, max(market.leverage for market in MARKETS.values()))

AccountLike: TypeAlias = str | Signer
"""An address, or an object with an `address`, such as a Keypair."""

Spot: TypeAlias = Mapping[str, DecimalLike]
"""Amounts of spot assets in tokens, by symbol."""

# The schema names the markets; the exchange itself refuses other symbols.
AccountArgument = Annotated[AccountLike, ArgumentType(_address, _ADDRESS)]
PublicKey = Annotated[AccountLike, ArgumentType(_public_key, _ADDRESS)]
Money = Annotated[DecimalLike, ArgumentType(to_decimal, _DECIMAL)]
SpotAmounts = Annotated[Spot, ArgumentType(_spot, _SPOT)]
Switch = Annotated[bool, ArgumentType(to_boolean, {"type": "boolean"})]
Text = Annotated[str, ArgumentType(to_text, _TEXT)]
Symbol = Annotated[str, ArgumentType(to_text, _MARKET)]
Symbols = Annotated[Sequence[str], ArgumentType(to_texts, {"type": "array", "items": _MARKET})]
ClientOrderId = Annotated[
    UUIDLike, ArgumentType(lambda value: str(to_uuid(value)), {**_TEXT, "format": "uuid"})
]
Outcome = Annotated[ForcedStatus, choice(get_args(ForcedStatus))]
Cause = Annotated[LiquidationCause, choice(get_args(LiquidationCause))]
OrderSide = Annotated[Side, choice(SIDES)]
Leverage = Annotated[int, _LEVERAGES]
Duration = Annotated[int, integer(0, LONGEST_MS)]
Time = Annotated[int, integer(0, _LATEST)]
Snapshot = Annotated[int, integer(0, _LATEST)]
OrderId = Annotated[int, integer(1, _LATEST)]
Count = Annotated[int, integer(1, 10**7)]
Seconds = Annotated[int, integer(1, 10**9)]
Latest = Annotated[int, integer(0, KEPT_REQUESTS)]

# Of faults. The check of the whole fault tells which kinds and which operations there are.
FaultKind = Annotated[str, ArgumentType(to_text, {"enum": [*KINDS, *FRAMES]})]
Status = Annotated[int, integer(200, 599)]
Body = Annotated[str | bytes, ArgumentType(_body, _TEXT)]
Headers = Annotated[
    Mapping[str, str], ArgumentType(_headers, {"type": "object", "additionalProperties": _TEXT})
]
Pause = Annotated[float, seconds(0, 3600)]
Offset = Annotated[int, integer(-_LARGEST_OFFSET_MS, _LARGEST_OFFSET_MS)]
FilledText = Annotated[str, ArgumentType(_filled_text, _TEXT)]
JsonValue = Annotated[object, ArgumentType(_json_value, {})]
HeaderText = Annotated[str, ArgumentType(_header_text, _TEXT)]
Bytes = Annotated[int, integer(0, 2**30)]
Size = Annotated[int, integer(1, 2**30)]
