"""The fast path: which pages and lists it reads, and that nobody notices which path it was.

tests/fuzz/test_readers.py compares them on damaged answers of every type.
"""

from __future__ import annotations

import decimal
import json
import pickle
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from typing import Any, get_type_hints
from uuid import UUID, SafeUUID

import attrs
import msgspec
import pytest
from attrs import field, frozen

from tests.runtime.codec.things import ID, Colour, Level
from trading_runtime import IntegerText
from trading_runtime.codec import fast_path
from trading_runtime.codec.answers import ResultReader
from trading_runtime.codec.decoder import structure
from trading_runtime.codec.fast_path import page_reader
from trading_runtime.codec.fields import UNSET, Unset
from trading_runtime.codec.models import BaseModel, OpenEnum
from trading_runtime.codec.pages import PageReader
from trading_runtime.codec.parser import MAX_DEPTH, parse
from trading_runtime.errors import BadRequestError, DecodeError
from trading_runtime.operation import ListOperation, Operation, Pagination
from trading_sdk.models import ActionResult
from trading_sdk.operations import API


@frozen(kw_only=True)
class Thing:
    count: int
    weight: Decimal
    id: UUID | None = None
    colour: Colour | str = "none"
    level: Level | int | None = None


THING: dict[str, Any] = {"count": 1, "weight": "1.50", "id": ID, "colour": "red", "level": 1}


def listed(item: Any, **pagination: Any) -> ListOperation[Any]:
    """A list of items."""
    names: dict[str, Any] = {
        "items": "data",
        "cursor": "at",
        "next_cursor": "next",
        "has_more": "more",
    }
    return ListOperation(
        name="things.list",
        method="GET",
        path="/things",
        result=item,
        pagination=Pagination(**{**names, **pagination}),
    )


THINGS = listed(Thing)


def page(*items: object, **others: object) -> bytes:
    return json.dumps({"data": items, "next": "c", "more": True, **others}).encode()


def record(item: Any, fields: dict[str, Any]) -> Any:
    """The record that the fast path makes of fields; None if it leaves a list of them."""
    found = fast_path.list_reader(item)([fields])
    return None if found is None else found[0]


@pytest.fixture(autouse=True)
def _anew() -> Iterator[None]:
    """Nothing that another test made is used again."""
    for made in (fast_path.list_reader, fast_path.page_reader):
        made.cache_clear()
    yield


# What is read


def test_every_list_of_the_sdk_is_read_by_it() -> None:
    lists = [each for each in API.operations.values() if isinstance(each, ListOperation)]
    assert len(lists) == 5
    for operation in lists:
        assert fast_path.list_reader(operation.result)([]) == ()
        names = operation.pagination
        empty: dict[str, Any] = {
            names.items: [],
            names.next_cursor: None,
            names.has_more: False,
            "success": True,
        }
        assert page_reader(operation)(json.dumps(empty).encode()) is not None


def test_a_page_is_read_from_its_bytes() -> None:
    found = page_reader(THINGS)(page(THING, success=True, error=None, code=None, note={"a": [5.5]}))
    assert found is not None
    assert found.items == (
        Thing(count=1, weight=Decimal("1.50"), id=UUID(ID), colour=Colour.RED, level=Level.LOW),
    )
    assert (found.next_cursor, found.has_more) == ("c", True)
    assert [type(found.items[0].colour), type(found.items[0].level)] == [Colour, Level]


def test_a_list_in_parsed_json_is_read_by_it() -> None:
    found = fast_path.list_reader(Thing)([THING, THING])
    assert found == structure([THING, THING], Sequence[Thing]) == (structure(THING, Thing),) * 2
    assert fast_path.list_reader(Thing)([THING, {**THING, "count": "1"}]) is None


def test_unknown_values_of_enums_are_read_as_they_are() -> None:
    found = record(Thing, {**THING, "colour": "violet", "level": 7})
    assert (found.colour, found.level) == ("violet", 7)
    assert (type(found.colour), type(found.level)) == (str, int)
    assert record(Thing, {**THING, "level": 2**63}) is None


@pytest.mark.parametrize("absent", ["id", "colour", "level"])
def test_what_need_not_be_there_is_read_alike_by_both_paths(absent: str) -> None:
    fields = {name: each for name, each in THING.items() if name != absent}
    assert record(Thing, fields) == structure(fields, Thing)


def test_a_uuid_is_one_like_any_other() -> None:
    for text in (ID, ID.upper(), ID.replace("-", "")):
        found = record(Thing, {**THING, "id": text}).id
        assert (found, hash(found), str(found)) == (UUID(ID), hash(UUID(ID)), ID)
        assert found.is_safe is SafeUUID.unknown
        assert pickle.loads(pickle.dumps(found)) == found


