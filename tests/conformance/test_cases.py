"""What the cases of a file share is said once: how a file becomes its cases."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.cases import VECTORS, expanded

GIVEN: dict[str, Any] = {"a": {"b": 1, "c": [1, 2]}, "d": None}


@pytest.mark.parametrize(
    ("own", "whole"),
    [
        ({}, GIVEN),
        ({"d": 2}, {**GIVEN, "d": 2}),
        ({"a": {"e": 3}}, {**GIVEN, "a": {**GIVEN["a"], "e": 3}}),
        ({"a": {"c": [3]}}, {**GIVEN, "a": {"b": 1, "c": [3]}}),
        ({"a": {"b": None}}, {**GIVEN, "a": {**GIVEN["a"], "b": None}}),
        ({"a": "text"}, {**GIVEN, "a": "text"}),
    ],
)
def test_a_case_is_laid_over_what_its_groups_share(own: Any, whole: Any) -> None:
    inner = {"shared": {"given": {"d": None}}, "cases": [{"name": "one", "given": own}]}
    outer = {"shared": {"rule": "r", "given": {**GIVEN, "d": 7}}, "cases": [inner, {"name": "two"}]}

    one, two = expanded(json.dumps(outer))

    assert one == {"name": "one", "rule": "r", "given": whole}
    assert two == {"name": "two", "rule": "r", "given": {**GIVEN, "d": 7}}


def test_the_example_of_the_readme_becomes_what_it_says() -> None:
    readme = (VECTORS / "README.md").read_text("utf-8")
    file, whole = (each.partition("```")[0] for each in readme.split("```json")[1:3])

    assert expanded(file)[1] == json.loads(whole)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"cases": [{"name": "one", "name": "two"}]}', "a name comes twice"),
        ('{"share": {}, "cases": []}', "a group has no share"),
        ('{"cases": [{"name": "one", "given": {"$use": "page"}}]}', "page"),
    ],
)
def test_what_a_file_cannot_say_is_refused(text: str, words: str) -> None:
    with pytest.raises((ValueError, KeyError), match=words):
        expanded(text)
