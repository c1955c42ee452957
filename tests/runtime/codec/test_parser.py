"""Bytes to JSON: how deep it may nest, and numbers of any length."""

from __future__ import annotations

import json
from typing import Any

import pytest

from trading_runtime.codec.decoder import structure
from trading_runtime.codec.parser import MAX_DEPTH, parse


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
