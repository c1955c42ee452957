"""Rows 4 and 5: from the bytes of a page to its typed records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from itertools import cycle
from typing import Any

from pydantic import BaseModel

from tests.benchmarks import peers, records
from tests.benchmarks.measure import Comparison, Row, Way, cpu
from trading_runtime.codec.pages import Page, PageReader
from trading_runtime.operation import ListOperation
from trading_sdk.operations import FUNDING_HISTORY, ORDERS_HISTORY

OURS, JSON, ORJSON = "ours", "json.loads", "orjson.loads"
FROM_JSON, FROM_DICTS = "pydantic v2 from bytes", "pydantic v2 from json.loads"
DIFFERENT = 7
"""Pages, taken in turns, so that nobody gains by remembering the last one."""

NOTE = (
    f"{DIFFERENT} pages in turns. Of the two ways of pydantic the faster has the budget. What orjson makes "
    "is not typed: it is here to show how far one could get."
)


def read_by_us(operation: ListOperation[Any], body: bytes) -> Page[Any]:
    """The page as this package reads it."""
    return PageReader(operation).read(200, body)


def read_from_dicts(model: type[BaseModel], body: bytes) -> BaseModel:
    """The page as pydantic reads it after json.loads."""
    return model.model_validate(json.loads(body))


@contextmanager
def funding() -> Iterator[Sequence[Way]]:
    """Every reader, at pages of funding records."""
    bodies = [
        records.page(records.funding(records.PAGE_OF_FUNDING, seed)) for seed in range(DIFFERENT)
    ]
    yield _readers(FUNDING_HISTORY, peers.FundingPage, bodies)


@contextmanager
def orders() -> Iterator[Sequence[Way]]:
    """Every reader, at pages of orders."""
    bodies = [
        records.page(records.orders(records.PAGE_OF_ORDERS, seed)) for seed in range(DIFFERENT)
    ]
    yield _readers(ORDERS_HISTORY, peers.OrderPage, bodies)


def _readers(
    operation: ListOperation[Any], model: type[BaseModel], bodies: Sequence[bytes]
) -> Sequence[Way]:
    readers: dict[str, Callable[[bytes], object]] = {
        OURS: partial(read_by_us, operation),
        JSON: json.loads,
        FROM_JSON: model.model_validate_json,
        FROM_DICTS: partial(read_from_dicts, model),
        ORJSON: import_module("orjson").loads,
    }
    return [cpu(name, _in_turns(reader, bodies)) for name, reader in readers.items()]


def _in_turns(reader: Callable[[bytes], object], bodies: Sequence[bytes]) -> Callable[[], object]:
    following = cycle(bodies)
    return lambda: reader(next(following))


WHERE_IT_GOES = (
    "Of ours, msgspec takes three quarters: the parser, the five Decimals of a record, which Python makes, and "
    "instances of attrs classes, whose slots are set one by one. The check of the decimals is a fifth, that of the "
    "nesting a twentieth. In several runs the ratio was 2.1 to 2.3 x json.loads, and 0.59 to 0.63 x pydantic."
)

ROW_4 = Row(
    number=4,
    note=NOTE,
    what="A page of 4,000 funding records, bytes to typed attrs with Decimal",
    ways=funding,
    rounds=71,
    comparisons=(
        Comparison(ours=OURS, reference=JSON, at_most=2.2, reached=2.3, why=WHERE_IT_GOES),
        Comparison(ours=OURS, reference=FROM_JSON, at_most=0.6, reached=0.65, why=WHERE_IT_GOES),
        Comparison(ours=OURS, reference=FROM_DICTS),
        Comparison(ours=OURS, reference=ORJSON),
    ),
)
ROW_5 = Row(
    number=5,
    note=NOTE,
    what="A page of 1,000 orders with enums and UUIDs",
    ways=orders,
    rounds=71,
    comparisons=(
        Comparison(ours=OURS, reference=JSON, at_most=1.7),
        Comparison(ours=OURS, reference=FROM_JSON, at_most=0.8),
        Comparison(ours=OURS, reference=FROM_DICTS),
        Comparison(ours=OURS, reference=ORJSON),
    ),
)
