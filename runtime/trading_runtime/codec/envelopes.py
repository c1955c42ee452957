"""Envelopes of answers: what stands around a result, and whether it reports a failure.

The *payload* is the JSON of an answer, the *content* the payload without its envelope.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast, get_args, get_origin

import attrs

from trading_runtime.codec.refusals import WORDS, json_names, read_refusal, says_something
from trading_runtime.errors import one_line
from trading_runtime.operation import ListOperation, Operation


def opened(operation: Operation[Any], payload: Any) -> tuple[Any, bool]:
    """The content of an answer, and whether the answer reports a failure.

    Raises:
        ValueError: the answer contradicts itself.
    """
    content = unwrap(operation, payload)
    levels = [level for level in (payload, content) if isinstance(level, dict)]
    if content is not payload and isinstance(content, dict) and (own := _own_words(operation)):
        levels[-1] = {name: each for name, each in content.items() if name not in own}
    if isinstance(payload, dict) and isinstance(inner := payload.get("data"), dict):
        for name in payload.keys() & inner.keys() - WORDS:
            values = payload[name], inner[name]
            if values[0] != values[1] and None not in values and name in _bare_fields(operation):
                raise ValueError(f"{name} has two different values")
    if any(level.get("success") is False for level in levels):
        return content, True
    if any(level.get("success", True) is not True for level in levels):
        raise ValueError("success is neither true nor false")
    said = any("success" in level for level in levels)
    errors = [level["error"] for level in levels if level.get("error") is not None]
    if any(map(says_something, errors)):
        # The refusal of the document is an error and a code, without a `success`.
        refusal = read_refusal(payload, content)
        if said or None in (refusal.text, refusal.code):
            raise ValueError("there is an error beside a success")
        return content, True
    if content is not payload and not said and payload.get("code") is not None:
        raise ValueError("there is a code, but no success")
    return content, False


def says_nothing(operation: Operation[Any], payload: Any) -> bool:
    """Whether an answer without an envelope has no field of the result."""
    if payload is None:
        return operation.retry != "safe"  # a lone null does not say that a change was made
    if not isinstance(payload, dict) or "success" in payload:
        return False
    told = get_args(operation.result)
    # Where the result is a model or null, the fields are those of the model.
    types = told if type(None) in told else (operation.result,)
    return any(attrs.has(each) and json_names(each).isdisjoint(payload) for each in types)


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


def _own_words(operation: Operation[Any]) -> Collection[str]:
    """Which of `success` and `error` are fields of the result, or may be names in a map.

    A result of a change with a field `success` is an envelope itself, so there the fields count as words.
    """
    words = {"success", "error"}
    types = (operation.result, *get_args(operation.result))
    if any(cast(Any, get_origin(each)) is Mapping for each in types):
        return words
    if operation.result_key is not None or isinstance(operation, ListOperation):
        return ()
    own = words.intersection(name for each in types for name in json_names(each))
    return () if "success" in own and operation.method != "GET" else own


def acknowledges(operation: Operation[Any], payload: Any, content: Any) -> bool:
    """Whether the answer is exactly `success: true`, on one level or on both.

    Of an operation that ignores data, `data` alone says success, too.
    """
    if operation.ignores_data:
        return _success(payload) is True or content is not payload
    said_again = content in (None, {}) or _success(content) is True
    return _success(payload) is True and said_again


def _success(level: Any) -> Any:
    """The `success` of one level of an answer, or None."""
    return level.get("success") if isinstance(level, dict) else None


def not_json(body: bytes, content_type: str | None, problem: str) -> str:
    """What an answer is that is no JSON. The body may hold a secret, so the text shows nothing of it."""
    begin = body[:100].lstrip().lower()
    if begin.startswith((b"<!doctype html", b"<html")):
        problem = "it is a page of HTML"
    elif not body.strip():
        problem = "it is empty"
    kind = f" ({one_line(content_type)})" if content_type else ""
    return f"not JSON{kind}: {problem}"
