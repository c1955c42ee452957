"""Every way of reading an answer takes the same answers, as the same values of the same types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Final, TypeAlias, cast
from uuid import UUID

import attrs
import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz import fuzzed
from tests.fuzz.answers import Answers, Object
from tests.fuzz.plain_reader import RefusedError, UndefinedError, parsed, read
from trading_runtime import (
    UNSET,
    Discriminator,
    HiddenJson,
    IntegerText,
    OpenEnum,
    OpenIntEnum,
    UnknownObject,
    Unset,
)
from trading_runtime.codec import fast_path
from trading_runtime.codec.decoder import structure
from trading_runtime.codec.json_types import FrozenMap
from trading_runtime.codec.pages import PageReader
from trading_runtime.codec.parser import parse
from trading_runtime.operation import BatchOperation, ListOperation, Pagination
from trading_sdk.operations import API

IN_ONE_EXAMPLE = 10
"""Answers that are made from one seed: 100,000 examples are a million answers."""
REFUSED: Final = "refused"


class Colour(OpenEnum):
    RED = "red"
    BLUE = "blue"


class Level(OpenIntEnum):
    LOW = 1
    HIGH = 2


@frozen(kw_only=True)
class Leg:
    size: Decimal
    limit: Decimal | None = None
    kind: Colour | str


@frozen(kw_only=True)
class Flat:
    """A plain record, which the fast path reads."""

    count: int
    name: str
    ready: bool
    id: UUID
    colour: Colour | str
    level: Level | int
    rank: int | None = None
    mood: Colour | str | None = None
    step: Level | int | None = None
    cost: Decimal | None
    size: Decimal


@frozen(kw_only=True)
class Thing:
    """A model that holds others, lists and a map."""

    count: int
    name: str
    ready: bool
    id: UUID
    colour: Colour | str
    level: Level | int
    rank: int | None = None
    mood: Colour | str | None = None
    step: Level | int | None = None
    cost: Decimal | None
    leg: Leg
    other: Leg | None = None
    legs: Sequence[Leg] = ()
    prices: Sequence[Decimal | None] = ()
    by_name: Mapping[str, Decimal] | None = None
    pair: tuple[str, Decimal] | None = None


@frozen(kw_only=True)
class Rare:
    """A model that msgspec cannot make."""

    of: str = field(metadata={"json": "from"})
    number: IntegerText
    amount: Decimal | None = field(default=None, metadata={"json": "the amount"})
    thing: Thing | None = None


@frozen(kw_only=True)
class Sold:
    event: str
    leg: Leg


@frozen(kw_only=True)
class Closed:
    event: str
    at: datetime


Event: TypeAlias = Annotated[
    Sold | Closed | UnknownObject, Discriminator("event", {"sold": Sold, "closed": Closed})
]


@frozen(kw_only=True)
class Mixed:
    """A model with parts that msgspec cannot read by itself."""

    at: datetime
    until: datetime | None = None
    number: IntegerText
    numbers: Sequence[IntegerText | None] = ()
    event: Event
    last: Event | None = None
    flag: bool | Unset | None = UNSET
    rare: Rare | None = None
    maps: Sequence[Mapping[str, Decimal]] = ()
    deep: Mapping[str, Mapping[str, Leg | None]]
    pair: tuple[datetime, Mapping[str, Colour | str]] | None = None
    size: Decimal


@frozen(kw_only=True)
class Tree:
    """A model that holds itself."""

    size: Decimal
    trees: Sequence[Tree] = ()


def types() -> list[Any]:
    found: list[Any] = [
        Thing,
        Rare,
        Mixed,
        Sequence[Thing],
        Sequence[Flat],
        Mapping[str, Leg],
        Sequence[Decimal],
    ]
    found += [Mapping[str, datetime | None], Mapping[str, Sequence[Decimal]], Event, datetime]
    for operation in API.operations.values():
        if isinstance(operation, (ListOperation, BatchOperation)):
            found.append(cast(Any, Sequence)[operation.result])
        elif operation.result not in (None, HiddenJson):
            found.append(operation.result)
    return found


TYPES = types()
PAGES: ListOperation[Thing] = ListOperation(
    name="things.list",
    method="GET",
    path="/things",
    result=Thing,
    pagination=Pagination(items="things", cursor="at", next_cursor="next", has_more="more"),
)
FLAT: ListOperation[Flat] = attrs.evolve(cast(Any, PAGES), result=Flat)
OFFSETS: ListOperation[Leg] = ListOperation(
    name="legs.list",
    method="GET",
    path="/legs",
    result=Leg,
    pagination=Pagination(items="data", cursor="offset"),
)
MIXED: ListOperation[Mixed] = attrs.evolve(cast(Any, OFFSETS), result=Mixed)
LISTS = [
    *(each for each in API.operations.values() if isinstance(each, ListOperation)),
    *(PAGES, FLAT, MIXED, OFFSETS),
]


def typed(value: Any) -> Any:
    """A value with the type of each of its parts, so that 1 is not True, and 1.0 not 1.00."""
    if attrs.has(type(value)):
        return (type(value), *(typed(getattr(value, a.name)) for a in attrs.fields(type(value))))
    if isinstance(value, FrozenMap):
        return (type(value), *((name, typed(each)) for name, each in value.items()))
    if isinstance(value, tuple):
        return (tuple, *map(typed, value))
    return type(value), repr(value)


def outcome(read: Callable[[], Any], *errors: type[Exception]) -> Any:
    """What is read, with its hash, or that it is refused."""
    try:
        found = read()
    except errors:
        return REFUSED
    return typed(found), hash(found)


def compare(body: bytes, type_: Any) -> bool:
    """Read a body by the decoder and plainly; whether it could be used."""
    try:
        expected = outcome(lambda: read(parsed(body), type_), RefusedError)
    except UndefinedError:
        return False
    assert outcome(lambda: structure(parse(body), type_), ValueError) == expected, body
    return bool(expected != REFUSED)


@fuzzed
@given(st.integers(0, 2**63))
def test_what_is_read_fast_is_what_is_read_slowly_and_plainly(seed: int) -> None:
    answers = Answers(seed)
    for number in range(IN_ONE_EXAMPLE):
        type_ = TYPES[(seed + number) % len(TYPES)]
        compare(answers.body(type_), type_)


def page_body(answers: Answers, operation: ListOperation[Any]) -> Object:
    """A page with an envelope."""
    names = operation.pagination
    pairs = [["success", True], [names.items, answers.tree(cast(Any, Sequence)[operation.result])]]
    if names.next_cursor:
        pairs += [[names.next_cursor, "W10"], [names.has_more, True]]
    return Object([*pairs, ["error", None], ["code", None]])


@fuzzed
@given(st.integers(0, 2**63))
def test_a_page_is_the_same_from_its_bytes_as_from_its_json(seed: int) -> None:
    answers = Answers(seed)
    for number in range(IN_ONE_EXAMPLE):
        operation = LISTS[(seed + number) % len(LISTS)]
        compare_pages(answers.damaged(page_body(answers, operation)), operation)


def compare_pages(body: bytes, operation: ListOperation[Any]) -> bool:
    """Read a page in every way; whether it was read from its bytes."""
    fast, names = fast_path.page_reader(operation)(body), operation.pagination
    if fast is None:
        return False
    usual, slow = PageReader(operation, "7"), PageReader(operation, "7")
    slow._read_fast = lambda _: None
    assert typed(usual.read(200, body)) == typed(slow.read(200, body)), body
    try:
        plain = parsed(body)
        items = read(plain[names.items], cast(Any, Sequence)[operation.result])
    except UndefinedError:
        return True
    assert typed(fast.items) == typed(items), body
    assert plain.get("success", True) is True and plain.get("error") is None
    if names.next_cursor:
        assert fast.next_cursor == plain.get(names.next_cursor)
        assert fast.has_more is plain[names.has_more]
    return True


def test_the_answers_are_of_all_kinds() -> None:
    answers = Answers(1)
    read_ones = [compare(answers.body(type_), type_) for type_ in TYPES * 100]
    assert 0.3 < sum(read_ones) / len(read_ones) < 0.7
    pages = [
        compare_pages(answers.damaged(page_body(answers, operation)), operation)
        for operation in LISTS * 100
    ]
    assert 0.3 < sum(pages) / len(pages) < 0.7


@pytest.mark.parametrize("type_", [Flat, Thing, Rare, Mixed, Event, datetime])
def test_each_list_is_read_by_the_path_that_it_is_made_for(type_: Any) -> None:
    assert (fast_path.list_reader(type_)([]) is None) == (type_ is not Flat)


def test_a_model_that_holds_itself_is_read() -> None:
    body = b'{"size":"1","trees":[{"size":"2.0","trees":[]},{"size":3}]}'
    assert compare(body, Tree)
    assert not compare(body.replace(b"3", b"true"), Tree)
