"""Requests out: from a model to the JSON fields of a body, and to a path, a query and headers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType
from typing import Any, TypeVar, cast
from urllib.parse import quote, urlencode

import attrs

from trading_runtime.codec.fields import MintedUUID, expected
from trading_runtime.errors import RequestError
from trading_runtime.operation import Operation

M = TypeVar("M", bound=attrs.AttrsInstance)
JSON_BODY: Mapping[str, str] = {"Content-Type": "application/json"}
"""The headers of a request with a body."""
_NAMED = re.compile(r"\{([^}]*)\}")


def unstructure(model: Any) -> dict[str, Any]:
    """The fields of a model as they are sent. Fields that were not given are left out."""
    return _writer(model.__class__)(model)


def _converter() -> ModuleType:
    from trading_runtime.codec import converter  # late: cattrs takes 14 ms to import

    return converter


@cache
def _writer(model: Any) -> Callable[[Any], dict[str, Any]]:
    return cast("Callable[[Any], dict[str, Any]]", _converter().writer(model))


def to_model(model: type[M], value: M | Mapping[str, Any]) -> M:
    """A nested object: the model itself, or a mapping with its keys."""
    if isinstance(value, model):
        return value
    if not isinstance(value, Mapping):
        raise TypeError(expected(f"a {model.__name__} or a mapping with its keys", value))
    return cast(M, _converter().structured(model, value))


def client_id(path: str | None, fields: Mapping[str, Any]) -> str | None:
    """The client order id or idempotency key of a message, by the path of its field; None without one."""
    return identity(path, fields, None)[0]


def identity(path: str | None, fields: Mapping[str, Any], model: Any) -> tuple[str | None, bool]:
    """The client order id or idempotency key of a message, and whether the SDK made it, for this sending alone.

    Args:
        path: The path of its field, like `client_order_id`; None if such messages have none.
        fields: The fields that are sent.
        model: The model of these fields. From now on it counts as sent.
    """
    text: Any = fields
    for name in path.split(".") if path else ():
        text, model = text.get(name, {}), getattr(model, name, None)
    if not isinstance(text, str):
        return None, False
    return text, isinstance(model, MintedUUID) and model.take_first_sending()


def target(path: str, fields: Mapping[str, Any]) -> str:
    """A path and its query: each field stands where the path names it, or else in the query.

    Raises:
        RequestError: a text has no UTF-8 form, or would lead to another path, or a list is empty.
    """
    texts = {name: parameter_text(name, value) for name, value in fields.items()}
    try:
        for name in _NAMED.findall(path):
            if (text := str(texts.pop(name))) in ("", ".", ".."):
                raise RequestError(f"{name}: {text!r} cannot be a part of a path")
            path = path.replace(f"{{{name}}}", quote(text, safe=""))
        return f"{path}?{urlencode(texts, doseq=True)}" if texts else path
    except UnicodeEncodeError:
        raise RequestError(
            "an argument contains a lone surrogate, which cannot be encoded as UTF-8"
        ) from None


def parameter_text(name: str, value: Any) -> str | list[str]:
    """A value as the text of a path or a query. Of a list, each value has a text of its own."""
    if isinstance(value, list):
        if not value:
            # An empty list would leave out the parameter, which may ask for everything.
            raise RequestError(f"{name}: an empty list cannot stand in a query; leave it out")
        return [str(parameter_text(name, each)) for each in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def body_of(operation: Operation[Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a request that stand in its body."""
    return {name: value for name, value in fields.items() if name not in operation.in_url}


def path_and_query(operation: Operation[Any], fields: Mapping[str, Any]) -> str:
    """The path of a request, with the query.

    Raises:
        RequestError: a field has a text that a path or a query cannot hold.
    """
    inside = body_of(operation, fields) if operation.has_body else {}
    return target(operation.path, {name: v for name, v in fields.items() if name not in inside})
