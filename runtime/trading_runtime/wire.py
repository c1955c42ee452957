"""Between Python and JSON: the one cattrs converter, and everything that reads an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar, Union, cast, get_args, get_origin
from urllib.parse import urlencode
from uuid import UUID

import attrs
import cattrs
from cattrs.gen import make_dict_unstructure_fn

from trading_runtime.convert import UNSET, OpenEnum, Unset
from trading_runtime.errors import ApiError, DecodeError, RequestError, api_error
from trading_runtime.operation import BatchOperation, ListOperation, Operation
from trading_runtime.pagination import Page
from trading_runtime.strict_json import parse
from trading_runtime.transport import Response

T = TypeVar("T")
Op = TypeVar("Op", bound=Operation[Any])

_ENVELOPE = frozenset({"success", "data", "error", "code"})
# An exponent of more digits would make a number too long to be written plainly.
_DECIMAL = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?")
_JSON_NAMES: dict[Any, str] = {
    int: "an integer",
    str: "a string",
    bool: "a boolean",
    list: "a list",
    dict: "an object",
}
_REASONS_SHOWN = 3


# -- Python to JSON ---------------------------------------------------------------------------


def unstructure(model: object) -> dict[str, Any]:
    """The fields of a request model as they are sent; what was not given is left out."""
    return cast(dict[str, Any], converter.unstructure(model))


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


def plain(value: Decimal) -> str:
    """A decimal as text, never with an exponent."""
    return format(value, "f")


def _unstructure_hook(model: type[Any]) -> Callable[[Any], dict[str, Any]]:
    """Like cattrs' own, less what was not given: UNSET, and None where null has no meaning."""
    convert = make_dict_unstructure_fn(model, converter)
    nullable = {field.name for field in attrs.fields(model) if field.default is UNSET}

    def hook(instance: Any) -> dict[str, Any]:
        return {
            name: value
            for name, value in convert(instance).items()
            if getattr(instance, name) is not UNSET and (value is not None or name in nullable)
        }

    return hook


# -- JSON to Python ---------------------------------------------------------------------------


def structure(value: object, type_: Any, path: str = "$") -> Any:
    """Build a typed value from the parsed JSON that stands at `path`.

    Raises:
        ValueError: it does not fit; the text names the first places that do not.
    """
    try:
        return converter.structure(value, type_)
    except Exception as error:
        reasons = cattrs.transform_error(
            error,
            path,
            lambda e, _: "required field missing" if isinstance(e, KeyError) else str(e),
        )
    more = len(reasons) - _REASONS_SHOWN
    shown = "; ".join(reasons[:_REASONS_SHOWN])
    raise ValueError(f"{shown}; and {more} more" if more > 0 else shown)


def decode(operation: Operation[T], response: Response) -> T:
    """The result of a call: envelope off, typed.

    Raises:
        ApiError: the service refused, by its status or by `success: false`.
        DecodeError: a 2xx answer that cannot be used; it keeps the body.
    """
    return cast(T, _decoded(operation, response, _result))


def decode_page(operation: ListOperation[T], response: Response) -> Page[T]:
    """One page of a list operation. Raises what `decode` raises."""
    return _decoded(operation, response, _page)


def decode_batch(operation: BatchOperation[T], response: Response) -> Sequence[T]:
    """The results of a batch. Raises what `decode` raises."""
    return cast("Sequence[T]", _decoded(operation, response, _results))


def _decoded(operation: Op, response: Response, build: Callable[[Op, Any], T]) -> T:
    if not 200 <= response.status < 300:
        raise _refusal(operation, response)
    try:
        payload = parse(response.body)
        if not _refused(payload):
            return build(operation, payload)
    except ValueError as error:
        raise DecodeError(operation.name, str(error), response.body, response.status) from None
    raise _refusal(operation, response)


def _result(operation: Operation[Any], payload: Any) -> Any:
    if operation.result is None:
        if not isinstance(payload, dict) or payload.get("success") is not True:
            raise ValueError("expected an object with success: true")
        return None
    return structure(_content(operation, payload), operation.result)


def _results(operation: BatchOperation[T], payload: Any) -> Any:
    return structure(_content(operation, payload), cast(Any, Sequence)[operation.result])


def _content(operation: Operation[Any], payload: Any) -> Any:
    """The part of an answer that holds the result."""
    content = _unwrap(payload)
    if operation.result_key is None:
        return content
    return _object(content).get(operation.result_key)


def _page(operation: ListOperation[Any], payload: Any) -> Page[Any]:
    names = operation.pagination
    envelope = _object(payload)

    def member(name: str, type_: Any) -> Any:
        return structure(envelope.get(name), type_, f"$.{name}")

    return Page(
        items=member(names.items, cast(Any, Sequence)[operation.result]),
        next_cursor=member(names.next_cursor, str | None),
        has_more=member(names.has_more, bool),
    )


