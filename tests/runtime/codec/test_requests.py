"""Requests out: what a model is sent as."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from decimal import Decimal
from enum import Enum
from typing import Any, get_args, get_origin
from uuid import UUID

import attrs
import pytest
from attrs import frozen
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.runtime.codec.things import Colour, Thing
from trading_runtime.codec.decoder import structure
from trading_runtime.codec.enums import OpenEnum
from trading_runtime.codec.requests import identity, plain, target, unstructure
from trading_runtime.errors import RequestError
from trading_runtime.operation import (
    Action,
    Operation,
)
from trading_sdk.operations import API


def model_values(model: type[Any]) -> st.SearchStrategy[Any]:
    """Instances of a request model, from the types of its fields."""
    fields = attrs.fields(attrs.resolve_types(model))
    required = {f.name: values(f) for f in fields if f.default is attrs.NOTHING}
    optional = {f.name: values(f) for f in fields if f.default is not attrs.NOTHING}

    def build(arguments: dict[str, Any]) -> Any:
        try:
            return model(**arguments)
        except RequestError as error:
            # Which of its optional fields go together is a rule of the model as a whole.
            assert re.search("is needed|is before", str(error))
            return None

    arguments = st.fixed_dictionaries(required, optional=optional)
    return arguments.map(build).filter(lambda instance: instance is not None)


def values(argument: attrs.Attribute[Any]) -> st.SearchStrategy[Any]:
    if argument.name == "builder_code":
        return st.none() | st.from_regex(r"[A-Za-z0-9]{3,16}", fullmatch=True)
    return values_of(argument.type)


def values_of(type_: Any) -> st.SearchStrategy[Any]:
    if get_origin(type_) is Sequence:
        return st.lists(values_of(get_args(type_)[0]), max_size=3)
    if arguments := get_args(type_):
        return st.one_of([values_of(argument) for argument in arguments])
    if attrs.has(type_):
        return model_values(type_)
    if issubclass(type_, Enum):
        return st.sampled_from(type_)
    plain: dict[Any, st.SearchStrategy[Any]] = {
        str: st.text(min_size=1, max_size=5),
        int: st.integers(min_value=1, max_value=4000),
        bool: st.booleans(),
        type(None): st.none(),
        UUID: st.uuids(),
        Decimal: st.decimals(allow_nan=False, allow_infinity=False, places=9),
    }
    return plain[type_]


REQUESTS: list[Operation[Any] | Action] = [*API.operations.values(), *API.actions.values()]
MODELS = {each.params.__name__: each.params for each in REQUESTS if each.params is not None}


def leaves(value: Any) -> list[Any]:
    if isinstance(value, (list, dict)):
        items = value.values() if isinstance(value, dict) else value
        return [leaf for item in items for leaf in leaves(item)]
    return [value]


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_every_request_model_is_sent_as_plain_json_and_comes_back(
    name: str, data: st.DataObject
) -> None:
    model = data.draw(model_values(MODELS[name]))

    sent = unstructure(model)

    assert [key for key, value in sent.items() if value is None] in ([], ["disabled"])
    assert {type(leaf) for leaf in leaves(sent)} <= {str, int, bool, type(None)}
    assert structure(json.loads(json.dumps(sent)), type(model)) == model


@settings(deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_a_decimal_is_written_plainly_and_exactly(value: Decimal) -> None:
    assume(abs(value.adjusted()) < 200)
    text = plain(value)
    assert "E" not in text.upper()
    assert Decimal(text) == value


def test_what_was_not_given_is_not_sent() -> None:
    sent = unstructure(Thing(name="a", count=1, ready=True, colour=Colour.RED))
    assert sent == {"name": "a", "count": 1, "ready": True, "colour": "red", "legs": []}


def test_what_is_sent_is_written_by_what_it_is_also_of_classes_that_were_never_sent_before() -> (
    None
):
    class Mark(OpenEnum):
        NEW = "new"

    class Size(Decimal):
        pass

    class Name(UUID):
        pass

    class Label(str):
        pass

    @frozen
    class Inner:
        size: Decimal

    @frozen
    class Outer:
        mark: Mark
        size: Decimal
        name: UUID
        inner: Inner
        texts: tuple[str, ...]
        many: tuple[Inner, ...]
        count: int
        label: Label

    sent = unstructure(
        Outer(
            Mark.NEW,
            Size("1E+2"),
            Name(int=0),
            Inner(Decimal("1.50")),
            ("a", "b"),
            (Inner(Decimal(2)),),
            3,
            Label("x"),
        )
    )
    assert sent == {
        "mark": "new",
        "size": "100",
        "name": "00000000-0000-0000-0000-000000000000",
        "inner": {"size": "1.50"},
        "texts": ["a", "b"],
        "many": [{"size": "2"}],
        "count": 3,
        "label": "x",
    }
    assert [type(value) for value in sent.values()] == [str, str, str, dict, list, list, int, Label]


@pytest.mark.parametrize("flag", [True, False, None])
def test_null_is_sent_where_it_has_a_meaning(flag: bool | None) -> None:
    sent = unstructure(Thing(name="a", count=1, ready=True, colour="new", flag=flag))
    assert sent["flag"] is flag
    assert sent["colour"] == "new"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, ""),
        ({"a": 1}, "?a=1"),
        ({"a": True, "b": False}, "?a=true&b=false"),
        ({"at": "x/?&=#% +", "b": "../"}, "?at=x%2F%3F%26%3D%23%25+%2B&b=..%2F"),
        ({"a": "\r\n\0"}, "?a=%0D%0A%00"),
        ({"a": "é"}, "?a=%C3%A9"),
        ({"a": "BTC"}, "?a=BTC"),
    ],
)
def test_a_query_is_encoded(fields: dict[str, Any], text: str) -> None:
    assert target("/v1", fields) == f"/v1{text}"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/v1/{a}", "/v1/x%2Fy%20%C3%BC?b=1"),
        ("/v1/{b}/{a}", "/v1/1/x%2Fy%20%C3%BC"),
        ("/v1/{a}/last", "/v1/x%2Fy%20%C3%BC/last?b=1"),
    ],
)
def test_a_field_that_the_path_names_stands_there_alone(path: str, text: str) -> None:
    assert target(path, {"a": "x/y ü", "b": 1}) == text


def test_a_list_stands_in_the_query_once_for_each_value() -> None:
    assert target("/v1", {"a": ["x", "y&z"], "b": [True, 1]}) == "/v1?a=x&a=y%26z&b=true&b=1"


def test_an_empty_list_would_ask_for_everything_and_is_refused() -> None:
    with pytest.raises(RequestError, match=r"^a: an empty list cannot stand in a query"):
        target("/v1", {"a": []})


@pytest.mark.parametrize("text", ["", ".", ".."])
def test_a_field_that_would_lead_to_another_path_is_refused(text: str) -> None:
    with pytest.raises(RequestError, match=r"^a: '\.*' cannot be a part of a path$"):
        target("/v1/{a}", {"a": text})


def test_a_query_that_is_no_text_is_refused() -> None:
    with pytest.raises(RequestError, match=r"^an argument contains a lone surrogate, .* as UTF-8$"):
        target("/v1", {"a": "\ud800"})


def test_a_message_without_its_id_has_no_identity() -> None:
    for path in (None, "id", "leg.id"):
        assert identity(path, {}, object()) == (None, False)
