"""Arguments and results of the controls as JSON, there and back."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

import attrs
import cattrs

from trading_runtime import Keypair
from trading_sandbox.faults import Fault, as_json


def to_json_value(value: Any) -> Any:
    """Return an argument or a result of a control as JSON values; money is a string."""
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, Keypair):
        return {"address": value.address, "private_key": value.export_base58()}
    if isinstance(value, Fault):
        return as_json(value)
    if attrs.has(type(value)):
        return {
            each.name: to_json_value(getattr(value, each.name))
            for each in attrs.fields(type(value))
        }
    if isinstance(value, Mapping):
        return {name: to_json_value(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json_value(each) for each in value]
    return value


def from_json_value(value: Any, type_: Any) -> Any:
    """Return the result of a control, of the type that it has in Python."""
    return value if type_ is type(None) else _CONVERTER.structure(value, type_)


def _converter() -> cattrs.Converter:
    made = cattrs.Converter()
    made.register_structure_hook(Decimal, lambda text, _: Decimal(text))
    made.register_structure_hook(Keypair, lambda pair, _: Keypair.from_base58(pair["private_key"]))
    made.register_structure_hook(bytes, lambda text, _: text.encode())
    return made


_CONVERTER = _converter()
