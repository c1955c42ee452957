"""What counts as the same: exact numbers, absent members, bodies without a name twice."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from conformance.checks.requests import body_difference, request_difference
from conformance.compare import difference
from conformance.values import BadValue, tagged, untagged


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ("1.5", Decimal("1.50")),
        ("100", Decimal("1E+2")),
        (Decimal("1.5"), "1.500"),
        ({"a": 1}, {"a": 1, "b": None, "c": []}),
        ({"a": None, "b": []}, {}),
        ([], None),
        (0.025, Decimal("0.0250001")),
        ({"$any": True}, 0),
        ({"$between": [1, 2]}, 1.5),
    ],
)
def test_what_is_the_same(expected: Any, got: Any) -> None:
    assert difference(expected, got) is None


@pytest.mark.parametrize(
    ("expected", "got", "path"),
    [
        ("1.5", "1.50", ""),
        ("1.5", Decimal("1.51"), ""),
        ("BTC", Decimal(1), ""),
        (1, True, ""),
        (1, Decimal(1), ""),
        ({"a": 1}, {"a": 1, "b": 0}, "b"),
        ({"a": 1}, {}, "a"),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, "a.b[1]"),
        ([1], [1, 2], ".length"),
        ({"a": 1}, [], ""),
        (0.025, Decimal("0.0251"), ""),
        ({"$any": True}, None, ""),
        ({"$between": [1, 2]}, 3, ""),
    ],
)
def test_what_differs_and_where(expected: Any, got: Any, path: str) -> None:
    found = difference(expected, got)

    assert found is not None and found.path == path


def test_in_part_more_may_be_there() -> None:
    assert difference({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 2}], "d": 3}, part=True) is None


@pytest.mark.parametrize(
    "body",
    ['{"a":1,"a":2}', '{"a":2.0}', '{"a":"2"}', '{"a":true}', "{}", '{"a":2,"b":null}', "", None],
)
def test_a_body_is_compared_exactly(body: Any) -> None:
    assert body_difference({"a": 2}, '{ "a" : 2 }') is None
    assert body_difference({"a": 2}, body) is not None


@pytest.mark.parametrize(
    ("query", "same"),
    [
        ("a=1&b=x+y", True),
        ("b=x%20y&a=1", True),
        ("a=1&b=x y", False),
        ("a=1", False),
        ("a=1&b=x+y&c", False),
        ("a=1&b=x+\u00e9", False),
    ],
)
def test_a_query_is_compared_by_its_pairs(query: str, same: bool) -> None:
    expected = {"method": "GET", "path": "/p", "query": [["a", "1"], ["b", "x y"]], "body": None}
    got: dict[str, Any] = {"method": "GET", "path": f"/p?{query}", "headers": {}, "body": None}

    assert (request_difference(expected, got) is None) == same


def test_headers_have_no_case_and_may_be_forbidden() -> None:
    expected = {"headers": {"Content-Type": "a"}, "without": ["X-Key"]}

    assert request_difference(expected, {"headers": {"content-type": "a", "accept": "b"}}) is None
    assert (
        request_difference(expected, {"headers": {"content-type": "a", "x-key": "b"}}) is not None
    )
    assert request_difference(expected, {"headers": {"content-type": "b"}}) is not None


VALUES = [0, -(2**70), Decimal("0.10"), 1.5, "a\ud800b", True, None, [1, {"a": [Decimal(1)]}], {}]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_comes_back_from_its_tags(value: Any) -> None:
    assert untagged(tagged(value)) == value


@pytest.mark.parametrize(
    "value",
    [1, 1.5, {"$int": 1}, {"$int": "1.0"}, {"$int": ""}, {"$decimal": "x"}, {"$": "1"}, [[1]]],
)
def test_what_has_no_tag_or_a_wrong_one_is_refused(value: Any) -> None:
    with pytest.raises(BadValue):
        untagged(value)
