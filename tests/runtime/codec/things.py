"""An invented service: its models and operations, its answers, and what is made of them."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from attrs import frozen

from tests.runtime.reading import decode
from trading_runtime.codec.json_types import HiddenJson
from trading_runtime.codec.models import OpenEnum
from trading_runtime.errors import DecodeError
from trading_runtime.http.transport import Response
from trading_runtime.operation import Batch, BatchOperation, ListOperation, Operation, Pagination

ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"


class Colour(OpenEnum):
    RED = "red"
    BLUE = "blue"


@frozen(kw_only=True)
class Leg:
    size: Decimal


@frozen(kw_only=True)
class Step(Leg):
    success: bool = True
    error: str | None = None


@frozen(kw_only=True)
class Thing:
    name: str
    count: int
    ready: bool
    colour: Colour
    mood: Colour | None = None
    id: UUID | None = None
    legs: tuple[Leg, ...] = ()


THING = {"name": "a", "count": 1, "ready": True, "colour": "red"}

GET: Operation[Thing] = Operation(name="things.get", method="GET", path="/thing", result=Thing)
DONE: Operation[None] = Operation(name="things.done", method="POST", path="/done")
KEYED: Operation[tuple[Thing, ...]] = Operation(
    name="things.all", method="GET", path="/all", result=tuple[Thing, ...], result_key="things"
)
ANY: Operation[Any] = Operation(name="things.any", method="GET", path="/any", result=Any)
REVOKED: Operation[None] = Operation(
    name="things.revoked", method="POST", path="/revoked", ignores_data=True
)
HIDDEN: Operation[Any] = Operation(
    name="things.keys", method="POST", path="/keys", result=HiddenJson
)
LIST: ListOperation[Thing] = ListOperation(
    name="things.list",
    method="GET",
    path="/list",
    result=Thing,
    pagination=Pagination(items="rows", cursor="at", next_cursor="then", has_more="more"),
)
BATCH: BatchOperation[Step] = BatchOperation(
    name="things.batch",
    method="POST",
    path="/batch",
    result=Step,
    result_key="results",
    batch=Batch(field="steps", max_items=2, actions={}),
)


def response(payload: Any, status: int = 200) -> Response:
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Response(status, {}, body)


def thing(**fields: Any) -> Any:
    return decode(GET, response({**THING, **fields}))


def unusable(operation: Operation[Any], payload: Any, status: int = 200) -> DecodeError:
    with pytest.raises(DecodeError) as caught:
        decode(operation, response(payload, status))
    return caught.value


DEEP = b"[" * 100_000 + b"]" * 100_000
