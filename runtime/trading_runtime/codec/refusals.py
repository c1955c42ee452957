"""Answers that are no results: refusals of a change, which may not be believed; plain success; no JSON.

A refusal is not believed if anything in it speaks of execution. Members that nobody knows do not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, cast, get_args, get_origin

import attrs

from trading_runtime.codec.fields import json_name
from trading_runtime.codec.json_types import discriminator_of
from trading_runtime.errors import Code, one_line
from trading_runtime.operation import ListOperation, Operation

ENVELOPE = frozenset({"success", "error", "code"})
"""What may differ inside and outside: an envelope of success may stand around a refusal."""
_WORDS = ENVELOPE | {"data", "message"}
"""What a refusal consists of."""
_STATES = frozenset({"state", "status"})
"""What may tell that a message was taken, like `"state": "sent"`."""
_CONTRADICTION = "it reports a failure, but also success, a result or a state"


def doubt(operation: Operation[Any], status: int, payload: Any, content: Any) -> str | None:
    """Why a refusal does not show that nothing was executed; None if it does, or if nothing can be.

    A status of failure is contradicted by `success: true` or a field of the result. Under a 2xx only the
    words refuse, so a state and a code count, too. `content` is the payload without its envelope.
    """
    if operation.method == "GET":
        return None
    names = json_names(operation.result) - _WORDS
    if operation.result_key is not None:
        names |= {operation.result_key}
    if 200 <= status < 300:
        if operation.result is Any and content is not payload and isinstance(content, dict):
            names |= content.keys() - _WORDS  # any of them may be of the result
        return _doubt_in_2xx(operation, status, payload, content, names | _STATES)
    telling = names - {*operation.echoes, *operation.errors.members}
    return _CONTRADICTION if speaks_of_execution(payload, telling) else None


def doubt_of_action(
    operation: Operation[Any], status: int, result: Mapping[str, Any], new_id: str | None
) -> str | None:
    """The same for an action that failed. It may name an order that is not new, and its own fields."""
    names = (_STATES - json_names(operation.result)) | ({new_id} if new_id else set())
    return _doubt_in_2xx(operation, status, result, result.get("data"), names)


def _doubt_in_2xx(
    operation: Operation[Any],
    status: int,
    refusal: Mapping[str, Any],
    content: Any,
    names: Collection[str],
) -> str | None:
    """Why a 2xx is no refusal: these names, its code or its status may say that it was executed."""
    # An envelope of success may stand around a refusal, because the request was read.
    inside = {**refusal, "success": None}
    if speaks_of_execution(inside, names) or _holds_a_value(inside):
        return _CONTRADICTION
    _, code = text_and_code(operation, refusal, content)
    found = (value for name, value in _members(inside) if name == "code" and says_something(value))
    if not all(_is_code(each) and each == code for each in found):
        return "it reports a failure, but its code is neither an integer nor a text, or not its only one"
    return None if status == 200 else f"it reports a failure under a status of {status}"


def speaks_of_execution(value: Any, names: Collection[str]) -> bool:
    """Whether JSON holds, at any depth, a success or something in a field of these names.

    Several of them may stand in a field with the name in the plural, like `order_ids`.
    """
    telling = {"success", *names, *(f"{name}s" for name in names)}
    return any(name in telling and says_something(found) for name, found in _members(value))


@cache
def json_names(type_: Any) -> frozenset[str]:
    """The fields of a model, or of all that a union may be, as JSON names them. Another type has none."""
    if told := discriminator_of(type_):
        return frozenset(name for each in told.models.values() for name in json_names(each))
    return frozenset(map(json_name, attrs.fields(type_))) if attrs.has(type_) else frozenset()


def own_words(operation: Operation[Any]) -> Collection[str]:
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


def _holds_a_value(refusal: Any) -> bool:
    """Whether `data`, the place of a result, holds anything but an object, at any depth."""
    data = (value for name, value in _members(refusal) if name == "data")
    return any(says_something(each) and not isinstance(each, dict) for each in data)


def says_something(value: Any) -> bool:
    """Whether a member of an answer holds anything; null, false and what is empty do not."""
    return value is not None and value is not False and value not in ("", [], {})


def _members(payload: Any) -> Iterator[tuple[str, Any]]:
    """Each member of each object in parsed JSON, which may nest deeper than functions can."""
    waiting = [payload]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield from value.items()
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


def not_json(body: bytes, content_type: str | None, problem: str) -> str:
    """What an answer is instead of JSON. It may hold a secret, so nothing of it is shown."""
    begin = body[:100].lstrip().lower()
    if begin.startswith((b"<!doctype html", b"<html")):
        problem = "it is a page of HTML"
    elif not body.strip():
        problem = "it is empty"
    kind = f" ({one_line(content_type)})" if content_type else ""
    return f"not JSON{kind}: {problem}"


def text_and_code(operation: Operation[Any], payload: Any, content: Any) -> tuple[str | None, Code]:
    """What a refusal says, and its code; None for what it does not have."""
    paths = operation.errors
    texts = (each for each in _found(paths.text, payload, content) if isinstance(each, str))
    codes = (each for each in _found(paths.code, payload, content) if _is_code(each))
    return next(texts, None), next(codes, None)


def _found(paths: Sequence[str], *levels: Any) -> Iterator[Any]:
    """What the paths lead to, on the outer level and then on the inner one."""
    for path in paths:
        for value in levels:
            for name in path.split("."):
                value = value.get(name) if isinstance(value, dict) else None
            yield value


def _is_code(value: Any) -> bool:
    return type(value) is int or (isinstance(value, str) and value != "")


def acknowledges(operation: Operation[Any], payload: Any, content: Any) -> bool:
    """Whether an answer that reports no failure says success, and nothing that nobody expects."""
    if operation.ignores_data:
        return _success(payload) is True or content is not payload
    said_again = content in (None, {}) or _success(content) is True
    return _success(payload) is True and said_again


def _success(level: Any) -> Any:
    """The `success` of one level of an answer; None if it has none."""
    return level.get("success") if isinstance(level, dict) else None
