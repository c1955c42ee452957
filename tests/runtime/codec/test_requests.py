"""Requests out: what a model is sent as."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

import pytest
from attrs import evolve, frozen
from hypothesis import assume, given, strategies as st

from trading_runtime.codec.fields import UNSET, Unset, decimal_text
from trading_runtime.codec.models import OpenEnum
from trading_runtime.codec.requests import identity, target, unstructure
from trading_runtime.errors import RequestError


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_a_decimal_is_written_plainly_and_exactly(value: Decimal) -> None:
    assume(abs(value.adjusted()) < 200)
    text = decimal_text(value)
    assert "E" not in text.upper()
    assert Decimal(text) == value


class Mark(OpenEnum):
    NEW = "new"


@frozen
class Inner:
    size: Decimal


@frozen
class Outer:
    mark: Mark
    size: Decimal
    name: UUID
    inner: Inner
    texts: Sequence[str]
    many: tuple[Inner, ...]
    count: int | None
    label: str | None = None
    flag: bool | Unset | None = UNSET


def test_what_is_sent_is_written_by_its_type_and_what_was_not_given_is_left_out() -> None:
    model = Outer(
        mark=Mark.NEW,
        size=Decimal("1E+2"),
        name=UUID(int=0),
        inner=Inner(Decimal("1.50")),
        texts=("a", "b"),
        many=(Inner(Decimal(2)),),
        count=None,
    )
    sent = {
        "mark": "new",
        "size": "100",
        "name": "00000000-0000-0000-0000-000000000000",
        "inner": {"size": "1.50"},
        "texts": ["a", "b"],
        "many": [{"size": "2"}],
        "count": None,
    }
    assert unstructure(model) == sent
    assert type(unstructure(model)["mark"]) is str
    assert unstructure(evolve(model, flag=None, label="x")) == {**sent, "label": "x", "flag": None}


def test_a_field_that_the_path_names_stands_there_alone() -> None:
    for path, text in (
        ("/v1/{a}", "/v1/x%2Fy%20%C3%BC?b=1"),
        ("/v1/{b}/{a}", "/v1/1/x%2Fy%20%C3%BC"),
        ("/v1/{a}/last", "/v1/x%2Fy%20%C3%BC/last?b=1"),
    ):
        assert target(path, {"a": "x/y ü", "b": 1}) == text


def test_a_list_stands_in_the_query_once_for_each_value() -> None:
    assert target("/v1", {"a": ["x", "y&z"], "b": [True, 1]}) == "/v1?a=x&a=y%26z&b=true&b=1"
    # An empty one would ask for everything.
    with pytest.raises(RequestError, match=r"^a: an empty list cannot stand in a query"):
        target("/v1", {"a": []})


@pytest.mark.parametrize("text", ["", ".", ".."])
def test_a_field_that_would_lead_to_another_path_is_refused(text: str) -> None:
    with pytest.raises(RequestError, match=r"^a: '\.*' cannot be a part of a path$"):
        target("/v1/{a}", {"a": text})


def test_a_message_without_its_id_has_no_identity() -> None:
    for path in (None, "id", "leg.id"):
        assert identity(path, {}, object()) == (None, False)
