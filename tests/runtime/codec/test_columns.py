"""Lists of records by columns: what comes out is what comes out one by one, right or wrong."""

from __future__ import annotations

import decimal
import pickle
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, cast, get_args
from uuid import UUID, SafeUUID

import attrs
import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from trading_runtime.codec.columns import reader
from trading_runtime.codec.fields import UNSET, OpenEnum, Unset
from trading_runtime.codec.records import structure
from trading_sdk.models import FundingRecord, Order, Trade


class Colour(OpenEnum):
    RED = "red"
    BLUE = "blue"


@frozen(kw_only=True)
class Thing:
    count: int
    name: str
    ready: bool
    weight: Decimal
    id: UUID
    colour: Colour | str
    rank: int | None = None
    title: str | None = None
    gone: bool | None
    cost: Decimal | None = None
    made: UUID | None = field(factory=lambda: UUID(int=1))
    mood: Colour | str | None = None


def one_by_one() -> type[Any]:
    """A model with the fields of a Thing that is never read by columns."""
    fields = {
        each.name: field(default=each.default, type=each.type, validator=lambda *_: None)
        for each in attrs.fields(attrs.resolve_types(Thing))
    }
    return attrs.make_class("OneByOne", fields, frozen=True, slots=True, kw_only=True)


ONE_BY_ONE = one_by_one()
ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
GOOD: dict[str, Any] = {
    "count": 1,
    "name": "a",
    "ready": True,
    "weight": "1.50",
    "id": ID,
    "colour": "red",
    "gone": None,
}
FULL = {**GOOD, "rank": 2, "title": "b", "gone": False, "cost": "-0.1", "made": ID, "mood": "new"}
DECIMALS = ["0", "-0.00", "007", "+1", "1e5", "1E-7", "2.5e+999", "9" * 60, "-0.1"]
NO_DECIMALS = [
    *("", "-", "1-2", "--1", "1.", ".5", "-.5", "1..2", "1.2.3", "1,2", "1,", ",", "1e", "e5"),
    *("1_0", " 1", "1 ", "1\n", "1\n2", "1e1000", "NaN", "sNaN", "Infinity", "0x1", "\u0661"),
    *("1\x00", "\ud800", "--", "1e-", "+-1"),
]
UUIDS = [ID.upper(), ID.replace("-", ""), f"{{{ID}}}", f"urn:uuid:{ID}", f"-{ID}-"]
NO_UUIDS = [
    "",
    ID[:-1],
    ID + "0",
    f"{ID},{ID}",
    f"0x{ID[2:]}",
    f"+{ID[1:]}",
    f" {ID[1:]}",
    f"{ID}\n",
]
OTHERS = [0, 1, -(2**70), True, False, None, 1.5, "red", "new", "1", [], ["1"], {}, {"a": 1}]
ODD = [*DECIMALS, *NO_DECIMALS, *UUIDS, *NO_UUIDS, *OTHERS]

NAMES = [each.name for each in attrs.fields(Thing)]
parcels = st.sampled_from([GOOD, FULL, {**FULL, "colour": "new"}, dict(reversed(FULL.items()))])
changes = st.tuples(
    st.integers(min_value=0), st.sampled_from([*NAMES, "unknown"]), st.sampled_from(ODD)
)


def read(items: Sequence[object], model: type[Any]) -> object:
    """The fields of each item, of which the texts show the type as well, or what is wrong."""
    try:
        found = structure(items, cast(Any, Sequence)[model])
    except ValueError as error:
        return str(error)
    assert {type(each) for each in found} <= {model}
    return [repr(attrs.astuple(each, recurse=False)) for each in found]


@given(
    st.lists(parcels, max_size=12),
    st.lists(changes, max_size=3),
    st.none() | changes,
    st.none() | st.tuples(st.integers(min_value=0), st.sampled_from(OTHERS)),
)
def test_what_is_read_by_columns_is_what_is_read_one_by_one(
    items: list[Any], changed: list[Any], removed: Any, replaced: Any
) -> None:
    items = [dict(item) for item in items]
    for place, name, value in changed if items else ():
        items[place % len(items)][name] = value
    if items and removed:
        items[removed[0] % len(items)].pop(removed[1], None)
    if items and replaced:
        items[replaced[0] % len(items)] = replaced[1]
    assert read(items, Thing) == read(items, ONE_BY_ONE)


@pytest.mark.parametrize("name", NAMES)
def test_whatever_stands_in_a_field_it_is_read_alike(name: str) -> None:
    for value in ODD:
        items = [GOOD, FULL, {**FULL, name: value}, GOOD, FULL, GOOD]
        assert read(items, Thing) == read(items, ONE_BY_ONE), value
        items = [{**FULL, name: value}] * 6
        assert read(items, Thing) == read(items, ONE_BY_ONE), value


