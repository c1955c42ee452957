"""The fast path: what it reads, what it leaves to the slow one, and that nobody notices which it was.

tests/fuzz/test_readers.py compares them on damaged answers of every type.
"""

from __future__ import annotations

import decimal
import json
import pickle
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from decimal import Decimal
from typing import Annotated, Any, TypeAlias, get_type_hints
from uuid import UUID, SafeUUID

import attrs
import msgspec
import pytest
from attrs import field, frozen

from tests.runtime.codec.things import ID, Colour, Level
from trading_runtime import Discriminator, HiddenJson, IntegerText, UnknownObject
from trading_runtime.codec import decoder, shapes
from trading_runtime.codec.answers import ResultReader
from trading_runtime.codec.decoder import MAX_DEPTH, page_decoder, parse, structure
from trading_runtime.codec.enums import OpenEnum
from trading_runtime.codec.fields import UNSET, Unset
from trading_runtime.codec.models import BaseModel
from trading_runtime.codec.page_answers import page_reader
from trading_runtime.codec.records import explained
from trading_runtime.errors import BadRequestError, DecodeError
from trading_runtime.operation import ListOperation, Operation, Pagination
from trading_sdk.models import (
    AccountSettings,
    ActionResult,
    FundingRecord,
    Order,
    OrderPlaced,
    Trade,
)


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


@pytest.fixture(autouse=True)
def _anew() -> None:
    """Nothing that an earlier test made is used again."""
    for made in (decoder.fast_way, decoder.page_decoder, shapes._of_model, shapes._lenient):
        made.cache_clear()


# What is read


def test_what_is_as_expected_is_not_read_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(decoder, "explained")
    assert structure(THING, Thing).weight == Decimal("1.50")
    assert structure(["1", "2.0"], Sequence[Decimal]) == (Decimal(1), Decimal("2.0"))
    assert structure({"a": [None, "1"]}, Mapping[str, Sequence[Decimal | None]]) == {
        "a": (None, Decimal(1))
    }
    assert structure(["a", 5], tuple[str, int]) == ("a", 5)


def test_decimals_outside_of_models_are_checked() -> None:
    found = page_decoder(listed(Decimal))(page("1.50", "2"))
    assert found is not None
    assert repr(found.items) == "(Decimal('1.50'), Decimal('2'))"
    for text in ("NaN", "9" * 101):
        assert page_decoder(listed(Decimal))(page("1", text)) is None
        for value, type_ in (
            (["1", text], Sequence[Decimal]),
            ({"a": [None, text]}, Mapping[str, Sequence[Decimal | None]]),
            (["a", text], tuple[str, Decimal | None]),
            (text, Decimal),
        ):
            with pytest.raises(ValueError, match="is not a decimal @ "):
                structure(value, type_)


def test_a_page_is_read_from_its_bytes() -> None:
    found = page_decoder(THINGS)(
        page(THING, success=True, error=None, code=None, note={"a": [5.5]})
    )
    assert found is not None
    assert found.items == (
        Thing(count=1, weight=Decimal("1.50"), id=UUID(ID), colour=Colour.RED, level=Level.LOW),
    )
    assert (found.next_cursor, found.has_more) == ("c", True)
    assert [type(found.items[0].colour), type(found.items[0].level)] == [Colour, Level]


def test_unknown_values_of_enums_are_read_as_they_are() -> None:
    found = structure({**THING, "colour": "violet", "level": 7}, Thing)
    assert (found.colour, found.level) == ("violet", 7)
    assert (type(found.colour), type(found.level)) == (str, int)
    with pytest.raises(ValueError, match=r"expected an integer of 64 bits @ \$\.level"):
        structure({**THING, "level": 2**63}, Thing)


def test_the_models_of_the_sdk_are_read_fast() -> None:
    for model in (Order, Trade, FundingRecord, OrderPlaced, AccountSettings):
        assert decoder.fast_way(model) is not None
    found = page_decoder(listed(OrderPlaced))(page({"order_id": 5}))
    assert found is not None and found.items == (OrderPlaced(order_id=5),)


@frozen(kw_only=True)
class Perhaps:
    limit: Decimal | None = None


@frozen(kw_only=True)
class Tree:
    trees: Sequence[Tree] = ()
    level: Level | int | None = None


