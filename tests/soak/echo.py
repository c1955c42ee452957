"""A server whose every answer is of its request alone, and fails as the request asks.

The price of an order says what becomes of it (`FAILURES`); the id in a good answer is made of the
client id of the request. A page of orders holds one, whose id is the limit that was asked for.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from uuid import UUID

from tests.benchmarks.raw_server import serve
from tests.doubles.orders import order_record
from tests.doubles.server import answer as whole
from tests.interface import page

_LIMIT = re.compile(rb"[?&]limit=([0-9]+)")


def order_id_of(client_order_id: UUID) -> int:
    """The order id that answers a client id."""
    return client_order_id.int % 2**52


def _good(order_id: int, *headers: str) -> bytes:
    return _answer(200, {"order_id": order_id}, *headers)


def _answer(status: int, content: object, *headers: str) -> bytes:
    return whole(json.dumps(content).encode(), *headers, status=f"{status} Whatever")


def _last(to: asyncio.Transport, answer: bytes) -> None:
    to.write(answer)
    to.close()


FAILURES: Mapping[str, Callable[[asyncio.Transport, int], None]] = {
    "1": lambda to, order_id: to.write(_answer(400, {"error": str(order_id), "code": 400})),
    "2": lambda to, order_id: to.write(_answer(500, {"error": str(order_id), "code": 500})),
    "3": lambda to, order_id: to.abort(),
    "4": lambda to, order_id: to.close(),
    "5": lambda to, order_id: _last(to, _good(order_id)[:-3]),
    "6": lambda to, order_id: to.write(_answer(200, [order_id])),
    "7": lambda to, order_id: to.write(_good(order_id) * 2),
    "8": lambda to, order_id: _last(to, _good(order_id, "Connection: close")),
    "9": lambda to, order_id: None,
}
"""What is answered to an order of this price: 7 and 8 are good, the first with another answer after it, the second the last of its connection;
9 is never answered."""


def answer(to: asyncio.Transport, head: bytes, body: bytes) -> None:
    """Answer a request for a page, or an order."""
    if head.startswith(b"GET"):
        limit = _LIMIT.search(head)
        order_id = int(limit[1]) if limit else 0
        to.write(_answer(200, page(order_record(1, order_id=order_id))))
        return
    sent = json.loads(body)
    order_id = order_id_of(UUID(sent["client_order_id"]))
    failure = FAILURES.get(sent["price"])
    if failure is None:
        to.write(_good(order_id))
    else:
        failure(to, order_id)


if __name__ == "__main__":
    serve(answer)
