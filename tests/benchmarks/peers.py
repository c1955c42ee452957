"""What a user would write without this package, as well as can be."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from time import time
from types import GenericAlias
from typing import Annotated, Any
from uuid import UUID, uuid4

import base58
import solders.keypair
from pydantic import BaseModel, Field, create_model

import trading_sdk
from tests.interface import ENUMS, Field as Row, Fields

# -- signing: dicts sorted in Python, solders, base58 -------------------------------------------


class UsualSigner:
    """Signs as the public examples of the service do."""

    def __init__(self, seed: bytes) -> None:
        """Sign for the account of this seed."""
        self._keypair = solders.keypair.Keypair.from_seed(seed)
        self._account = str(self._keypair.pubkey())

    def body(self, type_: str, arguments: Mapping[str, Any]) -> bytes:
        """The finished body of an operation: section 5.1 of the interface document, step by step."""
        data = {**arguments, "client_order_id": str(uuid4())}
        header = {"type": type_, "timestamp": int(time() * 1000), "expiry_window": 30_000}
        message = sorted_keys({**header, "data": data})
        compact = json.dumps(message, separators=(",", ":"))
        signature = bytes(self._keypair.sign_message(compact.encode()))
        body = {
            "account": self._account,
            "signature": base58.b58encode(signature).decode("ascii"),
            "timestamp": header["timestamp"],
            "expiry_window": header["expiry_window"],
            **data,
        }
        return json.dumps(body).encode()


def sorted_keys(value: Any) -> Any:
    """A copy with the keys of every object sorted."""
    if isinstance(value, dict):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [sorted_keys(item) for item in value]
    return value


# -- typed pages: pydantic ----------------------------------------------------------------------

_TYPES = {"decimal": Decimal, "integer": int, "boolean": bool, "uuid": UUID, "string": str}


class _Page(BaseModel):
    success: bool
    next_cursor: str | None
    has_more: bool


def page_of(rows: Fields) -> type[BaseModel]:
    """A page of records with these rows, which are those of section 2."""
    record: Any = create_model("Record", **{row.name: _field(row) for row in rows})
    data: Any = GenericAlias(list, record)
    return create_model("Page", __base__=_Page, data=(data, ...))


def _field(row: Row) -> Any:
    if row.type in ENUMS:
        # Left to right, because pydantic would otherwise take the text as it is, and never find the member.
        open_enum = getattr(trading_sdk, row.type) | str
        type_: Any = Annotated[open_enum, Field(union_mode="left_to_right")]
    else:
        type_ = _TYPES[row.type]
    return (type_ | None, None) if row.nullable or not row.required else (type_, ...)
