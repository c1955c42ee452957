"""`python -m tests.runtime.hostile [SHARE]`: hostile answers, as large as they may be, each read in a few seconds.

The limit is one of processor time, which a busy machine does not change. What takes more than a fixed number of
steps for each byte would take minutes, in which no other thread runs. With a SHARE of 16 bodies have a sixteenth of
that size: what is read in linear time then takes a hundredth of the limit, and what is not still takes longer.
"""

from __future__ import annotations

import logging
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from tests.doubles.calls import batch, create, history, settings
from tests.doubles.orders import HERE, ID, order_record
from tests.doubles.signer import KEY
from tests.doubles.transport import ScriptedTransport, ok
from tests.interface import page
from trading_runtime import Response
from trading_runtime.http.transport import MAX_BODY_BYTES, MAX_POST_BODY_BYTES
from trading_runtime.intent import Message
from trading_runtime.recovery.evidence import Search, Signing, unreadable
from trading_sdk import Client, Retry, TradingError

SECONDS = 10
"""Of processor time, for one call; what grows with the length alone takes one second at most."""
MAX_LINE = 65_000
"""The longest line of a header that http.client reads."""
LONG = b"9" * 5_000
"""An integer that msgspec does not read, so that the answer is looked through for others."""
NOW = 1_800_000_000_000
RECORDS = 20_000
"""Of a list, in a few pages."""
HEADERS = ("Date", "Age", "Retry-After", "ratelimit", "ratelimit-policy", "Location")
TEXTS = (
    *(" ", "9", "a", ";", '"', ";r=1", '"a";r=1', "Mon, ", "GMT ", ":", "-", "\t;", "e1", "/"),
    "é",
)

# What begins a body, what is repeated, and what ends it.
BODIES: Mapping[str, tuple[bytes, bytes, bytes]] = {
    "a text without an end": (b'[%b,"' % LONG, rb"\"", b""),
    "backslashes": (b'[%b,"' % LONG, b"\\", b""),
    "escapes": (b'[%b,"' % LONG, rb"\u0041\\", b'"]'),
    "digits": (b"[", b"9", b"]"),
    "digits of an exponent": (b"[1e", b"9", b"]"),
    "many long integers": (b"[", LONG + b",", b"1]"),
    "lists in lists": (b"", b"[", b""),
    "lists that end": (b"[", b"[[]],", b"[]]"),
    "a name again and again": (b"{", b'"success":false,', b'"success":false}'),
    "bad records": (b'{"success":true,"data":[', b"{},", b"{}]}"),
    "a long error": (b'{"success":false,"error":"', b"actions[1", b'"}'),
    "a long id": (b'{"success":true,"order_id":"', b"{", b'"}'),
    "results": (b'{"success":false,"results":[', b'{"success":false,"error":"no"},', b"1]}"),
}


def body(name: str, size: int) -> bytes:
    """A body of at most so many bytes."""
    begin, middle, end = BODIES[name]
    return begin + middle * ((size - len(begin) - len(end)) // len(middle)) + end


def cases(share: int) -> Iterator[tuple[str, Response, Sequence[Callable[[Client], object]]]]:
    """Answers, what each is, and the calls that are answered so."""
    for name in BODIES:
        yield name, Response(200, {}, body(name, MAX_BODY_BYTES // share)), (settings, history)
        posted = body(name, MAX_POST_BODY_BYTES // share)
        yield f"{name}, posted", Response(200, {}, posted), (create, batch)
        yield f"{name}, refused", Response(400, {}, posted), (create,)
    for header in HEADERS:
        for text in TEXTS:
            for status in (302, 429):
                headers = {header: text * (MAX_LINE // len(text)) + "x"}
                yield f"{header}: {text}", Response(status, headers, b"{}"), (settings,)


def read(response: Response, calls: Sequence[Callable[[Client], object]]) -> None:
    """Make calls that are answered so."""
    transport, once = ScriptedTransport(then=response), Retry(max_attempts=1)
    with Client(HERE, signer=KEY, transport=transport, retry=once) as client:
        for call in calls:
            limit_processor_time()
            with suppress(TradingError):
                call(client)


def limit_processor_time() -> None:
    """End this process after some seconds of processor time more."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + SECONDS, most))


def judged(name: str, id_: str | None) -> Search:
    """A search that has seen many records which all may have to do with its message."""
    fields = {"symbol": "BTC", "side": "bid", "price": "7", "amount": "9", "client_order_id": ID}
    trace = Client.api.kinds[name].trace
    assert trace is not None
    message = Message(name=name, client_id=id_, fields=fields)
    search = Search(message, trace, Signing(NOW, True), False, "updated_at")
    listed = [
        order_record(NOW + each, order_id=each, order_status="cancelled") for each in range(RECORDS)
    ]
    transport = ScriptedTransport(then=ok({**page(), "data": listed}))
    with Client(HERE, signer=KEY, transport=transport) as client:
        for record in client.orders.history():
            search.take(record)
    for each in listed:
        search.take(unreadable({**each, "client_order_id": None}, "no"))
    return search


def main(share: int = 1) -> None:
    """Read each answer, and judge a long list."""
    logging.disable()
    for name, response, calls in cases(share):
        print(name, flush=True)
        read(response, calls)
    print("a history of one record", flush=True)
    for name, id_ in (("orders.create", ID), ("orders.cancel", None), ("orders.edit", None)):
        limit_processor_time()
        judged(name, id_).evidence()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
