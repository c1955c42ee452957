"""The benchmarks judge ratios as they should, compare like with like, and stand on their page.

Nothing here is timed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

import attrs
import base58
import pytest
from nacl.signing import SigningKey

from tests.benchmarks import pages, peers, records, signing
from tests.benchmarks.__main__ import PAGE, check, main
from tests.benchmarks.measure import (
    MET,
    Comparison,
    Figure,
    Outcome,
    Row,
    outcome,
    spread,
    verdict,
    worse,
)
from tests.benchmarks.report import HEADINGS, Result, identities, page
from tests.benchmarks.rows import ROWS
from tests.interface import Fields
from tests.interface.records import FUNDING, ORDER
from trading_runtime.operation import ListOperation
from trading_runtime.signing.canonical import canonical_text
from trading_sdk.operations import FUNDING_HISTORY, ORDERS_HISTORY

# -- judging ----------------------------------------------------------------------------------

WITHIN, NOT_MET = "within its spread", "not met"
AT_MOST = Comparison(ours="ours", reference="theirs", at_most=2.0)
REACHED = Comparison(ours="ours", reference="theirs", at_most=2.0, reached=3.0)
AT_LEAST = Comparison(ours="ours", reference="theirs", at_least=2.0)


def figures(*values: float, unit: str = "s") -> list[Figure]:
    return [Figure(value, unit) for value in values]


def found(median: float, spread: float) -> Outcome:
    return Outcome(median, spread, "x")


def test_a_ratio_is_taken_round_by_round_and_its_median_and_the_spread_reported() -> None:
    measured = {"ours": figures(1, 20, 3), "theirs": figures(1, 10, 1)}
    assert outcome(AT_MOST, measured) == Outcome(2.0, 1.0, "x")
    alone = Comparison(ours="growth", reference=None, at_most=20)
    assert outcome(alone, {"growth": figures(7, unit="MiB")}) == Outcome(7, 0, "MiB")
    # The spread is that of the middle half, whatever the outliers.
    assert spread([1, 2, 3, 4, 5]) == spread([-100, 2, 3, 4, 900]) == 2
    assert spread([7]) == 0


@pytest.mark.parametrize(
    ("comparison", "median", "expected", "fails"),
    [
        (AT_MOST, 2.0, MET, False),
        (AT_MOST, 2.5, WITHIN, False),
        (AT_MOST, 2.51, NOT_MET, True),
        (AT_LEAST, 2.0, MET, False),
        (AT_LEAST, 1.5, WITHIN, False),
        (AT_LEAST, 1.49, NOT_MET, True),
        (REACHED, 2.6, NOT_MET, False),
        (REACHED, 3.6, NOT_MET, True),
    ],
)
def test_a_budget_fails_only_by_more_than_the_spread_of_it_or_of_what_was_reached(
    comparison: Comparison, median: float, expected: str, fails: bool
) -> None:
    assert verdict(comparison, found(median, 0.5)) == expected
    assert worse(comparison, found(median, 0.5)) is fails


# -- reporting --------------------------------------------------------------------------------


def result(ours: float, comparison: Comparison = AT_MOST) -> Result:
    empty = nullcontext[list[Any]]([])
    row = Row(number=1, what="a row", comparisons=[comparison], ways=lambda: empty, rounds=3)
    return Result(row, {"ours": figures(ours), "theirs": figures(1.0)})


def test_the_page_says_plainly_what_is_not_met_and_why() -> None:
    comparison = attrs.evolve(AT_MOST, reached=3.0, why="Half of it is Ed25519.")
    text = page([result(3.0, comparison)], {"CPU": "a fast one"}, {"attrs": "26.1.0"})
    assert "| ≤ 2 x | 3.00 x | 0.00 x | not met |" in text
    assert "3.00 x where the budget is ≤ 2 x." in text
    assert "`--check` holds it to 3 instead. Half of it is Ed25519." in text
    assert "| CPU | a fast one |" in text and "| attrs | 26.1.0 |" in text
    assert "Every budget is met." in page([result(1.0)], {}, {})
    assert [check([result(1.9)]), check([result(1.9), result(2.1)])] == [0, 1]


# -- the rows and their page ------------------------------------------------------------------


def test_the_page_has_every_comparison_with_its_budget_and_what_came_of_it() -> None:
    lines = PAGE.read_text("utf-8").splitlines()
    start = lines.index(f"| {' | '.join(HEADINGS)} |") + 2
    written = lines[start : lines.index("", start)]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in written]
    assert [tuple(line[:4]) for line in cells] == [each for row in ROWS for each in identities(row)]


def test_some_rows_are_measured_and_printed_without_writing_the_page(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = PAGE.read_bytes()
    assert main(["--rows", "8", "--rounds", "1"]) == 0
    (line,) = capsys.readouterr().out.splitlines()[:1]
    assert "a batch of 10, ready to send / one create-order, ready to send, budget ≤ 10 x" in line
    assert PAGE.read_bytes() == before


# -- like is compared with like ---------------------------------------------------------------


def assert_signed(body: Mapping[str, Any], type_: str) -> None:
    """Check a body as the service would."""
    outside = ("account", "signature", "timestamp", "expiry_window")
    own = {name: value for name, value in body.items() if name not in outside}
    header = {name: body[name] for name in ("timestamp", "expiry_window")}
    message = canonical_text({**header, "type": type_, "data": own}).encode()
    signature = base58.b58decode(body["signature"])
    SigningKey(signing.SEED).verify_key.verify(message, signature)


def test_our_body_and_the_usual_one_are_signed_alike_and_differ_by_id_and_time_alone() -> None:
    ours = json.loads(signing.body(signing.unsent()))
    usual = json.loads(peers.UsualSigner(signing.SEED).body("create_order", signing.ARGUMENTS))
    for body in (ours, usual):
        assert_signed(body, "create_order")
    own = {"signature", "timestamp", "client_order_id"}
    assert ours.keys() == usual.keys()
    assert {name for name in ours if ours[name] != usual[name]} <= own
    assert ours["client_order_id"] != usual["client_order_id"]


@pytest.mark.parametrize(
    ("operation", "rows"),
    [
        pytest.param(FUNDING_HISTORY, FUNDING, id="funding"),
        pytest.param(ORDERS_HISTORY, ORDER, id="orders"),
    ],
)
def test_our_page_is_that_of_pydantic_field_by_field_and_type_by_type(
    operation: ListOperation[Any], rows: Fields
) -> None:
    body = records.page(records.made(rows, 200, 7))
    ours = pages.read_by_us(operation, body)
    theirs: Any = peers.page_of(rows).model_validate_json(body)
    assert (ours.next_cursor, ours.has_more) == (theirs.next_cursor, theirs.has_more)
    assert len(ours) == len(theirs.data) == 200
    for mine, other in zip(ours, theirs.data, strict=True):
        fields = attrs.asdict(mine)
        assert fields == dict(other)
        assert [type(fields[name]) for name in fields] == [
            type(getattr(other, name)) for name in fields
        ]
