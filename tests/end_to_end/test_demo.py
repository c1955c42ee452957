"""The demo that the README promises."""

from __future__ import annotations

import json
import re

import pytest

from trading_sandbox import Sandbox
from trading_sandbox.demo import Demo, Trace
from trading_sandbox.web.lists import LISTS
from trading_sdk import TradingError


@pytest.fixture(scope="module")
def trace() -> str:
    told: list[str] = []
    with Sandbox(taker_delay=0.01) as exchange:
        Demo(exchange, Trace(told.append)).run()
    return "".join(told)


def test_it_ends_with_a_table_of_what_both_accounts_did(trace: str) -> None:
    rows = [line.split() for line in trace.splitlines()[-5:-2]]

    assert [row[0] for row in rows[1:]] == ["maker", "taker"]
    maker, taker = ([int(cell) for cell in row[1:5]] for row in rows[1:])
    assert maker == [7, 3, 2, 2]
    assert taker == [10, 8, 2, 0]


def test_it_shows_the_canonical_text_of_a_signature(trace: str) -> None:
    lines = trace.splitlines()
    start = next(i for i, line in enumerate(lines) if line.strip().startswith('{"data":'))
    text = "".join(line.strip() for line in lines[start : start + 3])

    assert json.loads(text)["type"] == "create_order"


def test_it_pages_three_records_at_a_time(trace: str) -> None:
    pages = [line for line in trace.splitlines() if line.strip().startswith("page")]

    assert [len(re.findall(r"#\d+", page)) for page in pages] == [3, 3, 3, 1]


def test_an_answer_that_it_does_not_expect_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(LISTS, "orders.history")

    with Sandbox(taker_delay=0.01) as exchange, pytest.raises(TradingError):
        Demo(exchange, Trace(print)).run()
