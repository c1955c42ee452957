"""Requests out: where the fields of a call stand in its path and query."""

from __future__ import annotations

import pytest

from trading_runtime.codec.requests import target
from trading_runtime.errors import RequestError


def test_a_field_stands_in_the_path_that_names_it_or_in_the_query() -> None:
    assert target("/v1/{b}/{a}", {"a": "x/y ü", "b": 1}) == "/v1/1/x%2Fy%20%C3%BC"
    assert target("/v1", {"a": ["x", "y&z"], "b": [True, 1]}) == "/v1?a=x&a=y%26z&b=true&b=1"


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        *(("/v1/{a}", text, r"'\.*' cannot be a part of a path$") for text in ("", ".", "..")),
        # An empty one would ask for everything.
        ("/v1", [], "an empty list cannot stand in a query"),
    ],
)
def test_a_field_that_would_lead_elsewhere_is_refused(path: str, value: object, says: str) -> None:
    with pytest.raises(RequestError, match=f"^a: {says}"):
        target(path, {"a": value})
