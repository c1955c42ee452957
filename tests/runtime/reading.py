"""Reads an answer to an operation, as the client does."""

from __future__ import annotations

import json
from typing import Any

from trading_runtime.codec.answers import BatchReader, Reader, ResultReader
from trading_runtime.codec.pages import PageReader
from trading_runtime.http.transport import Response
from trading_runtime.operation import BatchOperation, ListOperation, Operation


def decode(operation: Operation[Any], response: Response) -> Any:
    """The result, the page, or the results of a batch of as many actions as there are results."""
    return _reader(operation, response.body).read(response.status, response.body)


def _reader(operation: Operation[Any], body: bytes) -> Reader[Any]:
    if isinstance(operation, ListOperation):
        return PageReader(operation, None)
    if isinstance(operation, BatchOperation):
        return BatchReader(operation, [operation] * _count(operation, body))
    return ResultReader(operation)


def _count(operation: BatchOperation[Any], body: bytes) -> int:
    """The number of results in an answer to a batch; 1 if it cannot be told."""
    try:
        payload = json.loads(body)
        content = payload.get("data", payload)
        return len(content[operation.result_key])
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return 1