def test_what_need_not_be_there_is_read_alike_by_both_paths() -> None:
    for value in ({}, {"limit": None}, {"limit": "1.0"}):
        assert structure(value, Perhaps) == explained(value, Perhaps)
    with pytest.raises(ValueError, match="'NaN' is not a decimal"):
        structure({"limit": "NaN"}, Perhaps)
    assert explained({"level": None}, Tree) == Tree()


def test_a_uuid_is_one_like_any_other() -> None:
    for text in (ID, ID.upper(), ID.replace("-", "")):
        found = structure({**THING, "id": text}, Thing).id
        assert (found, hash(found), str(found)) == (UUID(ID), hash(UUID(ID)), ID)
        assert found.is_safe is SafeUUID.unknown
        assert pickle.loads(pickle.dumps(found)) == found


def test_no_setting_of_the_caller_changes_a_decimal_or_lets_anything_else_pass_for_one() -> None:
    with decimal.localcontext(decimal.Context(prec=3, Emax=5, traps=[], clamp=1)):
        found = structure({**THING, "weight": "123456789.10e5"}, Thing)
        assert repr(found.weight) == "Decimal('1.2345678910E+13')"
    with decimal.localcontext(decimal.Context(prec=3, traps=[], clamp=1)):
        for text in ("NaN", "sNaN", "Infinity", "x", "1e1000", "9" * 101):
            assert page_decoder(THINGS)(page({**THING, "weight": text})) is None
            with pytest.raises(ValueError, match="is not a decimal @ "):
                structure({**THING, "weight": text}, Thing)


# Decimals, wherever they stand


@frozen(kw_only=True)
class One:
    size: Decimal


@frozen(kw_only=True)
class Two:
    size: Decimal
    limit: Decimal


@frozen(kw_only=True)
class Deep:
    name: str
    size: Decimal
    limit: Decimal | None
    one: One
    two: Two | None = None
    ones: Sequence[One] = ()
    limits: Sequence[Decimal | None] = ()
    by_name: Mapping[str, Two] | None = None
    pair: tuple[str, Decimal, One]


