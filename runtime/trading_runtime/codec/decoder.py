"""The fast path: from bytes to JSON values, and on to typed values, by msgspec.

To typed values it takes what is exactly as expected. Anything else is for `records`, which reads what
msgspec cannot, and says what is wrong. What both take is equal, and of the same types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import GenericAlias
from typing import Any, NamedTuple, Protocol, cast, get_args, get_origin

import msgspec

from trading_runtime.checks import has_room
from trading_runtime.codec.json_numbers import Number, check_decimals
from trading_runtime.codec.json_types import FrozenMap
from trading_runtime.codec.records import explained
from trading_runtime.codec.shapes import Decimals, Part, Shape, shape
from trading_runtime.operation import ListOperation

MAX_DEPTH = 100
"""Lists and objects that may stand in each other. Without a limit, the Python at hand would set one."""

_ALL = bytes(range(256))
_NOT_OPENING = _ALL.translate(None, b"[{")
_NO_BRACKETS = _ALL.translate(None, b"[]{}")
_AS_BRACES = bytes.maketrans(b"[]", b"{}")
_STRINGS = re.compile(rb'"[^"]*"?')
"""Strings without escapes. Every quote begins one that matches, so that no byte is looked at again."""
_LONG_INTEGERS = re.compile(
    r"""("[^"]*"?)|((?<![0-9.eE+])(?<![eE]-)[0-9]{20,}(?![0-9.eE]))""",
)
_ESCAPES = {"\\\\": "\ud800", '\\"': "\ud801"}
"""The escapes that hide where a string ends, each with half of a character, which UTF-8 cannot hold."""
_UNEXPECTED = (msgspec.MsgspecError, ValueError, ArithmeticError, RecursionError)
"""What the fast path raises for what it does not take."""


class UnreadableError(Exception):
    """A page that msgspec cannot read as the runtime does."""


_MOST_CALLS = 200
"""How many functions call each other to find out how a type is read, at most."""
_UNREADABLE = (UnreadableError, RecursionError, TypeError, ValueError)
"""What tells that msgspec has no way to read a type or a page."""


# -- bytes to JSON values ---------------------------------------------------------------------

_parser = msgspec.json.Decoder(float_hook=Number)


def parse(body: bytes) -> Any:
    """Parse JSON in UTF-8. Of duplicate keys the last one wins.

    Raises:
        ValueError: it is not JSON, or nests too deep.
    """
    text = body.decode()
    try:
        # What opens is quickly counted, and at least as much as what nests.
        if len(body.translate(None, _NOT_OPENING)) <= MAX_DEPTH or not nests_too_deep(body):
            return _parsed(text)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None
    raise ValueError("nested too deep")


def _parsed(text: str) -> Any:
    try:
        return _parser.decode(text)
    except msgspec.ValidationError:
        # An integer of thousands of digits. It may stand in a field that nobody reads.
        for escape, letter in _ESCAPES.items():
            text = text.replace(escape, letter)
        text = _LONG_INTEGERS.sub(_with_exponent, text)
        for escape, letter in _ESCAPES.items():
            text = text.replace(letter, escape)
        return _parser.decode(text)


def _with_exponent(found: re.Match[str]) -> str:
    """A string as it is; an integer so that it is read as a `Number`."""
    return found[1] or f"{found[2]}e0"


def nests_too_deep(body: bytes) -> bool:
    """Whether JSON nests deeper than `MAX_DEPTH`: something is left when so many levels are taken off."""
    for escape in _ESCAPES:
        body = body.replace(escape.encode(), b"")
    levels = _STRINGS.sub(b"", body).translate(_AS_BRACES, _NO_BRACKETS)
    for _ in range(MAX_DEPTH):
        levels = levels.replace(b"{}", b"")
    return bool(levels)


# -- JSON values to typed values --------------------------------------------------------------