@frozen(kw_only=True)
class Sized:
    size: Decimal
    limit: Decimal | None = None


@pytest.mark.parametrize("name", ["size", "limit"])
def test_every_decimal_is_checked(name: str) -> None:
    fields = {"size": "1", "limit": "2", name: "1.50"}
    assert repr(getattr(record(Sized, fields), name)) == "Decimal('1.50')"
    assert record(Sized, {"size": "1", "limit": None}) == Sized(size=Decimal(1))
    for text in ("NaN", "sNaN", "Infinity", "x", "1e1000", "0e-2000", "9" * 101):
        damaged = {**fields, name: text}
        assert record(Sized, damaged) is None
        assert page_reader(listed(Sized))(page(damaged)) is None
        with pytest.raises(ValueError, match=rf"is not a decimal @ \$\[0\]\.{name}"):
            structure([damaged], Sequence[Sized])


def test_no_setting_of_the_caller_changes_a_decimal_or_lets_anything_else_pass_for_one() -> None:
    with decimal.localcontext(decimal.Context(prec=3, Emax=5, traps=[], clamp=1)):
        for found in (
            record(Sized, {"size": "123456789.10e5"}),
            structure({"size": "123456789.10e5"}, Sized),
        ):
            assert repr(found.size) == "Decimal('1.2345678910E+13')"
    with decimal.localcontext(decimal.Context(prec=3, traps=[], clamp=1)):
        for text in ("NaN", "sNaN", "Infinity", "x", "1e1000", "9" * 101):
            assert record(Sized, {"size": text}) is None
            with pytest.raises(ValueError, match="is not a decimal @ "):
                structure({"size": text}, Sized)


# What is left to the decoder


def twice(value: int) -> int:
    return value * 2


@frozen(kw_only=True)
class Doubled:
    count: int = field(converter=twice)


@frozen(kw_only=True)
class Checked:
    count: int = field(validator=attrs.validators.ge(2))


@frozen(kw_only=True)
class Derived:
    count: int
    more: int = field(init=False, default=1)


@frozen(kw_only=True)
class Watched:
    count: int

    def __attrs_post_init__(self) -> None:
        raise ValueError("seen")


@frozen(kw_only=True)
class Minted:
    count: int = 5
    made: UUID | None = field(factory=lambda: UUID(int=1))


@frozen(kw_only=True)
class Settable:
    count: int | Unset = UNSET


@frozen(kw_only=True)
class Renamed:
    of: int = field(metadata={"json": "count"})


@frozen(kw_only=True)
class Private:
    _count: int


class Nothing(OpenEnum):
    """msgspec refuses an enum without members."""


@frozen(kw_only=True)
class OfNothing:
    count: int
    kind: Nothing | str | None = None


@frozen(kw_only=True)
class Timed:
    at: datetime | None = None


@frozen(kw_only=True)
class Counted:
    count: IntegerText


@frozen(kw_only=True)
class Anything:
    count: Any


@frozen(kw_only=True)
class Tree:
    trees: Sequence[Tree] = ()


@pytest.mark.parametrize(
    "type_",
    [
        *(Doubled, Checked, Derived, Watched, Minted, Renamed, Private, Settable, OfNothing),
        *(Timed, Counted, Anything, Tree, int, str, Decimal, Colour | str, Sequence[Thing]),
    ],
)
def test_records_that_are_not_plain_are_left_to_the_decoder(type_: Any) -> None:
    assert fast_path.list_reader(type_)([]) is None
    assert page_reader(listed(type_))(page()) is None
    assert structure([], Sequence[type_]) == ()
    assert PageReader(listed(type_), None).read(200, page()).items == ()


def test_every_instance_is_made_as_its_class_says() -> None:
    two = {"count": 2}
    assert structure(two, Doubled).count == 4
    assert structure(two, Derived).more == 1
    assert structure({}, Minted) == Minted(count=5, made=None)
    assert structure({}, Settable).count is UNSET
    assert structure({"trees": [{"trees": []}]}, Tree) == Tree(trees=(Tree(),))
    assert structure(two, Renamed).of == 2
    assert structure({"_count": 2}, Private)._count == 2
    assert structure({**two, "kind": "x"}, OfNothing).kind == "x"
    for model, problem in ((Checked, "must be >= 2"), (Watched, "seen")):
        with pytest.raises(ValueError, match=problem):
            structure({"count": 1}, model)


@pytest.mark.parametrize(
    ("others", "error"),
    [
        *(({"success": said}, DecodeError) for said in (None, 1)),
        *(({"more": said}, DecodeError) for said in (None, 1)),
        *(({"error": "no"}, DecodeError), ({"next": 5}, DecodeError)),
        ({"success": False}, BadRequestError),
    ],
)
def test_a_page_that_contradicts_itself_or_says_failure_is_not_read_fast(
    others: dict[str, object], error: type[Exception]
) -> None:
    body = page(THING, **others)
    assert page_reader(THINGS)(body) is None
    with pytest.raises(error):
        PageReader(THINGS, None).read(200, body)


