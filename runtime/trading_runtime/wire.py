"""Between models and what is on the wire: bodies and queries out, answers in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, TypeAlias, TypeVar, cast
from urllib.parse import urlencode
from uuid import UUID

import attrs

from trading_runtime.convert import UNSET, OpenEnum
from trading_runtime.errors import ApiError, DecodeError, RequestError, api_error
from trading_runtime.operation import BatchOperation, ListOperation, Operation
from trading_runtime.pagination import Page
from trading_runtime.strict_json import as_object, parse
from trading_runtime.transport import Response

T = TypeVar("T")
Op = TypeVar("Op", bound=Operation[Any])
_Write: TypeAlias = Callable[[Any], Any]

# -- Python to JSON ---------------------------------------------------------------------------


def plain(value: Decimal) -> str:
    """A decimal as text, never with an exponent."""
    return format(value, "f")


def unstructure(model: Any) -> dict[str, Any]:
    """The fields of a model as they are sent; what was not given is left out."""
    sent: dict[str, Any] = {}
    for name, absent in _fields(model.__class__):
        value = getattr(model, name)
        if value is not absent:
            write = _WRITERS[type(value)]
            sent[name] = write(value) if write else value
    return sent


@cache
def _fields(model: Any) -> list[tuple[str, Any]]:
    """Its fields, and what stands there for what was not given: None unless null has a meaning."""
    return [
        (field.name, UNSET if field.default is UNSET else None) for field in attrs.fields(model)
    ]


def _each(values: Any) -> list[Any]:
    return [write(value) if (write := _WRITERS[type(value)]) else value for value in values]


class _Writers(dict[type[Any], "_Write | None"]):
    """The writer of each class, found when it is first met; None if a value stays as it is."""

    def __missing__(self, type_: type[Any]) -> _Write | None:
        bases = [base for base in _BASES if issubclass(type_, base)]
        write = unstructure if attrs.has(type_) else _BASES[bases[0]] if bases else None
        self[type_] = write
        return write


_BASES: dict[type[Any], _Write] = {
    Decimal: plain,
    UUID: str,
    OpenEnum: str.__str__,
    list: _each,
    tuple: _each,
}
_WRITERS = _Writers()


def query(fields: Mapping[str, Any]) -> str:
    """Fields as the query part of a URL, with its `?`; empty if there are none.

    Raises:
        RequestError: a text has no UTF-8 form.
    """
    texts = {name: str(v).lower() if isinstance(v, bool) else v for name, v in fields.items()}
    try:
        return f"?{urlencode(texts)}" if texts else ""
    except UnicodeEncodeError:
        raise RequestError("an argument holds half a surrogate pair, which is no text") from None


# -- JSON to Python ---------------------------------------------------------------------------


@cache
def structuring() -> Any:
    """What reads answers, imported by the first call: with cattrs it takes long, and may fail."""
    from trading_runtime import structuring

    return structuring


def structure(value: object, type_: Any, path: str = "$") -> Any:
    """Build a typed value from the parsed JSON that stands at `path`.

    Raises:
        ValueError: it does not fit; the text names the first places that do not.
    """
    return structuring().structure(value, type_, path)


def decode(operation: Operation[T], response: Response) -> T:
    """The result of a call: envelope off, typed.

    Raises:
        ApiError: the service refused, by its status or by `success: false`.
        DecodeError: an answer that cannot be used, or contradicts itself; it keeps the body.
    """
    return cast(T, _decoded(operation, response, _result))


def decode_page(operation: ListOperation[T], response: Response) -> Page[T]:
    """One page of a list operation. Raises what `decode` raises."""
    return _decoded(operation, response, _page)


def decode_batch(operation: BatchOperation[T], response: Response) -> Sequence[T]:
    """The results of a batch. Raises what `decode` raises."""
    return cast("Sequence[T]", _decoded(operation, response, _results))


class _Refused(Exception):
    """The answer says that the request was not carried out."""


def _decoded(operation: Op, response: Response, build: Callable[[Op, Any], T]) -> T:
    if 200 <= response.status < 300:
        try:
            return build(operation, parse(response.body))
        except _Refused:
            pass
        except ValueError as error:
            raise _unusable(operation, response, str(error)) from None
    if operation.method == "GET" or not _says_done(operation, response):
        raise _refusal(operation, response)
    reason = "it is called a failure and yet says success, or holds a result"
    raise _unusable(operation, response, reason)


def _unusable(operation: Operation[Any], response: Response, reason: str) -> DecodeError:
    return DecodeError(operation.name, reason, response.body, response.status)


def _result(operation: Operation[Any], payload: Any) -> Any:
    content = _accepted(operation, payload)
    if operation.result is None:
        if _said(payload) is not True or (content is not None and _said(content) is not True):
            raise ValueError("expected an object with success: true")
        return None
    return structure(_held(operation, content), operation.result)


def _results(operation: BatchOperation[T], payload: Any) -> Any:
    """The results, if there are any, whatever the envelope says: some may have been carried out."""
    content = _unwrap(operation, payload)
    if not isinstance(content, dict) or not content.get(operation.result_key):
        content = _accepted(operation, payload)
    return structure(_held(operation, content), cast(Any, Sequence)[operation.result])


def _held(operation: Operation[Any], content: Any) -> Any:
    """The part of an answer's content that holds the result."""
    if operation.result_key is None:
        return content
    return as_object(content).get(operation.result_key)