@pytest.mark.parametrize(
    "items", [[], [GOOD] * 9, [FULL, GOOD] * 9, [dict(reversed(FULL.items()))]]
)
def test_records_as_expected_are_read_by_columns(items: list[Any]) -> None:
    found = reader(Thing)(items)
    assert found is not None or not items
    assert tuple(found or ()) == structure(items, Sequence[Thing])


@pytest.mark.parametrize("text", DECIMALS)
def test_every_decimal_is_read_by_columns_exactly(text: str) -> None:
    found = reader(Thing)([GOOD, {**GOOD, "weight": text}])
    assert found is not None
    assert repr(found[1].weight) == repr(Decimal(text))


@pytest.mark.parametrize("text", NO_DECIMALS)
def test_no_setting_of_the_caller_lets_anything_else_pass_for_a_decimal(text: str) -> None:
    items = [{**GOOD, "weight": text}] * 9
    with decimal.localcontext(decimal.Context(prec=3, traps=[], clamp=1)):
        assert reader(Thing)(items) is None
        assert "is not a decimal @ $[0].weight" in str(read(items, Thing))


def test_no_setting_of_the_caller_changes_a_decimal() -> None:
    with decimal.localcontext(decimal.Context(prec=3, Emax=5, traps=[], clamp=1)):
        found = reader(Thing)([{**GOOD, "weight": "123456789.10e5"}])
    assert found is not None
    assert repr(found[0].weight) == "Decimal('1.2345678910E+13')"


def test_a_uuid_is_one_like_any_other() -> None:
    found = reader(Thing)([GOOD, {**GOOD, "id": ID.upper().replace("-", "")}])
    assert found is not None
    for each in found:
        assert (each.id, hash(each.id), str(each.id)) == (UUID(ID), hash(UUID(ID)), ID)
        assert each.id.is_safe is SafeUUID.unknown
        assert pickle.loads(pickle.dumps(each)) == each
        with pytest.raises(TypeError):
            each.id.int = 1


def test_what_is_read_by_columns_is_frozen() -> None:
    found = reader(Thing)([GOOD])
    assert found is not None
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        found[0].count = 2


VALUES: dict[Any, Any] = {int: 1, bool: True, str: "new", Decimal: "1.5", UUID: ID}


@pytest.mark.parametrize("model", [Order, Trade, FundingRecord])
def test_the_long_lists_of_the_sdk_are_read_by_columns(model: type[Any]) -> None:
    kinds = {each.name: each.type for each in attrs.fields(attrs.resolve_types(model))}
    record = {name: VALUES.get(kind, "new") for name, kind in kinds.items()}
    optional = [name for name, kind in kinds.items() if type(None) in get_args(kind)]
    record.update(dict.fromkeys(optional))
    found = reader(model)([record] * 9)
    assert found is not None
    assert tuple(found) == structure([record] * 9, cast(Any, Sequence)[model])


def twice(value: int) -> int:
    return value * 2


@frozen(kw_only=True)
class Doubled:
    count: int = field(converter=twice)


@frozen(kw_only=True)
class Checked:
    count: int = field(validator=attrs.validators.ge(2))


@frozen(kw_only=True, slots=False)
class Open:
    count: int


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
class Defaulted:
    count: int = 5


@frozen(kw_only=True)
class Settable:
    count: int | Unset = UNSET


@frozen(kw_only=True)
class Nested:
    count: int | None = None
    things: Sequence[Thing] = field(factory=tuple)


@frozen(kw_only=True)
class Either:
    count: int | str


@frozen
class Empty:
    pass


@pytest.mark.parametrize(
    "model",
    [Doubled, Checked, Open, Derived, Watched, Defaulted, Settable, Nested, Either, Empty, int],
)
def test_what_takes_more_than_to_fill_it_is_read_one_by_one(model: Any) -> None:
    if attrs.has(model):
        attrs.resolve_types(model)
    assert reader(model)([{"count": 1}] * 9) is None


def test_every_instance_is_made_as_its_class_says() -> None:
    items = [{"count": 2}] * 9
    assert [each.count for each in structure(items, Sequence[Doubled])] == [4] * 9
    assert read([{"count": 1}] * 9, Checked) == read([{"count": 1}] * 3, Checked)
    assert str(read(items, Watched)).startswith("seen @ $[0]")
    assert [each.more for each in structure(items, Sequence[Derived])] == [1] * 9
    assert [each.count for each in structure([{}] * 9, Sequence[Defaulted])] == [5] * 9
