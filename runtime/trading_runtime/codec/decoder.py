"""Bytes to typed values, by msgspec, straight into the attrs classes of a generated package.

msgspec is strict where it would else convert ("1" is no integer), and open where a service may grow: unknown fields
are ignored, and an unknown value of an enum becomes a member of its own (`OpenEnum`). It does not know how deep JSON
may nest, how many digits money may have, and that Python's decimals take more texts than those of other languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import (
    Clamped,
    Context,
    Decimal,
    Inexact,
    InvalidOperation,
    Overflow,
    Rounded,
    Subnormal,
    Underflow,
    getcontext,
)
from functools import cache, partial
from itertools import chain, repeat
from operator import attrgetter, itemgetter
from types import NoneType
from typing import Any, Protocol, TypeAlias, cast, get_args, get_origin, get_type_hints

import attrs
import msgspec

from trading_runtime.codec.json_types import HiddenJson, hidden
from trading_runtime.operation import ListOperation

MAX_DEPTH = 100
"""How deep lists and objects may nest. Without a limit, that of the Python at hand would hold."""
MIN_INTEGER, MAX_INTEGER = -(2**63), 2**63 - 1
MAX_DIGITS, MAX_EXPONENT = 100, 999
"""Limits of a decimal in scientific notation. To write or to add longer decimals could take all memory."""

Data: TypeAlias = bytes | str | msgspec.Raw
Decimals: TypeAlias = Callable[[Sequence[Any]], Iterable[Decimal]]


# -- typed values -----------------------------------------------------------------------------


@cache
def reader(type_: Any) -> Callable[[Data, str], Any]:
    """What reads a value of a type from its JSON, which stands at a path of the answer.

    The reader raises a ValueError that names the first place which does not fit.
    """
    if type_ is HiddenJson:
        return lambda data, _: hidden(_parsed(data))
    decoder = msgspec.json.Decoder(type_)

    def read(data: Data, path: str) -> Any:
        try:
            value = _decoded(decoder, data)
        except msgspec.MsgspecError as error:
            raise ValueError(strange_number(type_, data, path) or located(error, path)) from None
        is_plain = _is_plain(data) and (_has_short_numbers(data) or _is_bounded(type_, value))
        if not is_plain and (problem := strange_number(type_, data, path)):
            raise ValueError(problem)
        return value

    return read


def _decoded(decoder: msgspec.json.Decoder[Any], data: Data) -> Any:
    try:
        return decoder.decode(data)
    except msgspec.ValidationError:
        # Of duplicate keys the last one wins, whatever the first one holds. A tuple may have more members by now.
        return decoder.decode(written(_trimmed(decoder.type, _parsed(data))))


@cache
def _members_of(type_: Any) -> list[tuple[str, str, Any]]:
    """The fields of a class of records: attribute, name in JSON, and type. Another type has none."""
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        hints = get_type_hints(type_)
        fields = msgspec.structs.fields(type_)
        return [(each.name, each.encode_name, hints[each.name]) for each in fields]
    if attrs.has(type_):
        return [(name, name, hint) for name, hint in get_type_hints(type_).items()]
    return []


def _trimmed(type_: Any, value: Any) -> Any:
    """Parsed JSON whose tuples have no more members than their type."""
    if isinstance(value, dict) and (members := _members_of(type_)):
        hints = {name: hint for _, name, hint in members}
        return {name: _trimmed(hints.get(name), member) for name, member in value.items()}
    parts = get_args(type_)
    if get_origin(type_) is tuple and isinstance(value, list):
        types = repeat(parts[0]) if ... in parts else parts
        return [_trimmed(part, item) for part, item in zip(types, value, strict=False)]
    return _trimmed(parts[0], value) if NoneType in parts else value


def located(error: Exception, path: str) -> str:
    """The words of msgspec, with the place in the answer where a value does not fit."""
    problem, _, place = str(error).partition(" - at `$")
    problem = problem.replace("`", "").replace("Object missing", "missing")
    return f"{problem} @ {path}{place.rstrip('`')}"


class PageContent(Protocol):
    """What a page holds. Of a list whose cursor is an offset, the items alone."""

    items: tuple[Any, ...]
    next_cursor: str | None
    has_more: bool


@cache
def page_reader(operation: ListOperation[Any]) -> Callable[[bytes], PageContent | None]:
    """What reads the pages of a list in one go; None stands for a page with anything unexpected in it."""
    decoder = msgspec.json.Decoder(_page_type(operation))
    type_ = cast(Any, tuple)[operation.result, ...]

    def read(body: bytes) -> PageContent | None:
        try:
            page = decoder.decode(body.decode())
            is_plain = _is_bounded(type_, page.items) and _is_plain(body)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None
        # The items stand beside each other, so all but one do not count as nested.
        if not page.success or nests_too_deep(body, beside=len(page.items) - 1):
            return None
        if not is_plain and strange_number(type_, at(body, operation.pagination.items)[0], "$"):
            return None
        return cast(PageContent, page)

    return read


def _page_type(operation: ListOperation[Any]) -> Any:
    """A class that holds a page and its envelope. What its fields do not take is unexpected."""
    names = operation.pagination
    fields: list[Any] = [
        ("items", cast(Any, tuple)[operation.result, ...]),
        ("success", bool) if names.says_success else ("success", bool, True),
        ("error", None, None),
    ]
    renamed = {"items": names.items}
    if names.next_cursor:
        fields += [("next_cursor", str | None, None), ("has_more", bool)]
        renamed |= {"next_cursor": names.next_cursor, "has_more": names.has_more}
    else:
        fields += [("next_cursor", None, None), ("has_more", bool, False)]
    if names.items != "data":
        fields.append(("data", None, None))  # An object in it could contradict the rest.
    return msgspec.defstruct("Page", fields, rename=renamed, kw_only=True)


# -- numbers ----------------------------------------------------------------------------------

_bounded = Context(
    prec=MAX_DIGITS,
    Emin=-MAX_EXPONENT,
    Emax=MAX_EXPONENT,
    clamp=0,
    traps=[Clamped, Inexact, InvalidOperation, Overflow, Rounded, Subnormal, Underflow],
).plus
"""Raises an ArithmeticError for a Decimal of too many digits, or with too large an exponent."""

_DECIMAL = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
"""The texts that are decimals in every language. Python takes `1_0`, ` 1 ` and other digits, too."""

_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SHAPE = bytes.maketrans(_LETTERS + b"123456789", b"a" * len(_LETTERS) + b"0" * 9)
_LONG_INTEGER = b"0" * 19
_NUMBERS = bytes.maketrans(b"123456789+-.", b"0" * 12)


def _is_bounded(type_: Any, value: Any) -> bool:
    """Whether anybody can compute with all decimals in a value of a type."""
    decimals = decimals_of(type_)
    return decimals is None or _are_usable(decimals((value,)))


def _are_usable(decimals: Iterable[Decimal]) -> bool:
    try:
        return all(map(Decimal.is_finite, map(_bounded, decimals)))
    except ArithmeticError:
        return False


def _is_plain(data: Data) -> bool:
    """Whether JSON can hold no decimal that Python alone takes, and no integer of more than 64 bits.

    It is quick, and False of much that holds none.
    """
    text = (data.encode() if isinstance(data, str) else bytes(data)).strip()
    if b"\\" in text or not text.isascii():
        return False
    shape = text.translate(_SHAPE)
    if b" " in text:
        # Spaces stand between the marks of JSON, or around what may be a number in a text.
        words = b" ".join(text.translate(_NUMBERS).split())
        if b'" 0' in words or b'0 "' in words:
            return False
    # An underscore between letters belongs to no number.
    return shape.count(b"a_a") == text.count(b"_") and _LONG_INTEGER not in shape


def _has_short_numbers(data: Data) -> bool:
    """Whether all decimals in plain JSON are finite and without exponents, and so short. False of much that is, too."""
    if not getcontext().traps[InvalidOperation]:
        return False  # what is no decimal is read as NaN there
    text = (data.encode() if isinstance(data, str) else bytes(data)).lower()
    shape = text.translate(_SHAPE)
    return not (b"0a" in shape or b".a" in shape or b"nan" in text or b"inf" in text)


Problem: TypeAlias = tuple[str, str]
"""What is wrong with a number, and its place below a value."""


def strange_number(type_: Any, data: Data, path: str) -> str | None:
    """The first number in JSON that does not fit, and its place; None if numbers are not the problem."""
    check = _check_of_numbers(type_)
    problem = check and check(_parsed(data))
    return f"{problem[0]} @ {path}{problem[1]}" if problem else None


@cache
def _check_of_numbers(type_: Any) -> Callable[[Any], Problem | None] | None:
    """What finds the first number in parsed JSON that does not fit its type; None for a type without numbers."""
    if type_ in (Decimal, int):
        return _strange_decimal if type_ is Decimal else _strange_integer
    if members := _members_of(type_):
        return _first_in(
            dict, [(n, f".{n}", c) for _, n, hint in members if (c := _check_of_numbers(hint))]
        )
    parts = get_args(type_)
    checks = [_check_of_numbers(part) for part in parts]
    if get_origin(type_) is not tuple or ... not in parts:
        places = [(i, f"[{i}]", check) for i, check in enumerate(checks) if check]
        is_tuple = get_origin(type_) is tuple
        return _first_in(list, places) if is_tuple else next(filter(None, checks), None)
    item = checks[0]
    return item and partial(_first_of_all, item)


def _strange_decimal(value: Any) -> Problem | None:
    if type(value) not in (str, int, msgspec.Raw):
        return None
    text = bytes(value).decode() if isinstance(value, msgspec.Raw) else str(value)
    if _DECIMAL.fullmatch(text) and _are_usable(map(Decimal, [text])):
        return None
    return f"{text[:60]!r} is not a decimal", ""


def _strange_integer(value: Any) -> Problem | None:
    if not isinstance(value, int) or MIN_INTEGER <= value <= MAX_INTEGER:
        return None
    return "expected an integer of 64 bits", ""


def _first_in(
    kind: type[dict[Any, Any] | list[Any]],
    members: Sequence[tuple[Any, str, Callable[[Any], Problem | None]]],
) -> Callable[[Any], Problem | None] | None:
    def first(value: Any) -> Problem | None:
        if isinstance(value, kind):
            for key, place, check in members:
                is_there = key in value if isinstance(value, dict) else key < len(value)
                if is_there and (problem := check(value[key])):
                    return problem[0], place + problem[1]
        return None

    return first if members else None


def _first_of_all(check: Callable[[Any], Problem | None], values: Any) -> Problem | None:
    for index, value in enumerate(values if isinstance(values, list) else ()):
        if problem := check(value):
            return problem[0], f"[{index}]{problem[1]}"
    return None


@cache
def decimals_of(type_: Any) -> Decimals | None:
    """All decimals in some values of a type; None for a type without decimals. Most of it runs in C."""
    if type_ is Decimal:
        return lambda values: values
    if members := _members_of(type_):
        return _of_parts(
            [(attrgetter(name), found) for name, _, hint in members if (found := decimals_of(hint))]
        )
    parts = get_args(type_)
    if get_origin(type_) is not tuple:
        return next((_of_some(found) for part in parts if (found := decimals_of(part))), None)
    if ... in parts:
        items = decimals_of(parts[0])
        return items and (lambda values: items([*chain.from_iterable(values)]))
    return _of_parts(
        [(itemgetter(i), found) for i, part in enumerate(parts) if (found := decimals_of(part))]
    )


def _of_parts(parts: Sequence[tuple[Callable[[Any], Any], Decimals]]) -> Decimals | None:
    if not parts:
        return None
    return lambda values: chain.from_iterable(found([*map(get, values)]) for get, found in parts)


def _of_some(decimals: Decimals) -> Decimals:
    return lambda values: decimals([value for value in values if value is not None])


# -- parsed JSON ------------------------------------------------------------------------------

_ALL = bytes(range(256))
_NOT_OPENING = _ALL.translate(None, b"[{")
_NO_BRACKETS = _ALL.translate(None, b"[]{}")
_AS_BRACES = bytes.maketrans(b"[]", b"{}")
_STRINGS = re.compile(rb'"[^"]*"?')
"""Strings without escapes. Each quote begins a match, so no byte is looked at twice."""
_LONG_INTEGERS = re.compile(
    r'"(?:[^"\\]+|\\.)*"?|(?<![0-9.eE+])(?<![eE]-)[0-9]{20,}(?![0-9.eE])', re.DOTALL
)
"""Strings, whose digits are no numbers, and integers of 20 digits or more."""

parsed = msgspec.json.Decoder(float_hook=lambda text: msgspec.Raw(text.encode())).decode
"""JSON without types. A number with a fraction or an exponent stays as it is written."""

items = msgspec.json.Decoder(list[msgspec.Raw]).decode
"""The items of a list, each still as JSON."""

written = msgspec.json.encode
"""Parsed JSON as JSON again."""

_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def at(body: bytes, *names: str) -> tuple[bytes | msgspec.Raw, str]:
    """The JSON of the member that names lead to, and its path; ABSENT if there is none.

    Raises:
        ValueError: what should hold it is no object.
    """
    data: bytes | msgspec.Raw = body
    path = "$"
    for name in names:
        try:
            data = _members(data).get(name, ABSENT)
        except msgspec.ValidationError as error:
            raise ValueError(located(error, path)) from None
        path = f"{path}.{name}"
    return data, path


ABSENT = msgspec.Raw(b"null")


def parse(body: bytes) -> Any:
    """The JSON of an answer, without types. Of duplicate keys the last one wins.

    Raises:
        ValueError: the body is not JSON, or nests too deep.
    """
    text = body.decode()
    if nests_too_deep(body):
        raise ValueError("nested too deep")
    try:
        return _parsed(text)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None


def _parsed(data: Data) -> Any:
    try:
        return parsed(data)
    except msgspec.ValidationError:
        # An integer of thousands of digits. It may stand in a field that nobody reads.
        text = data if isinstance(data, str) else bytes(data).decode()
        return parsed(_LONG_INTEGERS.sub(_with_exponent, text))


def _with_exponent(match: re.Match[str]) -> str:
    """A string as it is, but an integer with an exponent, so that it is read as a float."""
    return match[0] if match[0].startswith('"') else f"{match[0]}e0"


def nests_too_deep(body: bytes, beside: int = 0) -> bool:
    """Whether JSON nests deeper than `MAX_DEPTH`.

    Opening brackets bound the depth and are quick to count. The caller knows that `beside` of them do not
    nest, but stand side by side.
    """
    if len(body.translate(None, _NOT_OPENING)) - beside <= MAX_DEPTH:
        return False
    for escape in (b"\\\\", b'\\"'):
        body = body.replace(escape, b"")
    levels = _STRINGS.sub(b"", body).translate(_AS_BRACES, _NO_BRACKETS)
    for _ in range(MAX_DEPTH):
        levels = levels.replace(b"{}", b"")
    return bool(levels)
