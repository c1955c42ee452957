"""Answers that are no results: what is said of them, and which refusals are believed."""

from __future__ import annotations

from typing import Any

import pytest

from trading_runtime.codec.refusals import doubt, not_json
from trading_runtime.operation import Operation

CREATE = Operation[Any](name="orders.create", method="POST", path="/", result=int, result_key="id")


@pytest.mark.parametrize(
    ("body", "kind", "says"),
    [
        (b"\n <!DOCTYPE HTML><p>", "text/html", "not JSON (text/html): it is a page of HTML"),
        (b"<HTML>", None, "not JSON: it is a page of HTML"),
        (b"<html>", "", "not JSON: it is a page of HTML"),
        (b" " * 94 + b"<html>", None, "not JSON: it is a page of HTML"),
        (b" " * 96 + b"<html>", None, "not JSON: broken"),
        (b" \n", None, "not JSON: it is empty"),
        (b"{", "a\nb", "not JSON (a b): broken"),
    ],
)
def test_what_an_answer_is_instead_of_json(body: bytes, kind: str | None, says: str) -> None:
    assert not_json(body, kind, "broken") == says


@pytest.mark.parametrize(("field", "believed"), [("id", False), ("ids", False), ("note", True)])
def test_a_refusal_with_a_result_is_not_believed(field: str, believed: bool) -> None:
    refusal = {"error": "no", field: 7}

    assert (doubt(CREATE, 400, refusal, refusal) is None) is believed
    assert doubt(Operation[Any](name="a.b", method="POST", path="/"), 400, refusal, refusal) is None
