"""Rows 4 and 5: from the bytes of a page to its typed records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from typing import Any

from tests.benchmarks import peers, records
from tests.benchmarks.measure import Comparison, Row, Way, cpu
from tests.interface import Fields
from tests.interface.records import FUNDING, ORDER
from trading_runtime.codec.pages import Page, PageReader
from trading_runtime.operation import ListOperation
from trading_sdk.operations import FUNDING_HISTORY, ORDERS_HISTORY

OURS, JSON, PYDANTIC = "ours", "json.loads", "pydantic v2 from bytes"
DIFFERENT = 7
"""Pages, taken in turns, so that nobody gains by remembering the last one."""
NOTE = f"{DIFFERENT} pages in turns."


def read_by_us(operation: ListOperation[Any], body: bytes) -> Page[Any]:
    """The page as this package reads it."""
    return PageReader(operation).read(200, body)


@contextmanager
def _reading(operation: ListOperation[Any], rows: Fields, count: int) -> Iterator[Sequence[Way]]:
    """Every reader, at pages of so many records."""
    bodies = cycle([records.page(records.made(rows, count, seed)) for seed in range(DIFFERENT)])
    model = peers.page_of(rows)
    yield (
        cpu(OURS, lambda: read_by_us(operation, next(bodies))),
        cpu(JSON, lambda: json.loads(next(bodies))),
        cpu(PYDANTIC, lambda: model.model_validate_json(next(bodies))),
    )


WHERE_IT_GOES = (
    "Of ours, msgspec takes three quarters: the parser, the five Decimals of a record, which Python makes, and "
    "instances of attrs classes, whose slots are set one by one. The check of the decimals is a fifth, that of the "
    "nesting a twentieth. In several runs the ratio was 2.1 to 2.3 x json.loads, and 0.59 to 0.63 x pydantic."
)

ROW_4 = Row(
    number=4,
    note=NOTE,
    what="A page of 4,000 funding records, bytes to typed attrs with Decimal",
    ways=lambda: _reading(FUNDING_HISTORY, FUNDING, records.PAGE_OF_FUNDING),
    rounds=71,
    comparisons=(
        Comparison(ours=OURS, reference=JSON, at_most=2.2, reached=2.3, why=WHERE_IT_GOES),
        Comparison(ours=OURS, reference=PYDANTIC, at_most=0.6, reached=0.65, why=WHERE_IT_GOES),
    ),
)
ROW_5 = Row(
    number=5,
    note=NOTE,
    what="A page of 1,000 orders with enums and UUIDs",
    ways=lambda: _reading(ORDERS_HISTORY, ORDER, records.PAGE_OF_ORDERS),
    rounds=71,
    comparisons=(
        Comparison(ours=OURS, reference=JSON, at_most=1.7),
        Comparison(ours=OURS, reference=PYDANTIC, at_most=0.8),
    ),
)