def test_an_object_beside_the_items_may_contradict_them() -> None:
    shelf = listed(Thing, items="shelf")
    usual = {"shelf": [THING], "next": None, "more": False}
    refused = {**usual, "data": {"success": False, "error": "no"}}
    assert PageReader(shelf, None).read(200, json.dumps(usual).encode()).items
    assert page_reader(shelf)(json.dumps({**usual, "data": None}).encode()) is not None
    assert page_reader(shelf)(json.dumps(refused).encode()) is None
    with pytest.raises(BadRequestError):
        PageReader(shelf, None).read(200, json.dumps(refused).encode())


def test_items_may_be_named_like_a_part_of_the_envelope() -> None:
    named = listed(Thing, items="error")
    assert page_reader(named)(page()) is None


@pytest.mark.parametrize("name", ["items", "next_cursor", "has_more"])
def test_a_page_with_a_path_in_place_of_a_name_is_not_read_fast(name: str) -> None:
    deep = {"items": "in.data", "next_cursor": "in.next", "has_more": "in.more"}
    operation = listed(Thing, **{name: deep[name]})
    inner = {"data": [THING], "next": "d", "more": True}
    body = page(THING, **{"in": inner})
    assert page_reader(operation)(body) is None
    found = PageReader(operation, None).read(200, body)
    assert (len(found.items), found.has_more) == (1, True)
    assert found.next_cursor == ("d" if name == "next_cursor" else "c")


def test_a_page_of_a_list_with_offsets_is_read_from_its_bytes() -> None:
    offsets = listed(Thing, cursor="offset", next_cursor="", has_more="")
    body = json.dumps({"data": [THING, THING]}).encode()
    assert page_reader(offsets)(body) is not None
    found = PageReader(offsets, "10").read(200, body)
    assert (len(found.items), found.next_cursor, found.has_more) == (2, "12", True)


@pytest.mark.parametrize("count", [0, 1, 300])
def test_a_page_nests_as_deep_as_any_answer(count: int) -> None:
    for levels, is_read in ((MAX_DEPTH - 3, True), (MAX_DEPTH - 2, False)):
        body = page(*[THING] * count, {**THING, "new": 0}).replace(
            b" 0}", b"[" * levels + b"]" * levels + b"}"
        )
        assert (page_reader(THINGS)(body) is not None) == is_read
        if is_read:
            assert len(parse(body)["data"]) == count + 1
        else:
            with pytest.raises(DecodeError, match="nested too deep"):
                PageReader(THINGS, None).read(200, body)


def test_how_a_type_is_read_is_not_found_out_where_the_stack_is_nearly_full() -> None:
    # A type that seems to hold itself there would be read slowly from then on.
    def at(depth: int) -> object:
        if depth:
            return at(depth - 1)
        found = PageReader(THINGS, None).read(200, page(THING)).items
        return found == (structure(THING, Thing),)

    for depth in range(sys.getrecursionlimit() - 300, sys.getrecursionlimit(), 5):
        with suppress(RecursionError, DecodeError, ValueError):
            assert at(depth)
        assert page_reader(THINGS)(page(THING)) is not None
        assert record(Thing, THING) is not None
        page_reader.cache_clear()
        fast_path.list_reader.cache_clear()


def test_a_fraction_is_the_same_inside_and_outside_an_envelope_if_it_is_written_alike() -> None:
    answer = '{"success":true,"weight":%s,"data":{"count":1,"weight":1.50}}'
    thing: Operation[Thing] = Operation(name="things.get", method="GET", path="/", result=Thing)
    found: Thing = ResultReader(thing).read(200, (answer % "1.50").encode())
    assert repr(found.weight) == "Decimal('1.50')"
    for other in ("1.5", '"1.50"', "1"):
        with pytest.raises(DecodeError, match="weight has two different values"):
            ResultReader(thing).read(200, (answer % other).encode())


# The models


def test_the_models_keep_their_annotations_and_nothing_of_msgspec() -> None:
    own = dict(Thing.__annotations__)
    structure(THING, Thing)
    assert Thing.__annotations__ == own
    assert get_type_hints(Thing)["colour"] == Colour | str
    assert "__msgspec_cache__" not in vars(Thing)
    with pytest.raises(TypeError):  # Of the union of an enum and str.
        msgspec.json.decode(b"{}", type=Thing)


def test_no_field_that_is_absent_costs_the_text_of_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(BaseModel, "__getattr__", lambda _, name: asked.append(name), raising=False)

    found = record(ActionResult, {"success": True, "order_id": 1})

    assert (found.order_id, found.error, asked) == (1, None, [])
