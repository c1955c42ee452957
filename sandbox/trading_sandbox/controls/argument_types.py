"""The types of the controls' arguments: how a value is checked, and its JSON Schema."""

from __future__ import annotations

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
    to_boolean,
    to_decimal,
    to_integer,
    to_text,
    to_texts,
    to_uuid,
)
from trading_sandbox.engine.control_commands import ForcedStatus, LiquidationCause
from trading_sandbox.engine.markets import MARKETS, SPOT_ASSETS
from trading_sandbox.log import KEPT_REQUESTS
from trading_sandbox.service import LONGEST_MS

Schema = Mapping[str, Any]

_KEY_BYTES = 32
_LATEST = 2**63 - 1


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


def integer(low: int, high: int) -> ArgumentType:
    """Return the type of an integer from `low` to `high`."""

    def check(value: Any) -> int:
        if not low <= to_integer(value) <= high:
            raise ValueError(f"must be from {low} to {high}, not {value}")
        return int(value)

    return ArgumentType(check, {"type": "integer", "minimum": low, "maximum": high})


def choice(allowed: Sequence[str]) -> ArgumentType:
    """Return the type of a string that is one of the allowed ones."""

    def check(value: Any) -> Any:
        if value not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}, not {value!r}")
        return value

    return ArgumentType(check, {"enum": list(allowed)})


_TEXT: Schema = {"type": "string"}
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
AccountArgument = Annotated[AccountLike, ArgumentType(_address, _TEXT)]
PublicKey = Annotated[AccountLike, ArgumentType(_public_key, _TEXT)]
Money = Annotated[DecimalLike, ArgumentType(to_decimal, _DECIMAL)]
SpotAmounts = Annotated[Spot, ArgumentType(_spot, _SPOT)]
Switch = Annotated[bool, ArgumentType(to_boolean, {"type": "boolean"})]
Text = Annotated[str, ArgumentType(to_text, _TEXT)]
Symbol = Annotated[str, ArgumentType(to_text, _MARKET)]
Symbols = Annotated[Sequence[str], ArgumentType(to_texts, {"type": "array", "items": _MARKET})]
ClientOrderId = Annotated[UUIDLike, ArgumentType(to_uuid, {**_TEXT, "format": "uuid"})]
Status = Annotated[ForcedStatus, choice(get_args(ForcedStatus))]
Cause = Annotated[LiquidationCause, choice(get_args(LiquidationCause))]
Leverage = Annotated[int, _LEVERAGES]
Duration = Annotated[int, integer(0, LONGEST_MS)]
Time = Annotated[int, integer(0, _LATEST)]
Snapshot = Annotated[int, integer(0, _LATEST)]
Seconds = Annotated[int, integer(1, 10**9)]
Latest = Annotated[int, integer(0, KEPT_REQUESTS)]
