"""What of a request stands outside of its body: in its path, its query and its headers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trading_runtime.codec.requests import parameter_text, target
from trading_runtime.errors import RequestError
from trading_runtime.operation import Operation

JSON_BODY: Mapping[str, str] = {"Content-Type": "application/json"}
"""The header of a body."""


def body_of(operation: Operation[Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a request that stand in its body."""
    outside = {*operation.in_url, *operation.headers}
    return {name: value for name, value in fields.items() if name not in outside}


def outside_of_body(
    operation: Operation[Any], fields: Mapping[str, Any]
) -> tuple[str, Mapping[str, str]]:
    """The path with the query of a request, and its headers but for those of the client.

    Raises:
        RequestError: a text cannot stand there.
    """
    inside = body_of(operation, fields) if operation.has_body else {}
    elsewhere = {*inside, *operation.headers}
    path = target(operation.path, {name: v for name, v in fields.items() if name not in elsewhere})
    given = [each for each in operation.headers.items() if each[0] in fields]
    headers = {header: _header(name, fields[name]) for name, header in given}
    return path, {**JSON_BODY, **headers} if operation.has_body else headers


def _header(name: str, value: Any) -> str:
    text = str(parameter_text(name, value))
    if not (text.isascii() and text.isprintable() and text.strip() == text != ""):
        raise RequestError(f"{name}: a header takes printable ASCII without spaces around it")
    return text