def structure(value: object, type_: Any, path: str = "$") -> Any:
    """Build a typed value from the parsed JSON that stands at `path`.

    Raises:
        ValueError: it does not fit; the text names the first places that do not.
    """
    try:
        if fast := fast_way(type_):
            holding: Any = msgspec.convert({"value": value}, fast.holder, dec_hook=_read_part)
            found = holding.value
            if fast.decimals:
                check_decimals(fast.decimals(found.values() if fast.is_map else [found]))
            return FrozenMap(found) if fast.is_map else found
    except _UNEXPECTED:
        pass
    return explained(value, type_, path)


class FastWay(NamedTuple):
    """How msgspec reads a type: a value, or those of a map."""

    holder: Any
    """A class that holds what is read."""

    decimals: Decimals | None
    is_map: bool


@cache
def fast_way(type_: Any) -> FastWay | None:
    """How msgspec reads a type; None if it cannot."""
    _check_room()
    is_map = cast(Any, get_origin(type_)) is Mapping
    try:
        inner = shape(get_args(type_)[1] if is_map else type_)
        reads = GenericAlias(dict, (str, inner.reads)) if is_map else inner.reads
        holder = msgspec.defstruct("Holder", [("value", reads)])
        msgspec.json.Decoder(holder, dec_hook=_read_part)  # raises what a conversion would
    except _UNREADABLE:
        return None
    return None if isinstance(reads, Part) else FastWay(holder, inner.decimals, is_map)


def _check_room() -> None:
    """Raise a RecursionError where a type could seem to hold itself, which would be remembered."""
    if not has_room(_MOST_CALLS):
        raise RecursionError


def _read_part(part: Any, value: Any) -> Any:
    """What msgspec asks for a value that it cannot read."""
    return structure(value, part.of)


class PageContent(Protocol):
    """What a page holds. Of a list whose cursor is an offset, the items alone."""

    items: tuple[Any, ...]
    next_cursor: str | None
    has_more: bool


@cache
def page_decoder(operation: ListOperation[Any]) -> Callable[[bytes], PageContent | None]:
    """What reads the pages of an operation from bytes; it returns None for what is not as expected."""
    _check_room()
    try:
        item = shape(operation.result)
        decoder = msgspec.json.Decoder(
            _page(operation, item), dec_hook=_read_part, float_hook=Number
        )
    except _UNREADABLE:
        return lambda _: None

    def read(body: bytes) -> PageContent | None:
        try:
            page = decoder.decode(body.decode())
            if item.decimals:
                check_decimals(item.decimals(page.items))
        except _UNEXPECTED:
            return None
        if not page.success:
            return None
        # The items stand beside each other, so all but one do not count as nested.
        others = len(body.translate(None, _NOT_OPENING)) - len(page.items)
        is_flat = others < MAX_DEPTH or not nests_too_deep(body)
        return cast(PageContent, page) if is_flat else None

    return read


def _page(operation: ListOperation[Any], item: Shape) -> Any:
    """A class that holds a page and its envelope. What its fields do not take is not as expected."""
    names = operation.pagination
    is_nested = "." in f"{names.items}{names.next_cursor}{names.has_more}"
    is_rare = names.integers or is_nested or bool(names.next_cursor) != bool(names.has_more)
    if is_rare or isinstance(item.reads, Part):
        raise UnreadableError
    fields: list[Any] = [
        ("items", GenericAlias(tuple, (item.reads, ...))),
        ("success", bool) if names.says_success else ("success", bool, True),
        ("error", None, None),
    ]
    renamed = {"items": names.items}
    if names.next_cursor:
        fields += [("next_cursor", str | None, None), ("has_more", bool)]
        renamed |= {"next_cursor": names.next_cursor, "has_more": names.has_more}
    if names.items != "data":
        fields.append(("data", None, None))  # An object in it could contradict the rest.
    return msgspec.defstruct("Page", fields, rename=renamed, kw_only=True)
