"""Envelopes of answers: what stands around a result, and whether it reports a failure.

The *payload* is the JSON of an answer, the *content* the payload without its envelope.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast, get_args, get_origin

import attrs

from trading_runtime.codec.refusals import ENVELOPE, json_names, says_something, text_and_code
from trading_runtime.operation import ListOperation, Operation


def opened(operation: Operation[Any], payload: Any) -> tuple[Any, bool]:
    """The content of an answer, and whether it reports a failure.

    Raises:
        ValueError: it contradicts itself.
    """
    content = unwrap(operation, payload)
    levels = [level for level in (payload, content) if isinstance(level, dict)]
    if content is not payload and isinstance(content, dict) and (own := _own_words(operation)):
        levels[-1] = {name: each for name, each in content.items() if name not in own}
    if isinstance(payload, dict) and isinstance(inner := payload.get("data"), dict):
        for name in payload.keys() & inner.keys() - ENVELOPE:
            values = payload[name], inner[name]
            if values[0] != values[1] and None not in values and name in _bare_fields(operation):
                raise ValueError(f"{name} has two different values")
    if any(level.get("success") is False for level in levels):
        return content, True
    if any(level.get("success", True) is not True for level in levels):
        raise ValueError("success is neither true nor false")
    if any(says_something(level.get("error")) for level in levels):
        # The document's own refusal is an error and a code, without a word of success.
        said = any("success" in level for level in levels)
        if said or None in text_and_code(operation, payload, content):
            raise ValueError("there is an error beside a success")
        return content, True
    return content, False


def _own_words(operation: Operation[Any]) -> Collection[str]:
    """The words of an envelope that are data inside of `data`: fields of the result, or names in a map.

    The `success` of a change is no data: with it, its result is an envelope, too.
    """
    words = {"success", "error"}
    types = (operation.result, *get_args(operation.result))
    if any(cast(Any, get_origin(each)) is Mapping for each in types):
        return words
    if operation.result_key is not None or isinstance(operation, ListOperation):
        return ()
    own = words.intersection(name for each in types for name in json_names(each))
    return () if "success" in own and operation.method != "GET" else own


def says_nothing(operation: Operation[Any], payload: Any) -> bool:
    """Whether an answer without an envelope has no field of the result."""
    if not isinstance(payload, dict) or "success" in payload or not attrs.has(operation.result):
        return False
    return json_names(operation.result).isdisjoint(payload)


def unwrap(operation: Operation[Any], payload: Any) -> Any:
    """The payload without its envelope, if it has one."""
    if not isinstance(payload, dict) or "data" not in payload:
        return payload
    bare = "success" not in payload and not _bare_fields(operation).isdisjoint(payload)
    return payload if bare else payload["data"]


def _bare_fields(operation: Operation[Any]) -> frozenset[str]:
    """The fields that show that an answer has no envelope."""
    if operation.result_key is not None:
        return frozenset({operation.result_key})
    return json_names(operation.result)