def _unwrap(payload: Any) -> Any:
    """The payload without its envelope, wherever one appears, whatever new fields it has."""
    if not isinstance(payload, dict) or "data" not in payload:
        return payload
    enveloped = "success" in payload or payload.keys() <= _ENVELOPE
    return payload["data"] if enveloped else payload


def _refused(payload: Any) -> bool:
    """Whether an answer says `success: false`, at its top or within its envelope."""
    inner = _unwrap(payload)
    return any(isinstance(p, dict) and p.get("success") is False for p in (payload, inner))


def _refusal(operation: Operation[Any], response: Response) -> ApiError:
    """The error of a refused request, in the server's own words."""
    try:
        payload = parse(response.body)
    except ValueError:
        payload = None
    levels = [p for p in (payload, _unwrap(payload)) if isinstance(p, dict)]
    texts = [p["error"] for p in levels if isinstance(p.get("error"), str)]
    codes = [p["code"] for p in levels if type(p.get("code")) is int]
    return api_error(
        operation.name,
        response.status,
        codes[0] if codes else None,
        texts[0] if texts else response.body.decode("utf-8", "replace"),
        response.body,
    )


# -- the converter ----------------------------------------------------------------------------


def _exactly(type_: type[Any]) -> Callable[..., Any]:
    """A hook that takes a JSON value as it is, where cattrs would convert it: "1" is no integer."""

    def hook(value: Any, _: Any = None) -> Any:
        if type(value) is not type_:
            found = "null" if value is None else _JSON_NAMES.get(type(value), "a fraction")
            raise ValueError(f"expected {_JSON_NAMES[type_]}, not {found}")
        return value

    return hook


_text, _list, _object = _exactly(str), _exactly(list), _exactly(dict)


def _decimal(value: Any, _: Any) -> Decimal:
    if not _DECIMAL.fullmatch(_text(value)):
        raise ValueError(f"{value[:60]!r} is not a decimal")
    return Decimal(value)


def _uuid(value: Any, _: Any) -> UUID:
    return UUID(_text(value))


def _open_enum(type_: Any) -> type[OpenEnum] | None:
    """The enum of a type like `Side | str`, which keeps values that it does not know."""
    arguments = get_args(type_)
    enums = [a for a in arguments if isinstance(a, type) and issubclass(a, OpenEnum)]
    return enums[0] if enums and str in arguments else None


def _open_enum_hook(type_: Any) -> Callable[[Any, Any], Any]:
    members = {member.value: member for member in cast(Any, _open_enum(type_))}
    optional = type(None) in get_args(type_)

    def hook(value: Any, _: Any) -> Any:
        if value is None and optional:
            return None
        return members.get(_text(value), value)

    return hook


def _structure_hook(model: type[Any]) -> Callable[[Any, Any], Any]:
    """Like cattrs' own, for objects only; what the sender did not mint is not minted here."""
    convert = cattrs.gen.make_dict_structure_fn(model, converter)
    fields = attrs.fields(model)
    unminted = {f.name: None for f in fields if isinstance(f.default, cast(Any, attrs.Factory))}
    return lambda value, type_: convert({**unminted, **_object(value)}, type_)


def _sequence_hook(type_: Any) -> Callable[[Any, Any], Any]:
    """Like cattrs' own, for lists only: it would take an empty object for an empty list."""
    tuple_of = cast(Any, tuple)[get_args(type_)[0], ...]
    convert = converter.get_structure_hook(tuple_of)

    return lambda value, _: convert(_list(value), tuple_of)


def _settable_hook(type_: Any) -> Callable[[Any, Any], Any]:
    """What is received is never UNSET: that stands for what is absent."""
    known = cast(Any, Union)[tuple(a for a in get_args(type_) if a is not Unset)]
    return lambda value, _: converter.structure(value, known)


def _make_converter() -> cattrs.Converter:
    made = cattrs.Converter()
    made.register_structure_hook(Decimal, _decimal)
    made.register_structure_hook(UUID, _uuid)
    for type_ in (int, str, bool):
        made.register_structure_hook(type_, _exactly(type_))
    made.register_structure_hook_factory(lambda t: _open_enum(t) is not None, _open_enum_hook)
    made.register_structure_hook_factory(attrs.has, _structure_hook)
    made.register_structure_hook_factory(
        lambda t: cast(Any, get_origin(t)) is Sequence, _sequence_hook
    )
    made.register_structure_hook_factory(lambda t: Unset in get_args(t), _settable_hook)
    made.register_unstructure_hook(Decimal, plain)
    made.register_unstructure_hook(UUID, str)
    made.register_unstructure_hook(OpenEnum, str)
    made.register_unstructure_hook_factory(attrs.has, _unstructure_hook)
    return made


converter = _make_converter()
