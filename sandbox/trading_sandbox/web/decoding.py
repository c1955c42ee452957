"""Decode requests with the generated models, with stricter checks of nulls, decimals and UUIDs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from typing import Any, get_args, get_type_hints
from uuid import UUID

import attrs
from starlette.datastructures import QueryParams

from trading_runtime import UNSET, to_model
from trading_sandbox.web.refusals import bad_request

_MOST_DIGITS = 30
_DECIMAL = re.compile(rf"(0|[1-9][0-9]{{0,{_MOST_DIGITS - 1}}})(\.[0-9]{{1,{_MOST_DIGITS}}})?")
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_INTEGER = re.compile(r"[0-9]{1,18}")
_types: Callable[[Any], dict[str, Any]] = cache(get_type_hints)
_MINTED: Any = attrs.Factory
"""The default of a field whose value the SDK makes."""


def decode(model: type[Any] | None, data: Mapping[str, Any]) -> Any:
    """Build a request model from the fields of a body.

    Unknown fields are ignored, though the signature covers them. Null is refused unless it is a
    value of the field: an optional field that is not needed must be left out.
    """
    if model is None:
        return None
    _check_texts(model, data, "")
    return _structured(model, data)


def decode_query(model: type[Any], query: QueryParams) -> dict[str, Any]:
    """Return the given parameters of a query, with integers converted."""
    types = _types(model)
    found: dict[str, Any] = {}
    for name, text in query.multi_items():
        if name in found:
            raise bad_request(f"{name}: given twice")
        if name in types:
            found[name] = _integer(name, text) if int in _plain_types(types[name]) else text
    check_query(model, found)
    return found


def check_query(model: type[Any], fields: Mapping[str, Any]) -> None:
    """Refuse fields that are not valid query parameters of an operation."""
    for name in fields.keys() - attrs.fields_dict(model).keys():
        raise bad_request(f"{name}: not a parameter of this operation")
    _structured(model, fields)


def _structured(model: type[Any], fields: Mapping[str, Any]) -> Any:
    # A model would mint an id that is left out.
    known = {
        field.name: None for field in attrs.fields(model) if isinstance(field.default, _MINTED)
    }
    known |= {name: fields[name] for name in attrs.fields_dict(model) if name in fields}
    try:
        return to_model(model, known)
    except (TypeError, ValueError) as error:
        raise bad_request(f"Invalid request: {error}") from None


def _plain_types(type_: Any) -> tuple[Any, ...]:
    return get_args(type_) or (type_,)


def _integer(name: str, text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise bad_request(f"{name}: must be an integer of at most 18 digits, zero or more")
    return int(text)


def _is_plain_decimal(raw: object) -> bool:
    return isinstance(raw, str) and _DECIMAL.fullmatch(raw) is not None


def _check_texts(model: type[Any], data: Mapping[str, Any], path: str) -> None:
    types = _types(model)
    for field in attrs.fields(model):
        if field.name not in data:
            continue
        raw, kinds = data[field.name], _plain_types(types[field.name])
        place = f"{path}{field.name}"
        if raw is None:
            if field.default is UNSET:
                continue
            raise bad_request(f"{place}: must not be null; leave it out where it is not needed")
        if Decimal in kinds and not _is_plain_decimal(raw):
            raise bad_request(
                f"{place}: must be a plain decimal string like '100.5': zero or more, without "
                f"sign, exponent or leading zeros, at most {_MOST_DIGITS} digits on each side of "
                "the point"
            )
        if UUID in kinds and not (isinstance(raw, str) and _UUID.fullmatch(raw)):
            raise bad_request(f"{place}: must be a full UUID string")
        for nested in filter(attrs.has, kinds):
            if isinstance(raw, Mapping):
                _check_texts(nested, raw, f"{place}.")
