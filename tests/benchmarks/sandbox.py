"""Rows 11 and 12: orders a second of the sandbox, beside a handler that only reads and answers them, and readers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.benchmarks.measure import Comparison, Row, Way, rate
from tests.benchmarks.servers import SANDBOX, serving
from tests.doubles.orders import resting
from trading_sandbox import RemoteSandbox
from trading_sandbox.server import listen
from trading_sdk import Client
from trading_sdk.operations import ORDERS_CREATE

TIMES = 200
"""Orders a round. Each of them rests in the book, and needs 0.2 USDC of margin."""
OURS, BARE = "orders at the sandbox", "orders at a handler of Starlette that answers at once"
_IDS = count(1)


async def _bare(request: Request) -> JSONResponse:
    json.loads(await request.body())
    return JSONResponse({"order_id": next(_IDS)})


def _posting(url: str, body: str) -> int:
    """Send the same signed order again and again, which the sandbox accepts until it expires."""
    headers = {"Content-Type": "application/json"}
    with closing(HTTPConnection(urlsplit(url).netloc)) as connection:
        for _ in range(TIMES):
            connection.request("POST", ORDERS_CREATE.path, body, headers)
            answer = json.loads(connection.getresponse().read())
            assert "order_id" in answer, answer
    return TIMES


def _signed(client: Client, **more: Any) -> str:
    """The body of an order without an id."""
    order = resting(amount="0.001", client_order_id=None, **more)
    return json.dumps(client.explain("orders.create", **order).body)


@contextmanager
def at_sandbox() -> Iterator[Sequence[Way]]:
    """The same orders at both."""
    with serving(*SANDBOX) as ours, serving("-m", __name__) as bare:
        signer = RemoteSandbox(ours).create_account()
        with Client(ours, signer=signer, expiry_window=3_600_000) as client:
            body = _signed(client, price="10000", tif="ALO")
        yield (
            rate(OURS, "orders", lambda: _posting(ours, body)),
            rate(BARE, "orders", lambda: _posting(bare, body)),
        )


ROW_11 = Row(
    number=11,
    what="Orders a second of the sandbox, one after another",
    ways=at_sandbox,
    rounds=15,
    note=(
        "The sandbox verifies the signature, checks margins, matches, keeps the order and logs the request; "
        "the handler parses the JSON and counts. Both run on uvicorn."
    ),
    comparisons=(Comparison(ours=OURS, reference=BARE, at_least=0.25),),
)


# -- beside readers --------------------------------------------------------------------------------

BESIDE, ALONE = "orders beside readers of the websocket", "orders without a reader"
_LIVE = (*SANDBOX, "--dialect", "live", "--taker-delay", "0")


@contextmanager
def beside_readers() -> Iterator[Sequence[Way]]:
    """The same orders at two sandboxes, one of which has readers of each event."""
    with serving(*_LIVE) as read, serving(*_LIVE) as unread, ExitStack() as readers:
        beside, account = _filling(read)
        alone, _ = _filling(unread)
        readers.enter_context(serving("-m", "tests.benchmarks.readers", read, account))
        yield (
            rate(BESIDE, "orders", lambda: _posting(read, beside)),
            rate(ALONE, "orders", lambda: _posting(unread, alone)),
        )


def _filling(url: str) -> tuple[str, str]:
    """Return a signed order of which each copy fills against one large order, and its account."""
    price = {"price": "100000", "tif": "GTC"}
    sandbox = RemoteSandbox(url)
    sandbox.set_rate_limit(None)
    with Client(url, signer=sandbox.create_account("1000000")) as maker:
        maker.orders.create(**resting(side="ask", amount="100", **price))
    signer = sandbox.create_account("1000000")
    with Client(url, signer=signer, expiry_window=3_600_000) as taker:
        return _signed(taker, **price), signer.address


ROW_12 = Row(
    number=12,
    what="Orders a second of the sandbox beside 100 readers of its websocket",
    ways=beside_readers,
    rounds=15,
    note=(
        "Each order fills at once. Each reader gets two events of the order, the trade and the best prices; "
        "they are a process of their own, which throws away what it reads."
    ),
    comparisons=(Comparison(ours=BESIDE, reference=ALONE, at_least=0.8),),
)


def main() -> None:
    """Serve the handler; print its URL first."""
    listening = listen(0)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    app = Starlette(routes=[Route(ORDERS_CREATE.path, _bare, methods=["POST"])])
    config = uvicorn.Config(app, log_config=None, access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
