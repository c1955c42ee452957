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
from trading_runtime.codec.page_answers import PageReader
from trading_runtime.operation import ListOperation
from trading_runtime.pages import Page
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


FLOOR_OF_FUNDING = (
    "json.loads and the five Decimals of a record, made in C and unchecked, are 1.9 x together; to make the "
    "instances is another 0.4 x, to check that the texts are decimals 0.4 x, the garbage collector 0.4 x, "
    "to pick the values out of the dicts 0.2 x. It would take Decimals that are made when they are "
    "looked at, or compiled code."
)
FLOOR_OF_ORDERS = (
    "Seventeen fields: json.loads is 1.0 x, and the floor of what makes Decimals, UUIDs and instances "
    "in C, unchecked, another 1.0 x. pydantic reads and makes them in Rust. It would take compiled code."
)

ROW_4 = Row(
    number=4,
    note=NOTE,
    what="A page of 4,000 funding records, bytes to typed attrs with Decimal",
    ways=funding,
    rounds=71,
    comparisons=(
        Comparison(ours=OURS, reference=JSON, at_most=2.0, reached=3.1, why=FLOOR_OF_FUNDING),
        Comparison(
            ours=OURS,
            reference=FROM_JSON,
            at_most=0.75,
            reached=0.88,
            why="json.loads is a third of ours; "
            "pydantic reads the bytes itself and makes no dicts. It would take a parser in C or Rust.",
        ),
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
        Comparison(ours=OURS, reference=JSON, at_most=2.0, reached=2.5, why=FLOOR_OF_ORDERS),
        Comparison(ours=OURS, reference=FROM_JSON, at_most=1.0, reached=1.45, why=FLOOR_OF_ORDERS),
        Comparison(ours=OURS, reference=FROM_DICTS),
        Comparison(ours=OURS, reference=ORJSON),
    ),
)