def _page(operation: ListOperation[Any], payload: Any) -> Page[Any]:
    _accepted(operation, payload)
    names = operation.pagination
    envelope = as_object(payload)

    def member(name: str, type_: Any) -> Any:
        return structure(envelope.get(name), type_, f"$.{name}")

    return Page(
        items=member(names.items, cast(Any, Sequence)[operation.result]),
        next_cursor=member(names.next_cursor, str | None),
        has_more=member(names.has_more, bool),
    )


def _unwrap(operation: Operation[Any], payload: Any) -> Any:
    """The payload without its envelope, wherever one appears, whatever new fields it has."""
    if not isinstance(payload, dict) or "data" not in payload:
        return payload
    bare = "success" not in payload and not _names(operation).isdisjoint(payload)
    return payload if bare else payload["data"]


def _names(operation: Operation[Any]) -> frozenset[str]:
    """The fields by which an answer without an envelope is known."""
    if operation.result_key is not None:
        return frozenset({operation.result_key})
    model = operation.result
    return frozenset(f.name for f in attrs.fields(model)) if attrs.has(model) else frozenset()


def _accepted(operation: Operation[Any], payload: Any) -> Any:
    """The content of an answer that says success, or at least nothing else."""
    content = _unwrap(operation, payload)
    levels = [level for level in (payload, content) if isinstance(level, dict)]
    if any(level.get("success") is False for level in levels):
        raise _Refused
    for level in levels:
        if level.get("success", True) is not True:
            raise ValueError("success is neither true nor false")
        if level.get("error") is not None:
            raise ValueError("there is an error beside a success")
    return content


def _says_done(operation: Operation[Any], response: Response) -> bool:
    """Whether an answer that is called a failure says, nevertheless, that it was carried out."""
    try:
        payload = parse(response.body)
    except ValueError:
        return False
    content = _unwrap(operation, payload)
    despite_status = not 200 <= response.status < 300 and _said(payload) is True
    return despite_status or _said(content) is True or _holds_result(operation, content)


def _holds_result(operation: Operation[Any], content: Any) -> bool:
    if operation.result in (None, Any) or not isinstance(content, dict):
        return False
    if isinstance(operation, BatchOperation):
        return bool(content.get(operation.result_key))
    try:
        structure(_held(operation, content), operation.result)
    except ValueError:
        return False
    return True


def _said(level: Any) -> Any:
    """What a part of an answer says of its success; None if nothing."""
    return level.get("success") if isinstance(level, dict) else None


def _refusal(operation: Operation[Any], response: Response) -> ApiError:
    """The error of a refused request, in the server's own words."""
    try:
        payload = parse(response.body)
    except ValueError:
        payload = None
    levels = [p for p in (payload, _unwrap(operation, payload)) if isinstance(p, dict)]
    texts = [p["error"] for p in levels if isinstance(p.get("error"), str)]
    codes = [p["code"] for p in levels if type(p.get("code")) is int]
    return api_error(
        operation.name,
        response.status,
        codes[0] if codes else None,
        texts[0] if texts else response.body.decode("utf-8", "replace"),
        response.body,
    )