DEEP: dict[str, Any] = {
    "name": "a",
    "size": "1",
    "limit": "1",
    "one": {"size": "1"},
    "two": {"size": "1", "limit": "1"},
    "ones": [{"size": "1"}],
    "limits": [None, "1"],
    "by_name": {"a": {"size": "1", "limit": "1"}},
    "pair": ["a", "1", {"size": "1"}],
}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Where a "1" stands: what holds it, and its key there."""
    found: list[tuple[Any, Any]] = []
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        if each == "1":
            found.append((value, key))
        elif isinstance(each, (dict, list)):
            found += places(each)
    return found


def test_a_decimal_is_checked_wherever_it_stands() -> None:
    assert decoder.fast_way(Deep) is not None
    assert structure(DEEP, Deep) == explained(DEEP, Deep)
    bare = {**DEEP, "limit": None, "two": None, "by_name": None}
    assert structure(bare, Deep) == explained(bare, Deep)
    count = len(places(DEEP))
    for index in range(count):
        damaged = json.loads(json.dumps(DEEP))
        holder, key = places(damaged)[index]
        holder[key] = "NaN"
        with pytest.raises(ValueError, match=r"^'NaN' is not a decimal @ \$\."):
            structure(damaged, Deep)
    assert count == 11


# What is left to the slow path


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


Known: TypeAlias = Annotated[Thing | UnknownObject, Discriminator("count", {"1": Thing})]
PARTS = [
    *(Doubled, Checked, Derived, Watched, Minted, Renamed, Private),
    *(datetime, IntegerText, Known, Any, HiddenJson, int | str, int | Unset | None, dict),
]
"""What msgspec leaves to a function of the runtime, as shapes.py lists it."""
FAST = [
    *(int, str, bool, Decimal, UUID, Colour | str, Level | int, Thing, Settable, Sequence[str]),
    *(tuple[str, int], Sequence[Any], Mapping[str, int], Mapping[str, Any]),
    *(Sequence[Mapping[str, Decimal]], Mapping[str, Known], Sequence[Renamed]),
]
SLOW = [OfNothing, Tree, Sequence[Tree], Mapping[str, OfNothing]]


@pytest.mark.parametrize("type_", FAST)
def test_what_msgspec_reads_is_fast_with_null_and_without(type_: Any) -> None:
    for each in (type_, Sequence[type_], Sequence[type_ | None]):
        assert decoder.fast_way(each) is not None


@pytest.mark.parametrize("type_", [*PARTS, *SLOW])
def test_a_part_of_what_msgspec_reads_is_not_fast_alone_nor_is_what_holds_itself(
    type_: Any,
) -> None:
    assert decoder.fast_way(type_) is None
    assert page_decoder(listed(type_))(page()) is None
    for whole in (
        (Sequence[type_], tuple[type_, int], Mapping[str, type_]) if type_ in PARTS else ()
    ):
        assert decoder.fast_way(whole) is not None


@frozen(kw_only=True)
class Mixed:
    at: datetime
    number: IntegerText | None
    known: Known
    any: Any = None
    flag: bool | Unset | None = UNSET
    renamed: Sequence[Renamed] = ()
    sizes: Mapping[str, Mapping[str, Decimal]]


MIXED: dict[str, Any] = {
    "at": "2027-01-31T12:00:00.5Z",
    "number": "12",
    "known": {"count": "strange", "size": [1.5, {"a": None}]},
    "any": {"a": [1.5]},
    "flag": None,
    "renamed": [{"count": 5}],
    "sizes": {"a": {"b": "1.50"}},
}


def test_parts_are_read_on_the_fast_path_and_are_equal_to_those_of_the_slow_one() -> None:
    pages = page_decoder(listed(Mixed))
    found = pages(page(MIXED))
    assert found is not None
    slow = explained(parse(json.dumps(MIXED).encode()), Mixed)
    assert found.items == (slow,) == (structure(parse(json.dumps(MIXED).encode()), Mixed),)
    assert repr(found.items) == repr((slow,))
    assert slow.at == datetime(2027, 1, 31, 12, 0, 0, 500_000, timezone.utc)
    assert slow.known == UnknownObject(MIXED["known"])
    assert slow.known["size"] == (1.5, {"a": None})
    for name, wrong in (
        ("at", "yesterday"),
        ("number", 12),
        ("known", {}),
        ("flag", 1),
        ("renamed", [{}]),
        ("sizes", {"a": {"b": "NaN"}}),
    ):
        damaged = {**MIXED, name: wrong}
        assert pages(page(damaged)) is None
        with pytest.raises(ValueError, match=rf" @ \$\.{name}"):
            structure(damaged, Mixed)


def test_every_instance_is_made_as_its_class_says() -> None:
    two = {"count": 2}
    assert structure(two, Doubled).count == 4
    assert structure(two, Derived).more == 1
    assert structure({}, Minted) == Minted(count=5, made=None)
    assert structure({}, Settable).count is UNSET
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
    assert page_decoder(THINGS)(body) is None
    with pytest.raises(error):
        page_reader(THINGS, None).read(200, body)


def test_an_object_beside_the_items_may_contradict_them() -> None:
    shelf = listed(Thing, items="shelf")
    usual = {"shelf": [THING], "next": None, "more": False}
    refused = {**usual, "data": {"success": False, "error": "no"}}
    assert page_reader(shelf, None).read(200, json.dumps(usual).encode()).items
    assert page_decoder(shelf)(json.dumps({**usual, "data": None}).encode()) is not None
    assert page_decoder(shelf)(json.dumps(refused).encode()) is None
    with pytest.raises(BadRequestError):
        page_reader(shelf, None).read(200, json.dumps(refused).encode())


def test_items_may_be_named_like_a_part_of_the_envelope() -> None:
    named = listed(Thing, items="error")
    assert page_decoder(named)(page()) is None


@pytest.mark.parametrize("name", ["items", "next_cursor", "has_more"])
def test_a_page_with_a_path_in_place_of_a_name_is_not_read_fast(name: str) -> None:
    deep = {"items": "in.data", "next_cursor": "in.next", "has_more": "in.more"}
    operation = listed(Thing, **{name: deep[name]})
    inner = {"data": [THING], "next": "d", "more": True}
    body = page(THING, **{"in": inner})
    assert page_decoder(operation)(body) is None
    found = page_reader(operation, None).read(200, body)
    assert (len(found.items), found.has_more) == (1, True)
    assert found.next_cursor == ("d" if name == "next_cursor" else "c")


def test_a_page_of_a_list_with_offsets_is_read_from_its_bytes() -> None:
    offsets = listed(Thing, cursor="offset", next_cursor="", has_more="")
    body = json.dumps({"data": [THING, THING]}).encode()
    assert page_decoder(offsets)(body) is not None
    found = page_reader(offsets, "10").read(200, body)
    assert (len(found.items), found.next_cursor, found.has_more) == (2, "12", True)


# JSON


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


@pytest.mark.parametrize("text", ["", '\\"[' * 500])
def test_a_hundred_levels_are_read_whatever_stands_in_texts_and_beside_them(text: str) -> None:
    beside = f'"text":"{text}","all":[{",".join(["[]"] * 500)}]'
    for levels, is_read in ((MAX_DEPTH - 1, True), (MAX_DEPTH, False)):
        body = f'{{{beside},"new":{nested(levels)}}}'.encode()
        if is_read:
            assert parse(body)["text"] == json.loads(body)["text"]
        else:
            with pytest.raises(ValueError, match="nested too deep"):
                parse(body)


@pytest.mark.parametrize("count", [0, 1, 300])
def test_a_page_nests_as_deep_as_any_answer(count: int) -> None:
    for levels, is_read in ((MAX_DEPTH - 3, True), (MAX_DEPTH - 2, False)):
        body = page(*[THING] * count, {**THING, "new": 0}).replace(
            b" 0}", nested(levels).encode() + b"}"
        )
        assert (page_decoder(THINGS)(body) is not None) == is_read
        if is_read:
            assert len(parse(body)["data"]) == count + 1
        else:
            with pytest.raises(DecodeError, match="nested too deep"):
                page_reader(THINGS, None).read(200, body)


def test_how_a_type_is_read_is_not_found_out_where_the_stack_is_nearly_full() -> None:
    # A type that seems to hold itself there would be read slowly from then on.
    def at(depth: int) -> object:
        if depth:
            return at(depth - 1)
        found = page_reader(THINGS, None).read(200, page(THING)).items
        return found == (structure(THING, Thing),)

    for depth in range(sys.getrecursionlimit() - 300, sys.getrecursionlimit(), 5):
        with suppress(RecursionError, DecodeError, ValueError):
            assert at(depth)
        assert page_decoder(THINGS)(page(THING)) is not None
        assert decoder.fast_way(Thing) is not None
        page_decoder.cache_clear()
        decoder.fast_way.cache_clear()


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000])
def test_an_integer_of_thousands_of_digits_is_a_number_like_any_other(number: str) -> None:
    texts = ["9" * 5000, "a\\" + "9" * 5000, '"' + "9" * 5000]
    others = f"[1,-0.{'9' * 30},1{'0' * 30}.5e-{'0' * 30}1,1e{'0' * 30}2,{'9' * 30}]"
    found = parse(f'{{"new":{number},"texts":{json.dumps(texts)},"others":{others}}}'.encode())
    assert found["texts"] == texts
    assert [getattr(each, "text", each) for each in found["others"]] == [
        1,
        f"-0.{'9' * 30}",
        f"1{'0' * 30}.5e-{'0' * 30}1",
        f"1e{'0' * 30}2",
        f"{'9' * 30}e0",
    ]
    assert found["new"].text.startswith(number)


@pytest.mark.parametrize(("number", "value"), [("1.5", 1.5), ("-2e3", -2000.0), ("7", 7)])
def test_where_anything_may_stand_numbers_are_those_of_python(number: str, value: object) -> None:
    found = structure(parse(b'{"a":[%s]}' % number.encode()), Any)
    assert found == {"a": [value]}
    assert type(found["a"][0]) is type(value)
    with pytest.raises(ValueError, match="1e400 is out of range @ "):
        structure(parse(b'{"a":[1e400]}'), Any)


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


def test_what_is_read_is_of_the_model_through_and_through() -> None:
    found = structure(DEEP, Deep)
    assert [type(each) for each in (found, found.one, *found.ones)] == [Deep, One, One]
    assert type(found.by_name["a"]) is Two
    assert type(found.pair[2]) is One
    assert pickle.loads(pickle.dumps(found)) == found
    assert attrs.evolve(found, name="b").name == "b"
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        found.name = "b"
    assert repr(found) == repr(explained(DEEP, Deep))


def test_no_field_that_is_absent_costs_the_text_of_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(BaseModel, "__getattr__", lambda _, name: asked.append(name), raising=False)

    found = structure({"success": True, "order_id": 1}, ActionResult)

    assert (found.order_id, found.error, asked) == (1, None, [])
